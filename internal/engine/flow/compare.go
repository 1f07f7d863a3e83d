package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// compare interprets a call of a library's function that compares two values, with
// options. What it answers depends on the values, unless an option leaves something out, of
// which nothing is known.
func (in *interp) compare(fr *frame, c target, s *callSite) []value {
	if len(s.args) < 3 || s.vals[2] == nil {
		return in.unknownResults(c, s) // a function of the caller's calls it
	}
	results := in.pure(fr, c, s)
	all, orders := comparesAll(s.vals[2])
	for i := range results {
		results[i].labels = results[i].labels.transform(func(l Label) (Label, bool) {
			return l, all && (orders || !l.IsOrder() && !l.isReturnedOrder())
		})
		results[i].unknown = results[i].unknown || !all
	}
	found := in.allLabels(s.args[0], s.st).union(in.allLabels(s.args[1], s.st)).fixed()
	found = in.filter(fr, value{labels: found}, types.Typ[types.String]).labels
	for _, option := range s.args[2].refs {
		for _, reporter := range s.st.get(option.under(access.Elems())).refs {
			in.noteIn(s.st, reporter, found)
		}
	}
	return results
}

// apart returns the labels of two values that are compared, without those of a part that both
// have from the same source: it is the same in both.
//
//	current.LastUpdated = now
//	if current == updated { return }
func (in *interp) apart(x, y value, t types.Type, st *heap) labels {
	all := in.allLabels(x, st).union(in.allLabels(y, st))
	if len(x.refs) != 1 || len(y.refs) != 1 || x.unknown || y.unknown {
		return all
	}
	a, b := x.refs[0], y.refs[0]
	if ls, ok := in.fieldsApart(x, y, t, st); ok {
		return ls
	}
	all = x.labels.union(y.labels)
	for _, side := range []loc{a, b} {
		for _, found := range in.walk(st, side) {
			one, other := st.settledAt(a.under(found.path)), st.settledAt(b.under(found.path))
			same := len(one.refs) == 1 && slices.Equal(one.refs, other.refs)
			all = all.union(found.labels.transform(func(l Label) (Label, bool) {
				isOne := l.IsSource() && !l.IsOrder() || l.Kind == Content && !l.Item && !l.Appended
				return l, !(isOne && (same || slices.Contains(one.labels, l) && slices.Contains(other.labels, l)))
			}))
		}
	}
	return all
}

// maxFieldsApart bounds the fields of structs that are compared one by one.
const maxFieldsApart = 32

// fieldsApart is apart for two structs of which one has taken over fields of the other, which is what
// a caller passes. It reports whether there are such fields.
//
//	func (s record) same(other record) bool {
//		s.At = other.At
//		return s == other
//	}
func (in *interp) fieldsApart(x, y value, t types.Type, st *heap) (all labels, ok bool) {
	fields, isStruct := library.Deref(t).Underlying().(*types.Struct)
	if !isStruct || fields.NumFields() > maxFieldsApart {
		return nil, false
	}
	for f := range fields.Fields() {
		a, b := x.refs[0].under(access.Fields(f.Name())), y.refs[0].under(access.Fields(f.Name()))
		one, other := in.labelsAt(st, a), in.labelsAt(st, b)
		replaced := isOfCaller(st.settledAt(a)) || isOfCaller(st.settledAt(b)) // whatever was decoded into the struct before
		if isOfCaller(st.get(a)) && slices.Equal(st.get(a).refs, st.get(b).refs) && (replaced || one.equal(other)) {
			ok = true
			continue
		}
		all = all.union(one).union(other)
	}
	return all, ok
}

// isOfCaller reports whether the value certainly is one part of what a caller passes.
func isOfCaller(v value) bool {
	return !v.unknown && !v.weak && !v.several && len(v.refs) == 1 && v.refs[0].obj.param >= 0 && !v.refs[0].path.HasIndex()
}

// settledAt returns what was certainly stored at the place, if anything was.
func (h *heap) settledAt(r loc) value {
	if c := h.cells(r.obj); c != nil {
		if v, ok := c.m[r.path]; ok && !v.weak && !v.unknown {
			return v
		}
	}
	return value{}
}

// differs returns what feeds the condition that there is something in v, if v is the text, or
// has the notes, of a comparison: that what was compared differs.
func (in *interp) differs(fr *frame, v ssa.Value) (ls labels, ok bool) {
	if call := origin.Of(v).Call; call != nil && library.IsString(v.Type()) && library.Of(callee.Static(call.Common())).Effect == library.Compares {
		return in.reg(fr, v).labels, true
	}
	refs := in.reg(fr, v).refs
	for _, r := range refs {
		noted, isNoted := in.differences[r.obj]
		if !isNoted || !r.path.IsRoot() {
			return nil, false
		}
		ls = ls.union(noted)
	}
	return ls, len(refs) > 0
}

// comparesAll reports whether the options leave nothing out, and whether orders count with
// them.
func comparesAll(options ssa.Value) (all, orders bool) {
	if isConst(options) {
		return true, true // there are none
	}
	list, ok := origin.Listed(options)
	orders = true
	for _, option := range list {
		call := origin.Of(origin.Through(option, origin.Boxed)).Call
		if call == nil {
			return false, false
		}
		known := library.Of(callee.Static(call.Common()))
		if known.Effect != library.Reports && known.Effect != library.ComparesAll && !known.Unordered {
			return false, false
		}
		orders = orders && !known.Unordered
	}
	return ok, orders
}

// noteIn notes that a comparison of what has the labels puts differences into an object: into
// its maps and lists.
func (in *interp) noteIn(st *heap, notes loc, ls labels) {
	for _, p := range st.sortedPaths(notes.obj) {
		if !p.Within(notes.path) || p.HasMarker() {
			continue
		}
		for _, r := range st.cells(notes.obj).m[p].refs {
			if r.obj.param < 0 && r.obj != notes.obj {
				st.put(r.under(access.Elems()), value{labels: ls}, false)
				in.differences[r.obj] = in.differences[r.obj].union(ls)
			}
		}
	}
}
