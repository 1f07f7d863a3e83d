// Package fixture watches ConfigMaps of users through a controller of package
// controller, with typed functions.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile copies the configuration that a Thing refers to into its status.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, config); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = config.Data["phase"]
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	c, err := controller.New("thing", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Kind(mgr.GetCache(), &thingapi.Thing{}, &handler.TypedEnqueueRequestForObject[*thingapi.Thing]{})); err != nil {
		return err
	}
	toThings := handler.TypedEnqueueRequestsFromMapFunc(func(_ context.Context, config *corev1.ConfigMap) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(config)}}
	})
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.ConfigMap{}, toThings, predicate.TypedFuncs[*corev1.ConfigMap]{ // want "blindpredicate: .*edits of corev1.ConfigMap"
		UpdateFunc: func(e event.TypedUpdateEvent[*corev1.ConfigMap]) bool {
			return e.ObjectOld.Generation != e.ObjectNew.Generation
		},
	}))
}
