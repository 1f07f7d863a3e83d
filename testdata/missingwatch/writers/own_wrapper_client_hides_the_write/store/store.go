// Package store reads and writes what the operator needs, and nothing else.
package store

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Store reads Things and writes Secrets.
type Store interface {
	Thing(ctx context.Context, key types.NamespacedName) (*thingapi.Thing, error)
	WriteSecret(ctx context.Context, secret *corev1.Secret) error
}

type clusterStore struct {
	c client.Client
}

// New returns a Store in the cluster of c.
func New(c client.Client) Store {
	return &clusterStore{c: c}
}

// Thing implements Store.
func (s *clusterStore) Thing(ctx context.Context, key types.NamespacedName) (*thingapi.Thing, error) {
	thing := &thingapi.Thing{}
	if err := s.c.Get(ctx, key, thing); err != nil {
		return nil, err
	}
	return thing, nil
}

// WriteSecret implements Store.
func (s *clusterStore) WriteSecret(ctx context.Context, secret *corev1.Secret) error {
	err := s.c.Update(ctx, secret)
	if apierrors.IsNotFound(err) {
		return s.c.Create(ctx, secret)
	}
	return err
}
