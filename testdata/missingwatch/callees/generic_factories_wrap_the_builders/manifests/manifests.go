// Package manifests renders what a Thing needs.
package manifests

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type factory func(thing *thingapi.Thing) (client.Object, error)

func asFactory[T client.Object](build func(*thingapi.Thing) (T, error)) factory {
	return func(thing *thingapi.Thing) (client.Object, error) {
		return build(thing)
	}
}

// Render returns the objects of a thing.
func Render(thing *thingapi.Thing) ([]client.Object, error) {
	factories := []factory{
		asFactory(config),
		asFactory(policy),
	}
	var objects []client.Object
	for _, build := range factories {
		obj, err := build(thing)
		if err != nil {
			return nil, err
		}
		objects = append(objects, obj)
	}
	return objects, nil
}

func config(thing *thingapi.Thing) (*corev1.ConfigMap, error) {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}, nil
}

func policy(thing *thingapi.Thing) (*networkingv1.NetworkPolicy, error) {
	if thing.Spec.Port == 0 {
		return nil, errors.New("thing has no port")
	}
	return &networkingv1.NetworkPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: networkingv1.NetworkPolicySpec{
			PodSelector: metav1.LabelSelector{MatchLabels: map[string]string{"thing": thing.Name}},
		},
	}, nil
}

// MutateFor returns a function that makes existing look like desired.
func MutateFor(existing, desired client.Object) controllerutil.MutateFn {
	return func() error {
		existing.SetLabels(desired.GetLabels())
		existing.SetOwnerReferences(desired.GetOwnerReferences())
		switch want := desired.(type) {
		case *corev1.ConfigMap:
			existing.(*corev1.ConfigMap).Data = want.Data
		case *networkingv1.NetworkPolicy:
			existing.(*networkingv1.NetworkPolicy).Spec = want.Spec
		}
		return nil
	}
}
