// Package fixture reads and writes through two interfaces, each only a part of a
// client.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	reader client.Reader
	writer client.Writer
	scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.reader.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var config corev1.ConfigMap
	config.Name = thing.Name + "-config"
	config.Namespace = thing.Namespace
	config.Data = thing.Spec.Config
	if err := controllerutil.SetControllerReference(&thing, &config, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.writer.Create(ctx, &config); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.reader, r.writer, r.scheme = mgr.GetClient(), mgr.GetClient(), mgr.GetScheme()
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}
