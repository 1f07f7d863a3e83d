// Package controller sorts late, in place, or in its own ways.
package controller

import (
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// SortedByANamedType sorts by a type that implements sort.Interface.
type SortedByANamedType struct {
	client.Client
}

type byName []corev1.VolumeMount

func (m byName) Len() int { return len(m) }

func (m byName) Less(i, j int) bool { return m[i].Name < m[j].Name }

func (m byName) Swap(i, j int) { m[i], m[j] = m[j], m[i] }

func (r *SortedByANamedType) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var mounts []corev1.VolumeMount
	for name, path := range thing.Spec.Config {
		mounts = append(mounts, corev1.VolumeMount{Name: name, MountPath: path})
	}
	sort.Sort(byName(mounts))
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, ds, func() error {
		ds.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", VolumeMounts: mounts}}
		return nil
	})
	return ctrl.Result{}, err
}

// SortedInReverse sorts backwards, which is an order too.
type SortedInReverse struct {
	client.Client
}

func (r *SortedInReverse) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	versions := lo.Keys(thing.Spec.Config)
	sort.Sort(sort.Reverse(sort.StringSlice(versions)))
	base := thing.DeepCopy()
	thing.Status.Members = versions
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

// NamedResultSortedInADefer sorts a named result in a deferred function.
type NamedResultSortedInADefer struct {
	client.Client
}

func (r *NamedResultSortedInADefer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Members = members(&thing)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func members(thing *thingapi.Thing) (names []string) {
	defer func() { sort.Strings(names) }()
	for name := range thing.Spec.Config {
		names = append(names, name)
	}
	return names
}

// SortedInPlaceInsideTheObject assembles the object first and sorts inside it,
// right before the write.
type SortedInPlaceInsideTheObject struct {
	client.Client
}

func (r *SortedInPlaceInsideTheObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, err
	}
	service.Spec.ExternalIPs = nil
	for _, ip := range thing.Spec.Config {
		service.Spec.ExternalIPs = append(service.Spec.ExternalIPs, ip)
	}
	sort.Strings(service.Spec.ExternalIPs)
	return ctrl.Result{}, r.Update(ctx, &service)
}

// SortedThroughAPointerToTheSlice sorts lists through pointers to them, shortly
// before the write.
type SortedThroughAPointerToTheSlice struct {
	client.Client
}

func normalise(lists ...*[]corev1.EnvVar) {
	for _, list := range lists {
		slices.SortFunc(*list, func(a, b corev1.EnvVar) int { return strings.Compare(a.Name, b.Name) })
	}
}

func (r *SortedThroughAPointerToTheSlice) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	main := &deploy.Spec.Template.Spec.Containers[0]
	main.Env = nil
	for k, v := range thing.Spec.Config {
		main.Env = append(main.Env, corev1.EnvVar{Name: k, Value: v})
	}
	normalise(&main.Env)
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
