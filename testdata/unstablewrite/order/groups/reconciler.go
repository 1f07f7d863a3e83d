// Package controller groups the entries of a map.
package controller

import (
	"context"
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// GroupedInMapOrderAndSortedInside groups the entries of a map and sorts each
// group, also the order of the groups.
type GroupedInMapOrderAndSortedInside struct {
	client.Client
}

func (r *GroupedInMapOrderAndSortedInside) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	groups := make(map[string][]string)
	for name, group := range thing.Spec.Config {
		groups[group] = append(groups[group], name)
	}
	var rules []rbacv1.PolicyRule
	for group, resources := range groups {
		slices.Sort(resources)
		rules = append(rules, rbacv1.PolicyRule{APIGroups: []string{group}, Resources: resources, Verbs: []string{"get"}})
	}
	slices.SortFunc(rules, func(a, b rbacv1.PolicyRule) int {
		return strings.Compare(a.APIGroups[0], b.APIGroups[0])
	})
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: thing.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Rules = rules
		return nil
	})
	return ctrl.Result{}, err
}

// GroupsSortedInASecondLoop groups in map order, sorts each group in a second
// loop and marshals the map.
type GroupsSortedInASecondLoop struct {
	client.Client
}

func (r *GroupsSortedInASecondLoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	groups := map[string][]string{}
	for name, group := range thing.Spec.Config {
		groups[group] = append(groups[group], name)
	}
	for group := range groups {
		sort.Strings(groups[group])
	}
	raw, err := json.Marshal(groups)
	if err != nil {
		return ctrl.Result{}, err
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"groups.json": string(raw)}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// ValuesGroupedInMapOrderAndMarshalled inverts a map into lists: the JSON's
// keys are sorted, the lists inside are not.
type ValuesGroupedInMapOrderAndMarshalled struct {
	client.Client
}

func (r *ValuesGroupedInMapOrderAndMarshalled) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	byTier := make(map[string][]string)
	for name, tier := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
		byTier[tier] = append(byTier[tier], name)
	}
	raw, err := json.Marshal(byTier)
	if err != nil {
		return ctrl.Result{}, err
	}
	cm := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"tiers.json": string(raw)}
	return ctrl.Result{}, r.Update(ctx, cm)
}
