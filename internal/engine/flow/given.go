package flow

import (
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// A boolean parameter that decides is no condition by itself. What it is, each
// caller knows:
//
//	func sync(obj client.Object, update bool) error {
//		if update { return c.Update(ctx, obj) }
//	}
//
//	sync(obj, true)     // always
//	sync(obj, false)    // never
//	sync(obj, changed)  // a guard of the caller

// A passed is what a caller passes for a boolean parameter that decides.
type passed struct {
	excluded bool // the other constant
	is       bool // it is a guard
	guard    guard
}

// passed returns what the caller passes for given, which is as in a [Label].
func (im *importer) passed(given int) passed {
	holds := given > 0
	i := given - 1
	if !holds {
		i = -given - 1
	}
	if i >= len(im.s.args) {
		return passed{is: true}
	}
	switch im.s.args[i].constant {
	case "true":
		return passed{excluded: !holds}
	case "false":
		return passed{excluded: holds}
	}
	arg := im.s.vals[i]
	if arg == nil {
		return passed{is: true}
	}
	c := cfg.Condition{Value: arg, Holds: holds}
	ls, is := im.in.isGuard(im.fr, cfg.Branch{Condition: c})
	return passed{is: is, guard: guard{cond: arg, branch: holds, labels: ls, given: im.fr.given(c)}}
}

// left returns what is left of l, a label that depends on the parameter.
func (p passed) left(l Label) (Label, bool) {
	switch {
	case p.excluded:
		return l, false
	case !p.is:
		return l, true
	}
	if kept, ok := leftUnder([]guard{p.guard}, l); ok {
		return kept, true
	}
	return l.guarded()
}
