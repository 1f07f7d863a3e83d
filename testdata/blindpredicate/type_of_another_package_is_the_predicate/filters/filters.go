// Package filters holds predicates.
package filters

import (
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Generation drops updates that do not change the generation.
type Generation struct {
	predicate.Funcs
	Log bool
}

// Update implements predicate.Predicate.
func (g Generation) Update(e event.UpdateEvent) bool {
	changed := e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
	if changed && g.Log {
		fmt.Println(e.ObjectNew.GetName(), "has changed")
	}
	return changed
}
