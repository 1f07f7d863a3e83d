package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/drain"
	"github.com/operatorvet/operatorvet/operator/internal/metrics"
	"github.com/operatorvet/operatorvet/operator/internal/preempt"
)

// errUncertain says that nobody knows whether the API server has carried out a scale-in.
var errUncertain = errors.New("the scale-in may or may not have happened")

const (
	// settleRetry is how soon a scale-in that the cluster is still carrying out is looked at again, should the events of
	// its pods not come first.
	settleRetry = time.Second

	// commitTimeout bounds the one request that carries out a scale-in. It runs on a context of its own: cut off in the
	// middle, it would leave open whether the pods go.
	commitTimeout = 700 * time.Millisecond

	// undoTimeout bounds the withdrawal of a drain. Together with commitTimeout it stays below the time in which the
	// manager must be down.
	undoTimeout = 700 * time.Millisecond

	// preemptedUndoTimeout bounds it where a new spec waits behind it; the next reconcile, which is queued already,
	// releases what is left over.
	preemptedUndoTimeout = 100 * time.Millisecond
)

// holdSize returns the size that the Deployment keeps until pods have drained, and whether any must.
func holdSize(thing *thingv1alpha1.Thing, deployment *appsv1.Deployment) (int32, bool) {
	size := ptr.Deref(deployment.Spec.Replicas, 0)
	return size, thing.Spec.Drain != nil && thing.Spec.Replicas != nil && *thing.Spec.Replicas < size
}

// orderPods scales in if asked to, and takes pods that stay off the exclusion list. It reports false while the cluster is
// still carrying out an earlier scale-in: which of the marked pods stay is not known until then.
func (r *ThingReconciler) orderPods(ctx context.Context, thing *thingv1alpha1.Thing, scaleIn bool) (settled bool, err error) {
	if !scaleIn {
		var cached corev1.PodList
		if err := r.List(ctx, &cached, podsOf(thing)...); err != nil {
			return false, err
		}
		if len(stillMarked(cached.Items)) == 0 {
			return true, nil
		}
	}

	// Who stays and who goes is decided on what the API server has, not on a cache that may lag behind our own writes.
	var deployment appsv1.Deployment
	if err := r.APIReader.Get(ctx, client.ObjectKeyFromObject(thing), &deployment); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.APIReader.List(ctx, &pods, podsOf(thing)...); err != nil {
		return false, err
	}
	active := slices.DeleteFunc(pods.Items, func(pod corev1.Pod) bool { return !drain.Active(&pod) })
	marked := stillMarked(active)
	if shrinking, err := r.shrinking(ctx, &deployment, marked); err != nil || shrinking {
		return false, err
	}

	_, scaleIn = holdSize(thing, &deployment)
	var victims []corev1.Pod
	if scaleIn {
		victims = drain.Choose(active, len(active)-int(*thing.Spec.Replicas))
	}
	staying := slices.DeleteFunc(marked, func(pod corev1.Pod) bool {
		return slices.ContainsFunc(victims, func(v corev1.Pod) bool { return v.UID == pod.UID })
	})
	err = r.Drainer.Release(ctx, staying)
	if scaleIn {
		err = errors.Join(err, r.scaleIn(ctx, thing, victims))
	}
	return err == nil && !scaleIn, err
}

// shrinking reports whether a ReplicaSet of the marked pods is about to delete pods.
func (r *ThingReconciler) shrinking(ctx context.Context, deployment *appsv1.Deployment, marked []corev1.Pod) (bool, error) {
	if len(marked) == 0 {
		return false, nil
	}
	if deployment.Status.ObservedGeneration < deployment.Generation {
		return true, nil
	}
	sets := make(map[string]bool)
	for i := range marked {
		if owner := metav1.GetControllerOf(&marked[i]); owner != nil {
			sets[owner.Name] = true
		}
	}
	for name := range sets {
		var set appsv1.ReplicaSet
		if err := r.APIReader.Get(ctx, client.ObjectKey{Namespace: deployment.Namespace, Name: name}, &set); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return false, err
		}
		if set.Status.ObservedGeneration < set.Generation || set.Status.Replicas > ptr.Deref(set.Spec.Replicas, 1) {
			return true, nil
		}
	}
	return false, nil
}

// scaleIn drains the victims and then makes the Deployment smaller. If it does not come to that, the victims stay, so they
// are told to serve again.
func (r *ThingReconciler) scaleIn(ctx context.Context, thing *thingv1alpha1.Thing, victims []corev1.Pod) (err error) {
	logger := log.FromContext(ctx).WithValues("pods", drain.Names(victims))
	result := metrics.Drained
	defer func() {
		if err == nil {
			r.Metrics.ScaledIn(result)
			return
		}
		r.Metrics.ScaledIn(failureOf(ctx))
		if errors.Is(err, errUncertain) {
			return // the pods may be going: the next reconcile sees which
		}
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeoutFor(ctx))
		defer cancel()
		logger.Info("Scale-in is interrupted; its pods stay", "reason", err.Error())
		if err := r.Drainer.Release(undo, victims); err != nil {
			logger.Error(err, "Not all pods could be told to stay; the next reconcile tries again")
		}
	}()

	if len(victims) > 0 {
		logger.Info("Draining pods")
		if err := r.Drainer.Mark(ctx, victims, thing.Generation, endpointOf(thing)); err != nil {
			return fmt.Errorf("marking pods: %w", err)
		}
		if err := r.writeStatus(ctx, thing, draining(thing, victims)); err != nil {
			return err
		}
		r.Events.Eventf(thing, nil, corev1.EventTypeNormal, "Draining", "ScaleIn", "Draining %s", drain.Join(victims))

		timeout := drainTimeout(thing)
		err := r.Drainer.Drain(ctx, victims, timeout)
		if errors.Is(err, drain.ErrTimedOut) {
			result = metrics.TimedOut
			r.Events.Eventf(thing, nil, corev1.EventTypeWarning, "DrainTimedOut", "ScaleIn", "Some of %s have not drained within %s; scaling in all the same", drain.Join(victims), timeout)
		} else if err != nil {
			return err
		}
	}
	return r.commit(ctx, thing)
}

// commit carries the scale-in out.
func (r *ThingReconciler) commit(ctx context.Context, thing *thingv1alpha1.Thing) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	commit, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	err := r.Apply(commit, render(thing).deployment, r.fieldOwner(), client.ForceOwnership)
	if err != nil && !refused(err) {
		return fmt.Errorf("%w: %w", errUncertain, err)
	}
	return err
}

// refused reports whether the API server certainly has not done what it was asked for.
func refused(err error) bool {
	return apierrors.IsConflict(err) || apierrors.IsTooManyRequests(err) || apierrors.IsNotFound(err) || refusalOf(err) != nil
}

// undoTimeoutFor is short where the next reconcile waits for this one to end.
func undoTimeoutFor(ctx context.Context) time.Duration {
	if preempt.FromContext(ctx) != nil {
		return preemptedUndoTimeout
	}
	return undoTimeout
}

func failureOf(ctx context.Context) metrics.DrainResult {
	if ctx.Err() != nil {
		return metrics.Interrupted
	}
	return metrics.Failed
}

func endpointOf(thing *thingv1alpha1.Thing) drain.Endpoint {
	return drain.Endpoint{Port: cmp.Or(thing.Spec.Drain.Port, thing.Spec.Port), Path: thing.Spec.Drain.Path}
}

func drainTimeout(thing *thingv1alpha1.Thing) time.Duration {
	if timeout := thing.Spec.Drain.Timeout; timeout != nil {
		return timeout.Duration
	}
	return time.Minute // the schema's default
}

func podsOf(thing *thingv1alpha1.Thing) []client.ListOption {
	return []client.ListOption{client.InNamespace(thing.Namespace), client.MatchingLabels(objectLabels(thing))}
}

// stillMarked returns the marked ones among pods that are not on their way out.
func stillMarked(pods []corev1.Pod) []corev1.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(pod corev1.Pod) bool { return !drain.Marked(&pod) || !drain.Active(&pod) })
}
