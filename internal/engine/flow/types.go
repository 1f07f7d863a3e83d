package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
)

func isBasic(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok
}

func isAggregate(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// isClock reports whether the signature is that of a clock: func() time.Time.
func isClock(sig *types.Signature) bool {
	if sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return false
	}
	return isTime(sig.Results().At(0).Type())
}

func isTime(t types.Type) bool { return library.TypeOf(t).Is.IsTime() }

func isSequence(v ssa.Value) bool {
	if v == nil {
		return false
	}
	return isSliceType(v.Type()) || isIterator(v.Type())
}

func isSliceType(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok
}

func isIterator(t types.Type) bool {
	sig, ok := types.Unalias(t).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := types.Unalias(sig.Params().At(0).Type()).Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

func isMap(v ssa.Value) bool {
	if v == nil {
		return false
	}
	return isMapType(library.Deref(v.Type()))
}

func isMapType(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Map)
	return ok
}

func elemType(t types.Type) types.Type {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

func recvType(fn *types.Func) types.Type {
	if recv := fn.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.Typ[types.Invalid]
}

func isInterface(t types.Type) bool { return types.IsInterface(t) }
