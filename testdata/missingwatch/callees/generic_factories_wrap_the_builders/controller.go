// Package fixture renders its objects through factories that erase their types, and
// writes those that are not nil.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/callees/generic_factories_wrap_the_builders/manifests"
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

	objects, err := manifests.Render(thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	for _, desired := range objects {
		if err := controllerutil.SetControllerReference(thing, desired, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		existing := desired.DeepCopyObject().(client.Object)
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, existing, manifests.MutateFor(existing, desired)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r) // want "missingwatch: .*NetworkPolicy"
}
