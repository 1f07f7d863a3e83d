// Package controller hands a request to a manager of another package.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/reconcilers/manager_that_keeps_the_context/manager"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// stepper is what the reconciler knows of its managers.
type stepper interface{ Step() error }

// ManagerForEachRequest makes a manager, which keeps the context.
type ManagerForEachRequest struct {
	client.Client
}

func (r *ManagerForEachRequest) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	svc := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, m := range []stepper{
		&manager.Addresses{Ctx: ctx, Client: r.Client, Service: svc},
		&manager.SortedAddresses{Base: manager.Base{Client: r.Client}, Service: svc},
	} {
		if err := m.Step(); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
