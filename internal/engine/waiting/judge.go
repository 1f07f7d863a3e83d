package waiting

import (
	"golang.org/x/tools/go/ssa"
)

// laps is how often a loop is executed in a row before it is believed that it
// goes on: what a round leaves in its variables may end the next.
const laps = 3

// endless reports whether the loop, after all signals of the world have been
// given, still comes by the site and round again.
func (p *pkg) endless(l *loop, s *site, w World, callbacks map[*ssa.Parameter]Values) bool {
	var carriedOver map[ssa.Value]Value
	for range laps {
		f := p.execute(l.fn, l, w, carriedOver, callbacks)
		if !f.reached[s.block] || !f.returns(l, s.block) {
			return false
		}
		carriedOver = f.carryOver()
	}
	return true
}

// returns reports whether live edges lead from b to the loop's header.
func (f *flow) returns(l *loop, b *ssa.BasicBlock) bool {
	if b == l.header {
		for _, latch := range l.latches() {
			if f.live[edge{latch, l.header}] {
				return true
			}
		}
		return false
	}
	seen := map[*ssa.BasicBlock]bool{b: true}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, succ := range b.Succs {
			if !f.live[edge{b, succ}] {
				continue
			}
			if succ == l.header {
				return true
			}
			if l.blocks[succ] && !seen[succ] {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
	return false
}

// carryOver returns the values of the loop's variables at the end of a round.
func (f *flow) carryOver() map[ssa.Value]Value {
	l := f.region
	out := make(map[ssa.Value]Value)
	for _, phi := range l.phis() {
		v := Unreached
		for i, pred := range l.header.Preds {
			if f.live[edge{pred, l.header}] {
				v = v.join(f.value(phi.Edges[i]))
			}
		}
		out[phi] = v
	}
	first := true
	var mem memory
	for _, latch := range l.latches() {
		if !f.live[edge{latch, l.header}] {
			continue
		}
		if first {
			mem, first = f.memory[latch], false
			continue
		}
		mem = mem.join(f.memory[latch])
	}
	for addr, v := range mem {
		out[addr] = v
	}
	return out
}

// Grade says how bad a waiting loop is.
type Grade uint8

const (
	Fine Grade = iota
	// Late: it notices cancellation, but not before a wait is over.
	Late
	// Endless: nothing ends it before its own bound.
	Endless
)

// verdict is the outcome of judging a loop.
type verdict struct {
	grade Grade
	site  site
	loop  *loop
}

// judge grades the loops of a function that wait, inner ones first. A wait
// counts for the innermost loop that it makes bad.
func (p *pkg) judge(fn *ssa.Function) []verdict {
	nest := p.nest(fn)
	if len(nest.loops) == 0 {
		return nil
	}
	var verdicts []verdict
	judged := make(map[*loop]bool)
	for _, s := range p.sites(fn) {
		for l := nest.of[s.block]; l != nil; l = l.parent {
			grade := p.grade(l, &s)
			if grade == Fine {
				continue
			}
			if !judged[l] {
				judged[l] = true
				verdicts = append(verdicts, verdict{grade, s, l})
			} else if grade == Endless {
				for i := range verdicts {
					if verdicts[i].loop == l && verdicts[i].grade == Late {
						verdicts[i] = verdict{grade, s, l}
					}
				}
			}
			break
		}
	}
	return verdicts
}

func (p *pkg) grade(l *loop, s *site) Grade {
	grade, _ := p.graded(l, s)
	return grade
}

// graded is grade with the reason.
func (p *pkg) graded(l *loop, s *site) (Grade, string) {
	if s.poll && s.hard {
		return Fine, "it is reported as a poll"
	}
	if p.short(l, s) {
		return Fine, "it is short in all"
	}
	if !s.hard {
		// The wait is over at once when the context is done. A loop that then
		// goes on spins; if it is bounded, not for long.
		switch {
		case l.finite():
			return Fine, "the context ends the wait, and the rounds are bounded"
		case !p.endless(l, s, ScopeDone, nil):
			return Fine, "the context ends it"
		case !p.endless(l, s, AllDone, nil):
			return Fine, "another signal ends it"
		}
		return Endless, "the context ends the wait, and the loop goes on"
	}
	switch {
	case p.endless(l, s, AllDone, nil):
		if len(p.calls[l.fn]) == 0 {
			return p.atCalls(l, s), "no signal ends it"
		}
		return p.atCalls(l, s), "no signal ends it; the worst of the calls of its function decides"
	case p.endless(l, s, ScopeDone, nil):
		return Fine, "another signal ends it"
	}
	if d, ok := s.interval(); ok && p.soon(d) {
		return Fine, "the context ends it after a short wait"
	}
	return Late, "the context ends it, but not before the wait is over"
}
