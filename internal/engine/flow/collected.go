package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// reasons classifies the condition that there is something: on a list, or in a text, that
// tells why something is to be done. It returns false if nothing is known of that.
func (in *interp) reasons(fr *frame, v ssa.Value) (ls labels, is, known bool) {
	if o, _ := fr.verdict(v, true); o.Guarded {
		return o.Labels, in.isGuarded(o), true
	}
	if ls, ok := in.differs(fr, v); ok {
		return ls, true, true
	}
	ls, is = in.collected(fr, v)
	return ls, is, is
}

// collected returns what feeds the condition that there is something on a list, and whether
// it is a guard. It is one if each element is put there under a guard, as a reason for the
// write:
//
//	var reasons []string
//	if current.Image != wanted.Image { reasons = append(reasons, "image") }
//	if current.Size != wanted.Size { reasons = append(reasons, "size") }
//	if len(reasons) > 0 { … }
//
// A filter is none: it chooses the same elements each time.
func (in *interp) collected(fr *frame, list ssa.Value) (ls labels, is bool) {
	phi, ok := list.(*ssa.Phi)
	if !ok || !isSliceType(list.Type()) || in.flags[phi] {
		return nil, false
	}
	in.flags[phi] = true
	defer delete(in.flags, phi)
	c := collection{seen: make(map[ssa.Value]bool)}
	if !c.add(phi) {
		return nil, false
	}
	base := in.control.Of(phi.Block())
	for _, more := range c.appends {
		own := ownGroups(in.control.Of(more.Block()), base)
		guards := slices.DeleteFunc(in.guardsAmong(fr, more.Block(), own), func(g guard) bool { return g.filters })
		if len(guards) == 0 {
			return nil, false
		}
		ls, is = ls.union(in.feedingAll(guards)), true
	}
	for _, of := range c.returned {
		o, _ := fr.verdict(of, true)
		if !in.isGuarded(o) {
			return nil, false
		}
		ls, is = ls.union(o.Labels), true
	}
	return ls, is
}

// A collection is how a list comes about.
type collection struct {
	appends  []*ssa.Call
	returned []ssa.Value // lists that functions return, to which the others are appended
	seen     map[ssa.Value]bool
}

// add follows v back to where it is empty, or a function returns it. It returns false if it
// does not know where v comes from.
func (c *collection) add(v ssa.Value) bool {
	if c.seen[v] || isEmptyList(v) || constants.IsZero(v) {
		return true
	}
	c.seen[v] = true
	switch o := origin.Of(v); o.Kind {
	case origin.Choice:
		return !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return !c.add(e) })
	case origin.Result:
		if o.Builtin() == "append" {
			c.appends = append(c.appends, o.Call)
			return c.add(o.Call.Call.Args[0])
		}
		c.returned = append(c.returned, v)
		return true
	}
	return false
}

// isEmptyList reports whether v is made as a list without elements.
func isEmptyList(v ssa.Value) bool {
	if list, ok := v.(*ssa.MakeSlice); ok {
		return isConst(list.Len) && constants.IsZero(list.Len)
	}
	o := origin.Of(v)
	if o.Kind != origin.Sliced || origin.Of(o.X).Kind != origin.Local {
		return false
	}
	array, ok := library.Deref(o.X.Type()).Underlying().(*types.Array)
	return ok && array.Len() == 0
}
