package controller

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// maxDelegation bounds how many functions that just return what the next one
// returns [polls] looks through.
const maxDelegation = 4

// polls reports whether the reconciler asks to be called again after some time
// on each path on which it has done its work: each return without an error
// that is not an early one.
//
// An early return hands out an empty Result from a block that cannot be reached
// from a call of the package's own, such as the one for an object that is gone.
func polls(fn *ssa.Function) bool { return pollsWithin(fn, maxDelegation) }

func pollsWithin(fn *ssa.Function, depth int) bool {
	timed := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 2 {
			continue
		}
		if next := delegate(ret); next != nil && next.Pkg == fn.Pkg && depth > 0 {
			if !pollsWithin(next, depth-1) {
				return false
			}
			timed = true
			continue
		}
		if err, ok := ret.Results[1].(*ssa.Const); !ok || !err.IsNil() {
			continue // an error is retried anyway
		}
		switch {
		case requeues(ret.Results[0]):
			timed = true
		case afterWork(fn, b):
			return false
		}
	}
	return timed
}

// delegate returns the function in "return f(…)", or nil.
func delegate(ret *ssa.Return) *ssa.Function {
	first, ok := ret.Results[0].(*ssa.Extract)
	if !ok {
		return nil
	}
	second, ok := ret.Results[1].(*ssa.Extract)
	if !ok || first.Tuple != second.Tuple {
		return nil
	}
	call, ok := first.Tuple.(*ssa.Call)
	if !ok {
		return nil
	}
	return call.Call.StaticCallee()
}

// requeues reports whether the Result has a RequeueAfter.
func requeues(result ssa.Value) bool {
	load, ok := result.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *alloc.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldName(field) != "RequeueAfter" {
			continue
		}
		for _, use := range *field.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == field && !isZero(store.Val) {
				return true
			}
		}
	}
	return false
}

func fieldName(f *ssa.FieldAddr) string {
	return deref(f.X.Type()).Underlying().(*types.Struct).Field(f.Field).Name()
}

// afterWork reports whether b can be reached from a call of a function written
// in the package, or of a library function that writes.
func afterWork(fn *ssa.Function, b *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	stack := []*ssa.BasicBlock{b}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && isWork(fn, call.Common()) {
				return true
			}
		}
		stack = append(stack, b.Preds...)
	}
	return false
}

func isWork(fn *ssa.Function, call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		_, ok := kubeapi.WriteOf(call.Method)
		return ok
	}
	callee := call.StaticCallee()
	if callee == nil {
		_, builtin := call.Value.(*ssa.Builtin)
		return !builtin
	}
	if callee.Pkg == fn.Pkg {
		return true
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok {
		return false
	}
	_, ok = kubeapi.WriteOf(obj)
	return ok
}
