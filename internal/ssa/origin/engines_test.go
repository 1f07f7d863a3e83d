package origin_test

import (
	"go/ast"
	"go/types"
	"slices"
	"testing"

	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// walked lists the instructions that a backward walk looks through. Package
// origin does that for all engines.
var walked = []string{
	"ChangeInterface", "ChangeType", "Convert", "Extract", "Field", "FieldAddr", "FreeVar", "Index", "IndexAddr",
	"Lookup", "MakeInterface", "MultiConvert", "Phi", "Slice", "SliceToArrayPointer", "TypeAssert", "UnOp",
}

// TestEnginesStepBackByTheFoundation checks that no type switch over an
// ssa.Value in an engine or a rule has a case for an instruction that package
// origin looks through. So each new idiom is taught in one place.
func TestEnginesStepBackByTheFoundation(t *testing.T) {
	t.Parallel()
	prog, err := fixture.LoadPackages("../../..", "./internal/engine/...", "./analyzers/...")
	if err != nil {
		t.Fatal(err)
	}
	switches := 0
	for _, pkg := range prog.Packages {
		for _, file := range pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				sw, ok := n.(*ast.TypeSwitchStmt)
				if !ok {
					return true
				}
				switches++
				if isValue(pkg.TypesInfo.TypeOf(operand(sw))) {
					for _, kind := range kinds(pkg.TypesInfo, sw) {
						if slices.Contains(walked, kind) {
							t.Errorf("%s: case *ssa.%s: switch on origin.Of(v).Kind", pkg.Fset.Position(sw.Pos()), kind)
						}
					}
				}
				return true
			})
		}
	}
	if switches == 0 {
		t.Error("no type switch found: is this still the engines' source?")
	}
}

// operand returns the expression whose type a type switch tests.
func operand(sw *ast.TypeSwitchStmt) ast.Expr {
	switch s := sw.Assign.(type) {
	case *ast.AssignStmt:
		return s.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		return s.X.(*ast.TypeAssertExpr).X
	}
	return nil
}

func isValue(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Value" && isSSA(named.Obj().Pkg())
}

func isSSA(pkg *types.Package) bool { return pkg != nil && pkg.Path() == "golang.org/x/tools/go/ssa" }

// kinds returns the names of the cases that are types of package ssa.
func kinds(info *types.Info, sw *ast.TypeSwitchStmt) []string {
	var names []string
	for _, clause := range sw.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			ptr, ok := types.Unalias(info.TypeOf(e)).(*types.Pointer)
			if !ok {
				continue
			}
			if named, ok := types.Unalias(ptr.Elem()).(*types.Named); ok && isSSA(named.Obj().Pkg()) {
				names = append(names, named.Obj().Name())
			}
		}
	}
	return names
}
