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
	if res.Len() == 2 && library.TypeName(res.At(0).Type()) == "sigs.k8s.io/controller-runtime/pkg/reconcile.Result" {
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
			switch library.Name(callee.Static(call.Common())) {
			case "(k8s.io/client-go/util/workqueue.TypedInterface).Get", "(k8s.io/client-go/util/workqueue.Interface).Get":
				return true
			}
		}
	}
	return false
}
