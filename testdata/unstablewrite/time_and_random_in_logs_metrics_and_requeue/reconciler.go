// Package controller measures itself, logs a random id and spreads its requeues;
// none of it is written.
package controller

import (
	"context"
	"math/rand"
	"time"

	"github.com/google/uuid"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type observer interface {
	Observe(seconds float64)
}

type Reconciler struct {
	client.Client
	Durations observer
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	start := time.Now()
	logger := log.FromContext(ctx).WithValues("pass", uuid.NewString())
	defer func() {
		r.Durations.Observe(time.Since(start).Seconds())
		logger.Info("done", "took", time.Since(start).String())
	}()

	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.ObservedGeneration = thing.Generation
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	jitter := time.Duration(rand.Int63n(int64(time.Minute)))
	return ctrl.Result{RequeueAfter: time.Hour + jitter}, nil
}
