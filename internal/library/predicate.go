package library

import "go/types"

// A Combination says which updates a predicate that combines others lets
// through.
type Combination int

const (
	// AllOf lets through an update if all of the others do.
	AllOf Combination = iota + 1
	// AnyOf lets through an update if one of the others does.
	AnyOf
	// NoneOf lets through an update if the other predicate does not.
	NoneOf
)

// Changes is a set of the kinds of changes in an update of an object.
type Changes uint8

const (
	// Generation: a change for which the API server increments
	// metadata.generation, mostly one of the spec.
	Generation Changes = 1 << iota
	// Status: a change of the status.
	Status
	// Content: a change outside the metadata of an object without a generation.
	Content
	Labels
	Annotations

	AnyChange = Generation | Status | Content | Labels | Annotations
)

// IsPredicate reports whether a value of type t is a predicate, a list of
// predicates, or an option of a watch that has some.
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
func IsBool(t types.Type) bool { return isBasic(t, types.IsBoolean) }

// IsString reports whether t is a string type.
func IsString(t types.Type) bool { return isBasic(t, types.IsString) }

func isBasic(t types.Type, kind types.BasicInfo) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}
