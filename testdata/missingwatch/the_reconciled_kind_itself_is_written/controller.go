// Package fixture writes only Things: a finalizer, defaults, the status, and a
// second Thing that the first one asks for.
package fixture

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

const finalizer = "things.example.com/finalizer"

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(thing, finalizer) {
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	if thing.Spec.Port == 0 {
		before := thing.DeepCopy()
		thing.Spec.Port = 8080
		if err := r.Patch(ctx, thing, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	if name := thing.Spec.TargetRef; name != "" {
		twin := &thingapi.Thing{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: thing.Namespace}}
		twin.Spec.Image = thing.Spec.Image
		if err := controllerutil.SetControllerReference(thing, twin, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, twin)); err != nil {
			return ctrl.Result{}, err
		}
	}
	thing.Status.ObservedGeneration = thing.Generation
	thing.Status.Phase = "Ready"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
