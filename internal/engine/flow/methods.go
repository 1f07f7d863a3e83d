package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// methods returns the methods that a call through an interface may reach. They
// are those of the receiver's dynamic types if these are known, else of the types
// stored in the field that the receiver comes from, else of the interface's only
// implementation.
func (in *interp) methods(c target, recv ssa.Value, site *callSite) []target {
	var cs []target
	known := 0
	for _, r := range site.args[0].refs {
		if m, ok := in.method(in.typeNameOf(r), c.obj.Name(), r); ok {
			if !slices.ContainsFunc(cs, func(d target) bool { return d.name == m.name && len(m.recv) == 0 && len(d.recv) == 0 }) {
				cs = append(cs, m)
				known++
			}
		} else if r.obj.param >= 0 {
			cs = append(cs, target{param: &FuncRef{Param: r.obj.param, Path: r.path, Method: c.obj.Name()}})
		}
	}
	if known == 0 {
		for _, t := range in.candidates(structFieldOf(recv), recv.Type()) {
			r := in.standIn(recv, t)
			if m, ok := in.method(t, c.obj.Name(), r); ok {
				if len(m.recv) == 0 {
					m.recv = []value{{refs: []loc{r}, funcs: in.adapted(structFieldOf(recv), t)}}
				}
				cs = append(cs, m)
				known++
			}
		}
	}
	if len(cs) == 0 {
		return []target{c}
	}
	if known > 1 {
		for i := range cs {
			cs[i].maybe = len(site.args[0].refs) != known
		}
	}
	return cs
}

// mirrored returns the targets of a call through an interface of the module that
// repeats the library's method of that name. They are the given ones, methods of
// the module's types, or else the library's method. It is the library's unless the
// caller passes in an object with another method. A method that wraps another one of
// its name wraps the library's in the end, and not itself.
func (in *interp) mirrored(fr *frame, name string, found []target) []target {
	libs := target{name: name}
	var params []target
	for _, c := range found {
		switch {
		case c.param != nil:
			libs.through = c.param
			params = append(params, c)
		case c.isOfModule() && (c.fn == nil || c.fn != fr.fn):
			return found
		}
	}
	if len(params) > 1 {
		return found // several objects of the caller
	}
	return append(params, libs)
}

// isOfModule reports whether the target is a method with a body that is not a
// library's.
func (c target) isOfModule() bool {
	return c.obj == nil || !types.IsInterface(recvType(c.obj)) && !library.TraitsOfPackage(c.obj.Pkg()).Has(library.UsesCluster)
}

// standIn returns an object of which only the TypeName is known. Each value has one
// of its own, although several may be loaded from one field. So what a call does to
// one is not seen in another: the objects below may have owners.
func (in *interp) standIn(at any, typeName string) loc {
	type key struct {
		at       any
		typeName string
	}
	o := in.object(site{at: key{at, typeName}}, in.typeOf(typeName))
	o.symbolic, o.opaque, o.name = true, true, typeName
	return loc{obj: o}
}

// method returns the method of a type as the target of a call on the object at r.
// The receiver of a promoted method is the embedded field.
func (in *interp) method(typeName, name string, r loc) (target, bool) {
	t := in.typeOf(typeName)
	if t == nil {
		// Export data has no types that other packages cannot name.
		full := "(" + typeName + ")." + name
		if lit := in.literal(full); lit != nil {
			return target{name: full, lit: &fval{ref: &FuncRef{Name: full, Param: -1}}}, true
		}
		return target{}, false
	}
	if types.IsInterface(t) {
		return target{}, false
	}
	pkg := in.pass.Pkg
	if !token.IsExported(name) {
		pkg = library.NamedOf(t).Obj().Pkg()
	}
	m, index, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, pkg, name)
	fn, ok := m.(*types.Func)
	if !ok || types.IsInterface(recvType(fn)) {
		return target{}, false
	}
	c := in.ofObject(fn)
	c.typ = typeName
	if path := embeddedPath(t, index); !path.IsRoot() {
		c.recv = []value{refTo(r.under(path))}
	}
	return c, true
}

// embeddedPath returns the access path of the embedded fields that lead to a
// promoted method.
func embeddedPath(t types.Type, index []int) access.Path {
	var path access.Path
	for _, i := range index[:len(index)-1] {
		s, ok := types.Unalias(library.Deref(t)).Underlying().(*types.Struct)
		if !ok {
			break
		}
		path = path.Field(s.Field(i).Name())
		t = s.Field(i).Type()
	}
	return path
}

// candidates returns the TypeNames of the concrete types that an interface value
// may have: those that the module or the package stores in its field, or else the
// only implementation of the interface.
func (in *interp) candidates(field *types.Var, iface types.Type) []string {
	var names []string
	if impls, ok := in.view.Types(field); ok {
		for _, t := range impls {
			names = append(names, library.TypeName(t))
		}
		return names
	}
	for _, s := range in.fields.get(field) {
		for _, name := range in.dynamicTypes(s) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		if t := in.onlyImplementation(iface); t != nil {
			names = append(names, library.TypeName(t))
		}
	}
	return names
}

// adapted returns the functions that the package stores in the field as values of a type with the
// method that calls them:
//
//	type NewFunc func() Syncer
//	func (f NewFunc) New() Syncer { return f() }
func (in *interp) adapted(field *types.Var, typeName string) (funcs []*fval) {
	for _, s := range in.fields.get(field) {
		adapter := origin.Through(s, origin.Boxed)
		if library.TypeName(adapter.Type()) != typeName {
			continue
		}
		if fn, ok := origin.Through(adapter, origin.Renamed).(*ssa.Function); ok {
			funcs = append(funcs, in.fval(fn))
		}
	}
	return funcs
}

// wired returns the predicate that the module puts into the field that v is loaded
// from, if val is not known and there is one only. A predicate without functions in
// it is known by its type.
func (in *interp) wired(v ssa.Value, val value) value {
	if len(val.refs) != 1 || val.refs[0].obj.param < 0 || library.TypeOf(v.Type()).Is != library.Predicate {
		return val
	}
	impls, ok := in.view.Types(structFieldOf(v))
	if !ok || len(impls) != 1 || library.TypeOf(impls[0]).Is == library.FuncsPredicate {
		return val
	}
	return refTo(in.standIn(v, library.TypeName(impls[0])))
}

// dynamicTypes returns the TypeNames of the dynamic types of an interface value,
// if it is converted from a concrete type or is the result of a function of
// another package.
func (in *interp) dynamicTypes(v ssa.Value) []string {
	switch o := origin.Of(v); o.Kind {
	case origin.Boxed:
		if name := library.TypeName(o.X.Type()); name != "" {
			return []string{name}
		}
	case origin.Result:
		obj := callee.Static(o.Call.Common())
		if obj == nil || o.Call.Call.IsInvoke() {
			return nil
		}
		sum := in.imported(obj)
		if sum == nil || o.Index >= len(sum.Results) {
			return nil
		}
		var names []string
		for _, ref := range sum.Results[o.Index].Refs {
			for _, obj := range sum.Objects {
				if ref.Param < 0 && ref.Path.IsRoot() && obj.ID == ref.Obj && obj.Type != "" {
					names = append(names, obj.Type)
				}
			}
		}
		return names
	}
	return nil
}

// maxHolders bounds the steps from an element to the field that it is read from.
const maxHolders = 8

// structFieldOf returns the field that v, or the sequence with the element v, is
// read from, or nil.
func structFieldOf(v ssa.Value) *types.Var {
	for range maxHolders {
		switch o := origin.Of(v); o.Kind {
		case origin.Field:
			return o.Field
		case origin.Loaded, origin.Element, origin.Item, origin.Iterator, origin.Renamed, origin.Asserted:
			v = o.X
		default:
			return nil
		}
	}
	return nil
}

// staticAt returns the static type at r, or nil, and the last field on the path
// to it. They follow from the type of the object.
func staticAt(r loc) (t types.Type, field *types.Var) { return staticAlong(r.obj.typ, r.path) }

// staticAlong is staticAt for a path of an object of the type.
func staticAlong(t types.Type, path access.Path) (_ types.Type, field *types.Var) {
	for step := range path.Steps() {
		if t == nil {
			break
		}
		switch u := types.Unalias(library.Deref(t)).Underlying().(type) {
		case *types.Struct:
			t = nil
			for i := range u.NumFields() {
				if step.Kind == access.Field && u.Field(i).Name() == step.Name {
					field = u.Field(i).Origin()
					t = field.Type()
				}
			}
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			t = nil
		}
	}
	return t, field
}
