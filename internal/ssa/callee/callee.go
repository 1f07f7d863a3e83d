// Package callee answers which functions a call may reach.
//
// [Static] returns what the call itself names. A [Resolver] also looks through
// function values, closures, method values, functions in fields and variables,
// and interfaces that the package implements. Where the driver has a view of the
// module, it also knows what other packages put there. It reports the functions
// that it found, whether there may be more, and where it gave up.
package callee

import (
	"go/types"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Static returns the function or method that the call names, or nil. For an
// instance of a generic function it returns the generic function.
func Static(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method
	}
	if fn := call.StaticCallee(); fn != nil {
		if origin := fn.Origin(); origin != nil {
			fn = origin
		}
		obj, _ := fn.Object().(*types.Func)
		return obj
	}
	return nil
}

// Body returns the function that a call certainly reaches, or nil if it has no
// body in this package. For an instance of a generic function it returns the
// generic function.
func Body(call *ssa.CallCommon) *ssa.Function {
	fn := call.StaticCallee()
	if fn == nil {
		return nil
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// Args returns the arguments of a call. The first argument of a method call is
// the receiver, also when that is an interface.
func Args(call *ssa.CallCommon) []ssa.Value {
	if call.IsInvoke() {
		return append([]ssa.Value{call.Value}, call.Args...)
	}
	return call.Args
}

// IsBuiltin reports whether the call calls the builtin function with this name.
func IsBuiltin(call *ssa.CallCommon, name string) bool {
	b, ok := call.Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// Targets holds the functions that a call may reach.
type Targets struct {
	// Own holds functions of the package that have a body there.
	Own []*ssa.Function
	// Foreign holds functions of other packages, and functions without a body.
	Foreign []*types.Func
	// Open is set if there may be others.
	Open bool
	// Lost is the value at which the search gave up. It is nil if the search did
	// not give up, or if only other packages can add targets.
	Lost ssa.Value
}

func (t *Targets) add(u Targets) {
	t.Own = append(t.Own, u.Own...)
	t.Foreign = append(t.Foreign, u.Foreign...)
	t.Open = t.Open || u.Open
	if t.Lost == nil {
		t.Lost = u.Lost
	}
}

// A Resolver resolves the calls of a package. It is safe for concurrent use.
type Resolver struct {
	pkg   *ssa.Package
	index *origin.Index
	view  *wiring.View
	// concrete holds the package's types that may implement interfaces, in the
	// order of their names.
	concrete []*types.Named

	mu      sync.Mutex // guards what is known
	impls   map[*types.Interface][]types.Type
	methods map[method][]*ssa.Function
}

type method struct {
	iface  *types.Interface
	method *types.Func
}

// NewResolver returns a resolver for a package with a view, which may be nil.
// leaveOut, which may be nil, selects types that count as no implementation of an
// interface, such as a fake in a test file.
func NewResolver(pkg *ssa.Package, index *origin.Index, view *wiring.View, leaveOut func(*types.TypeName) bool) *Resolver {
	r := &Resolver{pkg: pkg, index: index, view: view, impls: make(map[*types.Interface][]types.Type), methods: make(map[method][]*ssa.Function)}
	scope := pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) || leaveOut != nil && leaveOut(tn) {
			continue
		}
		if named, ok := tn.Type().(*types.Named); ok && named.TypeParams().Len() == 0 && !library.IsMock(named) {
			r.concrete = append(r.concrete, named)
		}
	}
	return r
}

// Call resolves a call.
func (r *Resolver) Call(call *ssa.CallCommon) Targets {
	if call.IsInvoke() {
		return r.invoked(call)
	}
	return r.Value(call.Value)
}

// maxValues bounds how many values the search visits for one function value.
const maxValues = 24

// steps are the backward steps from a function value to the functions that it
// may be.
const steps = origin.Types | origin.Choices | origin.Variables | origin.Globals | origin.Fields | origin.Results

// Value returns the functions that v may be. If v is read from a field there may
// be others, because other packages can store there too, unless the view knows.
func (r *Resolver) Value(v ssa.Value) Targets {
	return r.value(v, make(map[ssa.Value]bool))
}

func (r *Resolver) value(v ssa.Value, seen map[ssa.Value]bool) Targets {
	if seen[v] {
		return Targets{}
	}
	if len(seen) > maxValues {
		return Targets{Open: true, Lost: v}
	}
	seen[v] = true
	o := origin.Of(v)
	switch o.Kind {
	case origin.Constant:
		return Targets{} // nil: nothing is called
	case origin.Func:
		fn := v.(*ssa.Function)
		if own := r.index.Own(fn); own != nil {
			return Targets{Own: []*ssa.Function{own}}
		}
		if obj, ok := fn.Object().(*types.Func); ok {
			return Targets{Foreign: []*types.Func{obj.Origin()}}
		}
	case origin.Closure:
		return r.value(o.X, seen)
	}
	field, _ := origin.FieldOf(v)
	if fns, ok := r.view.Functions(field); ok {
		var t Targets
		for _, fn := range fns {
			t.addFunc(r, fn)
		}
		return t
	}
	from, ok := r.index.Back(v, steps)
	if !ok || len(from) == 0 {
		return Targets{Open: true, Lost: v}
	}
	var t Targets
	for _, w := range from {
		t.add(r.value(w, seen))
	}
	if field != nil {
		t.Open = true
	}
	return t
}

// addFunc adds a function or a method.
func (t *Targets) addFunc(r *Resolver, fn *types.Func) {
	fn = fn.Origin()
	switch {
	case fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type()):
		t.Open = true // of an embedded interface
	case fn.Pkg() == r.pkg.Pkg && r.index.Own(r.pkg.Prog.FuncValue(fn)) != nil:
		t.Own = append(t.Own, r.index.Own(r.pkg.Prog.FuncValue(fn)))
	default:
		t.Foreign = append(t.Foreign, fn)
	}
}

// invoked returns the methods of the package's types that a call through an
// interface may reach. It skips interfaces of the standard library: too many
// unrelated types implement them.
func (r *Resolver) invoked(call *ssa.CallCommon) Targets {
	t := Targets{Open: true}
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	declared := call.Method.Pkg()
	if !ok || declared == nil || declared != r.pkg.Pkg && library.IsStandard(declared.Path()) {
		t.Lost = call.Value
		return t
	}
	if impls, ok := r.implementationsInModule(call.Value); ok {
		known := Targets{}
		for _, impl := range impls {
			obj, _, _ := types.LookupFieldOrMethod(impl, true, declared, call.Method.Name())
			if m, ok := obj.(*types.Func); ok {
				known.addFunc(r, m)
			}
		}
		return known
	}
	t.Own = r.implementing(iface, call.Method)
	// If the package declares and implements the interface, the call is assumed
	// to have no other targets.
	if declared == r.pkg.Pkg && len(t.Own) > 0 {
		t.Open = false
	}
	if len(t.Own) == 0 {
		t.Lost = call.Value
	}
	return t
}

// implementationsInModule returns the types that an interface value may have, if the
// module declares the interface and the view knows: those in the field that the
// value is read from, or those that stand behind the interface anywhere.
func (r *Resolver) implementationsInModule(v ssa.Value) ([]types.Type, bool) {
	named := library.NamedOf(v.Type())
	if named == nil || !r.view.Covers(named.Obj().Pkg()) {
		return nil, false
	}
	if field, _ := origin.FieldOf(v); field != nil {
		if impls, ok := r.view.Types(field); ok {
			return impls, true
		}
	}
	return r.view.Implementations(named)
}

// implementing returns the methods of the package's types that implement a
// method of an interface.
func (r *Resolver) implementing(iface *types.Interface, m *types.Func) []*ssa.Function {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := method{iface, m}
	if fns, ok := r.methods[key]; ok {
		return fns
	}
	var fns []*ssa.Function
	for _, t := range r.implementations(iface) {
		obj, _, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), m.Name())
		if m, ok := obj.(*types.Func); ok {
			if fn := r.index.Own(r.pkg.Prog.FuncValue(m.Origin())); fn != nil {
				fns = append(fns, fn)
			}
		}
	}
	r.methods[key] = fns
	return fns
}

// Implementations returns the types of the package that implement the interface.
// Where only the pointer to a type does, it returns the pointer type.
func (r *Resolver) Implementations(iface *types.Interface) []types.Type {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.implementations(iface)
}

func (r *Resolver) implementations(iface *types.Interface) []types.Type {
	all, ok := r.impls[iface]
	if ok {
		return all
	}
	for _, named := range r.concrete {
		for _, t := range []types.Type{named, types.NewPointer(named)} {
			if types.Implements(t, iface) {
				all = append(all, t)
				break
			}
		}
	}
	r.impls[iface] = all
	return all
}
