package wiring

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"

	"github.com/operatorvet/operatorvet/internal/library"
)

// The client of a manager reads from its cache, unless main lists the kind:
//
//	ctrl.Options{Client: client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Pod{}}}}}

// uncachedIn notes the types in a literal of a library's type that a client does not cache.
func (s *scope) uncachedIn(options *ast.CompositeLit, typ Name) {
	for _, elt := range options.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && library.Uncached(typ.Pkg+"."+typ.Name, key.Name) {
			s.uncached(kv.Value)
		}
	}
}

// uncached notes the types of the objects in a list, or that they are not known.
func (s *scope) uncached(list ast.Expr) {
	if id, ok := list.(*ast.Ident); ok {
		if l := s.locals[id.Name]; l != nil && l.n == 1 && l.expr != nil {
			defer s.undeclare(id)()
			list = l.expr
		}
	}
	lit, ok := list.(*ast.CompositeLit)
	if !ok {
		s.survey.Uncached = append(s.survey.Uncached, Name{})
		return
	}
	for _, e := range lit.Elts {
		of := Name{}
		if v := s.value(e); v.Kind == Instance {
			of = v.Of
		}
		s.survey.Uncached = append(s.survey.Uncached, of)
	}
}

// uncachedIn returns the types that the clients of the programs with a package may not
// cache, sorted. The zero Name stands for types that are not known.
func (m *Module) uncachedIn(path string) (all []Name) {
	for s := range m.beside(path) {
		all = append(all, s.Uncached...)
	}
	slices.SortFunc(all, compareNames)
	return slices.Compact(all)
}

// Uncached reports whether the client of a manager may read objects of the type, or a list
// of them, from the API server: the module says so of their kind. Which objects stand
// behind an interface is not known.
func (v *View) Uncached(t types.Type) bool {
	if v == nil || len(v.uncached) == 0 {
		return false
	}
	named := library.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return v.uncached[0] == Name{}
	}
	return isAnyObject(named) || slices.ContainsFunc(v.uncached, func(of Name) bool {
		return of == Name{} || of.Pkg == named.Obj().Pkg().Path() && (of.Name == named.Obj().Name() || of.Name+"List" == named.Obj().Name())
	})
}

// mixesClients reports whether a program with a package puts a client that asks the API
// server into a field: a reconciler has that instead of the manager's, or beside it.
//
//	live, err := client.New(manager.GetConfig(), client.Options{})
//	return &reconciler{client: live}, err
func (m *Module) mixesClients(path string) bool { return m.isBeside(path, m.ownClients) }

// passesClients reports whether a program with a package passes such a client to a function, which may put
// it into a field.
//
//	NewFactory(manager.GetClient(), live)
func (m *Module) passesClients(path string) bool { return m.isBeside(path, m.passedClients) }

// isBeside reports whether one of the packages is part of a program with the package of the path.
func (m *Module) isBeside(path string, packages map[string]bool) bool {
	for s := range m.beside(path) {
		if packages[s.Path] {
			return true
		}
	}
	return false
}

// beside yields the packages of the programs with a package, in no order: of those that make a
// manager or controllers, if any does. Others, such as tools and tests, have no cache.
func (m *Module) beside(path string) iter.Seq[*Survey] {
	var all, managing []Program
	for _, program := range m.mains {
		if !m.sees[program][path] {
			continue
		}
		all = append(all, program)
		if m.managing[program] {
			managing = append(managing, program)
		}
	}
	if len(managing) > 0 {
		all = managing
	}
	return func(yield func(*Survey) bool) {
		for _, program := range all {
			for p := range m.sees[program] {
				if s := m.surveys[p]; s != nil && !yield(s) {
					return
				}
			}
		}
	}
}

// addClients notes whether a package puts a client that asks the API server into a field, and whether it
// passes one to a function.
func (m *Module) addClients(s *Survey) {
	isLive := func(id ValueID) bool {
		val := s.Values[id]
		return val.Kind == Result && library.MakesClient(val.Of.Pkg, val.Of.Name)
	}
	m.ownClients[s.Path] = slices.ContainsFunc(s.Stores, func(store Store) bool {
		return s.Values[store.To].Kind == Member && isLive(store.Val)
	})
	m.passedClients[s.Path] = slices.ContainsFunc(s.Calls, func(call Call) bool { return slices.ContainsFunc(call.Args, isLive) })
}

// MixesClients reports whether there are reconcilers that have a client which asks the API
// server. What a function gets for a client may then be one of these.
func (v *View) MixesClients() bool { return v != nil && v.mixesClients }

// PassesClients reports whether functions get clients that ask the API server, beside others. What a field
// has that a function fills with what it gets may then be one of these.
func (v *View) PassesClients() bool { return v != nil && v.passesClients }

// isAnyObject reports whether the type is an interface of objects, or of lists of them.
func isAnyObject(named *types.Named) bool {
	method, _, _ := types.LookupFieldOrMethod(named, false, nil, "GetObjectKind")
	return types.IsInterface(named) && method != nil
}
