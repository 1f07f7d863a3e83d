package wiring

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
)

// What no reconcile reaches runs as long as the process does, or in a command: nobody
// cancels its context while the controllers run. The survey has the names that each
// function uses. From the functions that a framework calls, the module follows them: a
// method by its name alone. So it reaches too much, never too little, apart from what
// libraries call by reflection.

// A Use has the names that a function, or the value of a package variable, uses.
type Use struct {
	By string // "F", "T.m" or the variable
	// Names are ".m" for what is selected in a value, and "path.F" for functions and
	// variables of packages of the module, sorted.
	Names []string
	// Runs says that the function runs with the controllers: a framework calls it, or it
	// is no part of a program's main package, and ends a context or waits for others.
	Runs bool
	// Called says that a framework calls the function.
	Called bool
	// Serves says that the function answers requests over HTTP.
	Serves bool
	// Gives are the names that it uses as values, or calls with what may be a context that
	// ends; Passes, of the others, those that it calls with the context that it gets; Endless
	// those that it only calls with one that never ends. Sorted.
	Gives, Passes, Endless []string
}

// A user collects the names in one declaration.
type user struct {
	*collector
	names    map[string]contextClass // with what they are called
	given    contextClass            // that of the call whose callee is visited
	contexts map[string]contextClass // of variables
	locals   map[string]bool         // names that it declares, which may hide packages
	called   bool                    // by a framework
	along    bool                    // it runs with the controllers though no framework calls it
}

// uses records what the declaration of a name uses.
func (c *collector) uses(by string, decl ast.Node) {
	u := &user{collector: c, names: make(map[string]contextClass), given: someValue, locals: make(map[string]bool), called: runsByName(by)}
	c.survey.Operates = c.survey.Operates || reconcilesByName(by)
	ast.Inspect(decl, u.declared)
	u.findContexts(decl)
	ast.Inspect(decl, u.used)
	c.survey.Uses = append(c.survey.Uses, Use{
		By: by, Names: slices.Sorted(maps.Keys(u.names)),
		Runs: u.called || u.along, Called: u.called, Serves: c.serves(decl),
		Gives: u.calledWith(someValue), Passes: u.calledWith(ownContext), Endless: u.calledWith(background),
	})
}

func (u *user) declared(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			for _, to := range n.Lhs {
				u.locals[nameOf(to)] = true
			}
		}
	case *ast.RangeStmt:
		u.locals[nameOf(n.Key)] = true
		u.locals[nameOf(n.Value)] = true
	case *ast.Field:
		for _, name := range n.Names {
			u.locals[name.Name] = true
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			u.locals[name.Name] = true
		}
	}
	return true
}

func (u *user) used(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		ast.Inspect(n.Type, u.used)
		if n.Body != nil {
			ast.Inspect(n.Body, u.used)
		}
		return false // n.Name may be that of a function, too
	case *ast.CallExpr:
		u.visit(n.Fun, u.contextOf(n))
		for _, arg := range n.Args {
			u.visit(arg, someValue)
		}
		return false
	case *ast.SelectorExpr:
		u.visit(n.X, someValue)
		u.selected(n)
		return false // n.Sel names nothing of this package
	case *ast.Ident:
		if u.funcs[n.Name] || u.vars[n.Name] {
			u.name(u.pkg.Path + "." + n.Name)
		}
	case *ast.FuncType:
		if takesRequest(n) {
			u.called, u.survey.Operates = true, true
		}
	}
	return true
}

// visit records what a part of the declaration uses: the callee of a call that gets a
// context of this class, or anything else.
func (u *user) visit(part ast.Node, given contextClass) {
	outer := u.given
	u.given = given
	ast.Inspect(part, u.used)
	u.given = outer
}

// selected records a name of another package, or of a field or method.
func (u *user) selected(sel *ast.SelectorExpr) {
	name := sel.Sel.Name
	if pkg, ok := sel.X.(*ast.Ident); ok && u.imports[pkg.Name] != "" {
		path := u.imports[pkg.Name]
		if u.pkg.InModule(path) {
			u.name(path + "." + name)
		}
		u.along = u.along || !u.survey.Main && library.RunsAlong(path, name)
		if !u.locals[pkg.Name] {
			return
		}
	}
	u.name("." + name)
	if library.HandlesKeys(name) {
		u.called, u.survey.Operates = true, true
	}
}

// runsByName reports whether frameworks call functions of this name.
func runsByName(name string) bool {
	_, method, ok := strings.Cut(name, ".")
	return reconcilesByName(name) || ok && library.CalledByFrameworks(method)
}

// reconcilesByName reports whether a function or a method of this name reconciles.
func reconcilesByName(name string) bool {
	name = name[strings.LastIndexByte(name, '.')+1:]
	return strings.HasPrefix(name, "Reconcile") || strings.HasPrefix(name, "reconcile")
}

// takesRequest reports whether a function takes or returns requests: those of a
// reconciler or an HTTP server, or of another protocol.
func takesRequest(fn *ast.FuncType) bool {
	found := false
	for _, list := range []*ast.FieldList{fn.Params, fn.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			ast.Inspect(field.Type, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					found = found || strings.HasSuffix(id.Name, "Request")
				}
				return true
			})
		}
	}
	return found
}

// findRunning finds the functions of the programs that may run with the controllers.
// Nothing is known if a name cannot be resolved.
func (m *Module) findRunning() {
	g := &graph{uses: make(map[string]*Use), methods: make(map[string][]string)}
	for path := range m.live {
		s := m.surveys[path]
		if s == nil {
			continue // of another module
		}
		if len(s.Dots) > 0 {
			return
		}
		g.add(s)
	}
	m.running = g.follow(func(_ string, use *Use) bool { return use.Runs }, func(*Use) bool { return true })
	m.findServed(g)
	m.findEndless(g)
}

// A graph has what the functions and variables of the programs use.
type graph struct {
	uses    map[string]*Use     // by path and name
	methods map[string][]string // by the name of the method, with the dot
}

// follow returns what the roots use, and what that uses in turn. It goes no further than
// what enters accepts.
func (g *graph) follow(isRoot func(name string, use *Use) bool, enters func(*Use) bool) map[string]bool {
	reached := make(map[string]bool)
	var work []string
	reach := func(name string) {
		if !reached[name] && enters(g.uses[name]) {
			reached[name] = true
			work = append(work, name)
		}
	}
	for name, use := range g.uses {
		if isRoot(name, use) {
			reach(name)
		}
	}
	for len(work) > 0 {
		use := g.uses[work[len(work)-1]]
		work = work[:len(work)-1]
		g.targets(use.Names, reach)
	}
	return reached
}

// targets calls do with what each of the names may mean: a function or a variable, and the methods of
// that name.
func (g *graph) targets(names []string, do func(name string)) {
	for _, name := range names {
		if g.uses[name] != nil {
			do(name)
		}
		for _, method := range g.methods[name] {
			do(method)
		}
	}
}

// ofTools reports whether a package is part of programs, and no package of these is part
// of an operator: then there are no controllers, and a person waits for the program.
func (m *Module) ofTools(path string) bool {
	found := false
	for _, program := range m.mains {
		if !m.sees[program][path] {
			continue
		}
		found = true
		for p := range m.sees[program] {
			if s := m.surveys[p]; s == nil || s.Operates {
				return false
			}
		}
	}
	return found
}

// idleIn returns the functions and methods of a package that do not run with the
// controllers, sorted. In a tool none does. Nothing is known of packages that are part of
// no program, unless no other module can use them: these are for tests.
func (m *Module) idleIn(path string) []string {
	if m.running == nil || !m.live[path] && (len(m.mains) == 0 || !isInternal(path)) {
		return nil
	}
	tool := m.ofTools(path)
	return m.namesIn(path, func(name string) bool { return tool || !m.running[name] })
}

// namesIn returns the functions and methods of a package whose name with the path holds, sorted.
func (m *Module) namesIn(path string, holds func(name string) bool) []string {
	var names []string
	for _, fn := range m.surveys[path].Funcs {
		if holds(path + "." + fn.Name) {
			names = append(names, fn.Name)
		}
	}
	slices.Sort(names)
	return names
}

// isInternal reports whether only packages of the module can import the package.
func isInternal(path string) bool {
	return slices.Contains(strings.Split(path, "/"), "internal")
}

// Idle reports whether fn, a function or method of the package, certainly does not run
// with the controllers of a program: no reconcile, no worker and no server reaches it.
func (v *View) Idle(fn *types.Func) bool { return v != nil && v.has(v.idle, fn) }

// has reports whether fn is a function or method of the package that is among the names.
func (v *View) has(names []string, fn *types.Func) bool {
	if fn == nil || fn.Pkg() != v.pkg {
		return false
	}
	_, ok := slices.BinarySearch(names, declaredName(fn))
	return ok
}

// declaredName is the name of a function in a survey: "T.m" for a method.
func declaredName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		if named := library.NamedOf(recv.Type()); named != nil {
			return named.Obj().Name() + "." + fn.Name()
		}
	}
	return fn.Name()
}
