package callee_test

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/testing/source"
)

const helpers = `
func ok() bool
func mark(func())
func foreign()
func a() { ok() }
func b() { ok() }
type T struct{ f func() }
func (x *T) m() { ok() }
type I interface{ do() }
`

// TestValue checks which functions the argument of mark may be; "?" stands for
// unknown ones.
func TestValue(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"function", `func f() { mark(a) }`, "a"},
		{"without a body", `func f() { mark(foreign) }`, "foreign!"},
		{"nil", `func f() { mark(nil) }`, ""},
		{"function literal", `func f() { mark(func() {}) }`, "f$1"},
		{"closure", `func f(x int) { mark(func() { x++ }) }`, "f$1"},
		{"method value", `func f(x *T) { mark(x.m) }`, "m"},
		{"method expression", `func f() { g((*T).m) }; func g(h func(*T)) { k := h; mark(func() { k(nil) }) }`, "g$1"},
		{"either", `func f() { v := a; if ok() { v = b }; mark(v) }`, "a b"},
		{"variable assigned in a closure", `func f() { v := a; func() { v = b }(); mark(v) }`, "a b"},
		{"captured", `func f() { v := a; func() { mark(v) }(); v = b }`, "a b"},
		{"package variable", `var v = a; func f() { mark(v) }`, "a"},
		{"field of the package", `func f(x *T) { x.f = a; mark(x.f) }`, "a ?"},
		{"field that nobody stores in", `func f(x *T) { mark(x.f) }`, "?"},
		{"returned", `func f() { mark(g()) }; func g() func() { return a }`, "a"},
		{"parameter", `func f(v func()) { mark(v) }`, "?"},
		{"instance of a generic function", `func g[P any]() {}; func f() { mark(g[int]) }`, "g"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+test.src)
			r := callee.NewResolver(pkg.SSA, pkg.Index, nil, nil)
			if got := text(r.Value(source.Marked(t, pkg))); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestInvoked checks which methods a call through an interface may reach.
func TestInvoked(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"one implementation", `type A struct{}; func (A) do() { ok() }`, "(m.A).do"},
		{"two implementations", `type A struct{}; func (A) do() { ok() }; type B struct{}; func (*B) do() { ok() }`, "(m.A).do (*m.B).do"},
		{"embedded", `type A struct{}; func (A) do() { ok() }; type B struct{ A }`, "(m.A).do (m.A).do"},
		{"none", ``, "?"},
		{"left out", `type Fake struct{}; func (Fake) do() { ok() }`, "?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+`func f(i I) { i.do() }; `+test.src)
			r := callee.NewResolver(pkg.SSA, pkg.Index, nil, func(name *types.TypeName) bool { return name.Name() == "Fake" })
			call := source.Calls(pkg, "do")[0]
			targets := r.Call(call.Common())
			var got []string
			for _, fn := range targets.Own {
				got = append(got, fn.String())
			}
			if targets.Open {
				got = append(got, "?")
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if lost := targets.Lost != nil; lost != (test.want == "?") {
				t.Errorf("gave up: %v", lost)
			}
		})
	}
}

// TestInterfaceOfAnotherPackage checks that an interface of another package may
// have implementations elsewhere.
func TestInterfaceOfAnotherPackage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, path string
		own        int
	}{
		{"of a module", "example.com/other", 1},
		{"of the standard library", "io", 0},
	} {
		pkg := source.ArchiveSSA(t, `
-- `+test.path+`/other.go --
package other
type I interface{ Do() }
-- m/m.go --
package m
import "`+test.path+`"
type A struct{}
func (A) Do() {}
func f(i other.I) { i.Do() }
`)
		targets := callee.NewResolver(pkg.SSA, pkg.Index, nil, nil).Call(source.Calls(pkg, "Do")[0].Common())
		if len(targets.Own) != test.own || !targets.Open {
			t.Errorf("%s: %d implementations, open: %v", test.name, len(targets.Own), targets.Open)
		}
	}
}

// TestStatic checks that a call of an instance resolves to the generic function.
func TestStatic(t *testing.T) {
	t.Parallel()
	pkg := source.SSA(t, helpers+`func g[P any](p P) { ok() }; func f() { g(1); g("") }`)
	calls := source.Calls(pkg, "g")
	if len(calls) != 0 { // instances have names of their own
		t.Fatalf("%d calls of g itself", len(calls))
	}
	for _, name := range []string{"g[int]", "g[string]"} {
		call := source.Calls(pkg, name)[0].Common()
		if callee.Static(call).Name() != "g" || callee.Body(call) != source.Func(t, pkg, "g") {
			t.Errorf("%s: calls %v", name, callee.Static(call))
		}
	}
}

func text(targets callee.Targets) string {
	var all []string
	for _, fn := range targets.Own {
		all = append(all, fn.Name())
	}
	for _, fn := range targets.Foreign {
		all = append(all, fn.Name()+"!")
	}
	slices.Sort(all)
	if targets.Open {
		all = append(all, "?")
	}
	return strings.Join(all, " ")
}
