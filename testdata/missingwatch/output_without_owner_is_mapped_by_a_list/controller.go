// Package fixture has no owner on its ConfigMap; its map function lists the Things
// and enqueues each of them.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

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

	config := newConfigMap(thing)
	config.Namespace = "shared"
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func (r *ThingReconciler) allThings(ctx context.Context, _ client.Object) []reconcile.Request {
	things := &thingapi.ThingList{}
	if err := r.List(ctx, things); err != nil {
		return nil
	}
	requests := make([]reconcile.Request, 0, len(things.Items))
	for i := range things.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&things.Items[i])})
	}
	return requests
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.allThings)).
		Complete(r)
}
