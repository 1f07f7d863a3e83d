// Package controller backs up Things.
package controller

import (
	"context"
	"errors"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/helper_that_cleans_up/snapshot"
)

// Backup restores what it has changed, whatever becomes of its context.
type Backup struct {
	client.Client
	store store
}

func (r *Backup) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.store.lock()
	defer func() {
		if err := r.unlock(); err != nil {
			ctrl.LoggerFrom(ctx).Error(err, "unlock")
		}
	}()
	defer r.compact()
	return ctrl.Result{}, r.store.save(ctx)
}

func (r *Backup) unlock() error {
	r.store.unlock()
	return r.awaitUnlocked()
}

func (r *Backup) awaitUnlocked() error {
	for range 60 {
		if !r.store.locked() {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("the store is still locked")
}

func (r *Backup) compact() {
	for range 60 {
		if r.store.compact() {
			return
		}
		time.Sleep(time.Second)
	}
}

// Restore waits for the store before it does something.
type Restore struct {
	client.Client
	store store
}

func (r *Restore) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.compact()
	r.compact()
	return ctrl.Result{}, r.store.save(ctx)
}

func (r *Restore) compact() {
	for range 60 { // want "ctxloop: .*never observes"
		if r.store.compact() {
			return
		}
		time.Sleep(time.Second)
	}
}

type store interface {
	lock()
	unlock()
	locked() bool
	compact() bool
	save(ctx context.Context) error
}

// Snapshots deletes a snapshot when it is done.
type Snapshots struct {
	client.Client
	snapshot.Snapshot
	store store
}

func (r *Snapshots) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, snapshot.With(r.Snapshot, func() error { return r.store.save(ctx) })
}

// Replacer deletes a snapshot before it makes another one.
type Replacer struct {
	client.Client
	snapshot.Snapshot
	store store
}

func (r *Replacer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := snapshot.Delete(r.Snapshot); err != nil { // want "ctxloop: snapshot.Delete waits in a loop .* that never observes ctx"
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.store.save(ctx)
}
