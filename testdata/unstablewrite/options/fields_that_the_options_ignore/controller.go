// Package controller writes the time into three places. For two of them the
// options say that this is fine.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	var config corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &config); err != nil {
		return ctrl.Result{}, err
	}
	config.Data["time"] = time.Now().String()
	config.Annotations["time"] = time.Now().String() // want "unstablewrite: .*ConfigMap metadata.annotations"
	if err := r.Update(ctx, &config); err != nil {
		return ctrl.Result{}, err
	}
	now := metav1.Now()
	thing.Status.LastSync = &now
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&corev1.ConfigMap{}).Complete(r)
}
