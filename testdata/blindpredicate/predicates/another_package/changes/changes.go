// Package changes compares objects.
package changes

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// OfGeneration reports whether the generation has changed.
func OfGeneration(old, new client.Object) bool {
	return !same(old, new)
}

func same(old, new client.Object) bool { return old.GetGeneration() == new.GetGeneration() }
