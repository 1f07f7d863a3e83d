package waiting

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// A WaitFact summarizes the waits of a function for callers in other packages. It
// includes what the function's callees contribute, so the facts of direct imports are
// enough. A function without a wait or a known result has no fact.
type WaitFact struct {
	// Done are the results in the world [ScopeDone], nil if nothing is known.
	Done Values
	// Stopped are the results in the world [AllDone], nil if nothing more is known.
	Stopped Values
	// Ignores says that the function takes a context and returns an error, but the
	// error does not depend on the context.
	Ignores bool
	// Sleep is the wait that a call of the function amounts to.
	Sleep Sleep
	// Unobserved is an endless loop in the function or in its callees. In their
	// package, no function with a context reaches it.
	Unobserved Unobserved
	// Observes says that the function waits in a loop that its context ends.
	Observes bool
	// ObservesBelow says that it hands its context to a function that does.
	ObservesBelow bool
}

// Unobserved describes a waiting loop that observes no context.
type Unobserved struct {
	// At is where the loop is; it is zero if there is none.
	At place.Place
	// Async says that it runs in a goroutine of its own.
	Async     bool
	Tolerance Tolerance
	// WayOut says that the loop may end by itself.
	WayOut bool
	// Lasts is how long it waits at most, 0 if that is not known.
	Lasts time.Duration
	// Poll says that a poll or retry of a library makes the loop, for a callback that
	// the caller passes.
	Poll bool
	// Callback is the parameter, counted from 1, that is called in each round and
	// whose error ends the loop; 0 if there is none. RetryIf is the one of a poll that
	// says of an error whether there is another round.
	Callback, RetryIf int
	// Backoff is the parameter, counted from 1, that has the steps of the poll, or points
	// to them; 0 if there is none.
	Backoff int
	// Interval and Rounds are the parameters, counted from 1, that say how long and
	// how often the loop waits; 0 if there are none.
	Interval, Rounds int
	// alone says that the package itself only runs the loop in goroutines that nobody
	// waits for. Another package may wait for it.
	alone bool
}

// AFact marks WaitFact as a fact.
func (*WaitFact) AFact() {}

func (f *WaitFact) String() string {
	s := "waits:"
	if f.Done != nil {
		s += " returns " + f.Done.names() + " when " + worldNames[ScopeDone] + ";"
	}
	if f.Stopped != nil {
		s += " returns " + f.Stopped.names() + " when " + worldNames[AllDone] + ";"
	}
	if f.Ignores {
		s += " its error says nothing of its context;"
	}
	if f.Sleep.Kind != NoSleep {
		s += " sleeps"
		if f.Sleep.For > 0 {
			s += " for " + f.Sleep.For.String()
		}
		if f.Sleep.Kind == Interruptible {
			s += " until a context is done"
		}
		s += ";"
	}
	if f.Observes {
		s += " has a loop that its context ends;"
	}
	if f.ObservesBelow {
		s += " hands its context to a loop that it ends;"
	}
	if u := f.Unobserved; !u.At.IsZero() {
		s += " has a loop that no context ends at " + u.At.String() + text.Flags(text.If("async", u.Async), text.If("starting", u.Tolerance.Starting), text.If("brief", u.Tolerance.Brief), text.If("with a way out", u.WayOut))
		for _, p := range [...]struct {
			what  string
			param int
		}{{"ended by an error of", u.Callback}, {"unless it is one for", u.RetryIf}, {"in the steps of", u.Backoff}, {"paused for", u.Interval}, {"repeated as often as", u.Rounds}} {
			if p.param > 0 {
				s += fmt.Sprintf(", %s argument %d", p.what, p.param-1)
			}
		}
	}
	return strings.TrimSuffix(s, ";")
}

// empty reports whether the fact says nothing.
func (f *WaitFact) empty() bool {
	return f.Done == nil && f.Stopped == nil && !f.Ignores && f.Sleep.Kind == NoSleep && f.Unobserved.At.IsZero() && !f.Observes && !f.ObservesBelow
}

// fact returns the fact of a function of another package, nil if it has none.
func (p *pkg) fact(fn *types.Func) *WaitFact {
	if f, ok := p.imported[fn]; ok {
		return f
	}
	f := new(WaitFact)
	if !p.pass.ImportObjectFact(fn, f) {
		f = nil
	}
	p.imported[fn] = f
	return f
}

// exportFacts exports the fact of each exported function, unless it is empty.
func (a *analyzer) exportFacts() {
	for _, fn := range a.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !obj.Exported() {
			continue // no other package can call it
		}
		if fact := a.factOf(fn); !fact.empty() {
			a.pass.ExportObjectFact(obj, fact)
		}
	}
}

func (a *analyzer) factOf(fn *ssa.Function) *WaitFact {
	f := &WaitFact{Sleep: a.sleepIn(fn), Observes: a.observesItself(fn)}
	f.ObservesBelow = !f.Observes && a.handsToWait(fn)
	alive := a.results(fn, Alive)
	if vs := a.results(fn, ScopeDone); vs.informative() && !slices.Equal(vs, alive) {
		f.Done = vs
	}
	if vs := a.results(fn, AllDone); vs.informative() && !slices.Equal(vs, alive) && !slices.Equal(vs, f.Done) {
		f.Stopped = vs
	}
	if a.Scope(fn) != "" && f.Done == nil {
		f.Ignores = returnsError(fn)
	}
	if a.ReachOf(fn).Reach != contexts.Running {
		if u := a.unobservedBelow(fn, make(map[*ssa.Function]bool)); u != nil {
			f.Unobserved = *u
		}
	}
	return f
}

// unobservedBelow looks for an unobserved loop in fn and in its callees in the
// package.
func (a *analyzer) unobservedBelow(fn *ssa.Function, seen map[*ssa.Function]bool) *Unobserved {
	if seen[fn] || a.ReachOf(fn).Reach == contexts.Running {
		return nil
	}
	seen[fn] = true
	if u := a.unobserved[fn]; u != nil {
		return u
	}
	for _, e := range a.Edges(fn) {
		if e.Makes || e.Passed {
			continue
		}
		if u := a.unobservedBelow(e.To, seen); u != nil {
			if u.alone && e.Async {
				delete(seen, e.To) // another caller may wait for it
				continue
			}
			above := &Unobserved{At: u.At, Async: u.Async || e.Async, Tolerance: u.Tolerance, WayOut: u.WayOut, Lasts: u.Lasts, alone: u.alone}
			calls := slices.DeleteFunc(slices.Clone(a.Index.Calls(e.To)), func(call ssa.CallInstruction) bool { return call.Parent() != fn })
			if a.passShortSteps(u, calls, a.Options.MaxWait) {
				delete(seen, e.To) // another caller may pass more steps
				continue
			}
			above.Tolerance.Brief = above.Tolerance.Brief || a.passShortSteps(u, calls, a.tolerableWait())
			for _, call := range calls {
				above.passOn(u, fn, callee.Args(call.Common()))
			}
			return above
		}
	}
	return nil
}
