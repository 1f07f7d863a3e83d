// Package controller ranges over map literals.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// MapWithASingleEntry ranges over a map literal of one entry.
type MapWithASingleEntry struct {
	client.Client
}

func (r *MapWithASingleEntry) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	limits := map[string]string{"GOMEMLIMIT": "512MiB"}
	var env []corev1.EnvVar
	for name, value := range limits {
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	deploy.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// MapLiteralInAClosureBecomesArgs keeps defaults in a map literal inside a
// closure; a literal is no more ordered than any other map.
type MapLiteralInAClosureBecomesArgs struct {
	client.Client
}

func (r *MapLiteralInAClosureBecomesArgs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	flags := func(overrides map[string]string) (args []string) {
		defaults := map[string]string{"log-level": "info", "metrics": ":8080", "workers": "4"}
		for flag, value := range defaults { // want "unstablewrite: map order .*Deployment"
			if other, ok := overrides[flag]; ok {
				value = other
			}
			args = append(args, "--"+flag, value)
		}
		return args
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Args: flags(thing.Spec.Config)}}
		return nil
	})
	return ctrl.Result{}, err
}

// ServicePortsFromAMapLiteralOfPorts derives the ports of a Service from a
// package-level map.
type ServicePortsFromAMapLiteralOfPorts struct {
	client.Client
}

var ports = map[string]int32{"http": 80, "https": 443, "metrics": 9090}

func (r *ServicePortsFromAMapLiteralOfPorts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Selector = map[string]string{"app": req.Name}
		service.Spec.Ports = servicePorts()
		return nil
	}); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func servicePorts() []corev1.ServicePort {
	list := []corev1.ServicePort{}
	for name, port := range ports { // want "unstablewrite: map order .*Service"
		list = append(list, corev1.ServicePort{Name: name, Port: port, TargetPort: intstr.FromString(name)})
	}
	return list
}

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

// RulesOfComponentsRegisteredInAMap asks the components in a registry, which is
// a map, for their rules.
type RulesOfComponentsRegisteredInAMap struct {
	client.Client
	components map[string]component
}

func NewReconciler(c client.Client) *RulesOfComponentsRegisteredInAMap {
	return &RulesOfComponentsRegisteredInAMap{Client: c, components: map[string]component{"metrics": metrics{}, "storage": storage{}}}
}

func (r *RulesOfComponentsRegisteredInAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
