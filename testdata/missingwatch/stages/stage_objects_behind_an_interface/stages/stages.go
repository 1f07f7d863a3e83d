// Package stages holds the pieces of the work on a Thing.
package stages

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Storage keeps the claim of a Thing.
type Storage struct {
	c      client.Client
	scheme *runtime.Scheme
}

// NewStorage returns the stage for storage.
func NewStorage(c client.Client, scheme *runtime.Scheme) *Storage {
	return &Storage{c: c, scheme: scheme}
}

// Run creates the claim.
func (s *Storage) Run(ctx context.Context, thing *thingapi.Thing) error {
	claim := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-data", Namespace: thing.Namespace},
		Spec:       corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}},
	}
	if err := controllerutil.SetControllerReference(thing, claim, s.scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(s.c.Create(ctx, claim))
}

// Network keeps the Service of a Thing.
type Network struct {
	c      client.Client
	scheme *runtime.Scheme
}

// NewNetwork returns the stage for the network.
func NewNetwork(c client.Client, scheme *runtime.Scheme) *Network {
	return &Network{c: c, scheme: scheme}
}

// Run creates or updates the Service.
func (n *Network) Run(ctx context.Context, thing *thingapi.Thing) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, n.c, service, func() error {
		service.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}}
		return controllerutil.SetControllerReference(thing, service, n.scheme)
	})
	return err
}
