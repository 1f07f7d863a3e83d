package flow

import (
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// A heap maps places to values. A place that has not been written has its initial
// value: nothing in an allocation, the caller's content under a parameter.
type heap struct {
	objs      *objectMap
	owner     *owner
	stepsLeft *int // of the function that is being interpreted
	memo      *memo
}

// A memo has what was found out about the content of a heap. Heaps with the same memo
// have the same content.
type memo struct {
	walks *walks
	reads map[loc]value // the results of reads
}

// An owner identifies the heap that may write some cells. Other heaps copy the
// cells first.
type owner struct{ _ byte }

// cellsPerStep is the number of cells that are copied, and later compared with
// their originals in a join, for one step. Without this cost, the work for an
// object that a branch after each branch writes to would grow with the square of
// the number of branches.
const cellsPerStep = 8

// cells are the written places of an object, by path.
type cells struct {
	m      map[access.Path]value
	sorted []access.Path // the paths in order, or nil if that is not known
	live   bool          // content came from the API server
	owner  *owner
}

func newHeap() *heap { return &heap{owner: new(owner)} }

// clone returns a heap with the content of h. Both share the cells until one of
// them writes.
func (h *heap) clone() *heap {
	h.owner = new(owner)
	return &heap{objs: h.objs, owner: new(owner), stepsLeft: h.stepsLeft, memo: h.memo}
}

// changes forgets what was found out about the content.
func (h *heap) changes() { h.memo = nil }

// unchanged returns the memo, which holds until the heap changes.
func (h *heap) unchanged() *memo {
	if h.memo == nil {
		h.memo = &memo{reads: make(map[loc]value)}
	}
	return h.memo
}

// cells returns the cells of o for reading, or nil.
func (h *heap) cells(o *object) *cells { return h.objs.get(o) }

// writable returns the cells of o for writing.
func (h *heap) writable(o *object) *cells {
	h.changes()
	c := h.objs.get(o)
	switch {
	case c == nil:
		return h.reset(o)
	case c.owner != h.owner:
		h.spend(len(c.m) / cellsPerStep)
		c = &cells{m: maps.Clone(c.m), sorted: slices.Clip(c.sorted), live: c.live, owner: h.owner}
		h.objs = h.objs.with(o, c)
	}
	return c
}

// reset makes o a newly allocated object.
func (h *heap) reset(o *object) *cells {
	c := &cells{m: make(map[access.Path]value), owner: h.owner}
	h.changes()
	h.objs = h.objs.with(o, c)
	return c
}

// has reports whether the place at p has certainly been written.
func (c *cells) has(p access.Path) bool {
	v, ok := c.m[p]
	return ok && !v.weak
}

// set makes the cell at p hold v.
func (c *cells) set(p access.Path, v value) {
	if _, ok := c.m[p]; !ok && c.sorted != nil {
		at, _ := slices.BinarySearchFunc(c.sorted, p, access.Compare)
		c.sorted = slices.Insert(c.sorted, at, p)
	}
	c.m[p] = v
}

// delete removes the cell at p.
func (c *cells) delete(p access.Path) {
	c.sorted = nil
	delete(c.m, p)
}

// paths returns the paths of the cells in order.
func (c *cells) paths() []access.Path {
	if c == nil {
		return nil
	}
	if c.sorted == nil {
		c.sorted = slices.SortedFunc(maps.Keys(c.m), access.Compare)
	}
	return c.sorted
}

// sharing returns the paths of the cells that may stand for the entry of a map at p, too:
// those of any entry if p is one under a constant key, and the other way round.
func (c *cells) sharing(p access.Path) []access.Path {
	if p.Last().Kind == access.Elem {
		return slices.DeleteFunc(slices.Clone(access.Keyed(c.paths(), p.Parent())), func(q access.Path) bool { return q.Parent() != p.Parent() })
	}
	if any := p.AnyEntry(); any != p {
		if _, ok := c.m[any]; ok {
			return []access.Path{any}
		}
	}
	return nil
}

// near returns the paths of the cells at p and below, in order, with others that
// the caller leaves out.
func (c *cells) near(p access.Path) []access.Path { return access.Near(c.paths(), p) }

// clear removes the cells under l, because content from the API server replaces
// them.
//
// The kind stays. Owner references become weak, and labels are kept apart: if the API
// server has no such object yet, the one at l is created with them. Its name is kept, too.
func (h *heap) clear(l loc) {
	created := h.createdWith(l)
	name, named := h.name(l)
	c := h.writable(l.obj)
	owned := false
	for p, v := range c.m {
		rest, ok := p.Below(l.path)
		if !ok {
			continue
		}
		switch first := rest.First(); {
		case first.Kind == access.Mark && (first.Marker.IsKind() || first.Marker == access.CreatedLabels || first.Marker == access.AskedName):
		case first.Kind == access.Mark && first.Marker.IsOwner():
			v.weak = true
			c.set(p, v)
		default:
			owned = owned || rest.Within(ownerReferences) && !v.isAt(loc{l.obj, p})
			c.delete(p)
		}
	}
	if owned {
		c.set(l.path.Mark(access.UnknownOwners), value{weak: true})
	}
	if l.path.IsRoot() {
		c.live = true
	}
	for p, v := range created {
		h.put(loc{l.obj, p}, v, false)
	}
	if named {
		h.put(l.under(access.Marked(access.AskedName)), name, true)
	}
}

// name returns the name of the object at l, if it was written there or is part of metadata
// that was copied there.
func (h *heap) name(l loc) (name value, ok bool) {
	place := metaPath(root(l), "Name")
	c := h.cells(l.obj)
	if c == nil {
		return value{}, false
	}
	metadata := loc{l.obj, place.path.Parent()}
	for p, v := range c.m {
		if p.Within(place.path) || p == metadata.path && metadata != root(l) && len(v.refs) > 0 && !v.isAt(metadata) {
			return h.get(place), true
		}
	}
	return value{}, false
}

// live reports whether the object's content was read from the API server.
func (h *heap) live(o *object) bool {
	c := h.cells(o)
	return c != nil && c.live
}

// set makes the cell at l hold exactly v.
func (h *heap) set(l loc, v value) { h.writable(l.obj).set(l.path, v) }

// put writes v at l. A strong write replaces what was there and below, unless v leads to
// what is there.
func (h *heap) put(l loc, v value, strong bool) {
	c := h.writable(l.obj)
	if strong && !l.path.HasElem() {
		keeps := slices.Contains(v.refs, l)
		for p := range c.m {
			if !keeps && p != l.path && p.Within(l.path) {
				c.delete(p)
			}
		}
		v.weak = false
		c.set(l.path, v)
		return
	}
	old, ok := c.m[l.path]
	if !ok {
		if len(c.m) >= maxCells {
			return
		}
		v.weak = true
		c.set(l.path, v)
		return
	}
	v.weak = old.weak
	c.set(l.path, old.join(v))
}

// joinInto joins g into h. It costs as much as they differ.
func (h *heap) joinInto(g *heap) {
	g.owner = new(owner) // h shares cells with g
	diff(h.objs, g.objs, func(o *object, hc, gc *cells) bool {
		switch {
		case hc == nil && o.param < 0:
			h.changes()
			h.objs = h.objs.with(o, gc)
		case gc == nil && o.param < 0:
		default:
			// An object of the caller that only one heap has changed may have
			// its initial content, too.
			h.joinCells(o, hc, gc)
		}
		return true
	})
}

// joinCells joins the cells gc into hc, those of o in h. Either may be nil.
func (h *heap) joinCells(o *object, hc, gc *cells) {
	if hc == nil {
		hc = h.writable(o)
	}
	if gc == nil {
		gc = new(cells)
	}
	h.spend(1)
	set := func(p access.Path, v value) { h.writable(o).set(p, v) }
	for p, gv := range gc.m {
		hv, ok := hc.m[p]
		switch {
		case !ok:
			h.spend(1)
			gv.weak = true
			set(p, gv)
		case !hv.isSame(gv):
			h.spend(1)
			if j := hv.join(gv); !j.equal(hv) {
				set(p, j)
			}
		}
	}
	for p, hv := range hc.m {
		if _, ok := gc.m[p]; !ok && !hv.weak {
			h.spend(1)
			hv.weak = true
			set(p, hv)
		}
	}
	if gc.live && !hc.live {
		h.writable(o).live = true
	}
}

// equal reports whether both heaps have the same content.
func (h *heap) equal(g *heap) bool {
	return diff(h.objs, g.objs, func(o *object, hc, gc *cells) bool {
		h.spend(1)
		return hc != nil && gc != nil && hc.live == gc.live && maps.EqualFunc(hc.m, gc.m, value.equal)
	})
}

// reachable returns the part of the heap that is reachable from the roots, the
// parameters and the package variables.
func (h *heap) reachable(roots []value) *heap {
	var queue []value
	kept := make(map[*object]bool)
	keep := func(o *object) {
		c := h.cells(o)
		if c == nil || kept[o] {
			return
		}
		kept[o] = true
		h.spend(len(c.m))
		for _, v := range c.m {
			queue = append(queue, v)
		}
	}
	h.objs.all(func(o *object, _ *cells) bool {
		if o.param >= 0 || o.id < 0 {
			keep(o)
		}
		return true
	})
	seen := make(map[*fval]bool)
	for queue = append(queue, roots...); len(queue) > 0; {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, r := range v.refs {
			keep(r.obj)
		}
		for _, f := range v.funcs {
			if !seen[f] {
				seen[f] = true
				queue = append(queue, f.bindings...)
			}
		}
	}
	out := h.clone()
	out.changes()
	out.objs = h.objs.filter(func(o *object) bool { return kept[o] })
	return out
}

// leadingToSources returns the objects from which a value is reachable that depends on a
// source, or does so unless a caller decides otherwise.
func (h *heap) leadingToSources() map[*object]bool {
	isSource := func(l Label) bool { return l.Kind >= Clock && l.Kind != Kept && !l.Item }
	users := make(map[*object][]*object)
	leading := make(map[*object]bool)
	var queue []*object
	h.objs.all(func(o *object, c *cells) bool {
		h.spend(len(c.m))
		for _, v := range c.m {
			if !leading[o] && slices.ContainsFunc(v.labels, isSource) {
				leading[o] = true
				queue = append(queue, o)
			}
			for _, r := range v.refs {
				users[r.obj] = append(users[r.obj], o)
			}
		}
		return true
	})
	for len(queue) > 0 {
		last := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, user := range users[last] {
			if !leading[user] {
				leading[user] = true
				queue = append(queue, user)
			}
		}
	}
	return leading
}

// dropReplaced drops from h the labels of places that the heap other has
// replaced, unless they feed the guards.
func (in *interp) dropReplaced(h, other *heap, guards []guard) {
	diff(h.objs, other.objs, func(o *object, hc, oc *cells) bool {
		if oc == nil || hc == nil && o.param < 0 {
			return true
		}
		untouched := hc == nil
		if untouched {
			hc = new(cells)
		}
		for p, ov := range oc.m {
			if untouched && !ov.copy {
				continue // of a parameter that is not written otherwise, only a struct such as a time
			}
			hv, ok := hc.m[p]
			if !ok {
				// Replaced in other, not written in h.
				if !ov.weak && !p.HasMarker() && !p.IsOrder() && (o.symbolic || len(hc.m[access.Path{}].refs) > 0) {
					h.set(loc{o, p}, feedingPart(h.get(loc{o, p}), guards))
					hc = h.cells(o)
				}
				continue
			}
			if !ov.weak && !isSame(hv.refs, ov.refs) {
				if stable, ok := in.stable(h, hv, guards); ok {
					hv = stable
					h.writable(o).set(p, hv)
				}
			}
			if len(hv.labels) == 0 || isSame(hv.labels, ov.labels) {
				continue
			}
			kept := hv.labels.transform(func(l Label) (Label, bool) {
				if l.Kind == State || slices.ContainsFunc(ov.labels, l.covers) || slices.ContainsFunc(ov.labels, l.isReplacedBy) {
					return l, true
				}
				return leftOrNamed(guards, l)
			})
			if !kept.equal(hv.labels) {
				hv.dropped = hv.dropped || len(kept) < len(hv.labels)
				hv.labels = kept
				h.writable(o).set(p, hv)
			}
		}
		in.dropBelowReplaced(h, o, oc, guards)
		return true
	})
}

// dropBelowReplaced drops from h the labels of the parts of structs that another heap,
// with the cells oc of the object, has replaced as a whole:
//
//	cond.LastTransitionTime = metav1.Time{Time: time.Now()}
//	if old.Status == cond.Status { cond.LastTransitionTime = old.LastTransitionTime }
func (in *interp) dropBelowReplaced(h *heap, o *object, oc *cells, guards []guard) {
	for _, p := range h.sortedPaths(o) {
		hv := h.cells(o).m[p]
		if _, ok := oc.m[p]; ok || len(hv.labels) == 0 || !oc.replaces(p) {
			continue
		}
		kept := hv.labels.transform(func(l Label) (Label, bool) {
			if l.Kind == State {
				return l, true
			}
			return leftOrNamed(guards, l)
		})
		if !kept.equal(hv.labels) {
			hv.labels, hv.dropped = kept, hv.dropped || len(kept) < len(hv.labels)
			h.writable(o).set(p, hv)
		}
	}
}

// replaces reports whether a struct has been copied to a place that encloses p.
func (c *cells) replaces(p access.Path) bool {
	for !p.IsRoot() {
		p = p.Parent()
		if v, ok := c.m[p]; ok && v.copy && !v.weak {
			return true
		}
	}
	return false
}

// dropSources drops the labels that differ from call to call from all of h.
func (h *heap) dropSources() {
	h.objs.all(func(o *object, c *cells) bool {
		for p, v := range c.m {
			kept := v.labels.transform(func(l Label) (Label, bool) { return l, l.Kind < Clock })
			if !kept.equal(v.labels) {
				v.labels = kept
				h.writable(o).set(p, v)
			}
		}
		return true
	})
}

// feedingPart returns the labels and references of v that feed the guards.
func feedingPart(v value, guards []guard) value {
	before := len(v.labels)
	v.labels = v.labels.transform(func(l Label) (Label, bool) {
		if l.Kind == State {
			return l, true
		}
		return leftOrNamed(guards, l)
	})
	v.dropped = v.dropped || len(v.labels) < before
	return feedingRefs(v, guards, func(loc) bool { return true })
}

// feedingRefs returns v without the references to content, of a parameter, that
// does not feed the guards.
func feedingRefs(v value, guards []guard, isContent func(loc) bool) value {
	v.refs = slices.DeleteFunc(slices.Clone(v.refs), func(r loc) bool {
		if r.obj.param < 0 || !isContent(r) {
			return false
		}
		content, ok := leftOrNamed(guards, Label{Kind: Content, Param: r.obj.param, Path: r.path})
		gone := !ok || content.Given != 0 || content.Kind == Named
		if ok && gone {
			v.labels = v.labels.union(labels{content})
		}
		v.dropped = v.dropped || gone && content.Kind != Named
		return gone
	})
	return v
}

// feedingParts returns the paths, below r, of the parts of a parameter that feed the guards,
// where r as a whole does not:
//
//	if condition.Message != wanted.Message { *condition = *wanted }
func feedingParts(r loc, guards []guard) (parts []access.Path) {
	feeds := func(p access.Path) bool {
		left, ok := leftUnder(guards, Label{Kind: Content, Param: r.obj.param, Path: p})
		return ok && left.Given == 0
	}
	if r.obj.param < 0 || len(guards) == 0 || feeds(r.path) {
		return nil
	}
	for _, l := range guards[0].labels {
		part, ok := l.Path.Below(r.path)
		if ok && !part.IsRoot() && l.Kind == Content && l.Param == r.obj.param && feeds(l.Path) && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return parts
}

// feedingPartsOf is feedingParts for a struct that was copied from a parameter.
func feedingPartsOf(v value, guards []guard) (parts []access.Path) {
	if v.copy {
		for _, r := range v.refs {
			parts = append(parts, feedingParts(r, guards)...)
		}
	}
	return parts
}

// partlyFeeding returns the references of v of which a part feeds the guards.
func partlyFeeding(v value, guards []guard) []loc {
	return slices.DeleteFunc(slices.Clone(v.refs), func(r loc) bool { return len(feedingParts(r, guards)) == 0 })
}

// sortedPaths returns the paths of the object's cells in order.
func (h *heap) sortedPaths(o *object) []access.Path { return h.cells(o).paths() }

// get returns the value at the place l.
func (h *heap) get(l loc) value {
	if c := h.cells(l.obj); c != nil {
		if v, ok := c.m[l.path]; ok && !v.weak {
			return v
		}
	}
	return remember(h.unchanged().reads, l, func() value {
		r := reader{heap: h}
		r.read(l, maxHops)
		return r.found
	})
}

// unkeyed returns the value at the place l, an entry of a map, without what is stored under
// constant keys.
func (h *heap) unkeyed(l loc) value {
	r := reader{heap: h, unkeyed: true}
	r.read(l, maxHops)
	return r.found
}

// maxPlaces bounds the places from which a read follows references.
const maxPlaces = 100

// maxHops bounds the chain of references that a read follows. What lies beyond is
// unknown.
const maxHops = 12

// A reader collects the value at a place. It visits each place once: otherwise
// the time to read from objects that refer to each other would be exponential in
// maxHops.
type reader struct {
	*heap
	found   value
	seen    []loc
	chain   chain
	without map[*object]bool // objects that have nothing to read
	unkeyed bool             // entries under constant keys are left out
}

// A chain has the cells of enclosing places through which a read or a walk has come, each
// with the length of the path that it looked for there.
type chain []link

type link struct {
	cell loc
	len  int
}

// grows reports whether the chain has come through the cell twice, and looks for something
// deeper now. An element that is a copy of one of its own elements leads to a deeper copy
// each time, and tells nothing more.
func (c chain) grows(cell loc, path access.Path) bool {
	n := 0
	for _, l := range c {
		if l.cell == cell && l.len < path.Len() {
			n++
		}
	}
	return n > 1
}

// read adds the value at l, without that of the places already seen.
func (r *reader) read(l loc, hops int) {
	if r.without[l.obj] {
		return
	}
	if c := r.cells(l.obj); c != nil {
		if v, ok := c.m[l.path]; ok {
			weak := v.weak
			v.weak = false
			r.found = r.found.join(v)
			if !weak {
				return
			}
		}
		for _, p := range r.sharing(c, l.path) {
			v := c.m[p]
			v.weak = false
			r.found = r.found.join(v)
		}
	}
	r.inherit(l, hops)
}

// inherit adds the value that l has by the cells of the enclosing places, or else
// the initial value.
func (r *reader) inherit(l loc, hops int) {
	if r.spend(1); hops == 0 || len(r.seen) > maxPlaces || r.exhausted() {
		r.found.unknown = true
		return
	}
	if c := r.cells(l.obj); c != nil {
		for p := l.path; !p.IsRoot(); {
			p = p.Parent()
			if v, ok := c.m[p]; ok {
				if !r.follow(l, p, loc{l.obj, p}, v, hops) || !v.weak {
					return
				}
			}
			for _, q := range r.sharing(c, p) {
				if !r.follow(l, p, loc{l.obj, q}, c.m[q], hops) {
					return
				}
			}
		}
	}
	r.found = r.found.join(r.initial(l))
}

// sharing returns the paths of the cells that may stand for the entry of a map at p, too.
func (r *reader) sharing(c *cells, p access.Path) []access.Path {
	if r.unkeyed {
		return nil
	}
	return c.sharing(p)
}

// follow adds the value that l has by a cell with the value v, which stands for the enclosing
// place at p. It returns false if what is deeper tells nothing more.
func (r *reader) follow(l loc, p access.Path, cell loc, v value, hops int) bool {
	r.found.labels = r.found.labels.union(v.labels)
	if len(v.refs) > 0 && r.chain.grows(cell, l.path) {
		r.found.unknown = true
		return false
	}
	r.chain = append(r.chain, link{cell, l.path.Len()})
	for _, ref := range v.refs {
		if ref.obj == l.obj && l.path.Within(ref.path) {
			continue // a cycle
		}
		if r.seen == nil {
			r.seen = append(make([]loc, 0, 8), l)
		}
		rest, _ := l.path.Below(p)
		if next, ok := r.unseen(ref, rest); ok {
			r.seen = append(r.seen, next)
			r.read(next, hops-1)
		}
	}
	r.chain = r.chain[:len(r.chain)-1]
	return true
}

// unseen returns the place at suffix below l, unless the reader has seen it. The
// reader has seen few places, and most calls ask for one of them. So it compares
// without a map, and joins the path only for a new place.
func (r *reader) unseen(l loc, suffix access.Path) (loc, bool) {
	if l.isDeepest() {
		suffix = access.Path{}
	}
	for _, s := range r.seen {
		if s.obj == l.obj && s.path.IsJoin(l.path, suffix) {
			return loc{}, false
		}
	}
	return loc{l.obj, l.path.Join(suffix)}, true
}

// isGiven reports whether the object has content that this function did not
// write.
func (h *heap) isGiven(o *object) bool { return o.symbolic || h.live(o) }

// A source is a place that a struct consists of. If it was copied, the cells that
// it had then are cells of the copy.
type source struct {
	loc
	copied bool
}

// sources returns the places that the struct at l consists of: l itself, behind
// those that l is a part of by the cells of the enclosing places.
//
//	desired := *p        // a copy of p
//	live := desired.Spec // consists of p.Spec, and of what desired.Spec has
//
// An element of a list of the caller's that may also be one that this function
// stores there is taken as the former. A setter of conditions reads an element
// before it stores one:
//
//	if old.Status == cond.Status {
//		cond.LastTransitionTime = old.LastTransitionTime
//	}
//	conditions[i] = cond
func (h *heap) sources(l loc) []source {
	var all []source
	var add func(l loc, copied bool)
	add = func(l loc, copied bool) {
		h.spend(1)
		if len(all) > maxHops || slices.ContainsFunc(all, func(s source) bool { return s.loc == l }) {
			return
		}
		at := len(all)
		all = append(all, source{l, copied})
		c := h.cells(l.obj)
		if c == nil || c.has(l.path) {
			return
		}
		for p := l.path; !p.IsRoot(); {
			p = p.Parent()
			v, ok := c.m[p]
			if !ok {
				continue
			}
			rest, _ := l.path.Below(p)
			isOld := p.HasElem() && h.isGiven(l.obj) ||
				slices.ContainsFunc(v.refs, func(r loc) bool { return r.path.HasElem() && h.isGiven(r.obj) })
			for _, ref := range v.refs {
				given := h.isGiven(ref.obj)
				if isOld && !given || ref.obj == l.obj && l.path.Within(ref.path) {
					continue
				}
				add(ref.under(rest), v.copy && given)
			}
			if !v.weak {
				break
			}
		}
		all = append(append(slices.Clone(all[:at]), all[at+1:]...), all[at])
	}
	add(l, false)
	return all
}

// shared returns l, the place of a struct, and the places of this function's own
// structs that it has been copied from and of which it still has cells. An element
// of a list is a copy of what was stored there.
func (h *heap) shared(l loc) []loc {
	all := []loc{l}
	for at := 0; at < len(all) && len(all) <= maxHops; at++ {
		place := all[at]
		c := h.cells(place.obj)
		if c == nil {
			continue
		}
		for p := place.path; ; p = p.Parent() {
			rest, _ := place.path.Below(p)
			for _, ref := range c.m[p].refs {
				next := ref.under(rest)
				if !h.isGiven(ref.obj) && !slices.Contains(all, next) {
					all = append(all, next)
				}
			}
			if p.IsRoot() {
				break
			}
		}
	}
	return all
}

// spend charges steps for reading and joining to the budget: they cost as much as
// interpreting instructions.
func (h *heap) spend(steps int) {
	if h.stepsLeft != nil {
		*h.stepsLeft -= steps
	}
}

// exhausted reports whether the function has used up its budget.
func (h *heap) exhausted() bool { return h.stepsLeft != nil && *h.stepsLeft < 0 }

// initial returns the value at l if it has not been written.
func (h *heap) initial(l loc) value {
	if l.path.HasMarker() {
		return value{}
	}
	if l.path.IsOrder() {
		if l.obj.param < 0 || h.live(l.obj) {
			return value{}
		}
		return value{labels: labels{{Kind: Content, Param: l.obj.param, Path: l.path}}}
	}
	switch {
	case h.live(l.obj):
		return value{refs: []loc{l}, labels: labels{{Kind: State, Path: shortPath(l.path)}}.union(h.key(l.obj))}
	case l.obj.param >= 0:
		return value{refs: []loc{l}, labels: labels{{Kind: Content, Param: l.obj.param, Path: l.path}}}
	case l.obj.symbolic:
		return value{refs: []loc{l}, unknown: true}
	}
	return refTo(l)
}

// key returns what the key depends on by which the object was looked up.
func (h *heap) key(o *object) labels {
	if c := h.cells(o); c != nil {
		return c.m[access.Marked(access.LookedUp)].labels
	}
	return nil
}
