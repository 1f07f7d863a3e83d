// Package controller hands objects with lists to functions of libraries.
package controller

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// EventBeforeTheUpdate records an event of an object: that sorts nothing.
type EventBeforeTheUpdate struct {
	client.Client
	Recorder record.EventRecorder
}

func (r *EventBeforeTheUpdate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil { // want "unstablewrite: list order reaches Service spec.externalIPs"
		return ctrl.Result{}, err
	}
	svc.Spec.ExternalIPs = nil
	for _, pod := range pods.Items {
		svc.Spec.ExternalIPs = append(svc.Spec.ExternalIPs, pod.Status.PodIP)
	}
	r.Recorder.Event(&svc, corev1.EventTypeNormal, "Listed", "pods are listed")
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// EventAfterASort sorts first.
type EventAfterASort struct {
	client.Client
	Recorder record.EventRecorder
}

func (r *EventAfterASort) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	svc.Spec.ExternalIPs = nil
	for _, pod := range pods.Items {
		svc.Spec.ExternalIPs = append(svc.Spec.ExternalIPs, pod.Status.PodIP)
	}
	slices.Sort(svc.Spec.ExternalIPs)
	r.Recorder.Event(&svc, corev1.EventTypeNormal, "Listed", "pods are listed")
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// arranger is an interface of the module, whose types may know the object.
type arranger interface{ Arrange(obj client.Object) }

var arrange arranger

// ArrangedElsewhere leaves the object to unknown code of the module.
type ArrangedElsewhere struct {
	client.Client
}

func (r *ArrangedElsewhere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var sets appsv1.StatefulSetList
	if err := r.List(ctx, &sets, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	svc.Spec.ExternalIPs = nil
	for _, set := range sets.Items {
		svc.Spec.ExternalIPs = append(svc.Spec.ExternalIPs, set.Name)
	}
	arrange.Arrange(&svc)
	return ctrl.Result{}, r.Update(ctx, &svc)
}
