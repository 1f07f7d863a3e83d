package flow

import (
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// labelKeys returns the keys of the labels of o, the object at r.
func (in *interp) labelKeys(o *Object, r loc, st *heap) Keys {
	r = root(r)
	if o.Type == "" || in.written(st, r.under(untyped)) || in.isUnseen(r, st) {
		return Keys{}
	}
	c := keyCollector{in: in, st: st, of: r.obj, keys: Keys{Known: true}}
	c.add(metaPath(r, labelsField))
	if before := r.under(access.Marked(access.CreatedLabels)); in.written(st, before) {
		c.add(before)
	}
	if !c.keys.Known {
		return Keys{}
	}
	return c.keys
}

// labelsField is the field of metadata that has the labels.
const labelsField = "Labels"

// isUnseen reports whether code that the analysis does not see may have changed the object
// at r.
func (in *interp) isUnseen(r loc, st *heap) bool {
	return r.obj.opaque || in.written(st, r.under(access.Marked(access.Opaque))) || in.written(st, r.under(opaqueMeta))
}

// A keyCollector collects the keys of a map.
type keyCollector struct {
	in   *interp
	st   *heap
	of   *object // whose metadata has the map
	keys Keys
	seen []loc
}

// add adds the keys of the map at r, and of those that are there.
func (c *keyCollector) add(r loc) {
	if slices.Contains(c.seen, r) || !c.keys.Known {
		return
	}
	c.seen = append(c.seen, r)
	if len(c.seen) > maxHops || c.in.written(c.st, r.under(access.Marked(access.Opaque))) || c.isFilled(r) || !c.addEntries(r) {
		c.keys.Known = false
		return
	}
	v := c.st.get(r)
	isBefore := r.path.HasMarker()
	if v.unknown || v.dropped || len(v.refs) == 0 && !v.null && !isBefore {
		c.keys.Known = false
		return
	}
	for _, ref := range v.refs {
		if ref == r {
			c.addSelf(r)
		} else {
			c.add(ref)
		}
	}
}

// isFilled reports whether something was written to the place, or to what encloses it,
// that is not known as a reference: decoded text. A struct that was copied has its parts
// in cells of their own.
func (c *keyCollector) isFilled(r loc) bool {
	cells := c.st.cells(r.obj)
	if cells == nil {
		return false
	}
	for p := r.path; ; p = p.Parent() {
		if v, ok := cells.m[p]; ok && len(v.refs) == 0 && !v.null && (!v.copy || v.unknown) {
			return true
		}
		if p.IsRoot() {
			return false
		}
	}
}

// addEntries adds the keys of the entries that were written below r. It returns false if
// one of them is not known.
func (c *keyCollector) addEntries(r loc) bool {
	for _, p := range c.st.sortedPaths(r.obj) {
		rest, ok := p.Below(r.path)
		if !ok || rest.IsRoot() {
			continue
		}
		switch first := rest.First(); first.Kind {
		case access.Key:
			c.keys.Keys = addName(c.keys.Keys, first.Name)
		case access.Elem:
			v := c.st.get(loc{r.obj, p})
			if rest.Depth() > 1 || !v.entries || v.unknown || len(v.refs) == 0 {
				return false
			}
			for _, e := range v.refs { // the entries of other maps, each under its own key
				c.add(loc{e.obj, e.path.Parent()})
			}
		}
	}
	return c.keys.Known
}

// addSelf adds what the map at r had in the beginning. An object that was read has what it
// was created with.
func (c *keyCollector) addSelf(r loc) {
	switch {
	case c.st.live(r.obj) && r.obj == c.of:
	case r.obj.param >= 0:
		c.keys.Of = append(c.keys.Of, ParamPath{r.obj.param, r.path})
	case r.obj.symbolic, r.obj.opaque, r.obj.id < 0, r.obj.from != "", c.st.live(r.obj):
		c.keys.Known = false
	}
}

// hasKnownKeys reports whether all keys of the map at r are known here.
func (in *interp) hasKnownKeys(r loc, st *heap) bool {
	c := keyCollector{in: in, st: st, keys: Keys{Known: true}}
	c.add(r)
	return c.keys.Known && len(c.keys.Of) == 0
}

// keysOf translates the keys of a map of the callee: maps under parameters are those that
// the caller has there.
func (im *importer) keysOf(k Keys) Keys {
	of := k.Of
	k.Of = nil
	for _, from := range of {
		c := keyCollector{in: im.in, st: im.s.st, keys: Keys{Known: true}}
		places := im.places(from.Param, from.Path)
		if len(places) == 0 && !im.isNil(Val{Refs: []Ref{{Param: from.Param, Path: from.Path}}}) {
			return Keys{}
		}
		for _, r := range places {
			c.of = r.obj
			c.add(r)
		}
		k = k.and(c.keys)
	}
	return k
}

// and returns the keys of two maps.
func (k Keys) and(l Keys) Keys {
	if !k.Known || !l.Known {
		return Keys{}
	}
	return Keys{Known: true, Keys: addNames(k.Keys, l.Keys), Of: append(slices.Clip(k.Of), l.Of...)}
}

// createdWith returns the labels that the object at l has before it is read, by the paths of
// their cells: if the API server has no such object, the one at l is created with them.
func (h *heap) createdWith(l loc) map[access.Path]value {
	c := h.cells(l.obj)
	if c == nil {
		return nil
	}
	place, before := l.under(objectMeta.Field(labelsField)), l.path.Mark(access.CreatedLabels)
	kept := make(map[access.Path]value)
	written := false
	for p, v := range c.m {
		rest, below := p.Below(place.path)
		written = written || below || place.path.Within(p) && p.Within(l.path) && len(v.refs) > 0
		if below && !rest.IsRoot() && !rest.HasMarker() {
			kept[before.Join(rest)] = value{}
		}
	}
	if written {
		v := h.get(place)
		v.labels = nil
		kept[before] = v
	}
	return kept
}

// hasKeys reports whether the cell at a path of the object is an entry of a map, of which
// a caller may need the key.
func hasKeys(o *object, p access.Path) bool {
	last := p.Last().Kind
	if last != access.Key && last != access.Elem {
		return false
	}
	of := p.Parent()
	if of.LastField() == labelsField {
		return true
	}
	if !of.IsRoot() || last == access.Key || o.typ == nil { // that of what a callee made is not known
		return of.IsRoot()
	}
	_, ok := types.Unalias(o.typ).Underlying().(*types.Map)
	return ok
}
