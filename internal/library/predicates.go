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

// CombinationNamed returns how the function of this name combines the predicates
// that it is given, and whether it does.
func CombinationNamed(name string) (Combination, bool) {
	c, ok := combinations[name]
	return c, ok
}

var combinations = map[string]Combination{
	crtPredicate + ".And":                    AllOf,
	crtPredicate + ".Or":                     AnyOf,
	crtPredicate + ".Not":                    NoneOf,
	crtBuilder + ".WithPredicates":           AllOf, // an option of For, Owns and Watches
	multicluster + "/builder.WithPredicates": AllOf,
}

// predicateOptions are the options that give predicates to a watch.
var predicateOptions = map[string]bool{
	crtBuilder + ".Predicates":           true,
	multicluster + "/builder.Predicates": true,
}

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

// PredicateType returns which of these changes a predicate of the library's type
// of this [TypeName] lets through as an update, and whether it is one that lets
// some through and not others.
func PredicateType(typeName string) (Changes, bool) {
	c, ok := predicateTypes[typeName]
	return c, ok
}

var predicateTypes = map[string]Changes{
	crtPredicate + ".GenerationChangedPredicate":      Generation, // up to 0.18
	crtPredicate + ".TypedGenerationChangedPredicate": Generation,
	crtPredicate + ".LabelChangedPredicate":           Labels, // up to 0.18
	crtPredicate + ".TypedLabelChangedPredicate":      Labels,
	crtPredicate + ".AnnotationChangedPredicate":      Annotations, // up to 0.18
	crtPredicate + ".TypedAnnotationChangedPredicate": Annotations,
}

// PredicateFuncs reports whether the type of this [TypeName] is a predicate of
// functions, which lets through all updates if it has no UpdateFunc.
func PredicateFuncs(typeName string) bool { return predicateFuncs[typeName] }

var predicateFuncs = map[string]bool{
	crtPredicate + ".Funcs":      true, // up to 0.18
	crtPredicate + ".TypedFuncs": true,
}

// UpdateEvent reports whether the type of this [TypeName] is what a predicate is
// asked about: an object as it was and as it is now.
func UpdateEvent(typeName string) bool { return updateEvents[typeName] }

var updateEvents = map[string]bool{
	crtEvent + ".UpdateEvent":      true, // up to 0.18
	crtEvent + ".TypedUpdateEvent": true,
}

// Equality reports whether the function of this name tells whether two values,
// its last two arguments apart from options, are equal.
func Equality(name string) bool { return equalities[name] }

var equalities = map[string]bool{
	"reflect.DeepEqual": true,
	"maps.Equal":        true,
	"slices.Equal":      true,
	"bytes.Equal":       true,
	"(k8s.io/apimachinery/third_party/forked/golang/reflect.Equalities).DeepEqual":      true,
	"(k8s.io/apimachinery/third_party/forked/golang/reflect.Equalities).DeepDerivative": true,
	"github.com/google/go-cmp/cmp.Equal":                                                true,
}

// IsPredicate reports whether a value of type t is a predicate, a list of them,
// or an option of a watch that holds some.
func IsPredicate(t types.Type) bool {
	if t == nil || predicateOptions[TypeName(t)] {
		return t != nil
	}
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	update := types.NewMethodSet(t).Lookup(nil, "Update")
	if update == nil {
		return false
	}
	sig, ok := update.Type().(*types.Signature)
	return ok && sig.Params().Len() == 1 && UpdateEvent(TypeName(sig.Params().At(0).Type())) &&
		sig.Results().Len() == 1 && IsBool(sig.Results().At(0).Type())
}

// IsBool reports whether t is a boolean type.
func IsBool(t types.Type) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
