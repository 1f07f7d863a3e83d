package flow

import (
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// allLabels returns all labels of v: its own, and those of what it refers to.
func (in *interp) allLabels(v value, st *heap) labels {
	out := v.labels
	for _, r := range v.refs {
		in.walk(st, r, access.Path{}, 0, make(map[loc]bool), func(_ access.Path, l Label) {
			out = out.union(labels{l})
		})
	}
	return out
}

// walk visits the labels under r, with their paths relative to r.
func (in *interp) walk(st *heap, r loc, rel access.Path, depth int, seen map[loc]bool, visit func(path access.Path, l Label)) {
	if seen[r] || depth > maxHops || len(seen) > 256 || st.exhausted() {
		return
	}
	seen[r] = true
	if r.obj.param >= 0 && !st.live(r.obj) && !r.path.IsOrder() {
		visit(rel, Label{Kind: Content, Param: r.obj.param, Path: r.path})
	}
	if st.live(r.obj) {
		visit(rel, Label{Kind: State, Path: shortPath(r.path)})
	}
	// What is known of the enclosing places holds for r, too.
	for p := r.path; !p.IsRoot(); {
		p = p.Parent()
		if c := st.objs[r.obj]; c != nil {
			if v, ok := c.m[p]; ok {
				for _, l := range v.labels {
					visit(rel, l)
				}
				rest, _ := r.path.Below(p)
				for _, ref := range v.refs {
					if ref.obj != r.obj {
						in.walk(st, ref.under(rest), rel, depth+1, seen, visit)
					}
				}
			}
		}
	}
	c := st.objs[r.obj]
	if c == nil {
		return
	}
	st.spend(len(c.m))
	for _, p := range st.sortedPaths(r.obj) {
		rest, ok := p.Below(r.path)
		if !ok || rest.HasMarker() || in.sortedInLoop[r.obj] && p.IsOrder() {
			continue
		}
		v := c.m[p]
		path := rel.Join(rest)
		st.spend(len(v.labels))
		for _, l := range v.labels {
			visit(path, l)
		}
		see := visit
		if v.copy {
			if replaced := replacedBelow(c, p); len(replaced) > 0 {
				see = func(at access.Path, l Label) {
					if rest, _ := at.Below(path); rest.IsRoot() || slices.ContainsFunc(replaced, rest.Within) {
						return
					}
					visit(at, l)
				}
			}
		}
		for _, ref := range v.refs {
			if ref.obj == r.obj && ref.path.Within(p) {
				continue
			}
			in.walk(st, ref, path, depth+1, seen, see)
		}
	}
}

// replacedBelow returns the paths below p that were certainly replaced, relative
// to p.
func replacedBelow(c *cells, p access.Path) []access.Path {
	var paths []access.Path
	for q, v := range c.m {
		if rest, ok := q.Below(p); ok && !rest.IsRoot() && !v.weak && !q.IsOrder() && !q.HasMarker() {
			paths = append(paths, rest)
		}
	}
	return paths
}
