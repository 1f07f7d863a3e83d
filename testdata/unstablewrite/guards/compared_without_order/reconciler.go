// Package controller compares a list in map order with the stored one.
package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ComparedAsSetsBeforeTheWrite takes over a list in map order, but only if it
// differs from the stored one as a set.
type ComparedAsSetsBeforeTheWrite struct {
	client.Client
}

func (r *ComparedAsSetsBeforeTheWrite) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	names := make([]string, 0, len(thing.Spec.Config))
	for name := range thing.Spec.Config {
		names = append(names, name)
	}
	if sets.New(thing.Status.Members...).Equal(sets.New(names...)) {
		return ctrl.Result{}, nil
	}
	thing.Status.Members = names
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// OwnComparisonWithoutOrder takes over env vars in map order only if they
// differ from the live ones as sets, which a function of its own says.
type OwnComparisonWithoutOrder struct {
	client.Client
}

func sameEnv(a, b []corev1.EnvVar) bool {
	if len(a) != len(b) {
		return false
	}
	values := make(map[string]string, len(a))
	for _, v := range a {
		values[v.Name] = v.Value
	}
	for _, v := range b {
		if value, ok := values[v.Name]; !ok || value != v.Value {
			return false
		}
	}
	return true
}

func (r *OwnComparisonWithoutOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	var env []corev1.EnvVar
	for name, value := range thing.Spec.Config {
		env = append(env, corev1.EnvVar{Name: name, Value: value})
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	if sameEnv(main.Env, env) {
		return ctrl.Result{}, nil
	}
	main.Env = env
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

// CopiesSortedForTheComparison sorts copies of the old and the new list to
// compare them, and writes the unsorted one only if they differ.
type CopiesSortedForTheComparison struct {
	client.Client
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

func (r *CopiesSortedForTheComparison) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	members := lo.Keys(thing.Spec.Config)
	if slices.Equal(sorted(members), sorted(thing.Status.Members)) {
		return ctrl.Result{}, nil
	}
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// EqualityGuardFedByTheOrderItself compares before it writes, but what it
// compares is already shuffled: the guard lets nearly every write pass.
type EqualityGuardFedByTheOrderItself struct {
	client.Client
}

func (r *EqualityGuardFedByTheOrderItself) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	existing := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, existing); err != nil {
		return ctrl.Result{}, err
	}
	var env []corev1.EnvVar
	for k, v := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	if equality.Semantic.DeepEqual(existing.Spec.Template.Spec.Containers[0].Env, env) {
		return ctrl.Result{}, nil
	}
	existing.Spec.Template.Spec.Containers[0].Env = env
	return ctrl.Result{}, r.Update(ctx, existing)
}

// ComparedWithWhatASecondCallBuilds updates a Deployment only if its env
// differs from the one wished. If that has an order of its own each time it is
// built, it always does.
type ComparedWithWhatASecondCallBuilds struct {
	client.Client
}

func (r *ComparedWithWhatASecondCallBuilds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	if r.needsUpdate(&thing, main) {
		main.Env = r.env(&thing)
		return ctrl.Result{}, r.Update(ctx, &deploy)
	}
	if r.needsSorted(&thing, main) {
		main.Env = r.labels(&thing)
		return ctrl.Result{}, r.Update(ctx, &deploy)
	}
	return ctrl.Result{}, nil
}

func (r *ComparedWithWhatASecondCallBuilds) needsUpdate(thing *thingapi.Thing, main *corev1.Container) bool {
	if main.Image != thing.Spec.Image {
		return true
	}
	wished := r.env(thing)
	if !equality.Semantic.DeepEqual(main.Env, wished) {
		return true
	}
	return false
}

func (r *ComparedWithWhatASecondCallBuilds) env(thing *thingapi.Thing) []corev1.EnvVar {
	var env []corev1.EnvVar
	for k, v := range thing.Spec.Config { // want "unstablewrite: map order reaches Deployment spec.template.spec.containers.env"
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	return env
}

// needsSorted compares two copies in order.
func (r *ComparedWithWhatASecondCallBuilds) needsSorted(thing *thingapi.Thing, main *corev1.Container) bool {
	return !equality.Semantic.DeepEqual(sortedEnv(main.Env), sortedEnv(r.labels(thing)))
}

func (r *ComparedWithWhatASecondCallBuilds) labels(thing *thingapi.Thing) []corev1.EnvVar {
	var env []corev1.EnvVar
	for k, v := range thing.Spec.Labels {
		env = append(env, corev1.EnvVar{Name: k, Value: v})
	}
	return env
}

func sortedEnv(env []corev1.EnvVar) []corev1.EnvVar {
	env = slices.Clone(env)
	slices.SortFunc(env, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	return env
}
