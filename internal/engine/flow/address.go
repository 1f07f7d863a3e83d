package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// printedAddress returns the label of an address that a call of package fmt prints: with %p,
// or because a printed value has pointers below its top level. Of what the function gets as
// an interface, its callers know that. It returns nil for other calls.
func (in *interp) printedAddress(fr *frame, c target, s *callSite) labels {
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
	l := in.newSource(Address, "an address printed by fmt."+c.obj.Name(), s)
	if strings.Contains(format, "%p") {
		return labels{l}
	}
	return in.addressIn(fr, l, s.vals[last], s.args[last].under(access.Elems(), nil))
}

// addressIn returns the label l if one of the elements of a list of interface values has
// pointers. Of the elements that the function gets, at places among the given ones, it returns
// the symbols.
func (in *interp) addressIn(fr *frame, l Label, list ssa.Value, given value) labels {
	elems, ok := origin.Listed(list)
	if !ok {
		return l.printedAt(given)
	}
	var all labels
	for _, elem := range elems {
		if !in.isOfNoCase(elem, blockOf(list)) {
			all = all.union(in.addressOf(l, elem, in.reg(fr, elem)))
		}
	}
	return all
}

// isOfNoCase reports whether control only reaches the block if v has none of some types. What
// is passed has one of them:
//
//	switch obj := obj.(type) {
//	case *v1.Thing: …
//	default: return fmt.Errorf("unexpected object %v", obj)
//	}
func (in *interp) isOfNoCase(v ssa.Value, b *ssa.BasicBlock) bool {
	for br := range cfg.Branches(in.control.Of(b)...) {
		if assert := assertion(br.Value); !br.Holds && assert != nil && sameValue(assert.X, origin.Through(v, origin.Renamed)) {
			return true
		}
	}
	return false
}

// addressOf is addressIn for one interface value.
func (in *interp) addressOf(l Label, v ssa.Value, given value) labels {
	if o := origin.Of(v); o.Kind != origin.Boxed {
		return l.printedAt(given)
	} else if holdsPointers(o.X.Type(), 0) {
		return labels{l}
	}
	return nil
}

// printedAt returns the symbols for the address l of the values that are given to the
// function.
func (l Label) printedAt(given value) labels {
	var all labels
	for _, r := range given.refs {
		if r.obj.param >= 0 {
			p := l
			p.Kind, p.Param, p.Path = Printed, r.obj.param, r.path
			all = all.union(labels{p})
		}
	}
	return all
}

// printed translates the label of what the callee prints: one of its arguments, or of the
// elements of one.
func (im *importer) printed(l Label) labels {
	if l.Param >= len(im.s.args) || im.s.vals[l.Param] == nil {
		return nil
	}
	in, arg := im.in, im.s.args[l.Param]
	address := Label{Kind: Address, What: l.What, At: l.At, Pos: l.Pos, End: l.End}
	if im.foreign {
		address.Pos, address.End = in.callSpan(im.s.instr)
	}
	switch l.Path {
	case access.Path{}:
		return in.addressOf(address, im.s.vals[l.Param], arg)
	case access.Elems():
		return in.addressIn(im.fr, address, im.s.vals[l.Param], arg.under(access.Elems(), nil))
	}
	return nil
}

// holdsPointers reports whether fmt prints addresses in a value of the type. It
// follows a pointer to a struct, a list or a map at the top, and prints all others as
// addresses. Types that print themselves do not count.
func holdsPointers(t types.Type, depth int) bool {
	if depth > 6 || printsItself(t) {
		return false
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		if depth > 0 {
			return true
		}
		switch types.Unalias(u.Elem()).Underlying().(type) {
		case *types.Struct, *types.Slice, *types.Array, *types.Map:
			return holdsPointers(u.Elem(), depth+1)
		}
		return true
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

// printsItself reports whether the type is a Stringer, an error or a Formatter. Pointers to
// generated API types are Stringers, but the types are not.
func printsItself(t types.Type) bool {
	for _, name := range []string{"String", "Error", "Format"} {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return library.TypeName(t) == "error"
}
