package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Several steps may share a condition of the status. Each of them asks for its reason, and
// the last one gives it the reason that ends all of them:
//
//	func (s accounts) Due(thing *Thing) bool { return find(thing, "Report").Reason != "Ready" }
//	func (s jobs) Due(thing *Thing) bool     { return find(thing, "Report").Reason != "Ready" }
//	func (s jobs) Do(thing *Thing)           { …; set(thing, Condition{Type: "Report", Reason: "Ready"}) }
//
// If other code gives the condition another reason, when a child is not ready, the steps are
// taken again.

// recordsReason reports whether the package gives the condition the reason, and gives it
// another one only where it asks for this one before.
func (in *interp) recordsReason(at recorded) bool {
	given := false
	for _, store := range in.setInPackage().fields[at.field] {
		switch {
		case !sameKind(store.Val, at.kind):
		case hasReason(origin.Of(store.Addr).X, at.reason):
			given = true
		case !in.asksForReason(store.Parent(), at):
			return false
		}
	}
	return given
}

// hasReason reports whether the function that makes the condition at the address gives it
// the reason.
func hasReason(condition ssa.Value, reason string) bool {
	return slices.ContainsFunc(storedIn(condition, "Reason"), func(v ssa.Value) bool {
		set, _ := constants.String(v)
		return set == reason
	})
}

// storedIn returns what the function stores in the field of the struct at the address, if that is no
// package variable.
func storedIn(at ssa.Value, name string) (vs []ssa.Value) {
	if at.Referrers() == nil {
		return nil
	}
	for _, ref := range origin.Users(at) {
		if field, ok := ref.(*ssa.FieldAddr); ok && origin.Of(field).FieldName() == name {
			vs = append(vs, origin.StoredAt(field)...)
		}
	}
	return vs
}

// asksForReason reports whether the function, or the method that decides whether the step
// is taken that it is part of, compares the reason of the condition with that one.
func (in *interp) asksForReason(fn *ssa.Function, at recorded) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return slices.ContainsFunc(in.ssa.Funcs, func(asks *ssa.Function) bool {
		return (asks == fn || isVerdict(asks) && sameReceiver(asks, fn)) && comparesReason(asks, at)
	})
}

// sameReceiver reports whether two functions are methods of one type.
func sameReceiver(fn, other *ssa.Function) bool {
	a, b := fn.Signature.Recv(), other.Signature.Recv()
	return a != nil && b != nil && library.SameNamed(a.Type(), b.Type())
}

func comparesReason(fn *ssa.Function, at recorded) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			cmp, ok := instr.(*ssa.BinOp)
			if !ok {
				return false
			}
			field, of := origin.FieldOf(cmp.X)
			reason, _ := constants.String(cmp.Y)
			if field == nil || field.Name() != "Reason" || reason != at.reason {
				return false
			}
			call := foundCondition(of)
			return call != nil && sameKind(call.Call.Args[1], at.kind)
		})
	})
}
