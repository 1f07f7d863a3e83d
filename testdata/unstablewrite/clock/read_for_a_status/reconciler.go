// Package controller reads the clock for a status, or only to decide what is in
// it.
package controller

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// LastSyncTimeInTheStatus writes the time of its last pass into the status; the
// update wakes the controller, which writes the time of its last pass.
type LastSyncTimeInTheStatus struct {
	client.Client
}

func (r *LastSyncTimeInTheStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	now := metav1.Now() // want "unstablewrite: .*Now .*Thing"
	thing.Status.LastSync = &now
	thing.Status.ObservedGeneration = thing.Generation
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: 10 * time.Minute}, nil
}

func (r *LastSyncTimeInTheStatus) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// ClockReadIntoAScope reads the clock once into the state of a pass and writes
// it from there.
type ClockReadIntoAScope struct {
	client.Client
}

type scope struct {
	thing *thingapi.Thing
	now   time.Time
}

func newScope(thing *thingapi.Thing) *scope {
	return &scope{thing: thing, now: time.Now()} // want "unstablewrite: time\\.Now .*Thing"
}

func (s *scope) finish() {
	s.thing.Status.Phase = "Done"
	s.thing.Status.LastSync = &metav1.Time{Time: s.now}
}

func (r *ClockReadIntoAScope) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	s := newScope(thing)
	s.finish()
	return ctrl.Result{}, r.Status().Update(ctx, s.thing)
}

// ClockOnlyDecides compares the time with a deadline; what it writes is one of
// two words.
type ClockOnlyDecides struct {
	client.Client
}

const lifetime = 48 * time.Hour

func (r *ClockOnlyDecides) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deadline := thing.CreationTimestamp.Add(lifetime)
	thing.Status.Phase = "Fresh"
	if time.Now().After(deadline) {
		thing.Status.Phase = "Stale"
	}
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: time.Until(deadline)}, nil
}

// TimeOfAnotherObjectCopied copies a time that another object carries.
type TimeOfAnotherObjectCopied struct {
	client.Client
}

func (r *TimeOfAnotherObjectCopied) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	expires := thing.CreationTimestamp.Add(24 * time.Hour)
	cm.Data = map[string]string{
		"created": thing.CreationTimestamp.Format(time.RFC3339),
		"expires": strconv.FormatInt(expires.Unix(), 10),
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// TimeKeptBesideTheObject remembers when it last saw an object, in memory.
type TimeKeptBesideTheObject struct {
	client.Client

	mu       sync.Mutex
	lastSeen map[types.NamespacedName]time.Time
}

func (r *TimeKeptBesideTheObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.mu.Lock()
	last, seen := r.lastSeen[req.NamespacedName]
	r.lastSeen[req.NamespacedName] = time.Now()
	r.mu.Unlock()

	if seen && time.Since(last) < time.Second {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Phase = "Seen"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// LastDueTimeFoundByStepping steps from the creation time to the last time that
// was due; the clock only ends the loop.
type LastDueTimeFoundByStepping struct {
	client.Client
	Clock clock.PassiveClock
}

const interval = 15 * time.Minute

func (r *LastDueTimeFoundByStepping) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	now := r.Clock.Now()
	due := thing.CreationTimestamp.Time
	for next := due.Add(interval); !next.After(now); next = next.Add(interval) {
		due = next
	}
	thing.Status.LastSync = &metav1.Time{Time: due}
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: due.Add(interval).Sub(now)}, nil
}
