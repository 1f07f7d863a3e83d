package load_test

import (
	"errors"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Package main imports library, which imports client, the only dependency that
// is relevant.
const modules = `
-- go.mod --
module example.com/main

go 1.25.0

require (
	example.com/client v0.0.0
	example.com/library v0.0.0
)

replace example.com/client => ./client

replace example.com/library => ./library
-- main.go --
package main

import "example.com/library"

var T = library.New()

func main() { T.Update() }
-- main_test.go --
package main

var U = T
-- ex_test.go --
package main_test

import "example.com/library"

var V = library.New()
-- client/go.mod --
module example.com/client

go 1.25.0
-- client/client.go --
package client

import "fmt"

type T struct{}

func (T) Update() { fmt.Println() }
-- library/go.mod --
module example.com/library

go 1.25.0

require example.com/client v0.0.0
-- library/library.go --
package library

import "example.com/client"

func New() client.T { return client.T{} }
`

func tree(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte(archive)), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func loadTree(t *testing.T, archive string, change func(*load.Config)) (*load.Program, error) {
	t.Helper()
	cfg := load.Config{
		Dir:      tree(t, archive),
		Patterns: []string{"./..."},
		Deps:     load.Auto,
		Relevant: func(pkg *packages.Package) bool { return pkg.PkgPath == "example.com/client" },
	}
	change(&cfg)
	return load.Load(cfg)
}

func TestRelevantPackagesAreReachedThroughOthers(t *testing.T) {
	t.Parallel()
	for _, deps := range []load.Deps{load.Export, load.Source} {
		prog, err := loadTree(t, modules, func(cfg *load.Config) { cfg.Deps = deps })
		if err != nil {
			t.Fatal(err)
		}
		if len(prog.Packages) != 1 || len(prog.Failures) != 0 {
			t.Fatalf("%s: %d packages, failures %v", deps, len(prog.Packages), prog.Failures)
		}
		pkg := prog.Packages[0]
		if len(pkg.Imports) != 1 || pkg.Imports["example.com/client"] == nil {
			t.Fatalf("%s: imports %v", deps, pkg.Imports)
		}
		client := pkg.Imports["example.com/client"]
		if len(client.Syntax) != 1 || client.TypesInfo == nil || len(client.Imports) != 0 {
			t.Errorf("%s: relevant package has %d files and imports %v", deps, len(client.Syntax), client.Imports)
		}
		// Facts hang on objects: there must be one client.T, wherever it is
		// mentioned.
		got := pkg.Types.Scope().Lookup("T").Type()
		if want := client.Types.Scope().Lookup("T").Type(); got != want {
			t.Errorf("%s: main.T is of another client.T than that which was loaded", deps)
		}
		update := func(of types.Type) types.Object {
			obj, _, _ := types.LookupFieldOrMethod(of, true, nil, "Update")
			return obj
		}
		if update(got) == nil || update(got) != update(client.Types.Scope().Lookup("T").Type()) {
			t.Errorf("%s: method of main.T is another than that which was loaded", deps)
		}
	}
}

// In a package with tests of both kinds, only what its other files import, if
// through an irrelevant package, is looked at.
func TestWhatTestsImportIsNotLookedAt(t *testing.T) {
	t.Parallel()
	const archive = `
-- go.mod --
module example.com/m

go 1.25.0
-- p/p.go --
package p

import "example.com/m/library"

var _ = library.V
-- p/p_test.go --
package p

import _ "example.com/m/fake"
-- p/ex_test.go --
package p_test

import (
	_ "example.com/m/fakes"
	_ "example.com/m/p"
)
-- library/library.go --
package library

import "example.com/m/client"

var V = client.V
-- client/client.go --
package client

var V = 1
-- fake/fake.go --
package fake
-- fakes/fakes.go --
package fakes
`
	for _, deps := range []load.Deps{load.Export, load.Source} {
		var mu sync.Mutex
		var visited []string
		prog, err := loadTree(t, archive, func(cfg *load.Config) {
			cfg.Patterns = []string{"./p"}
			cfg.Deps = deps
			cfg.Tests = true
			cfg.Relevant = func(pkg *packages.Package) bool { return pkg.PkgPath != "example.com/m/library" }
			cfg.Visit = func(pkg *packages.Package, _ *wiring.View, matched bool) []byte {
				mu.Lock()
				defer mu.Unlock()
				visited = append(visited, pkg.ID)
				return nil
			}
		})
		if err != nil || len(prog.Failures) > 0 {
			t.Fatal(err, prog.Failures)
		}
		slices.Sort(visited)
		want := []string{"example.com/m/client", "example.com/m/p [example.com/m/p.test]", "example.com/m/p_test [example.com/m/p.test]"}
		if !slices.Equal(visited, want) {
			t.Errorf("%s: visited %q, want %q", deps, visited, want)
		}
	}
}

func TestTestVariantReplacesPackage(t *testing.T) {
	t.Parallel()
	prog, err := loadTree(t, modules, func(cfg *load.Config) { cfg.Tests = true })
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, pkg := range prog.Packages {
		ids = append(ids, pkg.ID)
	}
	want := []string{"example.com/main [example.com/main.test]", "example.com/main_test [example.com/main.test]"}
	if !slices.Equal(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
}

// A dependency that does not compile has no export data.
func TestDependencyThatDoesNotCompile(t *testing.T) {
	t.Parallel()
	broken := strings.Replace(modules, "return client.T{}", "undefined(); return client.T{}", 1)
	for _, deps := range []load.Deps{load.Export, load.Source} {
		prog, err := loadTree(t, broken, func(cfg *load.Config) { cfg.Deps = deps })
		if err != nil {
			t.Fatal(err)
		}
		if len(prog.Packages) != 1 || len(prog.Failures) != 0 {
			t.Errorf("%s: %d packages, failures %v", deps, len(prog.Packages), prog.Failures)
		}
	}
}

func TestVisitComesAfterImportsAndBeforeSyntaxIsDropped(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var visited []string
	prog, err := loadTree(t, modules, func(cfg *load.Config) {
		cfg.Tests = true
		cfg.Visit = func(pkg *packages.Package, _ *wiring.View, matched bool) []byte {
			mu.Lock()
			defer mu.Unlock()
			visited = append(visited, fmt.Sprintf("%s %v", pkg.PkgPath, matched))
			if len(pkg.Syntax) == 0 || pkg.TypesInfo == nil {
				t.Errorf("%s has no syntax", pkg.ID)
			}
			for _, imp := range pkg.Imports {
				if !slices.Contains(visited, imp.PkgPath+" false") {
					t.Errorf("%s comes before %s", pkg.ID, imp.ID)
				}
			}
			return nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(visited)
	want := []string{"example.com/client false", "example.com/main true", "example.com/main_test true"}
	if !slices.Equal(visited, want) {
		t.Errorf("visited %q, want %q", visited, want)
	}
	for _, pkg := range prog.Packages {
		if pkg.Syntax != nil || pkg.TypesInfo != nil {
			t.Errorf("%s still has syntax", pkg.ID)
		}
	}
}

func TestOrderOfPositionsWithinPackage(t *testing.T) {
	t.Parallel()
	prog, err := loadTree(t, `
-- go.mod --
module example.com/main
-- b.go --
package p
-- a.go --
package p
-- c.go --
package p
`, func(*load.Config) {})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	for i, want := range []string{"a.go", "b.go", "c.go"} {
		file := pkg.Syntax[i]
		if got := filepath.Base(pkg.Fset.Position(file.Package).Filename); got != want || i > 0 && file.FileStart <= pkg.Syntax[i-1].FileStart {
			t.Errorf("file %d is %s at %d", i, got, file.FileStart)
		}
	}
}

func TestNoPackages(t *testing.T) {
	t.Parallel()
	_, err := loadTree(t, "-- go.mod --\nmodule example.com/main\n", func(*load.Config) {})
	if !errors.Is(err, load.ErrNoPackages) {
		t.Errorf("got %v", err)
	}
}
