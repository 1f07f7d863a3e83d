package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An exit is what the function leaves at one of its returns, as it was interpreted last.
type exit struct {
	ret  *ssa.Return
	vals []value
	st   *heap
}

// leave joins what the function leaves at its returns.
func (in *interp) leave(fr *frame) {
	var exits []exit
	for _, b := range fr.fn.Blocks {
		if e, ok := fr.exits[b]; ok {
			exits = append(exits, e)
		}
	}
	in.dropGuarded(fr, exits)
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
func (in *interp) dropGuarded(fr *frame, exits []exit) {
	done := slices.DeleteFunc(slices.Clone(exits), func(e exit) bool { return failing(e.ret) || in.failsHere(e.ret) })
	if len(done) < 2 {
		return
	}
	before := make([][]value, len(done))
	for i, e := range done {
		before[i] = slices.Clone(e.vals)
	}
	for _, e := range done {
		guards := in.guardsOf(fr, e.ret.Block())
		if len(guards) == 0 {
			continue
		}
		for n, v := range e.vals {
			isInAll := func(l Label) bool {
				return !slices.ContainsFunc(before, func(vals []value) bool { return !slices.Contains(vals[n].labels, l) })
			}
			v.labels = in.leftOfReturned(v.labels, guards, isInAll)
			if stable, ok := in.stable(e.st, v, guards); ok {
				v = stable
			}
			e.vals[n] = v
		}
		if fr.up == nil {
			in.dropFromReturned(e, done, guards)
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

// dropFromReturned does the same for the content of the objects that the function makes: for what they only
// have where it returns at this exit, of those that do not fail.
//
//	annotations["at"] = time.Now().String()
//	if apierrors.IsNotFound(err) { return annotations }
//	annotations["at"] = stored.Annotations["at"]
//	return annotations
func (in *interp) dropFromReturned(at exit, done []exit, guards []guard) {
	st := at.st
	handedOn := st.reachable(nil)
	st.objs.all(func(o *object, c *cells) bool {
		if !isMade(loc{obj: o}) || st.live(o) || handedOn.cells(o) != nil {
			return true
		}
		for _, p := range c.paths() {
			v := c.m[p]
			isElsewhere := func(l Label) bool {
				return slices.ContainsFunc(done, func(e exit) bool {
					if e.ret == at.ret {
						return false
					}
					other := e.st.cells(o)
					return other != nil && slices.Contains(other.m[p].labels, l)
				})
			}
			if left := in.leftOfReturned(v.labels, guards, isElsewhere); !left.equal(v.labels) {
				v.labels = left
				st.writable(o).set(p, v)
			}
		}
		return true
	})
}
