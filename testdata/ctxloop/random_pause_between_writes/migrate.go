// Package migrate pauses for a quarter of a second at most, so as not to press
// the server, between writes whose errors end the loop.
package migrate

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Stored func() []client.Object
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for i, obj := range r.Stored() {
		if err := r.Update(ctx, obj); err != nil {
			return ctrl.Result{}, err
		}
		if i%10 == 9 {
			time.Sleep(time.Duration(rand.IntnRange(50*int(time.Millisecond), 250*int(time.Millisecond))))
		}
	}
	return ctrl.Result{}, nil
}
