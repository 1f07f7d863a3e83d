package waiting

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// A Reason says what the grade of a loop or a poll follows from, or why a bad one is
// not reported.
type Reason uint8

const (
	// AsPoll: the wait is a loop of a library, which is judged at its call.
	AsPoll Reason = iota
	// Short: the loop waits no longer in all than the options allow.
	Short
	// Bounded: the context ends each wait, and the number of rounds is bounded.
	Bounded
	// ByContext: the context ends the loop.
	ByContext
	// BySignal: another signal ends the loop.
	BySignal
	// ByCallback: the callback ends the loop.
	ByCallback
	// Soon: the context ends the loop after a short wait.
	Soon
	// AfterWait: the context ends the loop after a long wait.
	AfterWait
	// GoesOn: the context ends the wait, but not the loop.
	GoesOn
	// Unended: no signal ends the loop.
	Unended
	// NoWayOut: control cannot leave the loop.
	NoWayOut
	// AtCalls: no signal ends the loop, and the worst of the calls of its function
	// decides.
	AtCalls
	// InTests: the loop is bad, but its package serves tests.
	InTests
	// InCleanup: the loop is bad, but it cleans up.
	InCleanup
	// Monitored: the loop is bad, but it watches something that its parent ends.
	Monitored
	// Unawaited: the loop is bad, but it runs in a goroutine that nobody waits for.
	Unawaited
	// NotReached: the loop is bad, but no function with a context is known to reach
	// it.
	NotReached
	// NotRunning: the loop is tolerable where no controller runs.
	NotRunning
)

func (r Reason) String() string {
	return [...]string{
		AsPoll: "it is a library's loop, judged by itself", Short: "it is short in all",
		Bounded:   "the context ends the wait, and the rounds are bounded",
		ByContext: "the context ends it", BySignal: "another signal ends it", ByCallback: "its callback ends it",
		Soon: "the context ends it after a short wait", AfterWait: "the context ends it, but not before the wait is over",
		GoesOn: "the context ends the wait, and the loop goes on", Unended: "no signal ends it", NoWayOut: "it has no way out",
		AtCalls: "no signal ends it; the worst of the calls of its function decides",
		InTests: "the package serves tests", InCleanup: "it is in clean-up", Monitored: "its parent ends what it watches",
		Unawaited:  "it runs in a goroutine that nobody waits for",
		NotReached: "no function with a context is known to reach it",
		NotRunning: "it waits at the start, or for some seconds at most, and nothing that runs with the controllers is known to reach it",
	}[r]
}

// An Unreported is a loop or a poll about which nothing is reported.
type Unreported struct {
	Pos    token.Pos
	What   string // "loop with the wait time.Sleep at a.go:12"
	Reason Reason
}

// Waits returns the loops and polls of the package that are not reported.
func (r *Result) Waits() []Unreported {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Unreported
	if r.a == nil {
		return nil
	}
	for _, fn := range r.a.Funcs {
		all = append(all, r.a.unreportedLoops(fn)...)
		all = append(all, r.a.unreportedCalls(fn)...)
	}
	return all
}

func (a *analyzer) unreportedLoops(fn *ssa.Function) []Unreported {
	var all []Unreported
	for _, l := range a.nest(fn).Loops {
		for _, s := range a.sites(fn) {
			if !l.Blocks[s.block] {
				continue
			}
			grade, reason := a.gradeAndReason(l, &s)
			if grade != Fine {
				silent := false
				if reason, silent = a.silences(fn, s.block, l, a.toleranceOf(l, &s)); !silent {
					continue
				}
			}
			pos, _ := loopRange(verdict{loop: l, site: s})
			all = append(all, Unreported{pos, fmt.Sprintf("loop at %s with %s at %s", a.Place(pos), s.what, a.Place(s.instr.Pos())), reason})
		}
	}
	return all
}

// silences returns the reason why a bad wait in the block is not reported. The loop is
// nil for that of a call. It is not ok if the wait is reported.
func (a *analyzer) silences(fn *ssa.Function, b *ssa.BasicBlock, l *cfg.Loop, t Tolerance) (Reason, bool) {
	switch {
	case a.ForTests():
		return InTests, true
	case a.inCleanup(fn, b):
		return InCleanup, true
	case a.monitors(fn):
		return Monitored, true
	case l != nil && a.holdsUpNobody(fn, l):
		return Unawaited, true
	case a.ReachOf(fn).Reach < contexts.Given:
		return NotReached, true
	case !t.minds(a.ReachOf(fn)):
		return NotRunning, true
	}
	return 0, false
}

func (a *analyzer) unreportedCalls(fn *ssa.Function) []Unreported {
	var all []Unreported
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			obj := callee.Static(call.Common())
			if obj == nil {
				continue
			}
			what := fmt.Sprintf("%s at %s", contexts.ShortName(obj), a.Place(call.Pos()))
			f, t := a.gradeCall(fn, call, obj)
			wait := a.WaitOf(obj)
			switch {
			case f.Grade != Fine:
				if a.callHoldsUpNobody(fn, call, &f) {
					all = append(all, Unreported{call.Pos(), what, Unawaited})
				} else if reason, silent := a.silences(fn, b, nil, t); silent && reason != Monitored {
					all = append(all, Unreported{call.Pos(), what, reason})
				}
			case wait != nil && wait.Loop:
				all = append(all, Unreported{call.Pos(), what, a.whyFine(call.Common(), wait)})
			case obj.Pkg() != a.Types:
				if fact := a.fact(obj.Origin()); fact != nil && !fact.Unobserved.At.IsZero() {
					all = append(all, Unreported{call.Pos(), what, ByCallback})
				}
			}
		}
	}
	return all
}

// whyFine returns the reason for the grade [Fine] of a poll.
func (a *analyzer) whyFine(call *ssa.CallCommon, wait *library.Wait) Reason {
	s, observes := a.waitSignal(call, wait)
	switch {
	case observes && s == contexts.Scope:
		return ByContext
	case observes && s >= contexts.Detached:
		return BySignal
	case observes && s == contexts.Timed && !a.shortPoll(call, wait, a.Options.MaxWait):
		if ended, _ := a.endedByCallback(call, wait, AllDone); !ended {
			return InCleanup
		}
	case a.shortPoll(call, wait, a.Options.MaxWait):
		return Short
	}
	return ByCallback
}
