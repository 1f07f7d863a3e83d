// Package controller tells helpers of another package of an object before it writes
// it.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/callees/helper_of_another_package_that_changes_nothing/note"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// RecordedOrder records an event of the service.
type RecordedOrder struct {
	client.Client
	IPs map[string]bool
}

func (r *RecordedOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ips []string
	for ip := range r.IPs { // want "unstablewrite: map order reaches Service spec.externalIPs in Update"
		ips = append(ips, ip)
	}
	svc.Spec.ExternalIPs = ips
	note.Listed(&svc)
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// SortedByTheHelper calls one that sorts.
type SortedByTheHelper struct {
	client.Client
	IPs map[string]bool
}

func (r *SortedByTheHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ips []string
	for ip := range r.IPs {
		ips = append(ips, ip)
	}
	svc.Spec.ExternalIPs = ips
	note.InOrder(&svc)
	return ctrl.Result{}, r.Update(ctx, &svc)
}
