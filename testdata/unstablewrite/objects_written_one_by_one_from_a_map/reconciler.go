// Package controller writes an object for each entry of a map; the order of the
// writes is not stored anywhere.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
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
	for name, size := range thing.Spec.Config {
		part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-" + name, Namespace: thing.Namespace}}
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, part, func() error {
			part.Spec.ThingName = thing.Name
			part.Spec.Settings = map[string]string{"name": name, "size": size}
			return nil
		}); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
