// Package controller writes in closures that libraries run.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StampWrittenFromAnErrgroup writes from a goroutine of an errgroup.
type StampWrittenFromAnErrgroup struct {
	client.Client
}

func (r *StampWrittenFromAnErrgroup) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *StampWrittenFromAnErrgroup) touch(ctx context.Context, thing *thingapi.Thing) error {
	base := thing.DeepCopy()
	if thing.Annotations == nil {
		thing.Annotations = make(map[string]string, 1)
	}
	thing.Annotations["things.example.com/touched"] = time.Now().String() // want "unstablewrite: time\\.Now .*Thing"
	return r.Patch(ctx, thing, client.MergeFrom(base))
}

// StampedInsideARetryOnConflict re-reads and stamps inside the closure of a
// conflict retry.
type StampedInsideARetryOnConflict struct {
	client.Client
}

func (r *StampedInsideARetryOnConflict) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return client.IgnoreNotFound(err)
		}
		metav1.SetMetaDataAnnotation(&thing.ObjectMeta, "things.example.com/reconciled-at", time.Now().String()) // want "unstablewrite: time\\.Now .*Thing"
		return r.Update(ctx, thing)
	})
	return ctrl.Result{}, err
}
