package selection

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A map function may ask an index of the cache which objects have the name of the object in
// their specs:
//
//	r.List(ctx, &things, client.MatchingFields{".spec.secretName": obj.GetName()})
//	for _, thing := range things.Items { … }
//
// If no spec has the name, the list is empty.

// isListed reports whether v is a list of objects, or the address of one. The value of an
// empty one is [decision.Nil].
func isListed(v ssa.Value) bool { return isList(types.NewPointer(library.Deref(v.Type()))) }

// isEmpty reports whether the list at the pointer v is empty because an index does not have
// the name of the object. All calls that fill the list must ask one.
func (fr *frame) isEmpty(v ssa.Value) bool {
	v = unboxed(v)
	var asked []Index
	for _, call := range listing(v, 0) {
		field, ok := fr.selector(call)
		if !ok {
			return false
		}
		asked = append(asked, Index{Type: itemType(v.Type()), Field: field})
	}
	if len(asked) == 0 {
		return false
	}
	fr.named = true
	if fr.lacks.Part != Name {
		return false
	}
	fr.ask(asked)
	return true
}

// ask notes that indexes are asked for the name.
func (in *interp) ask(indexes []Index) {
	for _, index := range indexes {
		if !slices.Contains(in.indexes, index) {
			in.indexes = append(in.indexes, index)
		}
	}
}

// itemType returns the TypeName of the items of a list, or "" if the type is not known.
func itemType(list types.Type) string {
	items, _, _ := types.LookupFieldOrMethod(list, true, nil, "Items")
	if items, ok := items.(*types.Var); ok {
		if slice, ok := types.Unalias(items.Type()).Underlying().(*types.Slice); ok {
			return library.TypeName(slice.Elem())
		}
	}
	return ""
}

// unboxed returns the value before it was converted to an interface.
func unboxed(v ssa.Value) ssa.Value {
	for {
		switch o := origin.Of(v); o.Kind {
		case origin.Boxed, origin.Renamed:
			v = o.X
		default:
			return v
		}
	}
}

// listing returns the calls that fill the list at the pointer v.
func listing(v ssa.Value, depth int) []*ssa.Call {
	if v.Referrers() == nil || depth > 3 {
		return nil
	}
	var calls []*ssa.Call
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MakeInterface, *ssa.ChangeInterface:
			calls = append(calls, listing(ref.(ssa.Value), depth+1)...)
		case *ssa.Call:
			if known := library.Of(callee.Static(&ref.Call)); known.Effect == library.ReadsList {
				calls = append(calls, ref)
			}
		}
	}
	return calls
}

// selector returns the field whose value must be the name of the object, or something made
// of it, so that a call lists an object. The field is "" if it is not a constant.
func (fr *frame) selector(list *ssa.Call) (field string, ok bool) {
	args := callee.Args(&list.Call)
	for _, opt := range elements(args[len(args)-1]) {
		opt = unboxed(opt)
		if library.TypeOf(opt.Type()).Is == library.FieldValues {
			if field, ok := fr.entry(opt); ok {
				return field, true
			}
			continue
		}
		for _, set := range stored(opt, "FieldSelector") {
			call, isCall := unboxed(set).(*ssa.Call)
			if !isCall {
				continue
			}
			known := library.Of(callee.Static(&call.Call))
			args := callee.Args(&call.Call)
			value, hasValue := known.Args.Of(library.ValueArg, len(args))
			switch {
			case !hasValue:
			case known.Effect == library.SelectsFields:
				if field, ok := fr.entry(unboxed(args[value])); ok {
					return field, true
				}
			case known.Effect == library.SelectsField && fr.hasNameIn(args[value], 0):
				key, _ := known.Args.Of(library.KeyArg, len(args))
				field, _ := constants.String(args[key])
				return field, true
			}
		}
	}
	return "", false
}

// elements returns the certain elements of a slice.
func elements(v ssa.Value) []ssa.Value {
	if elems, ok := origin.Listed(v); ok {
		return elems
	}
	if call, ok := v.(*ssa.Call); ok {
		if args := origin.Appended(call); args != nil {
			return append(elements(args[0]), elements(args[1])...)
		}
	}
	return nil
}

// entry returns the field of a map of fields whose value is made of the object's name.
func (fr *frame) entry(fields ssa.Value) (field string, ok bool) {
	if fields.Referrers() == nil {
		return "", false
	}
	for _, ref := range *fields.Referrers() {
		if update, isUpdate := ref.(*ssa.MapUpdate); isUpdate && update.Map == fields && fr.hasNameIn(update.Value, 0) {
			field, _ := constants.String(update.Key)
			return field, true
		}
	}
	return "", false
}

// stored returns the values that are stored in a field of the struct at the pointer v.
func stored(v ssa.Value, field string) []ssa.Value {
	if v.Referrers() == nil {
		return nil
	}
	var values []ssa.Value
	for _, ref := range *v.Referrers() {
		addr, ok := ref.(*ssa.FieldAddr)
		if !ok || origin.Of(addr).FieldName() != field {
			continue
		}
		for _, use := range *addr.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == addr {
				values = append(values, store.Val)
			}
		}
	}
	return values
}

// maxMade bounds the steps from a value to the name that it is made of.
const maxMade = 6

// hasNameIn reports whether a string is made of the object's name.
func (fr *frame) hasNameIn(v ssa.Value, depth int) bool {
	if depth > maxMade {
		return false
	}
	if isPart(fr.At(v), "Name") {
		return true
	}
	in := func(v ssa.Value) bool { return fr.hasNameIn(v, depth+1) }
	switch o := origin.Of(v); o.Kind {
	case origin.Boxed, origin.Renamed, origin.Converted:
		return in(o.X)
	case origin.Computed:
		return o.Y != nil && (in(o.X) || in(o.Y))
	case origin.Loaded: // a key in a variable
		return slices.ContainsFunc(stored(o.X, "Name"), in)
	case origin.Result:
		fn := callee.Static(&o.Call.Call)
		if fn == nil || !library.TraitsOfPackage(fn.Pkg()).Has(library.Pure) {
			return false
		}
		isKey := library.Of(fn).Effect == library.GetsKey
		return slices.ContainsFunc(callee.Args(&o.Call.Call), func(arg ssa.Value) bool {
			return isKey && isPart(fr.At(arg), "") || in(arg) || slices.ContainsFunc(elements(arg), in)
		})
	}
	return false
}
