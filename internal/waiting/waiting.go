// Package waiting finds the loops that wait and asks of each whether it ends
// soon after its context does.
//
// It works in three steps. [flow] executes a function, or a round of a loop, in
// a [World] where the contexts are done, and so finds what still happens then.
// The judgement of a loop is whether it still comes by a wait, and round again.
// Reachability in the package's call graph ([Reach]) says whether anybody with
// a context gets to the loop. What the package cannot know about its callers,
// or its callers about it, travels in a [Fact] per function.
package waiting

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
	"github.com/operatorvet/operatorvet/internal/rule"
	"github.com/operatorvet/operatorvet/internal/ssair"
)

// Analyzer judges the waiting loops of a package. Its result is a *[Result].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorwaiting",
	Doc:        "find loops that wait without observing cancellation",
	Run:        run,
	Requires:   []*analysis.Analyzer{ssair.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(Fact)},
})

// Result is what was found in a package, in source order.
type Result struct {
	Findings []Finding
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
	// At is where the loop is, if it is elsewhere; Interval how long a wait
	// takes, if that is known.
	At       string
	Interval string
	// Remedy is what to use instead, if there is something particular.
	Remedy string
}

func run(pass *analysis.Pass) (any, error) {
	ir := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	if ir.SSA == nil {
		return new(Result), nil
	}
	p := newPkg(pass, ir)
	a := &analyzer{pkg: p, reach: p.reachAll(), blind: make(map[*ssa.Function]*Blind)}
	if !p.forTests() {
		for _, fn := range p.funcs {
			if !p.isTestFile(fn.Pos()) {
				a.function(fn)
			}
		}
	}
	a.exportFacts()
	slices.SortStableFunc(a.findings, func(x, y Finding) int { return cmp.Compare(x.Pos, y.Pos) })
	return &Result{a.findings}, nil
}

// analyzer collects the findings of a package, and the loops that nobody in the
// package can be told about.
type analyzer struct {
	*pkg
	reach    map[*ssa.Function]reaching
	findings []Finding
	blind    map[*ssa.Function]*Blind
}

func (a *analyzer) function(fn *ssa.Function) {
	r := a.reach[fn]
	for _, v := range a.judge(fn) {
		if a.inCleanup(fn, v.site.block) {
			continue
		}
		if r.reach == Running {
			a.findings = append(a.findings, a.loopFinding(v, r.context))
		} else if r.reach == Nobody && v.grade == Endless {
			a.blinded(fn, a.blindLoop(v))
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
	if r.reach == Running {
		a.success(fn)
	}
}

// callInstruction judges a call of a library's poll, or of a function of
// another package whose fact says that it waits blindly.
func (a *analyzer) callInstruction(fn *ssa.Function, call ssa.CallInstruction, r reaching) {
	obj := calleeObject(call.Common())
	if obj == nil || a.inCleanup(fn, call.Block()) {
		return
	}
	_, async := call.(*ssa.Go)
	f := Finding{Context: r.context, Name: shortName(obj)}
	f.Pos, f.End = a.selector(fn, call)
	if wait, ok := kubeapi.WaitOf(obj); ok && wait.Loop {
		f.Kind, f.Remedy = Poll, wait.Remedy
		f.Grade, f.Interval = a.gradePoll(call.Common(), wait)
		switch {
		case f.Grade == Fine:
		case r.reach == Running, r.reach == Startup && async:
			a.findings = append(a.findings, f)
		case r.reach == Nobody && f.Grade == Endless:
			a.blinded(fn, &Blind{At: a.at(call.Pos()), Async: async})
		}
		return
	}
	if plain, ok := call.(*ssa.Call); ok {
		a.restyFinding(plain, r)
	}
	if obj.Pkg() == a.types {
		return
	}
	fact := a.fact(obj.Origin())
	if fact == nil {
		return
	}
	if fact.Blind.At != "" {
		f.Kind, f.At, f.Grade = Call, fact.Blind.At, Endless
		f.Grade = a.gradeBlind(call.Common(), fact.Blind)
		async = async || fact.Blind.Async
		switch {
		case f.Grade == Fine:
		case r.reach == Running, r.reach == Startup && async:
			a.findings = append(a.findings, f)
		case r.reach == Nobody && f.Grade == Endless:
			a.blinded(fn, &Blind{At: fact.Blind.At, Async: async})
		}
	}
}

// gradePoll grades a call of a library's poll or retry.
func (a *analyzer) gradePoll(call *ssa.CallCommon, wait kubeapi.Wait) (Grade, string) {
	s, listens := a.waitSignal(call, wait)
	if listens && s >= Detached || a.shortPoll(call, wait) {
		return Fine, ""
	}
	ended, _ := a.endedByCallback(call, wait, ScopeDone)
	if !ended {
		if stopped, _ := a.endedByCallback(call, wait, AllDone); stopped {
			return Fine, ""
		}
		return Endless, ""
	}
	args := arguments(call)
	if i, ok := wait.Args.Of(kubeapi.IntervalArg, len(args)); ok {
		if d, ok := constDuration(args[i]); ok {
			if d <= lateInterval {
				return Fine, ""
			}
			return Late, d.String()
		}
	}
	if b, ok := a.policy(call, wait); ok && b.longest() <= lateInterval {
		return Fine, ""
	}
	return Late, ""
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
	return f
}

// loopRange is the loop's statement up to its body; a loop made with goto is
// shown where it waits.
func (a *analyzer) loopRange(v verdict) (pos, end token.Pos) {
	switch s := v.loop.statement().(type) {
	case *ast.ForStmt:
		return s.For, s.Body.Lbrace
	case *ast.RangeStmt:
		return s.For, s.Body.Lbrace
	}
	pos = v.site.instr.Pos()
	return pos, pos + 1
}

// selector returns the range of the name of the called function.
func (a *analyzer) selector(fn *ssa.Function, call ssa.CallInstruction) (pos, end token.Pos) {
	pos = call.Common().Pos()
	end = pos + 1
	body := declaration(fn)
	if body == nil {
		return pos, end
	}
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || c.Lparen != call.Common().Pos() {
			return true
		}
		switch f := ast.Unparen(c.Fun).(type) {
		case *ast.SelectorExpr:
			pos, end = f.Sel.Pos(), f.Sel.End()
		case *ast.Ident:
			pos, end = f.Pos(), f.End()
		case *ast.IndexExpr:
			pos, end = nameRange(f.X)
		case *ast.IndexListExpr:
			pos, end = nameRange(f.X)
		}
		return true
	})
	return pos, end
}

func nameRange(e ast.Expr) (pos, end token.Pos) {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return sel.Sel.Pos(), sel.Sel.End()
	}
	return e.Pos(), e.End()
}

// at returns the position as a short text, the same on every machine.
func (a *analyzer) at(pos token.Pos) string {
	posn := a.pass.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(posn.Filename), posn.Line)
}

// inCleanup reports whether the block serves to clean up: it is in a deferred
// function, or on the path taken because a context is done. There it is right
// to go on without that context.
func (a *analyzer) inCleanup(fn *ssa.Function, b *ssa.BasicBlock) bool {
	for f := fn; f != nil; f = f.Parent() {
		if a.isDeferred(f) {
			return true
		}
	}
	for d := b; d != nil; d = d.Idom() {
		if a.followsDone(d, b) {
			return true
		}
	}
	return false
}

// isDeferred reports whether the function literal is the operand of a defer
// statement.
func (p *pkg) isDeferred(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok && p.own(d.Call.StaticCallee()) == fn {
				return true
			}
		}
	}
	return false
}

// followsDone reports whether b, which d dominates, is reached through d only
// after a receive from a Done channel.
func (p *pkg) followsDone(d, b *ssa.BasicBlock) bool {
	for _, instr := range d.Instrs {
		if recv, ok := instr.(*ssa.UnOp); ok && recv.Op == token.ARROW && d != b && p.isDone(recv.X) {
			return true
		}
	}
	for _, pred := range d.Preds {
		for _, instr := range pred.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			for i, state := range sel.States {
				if state.Dir == types.RecvOnly && p.isDone(state.Chan) && caseBlock(sel, i) == d && len(d.Preds) == 1 {
					return true
				}
			}
		}
	}
	return false
}

// isDone reports whether the channel is closed when a context in scope is done.
func (p *pkg) isDone(ch ssa.Value) bool {
	return !isTimer(ch.Type()) && p.signal(ch) == Scope
}

// exportFacts exports a fact for each declared function with something to say.
func (a *analyzer) exportFacts() {
	edges := a.callGraph()
	for _, fn := range a.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || a.isTestFile(fn.Pos()) {
			continue
		}
		if fact := a.factOf(fn, edges); !fact.empty() {
			a.pass.ExportObjectFact(obj, fact)
		}
	}
}

func (a *analyzer) factOf(fn *ssa.Function, edges map[*ssa.Function][]callEdge) *Fact {
	s := a.summary(fn)
	f := &Fact{Nap: s.nap}
	if vs := s.results[ScopeDone]; vs.informative() {
		f.Done = vs
	}
	if vs := s.results[AllDone]; vs.informative() && !slices.Equal(vs, f.Done) {
		f.Stopped = vs
	}
	if a.scope(fn) != "" && f.Done == nil {
		res := fn.Signature.Results()
		f.Deaf = res.Len() > 0 && isError(res.At(res.Len()-1).Type())
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
		if b := a.blindBelow(e.to, edges, seen); b != nil {
			return &Blind{At: b.At, Async: b.Async || e.async}
		}
	}
	return nil
}
