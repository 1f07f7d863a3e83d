// Package otherchannels waits for channels that are no timers, or not the end
// of the context.
package otherchannels

import (
	"context"
	"errors"
	"log"
	"os/exec"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

// TimesArriveOnAnOwnChannel receives times that another goroutine computes.
// They come when that has something to say, not when time has passed.
type TimesArriveOnAnOwnChannel struct {
	next   chan time.Time
	due    chan struct{}
	notify func(time.Time)
}

func (r *TimesArriveOnAnOwnChannel) Start(ctx context.Context) error {
	var at time.Time
	for {
		if done := func() bool {
			select {
			case <-ctx.Done():
				return true
			case at = <-r.next:
				return false
			case <-r.due:
			}
			r.notify(at)
			return false
		}(); done {
			return nil
		}
	}
}

func (r *TimesArriveOnAnOwnChannel) follow(_ context.Context) {
	for {
		at := <-r.next
		if at.IsZero() {
			return
		}
		r.notify(at)
	}
}

// WatchEventsEndTheLoop waits for events and for channels that close, not for
// time.
type WatchEventsEndTheLoop struct {
	Clientset kubernetes.Interface
	Elected   <-chan struct{}
}

func (r *WatchEventsEndTheLoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	<-r.Elected
	w, err := r.Clientset.AppsV1().Deployments(req.Namespace).Watch(ctx, metav1.SingleObject(metav1.ObjectMeta{Name: req.Name}))
	if err != nil {
		return ctrl.Result{}, err
	}
	defer w.Stop()
	for event := range w.ResultChan() { // closed when the context of the watch is done
		if event.Type == watch.Deleted {
			return ctrl.Result{}, nil
		}
	}
	return ctrl.Result{}, errors.New("watch ended")
}

// ResultChannelOfBoundGoroutine reports progress while a goroutine works that
// is bound to the context, and whose result ends the loop.
type ResultChannelOfBoundGoroutine struct {
	Binary string
}

func (r *ResultChannelOfBoundGoroutine) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result := make(chan error, 1)
	go func() {
		result <- exec.CommandContext(ctx, r.Binary, req.Name).Run()
	}()
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case err := <-result:
			return ctrl.Result{}, err
		case <-ticker.C:
			log.Printf("%s is still running", req.Name)
		}
	}
}

// TimeoutChannelIsNoDoneCase bounds its wait by a channel of its own, which
// fires in ten minutes and not when the context is done.
type TimeoutChannelIsNoDoneCase struct {
	TryLock func(name string) bool
}

func (r *TimeoutChannelIsNoDoneCase) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	timeout := time.After(10 * time.Minute)
	ticker := time.NewTicker(5 * time.Second)
	defer ticker.Stop()
	for { // want "ctxloop: .*never observes"
		select {
		case <-timeout:
			return ctrl.Result{}, errors.New("lock is held for too long")
		case <-ticker.C:
			if r.TryLock(req.Name) {
				return ctrl.Result{}, nil
			}
		}
	}
}
