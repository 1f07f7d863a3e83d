// Package waiting finds the loops that wait and do not end soon after their context
// is done.
//
// It works in three steps.
//
//  1. An execution of a function, or of one round of a loop, assumes a [World], such as
//     one in which all contexts are done. It propagates values of the lattice [Value]
//     and finds the edges that are still live.
//  2. A loop is endless in that world if live edges still lead to a wait in it, and
//     from there back to the loop's header. It then gets a [Grade].
//  3. A bad loop is reported if a function with a context reaches it. Package contexts
//     answers that from the call graph.
//
// A [WaitFact] of each function carries across packages what its callers need to know.
package waiting

import (
	"cmp"
	"go/token"
	"reflect"
	"slices"
	"sync"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/goroutines"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// Analyzer judges the waiting loops of a package. Its result is a *[Result].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorwaiting",
	Doc:        "find loops that wait without observing cancellation",
	Run:        run,
	Requires:   []*analysis.Analyzer{contexts.Analyzer, goroutines.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(WaitFact)},
})

// Result is what was found in a package, in source order.
type Result struct {
	Findings []Finding

	mu sync.Mutex // guards a
	a  *analyzer  // nil if there is no code to look at
}

// A Kind says what a finding is about.
type Kind uint8

const (
	// Loop is a loop statement of the package.
	Loop Kind = iota
	// Poll is a call of a library function that polls or retries.
	Poll
	// Call is a call of a function of another package that has such a loop.
	Call
	// OtherContext is a call of a function that observes its context. But the
	// context it gets is never done, or only after a timeout.
	OtherContext
	// Success is a return of a nil error after a wait that was cancelled.
	Success
)

// A Finding is something to report, in terms of the source.
type Finding struct {
	Pos, End token.Pos
	Kind     Kind
	Grade    Grade
	// Name is the function called, or what the loop waits with.
	Name string
	// Context is the context that is not observed: "ctx", "the context of Reconcile".
	Context string
	// Async says that the loop runs in a goroutine of its own.
	Async bool
	// At is the place of the loop.
	At place.Place
	// Interval is the length of a wait, empty if it is not known.
	Interval string
	// Remedy is what to use instead, empty if there is nothing in particular.
	Remedy string
	// Lasts is how long a Poll or a Call waits at most, 0 if that is not known.
	Lasts time.Duration
	// Waits are the waits that make a Loop bad, or the executions of a request that
	// is retried.
	Waits []token.Pos

	wayOut bool          // of a Poll or a Call: see hasWayOut
	lasts  time.Duration // of a Poll or a Call, at most; 0 if that is not known
}

func run(pass *analysis.Pass) (any, error) {
	p := newPkg(pass)
	if p.SSA == nil {
		return new(Result), nil
	}
	a := &analyzer{
		pkg: p, unobserved: make(map[*ssa.Function]*Unobserved),
		waitsBelow: make(map[*ssa.Function]bool), otherContexts: make(map[ssa.Value]bool),
	}
	if !p.ForTests() {
		for _, fn := range p.Funcs {
			a.function(fn)
		}
	}
	a.exportFacts()
	slices.SortStableFunc(a.findings, func(x, y Finding) int { return cmp.Compare(x.Pos, y.Pos) })
	return &Result{Findings: oncePerGoroutine(a.findings), a: a}, nil
}

// oncePerGoroutine keeps one of the calls that start the same endless goroutine. The
// cause is one: the function that starts it.
func oncePerGoroutine(findings []Finding) []Finding {
	seen := make(map[place.Place]bool)
	return slices.DeleteFunc(findings, func(f Finding) bool {
		if f.Kind != Call || !f.Async {
			return false
		}
		again := seen[f.At]
		seen[f.At] = true
		return again
	})
}

// analyzer collects the findings of a package, and the endless loops that no function
// with a context reaches in it.
type analyzer struct {
	*pkg
	findings   []Finding
	unobserved map[*ssa.Function]*Unobserved
	waitsBelow map[*ssa.Function]bool // see handsToWait
	// otherContexts are the contexts in findings of the kind [OtherContext].
	otherContexts map[ssa.Value]bool
}

func (a *analyzer) function(fn *ssa.Function) {
	r := a.ReachOf(fn)
	for _, v := range a.judge(fn) {
		if a.inCleanup(fn, v.site.block) || a.monitors(fn) {
			continue
		}
		tolerance := a.toleranceOf(v.loop, &v.site)
		alone := a.holdsUpNobody(fn, v.loop)
		if tolerance.minds(r) && !alone {
			a.findings = append(a.findings, a.loopFinding(v, r.Context))
		} else if v.grade == Endless && tolerance.leaves(r) {
			u := a.unobservedLoop(v)
			u.Tolerance, u.alone = tolerance, alone
			a.note(fn, u)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, deferred := call.(*ssa.Defer); deferred {
				continue
			}
			a.callInstruction(fn, call, r)
		}
	}
	if r.Reach >= contexts.Given && !a.unawaited(fn) {
		a.success(fn)
	}
}

// A Tolerance says why a wait that ignores the context is a finding only where it is
// reached while the controllers run.
type Tolerance struct {
	Starting bool // it waits at the start of a process
	Brief    bool // it waits for some seconds at most
	Leaving  bool // it leaves a goroutine behind, which counts where it is called again and again
}

func (p *pkg) toleranceOf(l *cfg.Loop, s *site) Tolerance {
	return Tolerance{Starting: p.startsUp(l), Brief: p.brief(l, s)}
}

// any reports whether there is a reason.
func (t Tolerance) any() bool { return t != Tolerance{} }

// minds reports whether the wait is a finding in a function with this reach.
func (t Tolerance) minds(r contexts.Reaching) bool {
	return r.Reach == contexts.Running || r.Reach == contexts.Given && !t.any()
}

// leaves reports whether a wait that is no finding in a function with this reach may
// be one in its callers. Where a function has a context, a brief wait is none: one
// helper would be a finding in each package that uses it.
func (t Tolerance) leaves(r contexts.Reaching) bool { return r.Reach < contexts.Given || !t.Brief }

// note records a loop that must be reported in the callers of fn. If there are
// several, it keeps the first that more callers mind. A function literal that holds up
// nobody has no other callers.
func (a *analyzer) note(fn *ssa.Function, u *Unobserved) {
	if u.alone && fn.Parent() != nil {
		return
	}
	if known := a.unobserved[fn]; known == nil || known.Tolerance.any() && !u.Tolerance.any() {
		a.unobserved[fn] = u
	}
}

func (a *analyzer) loopFinding(v verdict, context string) Finding {
	f := Finding{Kind: Loop, Grade: v.grade, Name: v.site.what, Context: context}
	f.Pos, f.End = loopRange(v)
	if d, ok := a.interval(&v.site); ok {
		f.Interval = d.String()
	}
	for _, s := range a.sites(v.loop.Func()) {
		if v.loop.Blocks[s.instr.Block()] && a.grade(v.loop, &s) != Fine {
			f.Waits = append(f.Waits, s.instr.Pos())
		}
	}
	f.Waits = slices.Compact(f.Waits) // a select may have several timers
	return f
}

// Short reports whether a library's poll or retry certainly waits no longer in all
// than the options allow.
func (r *Result) Short(call *ssa.CallCommon, wait *library.Wait) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.a.shortPoll(call, wait, r.a.Options.MaxWait)
}

// Cancels reports whether the callback of a library's poll or retry ends it with
// an error once the contexts in scope are done.
func (r *Result) Cancels(call *ssa.CallCommon, wait *library.Wait) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended, err := r.a.endedByCallback(call, wait, ScopeDone)
	return ended && err == Cancelled
}
