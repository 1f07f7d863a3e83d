// Package wait has comments that their author takes for directives.
package wait

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

// SpaceMakesProse has a space before the word or behind the colon.
type SpaceMakesProse struct {
	Ready func() bool
}

func (r *SpaceMakesProse) Reconcile(_ context.Context, _ ctrl.Request) (ctrl.Result, error) {
	/* want "directive: comment suppresses nothing" */ // operatorvet:ignore ctxloop the device has its own timeout
	for !r.Ready() {                                   // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}

	/* want "directive: comment suppresses nothing" */ //operatorvet: ignore ctxloop the device has its own timeout
	for !r.Ready() {                                   // want "ctxloop: .*never observes"
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}

// BlockIsNoDirective has a block comment, which could only begin a line comment.
type BlockIsNoDirective struct {
	Ready func() bool
}

func (r *BlockIsNoDirective) Reconcile(_ context.Context, _ ctrl.Request) (ctrl.Result, error) {
	for !r.Ready() { /* want "directive: comment suppresses nothing" "ctxloop: .*never observes" */ /* operatorvet:ignore ctxloop the device has its own timeout */
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}

// AsItShouldBe has the same comment as Go writes directives.
type AsItShouldBe struct {
	Ready func() bool
}

func (r *AsItShouldBe) Reconcile(_ context.Context, _ ctrl.Request) (ctrl.Result, error) {
	//operatorvet:ignore ctxloop the device has its own timeout
	for !r.Ready() {
		time.Sleep(5 * time.Second)
	}
	return ctrl.Result{}, nil
}
