package source

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// SSA builds a package m with these declarations.
func SSA(t testing.TB, declarations string) *ssair.Package {
	t.Helper()
	return Package(t, ssair.Analyzer, declarations).(*ssair.Package)
}

// Func returns the function, method or function literal of the package with this
// [ssa.Function.Name].
func Func(t testing.TB, pkg *ssair.Package, name string) *ssa.Function {
	t.Helper()
	i := slices.IndexFunc(pkg.Funcs, func(fn *ssa.Function) bool { return fn.Name() == name })
	if i < 0 {
		t.Fatalf("no function %s", name)
	}
	return pkg.Funcs[i]
}

// Calls returns the calls in the package of functions with this name, in source
// order. Tests use such calls to mark the values and places that they check.
func Calls(pkg *ssair.Package, name string) []*ssa.Call {
	var all []*ssa.Call
	for _, fn := range pkg.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok && called(call) == name {
					all = append(all, call)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y *ssa.Call) int { return int(x.Pos() - y.Pos()) })
	return all
}

func called(call *ssa.Call) string {
	if fn := call.Call.StaticCallee(); fn != nil {
		return fn.Name()
	}
	if call.Call.IsInvoke() {
		return call.Call.Method.Name()
	}
	return ""
}

// Marked returns the argument of the only call of the function mark.
func Marked(t testing.TB, pkg *ssair.Package) ssa.Value {
	t.Helper()
	calls := Calls(pkg, "mark")
	if len(calls) != 1 {
		t.Fatalf("%d calls of mark, want one", len(calls))
	}
	return calls[0].Call.Args[0]
}

// ArchiveSSA builds the packages of an archive, see [Archive], and returns the
// package m.
func ArchiveSSA(t testing.TB, archive string) *ssair.Package {
	t.Helper()
	return Archive(t, ssair.Analyzer, archive)[Module].(*ssair.Package)
}
