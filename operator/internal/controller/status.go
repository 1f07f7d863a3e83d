package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

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

// statusOf is what a Thing's Deployment and pods show.
func statusOf(thing *thingv1alpha1.Thing, deployment *appsv1.Deployment, pods podOrder) *thingv1alpha1.ThingStatus {
	status := thing.Status.DeepCopy()
	status.ObservedGeneration = thing.Generation
	status.Selector = selectorOf(thing)
	status.Replicas = deployment.Status.Replicas
	status.ReadyReplicas = deployment.Status.ReadyReplicas
	status.Draining = drainingStatus(thing, pods.victims)

	stuck, excess := stuckMessage(deployment), excess(thing, deployment)
	switch {
	case rolledOut(deployment):
		set(thing, status, thingv1alpha1.ConditionReady, metav1.ConditionTrue, thingv1alpha1.ReasonAvailable, "All pods run the spec and are available")
		set(thing, status, thingv1alpha1.ConditionReconciling, metav1.ConditionFalse, thingv1alpha1.ReasonAvailable, "The spec is in place")
	case stuck != "":
		stall(thing, status, thingv1alpha1.ReasonRolloutStuck, stuck)
		return status
	default:
		message := fmt.Sprintf("%d of %d pods are available", deployment.Status.AvailableReplicas, ptr.Deref(thing.Spec.Replicas, ptr.Deref(deployment.Spec.Replicas, 1)))
		set(thing, status, thingv1alpha1.ConditionReady, metav1.ConditionFalse, thingv1alpha1.ReasonRollingOut, message)
		set(thing, status, thingv1alpha1.ConditionReconciling, metav1.ConditionTrue, thingv1alpha1.ReasonRollingOut, message)
	}
	set(thing, status, thingv1alpha1.ConditionStalled, metav1.ConditionFalse, thingv1alpha1.ReasonAsExpected, "Nothing stands in the way")
	switch {
	case len(pods.untold) > 0:
		retry(thing, status, "Pods that stay could not be told to serve again: "+drain.Join(pods.untold))
	case excess > 0 && !rolling(deployment):
		set(thing, status, thingv1alpha1.ConditionReconciling, metav1.ConditionTrue, thingv1alpha1.ReasonDraining,
			fmt.Sprintf("%d pods drain before they are scaled in", excess))
	}
	return status
}

// drainingStatus tells of pods that drain what their marks say.
func drainingStatus(thing *thingv1alpha1.Thing, victims []corev1.Pod) *thingv1alpha1.DrainingStatus {
	if len(victims) == 0 {
		return nil
	}
	status := &thingv1alpha1.DrainingStatus{Pods: drain.Names(victims), SinceGeneration: thing.Generation, Until: &metav1.Time{}}
	for i := range victims {
		mark, _ := drain.MarkOf(&victims[i])
		status.SinceGeneration = min(status.SinceGeneration, mark.Generation)
		if until := mark.Since.Add(drainTimeout(thing)).Truncate(time.Second); until.After(status.Until.Time) {
			status.Until.Time = until
		}
	}
	return status
}

// stall says that something stands in the way that does not go away by itself.
func stall(thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus, reason, message string) {
	set(thing, status, thingv1alpha1.ConditionReady, metav1.ConditionFalse, reason, message)
	set(thing, status, thingv1alpha1.ConditionReconciling, metav1.ConditionFalse, reason, message)
	set(thing, status, thingv1alpha1.ConditionStalled, metav1.ConditionTrue, reason, message)
}

// retry says that something has failed and is tried again. The message must not differ from one attempt to the next: each
// new one would be written, and what is written makes the next attempt come at once.
func retry(thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus, message string) {
	set(thing, status, thingv1alpha1.ConditionReconciling, metav1.ConditionTrue, thingv1alpha1.ReasonRetrying, message)
}

// refuse says that something has failed that trying again soon cannot mend.
func refuse(thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus, refusal error) {
	reason := thingv1alpha1.ReasonRefused
	if errors.Is(refusal, errNameTaken) {
		reason = thingv1alpha1.ReasonNameTaken
	}
	stall(thing, status, reason, shortened(refusal.Error()))
}

// set sets a condition; its time changes only if its status does.
func set(thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus, kind string, value metav1.ConditionStatus, reason, message string) {
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: kind, Status: value, Reason: reason, Message: message, ObservedGeneration: thing.Generation,
	})
}

// observed reports whether what a Deployment's status says is about its spec.
func observed(deployment *appsv1.Deployment) bool {
	return deployment.Generation > 0 && deployment.Status.ObservedGeneration >= deployment.Generation
}

// rolling reports whether a Deployment still has pods of an older template, or may have.
func rolling(deployment *appsv1.Deployment) bool {
	return !observed(deployment) || deployment.Status.UpdatedReplicas != deployment.Status.Replicas
}

// halted reports whether a rollout does not go on by itself.
func halted(deployment *appsv1.Deployment) bool {
	return deployment.Spec.Paused || stuckMessage(deployment) != ""
}

// rolledOut reports whether all pods of a Deployment run its current template and are available.
func rolledOut(deployment *appsv1.Deployment) bool {
	want, status := ptr.Deref(deployment.Spec.Replicas, 1), deployment.Status
	return observed(deployment) && status.Replicas == want && status.UpdatedReplicas == want && status.AvailableReplicas == want
}

// stuckMessage says why the Deployment controller has given up a rollout, if it has.
func stuckMessage(deployment *appsv1.Deployment) string {
	for _, condition := range deployment.Status.Conditions {
		if observed(deployment) && condition.Type == appsv1.DeploymentProgressing && condition.Status == corev1.ConditionFalse {
			return condition.Message
		}
	}
	return ""
}

// recordRefusal tells the user of a refusal that is new.
func (r *ThingReconciler) recordRefusal(thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus) {
	before := meta.FindStatusCondition(thing.Status.Conditions, thingv1alpha1.ConditionStalled)
	after := meta.FindStatusCondition(status.Conditions, thingv1alpha1.ConditionStalled)
	if before == nil || before.Status != after.Status || before.Message != after.Message {
		r.Events.Eventf(thing, nil, corev1.EventTypeWarning, after.Reason, "Apply", "%s", after.Message)
	}
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
			WithSinceGeneration(status.Draining.SinceGeneration).
			WithUntil(*status.Draining.Until))
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
