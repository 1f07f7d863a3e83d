package library

import (
	"go/types"
	"slices"
	"strings"
)

// Of returns the record of fn. The record is empty if nothing is known, and
// never nil.
//
// A method of a generated clientset has a Write if its parameters are those
// since client-go 0.18. The type that it writes is taken from its signature. An
// interface method that repeats a write or a watch of a library has the record of
// that; see [Mirrored].
func Of(fn *types.Func) *Func {
	path, recv, name := place(fn)
	f := find(path, recv, name)
	if f == unknownFunc {
		if mirrored := Named(Mirrored(fn)); mirrored.Write != nil || mirrored.Watch != nil {
			return mirrored
		}
	}
	if !f.generated {
		return f
	}
	if fn = fn.Origin(); !hasClientsetShape(fn) {
		return unknownFunc
	}
	return f.writing(TypeName(fn.Signature().Results().At(0).Type()))
}

// place returns the path of fn's package, the name of its receiver's type, and
// its name. The second is empty for a function without a receiver. All are empty
// if [Name] is.
func place(fn *types.Func) (path, recv, name string) {
	if fn == nil || fn.Pkg() == nil {
		return "", "", ""
	}
	fn = fn.Origin()
	if r := fn.Signature().Recv(); r != nil {
		named := NamedOf(r.Type())
		if named == nil {
			return "", "", "" // method of an interface literal
		}
		recv = named.Obj().Name()
	}
	return fn.Pkg().Path(), recv, fn.Name()
}

// Named is like [Of] for a function of which only the [Name] is known. It cannot
// check the signature of a generated clientset's method; whoever recorded the
// name did that.
func Named(name string) *Func {
	if strings.HasPrefix(name, ownWrite) {
		return ownWriter
	}
	path, recv, fn := split(name)
	f := find(path, recv, fn)
	if !f.generated {
		return f
	}
	version, ok := strings.CutPrefix(path, clientgo+"/kubernetes/typed/")
	if !ok {
		return f
	}
	return f.writing(kubernetesAPIs + version + "." + strings.TrimSuffix(recv, "Interface"))
}

// TypeOf returns the record of the named type behind t, in the sense of
// [TypeName]. The record is empty if nothing is known, and never nil.
func TypeOf(t types.Type) *Type {
	named := NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return unknownType
	}
	return findType(named.Obj().Pkg().Path(), named.Obj().Name())
}

// TypeNamed is like [TypeOf] for a type of which only the [TypeName] is known.
func TypeNamed(name string) *Type {
	path, _, typ := split(name)
	return findType(path, typ)
}

// VarOf returns the record of a package variable. The record is empty if nothing
// is known, and never nil.
func VarOf(obj types.Object) *Var {
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return unknownVar
	}
	return VarNamed(obj.Pkg().Path() + "." + obj.Name())
}

// VarNamed is like [VarOf] for a variable of which only the path and name are
// known.
func VarNamed(name string) *Var {
	path, recv, variable := split(name)
	if e := table[path]; e != nil && recv == "" {
		if v := e.vars[variable]; v != nil {
			return v
		}
	}
	return unknownVar
}

// split splits a [Name] or a [TypeName]. recv is empty unless the name is that
// of a method.
func split(name string) (path, recv, last string) {
	rest, ok := strings.CutPrefix(name, "(")
	if ok {
		if rest, last, ok = strings.Cut(rest, ")."); !ok {
			return "", "", ""
		}
	} else {
		rest = name
	}
	dot := strings.LastIndexByte(rest, '.')
	if dot < 0 {
		return "", "", rest
	}
	path, name = rest[:dot], rest[dot+1:]
	if ok {
		return path, name, last
	}
	return path, "", name
}

// An entry holds the records of a package by name. The key has the receiver's
// type, so that a look-up does not have to build a string.
type entry struct {
	traits Traits
	rooted bool // traits is set, also for the packages below
	resty  RestyVersion
	short  string
	funcs  map[funcKey]*Func
	types  map[string]*Type
	vars   map[string]*Var
	// mirrors lists types by the names of their methods; see [Mirrored].
	mirrors map[string][]string
}

type funcKey struct{ recv, name string }

var (
	unknownFunc = new(Func)
	unknownType = new(Type)
	unknownVar  = new(Var)
	ownWriter   = &Func{Write: &Write{Verb: Apply, Args: Slots{ObjectArg: 0}, Own: true}}
)

// packages has all records, by library.
var packages = slices.Concat(standard, kubernetes, clientGo, controllerRuntime, conditions, retries, others)

var table, twice = tabulate(packages)

// tabulate makes a table of the records, and lists the names that have several.
func tabulate(packages []Package) (table map[string]*entry, twice []string) {
	table = make(map[string]*entry)
	for _, p := range packages {
		for i, path := range append([]string{p.Path}, p.Also...) {
			e := table[path]
			if e == nil {
				e = &entry{funcs: make(map[funcKey]*Func), types: make(map[string]*Type), vars: make(map[string]*Var)}
				table[path] = e
			}
			if p.Traits != 0 && e.rooted || p.Resty != 0 && e.resty != 0 || p.Short != "" && e.short != "" {
				twice = append(twice, path)
			}
			if p.Traits != 0 {
				e.traits, e.rooted = p.Traits, true
			}
			if i == 0 {
				e.resty, e.short = max(e.resty, p.Resty), e.short+p.Short
			}
			for name, f := range p.Funcs {
				recv, method, ok := strings.Cut(name, ".")
				if !ok {
					recv, method = "", name
				}
				key := funcKey{recv, method}
				if e.funcs[key] != nil {
					twice = append(twice, path+"."+name)
				}
				e.funcs[key] = &f
			}
			for name, t := range p.Types {
				if e.types[name] != nil {
					twice = append(twice, path+"."+name)
				}
				e.types[name] = &t
			}
			for name, v := range p.Vars {
				if e.vars[name] != nil {
					twice = append(twice, path+"."+name)
				}
				e.vars[name] = &v
			}
		}
	}
	for _, e := range table {
		for _, f := range e.funcs {
			f.Unordered = f.Unordered || e.traits.Has(Unordered)
		}
		e.mirrors = mirrors(e.funcs)
	}
	return table, twice
}

func find(path, recv, name string) *Func {
	e := table[path]
	if e != nil {
		if f := e.funcs[funcKey{recv, name}]; f != nil {
			return f
		}
	}
	f := family(path, recv, name)
	if e != nil && e.traits.Has(Unordered) {
		if f == equal {
			return unorderedEqual
		}
		return unordered
	}
	return f
}

func findType(path, name string) *Type {
	if e := table[path]; e != nil {
		if t := e.types[name]; t != nil {
			return t
		}
	}
	return unknownType
}

// writing returns the record of a clientset's method that writes this type.
func (f *Func) writing(typ string) *Func {
	write := *f.Write
	write.Type = typ
	return &Func{Write: &write, generated: true}
}

// each returns the same record for each name.
func each[T any](record T, names ...string) map[string]T {
	all := make(map[string]T, len(names))
	for _, name := range names {
		all[name] = record
	}
	return all
}

// methods returns the records of a type's methods, by "Type.Method".
func methods(typ string, of map[string]Func) map[string]Func {
	all := make(map[string]Func, len(of))
	for name, f := range of {
		all[typ+"."+name] = f
	}
	return all
}
