// Package fixture makes helpers with options. What a helper does depends on them.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type step interface {
	take(ctx context.Context, thing *thingapi.Thing) error
}

// access is a step that keeps the account of a Thing and, if there are rules, a Role.
type access struct {
	client.Client
	suffix string
	rules  []rbacv1.PolicyRule
}

type option func(*access)

func withRule(rule rbacv1.PolicyRule) option {
	return func(a *access) { a.rules = append(a.rules, rule) }
}

func withSuffix(suffix string) option { return func(a *access) { a.suffix = suffix } }

func newAccess(c client.Client, options ...option) step {
	a := &access{Client: c, rules: make([]rbacv1.PolicyRule, 0)}
	for _, set := range options {
		set(a)
	}
	return a
}

func (a access) take(ctx context.Context, thing *thingapi.Thing) error {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + a.suffix, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, a.Client, account, func() error { return nil }); err != nil {
		return err
	}
	return a.role(ctx, thing)
}

func (a access) role(ctx context.Context, thing *thingapi.Thing) error {
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + a.suffix, Namespace: thing.Namespace}}
	if len(a.rules) == 0 {
		return client.IgnoreNotFound(a.Delete(ctx, role))
	}
	_, err := controllerutil.CreateOrUpdate(ctx, a.Client, role, func() error {
		role.Rules = a.rules
		return nil
	})
	return err
}

// NoOptionAddsARule only ever deletes the Role of a Thing.
type NoOptionAddsARule struct{ client.Client }

func (r *NoOptionAddsARule) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, s := range []step{newAccess(r.Client), newAccess(r.Client, withSuffix("-job"))} {
		if err := s.take(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *NoOptionAddsARule) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}

// OneOptionAddsARule keeps a Role for one of two accounts.
type OneOptionAddsARule struct{ client.Client }

func (r *OneOptionAddsARule) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	rule := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"get"}}
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, s := range []step{newAccess(r.Client), newAccess(r.Client, withSuffix("-job"), withRule(rule))} {
		if err := s.take(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *OneOptionAddsARule) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ServiceAccount" "missingwatch: .*Role"
}
