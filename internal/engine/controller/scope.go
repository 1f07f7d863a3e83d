package controller

import (
	"go/types"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
)

// clusterPrefix begins the names of kinds of which there are two, for objects in
// namespaces and for objects of the cluster: Role and ClusterRole.
const clusterPrefix = "Cluster"

// scopeOf returns the scope of the objects of a type, given by its TypeName, if the
// package that declares it shows that: it declares the type for the other scope, too.
func (f *finder) scopeOf(typeName string) flow.Scope {
	dot := strings.LastIndexByte(typeName, '.')
	if dot < 0 {
		return flow.AnyScope
	}
	pkg, name := f.packageOf(typeName[:dot]), typeName[dot+1:]
	if pkg == nil {
		return flow.AnyScope
	}
	if other, ok := strings.CutPrefix(name, clusterPrefix); ok && declaresObject(pkg, other) {
		return flow.ClusterScope
	}
	if declaresObject(pkg, clusterPrefix+name) {
		return flow.NamespaceScope
	}
	return flow.AnyScope
}

// declaresObject reports whether the package declares a type of objects of that name.
func declaresObject(pkg *types.Package, name string) bool {
	decl, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return false
	}
	field, _, _ := types.LookupFieldOrMethod(decl.Type(), true, pkg, "ObjectMeta")
	return field != nil
}

// packageOf returns the package with the path, if the package of the pass is that one or
// imports it, directly or not.
func (f *finder) packageOf(path string) *types.Package {
	seen := make(map[*types.Package]bool)
	var find func(pkg *types.Package) *types.Package
	find = func(pkg *types.Package) *types.Package {
		if pkg.Path() == path {
			return pkg
		}
		if seen[pkg] {
			return nil
		}
		seen[pkg] = true
		for _, imp := range pkg.Imports() {
			if found := find(imp); found != nil {
				return found
			}
		}
		return nil
	}
	return find(f.pass.Pkg)
}

// scopeOfAll returns the scope that all types have.
func (f *finder) scopeOfAll(typeNames []string) flow.Scope {
	scope := flow.AnyScope
	for i, name := range typeNames {
		if s := f.scopeOf(name); i == 0 {
			scope = s
		} else if s != scope {
			return flow.AnyScope
		}
	}
	return scope
}
