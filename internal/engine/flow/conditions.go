package flow

import (
	"go/types"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// setCondition interprets meta.SetStatusCondition. While the status does not
// change, it keeps the transition time of the old condition, so the new time does
// not matter. If the conditions have been emptied, it sets the current time.
func (in *interp) setCondition(fr *frame, s *callSite) {
	ls := in.inCondition(s.st, s.args[1])
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

// inCondition returns the labels of what is in a condition, without its time.
func (in *interp) inCondition(st *heap, v value) labels {
	var ls labels
	for _, r := range v.refs {
		for _, at := range in.walk(st, r) {
			if !at.path.Within(access.Fields("LastTransitionTime")) {
				ls = ls.union(at.labels.transform(func(l Label) (Label, bool) { return l, l.Kind != State && !l.Item }))
			}
		}
	}
	return ls
}

// setConditionOf interprets that a condition is set of an object, or in its status, from
// what a text or another condition says:
//
//	conditions.MarkFalse(machine, clusterv1.ReadyCondition, "Waiting", severity, "since %s", age)
func (in *interp) setConditionOf(fr *frame, known *library.Func, s *callSite) {
	of, ok := known.Args.Of(library.ObjectArg, len(s.args))
	if !ok {
		return
	}
	var ls labels
	for i, arg := range s.args {
		if i != of {
			ls = ls.union(arg.labels).union(in.inCondition(s.st, arg))
		}
	}
	ls = in.filter(fr, value{labels: ls.fixed()}, types.Typ[types.String]).labels
	for _, r := range s.args[of].refs {
		conditions := conditionsIn(r)
		s.st.put(conditions.under(access.Elems()), value{labels: ls}, false)
		if conditions == r && isMade(r) && len(ls) > 0 { // as in setCondition
			s.st.put(r, value{labels: ls}, false)
		}
	}
}

// conditionsIn returns where the conditions are of what r is: an object, its status, or these
// conditions.
func conditionsIn(r loc) loc {
	if r.path.LastField() == "Conditions" {
		return r
	}
	if !r.path.IsRoot() {
		return r.under(access.Fields("Conditions"))
	}
	if r.obj.typ == nil {
		return r.under(access.Fields("Status", "Conditions"))
	}
	switch t := library.Deref(r.obj.typ).Underlying().(type) {
	case *types.Slice:
		return r
	case *types.Struct:
		if !isObject(t) {
			return r.under(access.Fields("Conditions"))
		}
	}
	return r.under(access.Fields("Status", "Conditions"))
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
