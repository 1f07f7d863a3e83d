package preempt_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/operatorvet/operatorvet/operator/preempt"
)

const patience = 30 * time.Second

var request = reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "default", Name: "web"}}

// rig is a pre-emptible reconcile of the object web, which is in the cache at a version of the test's choice. Each
// reconcile reports that it has started and then waits for its context or the test.
type rig struct {
	*preempt.Guard[*corev1.ReplicationController]
	queue     workqueue.TypedRateLimitingInterface[reconcile.Request]
	preempted chan *preempt.Cause
	started   chan *corev1.ReplicationController
	ended     chan error // why the inner reconcile ended: its context's cause
	proceed   chan error // what the inner reconcile shall return without having been pre-empted
	onGet     func()

	mu     sync.Mutex
	cached *corev1.ReplicationController
}

func newRig(t *testing.T, cached *corev1.ReplicationController) *rig {
	t.Helper()
	r := &rig{
		queue:     workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]()),
		preempted: make(chan *preempt.Cause, 10),
		started:   make(chan *corev1.ReplicationController, 10),
		ended:     make(chan error, 10),
		proceed:   make(chan error, 10),
		cached:    cached,
	}
	t.Cleanup(r.queue.ShutDown)
	r.Guard = preempt.New[*corev1.ReplicationController](cache{rig: r}, func(c *preempt.Cause) { r.preempted <- c })
	return r
}

type cache struct {
	client.Reader
	rig *rig
}

func (c cache) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	c.rig.mu.Lock()
	defer c.rig.mu.Unlock()
	if c.rig.cached == nil {
		return apierrors.NewNotFound(corev1.Resource("replicationcontrollers"), key.Name)
	}
	c.rig.cached.DeepCopyInto(into.(*corev1.ReplicationController))
	if c.rig.onGet != nil {
		c.rig.onGet()
	}
	return nil
}

// inner is the reconcile that is guarded.
func (r *rig) inner(ctx context.Context, object *corev1.ReplicationController) (reconcile.Result, error) {
	r.started <- object
	select {
	case <-ctx.Done():
		r.ended <- context.Cause(ctx)
		return reconcile.Result{}, ctx.Err()
	case err := <-r.proceed:
		return reconcile.Result{RequeueAfter: time.Minute}, err
	}
}

type outcome struct {
	result reconcile.Result
	err    error
}

// reconcile starts one and returns where its outcome will be.
func (r *rig) reconcile(ctx context.Context) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		result, err := r.Reconcile(ctx, request, r.inner)
		done <- outcome{result, err}
	}()
	return done
}

// update puts a version into the cache and then shows it to the watch, as an informer does.
func (r *rig) update(next *corev1.ReplicationController) {
	r.mu.Lock()
	previous := r.cached
	r.cached = next
	r.mu.Unlock()
	r.EventHandler().Update(context.Background(), event.UpdateEvent{ObjectOld: previous, ObjectNew: next}, r.queue)
}

func object(uid types.UID, generation int64) *corev1.ReplicationController {
	return &corev1.ReplicationController{ObjectMeta: metav1.ObjectMeta{
		Namespace: request.Namespace, Name: request.Name, UID: uid, Generation: generation,
	}}
}

func receive[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

func TestANewerGenerationPreemptsTheRunningReconcile(t *testing.T) {
	t.Parallel()
	r := newRig(t, object("a", 1))
	done := r.reconcile(t.Context())
	receive(t, r.started, "the reconcile")

	r.update(object("a", 2))

	var cause *preempt.Cause
	if err := receive(t, r.ended, "the end of the reconcile"); !errors.As(err, &cause) || cause.Generation != 1 || cause.Newer != 2 || cause.Deleted {
		t.Errorf("ended by %v, want generation 1 superseded by 2", err)
	}
	if got := receive(t, done, "the outcome"); got.err != nil || got.result != (reconcile.Result{}) {
		t.Errorf("a pre-empted reconcile returned %v, want nothing", got)
	}
	if got := receive(t, r.preempted, "the callback"); got.Newer != 2 {
		t.Errorf("the callback got %v", got)
	}
	if r.queue.Len() != 1 {
		t.Errorf("%d requests queued, want the next reconcile", r.queue.Len())
	}
}

func TestADeletionPreempts(t *testing.T) {
	t.Parallel()
	terminating := object("a", 1)
	terminating.DeletionTimestamp = new(metav1.Now())
	for name, show := range map[string]func(*rig){
		"with a finalizer": func(r *rig) { r.update(terminating) },
		"at once": func(r *rig) {
			r.EventHandler().Delete(context.Background(), event.DeleteEvent{Object: object("a", 1)}, r.queue)
		},
		"and made again unseen": func(r *rig) { r.update(object("b", 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, object("a", 1))
			r.reconcile(t.Context())
			receive(t, r.started, "the reconcile")

			show(r)

			var cause *preempt.Cause
			if err := receive(t, r.ended, "the end of the reconcile"); !errors.As(err, &cause) || !cause.Deleted {
				t.Errorf("ended by %v, want the deletion", err)
			}
		})
	}
}

func TestWhatLeavesThePlanAloneDoesNotPreempt(t *testing.T) {
	t.Parallel()
	status := object("a", 2)
	status.Status.Replicas = 3
	for name, show := range map[string]func(*rig){
		"status":                    func(r *rig) { r.update(status) },
		"an older generation, late": func(r *rig) { r.update(object("a", 1)) },
		"the end of a predecessor": func(r *rig) {
			r.EventHandler().Delete(context.Background(), event.DeleteEvent{Object: object("z", 7)}, r.queue)
		},
		"another object": func(r *rig) {
			other := object("c", 9)
			other.Name = "other"
			r.EventHandler().Update(context.Background(), event.UpdateEvent{ObjectOld: other, ObjectNew: other}, r.queue)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, object("a", 2))
			done := r.reconcile(t.Context())
			receive(t, r.started, "the reconcile")

			show(r)
			r.proceed <- nil

			if got := receive(t, done, "the outcome"); got.err != nil || got.result.RequeueAfter != time.Minute {
				t.Errorf("got %v, want the inner reconciler's result", got)
			}
			if r.queue.Len() != 0 {
				t.Error("the event queued a reconcile")
			}
		})
	}
}

// The watch may show a generation after the reconcile was begun and before it has read its object, which may then be the
// older one or the newer one.
func TestAnEventBetweenBeginAndReadIsNotLost(t *testing.T) {
	t.Parallel()
	r := newRig(t, object("a", 1))
	r.onGet = func() {
		r.EventHandler().Update(context.Background(), event.UpdateEvent{ObjectOld: object("a", 1), ObjectNew: object("a", 2)}, r.queue)
	}
	done := r.reconcile(t.Context())
	receive(t, r.ended, "the end of the reconcile that read generation 1")
	receive(t, done, "the outcome")

	r = newRig(t, object("a", 2))
	r.onGet = func() {
		r.EventHandler().Update(context.Background(), event.UpdateEvent{ObjectOld: object("a", 1), ObjectNew: object("a", 2)}, r.queue)
	}
	done = r.reconcile(t.Context())
	r.proceed <- nil
	if got := receive(t, done, "the outcome"); got.result.RequeueAfter != time.Minute {
		t.Errorf("the reconcile that read generation 2 was pre-empted by it: %v", got)
	}
}

func TestErrorsAndShutdownPassThrough(t *testing.T) {
	t.Parallel()
	r := newRig(t, object("a", 1))
	failure := errors.New("failure")
	done := r.reconcile(t.Context())
	r.proceed <- failure
	if got := receive(t, done, "the outcome"); !errors.Is(got.err, failure) {
		t.Errorf("got %v, want the inner reconciler's error", got.err)
	}

	ctx, shutdown := context.WithCancel(t.Context())
	done = r.reconcile(ctx)
	receive(t, r.started, "the reconcile")
	shutdown()
	if got := receive(t, done, "the outcome"); !errors.Is(got.err, context.Canceled) {
		t.Errorf("got %v, want the cancellation", got.err)
	}
	if len(r.preempted) != 0 {
		t.Error("a shutdown counts as a pre-emption")
	}
}

func TestAnObjectThatIsGoneIsNotReconciled(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	if got := receive(t, r.reconcile(t.Context()), "the outcome"); got.err != nil {
		t.Error(got.err)
	}
	if len(r.started) != 0 {
		t.Error("the inner reconciler ran")
	}
}

// With the queue in between, as a controller has it, the newest generation is always the last one that is reconciled,
// whatever the timing.
func TestTheNewestGenerationIsReconciledLast(t *testing.T) {
	t.Parallel()
	const last = 200
	r := newRig(t, object("a", 1))
	r.queue.Add(request)

	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for {
			key, shutdown := r.queue.Get()
			if shutdown {
				return
			}
			_, _ = r.Reconcile(context.Background(), key, r.inner)
			r.queue.Done(key)
		}
	}()
	go func() {
		for generation := int64(2); generation <= last; generation++ {
			r.update(object("a", generation))
			if generation%7 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()

	for {
		if got := receive(t, r.started, fmt.Sprintf("generation %d", last)); got.Generation == last {
			break
		}
		for len(r.ended) > 0 {
			<-r.ended
		}
		for len(r.preempted) > 0 {
			<-r.preempted
		}
	}
	r.proceed <- nil
	r.queue.ShutDown()
	receive(t, finished, "the worker")
}
