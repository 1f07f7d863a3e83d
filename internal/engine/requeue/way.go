package requeue

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
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
	conds []cfg.Condition
	fault ssa.Value  // an error that is taken not to be nil, or nil
	asked []*ssa.Phi // the errors of loops about which [way.fails] is being asked
}

// wayTo returns the way to the end of b, whichever the predecessor is.
func (p *Package) wayTo(b *ssa.BasicBlock) way {
	return way{pkg: p, block: b, from: -1, conds: cfg.Dominating(b)}
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
		if c, ok := cfg.ConditionOf(cfg.Edge{From: pred, To: b}); ok {
			w.conds = append([]cfg.Condition{c.Stripped()}, w.conds...)
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

// fails reports whether err is certainly not nil: it was tested, or made, or
// wraps one that is not.
func (w way) fails(err ssa.Value) bool {
	err = w.stored(err)
	o := origin.Of(err)
	switch {
	case o.Kind == origin.Constant:
		return false
	case o.Kind == origin.Boxed, w.fault != nil && same(err, w.fault),
		slices.ContainsFunc(w.conds, func(c cfg.Condition) bool { return proves(c, err) }):
		return true
	}
	switch o.Kind {
	case origin.Renamed:
		return w.fails(o.X)
	case origin.Choice:
		phi := err.(*ssa.Phi)
		if v, to, ok := w.edge(phi); ok {
			return to.fails(v)
		}
		if slices.Contains(w.asked, phi) {
			return true // as far as it comes from itself
		}
		for i, v := range phi.Edges {
			to := w.pkg.wayTo(phi.Block().Preds[i])
			to.fault, to.asked = w.fault, append(slices.Clip(w.asked), phi)
			if !to.fails(v) {
				return false
			}
		}
		return true
	case origin.Result:
		return w.returnsError(o.Call)
	}
	return false
}

// returnsError reports whether the call certainly returns an error: it makes one,
// or passes one on.
func (w way) returnsError(call *ssa.Call) bool {
	args := call.Call.Args
	if call.Call.Signature().Results().Len() > 1 {
		// return requeueWithError(ctx, err)
		return slices.ContainsFunc(w.pkg.called(call).Errors, func(i int) bool { return w.fails(args[i]) })
	}
	meaning := calledBy(call).Meaning
	return meaning.MakesError() || meaning != library.DropsNotFound && slices.ContainsFunc(args, func(arg ssa.Value) bool {
		return library.IsError(arg.Type()) && w.fails(arg)
	})
}

// isSound reports whether the way is only taken if err is nil.
func (w way) isSound(err ssa.Value) bool {
	return slices.ContainsFunc(w.conds, func(c cfg.Condition) bool {
		v, isNil, ok := c.Nil()
		return ok && isNil && same(v, err)
	})
}

// proves reports whether the condition says that err is not nil.
func proves(c cfg.Condition, err ssa.Value) bool {
	if v, isNil, ok := c.Nil(); ok {
		return !isNil && same(v, err)
	}
	call, ok := c.Value.(*ssa.Call) // errors.Is(err, …), apierrors.IsConflict(err)
	return ok && c.Holds && len(call.Call.Args) > 0 && library.IsError(call.Call.Args[0].Type()) && same(call.Call.Args[0], err)
}

// isGone reports whether what is returned this way is for an object that does
// not exist, or not for long. An error of a call that matters is about another
// one.
func (w way) isGone(returned []ssa.Value, err int, matters func(ssa.CallInstruction) bool) bool {
	if err >= 0 {
		// return result, client.IgnoreNotFound(err)
		call := origin.Of(w.stored(returned[err])).Call
		if call != nil && calledBy(call).Meaning == library.DropsNotFound &&
			w.fails(call.Call.Args[0]) && !isFrom(call.Call.Args[0], matters) {
			return true
		}
	}
	return slices.ContainsFunc(w.conds, func(c cfg.Condition) bool { return isGone(c, matters, maxHelpers) })
}

// maxHelpers bounds how many functions that just return what the next one returns
// isGone looks through.
const maxHelpers = 3

func isGone(c cfg.Condition, matters func(ssa.CallInstruction) bool, depth int) bool {
	c = c.Stripped()
	if v, isNil, ok := c.Nil(); ok {
		return !isNil && isDeletion(v)
	}
	call := origin.Of(c.Value).Call
	if call == nil {
		return false
	}
	switch called := calledBy(call); {
	case called.Meaning == library.AsksNotFound:
		return c.Holds && !isFrom(call.Call.Args[0], matters)
	case called.Time == library.AsksZero:
		return !c.Holds && isDeletion(call.Call.Args[0])
	}
	// func isDeleted(obj client.Object) bool { return … }
	if fn := callee.Body(call.Common()); fn != nil && len(fn.Blocks) == 1 && depth > 0 {
		if rets := cfg.Returns(fn); len(rets) == 1 && len(rets[0].Results) == 1 {
			return isGone(cfg.Condition{Value: rets[0].Results[0], Holds: c.Holds}, nil, depth-1)
		}
	}
	return false
}

// isFrom reports whether err is what a call that matters returned.
func isFrom(err ssa.Value, matters func(ssa.CallInstruction) bool) bool {
	call := origin.Of(err).Call
	return call != nil && matters != nil && matters(call)
}

// isDeletion reports whether v is the deletion timestamp of an object.
func isDeletion(v ssa.Value) bool {
	if call := origin.Of(v).Call; call != nil {
		fn := callee.Static(call.Common())
		return fn != nil && fn.Name() == "GetDeletionTimestamp"
	}
	field, _ := origin.FieldOf(v)
	return field != nil && field.Name() == "DeletionTimestamp"
}

// stored returns what is put into the variable that v reads, in the same block: a
// function with deferred calls returns through variables. What is put there after
// v was read is another value, and may be made of v.
func (w way) stored(v ssa.Value) ssa.Value {
	o := origin.Of(v)
	if o.Kind != origin.Loaded {
		return v
	}
	load := v.(ssa.Instruction)
	instrs := w.block.Instrs
	switch {
	case load.Block() == w.block:
		instrs = instrs[:slices.Index(instrs, load)]
	case load.Block().Dominates(w.block):
		return v
	}
	for i := len(instrs) - 1; i >= 0; i-- {
		if store, ok := instrs[i].(*ssa.Store); ok && store.Addr == o.X {
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
	a := origin.Of(x)
	if a.Kind != origin.Loaded {
		return false
	}
	b := origin.Of(y)
	return b.Kind == origin.Loaded && a.X == b.X
}

// calledBy returns what is known of the function that is called.
func calledBy(call *ssa.Call) *library.Func { return library.Of(callee.Static(call.Common())) }
