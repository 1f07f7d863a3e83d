package waiting

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
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
	if r := d.reach[d.fn]; r.reach != Nobody {
		w.Linef("reached with %s, %s", r.context, reachNames[r.reach])
	}
	d.signals(w)
	for _, s := range d.sites(d.fn) {
		d.site(w, s)
	}
	for _, l := range d.nest(d.fn).loops {
		d.loop(w, l)
	}
	d.calls(w)
	for _, act := range d.actsOf(d.fn) {
		name := calleeName(act.call.Common())
		if act.what != "" && act.what != name {
			name += fmt.Sprintf(" (%s at %s)", act.what, act.at)
		}
		w.Linef("acts by %s  %s%s", name, d.at(act.call.Pos()), flags(flag{"persists", act.persists}))
	}
	d.results(w)
	if obj := d.fn.Object(); obj != nil && d.fn.Parent() == nil && obj.Exported() {
		if fact := d.factOf(d.fn, d.callGraph()); !fact.empty() {
			w.Linef("fact %s", fact)
		}
	}
	d.found(w)
}

// signals writes what the channels and contexts that are used here tell.
func (d *debugger) signals(w *text.Writer) {
	for _, b := range d.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					d.signal(w, "receives", instr.X, instr.Pos())
				}
			case *ssa.Select:
				for _, state := range instr.States {
					d.signal(w, "selects", state.Chan, state.Pos)
				}
			case ssa.CallInstruction:
				for _, arg := range arguments(instr.Common()) {
					if isContext(arg.Type()) && d.analyzer.signal(arg) != Scope {
						d.signal(w, "hands on", arg, instr.Pos())
					}
				}
			}
		}
	}
}

func (d *debugger) signal(w *text.Writer, how string, v ssa.Value, pos token.Pos) {
	if isTimer(v.Type()) {
		return
	}
	w.Linef("%s %s  %s", how, signalNames[d.analyzer.signal(v)], d.at(pos))
}

func (d *debugger) site(w *text.Writer, s site) {
	long := ""
	if v, ok := s.interval(); ok {
		long = " for " + v.String()
	}
	how := ", ended by its context"
	if s.hard {
		how = ""
	}
	w.Linef("wait: %s%s  %s%s%s", s.what, how, d.at(s.instr.Pos()), long, flags(flag{"poll", s.poll}, flag{"helper", s.helper}))
}

// loop writes how a loop is graded, for each wait in it.
func (d *debugger) loop(w *text.Writer, l *loop) {
	pos, _ := d.loopRange(verdict{loop: l, site: site{instr: l.header.Instrs[0]}})
	w = w.Linef("loop  %s", d.at(pos))
	for _, s := range d.sites(d.fn) {
		if !l.blocks[s.block] {
			continue
		}
		grade, why := d.graded(l, &s)
		w.Linef("%s for the wait at %s: %s", gradeNames[grade], d.at(s.instr.Pos()), why)
		if grade == Fine {
			continue
		}
		switch r, starting := d.reach[d.fn], d.startsUp(l); {
		case d.inCleanup(d.fn, s.block):
			w.Linef("no finding: it is in clean-up")
		case d.monitors(d.fn):
			w.Linef("no finding: its parent ends what it watches")
		case !r.minds(starting):
			w.Linef("no finding here: no function with a context is known to reach it%s", flags(flag{"starting", starting}))
		}
	}
}

// calls writes how polls, and calls of what waits elsewhere, are graded.
func (d *debugger) calls(w *text.Writer) {
	for _, b := range d.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			obj := ssair.Callee(call.Common())
			if obj == nil {
				continue
			}
			if wait, ok := d.waitOf(obj); ok && wait.Loop {
				d.poll(w, call, wait)
				continue
			}
			if fact := d.fact(obj.Origin()); obj.Pkg() != d.types && fact != nil {
				w := w.Linef("calls %s  %s", text.Name(library.Name(obj)), d.at(call.Pos()))
				w.Linef("fact %s", fact)
				if f, _ := d.gradeCall(d.fn, call, obj); f.Grade != Fine {
					w.Linef("%s %s", gradeNames[f.Grade], kindNames[f.Kind])
				}
			}
		}
	}
}

func (d *debugger) poll(w *text.Writer, call ssa.CallInstruction, wait library.Wait) {
	grade, interval := d.gradePoll(d.fn, call.Common(), wait)
	w = w.Linef("poll %s  %s: %s%s", shortName(ssair.Callee(call.Common())), d.at(call.Pos()), gradeNames[grade], flags(flag{interval, interval != ""}))
	if s, listens := d.waitSignal(call.Common(), wait); listens {
		w.Linef("listens to %s", signalNames[s])
	} else {
		w.Linef("listens to nothing")
	}
	if d.shortPoll(call.Common(), wait) {
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

// found writes the findings in the function, and the loops that are its callers'.
func (d *debugger) found(w *text.Writer) {
	inside := func(pos token.Pos) bool {
		syntax := d.fn.Syntax()
		if syntax == nil || pos < syntax.Pos() || pos >= syntax.End() {
			return false
		}
		return !slices.ContainsFunc(d.fn.AnonFuncs, func(lit *ssa.Function) bool {
			return lit.Syntax() != nil && lit.Syntax().Pos() <= pos && pos < lit.Syntax().End()
		})
	}
	for _, f := range d.findings {
		if inside(f.Pos) {
			grade := gradeNames[f.Grade] + " "
			if f.Kind == Success {
				grade = ""
			}
			w.Linef("finding: %s%s  %s", grade, kindNames[f.Kind], d.at(f.Pos))
		}
	}
	for _, c := range d.dead {
		if inside(c.Pos) {
			w.Linef("finding: clean-up by %s on %s, done by %s  %s", c.Name, c.Context, c.By, d.at(c.Pos))
		}
	}
	if b := d.blind[d.fn]; b != nil {
		w.Linef("callers are told of the wait at %s%s", b.At, flags(flag{"async", b.Async}, flag{"starting", b.Starting}))
	}
}

var (
	reachNames  = [...]string{Nobody: "nobody", Startup: "before the controllers run", Given: "given a context", Running: "while the controllers run"}
	gradeNames  = [...]string{Fine: "fine", Late: "late", Endless: "endless"}
	kindNames   = [...]string{Loop: "loop", Poll: "poll", Call: "call", Dead: "context that is never done", Success: "cancellation that looks like success"}
	signalNames = [...]string{Never: "what never tells", Timed: "a timeout of its own", Detached: "a detached context", Own: "another signal", Scope: "the context in scope"}
	worldNames  = [...]string{ScopeDone: "the context is done", Alive: "nothing has happened", AllDone: "every signal is given"}
	valueNames  = [...]string{Unreached: "nothing", Permanent: "permanent error", NonNil: "not nil", Cancelled: "cancelled", Nil: "nil", True: "true", False: "false", Flag: "flag", Unknown: "unknown"}
)

type flag struct {
	name string
	set  bool
}

func flags(all ...flag) string {
	s := ""
	for _, f := range all {
		if f.set {
			s += " " + f.name
		}
	}
	return s
}
