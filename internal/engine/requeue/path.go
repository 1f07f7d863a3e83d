package requeue

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A path stands for the executions that reach the end of a block: all of them, or
// those that enter the block from one of its predecessors. It carries the
// conditions that hold on them.
//
//	if err != nil || !result.IsZero() {
//		return result, err // without an error only if result is not empty
//	}
type path struct {
	pkg   *Package
	block *ssa.BasicBlock
	from  int // index of the predecessor; -1 stands for all of them
	conds []cfg.Condition
	fault ssa.Value // an error that is assumed not to be nil, or nil
	// visiting are the phis whose edges [path.fails] is looking at.
	visiting []*ssa.Phi
}

// pathTo returns the path to the end of b from any of its predecessors.
func (p *Package) pathTo(b *ssa.BasicBlock) path {
	return path{pkg: p, block: b, from: -1, conds: cfg.Dominating(b)}
}

// pathsTo returns the paths to the end of b, one for each of its predecessors.
func (p *Package) pathsTo(b *ssa.BasicBlock) []path {
	if len(b.Preds) < 2 {
		return []path{p.pathTo(b)}
	}
	var paths []path
	for i, pred := range b.Preds {
		on := p.pathTo(pred)
		on.block, on.from = b, i
		if c, ok := cfg.ConditionOf(cfg.Edge{From: pred, To: b}); ok {
			on.conds = append([]cfg.Condition{c.Stripped()}, on.conds...)
		}
		paths = append(paths, on)
	}
	return paths
}

// last returns the predecessor that the path enters its block from, or the block
// itself where that may be any.
func (p path) last() *ssa.BasicBlock {
	if p.from < 0 {
		return p.block
	}
	return p.block.Preds[p.from]
}

// edge returns the value that a phi takes on this path, and the path to the end of
// the predecessor where it has that value. It is not ok if the path does not tell.
func (p path) edge(phi *ssa.Phi) (ssa.Value, path, bool) {
	if phi.Block() != p.block || p.from < 0 {
		return nil, path{}, false
	}
	v := phi.Edges[p.from]
	p.block, p.from = p.last(), -1
	return v, p, true
}

// fails reports whether err is certainly not nil on this path: a condition says so,
// or the code has just made it, or it wraps another error that is not nil.
func (p path) fails(err ssa.Value) bool {
	err = p.stored(err)
	o := origin.Of(err)
	switch {
	case o.Kind == origin.Constant:
		return false
	case o.Kind == origin.Boxed, p.fault != nil && same(err, p.fault),
		slices.ContainsFunc(p.conds, func(c cfg.Condition) bool { return provesNonNil(c, err) }):
		return true
	}
	switch o.Kind {
	case origin.Renamed:
		return p.fails(o.X)
	case origin.Choice:
		phi := err.(*ssa.Phi)
		if v, to, ok := p.edge(phi); ok {
			return to.fails(v)
		}
		if slices.Contains(p.visiting, phi) {
			return true // a cycle: the other edges decide
		}
		for i, v := range phi.Edges {
			to := p.pkg.pathTo(phi.Block().Preds[i])
			to.fault, to.visiting = p.fault, append(slices.Clip(p.visiting), phi)
			if !to.fails(v) {
				return false
			}
		}
		return true
	case origin.Result:
		return p.returnsError(o.Call)
	}
	return false
}

// returnsError reports whether the call certainly returns an error: it makes one,
// or it returns one that it is given.
func (p path) returnsError(call *ssa.Call) bool {
	args := call.Call.Args
	if call.Call.Signature().Results().Len() > 1 {
		// return requeueWithError(ctx, err)
		return slices.ContainsFunc(p.pkg.called(call).ErrorParams, func(i int) bool { return p.fails(args[i]) })
	}
	meaning := calledBy(call).Meaning
	return meaning.MakesError() || meaning != library.DropsNotFound && slices.ContainsFunc(args, func(arg ssa.Value) bool {
		return library.IsError(arg.Type()) && p.fails(arg)
	})
}

// provesNil reports whether the path is only taken if err is nil.
func (p path) provesNil(err ssa.Value) bool {
	return slices.ContainsFunc(p.conds, func(c cfg.Condition) bool {
		v, isNil, ok := c.Nil()
		return ok && isNil && same(v, err)
	})
}

// provesNonNil reports whether the condition implies that err is not nil.
func provesNonNil(c cfg.Condition, err ssa.Value) bool {
	if v, isNil, ok := c.Nil(); ok {
		return !isNil && same(v, err)
	}
	call, ok := c.Value.(*ssa.Call) // errors.Is(err, …), apierrors.IsConflict(err)
	return ok && c.Holds && len(call.Call.Args) > 0 && library.IsError(call.Call.Args[0].Type()) && same(call.Call.Args[0], err)
}

// leftOut says why what the function returns on this path does not count, "" if it does.
func (p path) leftOut(ret *ssa.Return, err int, matters func(ssa.CallInstruction) bool) string {
	switch {
	case err >= 0 && p.fails(ret.Results[err]):
		return "it returns an error"
	case p.isUnusual():
		return "a setting is not its default"
	case p.isGone(ret.Results, err, matters):
		return "the object is gone or being deleted"
	}
	return ""
}

// isGone reports whether the function returns on this path because the object that
// it reconciles does not exist, or is being deleted. A "not found" from a call that
// matters is about another object.
func (p path) isGone(returned []ssa.Value, err int, matters func(ssa.CallInstruction) bool) bool {
	if err >= 0 {
		// return result, client.IgnoreNotFound(err)
		call := origin.Of(p.stored(returned[err])).Call
		if call != nil && calledBy(call).Meaning == library.DropsNotFound &&
			p.fails(call.Call.Args[0]) && !isFrom(call.Call.Args[0], matters) {
			return true
		}
	}
	return slices.ContainsFunc(p.conds, func(c cfg.Condition) bool { return p.pkg.isGone(c, matters, maxHelpers) })
}

// maxHelpers bounds the helpers with a single return statement that isGone looks
// into, one inside the other.
const maxHelpers = 3

func (p *Package) isGone(c cfg.Condition, matters func(ssa.CallInstruction) bool, depth int) bool {
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
	if fn := callee.Body(call.Common()); fn != nil {
		return depth > 0 && p.saysGoneWithin(fn, c.Holds, depth-1)
	}
	obj := callee.Static(call.Common())
	if obj == nil || call.Call.IsInvoke() {
		return false
	}
	helper := p.imported(obj)
	return helper.IfDeleted && c.Holds || helper.IfKept && !c.Holds
}

// saysGone reports whether a helper of one statement gives the answer only if an object is being
// deleted:
//
//	func isDeleted(obj client.Object) bool { return obj.GetDeletionTimestamp() != nil }
//
// What one says of an error, its caller has to judge.
func (p *Package) saysGone(fn *ssa.Function, answer bool) bool {
	ofError := func(param *ssa.Parameter) bool { return library.IsError(param.Type()) }
	return !slices.ContainsFunc(fn.Params, ofError) && p.saysGoneWithin(fn, answer, maxHelpers)
}

func (p *Package) saysGoneWithin(fn *ssa.Function, answer bool, depth int) bool {
	rets := cfg.Returns(fn)
	return len(fn.Blocks) == 1 && len(rets) == 1 && len(rets[0].Results) == 1 && library.IsBool(rets[0].Results[0].Type()) &&
		p.isGone(cfg.Condition{Value: rets[0].Results[0], Holds: answer}, nil, depth)
}

// isFrom reports whether err is the result of a call that matters.
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

// stored returns the value that the block stores in the variable that v reads. A
// function with deferred calls returns its results through variables. A store after
// the read does not count: its value is another one, perhaps made from v.
func (p path) stored(v ssa.Value) ssa.Value {
	o := origin.Of(v)
	if o.Kind != origin.Loaded {
		return v
	}
	load := v.(ssa.Instruction)
	instrs := p.block.Instrs
	switch {
	case load.Block() == p.block:
		instrs = instrs[:slices.Index(instrs, load)]
	case load.Block().Dominates(p.block):
		return v
	}
	for i := len(instrs) - 1; i >= 0; i-- {
		if store, ok := instrs[i].(*ssa.Store); ok && store.Addr == o.X {
			return store.Val
		}
	}
	return v
}

// same reports whether x and y are the same value, or loads of the same variable.
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

// calledBy returns the library's record of the function that the call calls.
func calledBy(call *ssa.Call) *library.Func { return library.Of(callee.Static(call.Common())) }
