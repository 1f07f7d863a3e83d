// Package controller remembers when it last saw an object, in memory.
package controller

import (
	"context"
	"sync"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client

	mu       sync.Mutex
	lastSeen map[types.NamespacedName]time.Time
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.mu.Lock()
	last, seen := r.lastSeen[req.NamespacedName]
	r.lastSeen[req.NamespacedName] = time.Now()
	r.mu.Unlock()

	if seen && time.Since(last) < time.Second {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Phase = "Seen"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
