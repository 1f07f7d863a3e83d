package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// printedAddress returns the label of an address that a call of package fmt
// prints: with %p, or because a printed value has pointers below its top level.
// It returns nil for other calls.
func (in *interp) printedAddress(c target, s *callSite) labels {
	if !library.TraitsOfPackage(c.obj.Pkg()).Has(library.Prints) || !s.sig.Variadic() {
		return nil
	}
	last := len(s.args) - 1
	format := ""
	if last > 0 && strings.HasSuffix(c.obj.Name(), "f") {
		format = s.args[last-1].constant
		if !strings.Contains(format, "%p") && !strings.Contains(format, "%v") && !strings.Contains(format, "%+v") && !strings.Contains(format, "%#v") {
			return nil
		}
	}
	prints := strings.Contains(format, "%p")
	for _, t := range variadicTypes(s.vals[last]) {
		prints = prints || holdsPointers(t, 0)
	}
	if !prints {
		return nil
	}
	return labels{in.newSource(Address, "an address printed by fmt."+c.obj.Name(), s)}
}

// variadicTypes returns the types of the arguments for a parameter of type
// ...any.
func variadicTypes(v ssa.Value) []types.Type {
	var ts []types.Type
	elems, _ := origin.Listed(v)
	for _, elem := range elems {
		if o := origin.Of(elem); o.Kind == origin.Boxed {
			ts = append(ts, o.X.Type())
		}
	}
	return ts
}

// holdsPointers reports whether fmt prints addresses in a value of the type. It
// follows a pointer at the top, and prints those below as addresses. Types that
// print themselves do not count.
func holdsPointers(t types.Type, depth int) bool {
	if depth > 6 || printsItself(t) {
		return false
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		if depth > 0 {
			return true
		}
		if _, ok := types.Unalias(u.Elem()).Underlying().(*types.Struct); !ok {
			return false // fmt prints other pointers as they are; %p says so
		}
		return holdsPointers(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsPointers(f.Type(), depth+1) {
				return true
			}
		}
	case *types.Slice:
		return holdsPointers(u.Elem(), depth+1)
	case *types.Array:
		return holdsPointers(u.Elem(), depth+1)
	case *types.Map:
		return holdsPointers(u.Elem(), depth+1)
	}
	return false
}

// printsItself reports whether the type, or a pointer to it, is a Stringer, an
// error or a Formatter. All generated API types are Stringers.
func printsItself(t types.Type) bool {
	for _, name := range []string{"String", "Error", "Format"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return library.TypeName(t) == "error"
}
