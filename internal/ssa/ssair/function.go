package ssair

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

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

// ReversePostorder returns the blocks that can be reached from the entry of a
// function, each before its successors except where control goes back.
func ReversePostorder(fn *ssa.Function) []*ssa.BasicBlock {
	seen := make([]bool, len(fn.Blocks))
	var post []*ssa.BasicBlock
	type item struct {
		b    *ssa.BasicBlock
		next int
	}
	stack := []item{{b: fn.Blocks[0]}}
	seen[fn.Blocks[0].Index] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.b.Succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := top.b.Succs[top.next]
		top.next++
		if !seen[s.Index] {
			seen[s.Index] = true
			stack = append(stack, item{b: s})
		}
	}
	slices.Reverse(post)
	return post
}
