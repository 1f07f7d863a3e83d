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

// Keys keeps the Secret of a Thing.
type Keys struct {
	c      client.Client
	scheme *runtime.Scheme
}

// NewKeys returns the stage for keys.
func NewKeys(c client.Client, scheme *runtime.Scheme) *Keys {
	return &Keys{c: c, scheme: scheme}
}

// Run creates the Secret.
func (s *Keys) Run(ctx context.Context, thing *thingapi.Thing) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-keys", Namespace: thing.Namespace},
		StringData: map[string]string{"image": thing.Spec.Image},
	}
	if err := controllerutil.SetControllerReference(thing, secret, s.scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(s.c.Create(ctx, secret))
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
