// Package controller sets conditions by a helper of its own, which renews the
// transition time whether or not the status changes.
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
	setReady(&thing, metav1.ConditionTrue, "all is well")
	setAudited(&thing.Status.Conditions, thing.Generation)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setReady(thing *thingapi.Thing, status metav1.ConditionStatus, message string) {
	ready := metav1.Condition{
		Type:    "Ready",
		Status:  status,
		Reason:  "Reconciled",
		Message: message, LastTransitionTime: metav1.Now()} // want "unstablewrite: .*Now reaches Thing status.conditions"
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type == ready.Type {
			thing.Status.Conditions[i] = ready
			return
		}
	}
	thing.Status.Conditions = append(thing.Status.Conditions, ready)
}

func setAudited(conditions *[]metav1.Condition, generation int64) {
	const kind = "Audited"
	audited := metav1.Condition{Type: kind, LastTransitionTime: metav1.Now(), Status: metav1.ConditionTrue, Reason: "Passed", ObservedGeneration: generation} // want "unstablewrite: .*Now reaches Thing status.conditions"
	for i, old := range *conditions {
		if old.Type == kind {
			(*conditions)[i] = audited
			return
		}
	}
	*conditions = append(*conditions, audited)
}
