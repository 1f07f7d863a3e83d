// Package controller shares the work of collecting and sorting with other
// packages.
package controller

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/order/sorted_across_packages/order"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/order/sorted_across_packages/refs"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/order/sorted_across_packages/resources"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// SortedByAHelperOfAnotherPackage lets a helper sort in place.
type SortedByAHelperOfAnotherPackage struct {
	client.Client
}

func (r *SortedByAHelperOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var env []corev1.EnvVar
	for k, v := range thing.Spec.Config {
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	order.Env(env)
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// VolumesSortedByTheCaller gets volumes in map order from a helper of another
// package and sorts them itself.
type VolumesSortedByTheCaller struct {
	client.Client
}

func (r *VolumesSortedByTheCaller) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	volumes := resources.Volumes(&thing)
	slices.SortFunc(volumes, func(a, b corev1.Volume) int { return cmp.Compare(a.Name, b.Name) })

	var sts appsv1.StatefulSet
	if err := r.Get(ctx, req.NamespacedName, &sts); err != nil {
		return ctrl.Result{}, err
	}
	sts.Spec.Template.Spec.Volumes = volumes
	return ctrl.Result{}, r.Update(ctx, &sts)
}

// PartsOfSeveralListsSortedTogether names in its status who refers to a Thing:
// found in several lists, one after the other, and sorted together in the end.
type PartsOfSeveralListsSortedTogether struct {
	client.Client
}

func (r *PartsOfSeveralListsSortedTogether) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	users, err := r.users(ctx, &thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	loose, err := r.unsorted(ctx, &thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type: "InUse", Status: metav1.ConditionTrue, Reason: "Referenced",
		Message: fmt.Sprintf("used by %v", users),
	})
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type: "Mentioned", Status: metav1.ConditionTrue, Reason: "Referenced",
		Message: fmt.Sprintf("mentioned by %v", loose),
	})
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *PartsOfSeveralListsSortedTogether) users(ctx context.Context, thing *thingapi.Thing) ([]refs.Ref, error) {
	var found []refs.Ref
	deploys := &appsv1.DeploymentList{}
	if err := r.List(ctx, deploys, client.InNamespace(thing.Namespace)); err != nil {
		return nil, err
	}
	for i := range deploys.Items {
		found = append(found, refs.Ref{Kind: "Deployment", Name: deploys.Items[i].Name})
	}
	sets := &appsv1.StatefulSetList{}
	if err := r.List(ctx, sets, client.InNamespace(thing.Namespace)); err != nil {
		return nil, err
	}
	for i := range sets.Items {
		found = append(found, refs.Ref{Kind: "StatefulSet", Name: sets.Items[i].Name})
	}
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(thing.Namespace)); err != nil {
		return nil, err
	}
	for i := range pods.Items {
		found = append(found, refs.Ref{Kind: "Pod", Name: pods.Items[i].Name})
	}
	refs.Sort(found)
	return found, nil
}

// unsorted sorts before the last list.
func (r *PartsOfSeveralListsSortedTogether) unsorted(ctx context.Context, thing *thingapi.Thing) ([]refs.Ref, error) {
	var found []refs.Ref
	deploys := &appsv1.DeploymentList{}
	if err := r.List(ctx, deploys, client.InNamespace(thing.Namespace)); err != nil {
		return nil, err
	}
	for i := range deploys.Items {
		found = append(found, refs.Ref{Kind: "Deployment", Name: deploys.Items[i].Name})
	}
	refs.Sort(found)
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(thing.Namespace)); err != nil { // want "unstablewrite: list order reaches Thing status.conditions"
		return nil, err
	}
	for i := range pods.Items {
		found = append(found, refs.Ref{Kind: "Pod", Name: pods.Items[i].Name})
	}
	return found, nil
}
