package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// awaits reports whether the condition is that a field of an object's status has one
// constant, for which the reconcile waits: otherwise it only fails, or asks to be called
// again. Nothing that runs under the condition sets the field.
//
//	if cluster.Status.Phase != Active {
//		return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
//	}
//
// It holds once the cluster has converged.
func (in *interp) awaits(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL || !isConst(cmp.Y) || constants.IsZero(cmp.Y) || statusOwner(cmp.X) == "" {
		return false
	}
	field, of := origin.FieldOf(cmp.X)
	otherwise := regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds})
	return field != nil && leavesBy(otherwise, comesBack) && !in.maySet(regionOf(c), field, library.Deref(of.Type()))
}

// awaitsMade reports whether the condition is that something is there which the code makes otherwise, before
// it asks to be called again, or fails. It is there once the cluster has converged.
//
//	if !machine.Exists() {
//		return ctrl.Result{RequeueAfter: 20 * time.Second}, machine.Create(ctx)
//	}
func (in *interp) awaitsMade(c cfg.Condition) bool {
	awaited, ok := in.awaited[c]
	if !ok {
		otherwise := regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds})
		awaited = leavesBy(otherwise, comesBack) && in.anyRuns(otherwise, makes, make(map[*ssa.Function]bool))
		in.awaited[c] = awaited
	}
	return awaited
}

// makes reports whether the instruction creates an object, or calls a method of another system that says so.
func makes(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn := callee.Static(call.Common())
	if write := library.Of(fn).Write; write != nil {
		return write.Verb == library.Create
	}
	return fn != nil && call.Common().IsInvoke() && strings.HasPrefix(fn.Name(), "Create")
}

// comesBack reports whether the return is one of an error, or asks for another reconcile.
func comesBack(ret *ssa.Return) bool {
	return failing(ret) || behindFailure(ret.Block()) || slices.ContainsFunc(ret.Results, func(v ssa.Value) bool {
		if !isAsking(v.Type()) {
			return false
		}
		asked, known := asks(v)
		return asked && known
	})
}

// maySet reports whether code that runs in the blocks may set a field of a struct type, or
// hands something that has one to a function of another package of the module.
func (in *interp) maySet(blocks []*ssa.BasicBlock, field *types.Var, holder types.Type) bool {
	return in.anyRuns(blocks, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			set, _ := origin.FieldOf(instr.Addr)
			return set == field || types.Identical(instr.Val.Type(), holder)
		case ssa.CallInstruction:
			fn := callee.Static(instr.Common())
			if fn == nil || fn.Pkg() == nil || fn.Pkg() == in.pass.Pkg || !in.isOwnPackage(fn.Pkg().Path()) {
				return false
			}
			return slices.ContainsFunc(instr.Common().Args, func(arg ssa.Value) bool {
				return isPointer(arg.Type()) && holds(library.Deref(arg.Type()), holder, make(map[types.Type]bool))
			})
		}
		return false
	}, make(map[*ssa.Function]bool))
}
