package waiting

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Debug writes what is known about fn, a function or function literal of the
// package: who reaches it, where it waits, how its loops and polls are graded and
// why, what it returns in each world, and its fact.
func (r *Result) Debug(w *text.Writer, fn *ssa.Function) {
	if r.a == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	d := &debugger{r.a, fn}
	d.write(w)
}

// A debugger writes what is known about one function.
type debugger struct {
	*analyzer
	fn *ssa.Function
}

func (d *debugger) write(w *text.Writer) {
	if r := d.ReachOf(d.fn); r.Reach != contexts.Nobody {
		w.Linef("reached with %s, %s", r.Context, reachNames[r.Reach])
	}
	d.goroutines.Debug(w, d.fn)
	d.signals(w)
	for _, s := range d.sites(d.fn) {
		d.site(w, s)
	}
	for _, l := range d.nest(d.fn).Loops {
		d.loop(w, l)
	}
	d.calls(w)
	d.results(w)
	if obj := d.fn.Object(); obj != nil && d.fn.Parent() == nil && obj.Exported() {
		if fact := d.factOf(d.fn); !fact.empty() {
			w.Linef("fact %s", fact)
		}
	}
	d.found(w)
}

// signals writes the signals of the channels and contexts that the function uses.
func (d *debugger) signals(w *text.Writer) {
	for _, b := range d.fn.Blocks {
		for _, instr := range b.Instrs {
			if ch := origin.ReceivedFrom(instr); ch != nil {
				d.signal(w, "receives", ch, instr.Pos())
			}
			switch instr := instr.(type) {
			case *ssa.Select:
				for _, state := range instr.States {
					d.signal(w, "selects", state.Chan, state.Pos)
				}
			case ssa.CallInstruction:
				for _, ctx := range contexts.Of(instr.Common()) {
					if d.Signal(ctx) != contexts.Scope {
						d.signal(w, "hands on", ctx, instr.Pos())
					}
				}
			}
		}
	}
}

func (d *debugger) signal(w *text.Writer, how string, v ssa.Value, pos token.Pos) {
	if contexts.IsTimer(v) {
		return
	}
	w.Linef("%s %s  %s", how, signalNames[d.Signal(v)], d.Place(pos))
}

func (d *debugger) site(w *text.Writer, s site) {
	long := ""
	if v, ok := d.interval(&s); ok {
		long = " for " + v.String()
	}
	how := ""
	if s.interruptible {
		how = ", interruptible"
	}
	w.Linef("wait: %s%s  %s%s%s", s.what, how, d.Place(s.instr.Pos()), long, text.Flags(text.If("poll", s.poll), text.If("helper", s.helper)))
}

// loop writes the grade of a loop for each wait in it.
func (d *debugger) loop(w *text.Writer, l *cfg.Loop) {
	pos, _ := loopRange(verdict{loop: l, site: site{instr: l.Header.Instrs[0]}})
	w = w.Linef("loop  %s", d.Place(pos))
	for _, s := range d.sites(d.fn) {
		if !l.Blocks[s.block] {
			continue
		}
		grade, why := d.gradeAndReason(l, &s)
		w.Linef("%s for the wait at %s: %s", gradeNames[grade], d.Place(s.instr.Pos()), why)
		if grade == Fine {
			continue
		}
		switch reason, silent := d.silences(d.fn, s.block, l, d.toleranceOf(l, &s)); {
		case !silent:
		case reason == NotReached, reason == NotRunning:
			w.Linef("no finding here: %s", reason)
		default:
			w.Linef("no finding: %s", reason)
		}
	}
}

// calls writes the grades of polls, and of calls of functions that wait in other
// packages.
func (d *debugger) calls(w *text.Writer) {
	for _, b := range d.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			obj := callee.Static(call.Common())
			if obj == nil {
				continue
			}
			if wait := d.WaitOf(obj); wait != nil && wait.Loop {
				d.poll(w, call, wait)
				continue
			}
			if fact := d.fact(obj.Origin()); obj.Pkg() != d.Types && fact != nil {
				w := w.Linef("calls %s  %s", text.Name(library.Name(obj)), d.Place(call.Pos()))
				w.Linef("fact %s", fact)
				if f, _ := d.gradeCall(d.fn, call, obj); f.Grade != Fine {
					w.Linef("%s %s", gradeNames[f.Grade], kindNames[f.Kind])
				}
			}
		}
	}
}

func (d *debugger) poll(w *text.Writer, call ssa.CallInstruction, wait *library.Wait) {
	grade, interval := d.gradePoll(d.fn, call.Common(), wait)
	w = w.Linef("poll %s  %s: %s%s", contexts.ShortName(callee.Static(call.Common())), d.Place(call.Pos()), gradeNames[grade], text.Flags(text.If(interval, interval != "")))
	if s, observes := d.waitSignal(call.Common(), wait); observes {
		w.Linef("observes %s", signalNames[s])
	} else {
		w.Linef("observes nothing")
	}
	if d.shortPoll(call.Common(), wait, d.Options.MaxWait) {
		w.Linef("is short")
	}
	for world, name := range worldNames {
		if ended, result := d.endedByCallback(call.Common(), wait, World(world)); ended {
			w.Linef("ended by its callback when %s: %s", name, valueNames[result])
		}
	}
}

// results writes what the function returns in each world.
func (d *debugger) results(w *text.Writer) {
	if !hasTrackedResult(d.fn) {
		return
	}
	for world, name := range worldNames {
		if vs := d.analyzer.results(d.fn, World(world)); vs.informative() {
			w.Linef("returns when %s: %s", name, vs.names())
		}
	}
}

func (vs Values) names() string {
	names := make([]string, len(vs))
	for i, v := range vs {
		names[i] = valueNames[v]
	}
	return strings.Join(names, ", ")
}

// found writes the findings in the function, and the loop that is left to its callers.
func (d *debugger) found(w *text.Writer) {
	for _, f := range d.findings {
		if text.Inside(d.fn, f.Pos) {
			grade := gradeNames[f.Grade] + " "
			if f.Kind == Success {
				grade = ""
			}
			w.Linef("finding: %s%s  %s", grade, kindNames[f.Kind], d.Place(f.Pos))
		}
	}
	if u := d.unobserved[d.fn]; u != nil {
		w.Linef("a finding for callers: the wait at %s%s", u.At, text.Flags(text.If("async", u.Async), text.If("starting", u.Tolerance.Starting), text.If("brief", u.Tolerance.Brief)))
	}
}

var (
	reachNames  = [...]string{contexts.Nobody: "nobody", contexts.Startup: "before the controllers run", contexts.Given: "given a context", contexts.Running: "while the controllers run"}
	gradeNames  = [...]string{Fine: "fine", Late: "late", Endless: "endless"}
	kindNames   = [...]string{Loop: "loop", Poll: "poll", Call: "call", OtherContext: "context that is never done", Success: "cancellation that looks like success"}
	signalNames = [...]string{contexts.Never: "what is never done", contexts.Timed: "a timeout of its own", contexts.Detached: "a detached context", contexts.Other: "another signal", contexts.Scope: "the context in scope"}
	worldNames  = [...]string{ScopeDone: "the context is done", Alive: "nothing has happened", AllDone: "every signal is given"}
	valueNames  = [...]string{Unreached: "nothing", Permanent: "permanent error", NonNil: "not nil", Cancelled: "cancelled", Nil: "nil", True: "true", False: "false", Flag: "flag", Unknown: "unknown"}
)
