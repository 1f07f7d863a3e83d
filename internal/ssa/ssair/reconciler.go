package ssair

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// Reconciles reports whether the function is where a reconcile, or a part of
// one, begins: it returns a reconcile.Result and an error, or it takes keys from
// a workqueue.
func Reconciles(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() == 2 && library.TypeOf(res.At(0).Type()).Is == library.Result {
		return true
	}
	return TakesKeys(fn)
}

// TakesKeys reports whether the function takes keys from a workqueue: the
// reconciler of a controller without controller-runtime.
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
