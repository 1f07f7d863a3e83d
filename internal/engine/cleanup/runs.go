package cleanup

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Run says that a function calls one of its parameters before it returns:
//
//	func onError(ctx context.Context, err *error, undo func(context.Context) error) {
//		if *err != nil {
//			_ = undo(ctx)
//		}
//	}
type Run struct {
	// Param is the index of the parameter that is called.
	Param int
	// Context is the index of the parameter that the context which it is given is
	// derived from, -1 if there is none.
	Context int
	// OnFailure says that it is called only if the error that a pointer leads to is
	// not nil.
	OnFailure bool
}

// runs returns which of its arguments a call runs.
func (p *pkg) runs(call *ssa.CallCommon) []Run {
	if own := p.Index.Own(call.StaticCallee()); own != nil {
		return p.runsOf(own)
	}
	if fn := callee.Static(call); fn != nil && fn.Pkg() != p.Types {
		if fact := p.fact(fn.Origin()); fact != nil {
			return fact.Runs
		}
	}
	return nil
}

// runsOf returns which of its parameters a function runs. A recursive function runs
// none.
func (p *pkg) runsOf(fn *ssa.Function) []Run {
	if runs, ok := p.running[fn]; ok {
		return runs
	}
	p.running[fn] = nil
	var runs []Run
	add := func(called, ctx ssa.Value, onFailure bool) {
		param, ok := called.(*ssa.Parameter)
		if !ok || param.Parent() != fn {
			return // a literal may call a parameter of the function around it
		}
		run := Run{Param: slices.Index(fn.Params, param), Context: -1, OnFailure: onFailure}
		if ctx != nil {
			run.Context = p.parameterBehind(ctx, fn)
		}
		if !slices.Contains(runs, run) {
			runs = append(runs, run)
		}
	}
	p.callsIn(fn, add)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, started := range p.awaited(instr) {
				p.callsIn(started, func(called, ctx ssa.Value, _ bool) { add(called, ctx, false) })
			}
		}
	}
	p.running[fn] = runs
	return runs
}

// callsIn adds the values that a function calls, itself or through other functions: each
// with the context that it is given, and whether it is called only where something has
// failed.
func (p *pkg) callsIn(fn *ssa.Function, add func(called, ctx ssa.Value, onFailure bool)) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if _, async := instr.(*ssa.Go); async || !ok || call.Common().IsInvoke() {
				continue
			}
			common := call.Common()
			var ctx ssa.Value
			if passed := contexts.Of(common); len(passed) > 0 {
				ctx = passed[0]
			}
			add(p.canon(common.Value, nil), ctx, onFailure(b))
			args := callee.Args(common)
			for _, run := range p.runs(common) {
				if run.Param >= len(args) || run.Context >= len(args) {
					continue
				}
				ctx = nil
				if run.Context >= 0 {
					ctx = args[run.Context]
				}
				add(p.canon(args[run.Param], nil), ctx, run.OnFailure || onFailure(b))
			}
		}
	}
}

// runActs adds the acts of the functions that a call runs, with the contexts in the
// caller: those that the functions capture, or that they are given.
func (p *pkg) runActs(run Run, args []ssa.Value, add func(ctx ssa.Value, below act)) {
	if run.Param >= len(args) || run.Context >= len(args) {
		return
	}
	var given ssa.Value
	if run.Context >= 0 {
		given = args[run.Context]
	}
	targets := p.Resolver.Value(args[run.Param])
	for _, own := range targets.Own {
		for _, below := range p.actsOf(own) {
			below.onFailure = below.onFailure || run.OnFailure && !below.persists
			ctx := below.ctx
			switch {
			case p.parameterBehind(ctx, own) >= 0:
				ctx = given
			case own.Parent() == nil:
				ctx = nil // a context of its own
			}
			add(ctx, below)
		}
	}
	for _, fn := range targets.Foreign {
		if fact := p.fact(fn); fact != nil {
			for _, a := range fact.Acts {
				add(given, act{what: a.What, at: a.At, persists: a.Persists, onFailure: run.OnFailure && !a.Persists})
			}
		}
	}
}

// runOf returns how a call runs the function literal that is one of its arguments. It is
// not ok if that is not known.
func (p *pkg) runOf(call *ssa.CallCommon, lit *ssa.Function) (run Run, ok bool) {
	args := callee.Args(call)
	for _, run := range p.runs(call) {
		if run.Param < len(args) {
			if o := origin.Of(args[run.Param]); args[run.Param] == ssa.Value(lit) || o.Kind == origin.Closure && o.X == ssa.Value(lit) {
				return run, true
			}
		}
	}
	return Run{}, false
}
