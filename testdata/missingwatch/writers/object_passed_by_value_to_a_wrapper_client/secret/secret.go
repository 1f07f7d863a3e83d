// Package secret writes Secrets.
package secret

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Writer creates and updates Secrets.
type Writer interface {
	CreateSecret(ctx context.Context, s corev1.Secret) error
	UpdateSecret(ctx context.Context, s corev1.Secret) error
}

// CreateOrUpdate updates the Secret, or creates it where there is none.
func CreateOrUpdate(ctx context.Context, w Writer, s corev1.Secret) error {
	err := w.UpdateSecret(ctx, s)
	if apierrors.IsNotFound(err) {
		return w.CreateSecret(ctx, s)
	}
	return err
}
