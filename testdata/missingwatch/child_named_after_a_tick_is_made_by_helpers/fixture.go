// Package fixture starts a run whenever its time has come. That is found out in
// one branch of the reconcile, and the run is made two calls below.
package fixture

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Clock clock.Clock
}

// Reconcile runs what is due.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.LastSync == nil {
		thing.Status.LastSync = &metav1.Time{Time: r.Clock.Now()}
		return ctrl.Result{RequeueAfter: time.Hour}, r.Status().Update(ctx, thing)
	}
	if thing.Status.ReadyReplicas > 0 {
		now := r.Clock.Now()
		if next := thing.Status.LastSync.Add(time.Hour); next.After(now) {
			return ctrl.Result{RequeueAfter: next.Sub(now)}, nil
		}
		if err := r.start(ctx, thing, now); err != nil {
			return ctrl.Result{}, err
		}
		thing.Status.LastSync = &metav1.Time{Time: now}
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *ThingReconciler) start(ctx context.Context, thing *thingapi.Thing, now time.Time) error {
	return r.create(ctx, thing, now)
}

func (r *ThingReconciler) create(ctx context.Context, thing *thingapi.Thing, now time.Time) error {
	return r.Create(ctx, &thingapi.Part{
		ObjectMeta: metav1.ObjectMeta{
			Name:      fmt.Sprintf("%s-%d", thing.Name, now.Unix()),
			Namespace: thing.Namespace,
		},
	})
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ConfiguredReconciler makes a Part where the Thing asks for one.
type ConfiguredReconciler struct {
	client.Client
}

// Reconcile brings the cluster in line with a Thing.
func (r *ConfiguredReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.ObservedGeneration != thing.Generation {
		thing.Status.LastSync = &metav1.Time{Time: time.Now()}
		thing.Status.ObservedGeneration = thing.Generation
		return ctrl.Result{}, r.Status().Update(ctx, thing)
	}
	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, part))
}

// SetupWithManager registers the controller.
func (r *ConfiguredReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates thingapi.Part .* does not watch it"
}
