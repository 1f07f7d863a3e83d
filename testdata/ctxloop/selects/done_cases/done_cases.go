// Package donecases selects on time and on the end of its context.
package donecases

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// SelectWaitsForTimerOrContext waits in selects that a done context ends: with
// a timer, in a closure that says whether to go on, and in the loop's post
// statement.
type SelectWaitsForTimerOrContext struct {
	client.Client
}

func (r *SelectWaitsForTimerOrContext) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		pod := &corev1.Pod{}
		if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
			return ctrl.Result{}, err
		}
		if pod.Status.Phase == corev1.PodRunning {
			break
		}
		timer := time.NewTimer(5 * time.Second)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctrl.Result{}, ctx.Err()
		case <-timer.C:
		}
	}
	return ctrl.Result{}, r.await(ctx, req)
}

func (r *SelectWaitsForTimerOrContext) await(ctx context.Context, req ctrl.Request) error {
	next := func() bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(10 * time.Second):
			return true
		}
	}
	for next() {
		if r.Get(ctx, req.NamespacedName, &corev1.Pod{}) == nil {
			return nil
		}
	}
	return ctx.Err()
}

// TickerBesideDoneCase leaves its loops when the context is done, by return and
// by a labelled break. That Start returns no error then is how runnables end.
type TickerBesideDoneCase struct {
	Interval time.Duration
	Collect  func(ctx context.Context)
}

func (c *TickerBesideDoneCase) Start(ctx context.Context) error {
	ticker := time.NewTicker(c.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			c.Collect(ctx)
		}
	}
}

type Flusher struct {
	Events <-chan string
	Flush  func(batch []string)
}

func (f *Flusher) Start(ctx context.Context) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	var batch []string
loop:
	for {
		select {
		case e := <-f.Events:
			batch = append(batch, e)
		case <-ticker.C:
			f.Flush(batch)
			batch = batch[:0]
		case <-ctx.Done():
			break loop
		}
	}
	f.Flush(batch)
	return nil
}

// DoneCaseBesideDefaultThatSleeps has a Done case, but a default beside it, so
// that the select never waits: the sleep in the default branch does.
type DoneCaseBesideDefaultThatSleeps struct {
	client.Client
}

func (r *DoneCaseBesideDefaultThatSleeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*only after"
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		default:
			thing := &thingapi.Thing{}
			if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
				return ctrl.Result{}, err
			}
			if thing.Status.ReadyReplicas > 0 {
				return ctrl.Result{}, nil
			}
			time.Sleep(15 * time.Second)
		}
	}
}

type Admin interface {
	InSync(topic string) (bool, error)
}

// DoneCaseLeavesOnlyTheSelect has a Done case that ends the select and not the
// loop around it: break means the select, continue another round.
type DoneCaseLeavesOnlyTheSelect struct {
	Admin Admin
}

func (r *DoneCaseLeavesOnlyTheSelect) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.awaitSync(ctx, req.Name)
	return ctrl.Result{}, r.awaitTopics(ctx, []string{req.Name, req.Name + "-dlq"})
}

func (r *DoneCaseLeavesOnlyTheSelect) awaitSync(ctx context.Context, topic string) {
	synced := false
	for !synced { // want "ctxloop: .*never observes"
		select {
		case <-ctx.Done():
			break
		case <-time.After(3 * time.Second):
			synced, _ = r.Admin.InSync(topic)
		}
	}
}

func (r *DoneCaseLeavesOnlyTheSelect) awaitTopics(ctx context.Context, topics []string) error {
	ticker := time.NewTicker(2 * time.Second)
	defer ticker.Stop()
	for len(topics) > 0 { // want "ctxloop: .*never observes"
		select {
		case <-ctx.Done():
			continue
		case <-ticker.C:
		}
		ok, err := r.Admin.InSync(topics[0])
		if err != nil {
			return err
		}
		if ok {
			topics = topics[1:]
		}
	}
	return nil
}

// SelectWithoutDoneCase selects on a ticker and on work, and not on the end of
// its context.
type SelectWithoutDoneCase struct {
	Events <-chan string
	Store  func(batch []string)
}

func (f *SelectWithoutDoneCase) Start(ctx context.Context) error {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	var batch []string
	for { // want "ctxloop: .*never observes"
		select {
		case e := <-f.Events:
			batch = append(batch, e)
		case <-ticker.C:
			f.Store(batch)
			batch = nil
		}
	}
}
