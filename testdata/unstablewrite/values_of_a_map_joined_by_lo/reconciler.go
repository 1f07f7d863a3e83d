// Package controller joins lo.Values of a map.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	networkingv1 "k8s.io/api/networking/v1"
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
	var ingress networkingv1.Ingress
	if err := r.Get(ctx, req.NamespacedName, &ingress); err != nil {
		return ctrl.Result{}, err
	}
	cidrs := lo.Uniq(lo.Values(thing.Spec.Config)) // want "unstablewrite: (map order|lo\\.Values) .*Ingress"
	metav1.SetMetaDataAnnotation(&ingress.ObjectMeta, "whitelist-source-range", strings.Join(cidrs, ","))
	return ctrl.Result{}, r.Update(ctx, &ingress)
}
