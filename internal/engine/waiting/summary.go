package waiting

import (
	"time"

	"golang.org/x/tools/go/ssa"
)

// What callers need to know of a function of the package is computed on demand.
// Functions that call each other recursively see nothing of each other, which
// is the silent side of the lattice; the order of the demands is that of the
// source, so the outcome is the same in every run.

// A Nap is a wait for which a function is called: a helper around time.Sleep,
// or around a select that also listens to a context.
type Nap struct {
	Kind NapKind
	For  time.Duration // if it is a constant, else negative
}

// NapKind tells naps apart.
type NapKind uint8

const (
	NoNap NapKind = iota
	// SoftNap ends when a context is done.
	SoftNap
	// HardNap does not.
	HardNap
)

// results joins the results at the returns of fn that are reached in the world.
func (p *pkg) results(fn *ssa.Function, w World) Values {
	memo := p.resultsIn[w]
	if vs, ok := memo[fn]; ok {
		if !p.steady[fn] {
			p.asked++
		}
		return vs
	}
	memo[fn] = nil // nothing is known while it is being computed
	asked := p.asked
	if hasTrackedResult(fn) {
		memo[fn] = p.resultsGiven(fn, w, nil)
	}
	if p.asked == asked {
		p.steady[fn] = true
		for other := range p.resultsIn {
			p.resultsIn[other][fn] = memo[fn]
		}
	}
	return memo[fn]
}

// hasTrackedResult reports whether some result is of a type that [Value] can
// say something about.
func hasTrackedResult(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	for i := range res.Len() {
		if zero(res.At(i).Type()) != Unknown {
			return true
		}
	}
	return false
}

// resultsGiven is results with assumptions about parameters.
func (p *pkg) resultsGiven(fn *ssa.Function, w World, given map[ssa.Value]Value) Values {
	f := p.execute(fn, nil, w, given, nil)
	var vs Values
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || !f.reached[b] {
			continue
		}
		here := make(Values, len(ret.Results))
		for i, v := range ret.Results {
			here[i] = f.at(v, b)
		}
		vs = vs.join(here, len(here))
	}
	return vs
}

// napOf returns the wait that a call of fn amounts to.
func (p *pkg) napOf(fn *ssa.Function) Nap {
	if nap, ok := p.naps[fn]; ok {
		return nap
	}
	p.naps[fn] = Nap{}
	nap := p.findNap(fn)
	p.naps[fn] = nap
	return nap
}

// findNap looks for waits outside of loops that every call comes by.
func (p *pkg) findNap(fn *ssa.Function) Nap {
	nest := p.nest(fn)
	for _, s := range p.sites(fn) {
		if nest.of[s.instr.Block()] != nil || s.poll && s.hard || !passes(fn, s.instr.Block()) {
			continue
		}
		nap := Nap{Kind: SoftNap, For: unknownDuration}
		if s.hard {
			nap.Kind = HardNap
		}
		if d, ok := s.interval(); ok {
			nap.For = d
		}
		return nap
	}
	for _, l := range nest.loops {
		if l.parent == nil && passes(fn, l.header) && p.softLoop(l) {
			return Nap{Kind: SoftNap, For: unknownDuration}
		}
	}
	return Nap{}
}

// softLoop reports whether the loop waits until its context is done.
func (p *pkg) softLoop(l *loop) bool {
	for _, s := range p.sites(l.fn) {
		if !s.hard && !s.helper && l.blocks[s.block] {
			return true
		}
	}
	return false
}

// passes reports whether each return of fn comes after b.
func passes(fn *ssa.Function, b *ssa.BasicBlock) bool {
	for _, exit := range fn.Blocks {
		if _, ok := exit.Instrs[len(exit.Instrs)-1].(*ssa.Return); ok && exit != fn.Recover && !b.Dominates(exit) {
			return false
		}
	}
	return true
}

// nap returns the wait that a call amounts to.
func (p *pkg) nap(call *ssa.CallCommon) Nap {
	targets := p.resolve(call)
	if targets.unknown || len(targets.foreign) > 1 {
		return Nap{}
	}
	for _, fn := range targets.own {
		// Beside one that naps, other implementations are those for tests.
		if nap := p.napOf(fn); nap.Kind != NoNap {
			return nap
		}
	}
	if len(targets.foreign) == 0 {
		return Nap{}
	}
	if fact := p.fact(targets.foreign[0]); fact != nil {
		return fact.Nap
	}
	return Nap{}
}
