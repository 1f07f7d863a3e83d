// Package controller flattens maps of maps and of slices.
package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"
)

// HostsFromNestedMaps flattens a map of maps; either level alone would shuffle
// the rules of the Ingress.
type HostsFromNestedMaps struct {
	client.Client
}

func (r *HostsFromNestedMaps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ingress := &networkingv1.Ingress{}
	if err := r.Get(ctx, req.NamespacedName, ingress); err != nil {
		return ctrl.Result{}, err
	}
	byZone := make(map[string]map[string]bool)
	for name, zone := range thing.Spec.Config {
		if byZone[zone] == nil {
			byZone[zone] = make(map[string]bool)
		}
		byZone[zone][name] = true
	}
	var rules []networkingv1.IngressRule
	for zone, names := range byZone { // want "unstablewrite: map order .*Ingress"
		for name := range names { // want "unstablewrite: map order .*Ingress"
			rules = append(rules, networkingv1.IngressRule{Host: name + "." + zone})
		}
	}
	ingress.Spec.Rules = rules
	return ctrl.Result{}, r.Update(ctx, ingress)
}

// NestedValuesFlattenedByRecursion flattens nested values by recursion, in map
// order on every level.
type NestedValuesFlattenedByRecursion struct {
	client.Client
}

func (r *NestedValuesFlattenedByRecursion) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var values map[string]any
	if err := yaml.Unmarshal([]byte(cm.Data["values.yaml"]), &values); err != nil {
		return ctrl.Result{}, err
	}
	var lines []string
	flatten("", values, &lines)
	cm.Data["values.properties"] = strings.Join(lines, "\n")
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func flatten(prefix string, values map[string]any, lines *[]string) {
	for key, value := range values { // want "unstablewrite: map order .*ConfigMap"
		if nested, ok := value.(map[string]any); ok {
			flatten(prefix+key+".", nested, lines)
			continue
		}
		*lines = append(*lines, fmt.Sprintf("%s%s=%v", prefix, key, value))
	}
}

// RulesOfARoleFromAMapOfGroups grants the resources of each API group; the
// groups come in map order, the resources of one group in the order of a slice.
type RulesOfARoleFromAMapOfGroups struct {
	client.Client
}

var grants = map[string][]string{
	"":     {"configmaps", "secrets"},
	"apps": {"deployments"},
}

func (r *RulesOfARoleFromAMapOfGroups) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, role, func() error {
		role.Rules = nil
		for group, resources := range grants { // want "unstablewrite: map order .*Role"
			for _, res := range resources {
				role.Rules = append(role.Rules, rbacv1.PolicyRule{
					APIGroups: []string{group},
					Resources: []string{res},
					Verbs:     []string{"get", "list", "watch"},
				})
			}
		}
		return nil
	})
	return ctrl.Result{}, err
}
