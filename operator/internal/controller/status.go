package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	thingv1alpha1ac "github.com/operatorvet/operatorvet/operator/api/v1alpha1/applyconfiguration/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/drain"
)

// inPlace is the status of a Thing whose outputs are applied. The Deployment is the one that was read before; if it rolls
// since, what it says about pods is about the spec before.
func inPlace(thing *thingv1alpha1.Thing, deployment *appsv1.Deployment, hash string, rolls bool) *thingv1alpha1.ThingStatus {
	status := begin(thing)
	status.SpecHash = hash
	status.Draining = nil
	status.Replicas = deployment.Status.Replicas
	status.ReadyReplicas = deployment.Status.ReadyReplicas

	available, stuck := deployment.Status.AvailableReplicas, stuckMessage(deployment)
	switch {
	case !rolls && rolledOut(deployment):
		set(thing, status, thingv1alpha1.ConditionReady, metav1.ConditionTrue, thingv1alpha1.ReasonAvailable, "All pods run the spec and are available")
		set(thing, status, thingv1alpha1.ConditionProgressing, metav1.ConditionFalse, thingv1alpha1.ReasonAvailable, "The spec is in place")
	case !rolls && stuck != "":
		set(thing, status, thingv1alpha1.ConditionReady, metav1.ConditionFalse, thingv1alpha1.ReasonRolloutStuck, stuck)
		set(thing, status, thingv1alpha1.ConditionProgressing, metav1.ConditionFalse, thingv1alpha1.ReasonRolloutStuck, stuck)
		set(thing, status, thingv1alpha1.ConditionDegraded, metav1.ConditionTrue, thingv1alpha1.ReasonRolloutStuck, stuck)
		return status
	default:
		message := fmt.Sprintf("%d of %d pods are available", available, ptr.Deref(thing.Spec.Replicas, ptr.Deref(deployment.Spec.Replicas, 1)))
		set(thing, status, thingv1alpha1.ConditionReady, metav1.ConditionFalse, thingv1alpha1.ReasonRollingOut, message)
		set(thing, status, thingv1alpha1.ConditionProgressing, metav1.ConditionTrue, thingv1alpha1.ReasonRollingOut, message)
	}
	set(thing, status, thingv1alpha1.ConditionDegraded, metav1.ConditionFalse, thingv1alpha1.ReasonAsExpected, "Nothing stands in the way")
	return status
}

// draining is the status while pods drain: what is ready stays as it was.
func draining(thing *thingv1alpha1.Thing, victims []corev1.Pod) *thingv1alpha1.ThingStatus {
	status := begin(thing)
	status.Draining = &thingv1alpha1.DrainingStatus{Pods: drain.Names(victims), SinceGeneration: thing.Generation}
	set(thing, status, thingv1alpha1.ConditionProgressing, metav1.ConditionTrue, thingv1alpha1.ReasonDraining,
		fmt.Sprintf("%d pods drain before they are scaled in", len(victims)))
	return status
}

// begin copies the status and makes it speak about the current spec.
func begin(thing *thingv1alpha1.Thing) *thingv1alpha1.ThingStatus {
	status := thing.Status.DeepCopy()
	status.ObservedGeneration = thing.Generation
	status.Selector = selectorOf(thing)
	return status
}

// set sets a condition; its time changes only if its status does.
func set(thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus, kind string, value metav1.ConditionStatus, reason, message string) {
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: kind, Status: value, Reason: reason, Message: message, ObservedGeneration: thing.Generation,
	})
}

// rolledOut reports whether all pods of a Deployment run its current template and are available.
func rolledOut(deployment *appsv1.Deployment) bool {
	want := ptr.Deref(deployment.Spec.Replicas, 1)
	status := deployment.Status
	return deployment.Generation > 0 && status.ObservedGeneration >= deployment.Generation &&
		status.Replicas == want && status.UpdatedReplicas == want && status.AvailableReplicas == want
}

// stuckMessage says why the Deployment controller has given up a rollout, if it has.
func stuckMessage(deployment *appsv1.Deployment) string {
	for _, condition := range deployment.Status.Conditions {
		if condition.Type == appsv1.DeploymentProgressing && condition.Status == corev1.ConditionFalse {
			return condition.Message
		}
	}
	return ""
}

// reportRefusal makes a condition of something that trying again soon cannot mend, and an event when it is new.
func (r *ThingReconciler) reportRefusal(ctx context.Context, thing *thingv1alpha1.Thing, refusal error) error {
	status := refusedStatus(thing, refusal)
	before := meta.FindStatusCondition(thing.Status.Conditions, thingv1alpha1.ConditionDegraded)
	after := meta.FindStatusCondition(status.Conditions, thingv1alpha1.ConditionDegraded)
	if before == nil || before.Status != after.Status || before.Message != after.Message {
		r.Events.Eventf(thing, nil, corev1.EventTypeWarning, after.Reason, "Apply", "%s", after.Message)
	}
	return r.writeStatus(ctx, thing, status)
}

func refusedStatus(thing *thingv1alpha1.Thing, refusal error) *thingv1alpha1.ThingStatus {
	reason := thingv1alpha1.ReasonRefused
	if errors.Is(refusal, errNameTaken) {
		reason = thingv1alpha1.ReasonNameTaken
	}
	status := begin(thing)
	status.Draining = nil
	message := shortened(refusal.Error())
	set(thing, status, thingv1alpha1.ConditionReady, metav1.ConditionFalse, reason, message)
	set(thing, status, thingv1alpha1.ConditionProgressing, metav1.ConditionFalse, reason, message)
	set(thing, status, thingv1alpha1.ConditionDegraded, metav1.ConditionTrue, reason, message)
	return status
}

// shortened keeps a message of the API server's, which may quote whole objects, to what a condition may hold and a person
// reads.
func shortened(message string) string {
	const limit = 1000
	if len(message) <= limit {
		return message
	}
	return strings.ToValidUTF8(message[:limit], "") + "..."
}

// writeStatus applies the status if it differs from the one that the Thing has. The Thing's UID keeps it from a successor
// of the same name; a Thing that is gone needs no status.
func (r *ThingReconciler) writeStatus(ctx context.Context, thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus) error {
	if equality.Semantic.DeepEqual(&thing.Status, status) {
		return nil
	}
	config := thingv1alpha1ac.Thing(thing.Name, thing.Namespace).WithUID(thing.UID).WithStatus(statusConfig(status))
	err := r.Status().Apply(ctx, config, r.fieldOwner(), client.ForceOwnership)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	thing.Status = *status
	return nil
}

func statusConfig(status *thingv1alpha1.ThingStatus) *thingv1alpha1ac.ThingStatusApplyConfiguration {
	config := thingv1alpha1ac.ThingStatus().
		WithObservedGeneration(status.ObservedGeneration).
		WithSpecHash(status.SpecHash).
		WithReplicas(status.Replicas).
		WithReadyReplicas(status.ReadyReplicas).
		WithSelector(status.Selector)
	if status.Draining != nil {
		config.WithDraining(thingv1alpha1ac.DrainingStatus().
			WithPods(status.Draining.Pods...).
			WithSinceGeneration(status.Draining.SinceGeneration))
	}
	for _, condition := range status.Conditions {
		config.WithConditions(metav1ac.Condition().
			WithType(condition.Type).
			WithStatus(condition.Status).
			WithObservedGeneration(condition.ObservedGeneration).
			WithLastTransitionTime(condition.LastTransitionTime).
			WithReason(condition.Reason).
			WithMessage(condition.Message))
	}
	return config
}
