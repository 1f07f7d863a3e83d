package constants_test

import (
	"fmt"
	"go/constant"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/testing/source"
)

// evaluation evaluates the argument of mark in each package.
var evaluation = &analysis.Analyzer{
	Name:     "evaluation",
	Doc:      "evaluate what mark is given",
	Requires: []*analysis.Analyzer{ssair.Analyzer, constants.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		calls := source.Calls(pass.ResultOf[ssair.Analyzer].(*ssair.Package), "mark")
		if len(calls) == 0 {
			return constant.Value(nil), nil
		}
		e := constants.Evaluator{Vars: pass.ResultOf[constants.Analyzer].(*constants.Vars)}
		return e.Eval(calls[0].Call.Args[0]), nil
	},
}

// TestEval checks the value of the argument of mark; "" means unknown.
func TestEval(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"literal", `func f() { mark(3) }`, "3"},
		{"product", `func f() { x := 2; mark(x * 3) }`, "6"},
		{"integer division", `func f() { x := 7; mark(x / 2) }`, "3"},
		{"division by zero", `func f() { x := 0; mark(7 / x) }`, ""},
		{"conversion to an integer", `func f() { x := 2.5; mark(int(x * 3)) }`, "7"},
		{"shift", `func f() { x := 3; mark(1 << x) }`, "8"},
		{"length of a slice literal", `func f() { mark(len([]int{4, 5})) }`, "2"},
		{"element of a slice literal", `func f() { x := []int{4, 5}; mark(x[1]) }`, "5"},
		{"parameter", `func f(x int) { mark(x) }`, ""},
		{"variable", `var v = 3; func f() { mark(v) }`, "3"},
		{"computed variable", `var u = 3; var v = 2 * 3; func f() { mark(v + u) }`, "9"},
		{"variable that is assigned to", `var v = 3; func f() { mark(v) }; func g() { v = 4 }`, ""},
		{"field of a variable", `var v = struct{ a, b int }{a: 3}; func f() { mark(v.a) }`, "3"},
		{"field that is assigned to", `var v = struct{ a, b int }{a: 3}; func f() { mark(v.a) }; func g() { v.a = 4 }`, ""},
		{"variable set by a function", `var v = g(); func g() int { return 3 }; func f() { mark(v) }`, ""},
		{"captured variable", `func f() { x := 3; go func() { mark(x) }() }`, "3"},
		{"variable captured twice", `func f() { x := 3; go func() { go func() { mark(x * 2) }() }() }`, "6"},
		{"captured variable that is assigned to", `func f() { x := 3; go func() { mark(x) }(); x = 4 }`, ""},
		{"captured variable that another literal sets", `func f() { x := 3; go func() { x = 4 }(); mark(x) }`, ""},
		{"captured variable that is set on one way", `func f(b bool) { var x int; if b { x = 3 }; go func() { mark(x) }() }`, ""},
		{"captured variable whose address is taken", `func f(set func(*int)) { x := 3; set(&x); go func() { mark(x) }() }`, ""},
		{"variable whose address is taken", `var v = 3; func f() { mark(v) }; func g() *int { return &v }`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			check(t, source.Package(t, evaluation, "func mark(int)\n"+test.src), test.want)
		})
	}
}

// TestVariableOfAnotherPackage checks that facts carry the values of variables
// to other packages.
func TestVariableOfAnotherPackage(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, there, here, want string }{
		{"constant", `var V = 3`, `mark(other.V)`, "3"},
		{"large", `var V = 1 << 40`, `mark(other.V)`, "1099511627776"},
		{"assigned to there", `var V = 3; func f() { V = 4 }`, `mark(other.V)`, ""},
		{"address taken there", `var V = 3; func f() *int { return &V }`, `mark(other.V)`, ""},
		{"address taken here", `var V = 3`, `mark(other.V); g(&other.V) }; func g(*int) {`, ""},
		{"assigned to here", `var V = 3`, `other.V = 4; mark(other.V)`, ""},
		{"field", `var V = T{A: 3}; type T struct{ A, B int }`, `mark(other.V.A)`, "3"},
		{"field assigned to here", `var V = T{A: 3}; type T struct{ A, B int }`, `other.V.B = 1; mark(other.V.A)`, ""},
		{"fraction", `var V = 0.3`, `mark(int(other.V * 10))`, "3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			check(t, source.Archive(t, evaluation, `
-- other/other.go --
package other
`+test.there+`
-- m/m.go --
package m
import "other"
func mark(int)
func f() { `+test.here+` }
`)["m"], test.want)
		})
	}
}

func check(t *testing.T, got any, want string) {
	t.Helper()
	text := ""
	if c, ok := got.(constant.Value); ok && c != nil {
		text = c.ExactString()
	}
	if text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

// fields evaluates the struct that is the argument of mark.
var fields = &analysis.Analyzer{
	Name:     "fields",
	Doc:      "evaluate the structure that mark is given",
	Requires: []*analysis.Analyzer{ssair.Analyzer, constants.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		call := source.Calls(pass.ResultOf[ssair.Analyzer].(*ssair.Package), "mark")[0]
		e := constants.Evaluator{Vars: pass.ResultOf[constants.Analyzer].(*constants.Vars)}
		fields, ok := e.Fields(call.Call.Args[0])
		if !ok {
			return "", nil
		}
		return fmt.Sprint(fields), nil
	},
}

// TestFields checks the constants in the struct that is the argument of mark.
func TestFields(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"literal", `func f() { mark(T{A: 1, B: 2}) }`, "map[A:1 B:2]"},
		{"some fields", `func f() { mark(T{B: 2}) }`, "map[B:2]"},
		{"not constant", `func f(x int) { mark(T{A: x}) }`, ""},
		{"package variable", `var v = T{A: 1}; func f() { mark(v) }`, "map[A:1]"},
		{"package variable that is zero", `var v = T{}; func f() { mark(v) }`, "map[]"},
		{"package variable that is declared only", `var v T; func f() { mark(v) }`, ""},
		{"package variable that is set later", `var v = T{}; func f() { mark(v) }; func g() { v.A = h() }; func h() int`, ""},
		{"changed copy", `var v = T{A: 1, B: 2}; func f() { w := v; w.A = 3; mark(w) }`, "map[A:3 B:2]"},
		{"parameter", `func f(x T) { mark(x) }`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := source.Package(t, fields, "type T struct{ A, B int }; func mark(T)\n"+test.src); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
