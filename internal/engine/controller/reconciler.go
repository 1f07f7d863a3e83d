package controller

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
)

// A reconciler is a function that a controller calls for each request.
type reconciler struct {
	key    any // identifies the function: a *types.Func or *ssa.Function
	fn     *ssa.Function
	recv   *types.Named // the receiver's type, or nil
	events []flow.Event
	reads  []flow.Read
	shows  []flow.Showing // of statuses
	// wrapper is the reconciler that calls this one, or nil.
	wrapper *types.Func
	// escaped are the IDs of objects that functions get which nobody knows.
	escaped []int
}

// addReconcilers adds the reconcilers that the argument may be.
func (f *finder) addReconcilers(r *registration, t *tree, a flow.Arg) {
	for _, fn := range a.Funcs {
		if fn.Param >= 0 {
			r.watches.pending = true
			continue
		}
		if own := f.flow.Lookup(fn.Name); own != nil {
			r.reconcilers = append(r.reconcilers, reconciler{key: own, fn: own, events: f.flow.Events(own), reads: f.flow.Reads(own), shows: f.flow.Shows(own)})
		}
	}
	for _, obj := range a.Objects {
		if ev, call := t.maker(obj); call.Role == library.AdaptReconciler {
			f.addReconcilers(r, t, arg(ev, call.Args, library.ReconcilerArg))
			continue
		}
		if isOpen(obj) {
			r.watches.pending = true
			continue
		}
		method, recv := f.reconcileOf(obj.Type)
		if f.addInner(r, t, method, obj) {
			continue
		}
		if method != nil {
			rec := reconciler{key: method, recv: recv, escaped: f.flow.Escaped(method)}
			if method.Pkg() == f.pass.Pkg {
				rec.fn = f.function(method)
				if rec.fn == nil {
					continue
				}
				rec.events, rec.reads, rec.shows = f.flow.Events(rec.fn), f.flow.Reads(rec.fn), f.flow.Shows(rec.fn)
			} else {
				rec.events, rec.reads, rec.shows = f.flow.EventsOf(method), f.flow.ReadsOf(method), f.flow.ShowsOf(method)
			}
			r.reconcilers = append(r.reconcilers, rec)
		}
	}
}

// addInner adds the reconcilers that a wrapper calls, if it only passes requests on:
//
//	func (w *traced) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
//		ctx, span := w.tracer.Start(ctx, "Reconcile")
//		defer span.End()
//		return w.inner.Reconcile(ctx, req)
//	}
//
// It returns false if the object is no such wrapper, or holds a reconciler that is not
// known.
func (f *finder) addInner(r *registration, t *tree, method *types.Func, obj flow.Object) bool {
	if method == nil || writes(f.flow.EventsOf(method)) {
		return false
	}
	before := len(r.reconcilers)
	for _, part := range obj.Parts {
		if !part.Arg.Unknown && f.flow.CallsInner(method, part.Path) {
			f.addReconcilers(r, t, part.Arg)
		}
	}
	for i := range r.reconcilers[before:] {
		r.reconcilers[before+i].wrapper = method
	}
	return len(r.reconcilers) > before || r.watches.pending
}

// reconcileOf returns the method Reconcile of the type with this name, and the type.
func (f *finder) reconcileOf(typeName string) (*types.Func, *types.Named) {
	i := strings.LastIndexByte(typeName, '.')
	if i < 0 {
		return nil, nil
	}
	pkg := findPackage(f.pass.Pkg, typeName[:i], make(map[*types.Package]bool))
	if pkg == nil {
		return nil, nil
	}
	obj, ok := pkg.Scope().Lookup(typeName[i+1:]).(*types.TypeName)
	if !ok {
		return nil, nil // declared in a function
	}
	named := library.NamedOf(obj.Type())
	if named == nil || types.IsInterface(named) {
		return nil, nil
	}
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, pkg, "Reconcile")
	fn, ok := method.(*types.Func)
	if !ok || isAbstract(fn) {
		return nil, nil
	}
	return fn.Origin(), named
}

// findPackage returns the package with this path among pkg and its transitive imports.
func findPackage(pkg *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	if pkg.Path() == path {
		return pkg
	}
	seen[pkg] = true
	for _, imp := range pkg.Imports() {
		if !seen[imp] {
			if found := findPackage(imp, path, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// function returns the SSA form of a function of the package.
func (f *finder) function(obj *types.Func) *ssa.Function {
	for _, fn := range f.funcs {
		if fn.Object() == obj {
			return fn
		}
	}
	return nil
}

// trusts reports whether the client at the path under a parameter of the reconciler is
// the manager's, as far as types tell. One from a cluster.Cluster is not. Of several
// clients in one struct, only the one that is embedded or named client is: the others
// would not be there if they were the same.
func (r *reconciler) trusts(param int, path access.Path) bool {
	if param != 0 || r.recv == nil {
		return true
	}
	var holder types.Type = r.recv
	for step := range path.Steps() {
		s, ok := types.Unalias(library.Deref(holder)).Underlying().(*types.Struct)
		if !ok {
			return true
		}
		clients, found, plain := 0, false, false
		for i := range s.NumFields() {
			field := s.Field(i)
			if isWriter(field.Type()) {
				clients++
			}
			if step.Kind == access.Field && field.Name() == step.Name {
				found, holder = true, field.Type()
				plain = !isWriter(field.Type()) || field.Embedded() || strings.EqualFold(step.Name, "client")
			}
		}
		switch {
		case !found:
			return true
		case clients > 1 && !plain:
			return false
		}
	}
	return library.TypeOf(holder).Is != library.Cluster
}

// isWriter reports whether t is one of the client interfaces of
// controller-runtime that can write.
func isWriter(t types.Type) bool {
	is := library.TypeOf(t).Is
	return is == library.Client || is == library.Writer
}

// returnsNothing implements [handlers] for functions of the package. One that writes does
// itself what is to be done about an event.
func (f *finder) returnsNothing(fn flow.Func) bool {
	own := f.flow.Lookup(fn.Name)
	return own != nil && len(own.Blocks) > 0 && !writes(f.flow.Events(own)) && !slices.ContainsFunc(cfg.Returns(own), func(ret *ssa.Return) bool {
		return len(ret.Results) != 1 || !isEmpty(ret.Results[0])
	})
}

// writes reports whether one of the events is a write.
func writes(events []flow.Event) bool {
	return slices.ContainsFunc(events, func(ev flow.Event) bool { return library.Named(ev.Callee).Write != nil })
}

// leavesQueue implements [handlers] for types of the package. What such a handler does with
// objects is no work for the controller: it notes them for another one, or for later.
func (f *finder) leavesQueue(typeName string) bool {
	return !slices.ContainsFunc(events, func(event string) bool {
		fn := f.flow.Lookup(library.Name(f.flow.Method(typeName, event)))
		return fn == nil || len(fn.Blocks) == 0 || !isUnused(fn.Params[len(fn.Params)-1], 0)
	})
}

// startsItself implements [handlers].
func (f *finder) startsItself(typeName string) bool {
	return f.flow.Method(typeName, "Start") != nil && f.flow.Method(typeName, "DeepCopyObject") == nil
}

// isUnused reports whether a parameter is only passed on to functions of the package that
// do not use it.
func isUnused(param *ssa.Parameter, depth int) bool {
	if depth > maxPassed {
		return false
	}
	return !slices.ContainsFunc(*param.Referrers(), func(ref ssa.Instruction) bool {
		call, ok := ref.(*ssa.Call)
		if !ok {
			_, ok = ref.(*ssa.DebugRef)
			return !ok
		}
		body := callee.Body(&call.Call)
		for i, arg := range callee.Args(&call.Call) {
			if arg == param && (body == nil || !isUnused(body.Params[i], depth+1)) {
				return true
			}
		}
		return false
	})
}

// maxPassed bounds how often a parameter is passed on.
const maxPassed = 4

// isEmpty reports whether v is certainly a nil slice or an empty one.
func isEmpty(v ssa.Value) bool {
	n, made := constants.Length(v)
	return constants.IsNil(v) || made && n == 0
}
