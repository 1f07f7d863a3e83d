package wiring

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// starts counts how a program uses names of other packages and methods.
type starts struct {
	mentioned map[string]int // x in any y.x
	started   map[string]int // x in statements go y.x(…), outside of loops
}

// in counts the names in a file.
func (s *starts) in(file *ast.File) {
	var nodes []ast.Node // that enclose the one visited
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			nodes = nodes[:len(nodes)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			s.mentioned[n.Sel.Name]++
		case *ast.GoStmt:
			if sel, ok := n.Call.Fun.(*ast.SelectorExpr); ok && !slices.ContainsFunc(nodes, repeats) {
				s.started[sel.Sel.Name]++
			}
		}
		nodes = append(nodes, n)
		return true
	})
}

// repeats reports whether what is in the node may run more than once while the
// program runs.
func repeats(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
		return true
	}
	return false
}

// only returns the names that are only used in go statements, sorted.
func (s *starts) only() []string {
	var names []string
	for name, n := range s.started {
		if n == s.mentioned[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// startedBy returns the functions and methods of a package that only programs use,
// in go statements that run once.
func (m *Module) startedBy(path string) []string {
	return m.namesIn(path, func(name string) bool { return m.startsOnce(name[strings.LastIndexByte(name, '.')+1:]) })
}

// startsOnce reports whether programs start what has this name, and no package uses
// it otherwise.
func (m *Module) startsOnce(name string) bool {
	started := false
	for path := range m.live {
		s := m.surveys[path]
		if s == nil {
			continue // of another module
		}
		if len(s.Dots) > 0 {
			return false
		}
		if _, ok := slices.BinarySearch(s.Started, name); ok {
			started = true
		} else if _, ok := slices.BinarySearch(s.Selected, name); ok {
			return false
		}
	}
	return started
}

// StartsOnce reports whether programs start fn, a function or method of the package
// that others can see, once in a goroutine of its own, and no package uses it
// otherwise: it runs as long as they do.
//
//	go reconciler.ReportMetrics(ctx) // in main
func (v *View) StartsOnce(fn *types.Func) bool {
	return v != nil && fn != nil && fn.Exported() && v.has(v.started, fn)
}
