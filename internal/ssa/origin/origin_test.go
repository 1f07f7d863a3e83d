package origin_test

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/testing/source"
)

const helpers = `
type T struct{ f int; in U; err error }
type U struct{ g int }
func mark(v any)
func markInt(v int)
func pair() (int, error)
func ok() bool
`

// TestOf checks the kinds of the steps back from the argument of mark.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"parameter", `func f(a int) { mark(a) }`, "boxed parameter"},
		{"constant", `func f() { mark(1) }`, "boxed constant"},
		{"conversion", `func f(a int) { mark(int8(a)) }`, "boxed converted parameter"},
		{"other name of a type", `type N T; func f(a T) { mark(N(a)) }`, "boxed renamed parameter"},
		{"assertion", `func f(a any) { mark(a.(error)) }`, "renamed asserted parameter"},
		{"assertion with ok", `func f(a any) { e, _ := a.(error); mark(e) }`, "renamed asserted parameter"},
		{"whether an assertion succeeds", `func f(a any) { _, ok := a.(error); mark(ok) }`, "boxed ok asserted parameter"},
		{"field of a pointer", `func f(a *T) { mark(a.f) }`, "boxed loaded field parameter"},
		{"field of a result", `func g() T; func f() { mark(g().f) }`, "boxed field result"},
		{"element of a slice", `func f(a []int) { mark(a[1]) }`, "boxed loaded element parameter"},
		{"element of a map", `func f(a map[int]int) { v, _ := a[1]; mark(v) }`, "boxed element parameter"},
		{"whether a map has a key", `func f(a map[int]int) { _, ok := a[1]; mark(ok) }`, "boxed ok element parameter"},
		{"item of a map", `func f(a map[int]int) { for k := range a { mark(k) } }`, "boxed item iterator parameter"},
		{"received", `func f(a chan int) { mark(<-a) }`, "boxed received parameter"},
		{"part of a slice", `func f(a []int) { mark(a[1:]) }`, "boxed sliced parameter"},
		{"literal of a slice", `func f() { mark([]int{1}) }`, "boxed sliced local"},
		{"made", `func f() { mark(make(map[int]int)) }`, "boxed made"},
		{"second result", `func f() { _, err := pair(); mark(err) }`, "renamed result"},
		{"sum", `func f(a int) { mark(a + 1) }`, "boxed computed"},
		{"select", `func f(a, b chan int) { select { case v := <-a: mark(v); case <-b: } }`, "boxed selected"},
		{"captured", `func f(a int) { a++; func() { mark(a) }() }`, "boxed loaded captured"},
		{"choice", `func f(a, b int) { if ok() { a = b }; mark(a) }`, "boxed choice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var steps []string
			for v := source.Marked(t, source.SSA(t, helpers+test.src)); v != nil; {
				o := origin.Of(v)
				steps = append(steps, names[o.Kind])
				v = o.X
				if o.Kind == origin.Computed || o.Kind == origin.Selected {
					break
				}
			}
			if got := strings.Join(steps, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

var names = map[origin.Kind]string{
	origin.Constant: "constant", origin.Func: "func", origin.Global: "global", origin.Parameter: "parameter", origin.Captured: "captured",
	origin.Local: "local", origin.Made: "made", origin.Closure: "closure", origin.Renamed: "renamed", origin.Boxed: "boxed",
	origin.Asserted: "asserted", origin.Converted: "converted", origin.Sliced: "sliced", origin.Choice: "choice", origin.Loaded: "loaded",
	origin.Field: "field", origin.Element: "element", origin.Received: "received", origin.Selected: "selected", origin.Iterator: "iterator",
	origin.Item: "item", origin.Result: "result", origin.OK: "ok", origin.Computed: "computed",
}

// TestWalk checks the leaves of a walk back from the argument of mark, and
// whether the walk is complete.
func TestWalk(t *testing.T) {
	t.Parallel()
	const all = origin.Types | origin.Choices | origin.Slices | origin.Contents | origin.Variables | origin.Globals | origin.Fields | origin.Results
	for _, test := range []struct {
		name, src string
		steps     origin.Steps
		want      string
		complete  bool
	}{
		{"choices", `func f(a, b int) { if ok() { a = b }; mark(a) }`, origin.Types | origin.Choices, "a b", true},
		{"only the steps asked for", `func f(a, b int) { if ok() { a = b }; mark(a) }`, origin.Types, "t1", true},
		{"captured variable assigned in a closure", `func f(a, b int) { v := a; func() { v = b }(); mark(v) }`, all, "a b", true},
		{"captured variable read in a closure", `func f(a int) { v := a; func() { mark(v) }(); v = 1 }`, all, "1:int a", true},
		{"literal of a slice", `func f(a, b int) { mark([]int{a, b}) }`, all, "a b", true},
		{"append", `func f(a []int, b int) { mark(append(a, b)) }`, all, "a b", true},
		{"literal of a map", `func f(a int) { mark(map[int]int{1: a}) }`, all, "a", true},
		{"field of the package", `func f(x *T, a int) { x.f = a; g(new(T)) }; func g(x *T) { mark(x.f) }`, all, "a", true},
		{"field that nobody stores in", `func f(x *T) { mark(x.f) }`, all, "", false},
		{"package variable", `var v = ok; func f(a func() bool) { v = a }; func g() { mark(v) }`, all, "a ok", true},
		{"result of a function", `func f(a int) { mark(g(a)) }; func g(b int) int { return b }`, all, "b", true},
		{"second result", `func f(a error) { _, err := g(a); mark(err) }; func g(b error) (int, error) { return 1, b }`, all, "b", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+test.src)
			var leaves []string
			complete := pkg.Index.Walk(source.Marked(t, pkg), test.steps, origin.MaxWalk, func(v ssa.Value) { leaves = append(leaves, v.Name()) })
			slices.Sort(leaves)
			if got := strings.Join(leaves, " "); got != test.want || complete != test.complete {
				t.Errorf("got %q, complete: %v, want %q, %v", got, complete, test.want, test.complete)
			}
		})
	}
}

// TestPassed checks the arguments found for a parameter.
func TestPassed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, fn, want string }{
		{"called", `func g(a int) {}; func F() { g(1); g(2) }`, "g", "1:int 2:int"},
		{"exported", `func G(a int) {}; func F() { G(1) }`, "G", ""},
		{"used as a value", `func g(a int) {}; func F() { g(1); mark(g) }`, "g", ""},
		{"method that an interface may call", `type I interface{ m(int) }; func (x *T) m(a int) {}; func F(x *T) { x.m(1) }`, "m", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+test.src)
			params := source.Func(t, pkg, test.fn).Params
			var passed []string
			for _, v := range pkg.Index.Passed(params[len(params)-1]) {
				passed = append(passed, v.Name())
			}
			if got := strings.Join(passed, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestWalkEnds checks that a walk through a cycle ends, and that a walk over its
// limit is not complete.
func TestWalkEnds(t *testing.T) {
	t.Parallel()
	pkg := source.SSA(t, helpers+`func f(a, b int) { for ok() { if ok() { a = b } }; mark(a) }`)
	v := source.Marked(t, pkg)
	if !pkg.Index.Walk(v, origin.Types|origin.Choices, origin.MaxWalk, func(ssa.Value) {}) {
		t.Error("the walk did not come to an end")
	}
	if pkg.Index.Walk(v, origin.Types|origin.Choices, 2, func(ssa.Value) {}) {
		t.Error("a walk that is limited came to an end")
	}
}

// TestFieldOfInstance checks that a field of an instance of a generic type is
// the field of the generic type.
func TestFieldOfInstance(t *testing.T) {
	t.Parallel()
	pkg := source.SSA(t, helpers+`type G[P any] struct{ v P }; func f(x *G[int]) { mark(x.v) }`)
	field, of := origin.FieldOf(origin.Of(source.Marked(t, pkg)).X)
	g := pkg.SSA.Pkg.Scope().Lookup("G").Type().Underlying().(*types.Struct)
	if field != g.Field(0) || of.Name() != "x" {
		t.Errorf("got %v of %v", field, of)
	}
}

// TestUses checks which uses and captures an index records.
func TestUses(t *testing.T) {
	t.Parallel()
	pkg := source.SSA(t, helpers+`
		func (x *T) m() {}
		func g() {}
		func f(x *T, a int) {
			g()
			go g()
			mark(g)
			x.m()
			mark(x.m)
			func() { markInt(a) }()
		}`)
	ix := pkg.Index
	g, m, lit := source.Func(t, pkg, "g"), source.Func(t, pkg, "m"), source.Func(t, pkg, "f$1")
	if calls, uses := len(ix.Calls(g)), len(ix.Uses(g)); calls != 2 || uses != 1 {
		t.Errorf("g: %d calls, %d other uses", calls, uses)
	}
	if calls, uses := len(ix.Calls(m)), len(ix.Uses(m)); calls != 1 || uses != 1 {
		t.Errorf("m: %d calls, %d other uses", calls, uses)
	}
	if bound := ix.Bindings(lit.FreeVars[0]); len(bound) != 1 || ix.Cell(lit.FreeVars[0]) != bound[0] {
		t.Errorf("the literal captures %v", bound)
	}
}

// TestPassedTo checks which call takes a function as an argument, and which is
// the only call of a function literal.
func TestPassedTo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, fn, passed, called string }{
		{"function", `func g() {}; func f() { mark(g) }`, "g", "", ""}, // as an interface, which may go anywhere
		{"literal", `func f() { run(func() {}) }`, "f$1", "run", ""},
		{"literal of a named type", `type F func(); func runF(F); func f(a int) { runF(func() { a++ }) }`, "f$1", "runF", ""},
		{"twice", `func g() {}; func f() { run(g); run(g) }`, "g", "", ""},
		{"method value", `func (x *T) m() {}; func f(x *T) { run(x.m) }`, "m", "run", ""},
		{"in place", `func f(a int) { func() { a++ }() }`, "f$1", "", "f$1"},
		{"deferred", `func f(a int) { defer func() { a++ }() }`, "f$1", "", "f$1"},
		{"stored", `var v func(); func f() { v = func() {} }`, "f$1", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+"func run(func())\n"+test.src)
			fn := source.Func(t, pkg, test.fn)
			if got := calleeName(pkg.Index.PassedTo(fn)); got != test.passed {
				t.Errorf("passed to %q, want %q", got, test.passed)
			}
			if got := calleeName(pkg.Index.OnlyCall(fn)); got != test.called {
				t.Errorf("called as %q, want %q", got, test.called)
			}
		})
	}
}

func calleeName(call *ssa.CallCommon) string {
	if call == nil {
		return ""
	}
	return call.StaticCallee().Name()
}

// TestMayHold checks which values a captured variable may hold at the call of
// mark.
func TestMayHold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"zero", `func f(a int) { var v int; mark(1); v = a; func() { markInt(v) }() }`, "0"},
		{"last store", `func f(a, b int) { v := a; v = b; mark(1); func() { markInt(v) }() }`, "b"},
		{"either", `func f(a, b int) { v := a; if ok() { v = b }; mark(1); func() { markInt(v) }() }`, "a b"},
		{"of an earlier round", `func f(a, b int) { v := a; for ok() { mark(1); v = b }; func() { markInt(v) }() }`, "a b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+test.src)
			cell := pkg.Index.Cell(source.Func(t, pkg, "f$1").FreeVars[0])
			var got []string
			for _, v := range origin.MayHold(cell, source.Calls(pkg, "mark")[0]) {
				if v == nil {
					got = append(got, "0")
				} else {
					got = append(got, v.Name())
				}
			}
			slices.Sort(got)
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestFieldAt checks what is known of the field Done at the call of mark, or of the struct that it
// is in.
func TestFieldAt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"literal", `func f(a bool) { v := R{Done: a}; mark(v) }`, "a"},
		{"not set", `func f(a bool) { v := R{Other: a}; mark(v) }`, "false:bool"},
		{"zero", `func f() { mark(R{}) }`, "false:bool"},
		{"set", `func f(a, b bool) { v := R{Done: a}; v.Done = b; v.Other = a; mark(v) }`, "b"},
		{"perhaps set", `func f(a, b bool) { v := R{Done: a}; if ok() { v.Done = b }; mark(v) }`, ""},
		{"pointer", `func f(a bool) { v := new(R); v.Done = a; mark(v.Done) }`, "a"},
		{"behind a pointer", `func f(a bool) { v := &R{Done: a}; run(v); mark(v.Done) }`, ""},
		{"of a call", `func f() { mark(get()) }`, "of get()"},
		{"copied", `func f() { v := get(); v.Other = true; mark(v) }`, "of get()"},
		{"made", `func made(a, b bool) R { return R{Other: a, Done: b} }; func f(a, b bool) { mark(made(b, a)) }`, "a"},
		{"made for ever", `func one() R { return two() }; func two() R { return one() }; func f() { mark(one()) }`, "of one()"},
		{"parameter", `func f(v R) { mark(v) }`, "of parameter v : R"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+"type R struct{ Done, Other bool }\nfunc get() R\nfunc run(*R)\n"+test.src)
			call := source.Calls(pkg, "mark")[0]
			v := origin.Through(call.Common().Args[0], origin.Boxed)
			if _, of := origin.FieldOf(v); of != nil {
				v = of
			}
			val, of := origin.FieldAt(v, "Done", call)
			got := ""
			switch {
			case val != nil:
				got = val.Name()
			case of != nil:
				got = "of " + strings.TrimPrefix(of.String(), "p.")
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
