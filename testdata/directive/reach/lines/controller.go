// Package wait has comments that speak for a line, and comments that have
// nothing to speak for.
package wait

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type probe struct{ ready bool }

// Ready reports whether to go on.
func (p *probe) Ready() bool { return p.ready }

// CommentSpeaksForOneLine has a comment two lines above its loop, and one that
// speaks for a function literal but not for what is in it.
type CommentSpeaksForOneLine struct {
	probe
}

func (r *CommentSpeaksForOneLine) Reconcile(_ context.Context, _ ctrl.Request) (ctrl.Result, error) {
	/* want "directive: .*suppresses no finding" */ //operatorvet:ignore ctxloop too far away

	for !r.Ready() { // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: .*suppresses no finding" */ //operatorvet:ignore ctxloop not for what is between the braces
	wait := func() {
		for !r.Ready() { // want "ctxloop: .*never observes"
			time.Sleep(5 * time.Second)
		}
	}
	wait()
	return ctrl.Result{}, nil
}

// NothingIsLeftToSilence has been mended, but still has the comments from
// before.
type NothingIsLeftToSilence struct {
	probe
}

func (r *NothingIsLeftToSilence) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	/* want "directive: .*suppresses no finding of ctxloop" */ //operatorvet:ignore ctxloop it takes a second
	for !r.Ready() {
		select {
		case <-ctx.Done():
			return ctrl.Result{}, ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}

	/* want "directive: .*suppresses no finding of unstablewrite" */ //operatorvet:ignore ctxloop,unstablewrite only half of this
	for !r.Ready() {
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}
