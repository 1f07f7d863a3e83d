// Package controller publishes addresses collected in a set through the typed
// clientset's ApplyStatus.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	networkingv1ac "k8s.io/client-go/applyconfigurations/networking/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var nodes corev1.NodeList
	if err := r.List(ctx, &nodes); err != nil {
		return ctrl.Result{}, err
	}
	addresses := map[string]bool{}
	for _, node := range nodes.Items {
		for _, a := range node.Status.Addresses {
			addresses[a.Address] = true
		}
	}
	lb := networkingv1ac.IngressLoadBalancerStatus()
	for address := range addresses { // want "unstablewrite: map order .*Ingress"
		lb.WithIngress(networkingv1ac.IngressLoadBalancerIngress().WithIP(address))
	}
	ingress := networkingv1ac.Ingress(req.Name, req.Namespace).
		WithStatus(networkingv1ac.IngressStatus().WithLoadBalancer(lb))
	_, err := r.Clientset.NetworkingV1().Ingresses(req.Namespace).
		ApplyStatus(ctx, ingress, metav1.ApplyOptions{FieldManager: "thing", Force: true})
	return ctrl.Result{}, err
}
