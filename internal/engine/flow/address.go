package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
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
	return in.addressIn(fr, l, s.vals[last], s.args[last].under(access.Elems(), nil), verbs(format))
}

// verbs returns the verbs of a format, one for each operand, or nil if operands have numbers or are
// widths.
func verbs(format string) (all []byte) {
	for _, verb := range formatVerb.FindAllString(format, -1) {
		switch {
		case strings.ContainsAny(verb, "[*"):
			return nil
		case verb != "%%":
			all = append(all, verb[len(verb)-1])
		}
	}
	return all
}

// addressIn returns the label l if one of the elements of a list of interface values has
// pointers, and is not printed with a verb that shows something else of it: %T prints its type.
// Of the elements that the function gets, at places among the given ones, it returns the symbols.
func (in *interp) addressIn(fr *frame, l Label, list ssa.Value, given value, verbs []byte) labels {
	elems, ok := origin.Listed(list)
	if !ok {
		return l.printedAt(given)
	}
	var all labels
	for i, elem := range elems {
		if i < len(verbs) && verbs[i] != 'v' {
			continue
		}
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
//
// meta.Accessor fails for what is no object, and an object in the cluster has a name and a kind.
func (in *interp) isOfNoCase(v ssa.Value, b *ssa.BasicBlock) bool {
	v = origin.Through(v, origin.Renamed)
	lacks := func(br cfg.Branch) bool { return lacksIdentity(br.Condition, v) }
	if slices.ContainsFunc(in.control.Of(b), func(g cfg.Group) bool {
		return !slices.ContainsFunc(g, func(way cfg.Way) bool { return !slices.ContainsFunc(way, lacks) })
	}) {
		return true
	}
	for br := range cfg.Branches(in.control.Of(b)...) {
		if assert := assertion(br.Value); !br.Holds && assert != nil && sameValue(assert.X, v) {
			return true
		}
		if of := notOfType(br.Condition); of != nil && sameValue(origin.Through(of, origin.Renamed), v) {
			return true
		}
	}
	return false
}

// notOfType returns the value for which a library function that only looks at its argument in
// another way has failed, if the condition is that.
func notOfType(c cfg.Condition) ssa.Value {
	err, isNil, ok := c.Stripped().Nil()
	if !ok || isNil || !library.IsError(err.Type()) {
		return nil
	}
	call := origin.Of(err).Call
	if call == nil {
		return nil
	}
	args := callee.Args(&call.Call)
	i, ok := library.Of(callee.Static(&call.Call)).Args.Of(library.ReturnedArg, len(args))
	if !ok {
		return nil
	}
	return args[i]
}

// lacksIdentity reports whether the condition is that the object has no name, namespace or kind.
func lacksIdentity(c cfg.Condition, object ssa.Value) bool {
	cmp, ok := c.Stripped().Comparison()
	if !ok || cmp.Op != token.EQL || !constants.IsZero(cmp.Y) {
		return false
	}
	v := measured(cmp.X)
	for range maxIdentity {
		switch o := origin.Of(v); o.Kind {
		case origin.Field:
			if o.FieldName() != "Kind" {
				return false
			}
			v = o.X
		case origin.Renamed:
			v = o.X
		case origin.Result:
			args := callee.Args(&o.Call.Call)
			if fn := callee.Static(&o.Call.Call); fn == nil || len(args) != 1 || !slices.Contains(identity, fn.Name()) {
				return false
			}
			v = args[0]
		default:
			return false
		}
		if sameValue(v, object) {
			return true
		}
	}
	return false
}

// identity are the functions that lead from an object to what identifies it, and maxIdentity bounds
// how many of them do.
var identity = []string{"Accessor", "GetName", "GetNamespace", "GetObjectKind", "GroupVersionKind"}

const maxIdentity = 6

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
		return in.addressIn(im.fr, address, im.s.vals[l.Param], arg.under(access.Elems(), nil), nil)
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
