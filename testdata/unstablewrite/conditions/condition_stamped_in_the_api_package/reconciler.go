// Package controller marks the object ready by a method of its API package; the
// time is stamped there.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/conditions/condition_stamped_in_the_api_package/api"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var gadget api.Gadget
	if err := r.Get(ctx, req.NamespacedName, &gadget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	gadget.Status.MarkReady("everything is in place") // want "unstablewrite: .*Gadget"
	return ctrl.Result{}, r.Status().Update(ctx, &gadget)
}
