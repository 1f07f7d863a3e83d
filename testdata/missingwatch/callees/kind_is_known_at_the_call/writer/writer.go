// Package writer creates objects of any kind, and of one.
package writer

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Writer creates objects that are not there.
type Writer struct{ client.Client }

// Create takes any object, so that nobody has to look for its kind here.
func (w Writer) Create(ctx context.Context, obj client.Object) error {
	return client.IgnoreAlreadyExists(w.Client.Create(ctx, obj))
}

// Account knows the kind before it calls the function that takes any.
func (w Writer) Account(ctx context.Context, name, namespace string) error {
	return w.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}})
}

// Secret takes objects of one kind. The kind is known at the write itself.
func (w Writer) Secret(ctx context.Context, secret *corev1.Secret) error {
	return client.IgnoreAlreadyExists(w.Client.Create(ctx, secret))
}
