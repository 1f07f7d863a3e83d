// Package flow follows values through a package: what each function's results
// are made of, what it changes under its parameters, and which calls of library
// functions that matter its call tree makes, with which arguments.
//
// It is an abstract interpretation over SSA. A heap maps places (an object and
// an access path of bounded length under it) to values; a value is what it may
// point to, plus labels: the noteworthy things that its bits depend on. Within
// a function the heap is sensitive to the flow of control, so a sort, a read
// from the API server or an assignment takes effect where it stands. Function
// literals are interpreted where they are called. Calls of other functions
// apply their [Summary], computed bottom-up over strongly connected components,
// or read as a fact from the package that declares them.
//
// What is not known adds nothing: no labels, no events. Everything is bounded
// (see the constants), and what a bound cuts off is not known.
package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer computes the summaries of a package's functions. Its result is a
// *[Package]; its facts are *[Summary] on functions.
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorflow",
	Doc:        "follow values into what is written to the cluster",
	Requires:   []*analysis.Analyzer{ssair.Analyzer, rule.Options},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Summary), new(Literals)},
})

// Package answers questions about the functions of a package. Several rules may
// ask at a time.
type Package struct {
	mu     sync.Mutex // guards a
	a      *analysisState
	byName map[string]*ssa.Function
}

// analysisState is what interpreting the functions of one package shares.
type analysisState struct {
	pass            *analysis.Pass
	options         *config.Options
	traced          bool
	steps           int // that interpreting one function may take
	ssa             *ssair.Package
	summaries       map[*ssa.Function]*Summary
	facts           map[*types.Func]*Summary
	fields          *fieldStores
	fvals           map[*ssa.Function]*fval
	byName          map[string]*fval
	resolver        *callee.Resolver
	control         *cfg.Control
	loops           map[*cfg.Loop]*loop
	packages        map[string]*types.Package
	files           map[string]string // of places
	callFuns        map[token.Pos]ast.Expr
	ranges          map[token.Pos]token.Pos
	globals         map[*ssa.Global]*object
	assigns         map[*ssa.Function]map[string]bool
	flags           map[*ssa.Phi]bool // being looked at
	foreignLiterals map[string]*Literal
	base            *heap // what package variables hold after initialisation
}

func run(pass *analysis.Pass) (any, error) {
	pkg := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	p := &Package{byName: make(map[string]*ssa.Function)}
	if pkg.SSA == nil {
		return p, nil
	}
	a := newAnalysis(pass, pkg)
	p.a = a
	for _, fn := range pkg.Funcs {
		p.byName[fn.String()] = fn
		if obj, ok := fn.Object().(*types.Func); ok {
			p.byName[library.Name(obj)] = fn
		}
	}
	a.initialise()
	for _, scc := range a.components() {
		a.solve(scc)
	}
	lits := make(map[*ssa.Function]bool)
	for _, fn := range pkg.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil {
			continue
		}
		if sum := a.summaries[fn]; sum != nil && !sum.isEmpty() && ssair.Referable(obj) {
			pass.ExportObjectFact(obj, sum.forExport())
			if obj.Exported() {
				a.addReturned(sum, lits)
			}
		}
	}
	if fact := a.literals(lits); fact != nil {
		pass.ExportPackageFact(fact)
	}
	return p, nil
}

// returned adds the function literals that callers of other packages get hold
// of.
func (a *analysisState) addReturned(sum *Summary, lits map[*ssa.Function]bool) {
	add := func(vs ...Val) {
		for _, v := range vs {
			for _, b := range v.Bound {
				if b.fn != nil && b.fn.Parent() != nil {
					lits[b.fn] = true
				}
			}
		}
	}
	add(sum.Results...)
	for _, o := range sum.Objects {
		for _, c := range o.Cells {
			add(c.Val)
		}
	}
}

// literals returns the summaries of function literals, and of the methods of
// types that other packages cannot name, or nil if there are none.
func (a *analysisState) literals(lits map[*ssa.Function]bool) *Literals {
	fact := new(Literals)
	for fn := range lits {
		if sum := a.interpret(fn); !sum.isEmpty() {
			fact.Funcs = append(fact.Funcs, Literal{Name: fn.String(), Params: len(fn.Params), Sum: *sum.forExport()})
		}
	}
	for _, fn := range a.ssa.Funcs {
		// Methods of unexported types are called through interfaces.
		sum := a.summaries[fn]
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || sum == nil || sum.isEmpty() || !obj.Exported() {
			continue
		}
		if named := library.NamedOf(recvType(obj)); named != nil && !named.Obj().Exported() {
			fact.Funcs = append(fact.Funcs, Literal{Name: library.Name(obj), Params: len(fn.Params), Sum: *sum.forExport()})
		}
	}
	if len(fact.Funcs) == 0 {
		return nil
	}
	slices.SortFunc(fact.Funcs, func(x, y Literal) int { return strings.Compare(x.Name, y.Name) })
	return fact
}

// literal returns what another package says of one of its function literals.
func (a *analysisState) literal(name string) *Literal {
	if a.foreignLiterals == nil {
		a.foreignLiterals = make(map[string]*Literal)
		for _, f := range a.pass.AllPackageFacts() {
			if lits, ok := f.Fact.(*Literals); ok && f.Package != a.pass.Pkg {
				for i := range lits.Funcs {
					a.foreignLiterals[lits.Funcs[i].Name] = &lits.Funcs[i]
				}
			}
		}
	}
	return a.foreignLiterals[name]
}

// Events returns the events of the call tree of fn, a function or function
// literal of the package, in a stable order.
func (p *Package) Events(fn *ssa.Function) []Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.events(fn)
}

func (p *Package) events(fn *ssa.Function) []Event {
	if p.a == nil || fn == nil {
		return nil
	}
	if sum := p.a.summaries[fn]; sum != nil {
		return sum.Events
	}
	if fn.Pkg != p.a.ssa.SSA {
		return nil
	}
	sum := p.a.interpret(fn)
	p.a.summaries[fn] = sum
	return sum.Events
}

// EventsOf returns the events of the call tree of a function that this package
// or one that it imports declares.
func (p *Package) EventsOf(fn *types.Func) []Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a == nil || fn == nil {
		return nil
	}
	if fn.Pkg() == p.a.pass.Pkg {
		return p.events(p.a.ssa.SSA.Prog.FuncValue(fn.Origin()))
	}
	if sum := p.a.imported(fn); sum != nil {
		return sum.Events
	}
	return nil
}

// Lookup returns the function of the package that a [Func] names, or nil.
func (p *Package) Lookup(name string) *ssa.Function { return p.byName[name] }

// Held returns what a variable of the package holds after its initialisation, if
// nobody in the package assigns to it later.
func (p *Package) Held(g *ssa.Global) Arg {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a == nil {
		return Arg{}
	}
	in := p.a.newInterp()
	place := refTo(loc{obj: in.global(g)})
	typ := library.Deref(g.Type())
	if isAggregate(typ) {
		return in.describe(in.place(place, p.a.base), nil, p.a.base)
	}
	return in.describe(in.load(place, p.a.base, typ), nil, p.a.base)
}

// Method returns the method of this name that the type of this TypeName has, of
// the package or one that it imports, or nil.
func (p *Package) Method(typeName, name string) *types.Func {
	if p.a == nil {
		return nil
	}
	t := p.a.typeOf(typeName)
	if t == nil || types.IsInterface(t) {
		return nil
	}
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, name)
	fn, _ := method.(*types.Func)
	return fn
}

func newAnalysis(pass *analysis.Pass, pkg *ssair.Package) *analysisState {
	a := &analysisState{
		pass:      pass,
		options:   rule.OptionsOf(pass),
		traced:    rule.IsTraced(pass),
		steps:     stepsFor(pass.Pkg),
		ssa:       pkg,
		summaries: make(map[*ssa.Function]*Summary),
		facts:     make(map[*types.Func]*Summary),
		fvals:     make(map[*ssa.Function]*fval),
		byName:    make(map[string]*fval),
		resolver:  callee.NewResolver(pkg.SSA, pkg.Index, func(tn *types.TypeName) bool { return ssair.InTest(pass.Fset, tn.Pos()) }),
		control:   cfg.NewControl(isFailure),
		loops:     make(map[*cfg.Loop]*loop),
		packages:  make(map[string]*types.Package),
		files:     make(map[string]string),
		callFuns:  make(map[token.Pos]ast.Expr),
		ranges:    make(map[token.Pos]token.Pos),
		globals:   make(map[*ssa.Global]*object),
		assigns:   make(map[*ssa.Function]map[string]bool),
		flags:     make(map[*ssa.Phi]bool),
		base:      newHeap(),
	}
	a.fields = &fieldStores{index: pkg.Index, found: make(map[*types.Var][]ssa.Value)}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				a.callFuns[n.Lparen] = n.Fun
			case *ast.GoStmt:
				a.callFuns[n.Go] = n.Call.Fun
			case *ast.DeferStmt:
				a.callFuns[n.Defer] = n.Call.Fun
			case *ast.RangeStmt:
				a.ranges[n.For] = n.Body.Lbrace
			}
			return true
		})
	}
	var addImports func(p *types.Package)
	addImports = func(p *types.Package) {
		if a.packages[p.Path()] != nil {
			return
		}
		a.packages[p.Path()] = p
		for _, imp := range p.Imports() {
			addImports(imp)
		}
	}
	addImports(pass.Pkg)
	return a
}

// initialise interprets the package's initialisation, so that functions see
// what package variables hold that nobody assigns to later.
func (a *analysisState) initialise() {
	init := a.ssa.SSA.Func("init")
	if init == nil {
		return
	}
	in := a.newInterp()
	in.idBase = 1 << 20
	fr := in.frame(init)
	exit := in.run(fr, newHeap())
	if exit == nil {
		return
	}
	assigned := make(map[*ssa.Global]bool)
	for _, fn := range a.ssa.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Store); ok {
					if g, ok := s.Addr.(*ssa.Global); ok {
						assigned[g] = true
					}
				}
			}
		}
	}
	for g := range assigned {
		delete(exit.objs, a.globals[g])
	}
	a.base = exit
}

// interpret computes the summary of fn from those of its callees.
func (a *analysisState) interpret(fn *ssa.Function) *Summary {
	in := a.newInterp()
	in.startBudget(fn)
	fr := in.frame(fn)
	st := a.base.clone()
	for i, p := range fn.Params {
		fr.regs[p] = in.paramValue(p, i)
	}
	for i, fv := range fn.FreeVars {
		// What a captured variable holds is a parameter behind the parameters.
		held := library.Deref(fv.Type())
		variable := in.object(site{at: variableKey{fv}}, held)
		content := in.object(site{at: fv}, library.Deref(held))
		content.param, content.symbolic = len(fn.Params)+i, true
		v := refTo(loc{obj: content})
		if isBasic(held) {
			v.labels = labels{{Kind: Content, Param: content.param}}
		}
		st.put(loc{obj: variable}, v, true)
		fr.regs[fv] = refTo(loc{obj: variable})
	}
	in.run(fr, st)
	var sum *Summary
	if in.exhausted() {
		sum = in.cutShort()
		in.limits |= limitSteps
	} else {
		sum = in.summarize(fr)
	}
	sum.limits, sum.drops = in.limits, in.sortedDrops()
	return sum
}

// cutShort returns the summary of a function that is too large: the events seen
// so far, and no more.
func (in *interp) cutShort() *Summary {
	sum := &Summary{Reads: in.sortedReads()}
	for _, ev := range sortedEvents(in.events) {
		ev.Cut = true
		sum.Events = append(sum.Events, *ev)
	}
	return sum
}

func (a *analysisState) newInterp() *interp {
	return &interp{
		analysisState: a,
		stepsLeft:     a.steps,
		objects:       make(map[site]*object),
		events:        make(map[eventKey]*Event),
		reads:         make(map[readKey]place.Place),
		calls:         make(map[callbackKey]*Callback),
		closures:      make(map[closureKey]*fval),
		boxedTypes:    make(map[loc]string),
		ctxs:          make(map[ctxKey]int),
		vias:          make(map[viaKey]int),
		numbers:       make(map[calleeKey]int),
		iterLoops:     make(map[*ssa.Function]*loop),
		refreshed:     make(map[loc]bool),
		sorted:        make(map[loc]bool),
		sortedInLoop:  make(map[*object]bool),
		bound:         make(map[boundKey]*fval),
		drops:         make(map[drop]bool),
	}
}

// stepsFor returns how many steps interpreting a function of the package may
// take.
func stepsFor(pkg *types.Package) int {
	for _, imp := range pkg.Imports() {
		if library.IsKubernetesProject(imp.Path()) {
			return maxSteps
		}
	}
	return maxStepsHelper
}

func (in *interp) frame(fn *ssa.Function) *frame {
	return &frame{
		fn:           fn,
		regs:         make(map[ssa.Value]value),
		tuples:       make(map[ssa.Value][]value),
		verdicts:     make(map[ssa.Value][]Verdict),
		otherEntries: make(map[*ssa.Lookup]labels),
	}
}

// paramValue is what a parameter holds: the caller's content.
func (in *interp) paramValue(p *ssa.Parameter, i int) value {
	o := in.object(site{at: p}, library.Deref(p.Type()))
	o.param, o.symbolic = i, true
	if isBasic(p.Type()) {
		return value{labels: labels{{Kind: Content, Param: i}}, refs: []loc{{obj: o}}}
	}
	v := refTo(loc{obj: o})
	if _, ok := types.Unalias(p.Type()).Underlying().(*types.Signature); ok {
		v = value{funcs: []*fval{{ref: &FuncRef{Param: i}}}}
	}
	return v
}

// paramObjects returns the objects of the frame's parameters.
func (in *interp) paramObjects(fr *frame) []*object {
	var objs []*object
	add := func(v ssa.Value) {
		if o := in.objects[site{at: v}]; o != nil && o.param >= 0 {
			objs = append(objs, o)
		}
	}
	for _, p := range fr.fn.Params {
		add(p)
	}
	for _, fv := range fr.fn.FreeVars {
		add(fv)
	}
	return objs
}

// imported returns the summary of a function of another package, or nil.
func (a *analysisState) imported(fn *types.Func) *Summary {
	fn = fn.Origin()
	sum, ok := a.facts[fn]
	if !ok {
		fact := new(Summary)
		if fn.Pkg() != a.pass.Pkg && a.pass.ImportObjectFact(fn, fact) {
			sum = fact
		}
		a.facts[fn] = sum
	}
	return sum
}

// named returns the function value of a function known by name.
func (a *analysisState) named(name string) *fval {
	f := a.byName[name]
	if f == nil {
		f = &fval{ref: &FuncRef{Name: name, Param: -1}}
		a.byName[name] = f
	}
	return f
}

// globalFunc returns the library function that a package variable holds, or nil.
func (a *analysisState) globalFunc(g *ssa.Global) *fval {
	if g.Pkg == nil || g.Pkg.Pkg == nil {
		return nil
	}
	name := library.VarNamed(g.Pkg.Pkg.Path() + "." + g.Name()).Func
	if name == "" {
		return nil
	}
	return a.named(name)
}

// typeOf returns the type with this TypeName, or nil.
func (a *analysisState) typeOf(name string) types.Type {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil
	}
	pkg := a.packages[name[:i]]
	if pkg == nil {
		return nil
	}
	if tn, ok := pkg.Scope().Lookup(name[i+1:]).(*types.TypeName); ok {
		return tn.Type()
	}
	return nil
}

// onlyImplementation returns the only type of the package that implements an
// interface, if the package declares that interface, too.
func (a *analysisState) onlyImplementation(t types.Type) types.Type {
	named := library.NamedOf(t)
	if named == nil || !types.IsInterface(named) || named.Obj().Pkg() != a.pass.Pkg || named.TypeParams().Len() > 0 {
		return nil
	}
	impls := a.resolver.Implementations(named.Underlying().(*types.Interface))
	if len(impls) != 1 {
		return nil
	}
	return impls[0]
}

// callSpan returns the range of the name of the function that is called.
func (a *analysisState) callSpan(instr ssa.CallInstruction) (token.Pos, token.Pos) {
	switch fun := ast.Unparen(orNil(a.callFuns[instr.Pos()])).(type) {
	case *ast.SelectorExpr:
		if !isPackageName(a.pass.TypesInfo, fun.X) {
			return fun.Sel.Pos(), fun.Sel.End()
		}
		return fun.Pos(), fun.End()
	case *ast.FuncLit:
		return fun.Type.Func, fun.Type.End()
	case nil:
		return instr.Pos(), instr.Pos()
	default:
		return fun.Pos(), fun.End()
	}
}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

func isPackageName(info *types.Info, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.PkgName)
	return ok
}

// rangeSpan returns the range of the head of the range statement of n.
func (a *analysisState) rangeSpan(n *ssa.Next) (token.Pos, token.Pos) {
	rng, ok := n.Iter.(*ssa.Range)
	if !ok {
		return n.Pos(), n.Pos()
	}
	if end, ok := a.ranges[rng.Pos()]; ok {
		return rng.Pos(), end
	}
	return rng.Pos(), rng.Pos()
}

// at returns the place of a position in the package under analysis.
func (a *analysisState) at(pos token.Pos) place.Place {
	p := place.Of(a.pass.Fset, a.pass.Pkg, pos)
	// One string for each file: labels are compared often.
	if file, ok := a.files[p.File]; ok {
		p.File = file
	} else {
		a.files[p.File] = p.File
	}
	return p
}
