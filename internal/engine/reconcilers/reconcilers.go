// Package reconcilers answers which functions reconcile: in which functions of a
// package a framework begins a reconcile, or a part of one.
//
// The signature shows most of them; see [ssair.Reconciles]. This package adds the
// functions that a workqueue loop calls with its keys where the loop does not know
// them: they are behind an interface, or registered as a function value. The loop
// is often in another package:
//
//	func (w *Worker) next(ctx context.Context) bool {
//		key, quit := w.queue.Get()
//		…
//		err := w.syncer.Sync(ctx, key)   // or w.sync(ctx, key)
//		…
//	}
//
// The package of the loop has a fact about the interface's method, and about the
// parameters that bring in such a function. The package that implements the
// interface, or passes the function, knows from it that this function reconciles.
package reconcilers

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer finds the functions that reconcile. Its result is a *[Package].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorreconcilers",
	Doc:        "find the functions that workqueue loops call",
	Requires:   []*analysis.Analyzer{ssair.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Fact)},
})

// A Fact says what the workqueue loops of a package, and of those that it imports,
// call with their keys.
type Fact struct {
	// Methods has the library.Name of each interface method, sorted.
	Methods []string
	// Params has the parameters that are such functions, sorted.
	Params []Param
}

// A Param is a parameter of a function, given by its library.Name. The receiver
// is number 0.
type Param struct {
	Func  string
	Index int
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	all := slices.Clone(f.Methods)
	for _, p := range f.Params {
		all = append(all, fmt.Sprintf("argument %d of %s", p.Index, p.Func))
	}
	return "takes keys: " + strings.Join(all, ", ")
}

// Package knows the functions of a package that reconcile.
type Package struct {
	index  *origin.Index
	prog   *ssa.Program
	called map[*ssa.Function]bool // with a key

	keys    map[*ssa.Parameter]bool // that are keys
	methods map[string]bool         // see Fact
	params  map[Param]bool          // see Fact
	funcs   map[ssa.Value]bool      // function values that were looked at
}

// Reconciles reports whether a reconcile, or a part of one, begins in the
// function.
func (p *Package) Reconciles(fn *ssa.Function) bool { return p.called[fn] || ssair.Reconciles(fn) }

// IsCalledWithKey reports whether a workqueue loop calls the function with a key, but for a direct call
// of a function of the package. A nil Package knows of none.
func (p *Package) IsCalledWithKey(fn *ssa.Function) bool { return p != nil && p.called[fn] }

func run(pass *analysis.Pass) (any, error) {
	pkg := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	p := &Package{
		index:   pkg.Index,
		called:  make(map[*ssa.Function]bool),
		keys:    make(map[*ssa.Parameter]bool),
		methods: make(map[string]bool),
		params:  make(map[Param]bool),
		funcs:   make(map[ssa.Value]bool),
	}
	if pkg.SSA == nil {
		return p, nil
	}
	p.prog = pkg.SSA.Prog
	for _, imp := range pass.Pkg.Imports() {
		fact := new(Fact)
		if pass.ImportPackageFact(imp, fact) {
			p.add(fact)
		}
	}
	for _, fn := range pkg.Funcs {
		if ssair.TakesKeys(fn) {
			p.follow(fn)
		}
	}
	for known := 0; known < p.known(); {
		known = p.known()
		for _, fn := range pkg.Funcs {
			p.register(fn)
		}
	}
	if p.known() > 0 {
		pass.ExportPackageFact(p.fact())
	}
	return p, nil
}

// known returns the size of the fact, which only grows.
func (p *Package) known() int { return len(p.methods) + len(p.params) }

func (p *Package) fact() *Fact {
	fact := new(Fact)
	for name := range p.methods {
		fact.Methods = append(fact.Methods, name)
	}
	for param := range p.params {
		fact.Params = append(fact.Params, param)
	}
	slices.Sort(fact.Methods)
	slices.SortFunc(fact.Params, func(a, b Param) int { return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Index, b.Index)) })
	return fact
}

func (p *Package) add(fact *Fact) {
	for _, name := range fact.Methods {
		p.methods[name] = true
	}
	for _, param := range fact.Params {
		p.params[param] = true
	}
}

// follow looks at the calls of a function that has a key, and of the function
// literals within it.
func (p *Package) follow(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for i, arg := range call.Common().Args {
				if p.isKey(arg) {
					p.passes(call.Common(), i)
				}
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		p.follow(lit)
	}
}

// isKey reports whether v may be a key from a workqueue, or a part of one.
func (p *Package) isKey(v ssa.Value) bool { return p.isPart(v, maxParts) }

// maxParts bounds the steps from a key to its parts.
const maxParts = 3

func (p *Package) isPart(v ssa.Value, depth int) bool {
	found := false
	p.index.Walk(v, origin.Types|origin.Choices|origin.Variables, origin.MaxWalk, func(leaf ssa.Value) {
		if found || depth == 0 {
			return
		}
		if _, of := origin.FieldOf(leaf); of != nil {
			keys, isVariable := p.index.Contents(of, origin.Variables)
			if !isVariable {
				keys = []ssa.Value{of}
			}
			found = slices.ContainsFunc(keys, func(key ssa.Value) bool { return p.isPart(key, depth-1) })
			return
		}
		switch o := origin.Of(leaf); o.Kind {
		case origin.Parameter:
			found = p.keys[leaf.(*ssa.Parameter)]
		case origin.Result:
			switch library.Of(callee.Static(o.Call.Common())).Meaning {
			case library.TakesKey:
				found = o.Index == 0
			case library.SplitsKey:
				found = p.isPart(o.Call.Call.Args[0], depth-1)
			}
		}
	})
	return found
}

// passes looks at a call with a key as argument i.
func (p *Package) passes(call *ssa.CallCommon, i int) {
	if call.IsInvoke() {
		p.method(call.Method)
		return
	}
	if fn := callee.Body(call); fn != nil {
		if own := p.index.Own(fn); own != nil && i < len(own.Params) && !p.keys[own.Params[i]] {
			p.keys[own.Params[i]] = true
			p.follow(own)
		}
		return
	}
	if call.StaticCallee() == nil {
		p.function(call.Value)
	}
}

// method notes a method of an interface that is called with a key. Those of
// libraries, such as a logger's and the queue's own, and those that cannot fail
// reconcile nothing.
func (p *Package) method(m *types.Func) {
	if mayFail(m.Signature()) && library.TraitsOfPackage(m.Pkg()) == 0 && library.Name(m) != "" {
		p.methods[library.Name(m)] = true
	}
}

func mayFail(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && library.IsError(sig.Results().At(n-1).Type())
}

// sources are the steps from a function value to the functions that it may be.
const sources = origin.Types | origin.Choices | origin.Variables | origin.Fields

// function notes the functions that v may be. They are called with a key.
func (p *Package) function(v ssa.Value) {
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok || !mayFail(sig) {
		return
	}
	p.index.Walk(v, sources, origin.MaxWalk, func(leaf ssa.Value) {
		if p.funcs[leaf] {
			return
		}
		p.funcs[leaf] = true
		switch o := origin.Of(leaf); o.Kind {
		case origin.Func:
			p.mark(leaf.(*ssa.Function))
		case origin.Closure:
			p.mark(o.X.(*ssa.Function))
		case origin.Parameter:
			p.parameter(leaf.(*ssa.Parameter))
		}
	})
}

// mark notes a function that is called with a key. It may be the wrapper of an
// interface's method.
func (p *Package) mark(fn *ssa.Function) {
	if own := p.index.Own(fn); own != nil {
		p.called[own] = true
		return
	}
	if m, ok := fn.Object().(*types.Func); ok && m.Signature().Recv() != nil && types.IsInterface(m.Signature().Recv().Type()) {
		p.method(m)
	}
}

// parameter notes a parameter that is called with a key, and the functions that
// the package passes for it.
func (p *Package) parameter(param *ssa.Parameter) {
	fn := param.Parent()
	i := slices.Index(fn.Params, param)
	if obj, ok := fn.Object().(*types.Func); ok && ssair.Referable(obj) {
		p.params[Param{library.Name(obj), i}] = true
	}
	for _, call := range p.index.Calls(fn) {
		if args := call.Common().Args; i < len(args) {
			p.function(args[i])
		}
	}
}

// register looks for the functions that fn registers with a workqueue loop: it
// passes them to a function, or converts their receiver to an interface.
func (p *Package) register(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				name := library.Name(callee.Static(call.Common()))
				for i, arg := range callee.Args(call.Common()) {
					if p.params[Param{name, i}] {
						p.function(arg)
					}
				}
			}
			if v, ok := instr.(ssa.Value); ok {
				if o := origin.Of(v); o.Kind == origin.Boxed {
					p.implement(o.X.Type(), v.Type())
				}
			}
		}
	}
}

// implement marks the methods of a type by which it implements those of an
// interface that are called with keys.
func (p *Package) implement(t, iface types.Type) {
	u, ok := iface.Underlying().(*types.Interface)
	if !ok {
		return
	}
	for m := range u.Methods() {
		if !p.methods[library.Name(m)] {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), m.Name())
		if obj, ok := obj.(*types.Func); ok {
			if own := p.index.Own(p.prog.FuncValue(obj.Origin())); own != nil {
				p.called[own] = true
			}
		}
	}
}
