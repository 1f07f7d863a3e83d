// Package controller writes from a goroutine of an errgroup.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"golang.org/x/sync/errgroup"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var things thingapi.ThingList
	if err := r.List(ctx, &things, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	group, ctx := errgroup.WithContext(ctx)
	for i := range things.Items {
		group.Go(func() error {
			return r.touch(ctx, &things.Items[i])
		})
	}
	return ctrl.Result{}, group.Wait()
}

func (r *Reconciler) touch(ctx context.Context, thing *thingapi.Thing) error {
	base := thing.DeepCopy()
	if thing.Annotations == nil {
		thing.Annotations = make(map[string]string, 1)
	}
	thing.Annotations["things.example.com/touched"] = time.Now().String() // want "unstablewrite: time\\.Now .*Thing"
	return r.Patch(ctx, thing, client.MergeFrom(base))
}
