package selection

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/decision"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A map function may take the name for the request from a label, and not look whether the
// label is there:
//
//	return []reconcile.Request{{NamespacedName: types.NamespacedName{
//		Namespace: obj.GetNamespace(),
//		Name:      obj.GetLabels()["example.com/thing"],
//	}}}
//
// No object has an empty name. So this is a request for nobody if the label is not there. A
// request with a name that is a constant, or with none, is one of a reconciler that asks for no
// name.

// returned returns the results of the function. A list of requests for nobody is an empty one.
func (fr *frame) returned() []decision.Value {
	return fr.Returned(func(v ssa.Value) decision.Value {
		if isRequests(v.Type()) && fr.areForNobody(v, make(map[*ssa.Phi]bool)) {
			return decision.Nil
		}
		return fr.At(v)
	})
}

// areForNobody reports whether all requests of a list are for nobody.
func (fr *frame) areForNobody(list ssa.Value, seen map[*ssa.Phi]bool) bool {
	if fr.At(list) == decision.Nil {
		return true
	}
	switch o := origin.Of(list); o.Kind {
	case origin.Choice:
		phi := list.(*ssa.Phi)
		if seen[phi] {
			return true
		}
		seen[phi] = true
		for i, v := range o.Edges {
			if fr.Reached(phi.Block().Preds[i]) && !fr.areForNobody(v, seen) {
				return false
			}
		}
		return true
	case origin.Result:
		args := origin.Appended(o.Call)
		return len(args) == 2 && fr.areForNobody(args[0], seen) && fr.areForNobody(args[1], seen)
	case origin.Sliced:
		_, whole := origin.Listed(list)
		return whole && fr.listsNobody(o.X)
	}
	return false
}

// listsNobody reports whether all requests in the array of a list literal are for nobody.
func (fr *frame) listsNobody(array ssa.Value) bool {
	found := false
	for _, ref := range *array.Referrers() {
		elem, ok := ref.(*ssa.IndexAddr)
		if ok && !fr.isForNobody(elem) {
			return false
		}
		found = found || ok
	}
	return found
}

// isForNobody reports whether the request at an address only gets names that are empty because the
// object lacks something.
func (fr *frame) isForNobody(addr ssa.Value) bool {
	some, none := fr.namesOf(addr, make(map[ssa.Value]bool))
	return none && !some
}

// namesOf reports whether the request at an address, or the key of one, may get the name of some
// object, and whether it gets the name of none.
func (fr *frame) namesOf(addr ssa.Value, seen map[ssa.Value]bool) (some, none bool) {
	if addr.Referrers() == nil || seen[addr] {
		return true, false
	}
	seen[addr] = true
	for _, ref := range *addr.Referrers() {
		s, n := false, false
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef: // it is read
		case *ssa.Store:
			from := origin.Of(ref.Val)
			if s = ref.Addr != addr || from.Kind != origin.Loaded; !s {
				s, n = fr.namesOf(from.X, seen)
				s = s || !n
			}
		case *ssa.FieldAddr:
			switch origin.Of(ref).FieldName() {
			case "NamespacedName":
				s, n = fr.namesOf(ref, seen)
			case "Name":
				names := origin.StoredAt(ref)
				s, n = slices.ContainsFunc(names, fr.isSomeName), len(names) > 0
			}
		default:
			s = true // something may set it
		}
		some, none = some || s, none || n
	}
	return some, none
}

// isSomeName reports whether the name for a request may be one, or is a constant.
func (fr *frame) isSomeName(name ssa.Value) bool {
	return fr.At(name) != empty || origin.Of(name).Kind == origin.Constant
}

// isNeverNamed reports whether one of the values is what the object lacks, and the other one the
// name of another object:
//
//	obj.GetLabels()["example.com/thing"] == thing.Name
func (fr *frame) isNeverNamed(o origin.Origin) bool {
	is := func(x, name ssa.Value) bool { return fr.At(x) == empty && fr.isLookedUp(x) && isNameOfObject(name) }
	return is(o.X, o.Y) || is(o.Y, o.X)
}

// isLookedUp reports whether v is what the metadata has under a key that it lacks.
func (fr *frame) isLookedUp(v ssa.Value) bool {
	if ext, ok := v.(*ssa.Extract); ok && ext.Index == 0 {
		v = ext.Tuple
	}
	o := origin.Of(v)
	return o.Kind == origin.Element && fr.isLacking(o)
}

// isNameOfObject reports whether v is the name or the namespace of an API object.
func isNameOfObject(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind == origin.Result {
		known := library.Of(callee.Static(o.Call.Common()))
		return known.Effect == library.GetsMetadata && (known.Field == "Name" || known.Field == "Namespace")
	}
	field, of := origin.FieldOf(v)
	if field == nil || field.Name() != "Name" && field.Name() != "Namespace" {
		return false
	}
	t := library.Deref(of.Type())
	return library.TypeOf(t).Is == library.ObjectMeta || isObject(types.NewPointer(t))
}
