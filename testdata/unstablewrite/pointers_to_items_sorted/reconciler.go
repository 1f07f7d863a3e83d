// Package controller collects pointers to the items of a cached list and sorts
// those.
package controller

import (
	"context"
	"sort"

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
	var finished []*batchv1.Job
	for i := range jobs.Items {
		if jobs.Items[i].Status.Succeeded > 0 {
			finished = append(finished, &jobs.Items[i])
		}
	}
	sort.Slice(finished, func(i, j int) bool { return finished[i].Name < finished[j].Name })
	thing.Status.Members = nil
	for _, job := range finished {
		thing.Status.Members = append(thing.Status.Members, job.Name)
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
