package waiting

import (
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// Summaries of the package's functions are computed on demand. Within a recursion the
// summary of the function that is being computed is unknown, so the analysis stays
// silent. The demands follow the order of the source, so the result is the same in
// every run.

// A Sleep is the wait that a call of a helper amounts to. The helper contains, for
// example, a call of time.Sleep, or a select that also receives from a context's Done
// channel.
type Sleep struct {
	Kind SleepKind
	For  time.Duration // unknownDuration if it is no constant
}

// SleepKind says whether a call sleeps, and what ends the sleep.
type SleepKind uint8

const (
	// NoSleep: the call does not sleep, as far as is known.
	NoSleep SleepKind = iota
	// Interruptible: the sleep ends when a context is done.
	Interruptible
	// Uninterruptible: no context ends the sleep.
	Uninterruptible
)

// results joins the results of the return statements of fn that are reached in the
// world.
func (p *pkg) results(fn *ssa.Function, w World) Values { return joined(p.returns(fn, w)) }

// returns are the results of each return statement that is reached.
func (p *pkg) returns(fn *ssa.Function, w World) []Values {
	memo := p.returnsIn[w]
	if rets, ok := memo[fn]; ok {
		if !p.invariant[fn] {
			p.queries++
		}
		return rets
	}
	memo[fn] = nil // nothing is known while it is being computed
	queries := p.queries
	if hasTrackedResult(fn) {
		memo[fn] = p.returnsGiven(fn, w, nil)
	}
	if p.queries == queries {
		p.invariant[fn] = true
		for other := range p.returnsIn {
			p.returnsIn[other][fn] = memo[fn]
		}
	}
	return memo[fn]
}

// hasTrackedResult reports whether the lattice [Value] describes the type of some
// result.
func hasTrackedResult(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	for i := range res.Len() {
		if zero(res.At(i).Type()) != Unknown {
			return true
		}
	}
	return false
}

// resultsGiven is results with assumed values of parameters.
func (p *pkg) resultsGiven(fn *ssa.Function, w World, given map[ssa.Value]Value) Values {
	return joined(p.returnsGiven(fn, w, given))
}

// joined joins the results of return statements.
func joined(rets []Values) (vs Values) {
	for _, here := range rets {
		vs = vs.join(here, len(here))
	}
	return vs
}

func (p *pkg) returnsGiven(fn *ssa.Function, w World, given map[ssa.Value]Value) (rets []Values) {
	f := p.execute(fn, w, given)
	for _, ret := range cfg.Returns(fn) {
		if !f.Reached(ret.Block()) {
			continue
		}
		here := make(Values, len(ret.Results))
		for i, v := range ret.Results {
			here[i] = f.At(v, ret.Block())
		}
		rets = append(rets, here)
	}
	return rets
}

// sleepIn returns the wait that a call of fn amounts to.
func (p *pkg) sleepIn(fn *ssa.Function) Sleep {
	if sleep, ok := p.sleeps[fn]; ok {
		return sleep
	}
	p.sleeps[fn] = Sleep{}
	sleep := p.findSleep(fn)
	p.sleeps[fn] = sleep
	return sleep
}

// findSleep looks for a wait that is on every path through fn: one outside of loops, or
// a loop that waits until its context is done.
func (p *pkg) findSleep(fn *ssa.Function) Sleep {
	nest := p.nest(fn)
	for _, s := range p.sites(fn) {
		if nest.Innermost(s.instr.Block()) != nil || s.poll && !s.interruptible || s.event || !cfg.OnEveryWay(s.instr.Block()) {
			continue
		}
		sleep := Sleep{Kind: Uninterruptible, For: unknownDuration}
		if s.interruptible {
			sleep.Kind = Interruptible
		}
		if d, ok := p.interval(&s); ok {
			sleep.For = d
		}
		return sleep
	}
	for _, l := range nest.Loops {
		if l.Parent == nil && cfg.OnEveryWay(l.Header) && p.waitsForContext(l) {
			return Sleep{Kind: Interruptible, For: unknownDuration}
		}
	}
	return Sleep{}
}

// waitsForContext reports whether the loop itself waits, and a context in scope ends
// the wait.
func (p *pkg) waitsForContext(l *cfg.Loop) bool {
	for _, s := range p.sites(l.Func()) {
		if s.interruptible && !s.helper && l.Blocks[s.block] {
			return true
		}
	}
	return false
}

// sleepOf returns the wait that a call amounts to.
func (p *pkg) sleepOf(call *ssa.CallCommon) Sleep {
	targets := p.Resolver.Call(call)
	if targets.Open || len(targets.Foreign) > 1 {
		return Sleep{}
	}
	for _, fn := range targets.Own {
		// If one implementation sleeps, the others are assumed to be for tests.
		if sleep := p.sleepIn(fn); sleep.Kind != NoSleep {
			return sleep
		}
	}
	if len(targets.Foreign) == 0 {
		return Sleep{}
	}
	if fact := p.fact(targets.Foreign[0]); fact != nil {
		return fact.Sleep
	}
	return Sleep{}
}
