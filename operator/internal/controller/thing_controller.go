// Package controller reconciles Things.
//
// A reconcile goes one way: render the outputs from the spec, apply those that drifted, put the pods in order (scale-in),
// write the status if it differs. Nothing in it depends on when or how often it runs, so running it again writes nothing.
package controller

import (
	"context"
	"errors"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	thingv1alpha1 "github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/drain"
	"github.com/operatorvet/operatorvet/operator/internal/metrics"
	"github.com/operatorvet/operatorvet/operator/preempt"
)

const (
	// Name is the controller's, in logs, metrics and events.
	Name = "thing"
	// FieldManager is the one manager of all fields that the operator writes.
	FieldManager = "thing-operator"
	// Finalizer keeps a Thing whose pods are asked to drain until they are told to stay.
	Finalizer = "thing.example.com/draining"

	// refusedRetry is how often something that the API server refuses is tried again: what stands in the way (a quota,
	// an admission policy, an object of somebody else) may go without an event that we see.
	refusedRetry = time.Minute
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	// Client reads from the cache and writes to the API server.
	client.Client
	// APIReader reads from the API server, where a decision must not rest on a cache that lags behind.
	APIReader client.Reader
	Drainer   *drain.Drainer
	Events    events.EventRecorder
	Metrics   *metrics.Metrics

	guard *preempt.Guard[*thingv1alpha1.Thing] // set up with the manager
}

// +kubebuilder:rbac:groups=thing.example.com,resources=things,verbs=list;watch;patch
// +kubebuilder:rbac:groups=thing.example.com,resources=things/status,verbs=patch
// +kubebuilder:rbac:groups="",resources=configmaps;services,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups=apps,resources=replicasets,verbs=list
// +kubebuilder:rbac:groups="",resources=pods,verbs=list;watch;patch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// SetupWithManager starts watching Things and all that they are rendered into. No predicate keeps a change of an output
// from the reconciler: a ConfigMap has no generation, and a Deployment's status matters.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager, concurrency int) error {
	r.guard = preempt.New[*thingv1alpha1.Thing](mgr.GetClient(), r.Metrics.Preempted)
	return ctrl.NewControllerManagedBy(mgr).
		Named(Name).
		For(&thingv1alpha1.Thing{}).
		Watches(&thingv1alpha1.Thing{}, r.guard.EventHandler()).
		Owns(&corev1.ConfigMap{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Watches(&corev1.Pod{}, handler.EnqueueRequestsFromMapFunc(thingOfPod), builder.WithPredicates(markedPods())).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: concurrency,
			RateLimiter:             workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](10*time.Millisecond, 30*time.Second),
		}).
		Complete(r)
}

// thingOfPod names the Thing that a pod belongs to.
func thingOfPod(_ context.Context, pod client.Object) []reconcile.Request {
	name := pod.GetLabels()[instanceLabel]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: pod.GetNamespace(), Name: name}}}
}

// markedPods passes events of pods that are, or were until now, on the exclusion list. Other pods concern the Deployment,
// whose status tells about them.
func markedPods() predicate.Predicate {
	marked := func(object client.Object) bool {
		pod, ok := object.(*corev1.Pod)
		return ok && drain.Marked(pod)
	}
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return marked(e.Object) },
		UpdateFunc:  func(e event.UpdateEvent) bool { return marked(e.ObjectOld) || marked(e.ObjectNew) },
		DeleteFunc:  func(e event.DeleteEvent) bool { return marked(e.Object) },
		GenericFunc: func(e event.GenericEvent) bool { return marked(e.Object) },
	}
}

// Reconcile reconciles one Thing. A newer spec pre-empts it.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.guard.Reconcile(ctx, req, r.reconcile)
}

// reconcile brings the cluster one step nearer to the Thing's spec, and the Thing's status to what the cluster shows. What
// fails is told in the status and does not keep the rest from being done.
func (r *ThingReconciler) reconcile(ctx context.Context, thing *thingv1alpha1.Thing) (ctrl.Result, error) {
	if thing.DeletionTimestamp != nil {
		return r.letGo(ctx, thing)
	}
	if thing.Spec.Paused {
		return ctrl.Result{}, r.lookOn(ctx, thing)
	}
	ctx = log.IntoContext(ctx, log.FromContext(ctx).WithValues("generation", thing.Generation))

	desired := render(thing)
	hash, err := desired.hash()
	if err != nil {
		return ctrl.Result{}, err
	}
	deployment, changed, err := r.apply(ctx, thing, desired)
	if apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return ctrl.Result{}, nil // the Thing is about to go, too
	}
	r.recordRepairs(thing, hash, changed)
	pods, podsErr := r.orderPods(ctx, thing, deployment)
	err = errors.Join(err, podsErr)
	if ctx.Err() != nil {
		return ctrl.Result{}, context.Cause(ctx) // what failed has failed because of that
	}

	status := statusOf(thing, deployment, pods, err)
	if refusalOf(err) != nil { // the status tells
		r.recordRefusal(thing, status)
		pods.again, err = sooner(pods.again, refusedRetry), nil
	} else if err == nil {
		status.SpecHash = hash
	}
	if err := errors.Join(err, r.writeStatus(ctx, thing, status)); err != nil {
		return ctrl.Result{}, err // which is tried again, too
	}
	return ctrl.Result{RequeueAfter: pods.again}, nil
}

// lookOn keeps the status of a paused Thing current, and does nothing else.
func (r *ThingReconciler) lookOn(ctx context.Context, thing *thingv1alpha1.Thing) error {
	var deployment appsv1.Deployment
	if _, err := find(ctx, r, r.Client, thing, &deployment); err != nil && !errors.Is(err, errNameTaken) && !errors.Is(err, errGoing) {
		return err
	}
	status := statusOf(thing, &deployment, podOrder{}, nil)
	status.Draining = thing.Status.Draining
	return r.writeStatus(ctx, thing, status)
}

// recordRepairs tells the user of outputs that were written although the spec has not changed.
func (r *ThingReconciler) recordRepairs(thing *thingv1alpha1.Thing, hash string, changed changes) {
	if thing.Status.SpecHash != hash {
		return
	}
	for _, output := range []client.Object{&corev1.ConfigMap{}, &appsv1.Deployment{}, &corev1.Service{}} {
		output.SetNamespace(thing.Namespace)
		output.SetName(thing.Name)
		switch kind := kindOf(output); changed[kind] { // naming the output keeps it an event of its own
		case created:
			r.Events.Eventf(thing, output, corev1.EventTypeNormal, "Repaired", "Repair", "%s %s was missing; made again", kind, thing.Name)
		case updated:
			r.Events.Eventf(thing, output, corev1.EventTypeNormal, "Repaired", "Repair", "%s %s had been changed; restored", kind, thing.Name)
		}
	}
}

func (r *ThingReconciler) fieldOwner() client.FieldOwner { return FieldManager }

// refusalOf returns the part of err that trying again soon cannot mend, or nil.
func refusalOf(err error) error {
	switch {
	case errors.Is(err, errNameTaken):
		return err
	case apierrors.IsInvalid(err), apierrors.IsForbidden(err), apierrors.IsBadRequest(err), apierrors.IsRequestEntityTooLargeError(err):
		return err
	default:
		return nil
	}
}
