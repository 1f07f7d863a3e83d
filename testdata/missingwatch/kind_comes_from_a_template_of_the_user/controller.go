// Package fixture creates whatever the user put into a ConfigMap. No kind is known
// before it runs.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	template := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, template); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	obj := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(template.Data["object"]), &obj.Object); err != nil {
		return ctrl.Result{}, err
	}
	obj.SetNamespace(thing.Namespace)
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Patch(ctx, obj, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
