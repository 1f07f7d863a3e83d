// Package sends sends to those who may not listen.
package sends

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

// EachSendHasATimeLimit tells each of its listeners, and waits for each only so
// long. The timer limits a send or a receive that is this round's; it does not
// space the rounds of a loop that waits for something.
type EachSendHasATimeLimit struct {
	listeners map[string]*listener
	out       chan string
}

func (r *EachSendHasATimeLimit) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *EachSendHasATimeLimit) forward(names []string) {
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

func (r *EachSendHasATimeLimit) hangUp() {
	for name, l := range r.listeners {
		select {
		case <-l.gone:
		case <-time.After(patience):
			log.Println(name, "did not hang up")
		}
	}
}

// MessageIsOfferedUntilSomebodyTakesIt sends the same message until it is
// taken, and goes on to do so when the reconcile has been cancelled: a time
// limit for the send would end the loop, but this one only begins it anew.
type MessageIsOfferedUntilSomebodyTakesIt struct {
	out  chan string
	wake chan bool
}

func (r *MessageIsOfferedUntilSomebodyTakesIt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
func (r *MessageIsOfferedUntilSomebodyTakesIt) settle(_ context.Context, name string) error {
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
