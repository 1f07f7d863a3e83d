// Package controller chooses a random name while the field is empty and keeps it
// then.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
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
	if err := r.ensureSecretName(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = "Uses " + thing.Spec.SecretRef
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *Reconciler) ensureSecretName(ctx context.Context, thing *thingapi.Thing) error {
	if thing.Spec.SecretRef != "" {
		return nil
	}
	thing.Spec.SecretRef = thing.Name + "-" + utilrand.String(6)
	return r.Update(ctx, thing)
}
