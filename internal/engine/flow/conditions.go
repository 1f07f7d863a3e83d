package flow

import (
	"go/types"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// setCondition interprets a function c such as meta.SetStatusCondition. While the status does not
// change, it keeps the transition time of the old condition, so the new time does
// not matter. If the conditions have been emptied, it sets the current time.
func (in *interp) setCondition(fr *frame, c target, s *callSite) {
	ls := in.inCondition(s.st, s.args[1])
	if in.emptied(s.st, s.args[0]) && !in.guarded(fr) {
		ls = ls.union(labels{in.newSource(Clock, "the time of "+in.sourceName(c)+" on emptied conditions", s)})
	}
	ls = in.filter(fr, value{labels: ls}, types.Typ[types.String]).labels
	for _, r := range s.args[0].refs {
		putCondition(s.st, r, ls)
	}
}

// putCondition stores what a condition says among the conditions at r.
func putCondition(st *heap, r loc, ls labels) {
	st.put(r.under(access.Elems()), value{labels: ls}, false)
	if isMade(r) && len(ls) > 0 { // a variable, whose list is read by value
		st.put(r, value{labels: ls}, false)
	}
}

// inCondition returns the labels of what is in a condition, or in several, without their times.
func (in *interp) inCondition(st *heap, v value) labels {
	var ls labels
	for _, r := range v.refs {
		for _, at := range in.walk(st, r) {
			path := at.path
			if step, rest := path.Cut(); step == access.Elems() {
				path = rest // of a condition among several
			}
			if !path.Within(access.Fields("LastTransitionTime")) {
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
		putCondition(s.st, in.conditionsIn(r), ls)
	}
}

// conditionsIn returns where the conditions are of what r is: an object, its status, or these
// conditions.
func (in *interp) conditionsIn(r loc) loc {
	t := in.typeAt(r)
	switch {
	case t == nil && r.path.LastField() == "Conditions", t != nil && isSliceType(t):
		return r
	case t == nil && !r.path.IsRoot():
		return r.under(access.Fields("Conditions"))
	}
	if path, _, ok := fieldIn(t, "Conditions"); ok {
		return r.under(path)
	}
	path, status, ok := fieldIn(t, "Status")
	if !ok {
		return r.under(access.Fields("Status", "Conditions"))
	}
	if conditions, _, ok := fieldIn(status, "Conditions"); ok {
		return r.under(path.Join(conditions))
	}
	return r.under(path.Field("Conditions"))
}

// fieldIn returns the path of a field of a struct, or of what it embeds, and the field's type.
func fieldIn(t types.Type, name string) (path access.Path, field types.Type, ok bool) {
	if t == nil || types.IsInterface(t) {
		return access.Path{}, nil, false
	}
	found, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
	v, ok := found.(*types.Var)
	if !ok {
		return access.Path{}, nil, false
	}
	for _, i := range index {
		s, ok := library.Deref(t).Underlying().(*types.Struct)
		if !ok {
			return access.Path{}, nil, false
		}
		path, t = path.Field(s.Field(i).Name()), s.Field(i).Type()
	}
	return path, v.Type(), true
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
