// Package preempt stops a reconcile whose plan is out of date.
//
// controller-runtime runs one reconcile per object at a time. While one runs, events for its object only mark the
// queue: the running reconcile is not told, and the next one starts when it has ended. A reconcile that waits (for pods
// to drain, for a backup, for another system) thus holds up the very change that makes its wait pointless.
//
// [Reconciler] wraps a reconciler and cancels the context of a running reconcile when the watch shows a newer generation
// of its object, or its deletion. Nothing else cancels it: changes of status, labels or annotations leave the generation
// alone. The queue then runs the next reconcile, which sees the new spec:
//
//	r := preempt.New(mgr.GetClient(), &ThingReconciler{...})
//	ctrl.NewControllerManagedBy(mgr).
//		For(&v1alpha1.Thing{}).
//		Watches(&v1alpha1.Thing{}, r.EventHandler()).
//		Complete(r)
//
// The wrapped reconciler owes two things. Whatever in it waits must end when the context is done; and whatever must be
// undone then runs on a context of its own, made with [context.WithoutCancel] and a timeout, because the reconcile's is
// dead. [FromContext] tells a pre-emption from a shutdown.
package preempt

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Cause is why a reconcile was pre-empted; it is the [context.Cause] of the reconcile's context.
type Cause struct {
	// Generation is the generation that the reconcile was working on.
	Generation int64
	// Newer is the generation that superseded it, or 0 if the object is gone.
	Newer int64
	// Deleted says that the object is gone or being deleted.
	Deleted bool
}

func (c *Cause) Error() string {
	if c.Deleted {
		return fmt.Sprintf("pre-empted: generation %d is being deleted", c.Generation)
	}
	return fmt.Sprintf("pre-empted: generation %d is superseded by %d", c.Generation, c.Newer)
}

// FromContext returns why ctx was pre-empted, or nil if it was not.
func FromContext(ctx context.Context) *Cause {
	var cause *Cause
	if !errors.As(context.Cause(ctx), &cause) {
		return nil
	}
	return cause
}

// Reconciler runs a reconciler so that a newer generation of the object pre-empts it. Make it with [New].
type Reconciler[T client.Object] struct {
	reader    client.Reader
	inner     reconcile.ObjectReconciler[T]
	preempted func(*Cause)

	mu      sync.Mutex
	running map[types.NamespacedName]*run
}

// run is one reconcile. Events may come before it has read its object: they wait in early until
// the plan is known.
type run struct {
	cancel context.CancelCauseFunc
	plan   *version
	early  []version
}

// version is as much of an object as decides whether a plan is out of date.
type version struct {
	uid        types.UID
	generation int64
	deleted    bool
}

// New wraps inner. The reader must be the manager's cached one: the order of its contents and of the watch's events is
// what makes sure that no generation is missed. preempted, which may be nil, is told of each pre-emption.
func New[T client.Object](reader client.Reader, inner reconcile.ObjectReconciler[T], preempted func(*Cause)) *Reconciler[T] {
	return &Reconciler[T]{
		reader:    reader,
		inner:     inner,
		preempted: preempted,
		running:   make(map[types.NamespacedName]*run),
	}
}

// Reconcile reads the object and hands it to the wrapped reconciler. An object that is gone needs no reconcile. What a
// pre-empted reconcile returns is about a plan that nobody wants any more, so it neither counts as a failure nor delays
// the next one.
func (r *Reconciler[T]) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	// Known before the object is read: whatever the watch shows from here on is compared with it.
	r.begin(req.NamespacedName, cancel)
	defer r.end(req.NamespacedName)

	object := reflect.New(reflect.TypeFor[T]().Elem()).Interface().(T)
	if err := r.reader.Get(ctx, req.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	r.follow(req.NamespacedName, object)

	result, err := r.inner.Reconcile(ctx, object)
	if cause := FromContext(ctx); cause != nil {
		log.FromContext(ctx).Info("Reconcile was pre-empted", "generation", cause.Generation, "newer", cause.Newer, "deleted", cause.Deleted, "outcome", err)
		if r.preempted != nil {
			r.preempted(cause)
		}
		return reconcile.Result{}, nil // the event that pre-empted it has queued the next one
	}
	return result, err
}

// EventHandler watches for newer generations. Give it to the builder's Watches, for the kind that For names.
func (r *Reconciler[T]) EventHandler() handler.EventHandler {
	return handler.Funcs{
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			seen := versionOf(e.ObjectNew)
			if e.ObjectOld.GetUID() != seen.uid { // deleted and made again while the watch was interrupted
				seen = version{uid: e.ObjectOld.GetUID(), deleted: true}
			}
			r.observe(e.ObjectNew, seen, queue)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			r.observe(e.Object, version{uid: e.Object.GetUID(), deleted: true}, queue)
		},
	}
}

// observe cancels the reconcile of the object if what was seen puts its plan out of date. It also queues the object, so
// that the next reconcile comes even if a predicate keeps For from seeing this event.
func (r *Reconciler[T]) observe(object client.Object, seen version, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	key := client.ObjectKeyFromObject(object)

	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.running[key]
	switch {
	case run == nil:
		return // the next reconcile reads what was seen
	case run.plan == nil:
		run.early = append(run.early, seen)
	case seen.supersedes(*run.plan):
		run.cancel(seen.causeFor(*run.plan))
	default:
		return // a change of status, or a version that the reconcile has read already
	}
	queue.Add(reconcile.Request{NamespacedName: key})
}

func (r *Reconciler[T]) begin(key types.NamespacedName, cancel context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running[key] = &run{cancel: cancel}
}

// follow fixes the version that the reconcile works on, and looks at what was seen meanwhile.
func (r *Reconciler[T]) follow(key types.NamespacedName, object client.Object) {
	plan := versionOf(object)

	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.running[key]
	run.plan = &plan
	if i := slices.IndexFunc(run.early, func(seen version) bool { return seen.supersedes(plan) }); i >= 0 {
		run.cancel(run.early[i].causeFor(plan))
	}
	run.early = nil
}

func (r *Reconciler[T]) end(key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, key)
}

func versionOf(object client.Object) version {
	return version{uid: object.GetUID(), generation: object.GetGeneration(), deleted: object.GetDeletionTimestamp() != nil}
}

// supersedes reports whether v puts plan out of date. Only versions of one and the same object are compared: a late
// event of a predecessor with the same name says nothing about its successor.
func (v version) supersedes(plan version) bool {
	return v.uid == plan.uid && (v.generation > plan.generation || v.deleted && !plan.deleted)
}

func (v version) causeFor(plan version) *Cause {
	return &Cause{Generation: plan.generation, Newer: v.generation, Deleted: v.deleted && !plan.deleted}
}
