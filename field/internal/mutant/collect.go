package mutant

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Collect returns the mutants of the module in dir, by kind, file and line, and
// the packages that do not type-check. It leaves out those, generated code,
// tests, and directories with code for tests only.
func Collect(dir string, patterns []string) ([]*Mutant, []load.Failure, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, err
	}
	var (
		mu  sync.Mutex // guards all
		all []*Mutant
		gen = newGenerators()
	)
	prog, err := load.Load(load.Config{
		Dir:      dir,
		Patterns: patterns,
		Deps:     load.Source,
		Relevant: func(*packages.Package) bool { return false },
		Visit: func(pkg *packages.Package, _ *wiring.View, _ bool) []byte {
			gen.add(pkg)
			u := newUnit(pkg)
			for _, file := range pkg.Syntax {
				found := inFile(dir, u, pkg, file, gen)
				mu.Lock()
				all = append(all, found...)
				mu.Unlock()
			}
			return nil
		},
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(all, func(a, b *Mutant) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.edits[0].from, b.edits[0].from))
	})
	return all, prog.Failures, nil
}

// inFile returns the mutants of a file.
func inFile(dir string, u *unit, pkg *packages.Package, file *ast.File, gen *generators) []*Mutant {
	name := pkg.Fset.Position(file.Package).Filename
	rel, err := filepath.Rel(dir, name)
	if err != nil || !filepath.IsLocal(rel) || ast.IsGenerated(file) || forTests(filepath.ToSlash(rel)) {
		return nil
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	s := &search{unit: u, pkg: pkg, info: pkg.TypesInfo, file: file, path: name, rel: filepath.ToSlash(rel), src: src, generators: gen}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			s.stack = s.stack[:len(s.stack)-1]
			return true
		}
		s.stack = append(s.stack, n)
		s.order(n)
		s.watch(n)
		s.cancel(n)
		s.value(n)
		return true
	})
	return s.found
}

// forTests reports whether code in the file only runs in tests, or is a tool for
// developers.
func forTests(rel string) bool {
	dirs := strings.Split(rel, "/")
	return slices.ContainsFunc(dirs[:len(dirs)-1], func(dir string) bool {
		return slices.Contains([]string{"vendor", "e2e", "hack"}, dir) || strings.HasPrefix(dir, "test")
	})
}

// search looks for mutants in a file.
type search struct {
	unit       *unit
	pkg        *packages.Package
	info       *types.Info
	file       *ast.File
	path, rel  string
	src        []byte
	generators *generators

	stack []ast.Node // from the file to the node being looked at
	found []*Mutant
}

func (s *search) offset(p token.Pos) int { return s.pkg.Fset.PositionFor(p, false).Offset }

func (s *search) text(n ast.Node) string {
	return string(s.src[s.offset(n.Pos()):s.offset(n.End())])
}

// add adds a mutant.
func (s *search) add(kind string, at ast.Node, what string, edits ...edit) {
	line := s.pkg.Fset.PositionFor(at.Pos(), false).Line
	s.found = append(s.found, &Mutant{Kind: kind, File: s.rel, Line: line, What: shorten(what), path: s.path, edits: edits, unit: s.unit})
}

// replace returns the edit that puts text in the place of a node.
func (s *search) replace(n ast.Node, text string) edit {
	return edit{s.offset(n.Pos()), s.offset(n.End()), text}
}

// drop returns the edit that takes a statement out. What is below stays on its
// line.
func (s *search) drop(n ast.Node) edit {
	from, to := s.offset(n.Pos()), s.offset(n.End())
	return edit{from, to, strings.Repeat("\n", bytes.Count(s.src[from:to], []byte("\n")))}
}

// parent returns the node that is n levels above the one being looked at, or
// nil.
func (s *search) parent(n int) ast.Node {
	if i := len(s.stack) - 1 - n; i >= 0 {
		return s.stack[i]
	}
	return nil
}

// callee returns the function or method that a call calls, and its record. The
// function is nil if it is not known, or known only as what a variable holds.
func (s *search) callee(call *ast.CallExpr) (*types.Func, *library.Func) {
	obj := typeutil.Callee(s.info, call)
	if fn, ok := obj.(*types.Func); ok {
		return fn, library.Of(fn)
	}
	return nil, library.Named(library.VarOf(obj).Func)
}

// arg returns the argument of a call in a role, or nil. The receiver is not one.
func arg(call *ast.CallExpr, fn *types.Func, slots library.Slots, role library.Slot) ast.Expr {
	recv := 0
	if fn != nil && fn.Signature().Recv() != nil {
		recv = 1
	}
	i, ok := slots.Of(role, len(call.Args)+recv)
	if !ok || i < recv {
		return nil
	}
	return call.Args[i-recv]
}

// receiver returns the receiver's expression of a method call, or nil.
func receiver(call *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// called returns the call that an expression is, or nil.
func called(e ast.Expr) *ast.CallExpr {
	call, _ := ast.Unparen(e).(*ast.CallExpr)
	return call
}

// named returns the name by which the file can mention a package in the place of
// a node, and the edits that make it so.
func (s *search) named(path string, at ast.Node) (name string, edits []edit) {
	for _, spec := range s.file.Imports {
		obj := s.info.PkgNameOf(spec)
		if obj == nil || obj.Imported().Path() != path || obj.Name() == "_" || obj.Name() == "." {
			continue
		}
		if scope := s.pkg.Types.Scope().Innermost(at.Pos()); scope != nil {
			if _, seen := scope.LookupParent(obj.Name(), at.Pos()); seen == obj {
				return obj.Name(), nil
			}
		}
	}
	name = "mutant" + path[strings.LastIndexByte(path, '/')+1:]
	end := s.offset(s.file.Name.End())
	return name, []edit{{end, end, "; import " + name + ` "` + path + `"`}}
}

// function returns the innermost function around the node being looked at: its
// type, or nil.
func (s *search) function() *ast.FuncType {
	for _, n := range slices.Backward(s.stack) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Type
		case *ast.FuncDecl:
			return n.Type
		}
	}
	return nil
}
