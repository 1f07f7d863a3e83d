// Package kube is the project's own view of a client.
package kube

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/writers/object_passed_by_value_to_a_wrapper_client/secret"
)

// Client is a client.Client with methods for Secrets.
type Client interface {
	client.Client
	secret.Writer
}

type wrapped struct {
	client.Client
}

// NewClient returns a Client that works through c.
func NewClient(c client.Client) Client {
	return wrapped{Client: c}
}

// CreateSecret implements secret.Writer.
func (w wrapped) CreateSecret(ctx context.Context, s corev1.Secret) error {
	return w.Create(ctx, &s)
}

// UpdateSecret implements secret.Writer.
func (w wrapped) UpdateSecret(ctx context.Context, s corev1.Secret) error {
	return w.Update(ctx, &s)
}
