package flow

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// An object is a root of the abstract heap: everything that one allocation,
// one parameter, one global variable or one call result stands for.
type object struct {
	id         int
	param      int        // index of the parameter, or -1
	typ        types.Type // of what the object holds, without the pointer; may be nil
	name       string     // TypeName, for objects of types that cannot be named here
	from       string     // library.Name of the library function that returned it
	block      *ssa.BasicBlock
	copy       loc        // what of a parameter it is a deep copy of, if its type is not known
	when       []TypeTest // without which it is not made
	infeasible bool       // it is not made for the arguments of this call
	whenSet    bool       // when and never have been set

	// symbolic objects have content that this function did not write: it is
	// the caller's (param >= 0), or not known.
	symbolic bool
	// opaque objects went to, or came from, code that the analysis does not see.
	opaque bool
}

// A loc is a place under an object, the way pointers refer to it.
type loc struct {
	obj  *object
	path access.Path
}

// A value is what a register or a cell may hold.
type value struct {
	refs     []loc   // what it may point to, sorted
	labels   labels  // what its bits depend on
	funcs    []*fval // functions that it may be
	constant string  // the constant string (or "true", "false") that it is
	copy     bool    // in a cell: a struct copied from refs, as far as no cell below says otherwise
	weak     bool    // in a cell: it may also be what was there before
	unknown  bool    // it may be something else as well
}

// An fval is a function value: a function with what its free variables hold,
// or a parameter called as a function.
type fval struct {
	fn       *ssa.Function
	bindings []value
	ref      *FuncRef // of another package's summary
}

const (
	maxRefs  = 24
	maxFuncs = 12
	maxDepth = 14  // components of an access path
	maxCells = 400 // cells of one object
)

func (v value) isZero() bool {
	return len(v.refs) == 0 && len(v.labels) == 0 && len(v.funcs) == 0 && v.constant == "" && !v.unknown
}

func compareLocs(a, b loc) int {
	if a.obj != b.obj && a.obj.id != b.obj.id {
		return cmp.Compare(a.obj.id, b.obj.id)
	}
	return access.Compare(a.path, b.path)
}

func refTo(l loc) value { return value{refs: []loc{l}} }

// join returns a value that may be either.
func (v value) join(w value) value {
	out := value{
		labels:  v.labels.union(w.labels),
		copy:    v.copy || w.copy,
		weak:    v.weak || w.weak,
		unknown: v.unknown || w.unknown,
	}
	if v.constant == w.constant {
		out.constant = v.constant
	}
	out.refs = unionRefs(v.refs, w.refs)
	if len(out.refs) > maxRefs {
		out.refs, out.unknown = out.refs[:maxRefs], true
	}
	out.funcs = v.funcs
	for _, f := range w.funcs {
		known := slices.ContainsFunc(out.funcs, func(g *fval) bool {
			return g == f || g.fn != nil && g.fn == f.fn && slices.EqualFunc(g.bindings, f.bindings, value.equal)
		})
		if !known {
			out.funcs = append(slices.Clip(out.funcs), f)
		}
	}
	if len(out.funcs) > maxFuncs {
		out.funcs, out.unknown = out.funcs[:maxFuncs], true
	}
	return out
}

// unionRefs returns the places of both, sorted. Joins are most of the work of the
// interpreter, and most of them add nothing: that must not allocate.
func unionRefs(a, b []loc) []loc {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	if !ascending(a) || !ascending(b) { // places below sorted places need not be
		refs := append(slices.Clone(a), b...)
		slices.SortFunc(refs, compareLocs)
		return slices.Compact(refs)
	}
	var merged []loc
	i := 0 // a[:i] is in merged, unless that is nil
	for j, r := range b {
		at, found := slices.BinarySearchFunc(a[i:], r, compareLocs)
		if found {
			continue
		}
		if merged == nil {
			merged = make([]loc, 0, len(a)+len(b)-j)
		}
		merged = append(merged, a[i:i+at]...)
		merged = append(merged, r)
		i += at
	}
	if merged == nil {
		return a
	}
	return append(merged, a[i:]...)
}

// ascending reports whether the places are sorted, each there once.
func ascending(refs []loc) bool {
	for i := 1; i < len(refs); i++ {
		if compareLocs(refs[i-1], refs[i]) >= 0 {
			return false
		}
	}
	return true
}

func (v value) equal(w value) bool {
	return v.constant == w.constant && v.copy == w.copy && v.weak == w.weak && v.unknown == w.unknown &&
		slices.Equal(v.refs, w.refs) && slices.Equal(v.funcs, w.funcs) && v.labels.equal(w.labels)
}

// A heap maps places to what they hold. Objects that it does not know hold what
// they hold by nature: nothing for an allocation, the caller's content for a
// parameter.
type heap struct {
	objs      map[*object]*cells
	stepsLeft *int // steps of the function that is being interpreted
}

// cells are the known places of an object, keyed by path; shared ones are
// copied before they change.
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

// reset makes o an object fresh from its allocation.
func (h *heap) reset(o *object) { h.objs[o] = &cells{m: make(map[access.Path]value)} }

// clear forgets what lies under l; its content was replaced from the API server.
//
// Its kind stays what it is. Owner references may stay, too: if there is no such
// object yet, the one at l is what gets created.
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

// joinInto adds to h what g may hold and reports whether h changed.
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
		if hc == nil { // the caller's object, which only g has changed
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
		for p, hv := range hc.m { // only h has changed it
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

// reachable returns the part of the heap that somebody who holds the values, the
// parameters and the package's variables gets to see.
func (h *heap) reachable(held []value) *heap {
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
	for queue = append(queue, held...); len(queue) > 0; {
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

// keepFed drops from h the labels that the heap other has replaced and that do
// not feed the guards.
func (h *heap) dropReplaced(other *heap, guards []guard) {
	for o, hc := range h.objs {
		oc := other.objs[o]
		if oc == nil || oc == hc {
			continue
		}
		for p, ov := range oc.m {
			hv, ok := hc.m[p]
			if !ok {
				// Replaced there, untouched here.
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

// fedPart returns what of v feeds the guards.
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

// get reads the place l.
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

// maxPlaces bounds how many places a read follows references from.
const maxPlaces = 100

// maxHops bounds how many references a read follows; what lies further is lost.
const maxHops = 12

// A reader collects what a place holds. It comes by each place once: without
// this, the time to read from objects that refer to each other grows
// exponentially with hops.
type reader struct {
	*heap
	found value
	seen  []loc
}

// read adds what l holds, apart from what is at the places already seen.
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

// inherit adds what the place l holds by what is known of the places that
// enclose it, or by the object's nature.
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

// unseen returns the place that lies suffix below l, if the reader has not seen
// it. Most of them it has, and it has seen few; so nothing is hashed, nor put
// together first.
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

// worked counts steps of reading and joining, which take as long as interpreting
// instructions does.
func (h *heap) spend(steps int) {
	if h.stepsLeft != nil {
		*h.stepsLeft -= steps
	}
}

// exhausted reports whether the function has used up its steps.
func (h *heap) exhausted() bool { return h.stepsLeft != nil && *h.stepsLeft < 0 }

// natural returns what l holds if nobody wrote it.
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

// entry reads a map at r: the entry under a constant key, or any entry.
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

// shortPath keeps the first fields of a path: enough to tell spec from
// status in a condition.
func shortPath(p access.Path) access.Path { return p.Head(3) }

// under returns the place that lies suffix below l. Paths of more than
// maxDepth components stay where they are: a recursive structure is one place.
func (l loc) under(suffix access.Path) loc {
	if l.isDeepest() {
		return l
	}
	return loc{l.obj, l.path.Join(suffix)}
}

func (l loc) isDeepest() bool { return l.path.Depth() >= maxDepth }
