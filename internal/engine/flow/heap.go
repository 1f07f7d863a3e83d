package flow

import (
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// A heap maps places to values. A place that has not been written has its initial
// value: nothing in an allocation, the caller's content under a parameter.
type heap struct {
	objs      map[*object]*cells
	stepsLeft *int // of the function that is being interpreted
}

// cells are the written places of an object, by path. Cells that heaps share are
// copied on write.
type cells struct {
	m      map[access.Path]value
	shared bool
	live   bool // content came from the API server
}

func newHeap() *heap { return &heap{objs: make(map[*object]*cells)} }

// clone returns a heap that shares the cells with h until one of them writes.
func (h *heap) clone() *heap {
	for _, c := range h.objs {
		c.shared = true
	}
	return &heap{objs: maps.Clone(h.objs), stepsLeft: h.stepsLeft}
}

func (h *heap) writable(o *object) *cells {
	c := h.objs[o]
	switch {
	case c == nil:
		c = &cells{m: make(map[access.Path]value)}
		h.objs[o] = c
	case c.shared:
		c = &cells{m: maps.Clone(c.m), live: c.live}
		h.objs[o] = c
	}
	return c
}

// reset makes o a newly allocated object.
func (h *heap) reset(o *object) { h.objs[o] = &cells{m: make(map[access.Path]value)} }

// clear removes the cells under l, because content from the API server replaces
// them.
//
// The kind stays. Owner references become weak: if the API server has no such
// object yet, the one at l is created with them.
func (h *heap) clear(l loc) {
	c := h.writable(l.obj)
	owned := false
	for p, v := range c.m {
		rest, ok := p.Below(l.path)
		if !ok {
			continue
		}
		switch first := rest.First(); {
		case first.Kind == access.Mark && first.Marker.IsKind():
		case first.Kind == access.Mark && first.Marker.IsOwner():
			v.weak = true
			c.m[p] = v
		default:
			owned = owned || rest.Within(ownerReferences)
			delete(c.m, p)
		}
	}
	if owned {
		c.m[l.path.Mark(access.UnknownOwners)] = value{weak: true}
	}
	if l.path.IsRoot() {
		c.live = true
	}
}

// live reports whether the object's content was read from the API server.
func (h *heap) live(o *object) bool {
	c := h.objs[o]
	return c != nil && c.live
}

// set makes the cell at l hold exactly v.
func (h *heap) set(l loc, v value) { h.writable(l.obj).m[l.path] = v }

// put writes v at l. A strong write replaces what was there and below.
func (h *heap) put(l loc, v value, strong bool) {
	c := h.writable(l.obj)
	if strong && !l.path.HasElem() {
		for p := range c.m {
			if p != l.path && p.Within(l.path) {
				delete(c.m, p)
			}
		}
		v.weak = false
		c.m[l.path] = v
		return
	}
	old, ok := c.m[l.path]
	if !ok {
		if len(c.m) >= maxCells {
			return
		}
		v.weak = true
		c.m[l.path] = v
		return
	}
	v.weak = old.weak
	c.m[l.path] = old.join(v)
}

// joinInto joins g into h and reports whether h changed.
func (h *heap) joinInto(g *heap) bool {
	changed := false
	for o, gc := range g.objs {
		hc := h.objs[o]
		if hc == gc {
			continue
		}
		h.spend(len(gc.m))
		if hc == nil && o.param < 0 {
			gc.shared = true
			h.objs[o] = gc
			changed = true
			continue
		}
		if hc == nil { // an object of the caller that only g has changed
			hc = h.writable(o)
			changed = true
		}
		for p, gv := range gc.m {
			hv, ok := hc.m[p]
			if !ok {
				gv.weak = true
				hc = h.writable(o)
				hc.m[p] = gv
				changed = true
				continue
			}
			j := hv.join(gv)
			if hv.weak || gv.weak {
				j.weak = true
			}
			if !j.equal(hv) {
				hc = h.writable(o)
				hc.m[p] = j
				changed = true
			}
		}
		for p, hv := range hc.m {
			if _, ok := gc.m[p]; !ok && !hv.weak {
				hv.weak = true
				hc = h.writable(o)
				hc.m[p] = hv
				changed = true
			}
		}
		if gc.live && !hc.live {
			h.writable(o).live = true
			changed = true
		}
	}
	for o, hc := range h.objs {
		if g.objs[o] != nil || o.param < 0 {
			continue
		}
		for p, hv := range hc.m { // an object of the caller that only h has changed
			if !hv.weak {
				hv.weak = true
				hc = h.writable(o)
				hc.m[p] = hv
				changed = true
			}
		}
	}
	return changed
}

// reachable returns the part of the heap that is reachable from the roots, the
// parameters and the package variables.
func (h *heap) reachable(roots []value) *heap {
	out := &heap{objs: make(map[*object]*cells, len(h.objs)), stepsLeft: h.stepsLeft}
	var queue []value
	keep := func(o *object) {
		c := h.objs[o]
		if c == nil || out.objs[o] != nil {
			return
		}
		out.objs[o] = c
		h.spend(len(c.m))
		for _, v := range c.m {
			queue = append(queue, v)
		}
	}
	for o := range h.objs {
		if o.param >= 0 || o.id < 0 {
			keep(o)
		}
	}
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
	return out
}

// dropReplaced drops from h the labels of places that the heap other has
// replaced, unless they feed the guards.
func (h *heap) dropReplaced(other *heap, guards []guard) {
	for o, hc := range h.objs {
		oc := other.objs[o]
		if oc == nil || oc == hc {
			continue
		}
		for p, ov := range oc.m {
			hv, ok := hc.m[p]
			if !ok {
				// Replaced in other, not written in h.
				if !ov.weak && !p.HasMarker() && !p.IsOrder() && (o.symbolic || len(hc.m[access.Path{}].refs) > 0) {
					h.writable(o).m[p] = feedingPart(h.get(loc{o, p}), guards)
					hc = h.objs[o]
				}
				continue
			}
			if len(hv.labels) == 0 {
				continue
			}
			kept := hv.labels.transform(func(l Label) (Label, bool) {
				return l, l.Kind == State || slices.ContainsFunc(ov.labels, l.covers) || feedsAll(guards, l)
			})
			if !kept.equal(hv.labels) {
				hv.labels = kept
				h.writable(o).m[p] = hv
			}
		}
	}
}

// feedingPart returns the labels and references of v that feed the guards.
func feedingPart(v value, guards []guard) value {
	v.labels = v.labels.transform(func(l Label) (Label, bool) { return l, l.Kind == State || feedsAll(guards, l) })
	v.refs = slices.DeleteFunc(slices.Clone(v.refs), func(r loc) bool {
		return r.obj.param >= 0 && !feedsAll(guards, Label{Kind: Content, Param: r.obj.param, Path: r.path})
	})
	return v
}

// sortedPaths returns the paths of the object's cells in order.
func (h *heap) sortedPaths(o *object) []access.Path {
	c := h.objs[o]
	if c == nil {
		return nil
	}
	return slices.SortedFunc(maps.Keys(c.m), access.Compare)
}

// get returns the value at the place l.
func (h *heap) get(l loc) value {
	if c := h.objs[l.obj]; c != nil {
		if v, ok := c.m[l.path]; ok && !v.weak {
			return v
		}
	}
	r := reader{heap: h}
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
	found value
	seen  []loc
}

// read adds the value at l, without that of the places already seen.
func (r *reader) read(l loc, hops int) {
	if c := r.objs[l.obj]; c != nil {
		if v, ok := c.m[l.path]; ok {
			weak := v.weak
			v.weak = false
			r.found = r.found.join(v)
			if !weak {
				return
			}
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
	if c := r.objs[l.obj]; c != nil {
		for p := l.path; !p.IsRoot(); {
			p = p.Parent()
			if v, ok := c.m[p]; ok {
				r.found.labels = r.found.labels.union(v.labels)
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
				if !v.weak {
					return
				}
			}
		}
	}
	r.found = r.found.join(r.initial(l))
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
		return value{refs: []loc{l}, labels: labels{{Kind: State, Path: shortPath(l.path)}}}
	case l.obj.param >= 0:
		return value{refs: []loc{l}, labels: labels{{Kind: Content, Param: l.obj.param, Path: l.path}}}
	case l.obj.symbolic:
		return value{refs: []loc{l}, unknown: true}
	}
	return refTo(l)
}

// entry returns the value of a map's entry: the one under a constant key if the
// key is known, else any entry. The map is at r.
func (h *heap) entry(r loc, key string, known bool) value {
	out := h.get(r.under(access.Elems()))
	if known {
		c := h.objs[r.obj]
		if c == nil {
			return out
		}
		v, ok := c.m[r.under(access.Entry(key)).path]
		switch {
		case !ok:
			return out
		case v.weak:
			return v.join(out)
		}
		v.weak = false
		return v
	}
	for _, p := range h.sortedPaths(r.obj) {
		if p.Last().Kind == access.Key && p.Parent() == r.path {
			out = out.join(h.get(loc{r.obj, p}))
		}
	}
	return out
}
