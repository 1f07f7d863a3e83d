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
	switch list := list.(type) {
	case *ssa.Phi:
		if seen[list] {
			return true
		}
		seen[list] = true
		for i, v := range list.Edges {
			if fr.Reached(list.Block().Preds[i]) && !fr.areForNobody(v, seen) {
				return false
			}
		}
		return true
	case *ssa.Call:
		args := origin.Appended(list)
		return len(args) == 2 && fr.areForNobody(args[0], seen) && fr.areForNobody(args[1], seen)
	case *ssa.Slice:
		array, ok := list.X.(*ssa.Alloc)
		if !ok || list.Low != nil || list.High != nil {
			return false
		}
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
	return false
}

// isForNobody reports whether the request at an address, or the key of one, has a name that is
// empty because the object lacks something.
func (fr *frame) isForNobody(addr ssa.Value) bool {
	if addr.Referrers() == nil {
		return false
	}
	nobody := false
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != addr {
				return false
			}
			from := origin.Of(ref.Val)
			if from.Kind != origin.Loaded || !fr.isForNobody(from.X) {
				return false
			}
			nobody = true
		case *ssa.FieldAddr:
			switch origin.Of(ref).FieldName() {
			case "NamespacedName":
				nobody = nobody || fr.isForNobody(ref)
			case "Name":
				names := origin.StoredAt(ref)
				nobody = nobody || len(names) > 0 && !slices.ContainsFunc(names, fr.isSomeName)
			}
		}
	}
	return nobody
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
