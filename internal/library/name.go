// Package library describes functions of the Kubernetes libraries, and of other
// libraries that operators commonly use, as far as they matter to the rules.
//
// The knowledge is data: one record for each function, type, variable and
// package, in the file of its library. [Of], [TypeOf], [VarOf] and [TraitsOf]
// look up records. Without a record nothing is known, and rules are silent.
package library

import "go/types"

// Name returns the name of fn in the records: its package path and name, with
// the receiver's type in parentheses and without a star, such as
//
//	time.Sleep
//	(sigs.k8s.io/controller-runtime/pkg/client.Writer).Update
//
// An instance of a generic function has the name of the generic function. A
// method of an interface is named after the interface that declares it, so
// Update called on a client.Client is the Writer's. Name returns "" for nil and
// for functions without a package.
func Name(fn *types.Func) string {
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	fn = fn.Origin()
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Pkg().Path() + "." + fn.Name()
	}
	named := NamedOf(recv.Type())
	if named == nil {
		return "" // method of an interface literal
	}
	return "(" + TypeName(named) + ")." + fn.Name()
}

// TypeName returns the name of a named type, its package path and name:
// "k8s.io/api/core/v1.ConfigMap". It looks through a pointer and through
// aliases, and returns "" if the type is not named.
func TypeName(t types.Type) string {
	named := NamedOf(t)
	if named == nil {
		return ""
	}
	obj := named.Obj()
	if obj.Pkg() == nil {
		return obj.Name() // error, comparable
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// NamedOf returns the named type behind t, or nil. It looks through one pointer
// and through aliases.
func NamedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// SameNamed reports whether both types, or what they point to, have one named
// type, with whatever type arguments.
func SameNamed(a, b types.Type) bool {
	n, m := NamedOf(a), NamedOf(b)
	return n != nil && m != nil && n.Obj() == m.Obj()
}

// Deref returns the element type if t is a pointer type, also a named one, else
// t.
func Deref(t types.Type) types.Type {
	if ptr, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// IsError reports whether t is the predeclared type error.
func IsError(t types.Type) bool { return types.Identical(t, predeclaredError) }

// ImplementsError reports whether values of type t are errors.
func ImplementsError(t types.Type) bool {
	return types.Implements(t, predeclaredError.Underlying().(*types.Interface))
}

var predeclaredError = types.Universe.Lookup("error").Type()
