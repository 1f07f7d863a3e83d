// Package controller sets conditions by functions of its own, which keep the
// transition time or renew it.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// OwnSetterKeepsTheOldTransitionTime has its own way to set a condition; it
// takes over the old time while the status is the same.
type OwnSetterKeepsTheOldTransitionTime struct {
	client.Client
}

func (r *OwnSetterKeepsTheOldTransitionTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setCondition(&thing.Status, metav1.Condition{
		Type:               "Ready",
		Status:             metav1.ConditionTrue,
		Reason:             "Reconciled",
		LastTransitionTime: metav1.Now(),
	})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func setCondition(status *thingapi.ThingStatus, condition metav1.Condition) {
	for i, old := range status.Conditions {
		if old.Type != condition.Type {
			continue
		}
		if old.Status == condition.Status {
			condition.LastTransitionTime = old.LastTransitionTime
		}
		status.Conditions[i] = condition
		return
	}
	status.Conditions = append(status.Conditions, condition)
}

// ConditionTimeOverwrittenByHand has its own way to set a condition, which
// renews the transition time although nothing changed.
type ConditionTimeOverwrittenByHand struct {
	client.Client
}

func (r *ConditionTimeOverwrittenByHand) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	overwriteCondition(&thing, "Ready", metav1.ConditionTrue, "Reconciled", "all is well")
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func overwriteCondition(thing *thingapi.Thing, kind string, status metav1.ConditionStatus, reason, message string) {
	condition := metav1.Condition{
		Type:               kind,
		Status:             status,
		Reason:             reason,
		Message:            message,
		LastTransitionTime: metav1.Now(), // want "unstablewrite: .*Now .*Thing"
	}
	for i := range thing.Status.Conditions {
		if thing.Status.Conditions[i].Type == kind {
			thing.Status.Conditions[i] = condition
			return
		}
	}
	thing.Status.Conditions = append(thing.Status.Conditions, condition)
}

// OwnUpsertOfAConditionStampsItAnew sets conditions by a helper of its own,
// which renews the transition time whether or not the status changes.
type OwnUpsertOfAConditionStampsItAnew struct {
	client.Client
}

func (r *OwnUpsertOfAConditionStampsItAnew) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

// OwnConditionRenewsItsUpdateTime keeps the transition time of a condition and
// renews the time of the last update.
type OwnConditionRenewsItsUpdateTime struct {
	client.Client
}

func (r *OwnConditionRenewsItsUpdateTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	renewCondition(&deploy.Status, appsv1.DeploymentCondition{Type: "Audited", Status: corev1.ConditionTrue, Reason: "Passed"})
	return ctrl.Result{}, r.Status().Update(ctx, deploy)
}

func renewCondition(status *appsv1.DeploymentStatus, c appsv1.DeploymentCondition) {
	c.LastUpdateTime = metav1.Now() // want "unstablewrite: .*Now .*Deployment"
	var kept []appsv1.DeploymentCondition
	for _, old := range status.Conditions {
		if old.Type == c.Type {
			c.LastTransitionTime = old.LastTransitionTime
			continue
		}
		kept = append(kept, old)
	}
	status.Conditions = append(kept, c)
}
