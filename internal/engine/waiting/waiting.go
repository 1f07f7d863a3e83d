// Package waiting finds the loops that wait and asks of each whether it ends
// soon after its context does.
//
// It works in three steps. [flow] executes a function, or a round of a loop, in
// a [World] where the contexts are done, and so finds what still happens then.
// The judgement of a loop is whether it still comes by a wait, and round again.
// Reachability in the package's call graph ([Reach]) says whether anybody with
// a context gets to the loop. What the package cannot know about its callers,
// or its callers about it, travels in a [WaitFact] per function.
package waiting

import (
	"cmp"
	"go/token"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer judges the waiting loops of a package. Its result is a *[Result].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorwaiting",
	Doc:        "find loops that wait without observing cancellation",
	Run:        run,
	Requires:   []*analysis.Analyzer{ssair.Analyzer, rule.Options},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(WaitFact)},
})

// Result is what was found in a package, in source order.
type Result struct {
	Findings []Finding
	// Cleanups are the calls that have no effect because their context is done.
	Cleanups []Cleanup

	mu sync.Mutex // guards a
	a  *analyzer  // nil if there is no code to look at
}

// Kind tells findings apart.
type Kind uint8

const (
	// Loop is a loop statement of the package.
	Loop Kind = iota
	// Poll is a call of a library that polls or retries.
	Poll
	// Call is a call of a function of another package with such a loop.
	Call
	// Dead is a call of a function that would observe its context, with one that
	// is never done, or only after a time of its own.
	Dead
	// Success is a return of nil from a wait that was cancelled.
	Success
)

// A Finding is something to report, in terms of the source.
type Finding struct {
	Pos, End token.Pos
	Kind     Kind
	Grade    Grade
	// Name is what is called, or what the loop waits with.
	Name string
	// Context is what is not observed: "ctx", "the context of Reconcile".
	Context string
	// Async says that the loop is in a goroutine of its own.
	Async bool
	// At is where the loop is; Interval how long a wait takes, if that is known.
	At       string
	Interval string
	// Remedy is what to use instead, if there is something particular.
	Remedy string
	// Waits are the instructions of a Loop's function that make it bad, or the
	// executions of a request that is retried.
	Waits []token.Pos
}

func run(pass *analysis.Pass) (any, error) {
	ir := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	if ir.SSA == nil {
		return new(Result), nil
	}
	p := newPkg(pass, ir)
	a := &analyzer{pkg: p, reach: p.reachAll(), blind: make(map[*ssa.Function]*Blind), reported: make(map[ssa.CallInstruction]bool)}
	if !p.forTests() {
		for _, fn := range p.funcs {
			a.function(fn)
			a.cleanups(fn)
		}
	}
	a.exportFacts()
	slices.SortStableFunc(a.findings, func(x, y Finding) int { return cmp.Compare(x.Pos, y.Pos) })
	slices.SortStableFunc(a.dead, func(x, y Cleanup) int { return cmp.Compare(x.Pos, y.Pos) })
	return &Result{Findings: oncePerGoroutine(a.findings), Cleanups: a.dead, a: a}, nil
}

// oncePerGoroutine leaves out further calls that start the same endless
// goroutine: what is to be changed is the function that starts it.
func oncePerGoroutine(findings []Finding) []Finding {
	seen := make(map[string]bool)
	return slices.DeleteFunc(findings, func(f Finding) bool {
		if f.Kind != Call || !f.Async {
			return false
		}
		again := seen[f.At]
		seen[f.At] = true
		return again
	})
}

// analyzer collects the findings of a package, and the loops that nobody in the
// package can be told about.
type analyzer struct {
	*pkg
	reach    map[*ssa.Function]reaching
	findings []Finding
	blind    map[*ssa.Function]*Blind
	dead     []Cleanup
	reported map[ssa.CallInstruction]bool // in dead
}

func (a *analyzer) function(fn *ssa.Function) {
	r := a.reach[fn]
	for _, v := range a.judge(fn) {
		if a.inCleanup(fn, v.site.block) || a.monitors(fn) {
			continue
		}
		starting := a.startsUp(v.loop)
		if r.minds(starting) {
			a.findings = append(a.findings, a.loopFinding(v, r.context))
		} else if v.grade == Endless {
			b := a.blindLoop(v)
			b.Starting = starting
			a.blinded(fn, b)
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
	if r.reach >= Given {
		a.success(fn)
	}
}

// blinded notes a loop that must be reported where fn is called from.
func (a *analyzer) blinded(fn *ssa.Function, b *Blind) {
	if a.blind[fn] == nil {
		a.blind[fn] = b
	}
}

func (a *analyzer) loopFinding(v verdict, context string) Finding {
	f := Finding{Kind: Loop, Grade: v.grade, Name: v.site.what, Context: context}
	f.Pos, f.End = a.loopRange(v)
	if d, ok := v.site.interval(); ok {
		f.Interval = d.String()
	}
	for _, s := range a.sites(v.loop.fn) {
		if v.loop.blocks[s.instr.Block()] && a.grade(v.loop, &s) != Fine {
			f.Waits = append(f.Waits, s.instr.Pos())
		}
	}
	f.Waits = slices.Compact(f.Waits) // a select may have several timers
	return f
}
