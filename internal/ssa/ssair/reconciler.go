package ssair

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// Reconciles reports whether a reconcile, or a part of one, begins in the
// function: the function returns a reconcile.Result and an error, or it takes
// keys from a workqueue.
func Reconciles(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() == 2 && library.TypeOf(res.At(0).Type()).Is == library.Result {
		return true
	}
	return TakesKeys(fn)
}

// TakesKeys reports whether the function takes keys from a workqueue. A
// controller without controller-runtime has such a reconciler.
func TakesKeys(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if library.Of(callee.Static(call.Common())).Meaning == library.TakesKey {
				return true
			}
		}
	}
	return false
}
