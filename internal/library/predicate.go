package library

import "go/types"

// A Combination says which updates a predicate that is made of others lets
// through.
type Combination int

const (
	// AllOf lets through what all of the others do.
	AllOf Combination = iota + 1
	// AnyOf lets through what one of the others does.
	AnyOf
	// NoneOf lets through what the other one does not.
	NoneOf
)

// Changes are the kinds of changes that an update of an object may consist of.
type Changes uint8

const (
	// Generation: what makes the API server count metadata.generation up,
	// which is mostly the spec.
	Generation Changes = 1 << iota
	// Status: the status.
	Status
	// Content: of an object without a generation all but its metadata.
	Content
	Labels
	Annotations

	AnyChange = Generation | Status | Content | Labels | Annotations
)

// IsPredicate reports whether a value of type t is a predicate, a list of them,
// or an option of a watch that holds some.
func IsPredicate(t types.Type) bool {
	if t == nil {
		return false
	}
	if TypeOf(t).Is == PredicateOption {
		return true
	}
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	update := types.NewMethodSet(t).Lookup(nil, "Update")
	if update == nil {
		return false
	}
	sig, ok := update.Type().(*types.Signature)
	return ok && sig.Params().Len() == 1 && TypeOf(sig.Params().At(0).Type()).Is == UpdateEvent &&
		sig.Results().Len() == 1 && IsBool(sig.Results().At(0).Type())
}

// IsBool reports whether t is a boolean type.
func IsBool(t types.Type) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
