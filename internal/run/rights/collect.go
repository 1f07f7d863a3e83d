package rights

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// A Collector gathers what the packages ask of the API server during one run of a driver.
type Collector struct {
	mu    sync.Mutex
	found []*collection
	apis  apis
}

// Analyzer returns the analyzer that adds what each package asks.
func (c *Collector) Analyzer() *analysis.Analyzer {
	c.apis.known = make(map[string]*api)
	return &analysis.Analyzer{
		Name:       "operatorrights",
		Doc:        "collect what is asked of the API server",
		Requires:   []*analysis.Analyzer{wiring.Analyzer, ssair.Analyzer, flow.Analyzer},
		ResultType: reflect.TypeFor[*Collector](),
		Run: func(pass *analysis.Pass) (any, error) {
			if pass.Module != nil && pass.Module.Version != "" {
				return c, nil // what it does for the module is in the call trees of that
			}
			found := collect(pass, &c.apis)
			c.mu.Lock()
			defer c.mu.Unlock()
			c.found = append(c.found, found)
			return c, nil
		},
	}
}

// A collection has what one package asks of the API server, and what it says about that.
type collection struct {
	path     string
	programs []wiring.Program // of which the package is part
	known    bool             // whether it is known which
	requests []request
	uses     []use
	markers  []grant
	calls    calls
	declared []declared

	// paths are requests of which only the path is known.
	paths []request

	// operates are the programs in which the package makes a manager or a controller.
	operates []wiring.Program
	// mentioned are names of types and of resources, in lower case.
	mentioned map[string]bool
	// uncached are resources that clients do not cache.
	uncached []resource
	// caches is set if clients cache unstructured objects.
	caches bool
	// blocks is set if owner references block the deletion of owners.
	blocks bool
	// passesOn are the rights in literals of rules for other roles. What is not constant
	// there stands for anything.
	passesOn []grant

	pass     *analysis.Pass
	view     *wiring.View
	apis     *apis
	packages map[string]*types.Package
}

// A request is what a function asks for, with the resource.
type request struct {
	controller.Request
	resource resource
	resolved bool
	run      runs
	at       string
	owners   []resource // of the object written
	// in is the function, and inLiteral is set if it is one of its literals.
	in        string
	inLiteral bool
}

// A use is a function or an option that needs rights whatever its arguments are.
type use struct {
	rights []library.Right
	run    runs
	at     string
}

// runs says which programs run something. It is known unless the module is not seen as a
// whole.
type runs struct {
	known bool
	by    []wiring.Program // whose functions lead to it
}

// A declared kind is one of the package's own.
type declared struct {
	resource
	kind string
}

// collect finds what the package of the pass asks.
func collect(pass *analysis.Pass, known *apis) *collection {
	c := &collection{
		path: pass.Pkg.Path(), pass: pass, view: wiring.Of(pass), apis: known,
		calls: newCalls(), mentioned: make(map[string]bool), packages: make(map[string]*types.Package),
	}
	c.programs = c.view.Programs()
	c.known = c.view.KnowsPrograms()
	c.addPackages(pass.Pkg)
	for _, p := range c.view.Needs() {
		c.addPackages(p)
	}
	if !library.IsClientset(c.path) {
		c.addRequests()
	}
	for _, file := range pass.Files {
		if ssair.InTest(pass.Fset, file.FileStart) {
			continue
		}
		c.markers = append(c.markers, markers(pass.Fset, file, c.short)...)
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); !ok || gen.Tok != token.IMPORT {
				c.addDecl(decl)
			}
		}
	}
	c.addDeclared()
	c.pass, c.view, c.packages = nil, nil, nil
	return c
}

func (c *collection) addPackages(p *types.Package) {
	if c.packages[p.Path()] == nil {
		c.packages[p.Path()] = p
		for _, imp := range p.Imports() {
			c.addPackages(imp)
		}
	}
}

func (c *collection) short(pos token.Pos) string {
	return c.shortOf(place.Of(c.pass.Fset, c.pass.Pkg, pos))
}

func (c *collection) shortOf(at place.Place) string {
	if c.pass.Module == nil {
		return at.Full()
	}
	return place.Shorten(at.Full(), c.pass.Module.Path, "")
}

// addRequests adds the requests of all functions.
func (c *collection) addRequests() {
	pkg := c.pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	requester := controller.NewRequester(c.pass)
	for _, fn := range pkg.Funcs {
		run := c.runsOf(fn)
		for _, r := range requester.Of(fn) {
			req := request{Request: r, run: run, at: c.shortOf(r.At), in: declaredIn(fn), inLiteral: fn.Parent() != nil}
			req.resource, req.resolved = c.resourceOf(r)
			for _, owner := range r.Owners {
				if res, ok := c.resourceOfType(owner); ok {
					req.owners = append(req.owners, res)
				}
			}
			c.requests = append(c.requests, req)
		}
		c.addValues(fn, run)
		c.calls.addCalls(fn)
	}
}

// runsOf returns which programs run a function, or the one that a function literal is in.
func (c *collection) runsOf(fn *ssa.Function) runs {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok { // the initialisation
		return runs{c.known, c.programs}
	}
	return runs{c.known, c.view.RunBy(obj)}
}

// resourceOf returns the resource of a request, and whether it is known.
func (c *collection) resourceOf(r controller.Request) (resource, bool) {
	if r.Resource != "" {
		return resource{r.Group, r.Resource, library.IsOfCluster(r.Group, r.Resource)}, true
	}
	res, ok := c.resourceOfType(r.Type)
	if ok || r.GVK == "" {
		return res, ok
	}
	kind, ok := library.KindOfGVK(r.GVK)
	if !ok {
		return resource{}, false
	}
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	res.group, res.name = kind.Group, library.ResourceOf(kind)
	res.cluster = library.IsOfCluster(res.group, res.name)
	return res, true
}

// addValues adds the functions of libraries that fn uses as values and that need rights:
//
//	FilterProvider: filters.WithAuthenticationAndAuthorization
func (c *collection) addValues(fn *ssa.Function, run runs) {
	var ops []*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			ops = instr.Operands(ops[:0])
			for i, op := range ops {
				call, isCall := instr.(ssa.CallInstruction)
				if isCall && i == 0 && !call.Common().IsInvoke() {
					continue // the callee, which is an event
				}
				if val, ok := (*op).(*ssa.Function); ok {
					obj, _ := val.Object().(*types.Func)
					if ask := library.AskOf(obj); ask != nil && len(ask.Rights) > 0 {
						c.uses = append(c.uses, use{ask.Rights, run, c.short(instr.Pos())})
					}
				}
			}
		}
	}
}

// addDecl adds what the options in a declaration say, and which types it mentions.
func (c *collection) addDecl(decl ast.Decl) {
	run := runs{c.known, c.programs}
	if fn, ok := decl.(*ast.FuncDecl); ok {
		if obj, ok := c.pass.TypesInfo.Defs[fn.Name].(*types.Func); ok {
			run.by = c.view.RunBy(obj)
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			c.mention(n, run)
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				c.text(n)
			}
		case *ast.CompositeLit:
			c.literal(n, run)
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if sel, ok := to.(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
					c.option(library.TypeName(c.pass.TypesInfo.TypeOf(sel.X)), sel.Sel.Name, n.Rhs[i], run)
				}
			}
		}
		return true
	})
}

// text notes a string that may name a resource, or that is a path of the API server.
func (c *collection) text(lit *ast.BasicLit) {
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		return
	}
	if len(s) < 64 {
		c.mentioned[strings.ToLower(s)] = true
	}
	if group, name, ok := ofPath(s); ok {
		c.paths = append(c.paths, request{resource: resource{group: group, name: name}, at: c.short(lit.Pos())})
	}
}

// ofPath returns the resource that a path of the API server is for:
//
//	fmt.Sprintf("%s/api/v1/namespaces/%s/services/%s:http/proxy", host, namespace, name)
func ofPath(path string) (group, resource string, ok bool) {
	_, rest, ok := strings.Cut(path, "/api/v1/")
	if !ok {
		if _, rest, ok = strings.Cut(path, "/apis/"); !ok {
			return "", "", false
		}
		group, rest, _ = strings.Cut(rest, "/")
		_, rest, _ = strings.Cut(rest, "/") // the version
	}
	steps := strings.Split(strings.Trim(rest, "/"), "/")
	if len(steps) > 2 && steps[0] == "namespaces" {
		steps = steps[2:]
	}
	resource = steps[0]
	if len(steps) > 2 {
		resource += "/" + steps[2]
	}
	return group, resource, resource != ""
}

// mention notes what an identifier stands for.
func (c *collection) mention(id *ast.Ident, run runs) {
	obj := c.pass.TypesInfo.Uses[id]
	if obj == nil || obj.Pkg() == nil {
		return
	}
	switch obj := obj.(type) {
	case *types.TypeName:
		name := strings.TrimSuffix(strings.TrimSuffix(obj.Name(), "ApplyConfiguration"), "List")
		c.mentioned[strings.ToLower(name)] = true
	case *types.Func, *types.Var:
		if obj.Parent() == obj.Pkg().Scope() {
			c.mentioned[strings.ToLower(obj.Name())] = true // may make an apply configuration
			name := obj.Pkg().Path() + "." + obj.Name()
			if library.MakesManager(name) {
				c.operates = append(c.operates, run.by...)
			}
			c.blocks = c.blocks || library.BlocksOwner(name)
		}
	}
}

// literal adds what a literal of options, or of a rule for a role, says.
func (c *collection) literal(lit *ast.CompositeLit, run runs) {
	typeName := library.TypeName(c.pass.TypesInfo.TypeOf(lit))
	switch {
	case library.IsPolicyRule(typeName):
		c.policyRule(lit)
		return
	case library.IsRoleRef(typeName):
		c.roleRef(lit)
		return
	}
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				c.option(typeName, key.Name, kv.Value, run)
			}
		}
	}
}

// option adds what the value of a field says, if that is an option of a manager or a
// client.
func (c *collection) option(typeName, field string, val ast.Expr, run runs) {
	switch {
	case library.IsManagerOptions(typeName) && field == library.LeaderElection:
		if v := c.pass.TypesInfo.Types[val].Value; v == nil || v.Kind() == constant.Bool && constant.BoolVal(v) {
			c.uses = append(c.uses, use{library.ElectsLeader(), run, c.short(val.Pos())})
		}
	case library.IsCacheOptions(typeName) && field == library.CachesUnstructured:
		c.caches = true
	case library.Uncached(typeName, field):
		ast.Inspect(val, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && lit != val {
				if res, ok := c.resourceOfType(library.TypeName(c.pass.TypesInfo.TypeOf(lit))); ok {
					c.uncached = append(c.uncached, res)
				}
			}
			return true
		})
	}
}

// policyRule adds the rights in a literal of a rule, which the program gives to others. It
// may only do so if it has them itself.
// See https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping.
func (c *collection) policyRule(lit *ast.CompositeLit) {
	values := make(map[string][]string)
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			values[kv.Key.(*ast.Ident).Name] = c.constants(kv.Value)
		}
	}
	c.passesOn = append(c.passesOn, grant{groups: values["APIGroups"], resources: values["Resources"], verbs: values["Verbs"]})
}

// roleRef adds the rights of a well-known role that the program binds to others. It may only
// do so if it has them itself.
func (c *collection) roleRef(lit *ast.CompositeLit) {
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		for _, name := range c.constants(&ast.CompositeLit{Elts: []ast.Expr{kv.Value}}) {
			for _, r := range library.RightsOfRole(name) {
				c.passesOn = append(c.passesOn, grant{groups: []string{r.Group}, resources: []string{r.Resource}, verbs: r.Verbs})
			}
		}
	}
}

// constants returns the constants that a list has, or a wildcard if it has anything else.
func (c *collection) constants(expr ast.Expr) []string {
	list, ok := ast.Unparen(expr).(*ast.CompositeLit)
	if !ok {
		return []string{"*"}
	}
	var values []string
	for _, e := range list.Elts {
		v := c.pass.TypesInfo.Types[e].Value
		if v == nil || v.Kind() != constant.String {
			return []string{"*"}
		}
		values = append(values, constant.StringVal(v))
	}
	return values
}

// addDeclared adds the kinds that the package declares.
func (c *collection) addDeclared() {
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		field, _, _ := types.LookupFieldOrMethod(obj.Type(), true, c.pass.Pkg, "ObjectMeta")
		if _, isStruct := obj.Type().Underlying().(*types.Struct); !isStruct || field == nil {
			continue
		}
		if res, ok := c.resourceOfType(library.TypeName(obj.Type())); ok && slices.Contains(c.apis.of(c.pass.Fset, obj).kinds, name) {
			c.declared = append(c.declared, declared{res, name})
		}
	}
}
