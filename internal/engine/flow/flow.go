// Package flow follows values through a package. For each function it computes
// what the results are made of, what the function changes under its parameters,
// and the events of its call tree: the calls of library functions that rules
// ask about, with their arguments.
//
// It is an abstract interpretation of SSA. The abstract heap maps places to
// values. A place is an object and an access path of bounded length under it. A
// value is what it may point to, with labels for what it depends on: a clock, a
// random number, an unstable order, content of a parameter.
//
// The heap is flow-sensitive within a function: a sort, a read from the API
// server or an assignment takes effect where it stands. A function literal is
// interpreted at each of its calls. A call of any other function applies its
// [Summary]. The summaries of a package are computed bottom-up over the strongly
// connected components of its call graph. Those of other packages are facts.
//
// What is unknown adds no labels and no events, so that rules are silent about
// it. All work is bounded by constants. What lies beyond a bound is unknown.
package flow

import (
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/reconcilers"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Analyzer computes the summaries of a package's functions. Its result is a
// *[Package]; its facts are *[Summary] on functions.
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorflow",
	Doc:        "follow values into what is written to the cluster",
	Requires:   []*analysis.Analyzer{wiring.Analyzer, ssair.Analyzer, reconcilers.Analyzer, constants.Analyzer, rule.Options},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Summary), new(Literals)},
})

// A Package answers questions about the functions of a package. It is safe for
// concurrent use: several rules ask at a time.
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
		if sum := a.summaries[fn]; sum != nil && (!sum.isEmpty() || mayChangeArgs(obj) || decides(obj)) && ssair.Referable(obj) {
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
	return p.summary(fn).Events
}

// summary returns the summary of a function or function literal of the package. It is empty
// if nothing is known.
func (p *Package) summary(fn *ssa.Function) *Summary {
	if p.a == nil || fn == nil {
		return new(Summary)
	}
	if sum := p.a.summaries[fn]; sum != nil {
		return sum
	}
	if fn.Pkg != p.a.ssa.SSA {
		return new(Summary)
	}
	sum := p.a.interpret(fn)
	p.a.summaries[fn] = sum
	return sum
}

// imported returns the summary of a function of another package. It is empty if nothing is
// known.
func (p *Package) imported(fn *types.Func) *Summary {
	if p.a != nil && fn != nil {
		if sum := p.a.imported(fn); sum != nil {
			return sum
		}
	}
	return new(Summary)
}

// EventsOf returns the events of the call tree of a function that this package
// or one that it imports declares.
func (p *Package) EventsOf(fn *types.Func) []Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a != nil && fn != nil && fn.Pkg() == p.a.pass.Pkg {
		return p.summary(p.a.ssa.SSA.Prog.FuncValue(fn.Origin())).Events
	}
	return p.imported(fn).Events
}

// CallsInner reports whether a method that this package or one that it imports
// declares calls the method of the same name of what its receiver holds at the path.
func (p *Package) CallsInner(method *types.Func, path access.Path) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a == nil || method == nil {
		return false
	}
	sum := p.a.summaryOf(method)
	inner := FuncRef{Path: path, Method: method.Name()}
	return sum != nil && slices.ContainsFunc(sum.Callbacks, func(cb Callback) bool { return cb.Func == inner })
}

// Escaped returns the IDs of the objects that the call tree of a function passes to
// functions that only its caller knows, such as one in a field of its receiver. They are
// those of [Object].
func (p *Package) Escaped(fn *types.Func) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a == nil || fn == nil {
		return nil
	}
	sum := p.a.summaryOf(fn)
	if sum == nil {
		return nil
	}
	var ids []int
	for _, cb := range sum.Callbacks {
		for _, a := range cb.Args {
			for _, r := range a.Refs {
				if r.Param < 0 && r.Path.IsRoot() {
					ids = append(ids, r.Obj)
				}
			}
		}
	}
	return ids
}

// Lookup returns the function of the package that a [Func] names, or nil.
func (p *Package) Lookup(name string) *ssa.Function { return p.byName[name] }

// InitialValue returns the value of a package variable after initialisation, if no
// function of the package assigns to it later.
func (p *Package) InitialValue(g *ssa.Global) Arg {
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

// Method returns the method with this name of the type with this TypeName, or
// nil. The package or one that it imports declares the type.
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
