// Package preempt stops a reconcile whose plan is out of date.
//
// controller-runtime runs one reconcile per object at a time. While one runs, events for its object only mark the
// queue: the running reconcile is not told, and the next one starts when it has ended. A reconcile that waits (for pods
// to drain, for a backup, for another system) thus holds up the very change that makes its wait pointless.
//
// A [Guard] runs a reconcile and cancels its context when the watch shows a newer generation of its object, or its
// deletion. Nothing else cancels it: changes of status, labels or annotations leave the generation alone. The queue then
// runs the next reconcile, which sees the new spec. The example shows how a controller is built with it.
//
// The guarded reconcile owes two things. Whatever in it waits must end when the context is done. And what it has begun must
// either be found again and taken back by the next reconcile, or be undone on a context of its own, made with
// [context.WithoutCancel] and a timeout, because the reconcile's is dead. [FromContext] tells a pre-emption from a shutdown.
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

// Guard runs reconciles so that a newer generation of their object pre-empts them. Make it with [New].
type Guard[T client.Object] struct {
	reader    client.Reader
	preempted []func(*Cause)

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

// New makes a guard. The reader must be the manager's cached one: the order of its contents and of the watch's events is
// what makes sure that no generation is missed. Each of preempted is told of every pre-emption.
func New[T client.Object](reader client.Reader, preempted ...func(*Cause)) *Guard[T] {
	return &Guard[T]{reader: reader, preempted: preempted, running: make(map[types.NamespacedName]*run)}
}

// Reconcile reads the object and hands it to a function that reconciles it. An object that is gone needs no reconcile.
// What a pre-empted reconcile returns is about a plan that nobody wants any more, so it neither counts as a failure nor
// delays the next one.
func (g *Guard[T]) Reconcile(ctx context.Context, req reconcile.Request, do func(context.Context, T) (reconcile.Result, error)) (reconcile.Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	// Known before the object is read: whatever the watch shows from here on is compared with it.
	g.begin(req.NamespacedName, cancel)
	defer g.end(req.NamespacedName)

	object := reflect.New(reflect.TypeFor[T]().Elem()).Interface().(T)
	if err := g.reader.Get(ctx, req.NamespacedName, object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	g.follow(req.NamespacedName, object)

	result, err := do(ctx, object)
	if cause := FromContext(ctx); cause != nil {
		log.FromContext(ctx).Info("Reconcile was pre-empted", "generation", cause.Generation, "newer", cause.Newer, "deleted", cause.Deleted, "outcome", err)
		for _, preempted := range g.preempted {
			preempted(cause)
		}
		return reconcile.Result{}, nil // the event that pre-empted it has queued the next one
	}
	return result, err
}

// EventHandler watches for newer generations. Give it to the builder's Watches, for the kind that For names.
func (g *Guard[T]) EventHandler() handler.EventHandler {
	return handler.Funcs{
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			seen := versionOf(e.ObjectNew)
			if e.ObjectOld.GetUID() != seen.uid { // deleted and made again while the watch was interrupted
				seen = version{uid: e.ObjectOld.GetUID(), deleted: true}
			}
			g.observe(e.ObjectNew, seen, queue)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			g.observe(e.Object, version{uid: e.Object.GetUID(), deleted: true}, queue)
		},
	}
}

// observe cancels the reconcile of the object if what was seen puts its plan out of date. It also queues the object, so
// that the next reconcile comes even if a predicate keeps For from seeing this event.
func (g *Guard[T]) observe(object client.Object, seen version, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	key := client.ObjectKeyFromObject(object)

	g.mu.Lock()
	defer g.mu.Unlock()
	run := g.running[key]
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

func (g *Guard[T]) begin(key types.NamespacedName, cancel context.CancelCauseFunc) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running[key] = &run{cancel: cancel}
}

// follow fixes the version that the reconcile works on, and looks at what was seen meanwhile.
func (g *Guard[T]) follow(key types.NamespacedName, object client.Object) {
	plan := versionOf(object)

	g.mu.Lock()
	defer g.mu.Unlock()
	run := g.running[key]
	run.plan = &plan
	if i := slices.IndexFunc(run.early, func(seen version) bool { return seen.supersedes(plan) }); i >= 0 {
		run.cancel(run.early[i].causeFor(plan))
	}
	run.early = nil
}

func (g *Guard[T]) end(key types.NamespacedName) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, key)
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
