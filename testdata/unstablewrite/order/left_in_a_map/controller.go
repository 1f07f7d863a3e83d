// Package controller takes entries out of a map before it ranges over the rest.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func wantedPorts() map[string]corev1.ServicePort {
	return map[string]corev1.ServicePort{"http": {Name: "http", Port: 80}, "metrics": {Name: "metrics", Port: 9090}, "admin": {Name: "admin", Port: 81}}
}

// PortsMerged keeps the ports that the Service has in their order.
type PortsMerged struct {
	client.Client
}

func (r *PortsMerged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	svc.Spec.Ports = merge(svc.Spec.Ports, wantedPorts())
	return ctrl.Result{}, r.Update(ctx, &svc)
}

func merge(stored []corev1.ServicePort, wanted map[string]corev1.ServicePort) []corev1.ServicePort {
	var ports []corev1.ServicePort
	for _, port := range stored {
		if want, ok := wanted[port.Name]; ok {
			want.NodePort = port.NodePort
			ports = append(ports, want)
			delete(wanted, port.Name)
		}
	}
	for _, port := range wanted {
		ports = append(ports, port)
	}
	return ports
}

// PortsLeftOut leaves out ports as a Thing says.
type PortsLeftOut struct {
	client.Client
}

func (r *PortsLeftOut) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted := wantedPorts()
	for _, name := range thing.Spec.Hosts {
		delete(wanted, name)
	}
	var ports []corev1.ServicePort
	for _, port := range wanted { // want "unstablewrite: map order reaches Service spec\\.ports in Update"
		ports = append(ports, port)
	}
	svc.Spec.Ports = ports
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// Rest lists the hosts that no Service has.
type Rest struct {
	client.Client
}

func (r *Rest) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	svc.Spec.ExternalIPs = without(thing.Spec.Hosts, svc.Spec.LoadBalancerSourceRanges)
	return ctrl.Result{}, r.Update(ctx, &svc)
}

func without(all, some []string) []string {
	m := make(map[string]bool)
	for _, item := range all {
		m[item] = true
	}
	for _, item := range some {
		delete(m, item)
	}
	var rest []string
	for item := range m { // want "unstablewrite: map order reaches Service spec\\.externalIPs in Update"
		rest = append(rest, item)
	}
	return rest
}
