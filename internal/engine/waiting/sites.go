package waiting

import (
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A site is a place where a function waits.
type site struct {
	instr ssa.Instruction
	// block is where control is once it has waited: for a select with a timer,
	// the timer's case.
	block *ssa.BasicBlock
	// hard waits cannot be interrupted by a context in scope, soft ones are.
	hard bool
	// what is waited for, for messages: "time.Sleep", "a timer".
	what string
	// duration of the wait, nil if it is not a value of this function.
	duration ssa.Value
	// known is the duration if duration is nil; negative if it is not known.
	known time.Duration
	// poll says that the wait is a library's loop, which is judged by itself.
	poll bool
	// helper says that a function called here waits.
	helper bool
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
			case *ssa.UnOp:
				if instr.Op == token.ARROW && isTimer(instr.X.Type()) && !isForeignTicker(instr.X) && !drains(instr) {
					sites = append(sites, site{instr: instr, block: b, hard: true, what: "a timer", duration: p.timerDuration(instr.X)})
				}
			case *ssa.Select:
				sites = append(sites, p.selectSites(instr)...)
			}
		}
	}
	return sites
}

// drains reports whether the receive empties the channel of a timer that could
// not be stopped because it has fired, which is no wait.
//
//	if !timer.Stop() {
//		<-timer.C
//	}
func drains(recv *ssa.UnOp) bool {
	b := recv.Block()
	if len(b.Preds) != 1 {
		return false
	}
	branch, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond := branch.Cond
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		cond = not.X
	}
	call, ok := cond.(*ssa.Call)
	if !ok {
		return false
	}
	fn := ssair.Callee(call.Common())
	return fn != nil && fn.Name() == "Stop"
}

func (p *pkg) callSite(call *ssa.Call) (site, bool) {
	fn := p.target(call.Common())
	args := arguments(call.Common())
	s := site{instr: call, block: call.Block(), known: unknownDuration}
	if wait, ok := p.waitOf(fn); ok {
		signal, listens := p.waitSignal(call.Common(), wait)
		s.hard = !listens || signal < Detached
		s.what = shortName(fn)
		s.poll = wait.Loop
		if i, ok := wait.Args.Of(library.IntervalArg, len(args)); ok && !wait.Loop {
			s.duration = args[i]
		}
		return s, true
	}
	nap := p.nap(call.Common())
	if nap.Kind == NoNap {
		return s, false
	}
	s.hard = nap.Kind == HardNap
	s.known = nap.For
	s.helper = true
	s.what = calleeName(call.Common())
	return s, true
}

// waitOf returns how fn waits, and whether it is known to.
func (p *pkg) waitOf(fn *types.Func) (library.Wait, bool) {
	about := p.known(fn)
	return about.wait, about.waits
}

// A knownFunc is what the tables and the options say about a function. They are
// asked about each call many times, so it is kept: their keys are names.
type knownFunc struct {
	meaning   library.Meaning
	permanent bool // see library.MakesPermanent
	cached    bool // see library.IgnoresContext
	wait      library.Wait
	waits     bool
}

func (p *pkg) known(fn *types.Func) *knownFunc {
	about := p.tables[fn]
	if about == nil {
		about = &knownFunc{meaning: library.MeaningOf(fn), permanent: library.MakesPermanent(fn), cached: library.IgnoresContext(fn)}
		if about.waits = p.opts.Waits[library.Name(fn)]; about.waits {
			about.wait = library.WaitLike(fn)
		} else {
			about.wait, about.waits = library.WaitOf(fn)
		}
		p.tables[fn] = about
	}
	return about
}

// selectSites: a timer's case that may go on with the loop is a wait. With the
// Done case of a context beside it the select is interruptible.
func (p *pkg) selectSites(sel *ssa.Select) []site {
	if !sel.Blocking {
		return nil
	}
	var timers []site
	soft := false
	l := p.nest(sel.Parent()).of[sel.Block()]
	for i, state := range sel.States {
		if state.Dir != types.RecvOnly {
			continue
		}
		if !isTimer(state.Chan.Type()) || isForeignTicker(state.Chan) {
			soft = soft || p.signal(state.Chan) == Scope
			continue
		}
		target := caseBlock(sel, i)
		if target == nil || l != nil && !(l.blocks[target] && l.continues(target)) {
			continue // it ends the loop: a bound, no pause
		}
		timers = append(timers, site{instr: sel, block: target, hard: true, what: "a timer", duration: p.timerDuration(state.Chan)})
	}
	if soft && len(timers) > 0 {
		return []site{{instr: sel, block: sel.Block(), what: "a timer", known: unknownDuration}}
	}
	if l != nil && l.limitsRound(sel) {
		return nil
	}
	return timers
}

// timerDuration returns the duration of the timer or ticker behind a channel.
func (p *pkg) timerDuration(ch ssa.Value) ssa.Value {
	for range signalDepth {
		switch v := ch.(type) {
		case *ssa.Call:
			if i, ok := library.TimerOf(ssair.Callee(v.Common())); ok {
				if args := arguments(v.Common()); i < len(args) {
					return args[i]
				}
				return nil
			}
			args := arguments(v.Common()) // ticker.C()
			if len(args) != 1 {
				return nil
			}
			ch = args[0]
		case *ssa.UnOp:
			switch addr := v.X.(type) {
			case *ssa.FieldAddr:
				ch = addr.X
			case *ssa.Alloc, *ssa.FreeVar:
				vs := p.stored(addr)
				if len(vs) != 1 {
					return nil
				}
				ch = vs[0]
			default:
				return nil
			}
		case *ssa.ChangeType:
			ch = v.X
		default:
			return nil
		}
	}
	return nil
}

// interval returns the length of the wait if it is a constant.
func (s *site) interval() (time.Duration, bool) {
	if s.duration == nil {
		return s.known, s.known > 0
	}
	return make(evaluator).duration(s.duration)
}

// sleeps reports whether the call does nothing but wait for a time or a context.
func (p *pkg) sleeps(call *ssa.CallCommon) bool {
	for _, fn := range p.resolve(call).own {
		return p.napOf(fn).Kind == SoftNap && len(p.nest(fn).loops) == 0
	}
	if fn := ssair.Callee(call); fn != nil {
		fact := p.fact(fn)
		return fact != nil && fact.Nap.Kind == SoftNap
	}
	return false
}

// calleeName names the callee of a call for messages.
func calleeName(call *ssa.CallCommon) string {
	if fn := ssair.Callee(call); fn != nil {
		return shortName(fn)
	}
	if fn := call.StaticCallee(); fn != nil {
		if pos := fn.Pos(); pos.IsValid() {
			return "a closure"
		}
	}
	return "a function"
}

// shortName is a function's name with the last element of its package's path,
// or with its receiver's type.
func shortName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		if named := library.NamedOf(recv.Type()); named != nil {
			return named.Obj().Name() + "." + fn.Name()
		}
		return fn.Name()
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
