package flow

import (
	"go/types"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// setCondition interprets meta.SetStatusCondition. While the status does not
// change, it keeps the transition time of the old condition, so the new time does
// not matter. If the conditions have been emptied, it sets the current time.
func (in *interp) setCondition(fr *frame, s *callSite) {
	var ls labels
	for _, r := range s.args[1].refs {
		for _, at := range in.walk(s.st, r) {
			if !at.path.Within(access.Fields("LastTransitionTime")) {
				ls = ls.union(at.labels.transform(func(l Label) (Label, bool) { return l, l.Kind != State && !l.Item }))
			}
		}
	}
	if in.emptied(s.st, s.args[0]) && !in.guarded(fr) {
		ls = ls.union(labels{in.newSource(Clock, "the time of meta.SetStatusCondition on emptied conditions", s)})
	}
	ls = in.filter(fr, value{labels: ls}, types.Typ[types.String]).labels
	for _, r := range s.args[0].refs {
		s.st.put(r.under(access.Elems()), value{labels: ls}, false)
		if isMade(r) && len(ls) > 0 { // a variable, whose list is read by value
			s.st.put(r, value{labels: ls}, false)
		}
	}
}

// emptied reports whether the slice that ptr points to is certainly empty.
func (in *interp) emptied(st *heap, ptr value) bool {
	if len(ptr.refs) != 1 || ptr.unknown {
		return false
	}
	r := ptr.refs[0]
	c := st.cells(r.obj)
	if c == nil {
		return false
	}
	for p := range c.m {
		if p != r.path && p.Within(r.path) {
			return false
		}
	}
	v, ok := c.m[r.path]
	if !ok {
		// Never set: empty if this function allocated the struct.
		for p := range c.m {
			if r.path.Within(p) && len(c.m[p].refs) > 0 {
				return false
			}
		}
		return !r.obj.symbolic && !r.obj.opaque && !c.live && r.obj.from == ""
	}
	if v.weak || v.unknown {
		return false
	}
	for _, ref := range v.refs {
		if ref.obj.symbolic || st.live(ref.obj) || ref == r {
			return false
		}
		rc := st.cells(ref.obj)
		if rc == nil {
			if isMade(ref) {
				continue // nothing is in it yet
			}
			return false
		}
		for p := range rc.m {
			if p.Within(ref.path.Elem()) {
				return false
			}
		}
	}
	return true
}
