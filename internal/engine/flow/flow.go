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
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
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
