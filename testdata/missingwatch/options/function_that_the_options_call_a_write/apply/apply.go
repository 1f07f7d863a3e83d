// Package apply hides how it writes behind an interface.
package apply

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Applier is implemented elsewhere.
type Applier interface {
	Apply(ctx context.Context, owner metav1.Object, obj client.Object) error
	ApplyAll(ctx context.Context, objs ...client.Object) error
}

// Account applies a ServiceAccount.
func Account(ctx context.Context, a Applier, owner client.Object) error {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: owner.GetName(), Namespace: owner.GetNamespace()}}
	return a.Apply(ctx, owner, account)
}
