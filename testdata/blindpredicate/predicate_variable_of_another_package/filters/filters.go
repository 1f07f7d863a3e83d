// Package filters holds predicates.
package filters

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// SpecChanged drops updates that leave the spec alone.
var SpecChanged = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
	},
}

// Meaningful drops updates of the status.
var Meaningful predicate.Predicate = predicate.Or(SpecChanged, predicate.LabelChangedPredicate{}, predicate.AnnotationChangedPredicate{})
