package ssair

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// TestFilesWithoutSSA: functions in files of tests and of code generators may be
// called, but have no SSA.
func TestFilesWithoutSSA(t *testing.T) {
	t.Parallel()
	for file, built := range map[string]bool{
		"thing.go":                      true,
		"zz_generated.managed.go":       true, // of others than Kubernetes' generators
		"generated.go":                  true,
		"thing_test.go":                 false,
		"zz_generated.deepcopy.go":      false,
		"zz_generated.conversion.go":    false,
		"zz_generated.defaults.go":      false,
		"zz_generated.openapi.go":       false,
		"zz_generated.validations.go":   false,
		"api/zz_generated.deepcopy.go":  false,
		"my_zz_generated.deepcopy.go":   true,
		"zz_generated.deepcopy_test.go": false,
	} {
		pass := &analysis.Pass{Fset: token.NewFileSet(), Module: &analysis.Module{Path: "m"}, TypesInfo: &types.Info{
			Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
			Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
			Scopes: make(map[ast.Node]*types.Scope), Instances: make(map[*ast.Ident]types.Instance),
		}}
		for name, text := range map[string]string{
			"caller.go": "package p; func call(t *T) { t.Fill(); Fill(t) }",
			file:        "package p; var n = func() int { return 1 }(); type T struct{ n int }; func (t *T) Fill() { t.n = n }; func Fill(t *T) { t.Fill() }",
		} {
			f, err := parser.ParseFile(pass.Fset, name, text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			pass.Files = append(pass.Files, f)
		}
		var err error
		if pass.Pkg, err = new(types.Config).Check("m/p", pass.Fset, pass.Files, pass.TypesInfo); err != nil {
			t.Fatal(err)
		}
		res, err := run(pass)
		if err != nil {
			t.Fatal(err)
		}
		names := make(map[string]bool)
		for _, fn := range res.(*Package).Funcs {
			names[fn.String()] = true
		}
		want := map[string]bool{"m/p.call": true}
		if built {
			want["(*m/p.T).Fill"], want["m/p.Fill"], want["m/p.init$1"] = true, true, true
		}
		if fmt.Sprint(names) != fmt.Sprint(want) {
			t.Errorf("%s: functions %v, want %v", file, names, want)
		}
	}
}
