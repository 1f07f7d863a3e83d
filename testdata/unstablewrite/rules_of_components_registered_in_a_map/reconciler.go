// Package controller asks the components in a registry, which is a map, for their
// rules.
package controller

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type component interface {
	Rules() []rbacv1.PolicyRule
}

type metrics struct{}

func (metrics) Rules() []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{{NonResourceURLs: []string{"/metrics"}, Verbs: []string{"get"}}}
}

type storage struct{}

func (storage) Rules() []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"persistentvolumes"}, Verbs: []string{"get"}}}
}

type Reconciler struct {
	client.Client
	components map[string]component
}

func NewReconciler(c client.Client) *Reconciler {
	return &Reconciler{Client: c, components: map[string]component{"metrics": metrics{}, "storage": storage{}}}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var rules []rbacv1.PolicyRule
	for _, c := range r.components { // want "unstablewrite: map order .*ClusterRole"
		rules = append(rules, c.Rules()...)
	}
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: req.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Rules = rules
		return nil
	})
	return ctrl.Result{}, err
}
