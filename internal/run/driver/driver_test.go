package driver_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
)

// depth is a fact: one more than the greatest depth of what a function calls.
type depth struct{ N int }

func (*depth) AFact() {}

// depths exports the depth of each function, and that of the package.
var depths = &analysis.Analyzer{
	Name:      "depths",
	Doc:       "count how deep calls go",
	FactTypes: []analysis.Fact{new(depth)},
	Run: func(pass *analysis.Pass) (any, error) {
		greatest := 0
		for _, file := range pass.Files {
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				n := 0
				for node := range ast.Preorder(fn) {
					id, ok := node.(*ast.Ident)
					if !ok {
						continue
					}
					callee, ok := pass.TypesInfo.Uses[id].(*types.Func)
					var d depth
					if ok && pass.ImportObjectFact(callee, &d) {
						n = max(n, d.N)
					}
				}
				pass.ExportObjectFact(pass.TypesInfo.Defs[fn.Name], &depth{n + 1})
				greatest = max(greatest, n+1)
				pass.Reportf(fn.Name.Pos(), "depth %d", n+1)
			}
		}
		pass.ExportPackageFact(&depth{greatest})
		all := []string{}
		for _, f := range pass.AllPackageFacts() {
			all = append(all, fmt.Sprintf("%s=%d", f.Package.Name(), f.Fact.(*depth).N))
		}
		slices.Sort(all)
		objects := 0
		for _, f := range pass.AllObjectFacts() {
			if f.Object.Pkg() != pass.Pkg {
				objects++
			}
		}
		pass.Reportf(pass.Files[0].Package, "packages %s, %d objects of others", strings.Join(all, " "), objects)
		return nil, nil
	},
}

func run(t *testing.T, archive string, rules ...*analysis.Analyzer) *driver.Report {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n\ngo 1.25.0\n"+archive)), dir); err != nil {
		t.Fatal(err)
	}
	rep, err := driver.Run(load.Config{Dir: dir, Patterns: []string{"./..."}, Tests: true, Deps: load.Auto}, rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func messages(rep *driver.Report) []string {
	var all []string
	for _, f := range rep.Findings {
		all = append(all, fmt.Sprintf("%s:%d %s", filepath.Base(f.Pos.Filename), f.Pos.Line, f.Message))
	}
	return all
}

const chain = `
-- a/a.go --
package a

func A() { low() }

func low() {}
-- b/b.go --
package b

import "example.com/m/a"

type T struct{}

func (T) B() { a.A() }
-- c/c.go --
package c

import "example.com/m/b"

func C() { b.T{}.B() }
-- c/c_test.go --
package c

func testOnly() { C() }
`

func TestFactsReachImporters(t *testing.T) {
	t.Parallel()
	rep := run(t, chain, depths)
	want := []string{
		"a.go:1 packages a=1, 0 objects of others",
		"a.go:3 depth 1", // low comes after it
		"a.go:5 depth 1",
		"b.go:1 packages a=1 b=2, 1 objects of others", // low is nobody else's business
		"b.go:7 depth 2",
		"c.go:1 packages a=1 b=2 c=4, 2 objects of others",
		"c.go:5 depth 3",
		"c_test.go:3 depth 4",
	}
	if got := messages(rep); !slices.Equal(got, want) || len(rep.Failures) > 0 {
		t.Errorf("got\n%s\nwant\n%s\nfailures %v", strings.Join(got, "\n"), strings.Join(want, "\n"), rep.Failures)
	}
}

// A module that is replaced by a directory is under development, as the API of an operator
// often is. Its facts reach the packages of the main module.
func TestFactsOfADirectory(t *testing.T) {
	t.Parallel()
	rep := run(t, `
require example.com/api v0.0.0

replace example.com/api => ./api
-- api/go.mod --
module example.com/api

go 1.25.0
-- api/api.go --
package api

func A() {}
-- b.go --
package b

import "example.com/api"

func B() { api.A() }
`, depths)
	want := []string{"b.go:1 packages api=1 b=2, 1 objects of others", "b.go:5 depth 2"}
	if got := messages(rep); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// ruleOf returns a rule with the given check.
func ruleOf(name string, check func(*rule.Pass) error, requires ...*analysis.Analyzer) *analysis.Analyzer {
	return rule.New(name, "// # Analyzer "+name+"\n//\n// "+name+": a rule\npackage "+name, check, requires...)
}

// A rule that panics fails the package. Everything else goes on: other rules,
// other packages, also those that import it.
func TestBrokenRule(t *testing.T) {
	t.Parallel()
	broken := ruleOf("broken", func(pass *rule.Pass) error {
		if pass.Pkg.Name() == "b" {
			panic("no\nidea")
		}
		pass.Reportf(pass.Files[0].Name, "broken was here")
		return nil
	})
	after := ruleOf("after", func(pass *rule.Pass) error {
		pass.Reportf(pass.Files[0].Name, "after was here")
		return nil
	}, broken)
	other := ruleOf("other", func(pass *rule.Pass) error {
		pass.Reportf(pass.Files[0].Name, "other was here")
		return nil
	})
	rep := run(t, chain, broken, after, other)
	want := []string{
		"a.go:1 after was here", "a.go:1 broken was here", "a.go:1 other was here",
		"b.go:1 other was here",
		"c.go:1 after was here", "c.go:1 broken was here", "c.go:1 other was here",
	}
	if got := messages(rep); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if len(rep.Failures) != 1 || rep.Failures[0].Package != "example.com/m/b" ||
		!strings.HasPrefix(rep.Failures[0].Message, "internal error in broken at example.com/m/b: no idea (driver_test.go:") {
		t.Errorf("failures %+v", rep.Failures)
	}
}

// What only serves a rule reports nothing.
func TestOnlyChosenRulesReport(t *testing.T) {
	t.Parallel()
	silent := ruleOf("silent", func(pass *rule.Pass) error {
		pass.Reportf(pass.Files[0].Name, "not asked for")
		return nil
	})
	chosen := ruleOf("chosen", func(*rule.Pass) error { return nil }, silent)
	if rep := run(t, chain, chosen); len(rep.Findings) > 0 {
		t.Errorf("got %v", messages(rep))
	}
}

func TestFindingSaysWhichDeclarationItIsIn(t *testing.T) {
	t.Parallel()
	words := ruleOf("words", func(pass *rule.Pass) error {
		for _, file := range pass.Files {
			for _, group := range file.Comments {
				pass.Reportf(group, "%s", strings.TrimSpace(group.Text()))
			}
		}
		return nil
	})
	rep := run(t, `
-- p.go --
package p

// free

// above F
func F() {
	go func() {
		// in F
	}()
}

type T[K any] struct {
	_ int // in T
}

func (*T[K]) Pointer() { /* in pointer method */ }

func (t T[_]) Value() { /* in value method */ }

var (
	// above X
	X, Y = 1, 2
	// above Z
	Z = func() { /* in Z */ }
)
`, words)
	var got []string
	for _, f := range rep.Findings {
		got = append(got, f.Message+": "+f.Function)
	}
	want := []string{
		"free: ", "above F: F", "in F: F", "in T: T", "in pointer method: (*T).Pointer", "in value method: T.Value",
		"above X: X", "above Z: Z", "in Z: Z",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
