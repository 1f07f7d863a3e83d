package library

import (
	"go/types"
	"maps"
	"slices"
)

// Mirrored returns the [Name] of the library's method that an interface method of
// another package repeats, with the same name and signature:
//
//	type updater interface {
//		Update(ctx context.Context, obj client.Object, opts ...client.UpdateOption) error
//	}
//
// The library's client has that method, so a call through the interface is that
// write. The same holds for reads and watches, and for a typed clientset. The
// method of a builder may return the interface instead of the builder.
//
// Mirrored returns "" if there is no such method, or several. A type of the
// module may implement the interface with another meaning, so callers look for
// implementations first.
func Mirrored(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil || !mirrorable[fn.Name()] && clientsetMirrors[fn.Name()] == "" {
		return ""
	}
	fn = fn.Origin()
	recv := fn.Signature().Recv()
	if recv == nil || table[fn.Pkg().Path()] != nil || find(place(fn)) != unknownFunc {
		return ""
	}
	iface, ok := recv.Type().Underlying().(*types.Interface)
	if !ok {
		return ""
	}
	if mirrorsClientset(fn) {
		return clientsetMirrors[fn.Name()]
	}
	found := ""
	for _, pkg := range mentioned(iface) {
		e := table[pkg.Path()]
		if e == nil {
			continue
		}
		for _, recv := range e.mirrors[fn.Name()] {
			obj, ok := pkg.Scope().Lookup(recv).(*types.TypeName)
			if !ok {
				continue // in another version of the library
			}
			m, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, fn.Name())
			if m, ok := m.(*types.Func); ok && sameCall(fn, m, e.funcs[funcKey{recv, fn.Name()}]) {
				if name := Name(m); found == "" || found == name {
					found = name
					continue
				}
				return "" // an update of the object, or of its status
			}
		}
	}
	return found
}

// IsClient reports whether values of the type are clients of controller-runtime: an interface of
// another package counts that has the library's methods to list and to write objects, because it
// embeds the library's interface or repeats them.
func IsClient(t types.Type) bool {
	if is := TypeOf(t).Is; is != 0 {
		return is == Client
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	lists, writes := false, false
	for m := range iface.Methods() {
		known := Of(m)
		if name := Mirrored(m); name != "" {
			known = Named(name)
		}
		lists = lists || known.Effect == ReadsList
		writes = writes || known.Write != nil
	}
	return lists && writes
}

// sameCall reports whether fn has the signature of m, of which f is the record.
func sameCall(fn, m *types.Func, f *Func) bool {
	mine, its := fn.Signature(), m.Signature()
	if types.Identical(mine, its) {
		return true
	}
	return f.Role().ReturnsReceiver() && mine.Results().Len() == 1 && types.Identical(mine.Results().At(0).Type(), mine.Recv().Type()) &&
		mine.Variadic() == its.Variadic() && types.Identical(mine.Params(), its.Params())
}

// mentioned returns the packages of the types in the signatures of an interface,
// sorted by path.
func mentioned(iface *types.Interface) []*types.Package {
	pkgs := make(map[string]*types.Package)
	add := func(obj *types.TypeName) {
		if obj.Pkg() != nil {
			pkgs[obj.Pkg().Path()] = obj.Pkg()
		}
	}
	for m := range iface.Methods() {
		for _, tuple := range []*types.Tuple{m.Signature().Params(), m.Signature().Results()} {
			for v := range tuple.Variables() {
				t := v.Type()
				if slice, ok := t.(*types.Slice); ok {
					t = slice.Elem()
				}
				if alias, ok := t.(*types.Alias); ok {
					add(alias.Obj())
				}
				if named := NamedOf(t); named != nil {
					add(named.Obj())
				}
			}
		}
	}
	var all []*types.Package
	for _, path := range slices.Sorted(maps.Keys(pkgs)) {
		all = append(all, pkgs[path])
	}
	return all
}

// mirrors lists the types with a record of a read, a write or a watch, by the
// name of the method.
func mirrors(funcs map[funcKey]*Func) map[string][]string {
	all := make(map[string][]string)
	for key, f := range funcs {
		if key.recv != "" && (f.Write != nil || f.Watch != nil || f.Effect == ReadsObject || f.Effect == ReadsList) {
			all[key.name] = append(all[key.name], key.recv)
		}
	}
	for _, recvs := range all {
		slices.Sort(recvs)
	}
	return all
}

// mirrorable has the names of the methods that [entry.mirrors] lists.
var mirrorable = func() map[string]bool {
	names := make(map[string]bool)
	for _, e := range table {
		for name := range e.mirrors {
			names[name] = true
		}
	}
	return names
}()

// clientsetMirrors has the methods by which client-go implements those of typed
// clientsets that write an object.
var clientsetMirrors = map[string]string{
	"Create":       "(" + gentype + ".Client).Create",
	"Update":       "(" + gentype + ".Client).Update",
	"UpdateStatus": "(" + gentype + ".Client).UpdateStatus",
}

// mirrorsClientset reports whether fn has the signature of a typed clientset's
// method that writes an object: it takes and returns an object of the same type,
// which may be a type parameter.
func mirrorsClientset(fn *types.Func) bool {
	if clientsetMirrors[fn.Name()] == "" || !hasClientsetShape(fn) {
		return false
	}
	sig := fn.Signature()
	obj := sig.Params().At(1).Type()
	_, generic := types.Unalias(obj).(*types.TypeParam)
	return sig.Params().Len() == 3 && types.Identical(obj, sig.Results().At(0).Type()) && (generic || isObject(obj))
}
