// Package controller runs its steps from a slice of method values; one of them
// writes in map order.
package controller

import (
	"context"
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

type step func(context.Context, *thingapi.Thing) error

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, run := range []step{r.reconcileService, r.reconcileConfig} {
		if err := run(ctx, &thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) reconcileService(ctx context.Context, thing *thingapi.Thing) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Selector = thing.Spec.Labels
		return nil
	})
	return err
}

func (r *Reconciler) reconcileConfig(ctx context.Context, thing *thingapi.Thing) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		lines := []string{"[upstreams]"}
		for name, url := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
			lines = append(lines, name+" = "+url)
		}
		cm.Data = map[string]string{"proxy.ini": strings.Join(lines, "\n")}
		return nil
	})
	return err
}
