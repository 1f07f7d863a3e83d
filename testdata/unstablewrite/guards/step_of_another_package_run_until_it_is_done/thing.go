// Package controller leaves the work to steps of another package. One of them
// ends in a phase in which nothing is done any more, the other in none.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/guards/step_of_another_package_run_until_it_is_done/backup"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	backups *backup.Reconciler
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	if _, err := r.backups.Touch(ctx, &thing, pods.Items); err != nil { // want "unstablewrite: .*Now.* reaches Thing metadata.annotations"
		return ctrl.Result{}, err
	}
	switch thing.Status.Phase {
	case backup.Failed, backup.Completed:
		return ctrl.Result{}, nil
	}
	res, err := r.backups.Reconcile(ctx, &thing, pods.Items)
	if res == nil || err != nil {
		return ctrl.Result{}, err
	}
	return *res, nil
}
