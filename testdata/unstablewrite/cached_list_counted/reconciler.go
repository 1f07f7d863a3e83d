// Package controller counts ready pods and remembers whether all are.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
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
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	ready, all := int32(0), true
	for _, pod := range pods.Items {
		if pod.Status.Phase == corev1.PodRunning {
			ready++
		} else {
			all = false
		}
	}
	thing.Status.ReadyReplicas = ready
	thing.Status.Phase = "Progressing"
	if all {
		thing.Status.Phase = "Ready"
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
