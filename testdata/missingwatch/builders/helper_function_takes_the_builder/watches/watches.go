// Package watches has watches that several controllers share.
package watches

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// OwnSecrets makes the controller see the Secrets that it controls.
func OwnSecrets(b *builder.Builder) *builder.Builder {
	return b.Owns(&corev1.Secret{}, builder.WithPredicates(predicate.ResourceVersionChangedPredicate{}))
}
