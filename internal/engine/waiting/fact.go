package waiting

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/place"
)

// A WaitFact says of a function what callers in other packages need to know about
// its waits. It carries what the function's own callees contribute, so that the
// facts of direct imports are enough. Functions with nothing to say have none.
type WaitFact struct {
	// Done are the results once the contexts in scope are done, Stopped those
	// once every signal has been given; nil if nothing is known.
	Done, Stopped Values
	// Ignores says that though the function takes a context and returns an error,
	// the error says nothing about the context.
	Ignores bool
	// Sleep is the wait that a call amounts to.
	Sleep Sleep
	// Unobserved is a loop below the function that waits and that nobody with a
	// context has anything to do with in the function's package.
	Unobserved Unobserved
	// Observes says that the function waits in a loop that its context ends.
	Observes bool
}

// Unobserved is a waiting loop that observes no context.
type Unobserved struct {
	// At is where the loop is; it is zero if there is none.
	At place.Place
	// Async says that it runs in a goroutine of its own.
	Async bool
	// Starting says that it is a wait of a process that starts.
	Starting bool
	// Callback is the parameter, counted from 1, whose function runs in each
	// round and whose error ends the loop.
	Callback int
	// Interval and Rounds are the parameters, counted from 1, that say how long
	// and how often it waits.
	Interval, Rounds int
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
	if u := f.Unobserved; !u.At.IsZero() {
		s += " has a loop that no context ends at " + u.At.String() + flags(flag{"async", u.Async}, flag{"starting", u.Starting})
		for _, p := range [...]struct {
			what  string
			param int
		}{{"ended by an error of", u.Callback}, {"paused for", u.Interval}, {"repeated as often as", u.Rounds}} {
			if p.param > 0 {
				s += fmt.Sprintf(", %s argument %d", p.what, p.param-1)
			}
		}
	}
	return strings.TrimSuffix(s, ";")
}

// empty reports whether the fact says nothing.
func (f *WaitFact) empty() bool {
	return f.Done == nil && f.Stopped == nil && !f.Ignores && f.Sleep.Kind == NoSleep && f.Unobserved.At.IsZero() && !f.Observes
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

// exportFacts exports a fact for each exported function with something to say.
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

// unobservedBelow looks for an unobserved loop in fn and in what it calls in the
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
		if e.Makes {
			continue
		}
		if u := a.unobservedBelow(e.To, seen); u != nil {
			return &Unobserved{At: u.At, Async: u.Async || e.Async, Starting: u.Starting}
		}
	}
	return nil
}
