package requeue

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A way is how control comes to the end of a block: through which of its
// predecessors, and under which conditions.
//
//	if err != nil || !result.IsZero() {
//		return result, err // without an error only if result is not empty
//	}
type way struct {
	pkg   *Package
	block *ssa.BasicBlock
	from  int // index of the predecessor, or -1
	conds []outcome
	fault ssa.Value  // an error that is taken not to be nil, or nil
	asked []*ssa.Phi // the errors of loops about which [way.fails] is being asked
}

// An outcome is a condition with the value that it has.
type outcome struct {
	cond ssa.Value
	then bool
}

// wayTo returns the way to the end of b, whichever the predecessor is.
func (p *Package) wayTo(b *ssa.BasicBlock) way {
	return way{pkg: p, block: b, from: -1, conds: outcomes(b)}
}

// waysTo returns the ways to the end of b, told apart by its predecessor.
func (p *Package) waysTo(b *ssa.BasicBlock) []way {
	if len(b.Preds) < 2 {
		return []way{p.wayTo(b)}
	}
	var ways []way
	for i, pred := range b.Preds {
		w := p.wayTo(pred)
		w.block, w.from = b, i
		if o, ok := decided(pred, b); ok {
			w.conds = append([]outcome{o}, w.conds...)
		}
		ways = append(ways, w)
	}
	return ways
}

// last returns the block through which the way leads last of which nothing but
// the end is in doubt.
func (w way) last() *ssa.BasicBlock {
	if w.from < 0 {
		return w.block
	}
	return w.block.Preds[w.from]
}

// edge returns what a phi is on this way, and the way to where it becomes that.
func (w way) edge(phi *ssa.Phi) (ssa.Value, way, bool) {
	if phi.Block() != w.block || w.from < 0 {
		return nil, way{}, false
	}
	v := phi.Edges[w.from]
	w.block, w.from = w.last(), -1
	return v, w, true
}

// outcomes returns the conditions under which b is always reached, innermost
// first.
func outcomes(b *ssa.BasicBlock) []outcome {
	var all []outcome
	for b != nil {
		if len(b.Preds) != 1 {
			b = b.Idom()
			continue
		}
		p := b.Preds[0]
		if o, ok := decided(p, b); ok {
			all = append(all, o)
		}
		b = p
	}
	return all
}

// decided returns the condition that leads from p to b.
func decided(p, b *ssa.BasicBlock) (outcome, bool) {
	test, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
	if !ok || p.Succs[0] == p.Succs[1] {
		return outcome{}, false
	}
	o := outcome{test.Cond, p.Succs[0] == b}
	for {
		not, ok := o.cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return o, true
		}
		o = outcome{not.X, !o.then}
	}
}

// fails reports whether err is certainly not nil: it was tested, or made, or
// wraps one that is not.
func (w way) fails(err ssa.Value) bool {
	err = w.stored(err)
	if w.fault != nil && same(err, w.fault) {
		return true
	}
	switch err := err.(type) {
	case *ssa.Const:
		return false
	case *ssa.MakeInterface:
		return true
	case *ssa.Phi:
		if v, to, ok := w.edge(err); ok {
			return to.fails(v)
		}
		if slices.Contains(w.asked, err) {
			return true // as far as it comes from itself
		}
		for i, v := range err.Edges {
			to := w.pkg.wayTo(err.Block().Preds[i])
			to.fault, to.asked = w.fault, append(slices.Clip(w.asked), err)
			if !to.fails(v) {
				return false
			}
		}
		return true
	case *ssa.Extract:
		// return requeueWithError(ctx, err)
		if call, ok := err.Tuple.(*ssa.Call); ok {
			for _, i := range w.pkg.called(call).Errors {
				if w.fails(call.Call.Args[i]) {
					return true
				}
			}
		}
	case *ssa.Call:
		name := calleeName(err.Common())
		if makesError[name] {
			return true
		}
		if name != ignoreNotFound && slices.ContainsFunc(err.Call.Args, func(arg ssa.Value) bool {
			return library.IsError(arg.Type()) && w.fails(arg)
		}) {
			return true
		}
	}
	return slices.ContainsFunc(w.conds, func(o outcome) bool { return o.proves(err) })
}

// isSound reports whether the way is only taken if err is nil.
func (w way) isSound(err ssa.Value) bool {
	return slices.ContainsFunc(w.conds, func(o outcome) bool {
		_, test := o.cond.(*ssa.BinOp)
		return test && outcome{o.cond, !o.then}.proves(err)
	})
}

// proves reports whether the outcome is that err is not nil.
func (o outcome) proves(err ssa.Value) bool {
	switch cond := o.cond.(type) {
	case *ssa.BinOp:
		return (same(cond.X, err) && isNil(cond.Y) || same(cond.Y, err) && isNil(cond.X)) && (cond.Op == token.NEQ) == o.then
	case *ssa.Call: // errors.Is(err, …), apierrors.IsConflict(err)
		return o.then && len(cond.Call.Args) > 0 && library.IsError(cond.Call.Args[0].Type()) && same(cond.Call.Args[0], err)
	}
	return false
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// makesError are functions that never return nil.
var makesError = map[string]bool{
	"errors.New":                   true,
	"fmt.Errorf":                   true,
	"github.com/pkg/errors.New":    true,
	"github.com/pkg/errors.Errorf": true,
	"sigs.k8s.io/controller-runtime/pkg/reconcile.TerminalError": true,
}

const (
	ignoreNotFound = "sigs.k8s.io/controller-runtime/pkg/client.IgnoreNotFound"
	isNotFound     = "k8s.io/apimachinery/pkg/api/errors.IsNotFound"
)

// isGone reports whether what is returned this way is for an object that does
// not exist, or not for long. An error of a call that matters is about another
// one.
func (w way) isGone(returned []ssa.Value, err int, matters func(ssa.CallInstruction) bool) bool {
	if err >= 0 {
		// return result, client.IgnoreNotFound(err)
		if call, ok := w.stored(returned[err]).(*ssa.Call); ok && calleeName(call.Common()) == ignoreNotFound &&
			w.fails(call.Call.Args[0]) && !isFrom(call.Call.Args[0], matters) {
			return true
		}
	}
	return slices.ContainsFunc(w.conds, func(o outcome) bool { return o.isGone(matters, maxHelpers) })
}

// maxHelpers bounds how many functions that just return what the next one returns
// [outcome.isGone] looks through.
const maxHelpers = 3

func (o outcome) isGone(matters func(ssa.CallInstruction) bool, depth int) bool {
	switch cond := o.cond.(type) {
	case *ssa.Call:
		name := calleeName(cond.Common())
		switch {
		case name == isNotFound:
			return o.then && !isFrom(cond.Call.Args[0], matters)
		case name == "(k8s.io/apimachinery/pkg/apis/meta/v1.Time).IsZero":
			return !o.then && isDeletion(cond.Call.Args[0])
		}
		// func isDeleted(obj client.Object) bool { return … }
		if fn := cond.Call.StaticCallee(); fn != nil && len(fn.Blocks) == 1 && depth > 0 {
			if ret, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return); ok && len(ret.Results) == 1 {
				return outcome{ret.Results[0], o.then}.isGone(nil, depth-1)
			}
		}
	case *ssa.UnOp:
		return cond.Op == token.NOT && outcome{cond.X, !o.then}.isGone(matters, depth)
	case *ssa.BinOp:
		return isNil(cond.Y) && isDeletion(cond.X) && (cond.Op == token.NEQ) == o.then
	}
	return false
}

// isFrom reports whether err is what a call that matters returned.
func isFrom(err ssa.Value, matters func(ssa.CallInstruction) bool) bool {
	if extract, ok := err.(*ssa.Extract); ok {
		err = extract.Tuple
	}
	call, ok := err.(*ssa.Call)
	return ok && matters != nil && matters(call)
}

// isDeletion reports whether v is the deletion timestamp of an object.
func isDeletion(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		fn := ssair.Callee(v.Common())
		return fn != nil && fn.Name() == "GetDeletionTimestamp"
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		return ok && fieldName(field) == "DeletionTimestamp"
	}
	return false
}

// stored returns what is put into the variable that v reads, in the same block: a
// function with deferred calls returns through variables. What is put there after
// v was read is another value, and may be made of v.
func (w way) stored(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	instrs := w.block.Instrs
	switch {
	case load.Block() == w.block:
		instrs = instrs[:slices.Index(instrs, ssa.Instruction(load))]
	case load.Block().Dominates(w.block):
		return v
	}
	for i := len(instrs) - 1; i >= 0; i-- {
		if store, ok := instrs[i].(*ssa.Store); ok && store.Addr == load.X {
			return store.Val
		}
	}
	return v
}

// same reports whether x and y are one value, or read from one variable.
func same(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	a, ok := x.(*ssa.UnOp)
	b, isLoad := y.(*ssa.UnOp)
	return ok && isLoad && a.Op == token.MUL && b.Op == token.MUL && a.X == b.X
}

func calleeName(call *ssa.CallCommon) string { return library.Name(ssair.Callee(call)) }

func fieldName(f *ssa.FieldAddr) string {
	return library.Deref(f.X.Type()).Underlying().(*types.Struct).Field(f.Field).Name()
}
