package unstablewrite

import (
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/library"
)

// grows reports whether the write makes the list, the number or the text at the field larger:
// the object is the one that was read, and the API server keeps all elements. It drops owner
// references that are there already. A strategic merge and an apply leave one element for each
// key. Writes that are not part of each reconcile may follow on a change.
func grows(ev flow.Event, write *library.Write, obj flow.Object, field flow.Field) bool {
	l := field.Label
	isVersion, changes := l.OfVersion(field.Path)
	if !obj.Live && !obj.Found || !isVersion && field.Path != l.Path || isVersion && !changes || l.Object != "" && l.Object != obj.Type || field.Path == access.Fields("ObjectMeta", "OwnerReferences") {
		return false
	}
	if !reads(write) && !obj.Asked && (len(obj.Named) > 0 || obj.Constant) {
		return false // a copy with another name, which is another object
	}
	if write.Verb == library.Apply || !isVersion && !l.GrowsValue() && mergesByKey(ev, write) {
		return false
	}
	if isVersion {
		return !ev.Deleting // whatever the write records
	}
	return !ev.Deleting && len(ev.Phases) == 0 && len(ev.Once.Until) == 0 && len(ev.Once.While) == 0
}

// reads reports whether the function that writes the object also reads it, by its name.
func reads(write *library.Write) bool {
	return write.Verb == library.CreateOrUpdate || write.Verb == library.CreateOrPatch
}

// mergesByKey reports whether the patch may merge lists by the keys of their elements.
func mergesByKey(ev flow.Event, write *library.Write) bool {
	i, ok := write.Args.Of(library.PatchArg, len(ev.Args))
	if !ok {
		return false
	}
	for _, patch := range ev.Args[i].Objects {
		if library.Named(patch.From).MergesByKey {
			return true
		}
	}
	return len(ev.Args[i].Objects) == 0
}

// withoutKnown returns the findings without those of lists that grow if an element of the
// list differs each time: that is one cause.
func withoutKnown(found []finding) []finding {
	return slices.DeleteFunc(slices.Clone(found), func(f finding) bool {
		return f.source.Kind == flow.Grown && slices.ContainsFunc(found, func(g finding) bool {
			return g.source.Kind != flow.Grown && strings.HasPrefix(g.field, f.field)
		})
	})
}
