// Package controller filters and maps a cached list; both keep its order.
package controller

import (
	"context"

	"github.com/samber/lo"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	services := &corev1.ServiceList{}
	if err := r.List(ctx, services); err != nil { // want "unstablewrite: list order .*Ingress"
		return ctrl.Result{}, err
	}
	public := lo.Filter(services.Items, func(s corev1.Service, _ int) bool { return s.Labels["public"] == "true" })
	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, ingress, func() error {
		ingress.Spec.Rules = lo.Map(public, func(s corev1.Service, _ int) networkingv1.IngressRule {
			return networkingv1.IngressRule{Host: s.Name + ".example.com"}
		})
		return nil
	})
	return ctrl.Result{}, err
}
