package waiting

import (
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A site is a place where a function waits.
type site struct {
	instr ssa.Instruction
	// block is where control is after the wait. For a select with a timer that is
	// the timer's case.
	block *ssa.BasicBlock
	// interruptible says that a context in scope ends the wait.
	interruptible bool
	// what names the wait in messages: "time.Sleep", "a timer".
	what string
	// duration is the length of the wait, nil if that is not a value of this
	// function.
	duration ssa.Value
	// known is the length if duration is nil, unknownDuration if it is not known.
	known time.Duration
	// poll says that the wait is a loop of a library, which is judged at its call.
	poll bool
	// helper says that the callee waits, a function that is not a library's.
	helper bool
	// event says that it waits for something to be sent, in a loop that nothing ends.
	event bool
}

const unknownDuration time.Duration = -1

// sites returns the places where fn itself waits, in block order.
func (p *pkg) sites(fn *ssa.Function) []site {
	if sites, ok := p.siteCache[fn]; ok {
		return sites
	}
	sites := p.findSites(fn)
	p.siteCache[fn] = sites
	return sites
}

func (p *pkg) findSites(fn *ssa.Function) []site {
	var sites []site
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Call:
				if s, ok := p.callSite(instr); ok {
					sites = append(sites, s)
				}
			case *ssa.Select:
				timers := p.selectSites(instr)
				if len(timers) == 0 && instr.Blocking && p.neverEnds(b) {
					timers = []site{{instr: instr, block: b, what: "a channel", known: unknownDuration, event: true}}
				}
				sites = append(sites, timers...)
			default:
				ch := origin.ReceivedFrom(instr)
				switch {
				case ch == nil || drains(b):
				case contexts.IsTimer(ch) && !contexts.IsForeignTicker(ch):
					sites = append(sites, site{instr: instr, block: b, what: "a timer", duration: p.TimerDuration(ch)})
				case p.neverEnds(b):
					sites = append(sites, site{instr: instr, block: b, what: "a channel", known: unknownDuration, event: true})
				}
			}
		}
	}
	return sites
}

// neverEnds reports whether the block is in a loop without a way out, in a function that
// has a context at hand. A loop that waits there for what others send goes on for ever:
//
//	for {
//		select {
//		case e := <-events:
//			handle(ctx, e)
//		}
//	}
//
// A loop with a way out may be ended by what it receives.
func (p *pkg) neverEnds(b *ssa.BasicBlock) bool {
	l := p.nest(b.Parent()).Innermost(b)
	return l != nil && !l.Leaves(l.Header) && p.Scope(b.Parent()) != ""
}

// drains reports whether the block is reached because a timer could not be stopped. A
// receive there empties the channel of a timer that has fired, and does not wait.
//
//	if !timer.Stop() {
//		<-timer.C
//	}
func drains(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	c, ok := cfg.ConditionOf(cfg.Edge{From: b.Preds[0], To: b})
	if !ok {
		return false
	}
	asked := origin.Of(c.Stripped().Value)
	if asked.Kind != origin.Result {
		return false
	}
	fn := callee.Static(asked.Call.Common())
	return fn != nil && fn.Name() == "Stop"
}

func (p *pkg) callSite(call *ssa.Call) (site, bool) {
	fn := p.Target(call.Common())
	args := callee.Args(call.Common())
	s := site{instr: call, block: call.Block(), known: unknownDuration}
	if wait := p.WaitOf(fn); wait != nil {
		signal, observes := p.waitSignal(call.Common(), wait)
		s.interruptible = observes && signal >= contexts.Detached
		s.what = contexts.ShortName(fn)
		s.poll = wait.Loop
		if i, ok := wait.Args.Of(library.IntervalArg, len(args)); ok && !wait.Loop {
			s.duration = args[i]
		}
		return s, true
	}
	sleep := p.sleepOf(call.Common())
	if sleep.Kind == NoSleep {
		return s, false
	}
	s.interruptible = sleep.Kind == Interruptible
	s.known = sleep.For
	s.helper = true
	s.what = contexts.CalleeName(call.Common())
	return s, true
}

// selectSites returns the waits of a select: the cases of timers after which the loop
// may go on. If it also has the Done case of a context in scope, it is one
// interruptible wait.
func (p *pkg) selectSites(sel *ssa.Select) []site {
	if !sel.Blocking {
		return nil
	}
	var timers []site
	interruptible := false
	l := p.nest(sel.Parent()).Innermost(sel.Block())
	for i, state := range sel.States {
		if state.Dir != types.RecvOnly {
			continue
		}
		if !contexts.IsTimer(state.Chan) || contexts.IsForeignTicker(state.Chan) {
			interruptible = interruptible || p.Signal(state.Chan) == contexts.Scope
			continue
		}
		target := cfg.CaseBlock(sel, i)
		if target == nil || l != nil && !(l.Blocks[target] && l.Continues(target)) {
			continue // it ends the loop, so it is a bound
		}
		timers = append(timers, site{instr: sel, block: target, what: "a timer", duration: p.TimerDuration(state.Chan)})
	}
	if interruptible && len(timers) > 0 {
		return []site{{instr: sel, block: sel.Block(), interruptible: true, what: "a timer", known: unknownDuration}}
	}
	if l != nil && limitsRound(l, sel) {
		return nil
	}
	return timers
}

// interval returns the length of the wait. It is not ok if it is no constant.
func (p *pkg) interval(s *site) (time.Duration, bool) {
	if s.duration == nil {
		return s.known, s.known > 0
	}
	return p.Duration(s.duration)
}

// onlySleeps reports whether the call does nothing but wait for a time or a context.
func (p *pkg) onlySleeps(call *ssa.CallCommon) bool {
	for _, fn := range p.Resolver.Call(call).Own {
		return p.sleepIn(fn).Kind == Interruptible && len(p.nest(fn).Loops) == 0
	}
	if fn := callee.Static(call); fn != nil {
		fact := p.fact(fn)
		return fact != nil && fact.Sleep.Kind == Interruptible
	}
	return false
}
