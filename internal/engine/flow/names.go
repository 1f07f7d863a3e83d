package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// The name and the namespace of an object never change. So a filter may compare with
// those of an object that the function gets:
//
//	for _, route := range routes.Items {
//		if route.Spec.Gateway == gateway.Name { attached = append(attached, route) }
//	}
//
// The names of the elements of another sequence tell which of them there are. That may
// change.

// maxNameCalls bounds the calls through which an object is followed to what is read of it.
const maxNameCalls = 4

// isNameOfOne reports whether v is the name or the namespace of an object that the
// function gets.
func (f *filter) isNameOfOne(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind == origin.Result && readsName(o.Call.Common()) {
		return f.isOne(callee.Args(&o.Call.Call)[0])
	}
	return o.Kind == origin.Field && isNameField(o) && f.isOne(o.X)
}

// isOne reports whether v is an object that the function gets, or its metadata. What a
// function literal gets may be an element.
func (f *filter) isOne(v ssa.Value) bool {
	if f.fr.up != nil {
		return false
	}
	for range maxDepth {
		switch o := origin.Of(v); o.Kind {
		case origin.Parameter:
			return true
		case origin.Field, origin.Loaded, origin.Renamed, origin.Boxed:
			v = o.X
		default:
			return false
		}
	}
	return false
}

// asksForNames reports whether the callee reads nothing of argument number i but names, or
// the spec of one of the module's own objects. The package has the callee.
func (in *interp) asksForNames(call *ssa.CallCommon, i, depth int) bool {
	if readsName(call) {
		return true
	}
	fn := callee.Body(call)
	if fn == nil || depth == 0 || i >= len(fn.Params) {
		return false
	}
	return in.onlyNames(fn.Params[i], depth)
}

// onlyNames reports whether nothing is read of the object v but what asksForNames allows.
func (in *interp) onlyNames(v ssa.Value, depth int) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.FieldAddr:
			o := origin.Of(ref)
			isMeta := library.TypeOf(ref.Type()).Is == library.ObjectMeta
			return !isNameField(o) && !in.isConfiguration(o) && !(isMeta && in.onlyNames(ref, depth))
		case *ssa.MakeInterface, *ssa.ChangeInterface:
			return !in.onlyNames(ref.(ssa.Value), depth)
		case *ssa.Call:
			i := slices.Index(callee.Args(&ref.Call), v)
			return i < 0 || !in.asksForNames(&ref.Call, i, depth-1)
		}
		return true
	})
}

// IsOfName reports whether what lies at the path is part of the metadata of an object, or of
// the name of a request.
func IsOfName(path access.Path) bool {
	for step := range path.Steps() {
		switch {
		case step.Kind != access.Field || step.Name == "Spec":
			return false
		case step.Name == "ObjectMeta", step.Name == "NamespacedName":
			return true
		}
	}
	return path == access.Fields("Name") || path == access.Fields("Namespace")
}

// readsName reports whether the call is one of GetName or GetNamespace.
func readsName(call *ssa.CallCommon) bool {
	fn := callee.Static(call)
	if fn == nil {
		return false
	}
	known := library.Of(fn)
	return known.Effect == library.GetsMetadata && isNameOrNamespace(known.Field)
}

// isNameField reports whether the field is the name or the namespace in metadata.
func isNameField(o origin.Origin) bool {
	return isNameOrNamespace(o.FieldName()) && library.TypeOf(o.X.Type()).Is == library.ObjectMeta
}

func isNameOrNamespace(field string) bool { return field == "Name" || field == "Namespace" }
