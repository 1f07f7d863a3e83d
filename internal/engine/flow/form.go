package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A test of how many elements there are may only choose a form of the same content:
//
//	if len(names) == 1 {
//		return names[0]
//	}
//	return "[" + strings.Join(names, ",") + "]"
//
// No write makes it false, and it fixes no order. It is another matter if a way adds to the
// sequence, or replaces it, or if a way does without the elements: that there are enough of
// them may be what the function waits for.

// choosesForm reports whether the condition compares the number of elements of a sequence or
// map with a constant, and the function goes on with elements of it either way. It must not
// change it there, nor write to the cluster.
func (in *interp) choosesForm(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || !isLen(cmp.X) || !separatesSome(cmp) {
		return false
	}
	seq := measured(cmp.X)
	for i := range 2 {
		first := branchOf(c.Stripped().Value, i)
		if first == nil {
			return false
		}
		uses := false
		for _, b := range dominatedBy(first) {
			if slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return mayChange(instr, seq) }) {
				return false
			}
			uses = uses || slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return usesElements(instr, seq) })
		}
		if !uses || in.writes(regionOf(cfg.Condition{Value: c.Value, Holds: i == 0})) {
			return false
		}
	}
	return true
}

// separatesSome reports whether a number of elements that is not zero may be on either side
// of the comparison with a constant.
func separatesSome(cmp cfg.Comparison) bool {
	n, ok := constants.Int(cmp.Y)
	switch cmp.Op {
	case token.GEQ, token.LSS:
		n--
	}
	return ok && n > 0
}

// usesElements reports whether the instruction takes an element of the sequence, or gets all
// of them. Their number is not enough.
func usesElements(instr ssa.Instruction, seq ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.Range:
		return sameValue(instr.X, seq)
	case ssa.CallInstruction:
		return !callee.IsBuiltin(instr.Common(), "len") && !callee.IsBuiltin(instr.Common(), "cap") && gets(instr.Common(), seq)
	case ssa.Value:
		o := origin.Of(instr)
		return (o.Kind == origin.Element || o.Kind == origin.Sliced) && sameValue(o.X, seq)
	}
	return false
}

// gets reports whether the sequence is an argument of the call.
func gets(call *ssa.CallCommon, seq ssa.Value) bool {
	return slices.ContainsFunc(callee.Args(call), func(arg ssa.Value) bool { return sameValue(arg, seq) })
}

// mayChange reports whether the instruction adds to the sequence, replaces it or one of its
// elements, or is a call of a function that may do so: it gets what has the sequence.
func mayChange(instr ssa.Instruction, seq ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return sameValue(instr.Map, seq)
	case *ssa.Store:
		if load := origin.Of(seq); load.Kind == origin.Loaded && sameAddress(instr.Addr, load.X) {
			return true
		}
		at := origin.Of(instr.Addr)
		return at.Kind == origin.Element && sameValue(at.X, seq)
	case *ssa.Call:
		if callee.IsBuiltin(&instr.Call, "append") {
			return sameValue(instr.Call.Args[0], seq)
		}
		for part := seq; ; {
			field, of := origin.FieldOf(part)
			if field == nil {
				return false
			}
			if isPointer(of.Type()) && gets(&instr.Call, of) {
				return true
			}
			part = of
		}
	}
	return false
}
