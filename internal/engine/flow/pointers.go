package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// The keys of a map may be pointers, as those of a set of objects are. What they point to
// has a place under the map, beside the entries. So a range over the map yields it, and what
// is written through a key is found where the object was taken from:
//
//	for host := range hosts {
//		host.Routes = append(host.Routes, route)
//	}
//
// What the keys point to is no content of the map for those who print or compare it.

// pointerKey returns the key of a map's entry as a reference, or nothing if it is no
// pointer.
func (in *interp) pointerKey(fr *frame, m *ssa.MapUpdate, key value) value {
	if !isPointer(m.Key.Type()) {
		return value{}
	}
	kept := in.filter(fr, key, m.Key.Type())
	return value{refs: kept.refs, unknown: kept.unknown, dropped: kept.dropped}
}

// pointersOf returns the keys that a range yields as references: n goes over the maps that x
// refers to.
func (in *interp) pointersOf(n *ssa.Next, x value, st *heap) value {
	rng, ok := n.Iter.(*ssa.Range)
	if !ok {
		return value{}
	}
	m, ok := types.Unalias(rng.X.Type()).Underlying().(*types.Map)
	if !ok || !isPointer(m.Key()) {
		return value{}
	}
	keys := in.load(x.under(access.Pointers(), nil), st, m.Key())
	keys.labels = nil // they are those of the range
	keys.refs = slices.DeleteFunc(slices.Clone(keys.refs), func(r loc) bool {
		return r.path.Last().Kind == access.Pointer && !st.isGiven(r.obj) // of a map that is empty here
	})
	return keys
}
