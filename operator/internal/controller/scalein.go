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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	thingv1alpha1ac "github.com/operatorvet/operatorvet/operator/api/v1alpha1/applyconfiguration/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/drain"
	"github.com/operatorvet/operatorvet/operator/internal/metrics"
)

// A scale-in waits for pods, and no reconcile waits with it. Which pods drain, and since when, is in the cluster: in their
// marks. Each reconcile looks at these and at the spec, takes the step that comes next, and says when to look again. So a
// drain holds up nothing, a newer spec goes on from what it finds, and the next process does, too.

const (
	// askPauseMin and askPauseMax bound the pause between two questions to a pod that drains. It grows with the time that
	// the pod has been draining.
	askPauseMin = 50 * time.Millisecond
	askPauseMax = 2 * time.Second

	// settleRetry is how soon a scale-in that the cluster is still carrying out is looked at again, should the events of
	// its pods not come first.
	settleRetry = time.Second

	// releaseRetry is how soon pods that could not be told to serve again are told once more.
	releaseRetry = 2 * time.Second

	// releasePatience is how long the deletion of a Thing waits until all of its pods are told.
	releasePatience = 10 * time.Second

	// commitTimeout bounds the one request that carries out a scale-in. It runs on a context of its own: cut off in the
	// middle, it would leave open whether the pods go.
	commitTimeout = 700 * time.Millisecond
)

// podOrder is how far the pods are from what the spec wants of them.
type podOrder struct {
	victims []corev1.Pod  // go, and have not all drained
	overdue []corev1.Pod  // those of them that have had their time
	untold  []corev1.Pod  // stay, and could not be told so
	again   time.Duration // when to look again if nothing happens before; 0 is never
}

// excess is how many pods have to drain before the Deployment may have the size of the spec.
//
// What a rollout replaces is not drained, and while it goes on nobody can tell which pods the Deployment takes. So a
// scale-in waits for its end; if it does not end by itself, there is no draining.
func excess(thing *thingv1alpha1.Thing, deployment *appsv1.Deployment) int {
	if thing.Spec.Drain == nil || thing.Spec.Replicas == nil || observed(deployment) && rolling(deployment) && halted(deployment) {
		return 0
	}
	return max(0, int(ptr.Deref(deployment.Spec.Replicas, 0)-*thing.Spec.Replicas))
}

// orderPods drains pods that are to go, and lets the Deployment become smaller when they have. It tells pods to serve again
// that were asked to drain and stay. What it learns about the Deployment on the way is in the Deployment then.
func (r *ThingReconciler) orderPods(ctx context.Context, thing *thingv1alpha1.Thing, deployment *appsv1.Deployment) (podOrder, error) {
	var cached corev1.PodList
	if err := r.List(ctx, &cached, labelled(thing)...); err != nil {
		return podOrder{}, err
	}
	marked, held := markedOf(cached.Items), controllerutil.ContainsFinalizer(thing, Finalizer)
	excess := excess(thing, deployment)
	if excess == 0 && len(marked) == 0 && !held {
		return podOrder{}, nil
	}
	if excess > 0 && excess == len(marked) && held && !rolling(deployment) { // nothing has changed since they were chosen
		if order := r.ask(ctx, thing, marked); order.again > 0 {
			return order, nil
		}
	}
	return r.decide(ctx, thing, deployment)
}

// decide chooses who goes and who stays, by what the API server has: a cache may lag behind our own writes.
func (r *ThingReconciler) decide(ctx context.Context, thing *thingv1alpha1.Thing, deployment *appsv1.Deployment) (podOrder, error) {
	if exists, err := find(ctx, r, r.APIReader, thing, deployment); err != nil || !exists {
		return podOrder{}, err
	}
	pods, settled, err := r.podsOf(ctx, thing, deployment)
	if err != nil || !settled { // who of the marked pods stays is not known yet
		return podOrder{again: settleRetry}, err
	}
	excess := excess(thing, deployment)
	var victims []corev1.Pod
	if excess > 0 && !rolling(deployment) {
		victims = drain.Choose(pods, len(pods)-int(*thing.Spec.Replicas))
	}

	var order podOrder
	untold := r.release(ctx, markedOf(without(pods, victims)))
	switch {
	case excess == 0 && len(untold) == 0:
		err = r.holdThing(ctx, thing, false)
	case excess > 0 && !rolling(deployment): // else the end of the rollout is an event
		order, err = r.scaleIn(ctx, thing, deployment, victims)
	}
	if len(untold) > 0 {
		order.untold, order.again = untold, sooner(order.again, releaseRetry)
	}
	return order, err
}

// scaleIn takes a scale-in one step further: the pods that go are asked to drain, and when all have, or have had their time,
// the Deployment becomes smaller.
func (r *ThingReconciler) scaleIn(ctx context.Context, thing *thingv1alpha1.Thing, deployment *appsv1.Deployment, victims []corev1.Pod) (order podOrder, err error) {
	if len(victims) > 0 { // else they are gone by themselves
		if err := r.beginDrain(ctx, thing, victims); err != nil {
			return podOrder{}, err
		}
		if order = r.ask(ctx, thing, victims); order.again > 0 {
			return order, nil
		}
	}
	if err := r.commit(ctx, thing, deployment); err != nil {
		return order, err
	}
	if len(order.overdue) > 0 {
		r.Events.Eventf(thing, nil, corev1.EventTypeWarning, "DrainTimedOut", "ScaleIn", "Scaled in %s, which have not drained within %s", drain.Join(order.overdue), drainTimeout(thing))
		r.Metrics.ScaledIn(metrics.TimedOut)
	} else if len(victims) > 0 {
		r.Metrics.ScaledIn(metrics.Drained)
	}
	return podOrder{again: settleRetry}, nil
}

// beginDrain marks the pods that are not marked yet, and asks them to drain.
func (r *ThingReconciler) beginDrain(ctx context.Context, thing *thingv1alpha1.Thing, victims []corev1.Pod) error {
	if err := r.holdThing(ctx, thing, true); err != nil {
		return err
	}
	fresh := slices.DeleteFunc(slices.Clone(victims), func(pod corev1.Pod) bool {
		_, known := drain.MarkOf(&pod)
		return known
	})
	if len(fresh) == 0 {
		return nil
	}
	log.FromContext(ctx).Info("Draining pods", "pods", drain.Names(fresh))
	mark := drain.Mark{Generation: thing.Generation, Since: time.Now().UTC(), Endpoint: endpointOf(thing)}
	if err := r.Drainer.Begin(ctx, fresh, mark); err != nil {
		return err
	}
	r.Events.Eventf(thing, nil, corev1.EventTypeNormal, "Draining", "ScaleIn", "Draining %s", drain.Join(fresh))
	return nil
}

// ask asks marked pods whether they have drained. What it returns has a time to look again unless all have, or have had
// their time.
func (r *ThingReconciler) ask(ctx context.Context, thing *thingv1alpha1.Thing, victims []corev1.Pod) podOrder {
	order := podOrder{victims: victims}
	for _, pod := range r.Drainer.Ask(ctx, victims) {
		mark, _ := drain.MarkOf(&pod)
		elapsed := time.Since(mark.Since)
		if left := drainTimeout(thing) - elapsed; left > 0 {
			order.again = sooner(order.again, min(left, max(askPauseMin, min(elapsed, askPauseMax))))
		} else {
			order.overdue = append(order.overdue, pod)
		}
	}
	return order
}

// commit carries the scale-in out.
func (r *ThingReconciler) commit(ctx context.Context, thing *thingv1alpha1.Thing, deployment *appsv1.Deployment) error {
	if ctx.Err() != nil {
		return context.Cause(ctx) // that pods do not answer means nothing then
	}
	commit, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	smaller := render(thing).deployment
	if err := r.Apply(commit, smaller, r.fieldOwner(), client.ForceOwnership); err != nil {
		return fmt.Errorf("scaling in: %w", err)
	}
	applied(deployment, smaller)
	return nil
}

// release tells pods that stay to serve again, and returns those that could not be told.
func (r *ThingReconciler) release(ctx context.Context, staying []corev1.Pod) (untold []corev1.Pod) {
	if len(staying) == 0 {
		return nil
	}
	log.FromContext(ctx).Info("Pods stay that were to drain", "pods", drain.Names(staying))
	untold, err := r.Drainer.Release(ctx, staying)
	if err != nil {
		log.FromContext(ctx).Error(err, "Not all pods could be told to stay; they are told again")
	} else {
		r.Metrics.ScaledIn(metrics.Interrupted)
	}
	return untold
}

// letGo takes back what the pods of a deleted Thing were asked for. With kubectl delete --cascade=orphan, or if the Thing is
// made again at once, they stay. Pods that cannot be told do not keep the Thing for ever.
func (r *ThingReconciler) letGo(ctx context.Context, thing *thingv1alpha1.Thing) (reconcile.Result, error) {
	if !controllerutil.ContainsFinalizer(thing, Finalizer) {
		return reconcile.Result{}, nil // the garbage collector takes what the Thing owns
	}
	var deployment appsv1.Deployment
	_, err := find(ctx, r, r.APIReader, thing, &deployment)
	if err != nil && !errors.Is(err, errNameTaken) && !errors.Is(err, errGoing) {
		return reconcile.Result{}, err
	}
	pods, _, err := r.podsOf(ctx, thing, &deployment)
	if err != nil {
		return reconcile.Result{}, err
	}
	if untold := r.release(ctx, markedOf(pods)); len(untold) > 0 {
		if time.Since(thing.DeletionTimestamp.Time) < releasePatience {
			return reconcile.Result{RequeueAfter: releaseRetry}, nil
		}
		if err := r.Drainer.Forget(ctx, untold); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, r.holdThing(ctx, thing, false)
}

// holdThing adds the finalizer that keeps a Thing while pods of it are marked, or takes it off. A Thing whose pods do not
// drain has none, and can be deleted without the operator.
func (r *ThingReconciler) holdThing(ctx context.Context, thing *thingv1alpha1.Thing, hold bool) error {
	if controllerutil.ContainsFinalizer(thing, Finalizer) == hold {
		return nil
	}
	config := thingv1alpha1ac.Thing(thing.Name, thing.Namespace).WithUID(thing.UID) // of no successor of the same name
	if hold {
		config.WithFinalizers(Finalizer)
	}
	return r.Apply(ctx, config, r.fieldOwner(), client.ForceOwnership)
}

// podsOf returns the pods that count for a Deployment, which is told by their owners: anybody may give a pod our labels. It
// reports false while the cluster is still carrying out an earlier scale-in of a marked pod's ReplicaSet.
func (r *ThingReconciler) podsOf(ctx context.Context, thing *thingv1alpha1.Thing, deployment *appsv1.Deployment) (pods []corev1.Pod, settled bool, err error) {
	ours := labelled(thing)
	var all corev1.PodList
	var sets appsv1.ReplicaSetList
	if err := errors.Join(r.APIReader.List(ctx, &all, ours...), r.APIReader.List(ctx, &sets, ours...)); err != nil {
		return nil, false, err
	}
	owned := make(map[types.UID]*appsv1.ReplicaSet)
	for i := range sets.Items {
		if metav1.IsControlledBy(&sets.Items[i], deployment) {
			owned[sets.Items[i].UID] = &sets.Items[i]
		}
	}
	settled = true
	for _, pod := range all.Items {
		owner := metav1.GetControllerOf(&pod)
		if owner == nil || owned[owner.UID] == nil || !drain.Active(&pod) {
			continue
		}
		pods = append(pods, pod)
		set := owned[owner.UID]
		shrinks := set.Status.ObservedGeneration < set.Generation || set.Status.Replicas > ptr.Deref(set.Spec.Replicas, 1)
		settled = settled && !(drain.Marked(&pod) && (shrinks || !observed(deployment)))
	}
	return pods, settled, nil
}

func labelled(thing *thingv1alpha1.Thing) []client.ListOption {
	return []client.ListOption{client.InNamespace(thing.Namespace), client.MatchingLabels(objectLabels(thing))}
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

// markedOf returns the marked ones among pods that are not on their way out.
func markedOf(pods []corev1.Pod) []corev1.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(pod corev1.Pod) bool { return !drain.Marked(&pod) || !drain.Active(&pod) })
}

// without returns the pods that are not among others.
func without(pods, others []corev1.Pod) []corev1.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(pod corev1.Pod) bool {
		return slices.ContainsFunc(others, func(other corev1.Pod) bool { return other.UID == pod.UID })
	})
}

// sooner returns the shorter of two pauses, of which 0 is for ever.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
