// Package broadcast tells each of its listeners, and waits for each only so
// long. The timer limits a send or a receive that is this round's; it does not
// space the rounds of a loop that waits for something.
package broadcast

import (
	"context"
	"log"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

const patience = 10 * time.Second

type listener struct {
	name    string
	updates chan string
	gone    chan bool
}

type Reconciler struct {
	listeners map[string]*listener
	out       chan string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var targets []listener
	for _, l := range r.listeners {
		targets = append(targets, *l)
	}
	tell(targets, req.Name)
	r.forward([]string{req.Namespace, req.Name})
	r.hangUp()
	return ctrl.Result{}, ctx.Err()
}

func tell(targets []listener, name string) {
	for _, t := range targets {
		select {
		case t.updates <- name:
		case closed := <-t.gone:
			if closed {
				close(t.updates)
			}
		case <-time.After(patience):
			log.Println(t.name, "does not listen")
		}
	}
}

func (r *Reconciler) forward(names []string) {
	timer := time.NewTimer(patience)
	for _, name := range names {
		timer.Reset(patience)
		select {
		case r.out <- name:
		case <-timer.C:
			log.Println(name, "is dropped")
		}
	}
}

func (r *Reconciler) hangUp() {
	for name, l := range r.listeners {
		select {
		case <-l.gone:
		case <-time.After(patience):
			log.Println(name, "did not hang up")
		}
	}
}
