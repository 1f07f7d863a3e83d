package flow

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// TestBudget interprets a small function that moves nodes of a dense graph about.
// It exceeds the budget of a function without events, but not that of one with
// events.
func TestBudget(t *testing.T) {
	t.Parallel()
	const fields = 9
	var b strings.Builder
	b.WriteString("package p\ntype node struct {\n")
	for i := range fields {
		fmt.Fprintf(&b, "f%d *node\n", i)
	}
	b.WriteString("}\nfunc same(n *node) *node { return n }\nfunc churn(n *node) *node {\nfor n.f0 != n.f1 {\n")
	for i := range fields {
		fmt.Fprintf(&b, "if n.f%[1]d != nil { n.f%[2]d.f%[3]d = n.f%[1]d; n = n.f%[2]d }\n", i, (i+1)%fields, (i+5)%fields)
	}
	b.WriteString("}\nreturn n\n}\n")
	pkg, pass := build(t, b.String())
	a := newAnalysis(pass, &ssair.Package{SSA: pkg, Index: origin.NewIndex(pkg, nil), Funcs: []*ssa.Function{pkg.Func("same"), pkg.Func("churn")}})
	a.steps = maxSteps
	if a.interpret(pkg.Func("same")).isEmpty() {
		t.Error("a function that returns its parameter has no summary")
	}
	sum := a.interpret(pkg.Func("churn"))
	if len(sum.Gaps) == 0 {
		t.Error("a function that takes too many steps is not named")
	}
	if len(sum.Results) > 0 || len(sum.Changes) != 1 || !sum.Changes[0].Val.Unknown {
		t.Error("what a function leaves that takes too many steps is not unknown")
	}
	in := a.newInterp()
	in.startBudget(pkg.Func("churn"))
	in.extendBudget()
	fr := in.frame(pkg.Func("churn"))
	fr.regs[fr.fn.Params[0]] = in.paramValue(fr.fn.Params[0], 0)
	in.run(fr, a.base.clone())
	if in.exhausted() {
		t.Error("it exceeds the budget of a function with events, too")
	}
}

// TestCounterOfItself interprets functions whose loops ask how far they have counted,
// which decides what they count.
func TestCounterOfItself(t *testing.T) {
	t.Parallel()
	pkg, pass := build(t, `package p

func thirds(n uint, names map[uint]string) (found []string) {
	for i := range n {
		if i > 0 && i%3 == 0 {
			name, ok := names[i]
			if !ok {
				return nil
			}
			found = append(found, name)
		}
	}
	return found
}

func first(names []string, all bool) (found []string) {
	n := 0
	for _, name := range names {
		if all || n > 0 && name != "" {
			n++
		}
		if n > 0 {
			found = append(found, name)
		}
	}
	return found
}
`)
	for _, name := range []string{"thirds", "first"} {
		a := newAnalysis(pass, &ssair.Package{SSA: pkg, Index: origin.NewIndex(pkg, nil)})
		a.steps = maxSteps
		if a.interpret(pkg.Func(name)).limits&limitSteps != 0 {
			t.Errorf("%s takes too many steps", name)
		}
	}
}

// TestBudgetOfConditions gives up a function that asks more questions about its conditions than the
// budget allows: a parser that a tool has written, of which each case is under all those before it.
func TestBudgetOfConditions(t *testing.T) {
	t.Parallel()
	parser := func(cases int) string {
		var b strings.Builder
		b.WriteString("package p\nfunc token() int\nfunc parse() int {\nstate := 0\nswitch token() {\n")
		for i := range cases {
			fmt.Fprintf(&b, "case %[1]d: state = %[1]d\n", i)
		}
		b.WriteString("}\nreturn state\n}\n")
		return b.String()
	}
	for cases, givenUp := range map[int]bool{30: false, 600: true} {
		pkg, pass := build(t, parser(cases))
		fn := pkg.Func("parse")
		a := newAnalysis(pass, &ssair.Package{SSA: pkg, Index: origin.NewIndex(pkg, nil), Funcs: []*ssa.Function{fn}})
		a.steps = maxStepsHelper
		in := a.newInterp()
		in.startBudget(fn)
		fr := in.frame(fn)
		in.run(fr, a.base.clone())
		if in.exhausted() != givenUp || in.stepsLeft < -maxStepsHelper {
			t.Errorf("with %d cases, %d steps are left", cases, in.stepsLeft)
		}
	}
}

// TestBehindALoop interprets what is behind a loop once, however many rounds the loop needs.
func TestBehindALoop(t *testing.T) {
	t.Parallel()
	pkg, pass := build(t, `package p

type node struct{ next, other *node }

func done(n *node) {}

func last(n *node, more bool) {
	for more {
		for n.other != nil {
			n.other, n = n.next, n.other
		}
		n = n.next
	}
	done(n)
}
`)
	a := newAnalysis(pass, &ssair.Package{SSA: pkg, Index: origin.NewIndex(pkg, nil)})
	a.steps = maxSteps
	in := a.newInterp()
	in.startBudget(pkg.Func("last"))
	fr := in.frame(pkg.Func("last"))
	for i, p := range fr.fn.Params {
		fr.regs[p] = in.paramValue(p, i)
	}
	start := a.base.clone()
	start.stepsLeft = &in.stepsLeft
	fp := newFixpoint(in, fr, start)
	fp.search()
	for b, n := range fp.visits {
		looped := a.innermost(b) != nil
		if looped && n < 2 || !looped && n != 1 {
			t.Errorf("block %v, in a loop: %v, is interpreted %d times", b, looped, n)
		}
	}
}

// TestBudgetOfEventful gives a function that leads to an event the whole budget
// from the start, because it may come to the event late.
func TestBudgetOfEventful(t *testing.T) {
	t.Parallel()
	pkg, pass := build(t, `package p

type object struct{ name string }
type doer interface{ do(o *object) }
type writer struct{}

func write(o *object)              {}
func (writer) do(o *object)        { write(o) }
func helper(o *object)             { func() { write(o) }() }
func reconcile(d doer, o *object)  { if o.name != "" { helper(o) } }
func through(d doer, o *object)    { d.do(o) }
func nothing(o *object) *object    { return o }
`)
	var funcs []*ssa.Function
	for _, name := range []string{"reconcile", "through", "nothing", "helper", "write"} {
		funcs = append(funcs, pkg.Func(name))
	}
	do := pkg.Prog.FuncValue(pkg.Pkg.Scope().Lookup("writer").Type().(*types.Named).Method(0))
	index := origin.NewIndex(pkg, append(funcs, do))
	a := newAnalysis(pass, &ssair.Package{SSA: pkg, Index: index, Funcs: append(funcs, do)})
	a.options.Writes = map[string]bool{"p.write": true}
	a.steps = maxSteps
	for _, scc := range a.components() {
		a.noteEventful(scc)
	}
	for _, fn := range funcs[:4] {
		in := a.newInterp()
		in.startBudget(fn)
		if whole := in.stepsLeft == maxSteps; whole != (fn.Name() != "nothing") {
			t.Errorf("%s has %d steps", fn.Name(), in.stepsLeft)
		}
	}
}

// TestBudgetOfLargeCallees gives a function without events more steps for the cells of
// what it calls, once for each call and up to the whole budget.
func TestBudgetOfLargeCallees(t *testing.T) {
	t.Parallel()
	pkg, pass := build(t, `package p

func small() { large(); large() }
func large() {}
`)
	a := newAnalysis(pass, &ssair.Package{SSA: pkg, Index: origin.NewIndex(pkg, nil)})
	a.steps = maxSteps
	fn := pkg.Func("small")
	in := a.newInterp()
	in.startBudget(fn)
	before := in.stepsLeft
	sum := &Summary{Objects: []Obj{{Cells: make([]Cell, 7)}}, Changes: make([]Change, 3)}
	var calls []ssa.CallInstruction
	for _, instr := range fn.Blocks[0].Instrs {
		if call, ok := instr.(*ssa.Call); ok {
			calls = append(calls, call)
		}
	}
	for _, call := range append(calls, calls...) {
		for via := range 2 { // it calls large, and has it call itself back
			in.grant(in.number(sum, &callSite{instr: call, via: via}), sum)
		}
	}
	if got, want := in.stepsLeft-before, len(calls)*2*10*maxStepsCell; got != want {
		t.Errorf("%d calls of a function with 10 cells, each called back once, bring %d steps, want %d", len(calls), got, want)
	}
	if in.stepsLeft+in.reserve != maxSteps {
		t.Errorf("%d steps and %d in reserve, together not %d", in.stepsLeft, in.reserve, maxSteps)
	}
}

// TestStopsWithinACopy copies a struct from more places than there are steps left. What
// an exhausted function knows is not used, so nothing more is copied.
func TestStopsWithinACopy(t *testing.T) {
	t.Parallel()
	pkg, pass := build(t, "package p\n")
	in := newAnalysis(pass, &ssair.Package{SSA: pkg, Index: origin.NewIndex(pkg, nil)}).newInterp()
	st := in.base.clone()
	var from value
	for i := range maxRefs {
		o := &object{id: i, param: -1}
		st.put(loc{obj: o, path: access.Fields(fmt.Sprint("F", i))}, value{unknown: true}, true)
		from = from.join(refTo(loc{obj: o}))
	}
	st.stepsLeft = &in.stepsLeft
	copied := func(steps int) int {
		to := &object{id: maxRefs, param: -1}
		in.stepsLeft = steps
		in.assign(st, loc{obj: to}, from, structType, true, nil)
		return len(st.sortedPaths(to)) - 1 // without the struct itself
	}
	if n := copied(maxSteps); n != maxRefs {
		t.Errorf("%d of %d fields are copied", n, maxRefs)
	}
	if n := copied(maxRefs / 2); n > maxRefs/2 || !in.exhausted() {
		t.Errorf("%d fields are copied in %d steps", n, maxRefs/2)
	}
}

// build type-checks a package of one file and builds its SSA. The pass has the results
// that the analysis needs.
func build(t *testing.T, source string) (*ssa.Package, *analysis.Pass) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, info, err := ssautil.BuildPackage(new(types.Config), fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	pass := &analysis.Pass{Fset: fset, Files: []*ast.File{file}, Pkg: pkg.Pkg, TypesInfo: info}
	options, err := rule.Options.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	pass.ResultOf = map[*analysis.Analyzer]any{rule.Options: options, wiring.Analyzer: new(wiring.View), constants.Analyzer: (*constants.Vars)(nil)}
	return pkg, pass
}
