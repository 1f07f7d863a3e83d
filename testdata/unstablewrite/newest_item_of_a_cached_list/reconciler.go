// Package controller takes the newest item of a cached list, wherever it stands.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var jobs batchv1.JobList
	if err := r.List(ctx, &jobs, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	var newest *batchv1.Job
	for i := range jobs.Items {
		job := &jobs.Items[i]
		if newest == nil || newest.CreationTimestamp.Before(&job.CreationTimestamp) {
			newest = job
		}
	}
	if newest != nil {
		thing.Status.Phase = "Last run " + newest.Name
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
