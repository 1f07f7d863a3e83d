// Package controller spreads schedules by a generator seeded with the UID: the
// same minute on each pass.
package controller

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	h := fnv.New64a()
	h.Write([]byte(thing.UID))
	minute := rand.New(rand.NewSource(int64(h.Sum64()))).Intn(60)

	job := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, job, func() error {
		job.Spec.Schedule = fmt.Sprintf("%d * * * *", minute)
		return nil
	})
	return ctrl.Result{}, err
}
