package waiting

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// executeFrom executes what may follow once control has come to the block.
func (p *pkg) executeFrom(fn *ssa.Function, start *ssa.BasicBlock, w World, given map[ssa.Value]Value) *flow {
	f := p.newFlow(fn, nil, w, given, nil)
	f.start = start
	f.run()
	return f
}

// afterDone returns the returns of a nil error that follow an edge taken
// because a context is done.
func (f *flow) afterDone(consider func(edge) bool) []*ssa.Return {
	var rets []*ssa.Return
	for _, b := range f.fn.Blocks {
		for _, succ := range b.Succs {
			e := edge{b, succ}
			if !f.live[e] || !consider(e) || !f.explicit(e) {
				continue
			}
			rets = append(rets, f.nilReturns(e, f.start)...)
		}
	}
	return rets
}

// nilReturns executes what follows the edge and returns the returns of a nil
// error that it reaches without coming back to the beginning.
func (f *flow) nilReturns(e edge, beginning *ssa.BasicBlock) []*ssa.Return {
	if e.to == beginning {
		return nil
	}
	given := make(map[ssa.Value]Value)
	for v, val := range f.values {
		given[v] = val
	}
	for addr, val := range f.memory[e.from] {
		given[addr] = val
	}
	for _, instr := range e.to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		for i, pred := range e.to.Preds {
			if pred == e.from {
				given[phi] = f.value(phi.Edges[i])
			}
		}
	}
	after := f.p.newFlow(f.fn, nil, f.world, given, nil)
	after.start, after.barrier = e.to, beginning
	after.run()
	return after.onlyNilReturns()
}

// onlyNilReturns returns the returns that are reached if all of them return a
// nil error. Where only some do, the code looks at what it waited for.
func (f *flow) onlyNilReturns() []*ssa.Return {
	var rets []*ssa.Return
	for _, b := range f.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || !f.reached[b] || b == f.fn.Recover {
			continue
		}
		if len(ret.Results) == 0 || f.value(ret.Results[len(ret.Results)-1]) != Nil {
			return nil
		}
		rets = append(rets, ret)
	}
	return rets
}

// explicit reports whether the edge is taken because the code asked whether the
// context is done.
func (f *flow) explicit(e edge) bool {
	branch, ok := e.from.Instrs[len(e.from.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	v := f.value(branch.Cond)
	if v != True && v != False || (v == True) != (e.to == e.from.Succs[0]) {
		return false
	}
	return f.asksContext(branch.Cond)
}

func (f *flow) asksContext(cond ssa.Value) bool {
	switch cond := cond.(type) {
	case *ssa.UnOp:
		return cond.Op == token.NOT && f.asksContext(cond.X)
	case *ssa.BinOp:
		if sel, ok := selectIndex(cond.X); ok {
			return f.takesDone(sel)
		}
		return f.isContextError(cond.X) || f.isContextError(cond.Y)
	case *ssa.Call:
		switch library.MeaningOf(ssair.Callee(cond.Common())) {
		case library.AsksInterrupted:
			return true
		case library.AsksIs:
			load, ok := cond.Call.Args[1].(*ssa.UnOp)
			if !ok {
				return false
			}
			g, ok := load.X.(*ssa.Global)
			return ok && isCanceled(g)
		}
		return f.p.nap(cond.Common()).Kind == SoftNap
	}
	return false
}

// isContextError reports whether v is what ctx.Err or an interruptible sleep
// returned.
func (f *flow) isContextError(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok || f.value(v) != Cancelled {
		return false
	}
	if _, isTuple := call.Type().(*types.Tuple); isTuple {
		return false
	}
	args := arguments(call.Common())
	fn := ssair.Callee(call.Common())
	if fn != nil && fn.Name() == "Err" && len(args) == 1 && isContext(args[0].Type()) {
		return true
	}
	return f.p.sleeps(call.Common())
}

// takesDone reports whether the select has the Done case of a context in scope.
func (f *flow) takesDone(sel *ssa.Select) bool {
	for i := range f.choice(sel) {
		if f.p.signal(sel.States[i].Chan) == Scope {
			return true
		}
	}
	return false
}
