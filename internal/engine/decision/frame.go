package decision

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/sccp"
)

// MaxCalls bounds the depth of calls that are interpreted.
const MaxCalls = 6

// A Frame is the interpretation of one function. It has the part of [sccp.Transfer] that
// depends on no engine; the engine adds Zero, Eval and Tuple.
type Frame struct{ sccp.Solver[Value] }

// NewFrame returns a frame of the function for these arguments. It is not ok if the
// function has no body, or other parameters.
func NewFrame(fn *ssa.Function, args []Value) (f Frame, ok bool) {
	if len(fn.Blocks) == 0 || len(args) != len(fn.Params) {
		return Frame{}, false
	}
	f = Frame{sccp.Solver[Value]{Fn: fn, Given: make(map[ssa.Value]Value)}}
	for i, p := range fn.Params {
		f.Given[p] = args[i]
	}
	return f, true
}

// Join implements [sccp.Transfer].
func (*Frame) Join(v, w Value) Value { return v.Join(w) }

// Top implements [sccp.Transfer].
func (*Frame) Top() Value { return Unknown }

// Constant implements [sccp.Transfer].
func (*Frame) Constant(v ssa.Value) Value {
	if origin.Of(v).Kind != origin.Constant {
		return Unknown
	}
	c := constants.Of(v)
	switch {
	case c == nil:
		return Nil
	case c.Kind() == constant.Bool:
		return Bool(constant.BoolVal(c))
	}
	return Value{Known, c.ExactString()}
}

// Branch implements [sccp.Transfer].
func (*Frame) Branch(_ *ssa.If, cond Value) (then, otherwise bool) {
	decided := cond.Side != Bottom
	return decided && cond != No, decided && cond != Yes
}

// Refine implements [sccp.Transfer].
func (*Frame) Refine(_ ssa.Value, val Value, _ *ssa.BasicBlock) Value { return val }

// Tracks implements [sccp.Transfer]. It tracks the variables that are only assigned to
// as a whole.
func (*Frame) Tracks(addr ssa.Value) bool {
	return origin.Of(addr).Kind == origin.Local && !origin.StoredBelow(addr)
}

// Escapes implements [sccp.Transfer]. A variable escapes if its address, or that of a
// part of it, is passed to a call, captured or stored.
func (f *Frame) Escapes(addr ssa.Value) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case ssa.CallInstruction, *ssa.MakeClosure:
			return true
		case *ssa.Store:
			return ref.Val == addr
		case ssa.Value:
			return origin.Of(ref).Addr && f.Escapes(ref)
		}
		return false
	})
}

// At returns the value of v. If v is the address of a tracked variable, it returns the
// value of the variable.
func (f *Frame) At(v ssa.Value) Value {
	if f.Tracks(v) {
		return f.Content(v)
	}
	return f.Value(v)
}

// Args returns the values of a call's arguments. It is not ok while one of them is not
// known to be computed.
func (f *Frame) Args(call *ssa.CallCommon) (args []Value, ok bool) {
	operands := callee.Args(call)
	args = make([]Value, len(operands))
	ok = true
	for i, v := range operands {
		args[i] = f.At(v)
		ok = ok && args[i].Side != Bottom
	}
	return args, ok
}

// Returned joins what the function returns; of is the value of an operand.
func (f *Frame) Returned(of func(ssa.Value) Value) []Value {
	results := make([]Value, f.Fn.Signature.Results().Len())
	for _, ret := range cfg.Returns(f.Fn) {
		if f.Reached(ret.Block()) {
			for i, r := range ret.Results {
				results[i] = results[i].Join(of(r))
			}
		}
	}
	return results
}
