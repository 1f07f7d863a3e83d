package waiting

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A WaitFact says of a function what callers in other packages need to know about
// its waits. It carries what the function's own callees contribute, so that the
// facts of direct imports are enough. Functions with nothing to say have none.
type WaitFact struct {
	// Done are the results once the contexts in scope are done, Stopped those
	// once every signal has been given; nil if nothing is known.
	Done, Stopped Values
	// Deaf says that though the function takes a context and returns an error,
	// the error says nothing about the context.
	Deaf bool
	// Nap is the wait that a call amounts to.
	Nap Nap
	// Blind is a loop below the function that waits and that nobody with a
	// context has anything to do with in the function's package.
	Blind Blind
	// Listens says that the function waits in a loop that its context ends.
	Listens bool
	// Acts are the effects outside of the process that a call has on behalf of
	// its contexts.
	Acts []Acts
	// Pauses are the parameters, contexts that end a wait of the function.
	Pauses []int
	// Detaches says that the function returns a context that is not derived from
	// the one that it takes.
	Detaches bool
}

// A Blind is a waiting loop that observes nothing.
type Blind struct {
	// At is where the loop is, "file.go:41"; empty if there is none.
	At string
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

func (*WaitFact) AFact() {}

func (f *WaitFact) String() string {
	s := "waits:"
	if len(f.Done) > 0 {
		s += fmt.Sprintf(" done=%v", f.Done)
	}
	if len(f.Stopped) > 0 {
		s += fmt.Sprintf(" stopped=%v", f.Stopped)
	}
	if f.Deaf {
		s += " deaf"
	}
	if f.Nap.Kind != NoNap {
		s += fmt.Sprintf(" nap=%d:%v", f.Nap.Kind, f.Nap.For)
	}
	if f.Blind.At != "" {
		s += " blind=" + f.Blind.At
	}
	if f.Listens {
		s += " listens"
	}
	if len(f.Acts) > 0 {
		s += fmt.Sprintf(" acts=%v", f.Acts)
	}
	if len(f.Pauses) > 0 {
		s += fmt.Sprintf(" pauses=%v", f.Pauses)
	}
	if f.Detaches {
		s += " detaches"
	}
	return s
}

// empty reports whether the fact says nothing.
func (f *WaitFact) empty() bool {
	return f.Done == nil && f.Stopped == nil && !f.Deaf && f.Nap.Kind == NoNap && f.Blind.At == "" && !f.Listens &&
		f.Acts == nil && f.Pauses == nil && !f.Detaches
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
	edges := a.callGraph()
	for _, fn := range a.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || !obj.Exported() {
			continue // no other package can call it
		}
		if fact := a.factOf(fn, edges); !fact.empty() {
			a.pass.ExportObjectFact(obj, fact)
		}
	}
}

func (a *analyzer) factOf(fn *ssa.Function, edges map[*ssa.Function][]callEdge) *WaitFact {
	nap := a.napOf(fn)
	f := &WaitFact{Nap: nap, Listens: a.listensItself(fn), Acts: a.factActs(fn), Pauses: a.factPauses(fn), Detaches: a.detaches(fn)}
	alive := a.results(fn, Alive)
	if vs := a.results(fn, ScopeDone); vs.informative() && !slices.Equal(vs, alive) {
		f.Done = vs
	}
	if vs := a.results(fn, AllDone); vs.informative() && !slices.Equal(vs, alive) && !slices.Equal(vs, f.Done) {
		f.Stopped = vs
	}
	if a.scope(fn) != "" && f.Done == nil {
		res := fn.Signature.Results()
		f.Deaf = res.Len() > 0 && library.IsError(res.At(res.Len()-1).Type())
	}
	if a.reach[fn].reach != Running {
		if b := a.blindBelow(fn, edges, make(map[*ssa.Function]bool)); b != nil {
			f.Blind = *b
		}
	}
	return f
}

// blindBelow looks for a blind loop in fn and in what it calls in the package.
func (a *analyzer) blindBelow(fn *ssa.Function, edges map[*ssa.Function][]callEdge, seen map[*ssa.Function]bool) *Blind {
	if seen[fn] || a.reach[fn].reach == Running {
		return nil
	}
	seen[fn] = true
	if b := a.blind[fn]; b != nil {
		return b
	}
	for _, e := range edges[fn] {
		if e.makes {
			continue
		}
		if b := a.blindBelow(e.to, edges, seen); b != nil {
			return &Blind{At: b.At, Async: b.Async || e.async, Starting: b.Starting}
		}
	}
	return nil
}
