// Package manifests knows what a Thing needs and how to bring it up to date.
package manifests

import (
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// BuildSorted returns the objects of thing.
func BuildSorted(thing *thingapi.Thing) []client.Object {
	return []client.Object{sortedCollector(thing)}
}

// MutateSorted returns a function that makes existing like desired.
func MutateSorted(existing, desired client.Object) controllerutil.MutateFn {
	return func() error {
		existing.SetAnnotations(desired.GetAnnotations())
		if obj, ok := existing.(*appsv1.DaemonSet); ok {
			obj.Spec.Template = desired.(*appsv1.DaemonSet).Spec.Template
		}
		return nil
	}
}

func sortedCollector(thing *thingapi.Thing) *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	ds.Spec.Template.Spec.Containers = []corev1.Container{{Name: "collector", Args: args(thing.Spec.Config)}}
	return ds
}

func args(flags map[string]string) []string {
	sorted := make([]string, 0, len(flags))
	for k, v := range flags {
		sorted = append(sorted, "--"+k+"="+v)
	}
	sort.Strings(sorted)
	return append([]string{"run"}, sorted...)
}

// Build returns the objects of thing.
func Build(thing *thingapi.Thing) []client.Object {
	return []client.Object{collector(thing), account(thing)}
}

// Mutate returns a function that makes existing like desired.
func Mutate(existing, desired client.Object) controllerutil.MutateFn {
	return func() error {
		existing.SetLabels(desired.GetLabels())
		switch obj := existing.(type) {
		case *appsv1.DaemonSet:
			obj.Spec.Template = desired.(*appsv1.DaemonSet).Spec.Template
		case *corev1.ServiceAccount:
			obj.ImagePullSecrets = desired.(*corev1.ServiceAccount).ImagePullSecrets
		}
		return nil
	}
}

func collector(thing *thingapi.Thing) *appsv1.DaemonSet {
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	var args []string
	for k, v := range thing.Spec.Config {
		args = append(args, "--"+k+"="+v)
	}
	ds.Spec.Template.Spec.Containers = []corev1.Container{{Name: "collector", Image: thing.Spec.Image, Args: args}}
	return ds
}

func account(thing *thingapi.Thing) *corev1.ServiceAccount {
	return &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
}
