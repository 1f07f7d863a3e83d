// Package controller leaves the random part of a name to the server.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
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
	if thing.Spec.TargetRef != "" {
		return ctrl.Result{}, nil
	}
	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{GenerateName: thing.Name + "-", Namespace: thing.Namespace}}
	if err := r.Create(ctx, part); err != nil {
		return ctrl.Result{}, err
	}
	thing.Spec.TargetRef = part.Name
	return ctrl.Result{}, r.Update(ctx, &thing)
}
