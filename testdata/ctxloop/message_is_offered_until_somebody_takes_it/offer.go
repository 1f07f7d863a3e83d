// Package offer sends the same message until it is taken, and goes on to do so
// when the reconcile has been cancelled: a time limit for the send would end
// the loop, but this one only begins it anew.
package offer

import (
	"context"
	"log"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	out  chan string
	wake chan bool
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*never observes"
		select {
		case r.out <- req.Name:
			return ctrl.Result{}, r.settle(ctx, req.Name)
		case <-time.After(10 * time.Second):
			log.Println("nobody takes", req.Name)
		}
	}
}

// settle looks every ten seconds, and sooner if it is woken up, which ends
// nothing.
func (r *Reconciler) settle(_ context.Context, name string) error {
	for !settled(name) { // want "ctxloop: .*never observes"
		select {
		case <-r.wake:
		case <-time.After(10 * time.Second):
			log.Println("waiting for", name)
		}
	}
	return nil
}

func settled(string) bool { return false }
