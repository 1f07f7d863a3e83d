package wiring

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/library"
)

// Where all callers of a function pass a context that nobody ends, nothing is lost if the
// function ignores it:
//
//	err := waitForSchema(context.Background(), db) // in main
//
// The survey has, for each function, the names that it calls with such a context, those that
// it calls with the context that it gets itself, and those with anything else. What is called
// without an argument is another function of the name.

// A contextClass says what a function passes as the first argument of a call.
type contextClass uint8

const (
	someValue  contextClass = 1 << iota // it may be a context that ends, or the name is not called
	ownContext                          // the context that the function gets
	background                          // a context that never ends
)

// contextOf classifies the first argument of a call, if there is one.
func (u *user) contextOf(call *ast.CallExpr) contextClass {
	if len(call.Args) == 0 {
		return 0
	}
	return u.classOf(call.Args[0])
}

func (u *user) classOf(e ast.Expr) contextClass {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if class, ok := u.contexts[e.Name]; ok {
			return class
		}
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			break
		}
		pkg, ok := sel.X.(*ast.Ident)
		if !ok || u.imports[pkg.Name] != "context" {
			break
		}
		switch sel.Sel.Name {
		case "Background", "TODO":
			return background
		case "WithValue":
			return u.contextOf(e)
		}
	}
	return someValue
}

// findContexts finds the variables of a declared function that hold the context that it
// gets, or one that never ends: those with one value only.
func (u *user) findContexts(decl ast.Node) {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok || fn.Body == nil {
		return
	}
	u.contexts = make(map[string]contextClass)
	set := make(map[string]int)
	give := func(to ast.Expr, class contextClass) {
		if id, ok := to.(*ast.Ident); ok {
			set[id.Name]++
			u.contexts[id.Name] = class
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				give(name, someValue)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				class := someValue
				if len(n.Lhs) == len(n.Rhs) {
					class = u.classOf(n.Rhs[i])
				}
				give(to, class)
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				class := someValue
				if i < len(n.Values) {
					class = u.classOf(n.Values[i])
				}
				give(name, class)
			}
		case *ast.RangeStmt:
			give(n.Key, someValue)
			give(n.Value, someValue)
		}
		return true
	})
	if list := fn.Type.Params.List; len(list) > 0 && len(list[0].Names) > 0 && u.isContext(list[0].Type) {
		u.contexts[list[0].Names[0].Name] = ownContext
	}
	for name, n := range set {
		if n > 1 {
			u.contexts[name] = someValue
		}
	}
}

// isContext reports whether the type is context.Context.
func (u *user) isContext(typ ast.Expr) bool {
	sel, ok := typ.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Context" {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && u.imports[pkg.Name] == "context"
}

// name records that the function uses a name, with the context of the call that it is
// the callee of.
func (u *user) name(name string) { u.names[name] |= u.given }

// calledWith returns the names that are called with contexts of this class, and of none that
// comes before it. Sorted.
func (u *user) calledWith(class contextClass) []string {
	var names []string
	for name, given := range u.names {
		if given&(2*class-1) == class {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// findEndless finds the functions that are called, and only with contexts that never end.
func (m *Module) findEndless(g *graph) {
	m.endless = make(map[string]bool)
	for _, use := range g.uses {
		for _, names := range [][]string{use.Endless, use.Passes} {
			g.targets(names, func(name string) { m.endless[name] = true })
		}
	}
	var ended []string
	end := func(name string) {
		if m.endless[name] {
			delete(m.endless, name)
			ended = append(ended, name)
		}
	}
	for name, use := range g.uses {
		g.targets(use.Gives, end)
		if !m.endless[name] || use.Called {
			g.targets(use.Passes, end)
		}
		if use.Called {
			end(name)
		}
	}
	for len(ended) > 0 {
		use := g.uses[ended[len(ended)-1]]
		ended = ended[:len(ended)-1]
		g.targets(use.Passes, end)
	}
}

// endlessIn returns the functions and methods of a package that are only called with
// contexts that never end, sorted.
func (m *Module) endlessIn(path string) []string {
	return m.namesIn(path, func(name string) bool { return m.endless[name] })
}

// Endless reports whether fn, a function or method of the package whose first parameter is
// a context, certainly gets none that ends: the programs only call it with
// context.Background(), or from a function that gets that.
func (v *View) Endless(fn *types.Func) bool {
	if v == nil || !v.has(v.endless, fn) {
		return false
	}
	params := fn.Signature().Params()
	return params.Len() > 0 && library.TypeOf(params.At(0).Type()).Is == library.Context
}
