package flow

import (
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// labelled has labels found under a place, and where.
type labelled struct {
	path   access.Path // relative to the place
	labels labels
}

// walks are the results of walks. They hold until another sequence turns out to be sorted
// by a loop.
type walks struct {
	sorted int
	under  map[loc][]labelled
	all    map[loc]labels
}

// walksOf returns the results of the walks of the heap so far.
func (in *interp) walksOf(st *heap) *walks {
	memo := st.unchanged()
	if memo.walks == nil || memo.walks.sorted != len(in.sortedInLoop) {
		memo.walks = &walks{len(in.sortedInLoop), make(map[loc][]labelled), make(map[loc]labels)}
	}
	return memo.walks
}

// allLabels returns all labels of v: its own, and those of what it refers to.
func (in *interp) allLabels(v value, st *heap) labels {
	out := v.labels
	for _, r := range v.refs {
		out = out.union(in.labelsAt(st, r))
	}
	return out
}

// labelsAt returns the labels at r and below.
func (in *interp) labelsAt(st *heap, r loc) labels {
	known := in.walksOf(st)
	all, ok := known.all[r]
	if !ok {
		for _, at := range in.walk(st, r) {
			all = all.union(at.labels)
		}
		known.all[r] = all
	}
	return all
}

// walk returns the labels at r and below.
func (in *interp) walk(st *heap, r loc) []labelled {
	st.spend(1)
	known := in.walksOf(st)
	found, ok := known.under[r]
	if !ok {
		w := walker{in: in, st: st, seen: make(map[loc]bool)}
		w.walk(r, access.Path{}, 0)
		found = w.found
		known.under[r] = found
	}
	return found
}

// A walker collects the labels under a place. It visits each place once.
type walker struct {
	in    *interp
	st    *heap
	seen  map[loc]bool
	found []labelled

	// replaced are parts of the struct that is being walked, a copy, which its
	// own cells replace. The walk of what it was copied from leaves them out, and
	// what they refer to: that may be what the cells of the copy refer to, too.
	replaced []access.Path

	chain chain
}

func (w *walker) walk(r loc, rel access.Path, depth int) {
	in, st := w.in, w.st
	if w.seen[r] || depth > maxHops || len(w.seen) > 256 || st.exhausted() || slices.ContainsFunc(w.replaced, rel.Within) {
		return
	}
	w.seen[r] = true
	if in.isOwnText(r) {
		return
	}
	// Functions of the caller may have changed what was read: the caller knows how.
	if r.obj.param >= 0 && (!st.live(r.obj) || len(in.calls) > 0) && !r.path.IsOrder() {
		w.seeContent(r, rel)
	}
	if r.obj.isCompleted() && !r.path.IsOrder() {
		w.see(rel, labels{completed(r)})
	}
	if st.live(r.obj) {
		w.see(rel, labels{{Kind: State, Path: shortPath(r.path)}})
	}
	c := st.cells(r.obj)
	if c == nil {
		return
	}
	w.enclosing(c, r, rel, depth)
	w.below(c, r, r.path, rel, depth)
	for _, p := range c.sharing(r.path) {
		w.below(c, r, p, rel, depth)
	}
}

// below walks what the cells at the path and below say of the place r.
func (w *walker) below(c *cells, r loc, at, rel access.Path, depth int) {
	in, st := w.in, w.st
	near := c.near(at)
	st.spend(1 + len(near))
	for _, p := range near {
		rest, ok := p.Below(at)
		if !ok || rest.HasMarker() || rest.HasPointer() || in.sortedInLoop[r.obj] && p.IsOrder() {
			continue
		}
		v := c.m[p]
		path := rel.Join(rest)
		w.see(path, v.labels)
		outer := len(w.replaced)
		if v.copy {
			for _, replaced := range replacedBelow(c, p) {
				w.replaced = append(w.replaced, path.Join(replaced))
			}
		}
		for _, ref := range v.refs {
			if ref.obj == r.obj && ref.path.Within(p) {
				continue
			}
			w.walk(ref, path, depth+1)
		}
		w.replaced = w.replaced[:outer]
	}
}

// isOwnText reports whether the object at r is an error with fields. What is printed of it
// is what its method Error returns, and that is not known here.
func (in *interp) isOwnText(r loc) bool {
	if r.obj.param >= 0 || !r.path.IsRoot() || r.obj.typ == nil {
		return false
	}
	named, ok := types.Unalias(r.obj.typ).(*types.Named)
	if !ok {
		return false
	}
	if _, hasFields := named.Underlying().(*types.Struct); !hasFields {
		return false
	}
	is, known := in.errorTypes[named]
	if !known {
		is = library.ImplementsError(types.NewPointer(named))
		in.errorTypes[named] = is
	}
	return is
}

// enclosing walks what is known of the places that enclose r: it holds for r, too. It does
// not if a struct has been copied there, and r was replaced since.
func (w *walker) enclosing(c *cells, r loc, rel access.Path, depth int) {
	replaced := false
	for p := r.path; !p.IsRoot(); {
		replaced = replaced || c.has(p)
		p = p.Parent()
		rest, _ := r.path.Below(p)
		for _, q := range append(c.sharing(p), p) {
			v, ok := c.m[q]
			if !ok || replaced && v.copy && !v.unknown {
				continue
			}
			if !w.follow(r, loc{r.obj, q}, v, rest, rel, depth) {
				return
			}
		}
	}
}

// follow walks what a cell with the value v, which encloses r, refers to, at the path rest
// below that. It returns false if what is deeper tells nothing more.
func (w *walker) follow(r, cell loc, v value, rest, rel access.Path, depth int) bool {
	w.see(rel, v.labels)
	if w.chain.grows(cell, r.path) {
		return false
	}
	w.chain = append(w.chain, link{cell, r.path.Len()})
	for _, ref := range v.refs {
		if ref.obj != r.obj {
			w.walk(ref.under(rest), rel, depth+1)
		}
	}
	w.chain = w.chain[:len(w.chain)-1]
	return true
}

// seeContent collects the content of a parameter at r. Of a struct of which parts have been
// replaced, it collects the others, each for itself, and of the copy of a map all other entries.
func (w *walker) seeContent(r loc, rel access.Path) {
	inside := func(q access.Path) bool { return q != rel && q.Within(rel) }
	if !slices.ContainsFunc(w.replaced, inside) {
		w.see(rel, labels{{Kind: Content, Param: r.obj.param, Path: r.path}})
		return
	}
	t, _ := staticAt(r)
	if t == nil || r.isDeepest() {
		return
	}
	if rel.IsRoot() && isMapType(t) {
		l := Label{Kind: Content, Param: r.obj.param, Path: r.under(access.Elems()).path}
		for _, q := range w.replaced {
			if q.Parent() == rel && q.Last().Kind == access.Key {
				l.Without += q.Last().Name + "\x00"
			}
		}
		w.found = append(w.found, labelled{rel, labels{l}})
		return
	}
	s, ok := types.Unalias(library.Deref(t)).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range s.Fields() {
		part := access.Fields(field.Name())
		w.seeContent(r.under(part), rel.Join(part))
	}
}

// see collects labels, unless they are those of a replaced part, or of a whole
// that has replaced parts.
func (w *walker) see(path access.Path, ls labels) {
	ls = ls.withoutKept()
	if len(ls) > 0 && !slices.ContainsFunc(w.replaced, func(q access.Path) bool { return path.Within(q) || q.Within(path) }) {
		w.found = append(w.found, labelled{path, ls})
	}
}

// replacedBelow returns the paths below p that were certainly replaced, relative
// to p.
func replacedBelow(c *cells, p access.Path) []access.Path {
	var paths []access.Path
	for _, q := range c.near(p) {
		if rest, ok := q.Below(p); ok && !rest.IsRoot() && !c.m[q].weak && !q.IsOrder() && !q.HasMarker() {
			paths = append(paths, rest)
		}
	}
	return paths
}
