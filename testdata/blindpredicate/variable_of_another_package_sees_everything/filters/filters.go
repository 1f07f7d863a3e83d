// Package filters holds predicates.
package filters

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Changed drops what a resync repeats.
var Changed = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetResourceVersion() != e.ObjectNew.GetResourceVersion()
	},
}

// Chosen is what the settings say.
var Chosen predicate.Predicate = predicate.GenerationChangedPredicate{}

// Choose makes all updates pass.
func Choose() { Chosen = predicate.Funcs{} }
