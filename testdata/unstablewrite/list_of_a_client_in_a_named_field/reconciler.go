// Package controller keeps its client in a named field, lists into a pointer and
// returns that.
package controller

import (
	"context"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	kube client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	endpoints, err := r.endpoints(ctx, req.Namespace)
	if err != nil {
		return ctrl.Result{}, err
	}
	var backends []string
	for i := 0; i < len(endpoints.Items); i++ {
		backends = append(backends, endpoints.Items[i].Name)
	}
	ingress := &networkingv1.Ingress{}
	if err := r.kube.Get(ctx, req.NamespacedName, ingress); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := ingress.DeepCopy()
	metav1.SetMetaDataAnnotation(&ingress.ObjectMeta, "backends", strings.Join(backends, " "))
	return ctrl.Result{}, r.kube.Patch(ctx, ingress, client.MergeFrom(base))
}

func (r *Reconciler) endpoints(ctx context.Context, namespace string) (*discoveryv1.EndpointSliceList, error) {
	list := &discoveryv1.EndpointSliceList{}
	return list, r.kube.List(ctx, list, client.InNamespace(namespace)) // want "unstablewrite: list order .*Ingress"
}
