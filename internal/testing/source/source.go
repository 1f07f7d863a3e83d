// Package source builds packages from text and runs analyzers on them. It is for
// tests that need neither files nor compiled libraries. The text also declares
// the packages that a package imports, with only what the test needs: the
// analyzers know types by path and name.
package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"
)

// Module is the path of the module that all packages belong to.
const Module = "m"

// Package runs an analyzer on a package m with these declarations, and returns
// the result.
func Package(t testing.TB, a *analysis.Analyzer, declarations string) any {
	t.Helper()
	return Archive(t, a, "-- m/m.go --\npackage m\n"+declarations)["m"]
}

// Archive runs an analyzer on the packages of a txtar archive, and returns the
// results by the packages' paths. The folder of a file is the path of its
// package. A package must come after those that it imports.
func Archive(t testing.TB, a *analysis.Analyzer, archive string) map[string]any {
	t.Helper()
	r := &runner{
		t: t, fset: token.NewFileSet(),
		packages: make(map[string]*types.Package),
		objects:  make(map[objectFact]analysis.Fact),
		about:    make(map[packageFact]analysis.Fact),
	}
	var paths []string
	files := make(map[string][]*ast.File)
	for _, f := range txtar.Parse([]byte(archive)).Files {
		syntax, err := parser.ParseFile(r.fset, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(f.Name)
		if files[dir] == nil {
			paths = append(paths, dir)
		}
		files[dir] = append(files[dir], syntax)
	}
	results := make(map[string]any)
	for _, p := range paths {
		results[p] = r.analyze(a, p, files[p])
	}
	return results
}

type runner struct {
	t        testing.TB
	fset     *token.FileSet
	packages map[string]*types.Package
	objects  map[objectFact]analysis.Fact
	about    map[packageFact]analysis.Fact
}

type objectFact struct {
	obj  types.Object
	kind reflect.Type
}

type packageFact struct {
	pkg  *types.Package
	kind reflect.Type
}

// Import returns a package of the archive.
func (r *runner) Import(p string) (*types.Package, error) {
	if pkg := r.packages[p]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("the archive has no package %s before this one", p)
}

func (r *runner) analyze(a *analysis.Analyzer, p string, files []*ast.File) any {
	info := NewInfo()
	conf := &types.Config{Importer: r}
	pkg, err := conf.Check(p, r.fset, files, info)
	if err != nil {
		r.t.Fatal(err)
	}
	r.packages[p] = pkg
	results := make(map[*analysis.Analyzer]any)
	var run func(a *analysis.Analyzer) any
	run = func(a *analysis.Analyzer) any {
		if res, ok := results[a]; ok {
			return res
		}
		pass := &analysis.Pass{
			Analyzer: a, Fset: r.fset, Files: files, Pkg: pkg, TypesInfo: info, TypesSizes: types.SizesFor("gc", "amd64"),
			Module:   &analysis.Module{Path: Module},
			ResultOf: make(map[*analysis.Analyzer]any),
			Report:   func(d analysis.Diagnostic) { r.t.Logf("%s: %s", r.fset.Position(d.Pos), d.Message) },
			ImportObjectFact: func(obj types.Object, fact analysis.Fact) bool {
				return take(fact, r.objects[objectFact{obj, reflect.TypeOf(fact)}])
			},
			ExportObjectFact: func(obj types.Object, fact analysis.Fact) { r.objects[objectFact{obj, reflect.TypeOf(fact)}] = fact },
			ImportPackageFact: func(pkg *types.Package, fact analysis.Fact) bool {
				return take(fact, r.about[packageFact{pkg, reflect.TypeOf(fact)}])
			},
			ExportPackageFact: func(fact analysis.Fact) { r.about[packageFact{pkg, reflect.TypeOf(fact)}] = fact },
		}
		for _, req := range a.Requires {
			pass.ResultOf[req] = run(req)
		}
		res, err := a.Run(pass)
		if err != nil {
			r.t.Fatal(err)
		}
		results[a] = res
		return res
	}
	return run(a)
}

// NewInfo returns a types.Info that records everything.
func NewInfo() *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Scopes:       make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
}

// take copies a fact to the one that the caller gave, and reports whether there
// is one.
func take(to, from analysis.Fact) bool {
	if from == nil {
		return false
	}
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
	return true
}
