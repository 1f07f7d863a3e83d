// Package controller keeps the keys of a map in a slice, without sorting them,
// and walks over that.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	names := make([]string, 0, len(thing.Spec.Config))
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*Role"
		names = append(names, name)
	}
	rules := make([]rbacv1.PolicyRule, 0, len(names))
	for _, name := range names {
		rules = append(rules, rbacv1.PolicyRule{
			APIGroups: []string{name},
			Resources: strings.Split(thing.Spec.Config[name], ","),
			Verbs:     []string{"*"},
		})
	}
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: thing.Name}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, role, func() error {
		role.Rules = rules
		return nil
	})
	return ctrl.Result{}, err
}
