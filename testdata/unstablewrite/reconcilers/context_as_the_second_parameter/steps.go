// Package steps has the steps of a reconciler of another package. They get the reconciler
// first, and then the context.
package steps

import (
	"context"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Reconciler is what a step needs of the reconciler.
type Reconciler interface {
	client.Client
	Namespace() string
}

func service(r Reconciler, thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace(), Name: thing.Name}}
}

// Unsorted is wrong.
type Unsorted struct{}

func (Unsorted) Ensure(r Reconciler, ctx context.Context, thing *thingapi.Thing) error {
	svc := service(r, thing)
	_, err := controllerutil.CreateOrUpdate(ctx, r, svc, func() error {
		svc.Spec.ExternalIPs = nil
		for ip := range thing.Spec.Config { // want "unstablewrite: .*map order.*Service"
			svc.Spec.ExternalIPs = append(svc.Spec.ExternalIPs, ip)
		}
		return nil
	})
	return err
}

// Sorted is right.
type Sorted struct{}

func (Sorted) Ensure(r Reconciler, ctx context.Context, thing *thingapi.Thing) error {
	svc := service(r, thing)
	_, err := controllerutil.CreateOrUpdate(ctx, r, svc, func() error {
		svc.Spec.ExternalIPs = slices.Sorted(maps.Keys(thing.Spec.Config))
		return nil
	})
	return err
}
