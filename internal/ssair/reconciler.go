package ssair

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// Reconciles reports whether the function is where a reconcile, or a part of
// one, begins: it returns a reconcile.Result and an error, or it takes keys from
// a workqueue.
func Reconciles(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	if res.Len() == 2 && kubeapi.TypeName(res.At(0).Type()) == "sigs.k8s.io/controller-runtime/pkg/reconcile.Result" {
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
			switch kubeapi.Name(Callee(call.Common())) {
			case "(k8s.io/client-go/util/workqueue.TypedInterface).Get", "(k8s.io/client-go/util/workqueue.Interface).Get":
				return true
			}
		}
	}
	return false
}

// Callee returns the function or method that is called, as far as the call says
// so itself: of an instance of a generic function, the generic one.
func Callee(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method
	}
	if fn := call.StaticCallee(); fn != nil {
		if origin := fn.Origin(); origin != nil {
			fn = origin
		}
		obj, _ := fn.Object().(*types.Func)
		return obj
	}
	return nil
}

// Body returns the function that a call certainly calls, the generic one if that
// is an instance, or nil if it has no body in this package.
func Body(call *ssa.CallCommon) *ssa.Function {
	fn := call.StaticCallee()
	if fn == nil {
		return nil
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// IsZero reports whether v is the integer constant 0.
func IsZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}
