// Package fixture has setters of conditions that make the time as a literal.
package fixture

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// KeepsTheTime keeps the old time as long as the status of the condition is the same.
type KeepsTheTime struct{ client.Client }

func (r *KeepsTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	set(&thing.Status.Conditions, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up"})
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func set(conditions *[]metav1.Condition, wanted metav1.Condition) {
	wanted.LastTransitionTime = metav1.Time{Time: time.Now()}
	for i, old := range *conditions {
		if old.Type == wanted.Type {
			if old.Status == wanted.Status {
				wanted.LastTransitionTime = old.LastTransitionTime
			}
			(*conditions)[i] = wanted
			return
		}
	}
	*conditions = append(*conditions, wanted)
}

// SetsTheTime sets it each time.
type SetsTheTime struct{ client.Client }

func (r *SetsTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setAnew(&thing.Status.Conditions, metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Up"})
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func setAnew(conditions *[]metav1.Condition, wanted metav1.Condition) {
	wanted.LastTransitionTime = metav1.Time{Time: time.Now()} // want "unstablewrite: time.Now reaches Thing status.conditions"
	for i, old := range *conditions {
		if old.Type == wanted.Type {
			(*conditions)[i] = wanted
			return
		}
	}
	*conditions = append(*conditions, wanted)
}
