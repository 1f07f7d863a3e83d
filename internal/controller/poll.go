package controller

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// A Poll says whether a reconciler asks to be called again after some time,
// whatever it finds.
type Poll int

const (
	// Waits: it waits for events.
	Waits Poll = iota
	// Polls: it comes back after a time that is long, or not known.
	Polls
	// PollsOften: it comes back within a minute.
	PollsOften
)

// often is how soon a reconciler comes back that needs no watches.
const often = time.Minute

// maxDelegation bounds how many functions that just return what the next one
// returns [pollOf] looks through.
const maxDelegation = 4

// pollOf reports whether the reconciler asks to be called again on each path on
// which it has done its work: each return without an error that is not an early
// one.
//
// An early return hands out an empty Result before anything is written, or
// because the object is gone. writes reports whether a function of the package
// writes.
func pollOf(fn *ssa.Function, writes func(*ssa.Function) bool) Poll {
	return pollWithin(fn, writes, maxDelegation)
}

func pollWithin(fn *ssa.Function, writes func(*ssa.Function) bool, depth int) Poll {
	poll := Waits
	again := func(p Poll) {
		if poll == Waits || p < poll {
			poll = p
		}
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 2 {
			continue
		}
		if next := delegate(ret); next != nil && next.Pkg == fn.Pkg && depth > 0 {
			p := pollWithin(next, writes, depth-1)
			if p == Waits {
				return Waits
			}
			again(p)
			continue
		}
		if isFailure(stored(ret.Results[1], b), b) {
			continue // retried anyway
		}
		if after := requeueAfter(stored(ret.Results[0], b)); after != nil {
			if c, ok := after.(*ssa.Const); ok && c.Value != nil && constant.Compare(c.Value, token.LEQ, constant.MakeInt64(int64(often))) {
				again(PollsOften)
			} else {
				again(Polls)
			}
		} else if afterWork(fn, b, writes) && !objectIsGone(b) {
			return Waits
		}
	}
	return poll
}

// isFailure reports whether err, which b returns, is certainly not nil: it was
// tested, or made, or wraps one that is not.
func isFailure(err ssa.Value, b *ssa.BasicBlock) bool {
	switch err := err.(type) {
	case *ssa.Const:
		return false
	case *ssa.MakeInterface:
		return true
	case *ssa.Call:
		if fn := err.Call.StaticCallee(); fn != nil {
			if obj, ok := fn.Object().(*types.Func); ok {
				switch kubeapi.Name(obj) {
				case "fmt.Errorf", "errors.New", "github.com/pkg/errors.New", "github.com/pkg/errors.Errorf",
					"sigs.k8s.io/controller-runtime/pkg/reconcile.TerminalError":
					return true
				}
			}
		}
		for _, arg := range err.Call.Args {
			if kubeapi.IsError(arg.Type()) && isFailure(arg, b) {
				return true
			}
		}
	}
	for cur := b; cur != nil; cur = cur.Idom() {
		d := cur.Idom()
		if d == nil || len(cur.Preds) != 1 {
			continue
		}
		test, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cmp, ok := test.Cond.(*ssa.BinOp)
		if ok && (sameValue(cmp.X, err) || sameValue(cmp.Y, err)) && (cmp.Op == token.NEQ) == (d.Succs[0] == cur) {
			return true
		}
	}
	return false
}

// sameValue reports whether x and y are one value, or read from one variable.
func sameValue(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	a, ok := x.(*ssa.UnOp)
	b, isLoad := y.(*ssa.UnOp)
	return ok && isLoad && a.Op == token.MUL && b.Op == token.MUL && a.X == b.X
}

// delegate returns the function in "return f(…)", or nil.
func delegate(ret *ssa.Return) *ssa.Function {
	first, ok := stored(ret.Results[0], ret.Block()).(*ssa.Extract)
	if !ok {
		return nil
	}
	second, ok := stored(ret.Results[1], ret.Block()).(*ssa.Extract)
	if !ok || first.Tuple != second.Tuple {
		return nil
	}
	call, ok := first.Tuple.(*ssa.Call)
	if !ok {
		return nil
	}
	return call.Call.StaticCallee()
}

// stored returns the value that b puts into the variable which v reads: a
// function with deferred calls returns through variables.
func stored(v ssa.Value, b *ssa.BasicBlock) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if store, ok := b.Instrs[i].(*ssa.Store); ok && store.Addr == load.X {
			return store.Val
		}
	}
	return v
}

// requeueAfter returns what is stored in the Result's RequeueAfter, or nil.
func requeueAfter(result ssa.Value) ssa.Value {
	load, ok := result.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, ref := range *alloc.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok || fieldName(field) != "RequeueAfter" {
			continue
		}
		for _, use := range *field.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == field && !isZero(store.Val) {
				return store.Val
			}
		}
	}
	return nil
}

func fieldName(f *ssa.FieldAddr) string {
	return kubeapi.Deref(f.X.Type()).Underlying().(*types.Struct).Field(f.Field).Name()
}

// objectIsGone reports whether b is only reached when the object was not found
// or is being deleted.
func objectIsGone(b *ssa.BasicBlock) bool {
	for up := b; up != nil; up = up.Idom() {
		if len(up.Preds) != 1 {
			continue
		}
		pred := up.Preds[0]
		cond, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
		if ok && looksForGone(cond.Cond, 4) {
			return true
		}
	}
	return false
}

// looksForGone reports whether a condition is computed from IsNotFound or from
// the deletion timestamp.
func looksForGone(v ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		name := ""
		if v.Call.IsInvoke() {
			name = v.Call.Method.Name()
		} else if fn := v.Call.StaticCallee(); fn != nil {
			name = fn.Name()
		}
		if strings.Contains(name, "NotFound") || strings.Contains(name, "DeletionTimestamp") {
			return true
		}
		for _, arg := range v.Call.Args {
			if looksForGone(arg, depth-1) {
				return true
			}
		}
	case *ssa.BinOp:
		return looksForGone(v.X, depth-1) || looksForGone(v.Y, depth-1)
	case *ssa.UnOp:
		return looksForGone(v.X, depth-1)
	case *ssa.FieldAddr:
		return fieldName(v) == "DeletionTimestamp"
	}
	return false
}

// afterWork reports whether b can be reached from a call that writes, or may.
func afterWork(fn *ssa.Function, b *ssa.BasicBlock, writes func(*ssa.Function) bool) bool {
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
			if call, ok := instr.(ssa.CallInstruction); ok && isWork(fn, call.Common(), writes) {
				return true
			}
		}
		stack = append(stack, b.Preds...)
	}
	return false
}

func isWork(fn *ssa.Function, call *ssa.CallCommon, writes func(*ssa.Function) bool) bool {
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
		return writes(callee)
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok {
		return false
	}
	_, ok = kubeapi.WriteOf(obj)
	return ok
}
