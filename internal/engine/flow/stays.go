package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// staysTrue reports whether v is a boolean field of an object's status, or a pointer to it,
// that the package sets to true, and never to anything else. A struct that has the object itself
// sets none of its fields.
//
//	if !thing.Status.Initialized {
//		return nil
//	}
func (in *interp) staysTrue(v ssa.Value) bool {
	field, of := origin.FieldOf(v)
	if field == nil || statusOwner(v) == "" {
		return false
	}
	holder := library.Deref(of.Type())
	set := in.setInPackage()
	stores := set.fields[fieldKey{library.TypeName(holder), field.Name()}]
	return len(stores) > 0 && !slices.ContainsFunc(stores, func(s *ssa.Store) bool { return !isTrue(s.Val) }) &&
		!slices.ContainsFunc(set.whole, func(t types.Type) bool { return holdsUpTo(t, holder, make(map[types.Type]bool), isObject) })
}
