// Package controller changes the object in a callback of a helper that lives in
// another package and does the update.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/written_by_a_helper_that_takes_a_callback/kube"
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
	cm := &corev1.ConfigMap{}
	cm.Name, cm.Namespace = thing.Name, thing.Namespace
	return ctrl.Result{}, kube.Modify(ctx, r.Client, cm, func() {
		var names []string
		for name := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
			names = append(names, name)
		}
		cm.Data = map[string]string{"plugins": strings.Join(names, " ")}
	})
}
