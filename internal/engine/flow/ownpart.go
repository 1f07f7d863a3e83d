package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A helper may test a part of what it stores:
//
//	func set(status *Status, wanted *Condition) {
//		if wanted.Status == metav1.ConditionFalse { remove(status, wanted.Type); return }
//		status.Conditions[i] = *wanted
//	}
//
// The condition is about what is wanted, which storing it does not change. So it is
// no guard.

// testsStored reports whether the condition compares a field of a struct that the
// function gets with a constant, and code under it stores that struct as it is.
func (in *interp) testsStored(c cfg.Condition) bool {
	if !testsConst(c.Value) {
		return false
	}
	x, _, _ := comparedConst(c.Value)
	field := origin.Of(x)
	if field.Kind == origin.Loaded {
		field = origin.Of(field.X)
	}
	if field.Kind != origin.Field || !isWanted(field.X) {
		return false
	}
	key := fieldKey{library.TypeName(library.Deref(field.X.Type())), field.FieldName()}
	region, stored := regionOf(c), false
	for _, b := range region {
		stored = stored || slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			s, ok := instr.(*ssa.Store)
			return ok && s.Addr != field.X && isLoadOf(s.Val, field.X)
		})
	}
	return stored && !in.anyRuns(region, func(instr ssa.Instruction) bool {
		s, ok := instr.(*ssa.Store)
		if !ok {
			return false
		}
		set := origin.Of(s.Addr)
		return set.Kind == origin.Field && key == fieldKey{library.TypeName(library.Deref(set.X.Type())), set.FieldName()}
	}, make(map[*ssa.Function]bool))
}

// isWanted reports whether v points to a struct that the function gets, or to the
// function's copy of one.
func isWanted(v ssa.Value) bool {
	switch o := origin.Of(v); o.Kind {
	case origin.Parameter:
		return isStructPointer(v.Type())
	case origin.Local:
		stored := origin.StoredOnce(v)
		return stored != nil && origin.Of(stored).Kind == origin.Parameter
	}
	return false
}

// isLoadOf reports whether v is all of what the pointer points to.
func isLoadOf(v, pointer ssa.Value) bool {
	o := origin.Of(v)
	return o.Kind == origin.Loaded && o.X == pointer
}
