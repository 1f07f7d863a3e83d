// Package controller renders a properties file line by line in map order.
package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
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
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"app.properties": properties(thing.Spec.Config)}
		return controllerutil.SetControllerReference(&thing, cm, r.Scheme())
	})
	return ctrl.Result{}, err
}

func properties(config map[string]string) string {
	var b strings.Builder
	b.WriteString("# written by the operator\n")
	for key, value := range config { // want "unstablewrite: map order .*ConfigMap"
		fmt.Fprintf(&b, "%s = %s\n", key, value)
	}
	return b.String()
}
