// Package controller asks a function about each condition, before it sets one.
package controller

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const gate corev1.PodConditionType = "example.com/gate"

func open() corev1.PodCondition {
	return corev1.PodCondition{Type: gate, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()}
}

// ConditionKeptIfItSaysTheSame compares all but the time.
type ConditionKeptIfItSaysTheSame struct {
	client.Client
}

func (r *ConditionKeptIfItSaysTheSame) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted := open()
	saysTheSame := func(c corev1.PodCondition) bool { return c.Type == wanted.Type && c.Status == wanted.Status }
	if slices.ContainsFunc(pod.Status.Conditions, saysTheSame) {
		return ctrl.Result{}, nil
	}
	pod.Status.Conditions = []corev1.PodCondition{wanted}
	return ctrl.Result{}, r.Status().Update(ctx, &pod)
}

// ConditionComparedWithItsTime compares the time, too, so that no condition is the same.
type ConditionComparedWithItsTime struct {
	client.Client
}

func (r *ConditionComparedWithItsTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted := corev1.PodCondition{Type: gate, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()} // want "unstablewrite: metav1\\.Now .*Pod"
	if slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c == wanted }) {
		return ctrl.Result{}, nil
	}
	pod.Status.Conditions = []corev1.PodCondition{wanted}
	return ctrl.Result{}, r.Status().Update(ctx, &pod)
}

// GateAddedToPodsThatLackIt adds one condition to each of several Pods. That a Pod lacks it
// does not depend on the time that another one was given.
type GateAddedToPodsThatLackIt struct {
	client.Client
}

func (r *GateAddedToPodsThatLackIt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	wanted := open()
	for i := range pods.Items {
		pod := &pods.Items[i]
		if slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == gate }) {
			continue
		}
		pod.Status.Conditions = append(pod.Status.Conditions, wanted)
		if err := r.Status().Update(ctx, pod); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}
