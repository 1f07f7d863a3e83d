// Package controller derives the ports of a Service from a package-level map.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

var ports = map[string]int32{"http": 80, "https": 443, "metrics": 9090}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Selector = map[string]string{"app": req.Name}
		service.Spec.Ports = servicePorts()
		return nil
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func servicePorts() []corev1.ServicePort {
	list := []corev1.ServicePort{}
	for name, port := range ports { // want "unstablewrite: map order .*Service"
		list = append(list, corev1.ServicePort{Name: name, Port: port, TargetPort: intstr.FromString(name)})
	}
	return list
}
