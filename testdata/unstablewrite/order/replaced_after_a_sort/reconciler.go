// Package controller has helpers that compare an old list with a new one.
package controller

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// OldListSorted sorts the old list alone.
type OldListSorted struct {
	client.Client
	IPs map[string]bool
}

func (r *OldListSorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ips []string
	for ip := range r.IPs { // want "unstablewrite: map order reaches Service spec.externalIPs in Update"
		ips = append(ips, ip)
	}
	replaceOld(&svc, ips)
	return ctrl.Result{}, r.Update(ctx, &svc)
}

func replaceOld(svc *corev1.Service, ips []string) {
	slices.Sort(svc.Spec.ExternalIPs)
	if !slices.Equal(svc.Spec.ExternalIPs, ips) {
		svc.Spec.ExternalIPs = ips
	}
}

// BothListsSorted sorts both.
type BothListsSorted struct {
	client.Client
	IPs map[string]bool
}

func (r *BothListsSorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ips []string
	for ip := range r.IPs {
		ips = append(ips, ip)
	}
	replaceBoth(&svc, ips)
	return ctrl.Result{}, r.Update(ctx, &svc)
}

func replaceBoth(svc *corev1.Service, ips []string) {
	slices.Sort(svc.Spec.ExternalIPs)
	slices.Sort(ips)
	if !slices.Equal(svc.Spec.ExternalIPs, ips) {
		svc.Spec.ExternalIPs = ips
	}
}

// SortedInItsPlace sorts the new list after it is assigned.
type SortedInItsPlace struct {
	client.Client
	IPs map[string]bool
}

func (r *SortedInItsPlace) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ips []string
	for ip := range r.IPs {
		ips = append(ips, ip)
	}
	assign(&svc, ips)
	return ctrl.Result{}, r.Update(ctx, &svc)
}

func assign(svc *corev1.Service, ips []string) {
	svc.Spec.ExternalIPs = ips
	slices.Sort(svc.Spec.ExternalIPs)
}
