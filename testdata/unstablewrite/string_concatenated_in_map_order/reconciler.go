// Package controller glues labels to a selector string with +=, in map order.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
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
	service := &corev1.Service{}
	if err := r.Get(ctx, req.NamespacedName, service); err != nil {
		return ctrl.Result{}, err
	}
	selector := ""
	for k, v := range thing.Spec.Labels { // want "unstablewrite: map order .*Service"
		if selector != "" {
			selector += ","
		}
		selector += k + "=" + v
	}
	metav1.SetMetaDataAnnotation(&service.ObjectMeta, "things.example.com/selector", selector)
	return ctrl.Result{}, r.Update(ctx, service)
}
