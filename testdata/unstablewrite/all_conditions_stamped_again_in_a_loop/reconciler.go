// Package controller copies its conditions on each pass and gives one of them a
// new time.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	updated := make([]metav1.Condition, 0, len(thing.Status.Conditions))
	for _, c := range thing.Status.Conditions {
		c.ObservedGeneration = thing.Generation
		c.LastTransitionTime = metav1.Now() // want "unstablewrite: .*Now .*Thing"
		updated = append(updated, c)
	}
	thing.Status.Conditions = updated
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
