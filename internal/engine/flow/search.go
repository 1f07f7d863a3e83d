package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
)

// A search loop looks for an element by what identifies it. Behind the loop, that
// nothing was found is a guard: what is added then is found the next time. The loop
// may leave the function when it finds something, see [cfg.Branch], or set a flag:
//
//	found := false
//	for _, c := range thing.Status.Conditions {
//		if c.Type == "Ready" { found = true }
//	}
//	if !found { … }
//
// A flag for which the loop also asks for the element's state is none of these:
// the element may be there and stay in another state.

// searchFailed reports whether the branch is taken because a search found nothing,
// and returns the labels of what identifies the elements.
func (in *interp) searchFailed(fr *frame, br cfg.Branch) (labels, bool) {
	c := br.Stripped()
	if phi, ok := c.Value.(*ssa.Phi); ok && isBool(phi.Type()) {
		return in.flagUnset(fr, phi, !c.Holds)
	}
	o, ok := fr.verdict(c.Value, c.Holds)
	return o.Labels, ok && o.Search && isSelection(o.Labels)
}

// flagUnset is searchFailed for a flag of the loop that the value found would mark.
func (in *interp) flagUnset(fr *frame, flag *ssa.Phi, found bool) (labels, bool) {
	var groups []cfg.Group // under which the loop marks the flag
	marked := false
	seen := map[*ssa.Phi]bool{flag: true}
	for work := []*ssa.Phi{flag}; len(work) > 0; {
		phi := work[0]
		work = work[1:]
		for i, e := range phi.Edges {
			if next, ok := e.(*ssa.Phi); ok {
				if !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
				continue
			}
			set, known := constants.Bool(e)
			switch own := in.control.OfEdge(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}); {
			case !known:
				return nil, false
			case set != found:
			case !marked:
				groups, marked = own, true
			default:
				groups = slices.DeleteFunc(slices.Clone(groups), func(g cfg.Group) bool { return !cfg.Contains(own, g) })
			}
		}
	}
	return in.selects(fr, groups, flag)
}

// selects reports whether the groups only select elements of a loop, and returns
// the labels of their conditions. The flag must be tested behind the loop.
func (in *interp) selects(fr *frame, groups []cfg.Group, flag *ssa.Phi) (labels, bool) {
	var asked labels
	for _, g := range groups {
		for _, way := range g {
			for _, br := range way {
				l := in.loopOf(br.Value)
				if l == nil || isTestedIn(flag, l) {
					continue
				}
				ls := in.reg(fr, br.Value).labels
				if !isSelection(ls) {
					return nil, false
				}
				asked = asked.union(ls)
			}
		}
	}
	return asked, len(asked) > 0
}

// loopOf returns the innermost loop that computes v, or nil.
func (a *analysisState) loopOf(v ssa.Value) *loop {
	if at, ok := v.(ssa.Instruction); ok {
		return a.innermost(at.Block())
	}
	return nil
}

// isTestedIn reports whether a branch in the loop depends on the flag.
func isTestedIn(flag *ssa.Phi, l *loop) bool {
	return slices.ContainsFunc(*flag.Referrers(), func(ref ssa.Instruction) bool {
		_, phi := ref.(*ssa.Phi)
		return !phi && l.contains(ref.Block())
	})
}
