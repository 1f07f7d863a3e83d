package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A guard is a condition that may be false once the cluster has converged:
// something is absent, two states differ, time has passed. Code under a guard
// need not run on each reconcile.
//
// A condition on the spec is no guard, because it does not change until the spec
// does. A test of an error is none either.
type guard struct {
	cond   ssa.Value
	branch bool
	alone  bool   // there are no alternatives to the condition
	labels labels // of the values that feed the condition
	search bool   // it is false once a loop finds an element
	// setting is set if it is none when only configuration of the caller feeds it.
	setting bool
	// given is as in a [Label], if the condition is a boolean parameter or a
	// decision. The caller decides whether it is a guard.
	given int
	// either is what feeds the guard beside what the caller decides: a value passes it if it
	// feeds one of them.
	either labels
	// filters is set for a filter. It does not fix the order of what passes it.
	filters bool
	// owned is set if it is that an object has an owner.
	owned bool
	// tested is what the condition tests, for a caller. It is empty if that is not
	// all known.
	tested []Tested
}

// guardsOf returns the guards of b within its function.
func (in *interp) guardsOf(fr *frame, b *ssa.BasicBlock) []guard {
	return in.guardsAmong(fr, b, in.control.Of(b))
}

// edgeGuards returns the guards of the edge from p to b.
func (in *interp) edgeGuards(fr *frame, p, b *ssa.BasicBlock) []guard {
	return in.guardsAmong(fr, p, in.control.OfEdge(cfg.Edge{From: p, To: b}))
}

// fewGroups is how many conditions a block may be under before each more takes a step. What people
// write has fewer.
const fewGroups = 64

// guardsAmong returns the groups that are guards of the block b.
func (in *interp) guardsAmong(fr *frame, b *ssa.BasicBlock, groups []cfg.Group) []guard {
	if in.stepsLeft -= max(len(groups)-fewGroups, 0); in.exhausted() {
		return nil
	}
	var guards []guard
	for _, group := range groups {
		if g, ok := in.knownGuard(fr, group); ok && !in.isStatusMode(fr, group, b) && !in.holdsAnyhow(fr, group, b) {
			// Behind the loop, the condition is about all items.
			g.labels = g.labels.transform(func(l Label) (Label, bool) { return l, !l.Item || fr.within(l.loop, b) })
			guards = append(guards, g)
		}
	}
	return in.withoutImplied(guards)
}

// A groupKey identifies a group of conditions: by its branch if that is all it has, else by
// its first alternative.
type groupKey struct {
	branch cfg.Branch
	first  *cfg.Way
}

func keyOf(g cfg.Group) groupKey {
	if len(g) == 1 && len(g[0]) == 1 {
		return groupKey{branch: g[0][0]}
	}
	return groupKey{first: &g[0]}
}

// A groupGuard is what guardOf has returned for a group.
type groupGuard struct {
	guard guard
	is    bool
}

// knownGuard is guardOf for a group that may have been asked for before, from another block
// or edge, since registers have changed. What is left to the caller is not kept.
func (in *interp) knownGuard(fr *frame, group cfg.Group) (guard, bool) {
	if in.callerDecides {
		return in.guardOf(fr, regular(group))
	}
	key := keyOf(group)
	known, ok := fr.groups[key]
	if !ok {
		ahead, deferred := fr.lookedAhead, len(fr.deferred)
		fr.lookedAhead = false
		known.guard, known.is = in.guardOf(fr, regular(group))
		if len(fr.deferred) == deferred && !fr.lookedAhead { // else each block that asks has to ask again
			fr.groups[key] = known
		}
		fr.lookedAhead = fr.lookedAhead || ahead
	}
	return known.guard, known.is
}

// regular returns the alternatives of a group apart from errors, if there are any:
//
//	if stored, err := parse(x); err != nil || stored == y
func regular(group cfg.Group) cfg.Group {
	some := slices.DeleteFunc(slices.Clone(group), func(way cfg.Way) bool { return isFailure(way[0]) })
	if len(some) == 0 {
		return group
	}
	return some
}

// guardOf returns the guard that a group is. It is one if each of its alternatives
// has a branch that is a guard.
func (in *interp) guardOf(fr *frame, group cfg.Group) (guard, bool) {
	if isValidation(group) {
		return guard{}, false
	}
	first := group[0][0]
	g := guard{cond: first.Value, branch: first.Holds, filters: true}
	if len(group) == 1 && len(group[0]) == 1 {
		g.given, g.either = in.decisionOf(fr, first.Condition)
		g.alone = true
	}
	known := true
	saw := in.sawSetting
	in.sawSetting = false
	defer func() { in.sawSetting = in.sawSetting || saw }()
	for _, way := range group {
		guarded := false
		for _, br := range way {
			ls, is := in.isGuard(fr, br)
			if !is {
				continue
			}
			guarded = true
			if in.callerDecides {
				ls = ls.whetherThere(br.Condition)
			}
			g.labels = g.labels.union(ls)
			_, failed := in.searchFailed(fr, br)
			g.search = g.search || br.Search || failed
			g.filters = g.filters && (in.isFilter(fr, br.Condition) || in.choosesForm(br.Condition))
			g.owned = g.alone && in.isOwned(fr, br.Condition, ls)
			if in.callerDecides {
				tested, ok := in.testedBy(fr, br.Condition)
				g.tested, known = append(g.tested, tested...), known && ok
			}
		}
		if !guarded {
			d, ok := in.decided(g.given)
			if !ok || !d.flag {
				return guard{}, false
			}
			g.labels = in.reg(fr, first.Value).labels // the option
		}
	}
	if !known {
		g.tested = nil
	}
	g.labels, g.setting = g.labels.withoutKeys().union(in.asked(g.given)), in.sawSetting
	if n := in.sought(fr, g); n != 0 {
		g.given = n
	}
	return g, true
}

// holdsAnyhow reports whether the group holds for the block as long as nothing fails, no step asks to be
// called again, what the code makes is there, and modes last: one of its alternatives has the opposite of
// what another one has.
//
//	if managed {
//		if res, err := r.step(ctx); err != nil || !res.IsZero() { return res, err }
//	} else {
//		thing.Status.Step = Skipped
//	}
func (in *interp) holdsAnyhow(fr *frame, group cfg.Group, b *ssa.BasicBlock) bool {
	group = regular(group)
	if len(group) < 2 {
		return false
	}
	ways := make([]cfg.Way, len(group))
	for i, way := range group {
		ways[i] = slices.DeleteFunc(slices.Clone(way), func(br cfg.Branch) bool {
			if step, ok := fr.goesOn(br.Condition); ok {
				_, is := in.goingOn(fr, step)
				return !is
			}
			if m := in.statusModeOf(br.Condition.Stripped()); m != nil && !in.callerDecides && m.goesOn(b) {
				return true
			}
			if in.awaitsMade(br.Condition) {
				return true
			}
			err, isNil, ok := br.Nil()
			return ok && isNil && library.IsError(err.Type())
		})
	}
	for changed := true; changed; {
		changed = false
		for _, one := range ways {
			if len(one) != 1 {
				continue
			}
			// c or (not c and x) is c or x
			for i, other := range ways {
				rest := slices.DeleteFunc(slices.Clone(other), func(br cfg.Branch) bool {
					return br.Value == one[0].Value && br.Holds != one[0].Holds
				})
				if len(rest) == 0 && len(other) > 0 {
					return true
				}
				changed = changed || len(rest) < len(other)
				ways[i] = rest
			}
		}
	}
	return false
}

// isValidation reports whether the group holds for each of several constants that a value
// may be, and the function only fails for any other value:
//
//	switch mode {
//	case Fast:
//	case Safe:
//	default:
//		return fmt.Errorf("unknown mode %q", mode)
//	}
func isValidation(group cfg.Group) bool {
	// The last test of a way comes first.
	var of ssa.Value
	fails := false
	for _, way := range group {
		for i, br := range way {
			cmp, ok := br.Comparison()
			if !ok || !isConst(cmp.Y) || of != nil && cmp.X != of || (i == 0) != (cmp.Op == token.EQL) {
				return false
			}
			of = cmp.X
			fails = fails || i == 0 && onlyFails(regionOf(cfg.Condition{Value: br.Value, Holds: !br.Holds}))
		}
	}
	return len(group) > 1 && fails
}

// isGuard reports whether the branch is a guard, and returns the labels that feed
// it.
func (in *interp) isGuard(fr *frame, br cfg.Branch) (labels, bool) {
	if result, ok := fr.goesOn(br.Condition); ok {
		ls, is := in.goingOn(fr, result)
		return ls, is && (in.callerDecides || !in.isMode(fr, br.Condition))
	}
	if ls, ok := in.searchFailed(fr, br); ok {
		return ls, in.callerDecides || !in.isMode(fr, br.Condition) && !in.isAboutNames(fr, br.Condition) && !in.isAboutOwners(br.Condition, ls)
	}
	if ls, ok := in.wasRejected(fr, br.Condition); ok {
		return ls, in.callerDecides || !in.isMode(fr, br.Condition)
	}
	if wasAbsent(br.Condition) {
		return nil, true
	}
	if isInFlight(br.Condition) || isDepth(br.Condition) || in.isOption(br.Condition) {
		return nil, false
	}
	ls, is := in.classify(fr, br.Value, br.Holds, 0)
	if !is && asksRequest(br.Condition) {
		return ls, true
	}
	if br.Search && !br.Holds && in.asksText(fr, br.Value) {
		ls = in.reg(fr, br.Value).labels
		is = !in.isSetting(ls)
	}
	if is && in.findsOthers(br) {
		return ls, false
	}
	if is && (in.isRequired(fr, br.Condition, ls) || in.awaits(br.Condition) || in.awaitsMade(br.Condition) || in.isSteady(br.Condition, ls) || in.isLabelled(br.Condition)) {
		return ls, false
	}
	if is && !in.callerDecides && (in.awaitsOthers(fr, br.Condition) || in.hasPassed(fr, br.Condition)) {
		return ls, false // a caller may write the objects
	}
	if !is && (in.undoes(fr, br.Condition, ls) && !testsZero(br.Value) || in.undone(fr, br.Condition)) {
		return ls, true
	}
	if br.Search && isSelection(ls) {
		return ls, in.callerDecides || !in.isAboutOwners(br.Condition, ls)
	}
	if is && !br.Search && !in.callerDecides && (in.isLeftOut(fr, br.Condition, ls) || in.testsStored(br.Condition) || in.addsOthers(br.Condition)) {
		return ls, false
	}
	if is && !br.Search && !in.callerDecides {
		if in.isAboutOwners(br.Condition, ls) && in.writesAsked(br.Condition) || in.staysOwned(fr, br.Condition) {
			return ls, false
		}
		is = (testsZero(br.Value) || in.missesStored(fr, br.Condition) || differsFromLast(br.Condition) || comparesMaps(br.Condition) || !isSelection(ls)) && !in.isMode(fr, br.Condition)
	}
	return ls, is
}

// isDepth reports whether the condition compares how deep a recursion is with a constant: a parameter
// that the function passes on to itself with something added.
//
//	func merge(profile *v1.Profile, depth int) error {
//		if depth > maxDepth { return errTooDeep }
//		…
//		return merge(base, depth+1)
//	}
func isDepth(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || !isConst(cmp.Y) {
		return false
	}
	p, ok := cmp.X.(*ssa.Parameter)
	return ok && slices.ContainsFunc(*p.Referrers(), func(ref ssa.Instruction) bool {
		sum, ok := ref.(*ssa.BinOp)
		return ok && (sum.Op == token.ADD || sum.Op == token.SUB) && slices.ContainsFunc(*sum.Referrers(), func(ref ssa.Instruction) bool {
			call, ok := ref.(*ssa.Call)
			return ok && call.Call.StaticCallee() == p.Parent()
		})
	})
}

// asksRequest reports whether the condition asks for which object the reconcile runs, and the function
// has something to do where that is another one. An event of one of several objects may have started
// it:
//
//	restart := req.Name == caSecret
func asksRequest(c cfg.Condition) bool {
	c = c.Stripped()
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return false
	}
	field, of := origin.FieldOf(cmp.X)
	if field == nil || !isNameOrNamespace(field.Name()) || library.TypeOf(origin.Through(of, origin.Field, origin.Loaded).Type()).Is != library.Request {
		return false
	}
	otherwise := regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds})
	return !leavesBy(otherwise, func(*ssa.Return) bool { return true }) || slices.ContainsFunc(otherwise, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			_, isCall := instr.(ssa.CallInstruction)
			return isCall && !tells(instr)
		})
	})
}

// ownGuards returns the guards that are not among base.
func ownGuards(guards, base []guard) []guard {
	return slices.DeleteFunc(slices.Clone(guards), func(g guard) bool {
		return slices.ContainsFunc(base, func(h guard) bool { return g.cond == h.cond && g.branch == h.branch })
	})
}

// guarded reports whether the block being interpreted has a guard at all.
func (in *interp) guarded(fr *frame) bool { return len(fr.guards) > 0 }

// filter drops from v what is stable under the guards of the block being
// interpreted. A label that does not feed each guard no longer makes the value
// differ once that guard is false.
func (in *interp) filter(fr *frame, v value, t types.Type) value {
	return in.filterUnder(v, t, fr.guards)
}

func (in *interp) filterUnder(v value, t types.Type, guards []guard) value {
	if len(guards) == 0 {
		return v
	}
	before := v.labels
	if isAggregate(t) {
		// A struct is copied, so its content is set under the guard. A pointer
		// is an identity, which does not depend on guards.
		v = feedingPart(v, guards)
		in.traceDrops(before, v.labels, guards)
		return v
	}
	v.labels = v.labels.transform(func(l Label) (Label, bool) {
		if kept, ok := leftUnder(guards, l); ok {
			return kept, true
		}
		return l.guarded()
	})
	v.dropped = v.dropped || len(v.labels) < len(before)
	v = feedingRefs(v, guards, func(r loc) bool { return isContent(r) || isBasic(t) && passesIfGiven(r, guards) })
	in.traceDrops(before, v.labels, guards)
	return v
}

// passesIfGiven reports whether a caller decides whether content of a parameter gets past the guards.
func passesIfGiven(r loc, guards []guard) bool {
	l, ok := leftUnder(guards, Label{Kind: Content, Param: r.obj.param, Path: r.path})
	return ok && l.Given != 0
}

// isContent reports whether r is a string, a number or a boolean that the function gets.
// Unlike a pointer it is no identity, but content.
func isContent(r loc) bool { return r.path.IsRoot() && r.obj.typ != nil && isBasic(r.obj.typ) }

// left returns what is left of l under the guards of the frame, or nil.
func (in *interp) left(fr *frame, l Label) labels {
	if kept, ok := leftUnder(fr.guards, l); ok {
		return newLabels(kept)
	}
	in.traceDrops(labels{l}, nil, fr.guards)
	return nil
}

// leftUnder returns what is left of l under the guards, and whether anything is. A
// label that feeds a guard passes it, and an order passes a filter. Of the other
// guards only one boolean parameter, or decision, passes a label, for which a caller
// then decides.
func leftUnder(guards []guard, l Label) (Label, bool) {
	if l.Kind == Kept {
		return l, true
	}
	for _, g := range guards {
		switch {
		case g.filters && (l.IsOrder() || l.isReturnedOrder() || l.Kind == Content && (l.Path.IsOrder() || l.Appended)):
		case Feeds(l, g.either):
		case g.given != 0 && (l.Given == 0 || l.Given == g.given):
			l.Given = g.given
		case !Feeds(l, g.labels):
			return l, false
		}
	}
	return l, true
}

// leftOrNamed is leftUnder, but of the name of an object it is left that it is one.
func leftOrNamed(guards []guard, l Label) (Label, bool) {
	if kept, ok := leftUnder(guards, l); ok {
		return kept, true
	}
	return l.asNamed()
}

// fed returns the labels that feed the guard, for a caller. A caller that decides what a value is
// does not decide a condition on it.
func (g guard) fed() labels {
	if g.given == 0 {
		return g.labels.anyway()
	}
	return g.either.anyway().union(g.labels.transform(func(l Label) (Label, bool) {
		own := slices.Contains(g.either, l)
		l.Given = g.given
		return l, !own
	}))
}
