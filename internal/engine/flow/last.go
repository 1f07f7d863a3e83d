package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A history gets a new entry where that differs from the last one. The next time it does
// not:
//
//	if s.Conditions[len(s.Conditions)-1].Type != c.Type {
//		s.Conditions = append(s.Conditions, c)
//	}
//
// The first entry stays what it is, so that a comparison with it says nothing.

// differsFromLast reports whether the condition is that the last element of a list, or a
// part of it, is not equal to something, and code under it appends to the list.
func differsFromLast(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.NEQ {
		return false
	}
	return slices.ContainsFunc([]ssa.Value{cmp.X, cmp.Y}, func(v ssa.Value) bool {
		list := lastOf(v)
		return list != nil && slices.ContainsFunc(regionOf(c), func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return appendsTo(instr, list) })
		})
	})
}

// lastOf returns the list of which v is the last element, or a part of that, or nil.
func lastOf(v ssa.Value) ssa.Value {
	element := elementOf(v)
	if element == nil {
		return nil
	}
	o := origin.Of(element)
	before := origin.Of(o.Key)
	if o.Key == nil || before.Kind != origin.Computed || before.Op != token.SUB || before.Y == nil {
		return nil
	}
	if n, ok := constants.Int(before.Y); !ok || n != 1 || !isLen(before.X) || !sameValue(measured(before.X), o.X) {
		return nil
	}
	return o.X
}

// appendsTo reports whether the instruction appends to the list where it was read.
func appendsTo(instr ssa.Instruction, list ssa.Value) bool {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	at, more := origin.Of(list), origin.Of(store.Val)
	return at.Kind == origin.Loaded && sameAddress(store.Addr, at.X) &&
		more.Kind == origin.Result && more.Builtin() == "append" && sameValue(more.Call.Call.Args[0], list)
}
