package flow

import (
	"slices"
	"strings"
)

// deep returns everything that v depends on: its own labels and those of all
// that it refers to.
func (in *interp) deep(v value, st *heap) labels {
	out := v.labels
	for _, r := range v.refs {
		in.walk(st, r, "", 0, make(map[loc]bool), func(_ string, l Label) {
			out = out.union(labels{l})
		})
	}
	return out
}

// walk visits the labels under r, with their paths relative to r.
func (in *interp) walk(st *heap, r loc, rel string, depth int, seen map[loc]bool, visit func(path string, l Label)) {
	if seen[r] || depth > maxHops || len(seen) > 256 || st.exhausted() {
		return
	}
	seen[r] = true
	if r.obj.param >= 0 && !st.live(r.obj) && !strings.HasSuffix(r.path, "#") {
		visit(rel, Label{Kind: Content, Param: r.obj.param, Path: r.path})
	}
	if st.live(r.obj) {
		visit(rel, Label{Kind: State, Path: shortPath(r.path)})
	}
	// What is known of the places that enclose r holds for r.
	for p := parent(r.path); p != r.path; p = parent(p) {
		if c := st.objs[r.obj]; c != nil {
			if v, ok := c.m[p]; ok {
				for _, l := range v.labels {
					visit(rel, l)
				}
				for _, ref := range v.refs {
					if ref.obj != r.obj {
						in.walk(st, ref.under(r.path[len(p):]), rel, depth+1, seen, visit)
					}
				}
			}
		}
		if p == "" {
			break
		}
		r2 := parent(p)
		if r2 == p {
			break
		}
	}
	c := st.objs[r.obj]
	if c == nil {
		return
	}
	st.worked(len(c.m))
	for _, p := range st.sortedPaths(r.obj) {
		if !within(p, r.path) || strings.Contains(p[len(r.path):], "~") || in.tidy[r.obj] && strings.HasSuffix(p, "#") {
			continue
		}
		v := c.m[p]
		path := rel + p[len(r.path):]
		st.worked(len(v.labels))
		for _, l := range v.labels {
			visit(path, l)
		}
		see := visit
		if v.copy {
			if replaced := replacedBelow(c, p); len(replaced) > 0 {
				see = func(at string, l Label) {
					if rest := at[len(path):]; rest == "" || slices.ContainsFunc(replaced, func(q string) bool { return within(rest, q) }) {
						return
					}
					visit(at, l)
				}
			}
		}
		for _, ref := range v.refs {
			if ref.obj == r.obj && within(ref.path, p) {
				continue
			}
			in.walk(st, ref, path, depth+1, seen, see)
		}
	}
}

// replacedBelow returns the paths below p, relative to it, that were certainly
// replaced.
func replacedBelow(c *cells, p string) []string {
	var paths []string
	for q, v := range c.m {
		if q != p && within(q, p) && !v.weak && !strings.HasSuffix(q, "#") && !strings.Contains(q, "~") {
			paths = append(paths, q[len(p):])
		}
	}
	return paths
}
