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

// statusOf is what a Thing's Deployment and pods show, and what has failed.
func statusOf(thing *thingv1alpha1.Thing, deployment *appsv1.Deployment, pods podOrder, failure error) *thingv1alpha1.ThingStatus {
	status := thing.Status.DeepCopy()
	status.ObservedGeneration = thing.Generation
	status.Selector = selectorOf(thing)
	status.Replicas = deployment.Status.Replicas
	status.ReadyReplicas = deployment.Status.ReadyReplicas
	status.Draining = drainingStatus(thing, pods.victims)
	judge(thing, deployment, pods, failure).set(thing, status)
	return status
}

// condition is what a condition says.
type condition struct {
	status          metav1.ConditionStatus
	reason, message string
}

func yes(reason, message string) condition { return condition{metav1.ConditionTrue, reason, message} }
func no(reason, message string) condition  { return condition{metav1.ConditionFalse, reason, message} }

// verdict is what the conditions say.
type verdict struct{ ready, reconciling, stalled condition }

// judge decides what the conditions say. No message may differ from one attempt to the next: each new one would be written,
// and what is written makes the next attempt come at once.
func judge(thing *thingv1alpha1.Thing, deployment *appsv1.Deployment, pods podOrder, failure error) (v verdict) {
	v.stalled = no(thingv1alpha1.ReasonAsExpected, "Nothing stands in the way")
	stuck, excess, refusal := stuckMessage(deployment), excess(thing, deployment), refusalOf(failure)
	switch {
	case thing.Spec.Paused:
		const message = "While spec.paused is true, nothing is compared with the spec or changed"
		v.ready = condition{metav1.ConditionUnknown, thingv1alpha1.ReasonPaused, message}
		v.reconciling = no(thingv1alpha1.ReasonPaused, message)
		return v
	case errors.Is(refusal, errNameTaken):
		return stalledBy(thingv1alpha1.ReasonNameTaken, shortened(refusal.Error()))
	case refusal != nil:
		return stalledBy(thingv1alpha1.ReasonRefused, shortened(refusal.Error()))
	case rolledOut(deployment):
		v.ready = yes(thingv1alpha1.ReasonAvailable, "All pods run the spec and are available")
		v.reconciling = no(thingv1alpha1.ReasonAvailable, "The spec is in place")
	case stuck != "":
		return stalledBy(thingv1alpha1.ReasonRolloutStuck, stuck)
	default:
		message := fmt.Sprintf("%d of %d pods are available", deployment.Status.AvailableReplicas, ptr.Deref(thing.Spec.Replicas, ptr.Deref(deployment.Spec.Replicas, 1)))
		v.ready, v.reconciling = no(thingv1alpha1.ReasonRollingOut, message), yes(thingv1alpha1.ReasonRollingOut, message)
	}
	switch {
	case failure != nil:
		v.reconciling = yes(thingv1alpha1.ReasonRetrying, "Something has failed, of which the operator's log tells")
	case len(pods.untold) > 0:
		v.reconciling = yes(thingv1alpha1.ReasonRetrying, "Pods that stay could not be told to serve again: "+drain.Join(pods.untold))
	case excess > 0 && !rolling(deployment):
		v.reconciling = yes(thingv1alpha1.ReasonDraining, fmt.Sprintf("%d pods drain before they are scaled in", excess))
	}
	return v
}

// stalledBy says that something stands in the way that does not go away by itself.
func stalledBy(reason, message string) verdict {
	return verdict{ready: no(reason, message), reconciling: no(reason, message), stalled: yes(reason, message)}
}

// set sets each condition once: one that is set to something else in between gets a new time with each reconcile. As it is,
// its time changes only if its status does.
func (v verdict) set(thing *thingv1alpha1.Thing, status *thingv1alpha1.ThingStatus) {
	set := func(kind string, c condition) {
		meta.SetStatusCondition(&status.Conditions, metav1.Condition{
			Type: kind, Status: c.status, Reason: c.reason, Message: c.message, ObservedGeneration: thing.Generation,
		})
	}
	set(thingv1alpha1.ConditionReady, v.ready)
	set(thingv1alpha1.ConditionReconciling, v.reconciling)
	set(thingv1alpha1.ConditionStalled, v.stalled)
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
