// Package fixture leaves to a function of its caller when to look again.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Schedule says when to look at a Thing again.
type Schedule func(thing *thingapi.Thing) (ctrl.Result, error)

// AlwaysAsksTheSchedule leaves the last word to the schedule, which may ask for a
// poll each time.
type AlwaysAsksTheSchedule struct {
	client.Client
	Next Schedule
}

func (r *AlwaysAsksTheSchedule) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := createConfig(ctx, r.Client, thing); err != nil {
		return ctrl.Result{}, err
	}
	return r.Next(thing)
}

func (r *AlwaysAsksTheSchedule) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// AsksTheScheduleUntilReady does not look again at a Thing that is ready.
type AsksTheScheduleUntilReady struct {
	client.Client
	Next Schedule
}

func (r *AsksTheScheduleUntilReady) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := createConfig(ctx, r.Client, thing); err != nil {
		return ctrl.Result{}, err
	}
	if thing.Status.ReadyReplicas > 0 {
		return ctrl.Result{}, nil
	}
	return r.Next(thing)
}

func (r *AsksTheScheduleUntilReady) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

func createConfig(ctx context.Context, c client.Client, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, config))
}
