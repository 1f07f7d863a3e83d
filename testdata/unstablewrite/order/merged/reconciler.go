// Package controller goes through a map to drop duplicates or to merge.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// MapBuiltFromAMap merges maps; a map has no order to lose.
type MapBuiltFromAMap struct {
	client.Client
}

func (r *MapBuiltFromAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Labels = mergeLabels(cm.Labels, thing.Spec.Labels)
		if cm.Data == nil {
			cm.Data = make(map[string]string)
		}
		for key, value := range thing.Spec.Config {
			cm.Data[key+".conf"] = strings.TrimSpace(value)
		}
		return nil
	})
	return ctrl.Result{}, err
}

func mergeLabels(all ...map[string]string) map[string]string {
	merged := map[string]string{}
	for _, labels := range all {
		for k, v := range labels {
			merged[k] = v
		}
	}
	return merged
}

// TolerationsOrderHiddenInAMergeHelper merges two lists through a map to drop
// duplicates and forgets that this loses the order.
type TolerationsOrderHiddenInAMergeHelper struct {
	client.Client
}

func (r *TolerationsOrderHiddenInAMergeHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var base, extra corev1.PodTemplate
	if err := r.Get(ctx, req.NamespacedName, &base); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, client.ObjectKey{Namespace: req.Namespace, Name: "defaults"}, &extra); err != nil {
		return ctrl.Result{}, err
	}
	base.Template.Spec.Tolerations = mergeTolerations(base.Template.Spec.Tolerations, extra.Template.Spec.Tolerations)
	return ctrl.Result{}, r.Update(ctx, &base)
}

func mergeTolerations(lists ...[]corev1.Toleration) []corev1.Toleration {
	unique := map[corev1.Toleration]bool{}
	for _, list := range lists {
		for _, t := range list {
			unique[t] = true
		}
	}
	merged := make([]corev1.Toleration, 0, len(unique))
	for t := range unique { // want "unstablewrite: map order .*PodTemplate"
		merged = append(merged, t)
	}
	return merged
}

// OwnerReferencesFromAMapByUID dedupes owners by UID and writes the owner list
// in map order.
type OwnerReferencesFromAMapByUID struct {
	client.Client
}

func (r *OwnerReferencesFromAMapByUID) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	base := secret.DeepCopy()
	owners := make(map[types.UID]metav1.OwnerReference)
	for _, ref := range secret.GetOwnerReferences() {
		owners[ref.UID] = ref
	}
	refs := make([]metav1.OwnerReference, 0, len(owners))
	for _, ref := range owners { // want "unstablewrite: map order .*Secret"
		refs = append(refs, ref)
	}
	secret.SetOwnerReferences(refs)
	return ctrl.Result{}, r.Patch(ctx, secret, client.MergeFrom(base))
}

// StatusMembersFilledByIndex fills a slice of the right length by a running
// index; the order is the map's all the same.
type StatusMembersFilledByIndex struct {
	client.Client
}

func (r *StatusMembersFilledByIndex) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	members := make([]string, len(thing.Spec.Config))
	i := 0
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*Thing"
		members[i] = name
		i++
	}
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
