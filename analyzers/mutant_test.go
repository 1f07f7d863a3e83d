package analyzers_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/analyzers"
)

// mutantsPerPackage is how often each fixture package is damaged.
const mutantsPerPackage = 8

// TestNoPanicOnDamagedCode runs the suite over fixtures that have lost some
// statements or tokens. Some of them still type-check, such as a loop without
// its exit. Nobody writes such code, but an editor may contain it for a second.
// The driver skips those that do not type-check, as go/analysis requires.
func TestNoPanicOnDamagedCode(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	var mutants []*packages.Package
	sound := 0
	for _, pkg := range corpus(t).Packages {
		hash := fnv.New64a()
		hash.Write([]byte(pkg.PkgPath))
		random := rand.New(rand.NewPCG(hash.Sum64(), 0)) // the same damage each time
		for i := range mutantsPerPackage {
			mutant := mutate(t, pkg, random, i)
			mutants = append(mutants, mutant)
			if !mutant.IllTyped {
				sound++
			}
		}
	}
	graph, err := checker.Analyze(analyzers.All(), mutants, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil && !act.Package.IllTyped {
			t.Errorf("%s: %v", act.Package.ID, act.Err)
		}
	}
	t.Logf("%d mutants, of which %d type-check", len(mutants), sound)
	if sound < len(mutants)/10 {
		t.Error("too few mutants type-check")
	}
}

// mutate returns a copy of the package with one file damaged.
func mutate(t *testing.T, pkg *packages.Package, random *rand.Rand, n int) *packages.Package {
	t.Helper()
	mutant := &packages.Package{
		ID:         fmt.Sprintf("%s (mutant %d)", pkg.ID, n),
		Name:       pkg.Name,
		PkgPath:    pkg.PkgPath,
		GoFiles:    pkg.GoFiles,
		Fset:       token.NewFileSet(),
		Imports:    pkg.Imports,
		Module:     pkg.Module,
		TypesSizes: pkg.TypesSizes,
	}
	damaged := random.IntN(len(pkg.GoFiles))
	for i, name := range pkg.GoFiles {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if i == damaged {
			if n%mutantsPerPackage == 0 {
				src = dropTokens(src, random)
			} else {
				src = dropStatements(t, src, random)
			}
		}
		file, err := parser.ParseFile(mutant.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		mutant.IllTyped = mutant.IllTyped || err != nil
		if file != nil {
			mutant.Syntax = append(mutant.Syntax, file)
		}
	}
	mutant.TypesInfo = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{
		Importer: importsOf(pkg),
		Sizes:    pkg.TypesSizes,
		Error: func(err error) {
			// A variable or import that is no longer used bothers no analyzer.
			if typeErr, ok := err.(types.Error); !ok || !typeErr.Soft {
				mutant.IllTyped = true
			}
		},
	}
	mutant.Types, _ = conf.Check(pkg.PkgPath, mutant.Fset, mutant.Syntax, mutant.TypesInfo)
	return mutant
}

// dropTokens removes a few tokens.
func dropTokens(src []byte, random *rand.Rand) []byte {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	type span struct{ from, to int }
	var tokens []span
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if lit == "" {
			lit = tok.String()
		}
		if tok != token.SEMICOLON {
			from := file.Offset(pos)
			tokens = append(tokens, span{from, from + len(lit)})
		}
	}
	out := slices.Clone(src)
	for range 1 + random.IntN(3) {
		gone := tokens[random.IntN(len(tokens))]
		copy(out[gone.from:gone.to], bytes.Repeat([]byte(" "), gone.to-gone.from))
	}
	return out
}

// dropStatements removes a few statements.
func dropStatements(t *testing.T, src []byte, random *rand.Rand) []byte {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var stmts []ast.Stmt
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			stmts = append(stmts, n.List...)
		case *ast.CaseClause:
			stmts = append(stmts, n.Body...)
		case *ast.CommClause:
			stmts = append(stmts, n.Body...)
		}
		return true
	})
	out := slices.Clone(src)
	if len(stmts) == 0 {
		return out
	}
	for range 1 + random.IntN(3) {
		gone := stmts[random.IntN(len(stmts))]
		from, to := fset.Position(gone.Pos()).Offset, fset.Position(gone.End()).Offset
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	return out
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// importsOf imports the packages that the package imports.
func importsOf(pkg *packages.Package) types.Importer {
	return importerFunc(func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		for _, imp := range pkg.Types.Imports() {
			if imp.Path() == path {
				return imp, nil
			}
		}
		return nil, fmt.Errorf("no package %s", path)
	})
}
