package waiting

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/sccp"
)

// maxRounds is how many rounds of a loop are executed, one after the other, before
// the loop counts as endless. The values that one round leaves in the loop's variables
// may end the next.
const maxRounds = 3

// endless reports whether, in the world, control still reaches the site in each round
// of the loop and gets from there to the next round.
func (p *pkg) endless(l *cfg.Loop, s *site, w World, callbacks map[*ssa.Parameter]Values) bool {
	_, ends := p.rounds(l, s, w, callbacks)
	return !ends
}

// rounds executes rounds of the loop in the world until one of them ends it. If none does,
// it returns the values that they leave in the loop's variables.
func (p *pkg) rounds(l *cfg.Loop, s *site, w World, callbacks map[*ssa.Parameter]Values) (variables map[ssa.Value]Value, ends bool) {
	left := p.leftBelow(l, w)
	for range maxRounds {
		f := p.executeRound(l, w, variables, callbacks, left)
		if !f.Reached(s.block) || !f.comesBack(l, s.block) {
			return nil, true
		}
		variables = f.afterRound()
	}
	return variables, false
}

// endsAtTick reports whether a timer that fires soon ends the loop once its select has seen
// that the context is done:
//
//	select {
//	case <-ctx.Done():
//		done = true
//	case <-ticker.C:
//		show()
//		if done {
//			return
//		}
//	}
func (p *pkg) endsAtTick(l *cfg.Loop, s *site) bool {
	sel, ok := s.instr.(*ssa.Select)
	if !ok {
		return false
	}
	variables, ends := p.rounds(l, s, ScopeDone, nil)
	if ends {
		return true
	}
	for i, state := range sel.States {
		v := p.TimerDuration(state.Chan)
		if v == nil {
			continue
		}
		f := &execution{Solver: sccp.Solver[Value]{Fn: l.Func(), Region: l, Given: variables}, p: p, world: ScopeDone, fired: map[*ssa.Select]int{sel: i}}
		f.Solve(f)
		if d, ok := p.Duration(v); ok && p.soon(d) && !f.comesBack(l, s.block) {
			return true
		}
	}
	return false
}

// comesBack reports whether live edges lead from b to the loop's header.
func (f *execution) comesBack(l *cfg.Loop, b *ssa.BasicBlock) bool {
	if b == l.Header {
		for _, latch := range l.Latches() {
			if f.Live(cfg.Edge{From: latch, To: l.Header}) {
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
			if !f.Live(cfg.Edge{From: b, To: succ}) {
				continue
			}
			if succ == l.Header {
				return true
			}
			if l.Blocks[succ] && !seen[succ] {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
	return false
}

// afterRound returns the values of the loop's variables at the end of a round: the
// phis of its header, and the variables in memory.
func (f *execution) afterRound() map[ssa.Value]Value {
	l := f.Region
	out := make(map[ssa.Value]Value)
	for _, phi := range l.Phis() {
		v := Unreached
		for i, pred := range l.Header.Preds {
			if f.Live(cfg.Edge{From: pred, To: l.Header}) {
				v = v.join(f.Value(phi.Edges[i]))
			}
		}
		out[phi] = v
	}
	first := true
	var mem map[ssa.Value]Value
	for _, latch := range l.Latches() {
		if !f.Live(cfg.Edge{From: latch, To: l.Header}) {
			continue
		}
		if first {
			mem, first = f.Memory(latch), false
			continue
		}
		mem = f.JoinMemory(mem, f.Memory(latch))
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
	// Late: the loop ends after cancellation, but not before a wait is over.
	Late
	// Endless: neither cancellation nor another signal ends the loop before its own
	// bound.
	Endless
)

// verdict is the outcome of judging a loop.
type verdict struct {
	grade Grade
	site  site
	loop  *cfg.Loop
}

// judge grades the waiting loops of a function, inner loops first. A wait counts
// against the innermost loop that it makes bad, and against no other.
func (p *pkg) judge(fn *ssa.Function) []verdict {
	nest := p.nest(fn)
	if len(nest.Loops) == 0 {
		return nil
	}
	var verdicts []verdict
	judged := make(map[*cfg.Loop]bool)
	for _, s := range p.sites(fn) {
		for l := nest.Innermost(s.block); l != nil; l = l.Parent {
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

func (p *pkg) grade(l *cfg.Loop, s *site) Grade {
	grade, _ := p.gradeAndReason(l, s)
	return grade
}

// gradeAndReason grades a loop for one of its waits, and says what the grade follows
// from.
func (p *pkg) gradeAndReason(l *cfg.Loop, s *site) (Grade, Reason) {
	if s.poll && !s.interruptible {
		return Fine, AsPoll
	}
	if p.short(l, s, p.Options.MaxWait) {
		return Fine, Short
	}
	if s.event {
		return Endless, NoWayOut
	}
	if s.interruptible {
		// The wait is over at once when the context is done. If the loop then goes
		// on, it spins. A bounded loop does not spin for long.
		switch {
		case finite(l):
			return Fine, Bounded
		case !p.endless(l, s, ScopeDone, nil):
			return Fine, ByContext
		case !p.endless(l, s, AllDone, nil):
			return Fine, BySignal
		case p.leavesOnError(l, s):
			return Fine, ByCallback
		case p.endsAtTick(l, s):
			return Fine, Soon
		}
		return Endless, GoesOn
	}
	switch {
	case p.endless(l, s, AllDone, nil):
		if len(p.Index.Calls(l.Func())) == 0 {
			return p.atCalls(l, s), Unended
		}
		return p.atCalls(l, s), AtCalls
	case p.endless(l, s, ScopeDone, nil):
		return Fine, BySignal
	}
	d, ok := p.interval(s)
	if !ok {
		d, ok = p.usually(s.duration)
	}
	if ok && p.soon(d) {
		return Fine, Soon
	}
	return Late, AfterWait
}
