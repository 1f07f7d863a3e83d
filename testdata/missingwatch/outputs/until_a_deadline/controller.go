// Package fixture keeps objects for as long as their owner lives.
package fixture

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const lifetime = 24 * time.Hour

// expired says whether a Thing is too old, and otherwise when it will be.
func expired(thing *thingapi.Thing, now time.Time) (bool, time.Duration) {
	end := thing.CreationTimestamp.Add(lifetime)
	if !now.Before(end) {
		return true, 0
	}
	return false, end.Sub(now)
}

// KeptUntilADeadline keeps a ConfigMap until its Thing is a day old.
type KeptUntilADeadline struct{ client.Client }

// Reconcile makes the ConfigMap in each reconcile before the deadline.
func (r *KeptUntilADeadline) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	over, _ := expired(thing, time.Now())
	if over {
		return ctrl.Result{}, r.Delete(ctx, thing)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, cm))
}

func (r *KeptUntilADeadline) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want `missingwatch: Reconcile creates corev1.ConfigMap \(.*controller.go:40\) but the controller does not watch it; drift waits for the next resync \(10 hours by default\)`
}

// MadeWhenTheLastIsOld makes a ConfigMap an hour after the last one. That somebody deletes
// one does not bring it back.
type MadeWhenTheLastIsOld struct{ client.Client }

// Reconcile makes the next one and notes when.
func (r *MadeWhenTheLastIsOld) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if last := thing.Status.LastSync; last != nil && time.Since(last.Time) < time.Hour {
		return ctrl.Result{}, nil
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: thing.Name + "-", Namespace: thing.Namespace}}
	if err := r.Create(ctx, cm); err != nil {
		return ctrl.Result{}, err
	}
	now := metav1.Now()
	thing.Status.LastSync = &now
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *MadeWhenTheLastIsOld) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
