// Package filters holds predicates.
package filters

import (
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Changed drops what a resync repeats.
func Changed() predicate.Predicate {
	return predicate.Or(predicate.GenerationChangedPredicate{}, predicate.Funcs{UpdateFunc: changed})
}

func changed(e event.UpdateEvent) bool {
	return e.ObjectOld.GetResourceVersion() != e.ObjectNew.GetResourceVersion()
}

// AnyChange drops what a resync repeats.
var AnyChange = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetResourceVersion() != e.ObjectNew.GetResourceVersion()
	},
}

// Chosen is what the settings say.
var Chosen predicate.Predicate = predicate.GenerationChangedPredicate{}

// Choose makes all updates pass.
func Choose() { Chosen = predicate.Funcs{} }

// SpecChanged drops updates that leave the spec alone.
func SpecChanged() predicate.Predicate {
	return predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
		},
		GenericFunc: func(event.GenericEvent) bool { return false },
	}
}

// NewGeneration drops updates that leave the spec alone.
var NewGeneration = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
	},
}

// Meaningful drops updates of the status.
var Meaningful predicate.Predicate = predicate.Or(NewGeneration, predicate.LabelChangedPredicate{}, predicate.AnnotationChangedPredicate{})

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
