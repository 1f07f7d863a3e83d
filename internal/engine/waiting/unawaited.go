package waiting

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/goroutines"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A goroutine that nobody waits for holds up no reconcile. If its context ends only
// with the process, cancellation changes nothing for it either. What remains is a
// goroutine that never ends: each reconcile leaves one more behind. The set-up of a
// controller, which runs once, leaves one that lives as long as the process.
//
//	go func() {
//		for !r.served(ctx) {
//			time.Sleep(10 * time.Second)
//		}
//		r.announce(ctx)
//	}()

// unawaited reports whether fn runs only in goroutines that nobody waits for, on
// contexts that end with the process.
func (p *pkg) unawaited(fn *ssa.Function) bool {
	return p.goroutines.Unawaited(fn) && !p.HasOwnEnd(fn, 0)
}

// holdsUpNobody reports whether the loop is in such a function, has a way out of its own
// or starts once, and is not part of a control loop.
func (p *pkg) holdsUpNobody(fn *ssa.Function, l *cfg.Loop) bool {
	return p.unawaited(fn) && (p.hasWayOut(l) && !goroutines.InControlLoop(l.Parent) || p.startsOnce(fn))
}

// callHoldsUpNobody is the same for the loop that a call in fn amounts to.
func (p *pkg) callHoldsUpNobody(fn *ssa.Function, call ssa.CallInstruction, f *Finding) bool {
	if !p.goroutines.Unawaited(fn) || p.HasOwnEnd(fn, f.lasts) {
		return false
	}
	return f.wayOut && !goroutines.InControlLoop(p.nest(fn).Innermost(call.Block())) || p.startsOnce(fn)
}

// startsOnce reports whether fn runs only in goroutines that the set-up of controllers
// or a program starts.
func (p *pkg) startsOnce(fn *ssa.Function) bool {
	started := false
	seen := make(map[*ssa.Function]bool)
	var once func(fn *ssa.Function) bool
	once = func(fn *ssa.Function) bool {
		if seen[fn] {
			return true
		}
		seen[fn] = true
		started = started || p.goroutines.StartedByProgram(fn)
		for _, from := range p.Funcs {
			for _, e := range p.Edges(from) {
				switch {
				case e.To != fn || e.Makes:
				case e.Async && p.ReachOf(from).Reach == contexts.Startup:
					started = true
				case e.Async || !once(from):
					return false
				}
			}
		}
		return true
	}
	return once(fn) && started
}

// pollHasWayOut reports whether what the library's poll calls can end it.
func pollHasWayOut(call *ssa.CallCommon, wait *library.Wait) bool {
	args := callee.Args(call)
	i, ok := wait.Args.Of(library.CallbackArg, len(args))
	if !ok {
		return false
	}
	sig, ok := args[i].Type().Underlying().(*types.Signature)
	return ok && sig.Results().Len() > 0
}

// hasWayOut reports whether control may leave the loop by itself. The end of a timer's
// channel is no way out, since it is never closed. Nor is a key that is missing in a map
// from which the package deletes nothing.
func (p *pkg) hasWayOut(l *cfg.Loop) bool {
	exits := l.Exits()
	if !l.Leaves(l.Header) || len(exits) == 0 {
		return l.Leaves(l.Header)
	}
	return slices.ContainsFunc(exits, func(branch *ssa.If) bool {
		o := origin.Of(branch.Cond)
		if o.Kind != origin.OK {
			return true
		}
		switch of := origin.Of(o.X); of.Kind {
		case origin.Received:
			return !contexts.IsTimer(of.X)
		case origin.Element:
			field, _ := origin.FieldOf(of.X)
			return field == nil || len(p.removersOf(field)) > 0
		}
		return true
	})
}
