package wiring

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/library"
)

// What only the handlers of a server reach runs once for each request of a user, and no
// reconcile, worker or loop repeats it. Names lead from the handlers to it, as they lead
// from what frameworks call in findRunning. All else that may call it, is followed as
// well, but not into the handlers: the function that registers them names them, too.

// serves reports whether the declared function answers requests over HTTP.
func (c *collector) serves(decl ast.Node) bool {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok {
		return false
	}
	return slices.ContainsFunc(fn.Type.Params.List, func(field *ast.Field) bool {
		t := field.Type
		if ptr, ok := t.(*ast.StarExpr); ok {
			t = ptr.X
		}
		sel, ok := t.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		pkg, ok := sel.X.(*ast.Ident)
		return ok && library.IsHTTPRequest(c.imports[pkg.Name], sel.Sel.Name)
	})
}

// findServed finds the functions that only handlers reach.
func (m *Module) findServed(g *graph) {
	all := func(*Use) bool { return true }
	named := make(map[string]bool)
	for _, use := range g.uses {
		g.targets(use.Names, func(name string) { named[name] = true })
	}
	m.served = g.follow(func(_ string, use *Use) bool { return use.Serves }, all)
	// Of what nobody names, main is a part, and what a library calls.
	others := g.follow(
		func(name string, use *Use) bool { return use.Called || !named[name] },
		func(use *Use) bool { return !use.Serves },
	)
	for name := range others {
		delete(m.served, name)
	}
}

// servedIn returns the functions and methods of a package that only handlers reach,
// sorted.
func (m *Module) servedIn(path string) []string {
	return m.namesIn(path, func(name string) bool { return m.served[name] })
}

// Served reports whether fn, a function or method of the package, only runs when a server
// answers a request over HTTP: no reconcile and no worker reaches it.
func (v *View) Served(fn *types.Func) bool { return v != nil && v.has(v.served, fn) }
