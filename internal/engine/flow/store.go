package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
)

func (in *interp) store(fr *frame, s *ssa.Store, st *heap) {
	addr := in.reg(fr, s.Addr)
	v := in.filter(fr, in.reg(fr, s.Val), s.Val.Type())
	if ia, ok := s.Addr.(*ssa.IndexAddr); ok {
		in.orderByCounter(fr, ia, v, st)
	}
	if isString(s.Val.Type()) {
		v.labels = in.accumulated(fr, s.Addr, addr, s.Val, v.labels)
	}
	strong := len(addr.refs) == 1 && !addr.unknown
	for _, r := range addr.refs {
		in.assign(st, r, v, s.Val.Type(), strong, fr.guards)
	}
}

// A copyKey identifies the copy that a store of a struct into a sequence makes.
type copyKey struct{ to, from loc }

// assign writes v, a value of type t, at r. A struct is copied: the cells under
// the place that it was read from are copied to r. Under guards, only the labels
// that feed the guards are copied.
func (in *interp) assign(st *heap, r loc, v value, t types.Type, strong bool, guards []guard) {
	if !isAggregate(t) {
		st.put(r, v, strong)
		return
	}
	if r.path.HasElem() && len(v.refs) > 0 {
		// The place stands for several elements. An object for this one keeps
		// it apart from the others.
		o := in.object(site{at: copyKey{r, v.refs[0]}}, t)
		st.reset(o)
		in.assign(st, loc{obj: o}, v, t, true, guards)
		st.put(r, value{refs: []loc{{obj: o}}, labels: v.labels}, false)
		return
	}
	kept := value{labels: v.labels, unknown: v.unknown, copy: true}
	type copy struct {
		path access.Path
		val  value
	}
	var copies []copy
	for _, src := range v.refs {
		if src == r {
			continue
		}
		for _, from := range st.sources(src) {
			if st.isGiven(from.obj) {
				kept.refs = unionRefs(kept.refs, []loc{from.loc})
			}
			cells := st.cells(from.obj)
			if cells == nil || from.copied {
				continue
			}
			for _, p := range st.sortedPaths(from.obj) {
				if rest, ok := p.Below(from.path); ok {
					v := cells.m[p]
					if len(guards) > 0 {
						weak := v.weak
						v = feedingPart(v, guards)
						v.weak = weak
					}
					copies = append(copies, copy{rest, v})
				}
			}
		}
	}
	st.put(r, kept, strong)
	for _, c := range copies {
		if c.path.IsRoot() {
			cell := c.val
			cell.labels = cell.labels.union(kept.labels)
			st.put(r, kept.join(cell), strong)
			continue
		}
		st.put(r.under(c.path), c.val, strong && len(v.refs) == 1 && !c.val.weak)
	}
}

func (in *interp) mapUpdate(fr *frame, m *ssa.MapUpdate, st *heap) {
	dest := in.reg(fr, m.Map)
	key, elem := in.reg(fr, m.Key), in.reg(fr, m.Value)
	v := in.filter(fr, elem, m.Value.Type())
	v.labels = v.labels.union(in.filter(fr, value{labels: in.allLabels(key, st).fixed()}, m.Key.Type()).labels)
	name, known := constants.String(m.Key)
	all := in.accumulatedEntry(fr, m, dest, v.labels)
	for _, r := range dest.refs {
		// A map has no order, so an item is no longer one, unless the loop that
		// yields the items makes a map for each.
		v.labels = all.transform(func(l Label) (Label, bool) { return l, !l.Item || l.loop.contains(r.obj.block) })
		if known {
			in.assign(st, r.under(access.Entry(name)), v, m.Value.Type(), len(dest.refs) == 1, fr.guards)
			continue
		}
		in.assign(st, r.under(access.Elems()), v, m.Value.Type(), false, fr.guards)
	}
}
