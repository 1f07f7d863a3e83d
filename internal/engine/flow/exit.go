package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An exit is what the function leaves at one of its returns, as it was interpreted last.
type exit struct {
	vals []value
	st   *heap
}

// leave joins what the function leaves at its returns.
func (in *interp) leave(fr *frame) {
	var exits []exit
	var returns []*ssa.Return
	for _, b := range fr.fn.Blocks {
		if e, ok := fr.exits[b]; ok {
			exits, returns = append(exits, e), append(returns, b.Instrs[len(b.Instrs)-1].(*ssa.Return))
		}
	}
	in.dropGuarded(fr, exits, returns)
	for i, e := range exits {
		if i == 0 {
			fr.result, fr.exit = e.vals, e.st
			continue
		}
		for i, v := range e.vals {
			fr.result[i] = fr.result[i].join(v)
		}
		fr.exit.joinInto(e.st)
	}
}

// dropGuarded drops from the exits what differs from call to call and is only returned under a guard.
// It is stable once the guard stays false:
//
//	id := uuid.NewString()
//	if apierrors.IsNotFound(err) { return id }
//	return stored.Data["id"]
//
// So is the content of an object that is only returned there. What all returns that do not fail return
// comes either way.
func (in *interp) dropGuarded(fr *frame, exits []exit, returns []*ssa.Return) {
	var done []int // the exits that do not fail
	for i, ret := range returns {
		if !failing(ret) && !in.failsHere(ret) {
			done = append(done, i)
		}
	}
	if len(done) < 2 {
		return
	}
	before := make([][]value, len(exits))
	for i, e := range exits {
		before[i] = slices.Clone(e.vals)
	}
	for _, i := range done {
		e, guards := exits[i], in.guardsOf(fr, returns[i].Block())
		if len(guards) == 0 {
			continue
		}
		for n, v := range e.vals {
			isInAll := func(l Label) bool {
				return !slices.ContainsFunc(done, func(j int) bool { return !slices.Contains(before[j][n].labels, l) })
			}
			v.labels = in.leftOfReturned(v.labels, guards, isInAll)
			if stable, ok := in.stable(e.st, v, guards); ok {
				v = stable
			}
			e.vals[n] = v
		}
		if fr.up == nil {
			in.dropFromReturned(i, exits, guards)
		}
	}
}

// leftOfReturned returns what is left of the labels under the guards, and those that isKept holds for.
func (in *interp) leftOfReturned(ls labels, guards []guard, isKept func(Label) bool) labels {
	left := ls.transform(func(l Label) (Label, bool) {
		if l.Kind < Clock || l.IsOrder() || isKept(l) {
			return l, true
		}
		if kept, ok := leftUnder(guards, l); ok {
			return kept, true
		}
		return l.guarded()
	})
	in.traceDrops(ls, left, guards)
	return left
}

// dropFromReturned does the same for the content of the objects that the function makes and only returns
// at one of the exits.
func (in *interp) dropFromReturned(at int, exits []exit, guards []guard) {
	var elsewhere []*heap
	for i, e := range exits {
		if i != at {
			elsewhere = append(elsewhere, e.st)
		}
	}
	st := exits[at].st
	elsewhere = append(elsewhere, st.reachable(nil))
	none := func(Label) bool { return false }
	st.objs.all(func(o *object, c *cells) bool {
		if !isMade(loc{obj: o}) || st.live(o) || slices.ContainsFunc(elsewhere, func(h *heap) bool { return h.cells(o) != nil }) {
			return true
		}
		for _, p := range c.paths() {
			v := c.m[p]
			if left := in.leftOfReturned(v.labels, guards, none); !left.equal(v.labels) {
				v.labels = left
				st.writable(o).set(p, v)
			}
		}
		return true
	})
}
