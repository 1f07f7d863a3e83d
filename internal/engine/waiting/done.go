package waiting

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// afterDone returns the return statements that return a nil error after an edge that
// is taken because a context is done. It does not follow control to the beginning, from
// where the code would begin anew.
func (f *execution) afterDone(beginning *ssa.BasicBlock, consider func(cfg.Edge) bool) []*ssa.Return {
	var rets []*ssa.Return
	for _, b := range f.Fn.Blocks {
		for _, succ := range b.Succs {
			e := cfg.Edge{From: b, To: succ}
			if !f.Live(e) || !consider(e) || !f.explicit(e) {
				continue
			}
			rets = append(rets, f.nilReturns(e, beginning)...)
		}
	}
	return rets
}

// nilReturns executes what follows the edge, up to the beginning, and returns the
// return statements reached if all of them return a nil error.
func (f *execution) nilReturns(e cfg.Edge, beginning *ssa.BasicBlock) []*ssa.Return {
	if e.To == beginning {
		return nil
	}
	given := make(map[ssa.Value]Value)
	f.Values(func(v ssa.Value, val Value) { given[v] = val })
	for addr, val := range f.Memory(e.From) {
		given[addr] = val
	}
	for _, instr := range e.To.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		for i, pred := range e.To.Preds {
			if pred == e.From {
				given[phi] = f.Value(phi.Edges[i])
			}
		}
	}
	return f.p.executeFrom(e.To, beginning, f.world, given).onlyNilReturns()
}

// onlyNilReturns returns the return statements reached if all of them return a nil
// error. If only some do, the code checks what it has waited for.
func (f *execution) onlyNilReturns() []*ssa.Return {
	var rets []*ssa.Return
	for _, ret := range cfg.Returns(f.Fn) {
		if !f.Reached(ret.Block()) {
			continue
		}
		if len(ret.Results) == 0 || f.Value(ret.Results[len(ret.Results)-1]) != Nil {
			return nil
		}
		rets = append(rets, ret)
	}
	return rets
}

// explicit reports whether the edge is taken because the code has tested whether the
// context is done.
func (f *execution) explicit(e cfg.Edge) bool {
	c, ok := cfg.ConditionOf(e)
	if !ok || f.Value(c.Value) != boolean(c.Holds) {
		return false
	}
	return f.asksContext(c.Value)
}

func (f *execution) asksContext(cond ssa.Value) bool {
	cond = cfg.Condition{Value: cond}.Stripped().Value
	switch o := origin.Of(cond); o.Kind {
	case origin.Computed:
		if sel, ok := cfg.SelectIndex(o.X); ok {
			return f.takesDone(sel)
		}
		return o.Y != nil && (f.isContextError(o.X) || f.isContextError(o.Y))
	case origin.Result:
		call := o.Call.Common()
		switch library.Of(callee.Static(call)).Meaning {
		case library.AsksInterrupted:
			return true
		case library.AsksIs:
			return contexts.IsCanceled(call.Args[1])
		}
		return o.Call == cond && f.p.sleepOf(call).Kind == Interruptible
	}
	return false
}

// isContextError reports whether v is the error of a done context, from ctx.Err or
// from an interruptible sleep.
func (f *execution) isContextError(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok || f.Value(v) != Cancelled {
		return false
	}
	args := callee.Args(call.Common())
	fn := callee.Static(call.Common())
	if fn != nil && fn.Name() == "Err" && len(args) == 1 && contexts.IsContext(args[0].Type()) {
		return true
	}
	return f.p.onlySleeps(call.Common())
}

// takesDone reports whether the select takes the Done case of a context in scope.
func (f *execution) takesDone(sel *ssa.Select) bool {
	for i := range f.casesTaken(sel) {
		if f.p.Signal(sel.States[i].Chan) == contexts.Scope {
			return true
		}
	}
	return false
}
