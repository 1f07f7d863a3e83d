// Package controller lets a helper write a map into whatever writer it is given.
package controller

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func writeMap(w io.Writer, m map[string]string) {
	for k, v := range m { // want "unstablewrite: map order .*ConfigMap"
		fmt.Fprintf(w, "%s: %s\n", k, v)
	}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	var out bytes.Buffer
	out.WriteString("settings:\n")
	writeMap(&out, thing.Spec.Config)
	cm.Data = map[string]string{"settings.yaml": out.String()}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
