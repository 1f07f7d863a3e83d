package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

func (in *interp) store(fr *frame, s *ssa.Store, st *heap) {
	if in.isFirstOfNil(s) {
		return
	}
	addr := in.reg(fr, s.Addr)
	val := in.ofTypesAt(s, in.reg(fr, s.Val))
	v := in.filter(fr, val, s.Val.Type())
	if in.guarded(fr) && isAggregate(s.Val.Type()) {
		v.refs = unionRefs(v.refs, partlyFeeding(val, fr.guards)) // assign copies the parts
	}
	isOld := !slices.ContainsFunc(addr.refs, func(r loc) bool { return !st.isOld(r.obj) })
	if stable, ok := in.stableIn(st, v, fr.guards, isOld); ok {
		v = stable
	}
	v = storedOnce(v, s.Val.Type(), addr.refs, fr.guards)
	if isOld && in.isOverlaid(s) {
		v, _ = in.stable(st, v, []guard{{}})
	}
	if ia, ok := s.Addr.(*ssa.IndexAddr); ok {
		in.orderByCounter(fr, ia, v, st)
	}
	if library.IsString(s.Val.Type()) {
		v.labels = in.accumulated(fr, s.Addr, addr, s.Val, v.labels)
	}
	if l, ok := in.grown(fr, s, addr, st); ok {
		for _, r := range v.refs {
			st.put(r.under(access.Ordering()), value{labels: labels{l}}, false)
		}
	}
	if l, ok := in.addedTo(fr, s, addr, st); ok {
		v.labels = v.labels.union(labels{l})
	}
	if l, ok := in.ownVersion(fr, s, s.Val, origin.Of(s.Addr).FieldName(), st); ok {
		v.labels = v.labels.union(labels{l})
	}
	strong := len(addr.refs) == 1 && !addr.unknown
	for _, r := range addr.refs {
		in.assign(st, r, v, s.Val.Type(), strong, fr.guards)
	}
}

// storedOnce returns v, of the type t, which is stored in objects of the API that the function
// gets or reads, without the texts, maps and lists of the caller that do not feed the guards:
//
//	if service.CreationTimestamp.IsZero() { service.Annotations = wanted.Annotations }
//
// The object keeps them, whatever the caller wants the next time. A parameter that a generic
// function stores may be a text, wherever that is.
func storedOnce(v value, t types.Type, dest []loc, guards []guard) value {
	isOpen := isOpenType(t)
	once := isBasic(t) || isMapType(t) || isSliceType(t)
	if len(guards) == 0 || !isOpen && (!once || slices.ContainsFunc(dest, func(r loc) bool { return !isInObject(r) })) {
		return v
	}
	v.refs = slices.DeleteFunc(slices.Clone(v.refs), func(r loc) bool {
		if r.obj.param < 0 || isOpen && !r.path.IsRoot() {
			return false
		}
		left, ok := leftOrNamed(guards, Label{Kind: Content, Param: r.obj.param, Path: r.path})
		once := (!ok || left.Kind == Named) && len(feedingParts(r, guards)) == 0
		v.dropped = v.dropped || once && !ok
		return once
	})
	return v
}

// isOpenType reports whether t is a type parameter that may be a text.
func isOpenType(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false
	}
	constraint, ok := p.Constraint().Underlying().(*types.Interface)
	return ok && types.Satisfies(types.Typ[types.String], constraint)
}

// mayBeBasic reports whether values of the type are basic, or may be texts.
func mayBeBasic(t types.Type) bool { return isBasic(t) || isOpenType(t) }

// isInObject reports whether the place is in an object of the API.
func isInObject(r loc) bool {
	if r.obj.typ == nil {
		return false
	}
	s, ok := r.obj.typ.Underlying().(*types.Struct)
	return ok && isObject(s)
}

// A stableKey identifies the copy of what is referred to at a place, under guards.
type stableKey struct {
	of    loc
	isOld bool
}

// maxStable bounds the values without identity, one within the other, of which stable
// makes copies: a list of structs that have times.
const maxStable = 4

// stable returns v with copies in place of the values that it refers to, if these
// differ from reconcile to reconcile: maps, slices with their elements, times, and
// basic values. What the guards drop is not part of the copies. Elsewhere the same
// values may be used without a guard. Orders stay: a later sort must find the same
// sequence.
//
//	now := metav1.Now()
//	if status.StartTime == nil { status.StartTime = &now }
func (in *interp) stable(st *heap, v value, guards []guard) (value, bool) {
	return in.stableIn(st, v, guards, false)
}

// stableIn is stable for what is stored in an object. In one that was given or read, orders do not
// stay:
//
//	if !sets.New(thing.Status.IPs...).Equal(sets.New(ips...)) { thing.Status.IPs = ips }
func (in *interp) stableIn(st *heap, v value, guards []guard, isOld bool) (value, bool) {
	if len(guards) == 0 {
		return v, false
	}
	return in.stableRefs(st, v, &differing{st: st, guards: guards, orders: isOld}, isPlain, maxStable)
}

// stableRefs is stable for the references that has chooses, at one depth.
func (in *interp) stableRefs(st *heap, v value, by *differing, has func(loc) bool, depth int) (value, bool) {
	changed := false
	search := *by
	for i, r := range v.refs {
		if !has(r) || !search.at(r, depth) {
			continue
		}
		o := in.object(site{at: stableKey{r, by.orders}}, r.obj.typ)
		o.name, o.from = r.obj.name, r.obj.from
		st.reset(o)
		for _, p := range st.sortedPaths(r.obj) {
			cell := st.cells(r.obj).m[p]
			cell.labels = cell.labels.transform(func(l Label) (Label, bool) {
				if kept, ok := leftUnder(by.guards, l); ok || l.Kind < Clock || l.IsOrder() && !by.orders {
					return kept, true
				}
				return l.guarded()
			})
			cell, _ = in.stableRefs(st, cell, by, partOf(r, p), depth-1)
			st.set(loc{o, p}, cell)
		}
		if !changed {
			v.refs = slices.Clone(v.refs)
		}
		v.refs[i], changed = loc{obj: o}, true
	}
	if changed {
		slices.SortFunc(v.refs, compareLocs)
	}
	return v, changed
}

// partOf returns a function that reports whether what the cell at the path under r
// refers to is part of the value at r: a value without identity, or a struct that is an
// element of a sequence.
func partOf(r loc, p access.Path) func(loc) bool {
	elements := p == access.Elems() && r.obj.typ != nil && holdsStructs(r.obj.typ)
	return func(part loc) bool {
		return isPlain(part) || elements && isMade(part)
	}
}

// holdsStructs reports whether the elements of a sequence or map of the type are
// structs, and no pointers to structs.
func holdsStructs(t types.Type) bool {
	of, ok := types.Unalias(t).Underlying().(interface{ Elem() types.Type })
	if !ok {
		return false
	}
	_, ok = of.Elem().Underlying().(*types.Struct)
	return ok
}

// isMade reports whether r is a whole object that the function made.
func isMade(r loc) bool {
	return r.obj.param < 0 && !r.obj.symbolic && !r.obj.opaque && r.path.IsRoot()
}

// isPlain reports whether r is a value without identity that the function made: no
// struct, other than a time.
func isPlain(r loc) bool {
	if !isMade(r) {
		return false
	}
	if library.TypeNamed(r.obj.name).Is.IsTime() {
		return true
	}
	if r.obj.typ == nil {
		return r.obj.name == ""
	}
	if isTime(r.obj.typ) {
		return true
	}
	switch types.Unalias(r.obj.typ).Underlying().(type) {
	case *types.Map, *types.Slice, *types.Array, *types.Basic:
		return true
	}
	return false
}

// differing searches for labels of sources that guards drop.
type differing struct {
	st     *heap
	guards []guard
	orders bool            // orders count, too
	seen   map[*object]int // the depths to which objects have been searched in vain
}

// at reports whether the object at r, or a part of it, has such labels. It searches an
// object once: parts that refer to each other would take exponential time in the depth.
func (d *differing) at(r loc, depth int) bool {
	if depth == 0 || d.seen[r.obj] >= depth {
		return false
	}
	c := d.st.cells(r.obj)
	for _, p := range c.paths() {
		d.st.spend(1)
		cell := c.m[p]
		if slices.ContainsFunc(cell.labels, d.drops) {
			return true
		}
		isPart := partOf(r, p)
		for _, part := range cell.refs {
			if !isPart(part) {
				continue
			}
			if d.seen == nil {
				d.seen = make(map[*object]int)
			}
			d.seen[r.obj] = depth
			if d.at(part, depth-1) {
				return true
			}
		}
	}
	return false
}

// drops reports whether the label is one of a source, and nothing of it is left under the
// guards.
func (d *differing) drops(l Label) bool {
	if !l.IsSource() || l.IsOrder() && !d.orders {
		return false
	}
	_, left := leftUnder(d.guards, l)
	return !left
}

// A copyKey identifies the copy that a store of a struct into a sequence makes.
type copyKey struct{ to, from loc }

// assign writes v, a value of type t, at r. A struct is copied: the cells under
// the place that it was read from are copied to r. Under guards, only the labels
// that feed the guards are copied.
func (in *interp) assign(st *heap, r loc, v value, t types.Type, strong bool, guards []guard) {
	if !isAggregate(t) {
		st.put(r, v, strong)
		return
	}
	if r.path.HasElem() && len(v.refs) > 0 {
		// The place stands for several elements. An object for this one keeps
		// it apart from the others.
		o := in.object(site{at: copyKey{r, v.refs[0]}}, t)
		st.reset(o)
		in.assign(st, loc{obj: o}, v, t, true, guards)
		st.put(r, value{refs: []loc{{obj: o}}, labels: v.labels}, false)
		return
	}
	if len(v.refs) == 1 && v.refs[0] == r {
		return // it is what is there
	}
	kept := value{labels: v.labels, unknown: v.unknown, copy: true}
	type copy struct {
		path access.Path
		val  value
	}
	var copies []copy
	dropped := v.dropped
	for _, src := range v.refs {
		if src == r {
			continue
		}
		for _, from := range st.sources(src) {
			if st.exhausted() {
				return // a copy of many cells from many places, one after the other
			}
			if st.isGiven(from.obj) || from.obj.isCompleted() {
				given := feedingRefs(refTo(from.loc), guards, func(loc) bool { return true })
				kept.refs, kept.labels = unionRefs(kept.refs, given.refs), kept.labels.union(given.labels)
				for _, part := range feedingParts(from.loc, guards) {
					copies = append(copies, copy{part, st.get(from.under(part))})
				}
			}
			cells := st.cells(from.obj)
			if cells == nil || from.copied {
				continue
			}
			for _, p := range st.sortedPaths(from.obj) {
				if rest, ok := p.Below(from.path); ok {
					v := cells.m[p]
					parts := feedingPartsOf(v, guards)
					if len(guards) > 0 {
						weak := v.weak
						v = feedingPart(v, guards)
						v.weak = weak
						dropped = dropped || rest.IsRoot() && v.dropped
					}
					copies = append(copies, copy{rest, v})
					for _, part := range parts {
						copies = append(copies, copy{rest.Join(part), feedingPart(st.get(loc{from.obj, p.Join(part)}), guards)})
					}
				}
			}
		}
	}
	st.put(r, kept, strong)
	for _, c := range copies {
		if c.path.IsRoot() {
			cell := c.val
			cell.labels = cell.labels.union(kept.labels)
			st.put(r, kept.join(cell), strong)
			continue
		}
		st.put(r.under(c.path), c.val, strong && len(v.refs) == 1 && !c.val.weak)
	}
	if library.TypeOf(t).Is == library.ObjectMeta {
		in.copyOwners(st, root(r), v)
	}
	if s, ok := t.Underlying().(*types.Struct); ok && dropped && isObject(s) {
		// What the guards drop may have owner references.
		st.put(r.under(access.Marked(access.UnknownOwners)), value{unknown: true}, false)
	}
}

// plainContent returns a sequence of basic values as its content: guards drop labels, and no
// references. What the function has not made stays as it is.
func (in *interp) plainContent(fr *frame, v value, t types.Type, st *heap) value {
	seq, ok := types.Unalias(t).Underlying().(*types.Slice)
	if !ok || !isBasic(seq.Elem()) || !in.guarded(fr) || slices.ContainsFunc(v.refs, func(r loc) bool { return !isMade(loc{obj: r.obj}) }) {
		return v
	}
	v.labels, v.refs = in.allLabels(v, st), nil
	return v
}

func (in *interp) mapUpdate(fr *frame, m *ssa.MapUpdate, st *heap) {
	dest := in.reg(fr, m.Map)
	key, elem := in.reg(fr, m.Key), in.reg(fr, m.Value)
	v := in.filter(fr, in.plainContent(fr, elem, m.Value.Type(), st), m.Value.Type())
	keys := in.filter(fr, value{labels: in.allLabels(key, st).fixed()}, m.Key.Type()).labels
	v.labels = v.labels.union(keys)
	ranged, isRanged := in.rangedMap(fr, m)
	v.entries = isRanged && st.areEntries(ranged.refs[0], v)
	if v.entries && in.isLacked(fr, m) {
		v.lacked = v.refs
	}
	isNamed := isRanged && st.hasNamedEntries(ranged.refs[0])
	name, known := in.text(m.Key)
	all := in.accumulatedEntry(fr, m, dest, v.labels)
	if l, ok := in.addedToEntry(fr, m, dest, st); ok {
		all = all.union(labels{l})
	}
	if l, ok := in.ownVersion(fr, m, m.Value, "", st); ok {
		all = all.union(labels{l})
	}
	pointers := in.pointerKey(fr, m, key)
	for _, r := range dest.refs {
		if len(pointers.refs) > 0 {
			st.put(r.under(access.Pointers()), pointers, false)
		}
		// A map has no order, so an item is no longer one, unless the loop that
		// yields the items makes a map for each.
		v.labels = all.transform(func(l Label) (Label, bool) { return l, !l.Item || l.loop.contains(r.obj.block) })
		v := storedOnce(v, m.Value.Type(), []loc{r}, fr.guards)
		if isNamed {
			in.putEntries(fr, st, refTo(r), in.entries(st, ranged, m.Value.Type()), m.Value.Type())
			v = value{labels: keys}
			if in.hasKnownKeys(ranged.refs[0], st) {
				continue // there are no others
			}
		}
		if known {
			in.assign(st, r.under(access.Entry(name)), v, m.Value.Type(), len(dest.refs) == 1, fr.guards)
			continue
		}
		in.assign(st, r.under(access.Elems()), v, m.Value.Type(), false, fr.guards)
	}
}

// isLacked reports whether the instruction only runs if the map has no entry under the key:
//
//	if _, ok := merged[key]; !ok { merged[key] = value }
func (in *interp) isLacked(fr *frame, m *ssa.MapUpdate) bool {
	return slices.ContainsFunc(fr.guards, func(g guard) bool {
		entry, ok := lackedEntry(cfg.Condition{Value: g.cond, Holds: g.branch})
		return ok && entry.X == m.Map && sameValue(entry.Key, m.Key)
	})
}

// copyEntries interprets a call that copies the entries of a map, the second argument, to another
// one.
func (in *interp) copyEntries(fr *frame, s *callSite) {
	elem := types.Type(types.Typ[types.String]) // of a generic map anything, such as a text
	if s.vals[1] != nil {
		if t := elemType(s.vals[1].Type()); t != nil {
			elem = t
		}
	}
	in.putEntries(fr, s.st, s.args[0], in.entries(s.st, s.args[1], elem), elem)
}

// rangedMap returns the map of which the instruction stores the entry at hand under its own key, if
// that is one map of basic values:
//
//	for name, value := range wanted { labels[name] = value }
func (in *interp) rangedMap(fr *frame, m *ssa.MapUpdate) (value, bool) {
	src := rangedBy(m)
	if src == nil || !isMap(src) || src == m.Map || !mayBeBasic(m.Value.Type()) {
		return value{}, false
	}
	v := in.reg(fr, src)
	return v, len(v.refs) == 1 && !v.unknown
}

// rangedBy returns what the loop is over of which the instruction stores the entry at hand under its own
// key, or nil.
func rangedBy(m *ssa.MapUpdate) ssa.Value {
	key, val := origin.Of(origin.Through(m.Key, origin.Renamed, origin.Converted)), origin.Of(origin.Through(m.Value, origin.Renamed, origin.Converted))
	if key.Kind != origin.Item || key.Index != 1 || val.Kind != origin.Item || val.Index != 2 || key.X != val.X {
		return nil
	}
	return origin.Of(key.X).X
}

// hasNamedEntries reports whether the map at r has entries under constant keys.
func (h *heap) hasNamedEntries(r loc) bool {
	return slices.ContainsFunc(h.cells(r.obj).paths(), func(p access.Path) bool {
		entry, ok := p.Below(r.path)
		return ok && entry.First().Kind == access.Key
	})
}

// areEntries reports whether v, which stands for all entries of the map at r, refers to entries of
// maps of the caller, each under the key that it has there, and to nothing else.
func (h *heap) areEntries(r loc, v value) bool {
	if c := h.cells(r.obj); c != nil {
		if cell, ok := c.m[r.under(access.Elems()).path]; ok && !cell.entries {
			return false
		}
	}
	return len(v.refs) > 0 && !slices.ContainsFunc(v.refs, func(of loc) bool { return of.obj.param < 0 || of.path.Last().Kind != access.Elem })
}

// An entry is what a map has under a constant key, or under any other key.
type entry struct {
	of   loc // the map
	path access.Path
	val  value
}

// entries returns the entries of the maps, with values of type elem.
func (in *interp) entries(st *heap, maps value, elem types.Type) []entry {
	var all []entry
	for _, r := range maps.refs {
		if r.obj.symbolic || st.live(r.obj) {
			v := in.load(refTo(r.under(access.Elems())), st, elem)
			v.entries = mayBeBasic(elem) && st.areEntries(r, v)
			all = append(all, entry{r, access.Elems(), v})
		}
		for _, p := range st.sortedPaths(r.obj) {
			path, ok := p.Below(r.path)
			if kind := path.First().Kind; ok && (kind == access.Elem || kind == access.Key) {
				all = append(all, entry{r, path, st.cells(r.obj).m[p]})
			}
		}
	}
	if len(maps.labels) > 0 {
		all = append(all, entry{path: access.Elems(), val: value{labels: maps.labels}})
	}
	return all
}

// putEntries puts entries of other maps into a map, under the guards of the frame, each under its
// own key.
func (in *interp) putEntries(fr *frame, st *heap, dest value, entries []entry, elem types.Type) {
	for _, e := range entries {
		if slices.Contains(dest.refs, e.of) {
			continue
		}
		v := e.val
		if in.guarded(fr) && isBasic(elem) {
			v = value{labels: in.allLabels(v, st)} // guards drop labels, and no references
		}
		v = in.filter(fr, v, elem)
		for _, r := range dest.refs {
			st.put(r.under(e.path), storedOnce(v, elem, []loc{r}, fr.guards), false)
		}
	}
}
