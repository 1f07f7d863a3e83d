package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
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
		if g, ok := in.knownGuard(fr, group); ok && !in.isStatusMode(fr, group, b) {
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
	if is && (in.isRequired(fr, br.Condition, ls) || in.awaits(br.Condition) || in.isSteady(br.Condition, ls) || in.isLabelled(br.Condition)) {
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
		is = (testsZero(br.Value) || in.missesStored(fr, br.Condition) || differsFromLast(br.Condition) || !isSelection(ls)) && !in.isMode(fr, br.Condition)
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

// classify reports whether cond, with the outcome then, is a guard, and returns
// the labels that feed it.
func (in *interp) classify(fr *frame, cond ssa.Value, then bool, depth int) (labels, bool) {
	ls := in.reg(fr, cond).labels
	if in.stepsLeft--; depth > 6 || in.exhausted() {
		return ls, true
	}
	if answer, ok := in.answer(cond, maxAnswers); ok && answer == then {
		return nil, false
	}
	if in.isNeverThere(fr, cond, then) {
		return nil, false
	}
	if load, ok := cond.(*ssa.UnOp); ok {
		if ls, is, known := in.storedFlag(fr, load, then, depth); known {
			return ls, is
		}
	}
	switch o := origin.Of(cond); o.Kind {
	case origin.Constant:
		return nil, false
	case origin.Computed:
		switch {
		case o.Op == token.NOT:
			return in.classify(fr, o.X, !then, depth+1)
		case (o.Op == token.EQL) == then && o.Y != nil && (in.isOwnSentinel(o.X) || in.isOwnSentinel(o.Y)):
			return nil, true
		case o.Y != nil:
			return in.comparison(fr, cond.(*ssa.BinOp), then, ls)
		}
	case origin.Loaded, origin.Received, origin.Field, origin.Parameter, origin.Captured, origin.Element:
		if of, field := answered(cond); field != "" {
			if d := fr.fieldVerdict(of, field); d != nil {
				return in.answerCondition(fr, resultOf(of), d.outcome(then), ls)
			}
		}
		isIndex := o.Kind == origin.Element && isMap(o.X) && in.hasForeignSpec(fr, ls)
		return ls, (isIndex || !in.isSetting(ls)) && !in.choosesItem(fr, cond, o) && !(then && in.staysTrue(cond)) // a boolean variable
	case origin.OK:
		if entry := origin.Of(o.X); entry.Kind == origin.Element {
			return ls, !then && !in.choosesItem(fr, cond, entry) // absent from a map
		}
		if assert := assertion(cond); assert != nil && isOfAnyType(assert.X.Type()) {
			ls := in.reg(fr, assert.X).labels
			return ls, !then && !in.isSetting(ls) // what is stored is of another type
		}
		return nil, false // another type assertion, receive
	case origin.Item, origin.Selected:
		return nil, false
	case origin.Result:
		return in.callCondition(fr, cond, o.Call, then, ls)
	case origin.Choice:
		return in.flag(fr, cond.(*ssa.Phi), then, depth)
	}
	return ls, true
}

// hasForeignSpec reports whether one of the labels is of the spec of an object that another module
// declares, which code may write:
//
//	has := make(map[int32]bool)
//	for _, port := range service.Spec.Ports { has[port.Port] = true }
//	for _, port := range ports {
//		if !has[port.Port] { service.Spec.Ports = append(service.Spec.Ports, port) }
//	}
func (in *interp) hasForeignSpec(fr *frame, ls labels) bool {
	params := fr.outermost().fn.Params
	return slices.ContainsFunc(ls, func(l Label) bool {
		if l.Kind != Content || l.Param >= len(params) || l.Path.FirstField() != "Spec" {
			return false
		}
		s, ok := library.Deref(params[l.Param].Type()).Underlying().(*types.Struct)
		return ok && isObject(s) && !in.isOwnObject(params[l.Param].Type())
	})
}

// maxAnswers bounds the calls that answer follows.
const maxAnswers = 4

// answer returns the answer that a function of the package always gives:
//
//	func set(thing *Thing) (changed bool) {
//		thing.Status.Conditions = append(thing.Status.Conditions, ready)
//		return true
//	}
func (in *interp) answer(v ssa.Value, depth int) (yes, known bool) {
	o := origin.Of(v)
	if o.Kind == origin.Constant {
		return constants.Bool(v)
	}
	if o.Kind != origin.Result || depth == 0 {
		return false, false
	}
	fn := o.Call.Call.StaticCallee()
	if fn == nil {
		return false, false
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		one, ok := in.answer(ret.Results[o.Index], depth-1)
		if !ok || known && one != yes {
			return false, false
		}
		yes, known = one, true
	}
	return yes, known
}

// choosesItem reports whether cond, a lookup of the entry, asks for an item of a
// loop in a map that nothing but the items feeds, such as a list of exceptions or
// what the loop has seen before:
//
//	for _, ip := range m {
//		if seen[ip] {
//			continue
//		}
//		seen[ip] = true
//
// The same items are chosen each time.
func (in *interp) choosesItem(fr *frame, cond ssa.Value, entry origin.Origin) bool {
	if !isMapEntry(entry) {
		return false
	}
	key, m, found := in.keyLabels(fr, entry.Key), in.reg(fr, entry.X), in.reg(fr, cond)
	if key.hasItem() && in.hasSeen(cond, entry) {
		return true
	}
	if !key.hasItem() || len(m.refs) == 0 || m.unknown || found.unknown || slices.ContainsFunc(m.refs, func(r loc) bool { return r.obj.symbolic || r.obj.opaque }) {
		return false
	}
	return !slices.ContainsFunc(found.labels.withoutItems(), fedBeside(key)) && !fr.mayStillBeFed()
}

// hasSeen reports whether cond, a lookup of the entry, only asks whether the loop had the
// same key before: nothing else fills the map, but for constant keys before the loop, whatever
// the key is made of.
//
//	key := suffix{number, width}
//	if _, ok := seen[key]; ok {
//		continue
//	}
//	seen[key] = struct{}{}
func (in *interp) hasSeen(cond ssa.Value, entry origin.Origin) bool {
	m, ok := entry.X.(*ssa.MakeMap)
	if !ok {
		return false
	}
	l, isPresence := in.innermost(blockOf(cond)), origin.Of(cond).Kind == origin.OK
	for _, ref := range *m.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
		case *ssa.MapUpdate:
			isFirst := isConst(ref.Key) && in.innermost(ref.Block()) != l
			if ref.Map != m || !isFirst && (in.innermost(ref.Block()) != l || !sameValue(ref.Key, entry.Key)) || !isPresence && !isConst(ref.Value) {
				return false
			}
		default:
			return false
		}
	}
	return l != nil
}

// mayStillBeFed reports whether loops may still feed what the block being interpreted asks
// for. If so, the block asks again when they have.
func (fr *frame) mayStillBeFed() bool {
	if !fr.settled {
		fr.deferred = append(fr.deferred, fr.block)
	}
	return !fr.settled
}

// keyLabels returns the labels of the key of a map. Those of a struct that is put together
// for it are with its fields:
//
//	key := portKey{port.Protocol, port.Number}
func (in *interp) keyLabels(fr *frame, key ssa.Value) labels {
	ls := in.reg(fr, key).labels
	load := origin.Of(key)
	if load.Kind != origin.Loaded || origin.Of(load.X).Kind != origin.Local {
		return ls
	}
	for _, ref := range *load.X.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, stored := range origin.StoredAt(field) {
			ls = ls.union(in.reg(fr, stored).labels)
		}
	}
	return ls
}

// fedBeside returns a function that reports whether a label of an entry of a map is
// of something else than the key.
func fedBeside(key labels) func(l Label) bool {
	return func(l Label) bool {
		return l.Kind != Content || !slices.ContainsFunc(key, func(k Label) bool { return k.covers(l) })
	}
}

// missesStored reports whether the condition says that there is no entry in a map
// that the function has filled, other than with what is wanted:
//
//	for _, c := range old { byType[c.Type] = c }
//	for _, c := range conditions {
//		if _, ok := byType[c.Type]; !ok { … }
//
// What is added there is stored, and is found the next time. A table, or a list of
// exceptions in a spec that the function does not set, misses the same keys each time.
func (in *interp) missesStored(fr *frame, c cfg.Condition) bool {
	entry, ok := lackedEntry(c)
	if !ok {
		return false
	}
	fed := fedBeside(in.keyLabels(fr, entry.Key))
	stored := func(l Label) bool {
		return fed(l) && (!isOfSpec(l.Path) || in.hasForeignSpec(fr, labels{l}) && storesAlong(fr.outermost().fn, l.Path))
	}
	return slices.ContainsFunc(in.reg(fr, c.Value).labels.withoutItems(), stored) || fr.mayStillBeFed()
}

// storesAlong reports whether the function stores to a field that leads to the last one of the path,
// by its name.
func storesAlong(fn *ssa.Function, path access.Path) bool {
	names := make(map[string]bool)
	for step := range path.Parent().Steps() {
		names[step.Name] = step.Kind == access.Field
	}
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			s, ok := instr.(*ssa.Store)
			return ok && names[origin.Of(s.Addr).FieldName()]
		})
	})
}

// isOfSpec reports whether the path leads through a spec.
func isOfSpec(p access.Path) bool {
	for step := range p.Steps() {
		if step.Kind == access.Field && step.Name == "Spec" {
			return true
		}
	}
	return false
}

// flag classifies a boolean variable that branches set.
//
//	changed := false; if … { changed = true }
//	success := true; if err != nil || dep.Status.Phase != "Ready" { success = false }
//
// It is a guard if a guard decides whether it is set. It is none if it only says
// that something failed or is not ready.
func (in *interp) flag(fr *frame, phi *ssa.Phi, then bool, depth int) (labels, bool) {
	if ways := alternatives(phi, then); len(ways) > 0 {
		return in.eachGuards(fr, ways)
	}
	var settings []setting
	base := in.control.Of(phi.Block())
	for i, e := range phi.Edges {
		if e != ssa.Value(phi) {
			settings = append(settings, settingUnder(e, in.control.OfEdge(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}), base))
		}
	}
	return in.setBy(fr, phi, in.reg(fr, phi).labels, settings, then, depth)
}

// alternatives returns the conditions of which one holds, if v is a || b and it is true, or
// a && b and it is false:
//
//	deferred := window != nil && !window.isOver()
//	if !deferred { … }
func alternatives(v *ssa.Phi, then bool) []cfg.Condition {
	if v.Comment != "||" && v.Comment != "&&" || (v.Comment == "||") != then {
		return nil
	}
	var ways []cfg.Condition
	for i, e := range v.Edges {
		way := cfg.Condition{Value: e, Holds: then}
		if isConst(e) {
			var ok bool
			if way, ok = cfg.ConditionOf(cfg.Edge{From: v.Block().Preds[i], To: v.Block()}); !ok {
				return nil
			}
		}
		if !isFailure(cfg.Branch{Condition: way}) {
			ways = append(ways, way)
		}
	}
	return ways
}

// eachGuards reports whether each of the alternatives is a guard. One that cannot hold does
// not count, nor does a flag that is being classified: the loop has set it before.
func (in *interp) eachGuards(fr *frame, ways []cfg.Condition) (ls labels, is bool) {
	is = true
	for _, way := range ways {
		if set, known := constants.Bool(way.Value); known && set != way.Holds || in.flags[way.Value] {
			continue
		}
		more, guards := in.isGuard(fr, cfg.Branch{Condition: way})
		ls, is = ls.union(more), is && guards
	}
	return ls, is
}

// storedFlag classifies the value that is loaded from a local boolean variable. Function
// literals may set it, too: the body of a range over a function is one. What they set it
// under is not known, so that this is a guard.
func (in *interp) storedFlag(fr *frame, load *ssa.UnOp, then bool, depth int) (ls labels, is, known bool) {
	cell, ok := load.X.(*ssa.Alloc)
	if !ok || !library.IsBool(load.Type()) || !origin.IsVariable(cell) {
		return nil, false, false
	}
	stores, _ := origin.StoresIn(cell)
	captured := origin.StoredByLiterals(cell)
	if slices.ContainsFunc(captured, func(v ssa.Value) bool { set, known := constants.Bool(v); return !known || set != then }) {
		return nil, false, false
	}
	var settings []setting
	base := in.control.Of(load.Block())
	for _, store := range stores {
		settings = append(settings, settingUnder(store.Val, in.control.Of(store.Block()), base))
	}
	ls, is = in.setBy(fr, cell, in.reg(fr, load).labels, settings, then, depth)
	if len(captured) == 0 {
		return ls, is, true
	}
	if isSelection(ls) {
		ls = nil // the function literals may ask for more
	}
	return ls, true, true
}

// A setting is a value of a boolean variable, with the conditions under which it has that.
type setting struct {
	val    ssa.Value
	groups []cfg.Group
}

// settingUnder returns the setting of a value under the groups that are not among base.
func settingUnder(val ssa.Value, groups, base []cfg.Group) setting {
	return setting{val, ownGroups(groups, base)}
}

// ownGroups returns the groups that are not among base.
func ownGroups(groups, base []cfg.Group) []cfg.Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g cfg.Group) bool { return cfg.Contains(base, g) })
}

// setBy classifies a boolean variable with the labels ls and these settings.
func (in *interp) setBy(fr *frame, flag ssa.Value, ls labels, settings []setting, then bool, depth int) (labels, bool) {
	is := false
	if in.flags[flag] {
		return ls, false // a cycle
	}
	in.flags[flag] = true
	defer delete(in.flags, flag)
	var fed, optional labels
	for _, setting := range settings {
		e, groups := setting.val, setting.groups
		set, known := constants.Bool(e)
		if !known {
			more, guards := in.classify(fr, e, then, depth+1)
			is = is || guards
			if askForOption(groups) {
				optional = optional.union(more)
			} else {
				ls, fed = ls.union(more), fed.union(more)
			}
			continue
		}
		fails := set != then
		if fails && failsIn(groups) {
			continue
		}
		excluded := excludedKeys(groups)
		for br := range cfg.Branches(groups...) {
			if fails && testsConst(br.Value) {
				continue // not ready yet
			}
			// A branch that sets the other value must not be taken.
			more, guards := in.classify(fr, br.Value, br.Holds != fails, depth+1)
			if isSelection(more) && !testsZero(br.Value) {
				continue // it skips an element
			}
			if guards && len(excluded) > 0 {
				more = in.withoutEntries(fr, br.Value, excluded, more)
			}
			ls, is, fed = ls.union(more), is || guards, fed.union(more)
		}
	}
	return ls.transform(func(l Label) (Label, bool) { return l, slices.Contains(fed, l) || !slices.Contains(optional, l) }), is
}

// askForOption reports whether one of the conditions is that an option of the caller has a value:
//
//	for _, opt := range options {
//		if opt == CompareLabels { labelsAreEqual = reflect.DeepEqual(actual.Labels, desired.Labels) }
//	}
//
// Whether the caller has set it is not known.
func askForOption(groups []cfg.Group) bool {
	for br := range cfg.Branches(groups...) {
		cmp, ok := br.Comparison()
		if !ok || cmp.Op != token.EQL || !isConst(cmp.Y) {
			continue
		}
		options := origin.Through(cmp.X, origin.Loaded, origin.Renamed, origin.Element, origin.Item, origin.Iterator)
		list, isList := options.Type().Underlying().(*types.Slice)
		if origin.Of(options).Kind == origin.Parameter && isList && isBasic(list.Elem()) {
			return true
		}
	}
	return false
}

// isFailure reports whether the branch is taken because of an error, or of one of
// several: len(errs) > 0.
func isFailure(br cfg.Branch) bool {
	test, ok := br.Value.(*ssa.BinOp)
	if !ok {
		return false
	}
	if reportsErrors(test.X.Type()) {
		return (test.Op == token.NEQ) == br.Holds
	}
	cmp, _ := br.Comparison()
	return countsErrors(test) && (cmp.Op == token.NEQ || cmp.Op == token.GTR || cmp.Op == token.GEQ)
}

// countsErrors reports whether a comparison asks whether there are errors, or texts of which
// the function makes its error:
//
//	if len(errs) > 0 { return errors.Join(errs...) }
//
//	if msgs := validation.IsDNS1123Label(name); len(msgs) > 0 { return errors.New(msgs[0]) }
func countsErrors(test *ssa.BinOp) bool {
	n, k, ok := comparedConst(test)
	if !ok || !isLen(n) || !constants.IsZero(k) {
		return false
	}
	list := measured(n)
	return isErrors(list.Type()) || isTexts(list.Type()) && failsWith(list, regionOf(cfg.Condition{Value: test, Holds: test.Op != token.EQL}))
}

// failsWith reports whether control never leaves the blocks, which use v, other than by a
// return of an error that is made there.
func failsWith(v ssa.Value, region []*ssa.BasicBlock) bool {
	refs := v.Referrers() // a constant has none
	return refs != nil && leavesBy(region, failing) && slices.ContainsFunc(*refs, func(ref ssa.Instruction) bool {
		return slices.Contains(region, ref.Block())
	})
}

// isTexts reports whether the type is a list of strings.
func isTexts(t types.Type) bool {
	s, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok && library.IsString(s.Elem())
}

// reportsErrors reports whether a value of the type is an error, or a list of errors,
// which is nil if there are none.
func reportsErrors(t types.Type) bool { return library.IsError(t) || isErrors(t) }

// isErrors reports whether the type is a list of errors. Their type may be one of their
// own, such as *field.Error.
func isErrors(t types.Type) bool {
	s, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok && library.ImplementsError(s.Elem())
}

// isTooMany reports whether the condition is that there is more than one, or than
// another constant number, and the function then only fails:
//
//	if len(list.Items) > 1 { return errors.New("more than one Thing") }
//
// That there are not too many does not say that there is none yet.
func isTooMany(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || !isLen(cmp.X) || !isConst(cmp.Y) || cmp.Op != token.GTR && cmp.Op != token.GEQ {
		return false
	}
	n, ok := constants.Int(cmp.Y)
	if cmp.Op == token.GEQ {
		n--
	}
	return ok && n > 0 && onlyFails(regionOf(c))
}

// isRequired reports whether the function only fails if the condition, with the
// labels ls, does not hold, and no object of the cluster feeds it, or it is that something
// is not one constant:
//
//	conn, ok := r.connections.Get(thing.Spec.Address)
//	if !ok { return errors.New("no connection") }
//
//	if ownerOf(pod) == somebodyElse { return errors.New("not ours") }
//
//	if len(key) != 32 { return errors.New("no key") }
//
//	if _, ok := visited[key]; ok { return errors.New("a loop") } // a map made here
//
// What follows then happens each time that all is well. That an object was not found is
// nothing that is required, nor is a certain error: there is none when all is well.
func (in *interp) isRequired(fr *frame, c cfg.Condition, ls labels) bool {
	if call := origin.Of(c.Stripped().Value).Call; call != nil {
		isError := func(arg ssa.Value) bool { return library.IsError(arg.Type()) }
		if library.Of(callee.Static(call.Common())).Condition == library.AbsenceCondition || slices.ContainsFunc(callee.Args(call.Common()), isError) {
			return false
		}
	}
	cmp, ok := c.Comparison()
	isOther := ok && cmp.Op == token.NEQ && isConst(cmp.Y) && !constants.IsZero(cmp.Y)
	if ok && cmp.Op == token.EQL && isLen(cmp.X) {
		n, _ := constants.Int(cmp.Y)
		isOther = n > 1 // what has one element has no order
	}
	ofObject := func(l Label) bool { return l.Kind != Content || !isSettingPath(l) }
	return (isOther || in.asksOwnMap(fr, c) || !slices.ContainsFunc(ls, ofObject)) && onlyFails(regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds}))
}

// asksOwnMap reports whether the condition is about an entry of a map that this code makes.
func (in *interp) asksOwnMap(fr *frame, c cfg.Condition) bool {
	entry := origin.Of(c.Stripped().Value)
	if entry.Kind == origin.OK {
		entry = origin.Of(entry.X)
	}
	if !isMapEntry(entry) {
		return false
	}
	m := in.reg(fr, entry.X)
	return len(m.refs) > 0 && !m.unknown && !slices.ContainsFunc(m.refs, func(r loc) bool { return !isMade(r) })
}

// onlyFails reports whether control never leaves the blocks, other than by a return
// of an error that is made there.
func onlyFails(region []*ssa.BasicBlock) bool {
	return leavesBy(region, func(ret *ssa.Return) bool { return failing(ret) || behindFailure(ret.Block()) })
}

// leavesBy reports whether control never leaves the blocks other than by such a return.
func leavesBy(region []*ssa.BasicBlock, is func(*ssa.Return) bool) bool {
	for _, b := range region {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !is(ret) {
			return false
		}
		if slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !slices.Contains(region, s) }) {
			return false
		}
	}
	return len(region) > 0
}

// behindFailure reports whether control only reaches the block because of an error.
func behindFailure(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	c, ok := cfg.ConditionOf(cfg.Edge{From: b.Preds[0], To: b})
	return ok && isFailure(cfg.Branch{Condition: c})
}

// isFailureAlone reports whether the group holds only because of an error.
func isFailureAlone(g cfg.Group) bool { return len(g) == 1 && len(g[0]) == 1 && isFailure(g[0][0]) }

// failsIn reports whether one of the groups holds only because of an error.
func failsIn(groups []cfg.Group) bool { return slices.ContainsFunc(groups, isFailureAlone) }

// undoes reports whether the function goes on to assign to a field that feeds the condition,
// with these labels. If it does, it makes the condition false:
//
//	if *job.Spec.Suspend { job.Spec.Suspend = ptr.To(false); update(job) }
//
// It does not if it only takes over what the cluster has in that field, or what a function was
// asked about. Nor does it if the condition says that two objects are alike: what follows changes
// others.
func (in *interp) undoes(fr *frame, c cfg.Condition, ls labels) bool {
	if in.saysAlike(fr, c.Value) {
		return false
	}
	var asked []ssa.Value // what a function compares the field with, perhaps
	if call := origin.Of(c.Stripped().Value).Call; call != nil {
		asked = callee.Args(&call.Call)
	}
	changes := func(s *ssa.Store) bool {
		if slices.Contains(asked, s.Val) {
			return false
		}
		test, ok := c.Value.(ssa.Instruction)
		var next []*ssa.BasicBlock
		if asked != nil {
			next = entriesOf(c)
		}
		if len(next) == 0 && ok {
			next = test.Block().Succs
		}
		isBehind := !ok || slices.ContainsFunc(next, func(b *ssa.BasicBlock) bool { return b == s.Block() || reaches(b, s.Block()) })
		return isBehind && !in.takesOver(fr, s)
	}
	return slices.ContainsFunc(ls, func(l Label) bool {
		if l.Kind != Content && l.Kind != State {
			return false
		}
		field := l.Path.LastField()
		return field != "" && slices.ContainsFunc(in.assignedIn(fr.fn)[field], changes)
	})
}

// saysAlike reports whether the condition compares two values, or is a flag, which mostly has
// the outcome of such comparisons, or the answer of a function about two objects of a type:
//
//	changed := false
//	if !maps.Equal(stored.Labels, role.Labels) {
//		stored.Labels, changed = role.Labels, true
//	}
//	if changed { … }
func (in *interp) saysAlike(fr *frame, cond ssa.Value) bool {
	switch o := origin.Of((cfg.Condition{Value: cond}).Stripped().Value); o.Kind {
	case origin.Choice:
		return true
	case origin.Computed:
		return o.Y != nil && !isConst(o.X) && !isConst(o.Y)
	case origin.Result:
		args := callee.Args(&o.Call.Call)
		return library.Named(in.calleeName(fr, &o.Call.Call)).Condition == library.EqualityCondition ||
			len(args) == 2 && isStructPointer(args[0].Type()) && types.Identical(args[0].Type(), args[1].Type())
	}
	return false
}

// takesOver reports whether the instruction stores, in a field of one object, what that field
// of another one has which was read:
//
//	service.Spec.ClusterIP = stored.Spec.ClusterIP
func (in *interp) takesOver(fr *frame, s *ssa.Store) bool {
	to, _ := origin.FieldOf(s.Addr)
	from, _ := origin.FieldOf(s.Val)
	other := func(l Label) bool { return l.Kind != State }
	ls := in.reg(fr, s.Val).labels.withoutKeys()
	return to != nil && to == from && len(ls) > 0 && !slices.ContainsFunc(ls, other)
}

// assignedIn returns the names of the fields of nested structs, Suspend of
// job.Spec.Suspend, that fn, a function or literal, assigns to, with the instructions that
// do. Those of local structs do not count, unless they may have been read.
func (a *analysisState) assignedIn(fn *ssa.Function) map[string][]*ssa.Store {
	names, ok := a.assigned[fn]
	if ok {
		return names
	}
	names = make(map[string][]*ssa.Store)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			field := origin.Of(store.Addr)
			if field.Kind != origin.Field {
				continue
			}
			if base := origin.Of(field.X); base.Kind == origin.Field && (origin.Of(base.X).Kind != origin.Local || a.mayBeRead(base.X)) {
				names[field.FieldName()] = append(names[field.FieldName()], store)
			}
		}
	}
	a.assigned[fn] = names
	return names
}

// mayBeRead reports whether the function passes the local object to a function that reads it from the
// cluster, or to one of the module, which may.
func (a *analysisState) mayBeRead(local ssa.Value) bool {
	return slices.ContainsFunc(origin.Users(local), func(ref ssa.Instruction) bool {
		if boxed, ok := ref.(*ssa.MakeInterface); ok {
			return a.mayBeRead(boxed)
		}
		call, ok := ref.(ssa.CallInstruction)
		if !ok {
			return false
		}
		fn := callee.Static(call.Common())
		return fn == nil || library.Of(fn).Effect == library.ReadsObject || fn.Pkg() != nil && a.isOwnPackage(fn.Pkg().Path())
	})
}

// comparedConst returns the operands of a comparison with a constant: the value
// and the constant.
func comparedConst(cond ssa.Value) (v, k ssa.Value, ok bool) {
	cmp, ok := cfg.Condition{Value: cond, Holds: true}.Comparison()
	if !ok || origin.Of(cmp.Y).Kind != origin.Constant {
		return nil, nil, false
	}
	return origin.Held(cmp.X), cmp.Y, true
}

// testsConst reports whether the condition compares with a constant that is not
// zero: a phase, a mode.
func testsConst(cond ssa.Value) bool {
	_, k, ok := comparedConst(cond)
	return ok && !constants.IsZero(k)
}

// testsZero reports whether the condition compares with nil or a zero value.
func testsZero(cond ssa.Value) bool {
	_, k, ok := comparedConst(cond)
	return ok && constants.IsZero(k)
}

// onlyDeleting reports whether b only runs while an object is being deleted: the function
// literal that has it is called then, or b is only reached then.
func (in *interp) onlyDeleting(fr *frame, b *ssa.BasicBlock) bool {
	return fr.up != nil && fr.up.deleting || in.whileDeleted(fr, b)
}

// whileDeleted reports whether b is only reached while an object is being
// deleted.
func (in *interp) whileDeleted(fr *frame, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(in.control.Of(b), func(g cfg.Group) bool {
		return len(g) == 1 && slices.ContainsFunc(g[0], func(br cfg.Branch) bool {
			c := br.Stripped()
			if !isDeletion(in.reg(fr, c.Value).labels) {
				return false
			}
			switch o := origin.Of(c.Value); o.Kind {
			case origin.Computed:
				return testsZero(c.Value) && (o.Op == token.NEQ) == c.Holds
			case origin.Result:
				return !c.Holds && library.Named(in.calleeName(fr, o.Call.Common())).Condition == library.AbsenceCondition
			}
			return false
		})
	})
}

// isSelection reports whether a condition only reads what identifies an element,
// such as its name. It then selects the element; it does not test its state.
func isSelection(ls labels) bool {
	ls = ls.withoutItems()
	for _, l := range ls {
		if l.Kind != Content && l.Kind != State {
			return false
		}
		if l.Path.IsRoot() {
			continue
		}
		if l.Path.FirstField() == "Status" && !l.Path.HasIndex() {
			return false // a choice that the status records
		}
		if isOfOwners(l.Path) && !l.Path.HasElem() {
			return false // of the controlling owner
		}
		switch l.Path.Unordered().LastField() {
		case "Type", "Name", "Namespace", "Key", "Kind", "UID", "ID":
		default:
			return false
		}
	}
	return slices.ContainsFunc(ls, func(l Label) bool { return !l.Path.IsRoot() })
}

// isOneOfConstants reports whether v is an element of a list of constants:
//
//	for _, name := range []string{"HTTP_PROXY", "NO_PROXY"} { if name == "NO_PROXY" { … } … }
func isOneOfConstants(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind == origin.Loaded {
		o = origin.Of(o.X)
	}
	if o.Kind != origin.Element {
		return false
	}
	elems, ok := origin.Listed(o.X)
	return ok && len(elems) > 0 && !slices.ContainsFunc(elems, func(e ssa.Value) bool { return !isConst(e) })
}

// isKindOfObject reports whether v says of which kind an object is, which never changes:
//
//	if obj.GetObjectKind().GroupVersionKind().Kind == "Secret" { … }
func isKindOfObject(v ssa.Value) bool {
	for n := 0; v != nil && n < origin.MaxWalk; n++ {
		o := origin.Of(v)
		if o.Kind == origin.Result {
			return asksKind(callee.Static(&o.Call.Call))
		}
		if field := o.FieldName(); (field == "Kind" || field == "APIVersion") && library.TypeOf(o.X.Type()).Is == library.TypeMeta {
			return true
		}
		v = wholeOf(v)
	}
	return false
}

// asksKind reports whether the function returns which kind an object has.
func asksKind(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	switch fn.Name() {
	case "GroupVersionKind", "GetKind", "GetAPIVersion":
		return fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0
	}
	return library.Of(fn).OfKind
}

// isRangedKey reports whether v is the key of the entry in a range over a map.
func isRangedKey(v ssa.Value) bool {
	o := origin.Of(origin.Through(v, origin.Renamed, origin.Converted))
	return o.Kind == origin.Item && o.Index == 1 && isMap(origin.Of(o.X).X)
}

// removesAny reports whether the instruction removes an entry from a map.
func removesAny(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && callee.IsBuiltin(call.Common(), "delete")
}

// comparison classifies a comparison.
func (in *interp) comparison(fr *frame, c *ssa.BinOp, then bool, ls labels) (labels, bool) {
	if x, k, ok := comparedConst(c); ok && in.countsFailures(fr, x) {
		return ls, isNotZero(cfg.Condition{Value: c, Holds: then}, k)
	}
	switch c.Op {
	case token.EQL, token.NEQ:
		if reportsErrors(c.X.Type()) || reportsErrors(c.Y.Type()) {
			return nil, false
		}
		if countsErrors(c) {
			return nil, false
		}
		if compared, whenEqual, ok := in.threeWay(fr, cfg.Condition{Value: c, Holds: then}); ok {
			return in.byPosition(fr, ls, compared...), !whenEqual
		}
		if found, ok := in.findsIndex(fr, c); ok {
			return ls, found != then
		}
		x, k, _ := comparedConst(c)
		equal := (c.Op == token.EQL) == then
		if in.isClosed(cfg.Condition{Value: c, Holds: then}) {
			return nil, false
		}
		if in.isClosed(cfg.Condition{Value: c, Holds: !then}) {
			return nil, true // until it is closed
		}
		if isLen(c.X) && isLen(c.Y) {
			return nil, !equal // no label of an element or an order feeds it
		}
		if n, ok := countOfSome(c); ok && !equal {
			if ls, is, known := in.uncounted(fr, n); known {
				return ls, is
			}
		}
		if k == nil {
			return in.byPosition(fr, ls, c.X, c.Y), !equal // old and new: they are equal in the end
		}
		if isOneOfConstants(x) || isKindOfObject(x) && !constants.IsZero(k) {
			return nil, false
		}
		if equal && isRangedKey(x) && !in.anyRuns(regionOf(cfg.Condition{Value: c, Holds: then}), removesAny, make(map[*ssa.Function]bool)) {
			return ls, false // the entry is there, and stays there
		}
		if text, ok := constants.String(k); ok {
			if ls, is, known := in.textFlag(fr, x, text, equal); known {
				return ls, is
			}
		}
		v := in.reg(fr, x)
		if isLen(x) {
			ls = v.labels
		}
		if constants.IsZero(k) {
			if !equal {
				if reasons, is, known := in.reasons(fr, measured(x)); known {
					return reasons, is
				}
			}
			if isStructPointer(x.Type()) {
				in.isSetting(ls) // sets sawSetting: a user may leave out this part of the spec
			}
			// The value is absent. That is no guard for a local variable that
			// holds nothing from the cluster, from a caller or from a callee.
			return ls, equal && !isDeletion(ls) && !isDeletionTime(x) && (len(ls) > 0 || v.unknown || v.foreign() || in.isReturned(fr, x))
		}
		return ls, !in.isSetting(ls)
	default:
		if _, whenEqual, ok := in.threeWay(fr, cfg.Condition{Value: c, Holds: then}); ok {
			return ls, !whenEqual && !in.isSetting(ls)
		}
		if countsErrors(c) || isTooMany(cfg.Condition{Value: c, Holds: !then}) {
			return nil, false
		}
		if isLen(c.X) && isLen(c.Y) {
			strictly := c.Op == token.GTR || c.Op == token.LSS
			return nil, strictly == then // the lengths differ
		}
		if isLen(c.X) || isLen(c.Y) {
			// len(x) > 0, or its negation.
			n := c.X
			if isLen(c.Y) {
				n = c.Y
			}
			some := (c.Op == token.GTR || c.Op == token.GEQ) == isLen(c.X)
			if some == then {
				if reasons, is, known := in.reasons(fr, measured(n)); known {
					return reasons, is
				}
			}
			return in.reg(fr, n).labels, some != then && !isDeletion(ls)
		}
		if found, ok := in.findsIndex(fr, c); ok && found == then {
			return ls, false // it is there, and stays there
		}
		if n, ok := counterOf(c); ok && (c.Op == token.GTR || c.Op == token.GEQ) == (c.X == ssa.Value(n)) == then {
			return in.counted(fr, n)
		}
		if isNotPositive(cfg.Condition{Value: c, Holds: then}) {
			return ls, !isDeletion(ls) // no number is there
		}
		if in.meetInTheEnd(fr, cfg.Condition{Value: c, Holds: then}) {
			return ls, false
		}
		return ls, !in.isSetting(ls) && !isObserved(cfg.Condition{Value: c, Holds: then})
	}
}

// meetInTheEnd reports whether the condition also holds if two numbers of the cluster are equal, as they
// are in the end, such as how many objects there are and how many there should be:
//
//	if wanted > running { return start(ctx) }
//	if wanted < running { return stop(ctx) }
//
// What the function counts itself, in a status, may well pass the other number.
func (in *interp) meetInTheEnd(fr *frame, c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.GEQ && cmp.Op != token.LEQ {
		return false
	}
	as := in.newAsker()
	return !slices.ContainsFunc([]ssa.Value{cmp.X, cmp.Y}, func(v ssa.Value) bool {
		ls := in.reg(fr, v).labels
		counts := slices.ContainsFunc(ls, func(l Label) bool { return l.Kind == State && l.What == "" })
		return !counts || slices.ContainsFunc(ls, Label.IsTime) || in.isSetting(ls) || len(as.parts(v)) > 0
	})
}

// isNotPositive reports whether the condition is that something is zero or less.
func isNotPositive(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	k, known := constants.Int(cmp.Y)
	return ok && known && (k == 0 && cmp.Op == token.LEQ || k == 1 && cmp.Op == token.LSS)
}

// threeWay returns the two values of which the condition asks how they compare, and reports
// whether it holds if they are equal:
//
//	if stored.Cmp(wanted) != 0 { … }
func (in *interp) threeWay(fr *frame, c cfg.Condition) (compared []ssa.Value, whenEqual, ok bool) {
	cmp, ok := c.Comparison()
	if !ok {
		return nil, false, false
	}
	k, known := constants.Int(cmp.Y)
	call := origin.Of(cmp.X).Call
	if !known || call == nil || library.Named(in.calleeName(fr, &call.Call)).Condition != library.ThreeWayCondition {
		return nil, false, false
	}
	whenEqual = constant.Compare(constant.MakeInt64(0), cmp.Op, constant.MakeInt64(k))
	return callee.Args(&call.Call), whenEqual, true
}

// findsIndex reports whether the comparison says that a search has found the index of an
// element, or that it has not:
//
//	if i := slices.Index(names, "main"); i >= 0 { … }
//
//	found := -1
//	for i := range names { if names[i] == "main" { found = i } }
//	if found >= 0 { … }
func (in *interp) findsIndex(fr *frame, c *ssa.BinOp) (found, ok bool) {
	cmp, _ := cfg.Condition{Value: c, Holds: true}.Comparison()
	k, known := constants.Int(cmp.Y)
	o := origin.Of(cmp.X)
	if !known || o.Kind != origin.Result && o.Kind != origin.Choice {
		return false, false
	}
	switch {
	case k == 0 && (cmp.Op == token.GEQ || cmp.Op == token.LSS):
		found = cmp.Op == token.GEQ
	case k == -1 && (cmp.Op == token.GTR || cmp.Op == token.LEQ || cmp.Op == token.NEQ || cmp.Op == token.EQL):
		found = cmp.Op == token.GTR || cmp.Op == token.NEQ
	default:
		return false, false
	}
	if o.Kind == origin.Choice {
		return found, isIndex(chosen(cmp.X, make(map[ssa.Value]bool)))
	}
	call := &o.Call.Call
	return found, library.Named(in.calleeName(fr, call)).Condition == library.SearchCondition || isIndexOf(call.StaticCallee(), o.Index)
}

// isIndexOf reports whether the function returns the counter of a loop, or -1.
func isIndexOf(fn *ssa.Function, result int) bool {
	return fn != nil && len(fn.Blocks) > 0 && isIndex(origin.Returned(fn, result))
}

// chosen returns the values of which v is one, other than v from before.
func chosen(v ssa.Value, seen map[ssa.Value]bool) []ssa.Value {
	phi, ok := v.(*ssa.Phi)
	if !ok || slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { o := origin.Of(e); return o.Kind == origin.Computed && o.X == v }) {
		return []ssa.Value{v} // a counter
	}
	seen[v] = true
	var all []ssa.Value
	for _, e := range phi.Edges {
		if !seen[e] {
			all = append(all, chosen(e, seen)...)
		}
	}
	return all
}

// isIndex reports whether a value that is one of these is the counter of a loop, or -1.
func isIndex(vs []ssa.Value) bool {
	counts, lacks := false, false
	for _, v := range vs {
		if k, ok := constants.Int(v); ok && k == -1 {
			lacks = true
			continue
		}
		at, ok := v.(ssa.Instruction)
		if !ok || !cfg.IsHeader(at.Block()) {
			return false
		}
		counts = true
	}
	return counts && lacks
}

// isObserved reports whether the condition is that a controller has observed the
// generation of its object, or a later one. That is so once the cluster has converged.
//
//	if cell.Generation > cell.Status.ObservedGeneration { return nil }
func isObserved(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.GEQ && cmp.Op != token.LEQ {
		return false
	}
	observed, generation := cmp.X, cmp.Y
	if cmp.Op == token.LEQ {
		observed, generation = cmp.Y, cmp.X
	}
	field, _ := origin.FieldOf(observed)
	_, ok = generationOf(generation)
	return ok && field != nil && field.Name() == "ObservedGeneration" && sameValue(holderOf(observed), holderOf(generation))
}

// holderOf returns the object that v is a part of, or the one of which a method returns v.
func holderOf(v ssa.Value) ssa.Value {
	if o := origin.Of(v); o.Call != nil {
		if args := callee.Args(&o.Call.Call); len(args) > 0 {
			v = args[0]
		}
	}
	for range maxDepth {
		field, of := origin.FieldOf(v)
		if field == nil {
			break
		}
		v = of
	}
	return v
}

// counterOf returns the counter that is compared with a constant.
func counterOf(c *ssa.BinOp) (n *ssa.Phi, ok bool) {
	x, y := c.X, c.Y
	if isConst(x) {
		x, y = y, x
	}
	n, ok = x.(*ssa.Phi)
	return n, ok && isConst(y) && len(increments(n)) > 0
}

// increments returns the additions of a constant to the counter n. It returns
// none if n is anything else than a constant and such sums.
func increments(n *ssa.Phi) []*ssa.BinOp {
	var found []*ssa.BinOp
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch o := origin.Of(v); {
		case o.Kind == origin.Constant:
			return true
		case o.Kind == origin.Choice:
			return !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return !visit(e) })
		case o.Kind == origin.Computed && o.Op == token.ADD && o.Y != nil && isConst(o.Y):
			found = append(found, v.(*ssa.BinOp))
			return visit(o.X)
		}
		return false
	}
	if !visit(n) {
		return nil
	}
	return found
}

// countOfSome returns the counter that is compared with the length of a sequence or map,
// of which it counts some elements.
func countOfSome(c *ssa.BinOp) (n *ssa.Phi, ok bool) {
	x, y := c.X, c.Y
	if isLen(x) {
		x, y = y, x
	}
	n, ok = x.(*ssa.Phi)
	return n, ok && isLen(y) && len(increments(n)) > 0
}

// uncounted classifies the condition that n does not count all elements of a loop:
//
//	for _, probe := range probes {
//		if err := probe(); err != nil { continue }
//		n++
//	}
//	if n != len(probes) { … }
//
// It is a guard if it is one that an element is left out. That is not known if there are
// alternatives, or all elements are counted.
func (in *interp) uncounted(fr *frame, n *ssa.Phi) (ls labels, is, known bool) {
	base := in.control.Of(n.Block())
	for _, inc := range increments(n) {
		for _, g := range in.control.Of(inc.Block()) {
			if cfg.Contains(base, g) {
				continue
			}
			if len(g) != 1 {
				return nil, false, false
			}
			for _, br := range g[0] {
				more, guards := in.isGuard(fr, cfg.Branch{Condition: cfg.Condition{Value: br.Value, Holds: !br.Holds}})
				ls, is, known = ls.union(more), is || guards, true
			}
		}
	}
	return ls, is, known
}

// counted classifies the condition that there is something that n counts:
//
//	for name := range names {
//		if !reserved[name] { row[n] = name; n++ }
//	}
//	if n > 0 { … }
//
// It is a guard if a guard decides what is counted. A filter is none: it counts
// the same elements each time. What the counter itself decides in its loop adds nothing.
func (in *interp) counted(fr *frame, n *ssa.Phi) (ls labels, is bool) {
	if in.flags[n] {
		return nil, false // a cycle
	}
	in.flags[n] = true
	defer delete(in.flags, n)
	base := in.control.Of(n.Block())
	for _, inc := range increments(n) {
		for _, g := range in.control.Of(inc.Block()) {
			if cfg.Contains(base, g) {
				continue
			}
			for br := range cfg.Branches(g) {
				more, guards := in.isGuard(fr, br)
				if guards && !in.isFilter(fr, br.Condition) {
					ls, is = ls.union(more), true
				}
			}
		}
	}
	return ls, is
}

// callCondition classifies cond, a boolean result of a call.
func (in *interp) callCondition(fr *frame, cond ssa.Value, call *ssa.Call, then bool, ls labels) (labels, bool) {
	known := library.Named(in.calleeName(fr, &call.Call))
	if then && (known.Meaning == library.AsksAs && in.isOwnError(call.Call.Args[1]) || known.Meaning == library.AsksIs && in.isOwnSentinel(call.Call.Args[1])) {
		return nil, true // an error that reports a state: expired, not due
	}
	switch known.Condition {
	case library.StableCondition:
		return nil, false
	case library.RefusalCondition:
		return ls, then && !in.isSetting(ls)
	case library.AbsenceCondition:
		return ls, then && !isDeletion(ls) && !slices.ContainsFunc(callee.Args(&call.Call), isDeletionTime)
	case library.OwnerCondition, library.FinalizerCondition:
		return ls, !then // what has none yet may get one
	case library.SuccessCondition:
		return ls, !then
	case library.ChangeCondition:
		return ls, then // it has changed what is written
	case library.SelectionCondition:
		return ls, !then // what is not selected yet may get the labels
	case library.EqualityCondition:
		return in.byPosition(fr, ls, callee.Args(&call.Call)...), !then && !differInType(call)
	}
	if known.Effect == library.PointedTo {
		return ls, !in.isSetting(ls) && !(then && in.staysTrue(call.Call.Args[0])) // as if it were read
	}
	if o, ok := fr.verdict(cond, then); ok {
		return in.answerCondition(fr, call, o, ls)
	}
	return ls, !in.isSetting(ls)
}

// answerCondition classifies a condition that is what a call answers.
func (in *interp) answerCondition(fr *frame, call *ssa.Call, o Outcome, ls labels) (labels, bool) {
	if !o.Guarded {
		return ls, false
	}
	return o.Labels, in.isGuarded(o) && !in.asksOfName(fr, call) && !(o.UnlessSetting && in.asksOfSpec(fr, call))
}

// asksText reports whether the condition is how a text begins or ends, or what it contains.
func (in *interp) asksText(fr *frame, cond ssa.Value) bool {
	o := origin.Of(cond)
	return o.Kind == origin.Result && library.Named(in.calleeName(fr, &o.Call.Call)).Meaning == library.AsksText
}

// isNotZero reports whether the condition, a comparison of a number with k, only holds if the number
// is not zero.
func isNotZero(c cfg.Condition, k ssa.Value) bool {
	cmp, _ := c.Comparison()
	switch cmp.Op {
	case token.EQL:
		return !constants.IsZero(k)
	case token.NEQ:
		return constants.IsZero(k)
	}
	return cmp.Op == token.GTR || cmp.Op == token.GEQ
}

// countsFailures reports whether v is how often the reconcile has failed. Once it has not, that is
// zero each time.
func (in *interp) countsFailures(fr *frame, v ssa.Value) bool {
	call := origin.Of(v).Call
	return call != nil && library.Named(in.calleeName(fr, &call.Call)).Meaning == library.CountsFailures
}

// byPosition returns the labels ls of a comparison. If it compares elements of two
// sequences at one index, the orders of both feed it:
//
//	for i := range a {
//		if a[i].Name != b[i].Name { return false }
//	}
func (in *interp) byPosition(fr *frame, ls labels, compared ...ssa.Value) labels {
	if len(compared) != 2 {
		return ls
	}
	a, b := elementOf(compared[0]), elementOf(compared[1])
	if a == nil || b == nil {
		return ls
	}
	x, y := origin.Of(a), origin.Of(b)
	if isMap(x.X) || isMap(y.X) || x.Key != y.Key || isConst(x.Key) || sameValue(x.X, y.X) {
		return ls
	}
	for _, element := range []ssa.Value{a, b} {
		ls = ls.union(in.reg(fr, element).labels.transform(func(l Label) (Label, bool) {
			isOrder := l.Item && (l.IsOrder() || l.Kind == Content && l.Path.IsOrder())
			l.Item, l.loop = false, nil
			return l, isOrder
		}))
	}
	return ls
}

// elementOf returns the element, or its address, that v is or that it is a part of, or
// nil.
func elementOf(v ssa.Value) ssa.Value {
	for range maxDepth {
		switch o := origin.Of(v); o.Kind {
		case origin.Element:
			return v
		case origin.Field, origin.Loaded, origin.Renamed, origin.Converted, origin.Boxed:
			v = o.X
		case origin.Local: // a copy of the loop's element
			if v = origin.StoredOnce(v); v == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// isAboutNames reports whether the condition is the answer of a function that asks of
// names of objects alone; see asksOfName.
func (in *interp) isAboutNames(fr *frame, c cfg.Condition) bool {
	o := origin.Of(c.Stripped().Value)
	return o.Kind == origin.Result && o.Call != nil && in.asksOfName(fr, o.Call)
}

// asksOfName reports whether a function gets nothing but names of objects, and no
// object: isSystem(thing.Namespace). The answer never changes.
func (in *interp) asksOfName(fr *frame, call *ssa.Call) bool {
	fn := callee.Static(&call.Call)
	if fn == nil || fn.Signature().Recv() != nil {
		return false
	}
	return len(call.Call.Args) > 0 && !slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool {
		ls := in.reg(fr, arg).labels.withoutKeys()
		notName := func(l Label) bool { return l.Kind != Content && l.Kind != State || !isName(l.Path) }
		return !library.IsString(arg.Type()) || len(ls) == 0 && !isConst(arg) || slices.ContainsFunc(ls, notName)
	})
}

// asksOfSpec reports whether a function gets nothing but constants and parts of the specs
// of the module's own objects: orElse(thing.Spec.Enabled, true). What else was read from
// the cluster has no part in the answer, even if where the object comes from is not known.
func (in *interp) asksOfSpec(fr *frame, call *ssa.Call) bool {
	fn := callee.Static(&call.Call)
	if fn == nil || fn.Signature().Recv() != nil {
		return false
	}
	asks := false
	return !slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool {
		if isConst(arg) {
			return false
		}
		_, ofSpec := in.specFields(fr, arg)
		asks = asks || ofSpec
		return !ofSpec
	}) && asks
}

// differInType reports whether a call compares values of different types, which are
// never equal: reflect.DeepEqual(&status, thing.Status).
func differInType(call *ssa.Call) bool {
	var compared []types.Type
	for _, arg := range callee.Args(&call.Call) {
		if boxed := origin.Of(arg); boxed.Kind == origin.Boxed {
			compared = append(compared, boxed.X.Type())
		}
	}
	return len(compared) == 2 && !types.Identical(compared[0], compared[1])
}

// isOwnError reports whether target points to a variable of an error type that
// the module declares.
func (in *interp) isOwnError(target ssa.Value) bool {
	boxed := origin.Of(target)
	if boxed.Kind != origin.Boxed {
		return false
	}
	named := library.NamedOf(library.Deref(boxed.X.Type()))
	return named != nil && named.Obj().Pkg() != nil && in.isOwnPackage(named.Obj().Pkg().Path())
}

// isOwnSentinel reports whether err is an error in a package variable of the module.
func (in *interp) isOwnSentinel(err ssa.Value) bool {
	if !library.IsError(err.Type()) {
		return false
	}
	g := variableOf(origin.Through(err, origin.Loaded))
	return g != nil && in.isOwnPackage(g.Pkg.Pkg.Path())
}

// isOwnPackage reports whether the package's path is within the module under
// analysis.
func (a *analysisState) isOwnPackage(path string) bool {
	module := a.pass.Pkg.Path()
	if m := a.pass.Module; m != nil && m.Path != "" {
		module = m.Path
	}
	return path == module || strings.HasPrefix(path, module+"/")
}

// isSetting reports whether only configuration feeds a condition: the spec,
// names, flags. Such a condition does not change until somebody changes the spec.
//
// With callerDecides it only notes that there may be a setting: the caller knows
// what its arguments are.
func (in *interp) isSetting(ls labels) bool {
	if in.callerDecides && ls.areScalars() {
		in.sawSetting = true // the caller may pass a setting
	}
	if !ls.mayBeSettings() {
		return false
	}
	if in.callerDecides {
		in.sawSetting = true
		return false
	}
	return !in.remembers(ls)
}

// areScalars reports whether nothing but parameters that are no objects feed a
// condition: a boolean, a string, a pointer to one.
func (s labels) areScalars() bool {
	s = s.withoutItems()
	return len(s) > 0 && !slices.ContainsFunc(s, func(l Label) bool {
		return l.Kind != Content || l.Fixed || l.Appended || !l.Path.IsRoot()
	})
}

// areSettings reports whether there are labels, and only of configuration.
func (in *interp) areSettings(ls labels) bool {
	return ls.mayBeSettings() && !in.remembers(ls)
}

// remembers reports whether one of the labels is of what a reconcile stores.
func (in *interp) remembers(ls labels) bool {
	return slices.ContainsFunc(ls.withoutItems(), in.isRemembered)
}

// mayBeSettings reports whether they are configuration by the names of the fields.
func (s labels) mayBeSettings() bool {
	s = s.withoutItems()
	if len(s) == 0 {
		return false
	}
	for _, l := range s {
		if l.Kind != Content && l.Kind != State || l.Fixed && l.Path.IsRoot() {
			return false
		}
		if !isSettingPath(l) {
			return false
		}
	}
	return true
}

// areConfiguration reports whether nothing but settings, and names of objects, feed what
// this function or a caller made.
func (in *interp) areConfiguration(s labels) bool {
	s = s.transform(func(l Label) (Label, bool) { return l, !isName(l.Path) })
	return len(s) == 0 || in.areSettings(s)
}

func isSettingPath(l Label) bool {
	if l.Path.IsRoot() {
		return false
	}
	for step := range l.Path.Steps() {
		if step.Kind != access.Field {
			continue
		}
		switch step.Name {
		case "Spec", "DeletionTimestamp":
			return true
		case "Status", "Labels", "Annotations", "Data", "StringData", "ObjectMeta", "OwnerReferences",
			"ResourceVersion", "Generation", "Finalizers", "Object":
			return false
		}
	}
	// Content is a field of the reconciler or of its options. State is a field of
	// a live object beside spec and status.
	return l.Kind == Content
}

// isName reports whether the path is that of an object's own name or namespace, which
// never change. Those of elements tell which objects there are.
func isName(path access.Path) bool {
	switch path {
	case access.Fields("ObjectMeta", "Name"), access.Fields("ObjectMeta", "Namespace"):
		return true
	}
	return false
}

// isDeletion reports whether the condition is about deletion alone.
func isDeletion(ls labels) bool {
	ls = ls.withoutItems()
	for _, l := range ls {
		if l.Path.LastField() != "DeletionTimestamp" {
			return false
		}
	}
	return len(ls) > 0
}

// isDeletionTime reports whether v is the time at which an object was deleted, if it was. The
// labels of an item say nothing of that.
func isDeletionTime(v ssa.Value) bool {
	o := origin.Of(origin.Through(v, origin.Loaded, origin.Renamed))
	return o.Kind == origin.Field && o.FieldName() == "DeletionTimestamp" ||
		o.Kind == origin.Result && library.Of(callee.Static(&o.Call.Call)).Field == "DeletionTimestamp"
}

// measured returns the argument if v is a call of len, or the set of which v is the number
// of members, else v.
func measured(v ssa.Value) ssa.Value {
	if isLen(v) {
		return v.(*ssa.Call).Call.Args[0]
	}
	return v
}

// isReturned reports whether v is a pointer that a callee returns, or something behind an
// interface that it may have found in the cluster:
//
//	key := parseKey(secret) // nil if there is none, or if it does not fit
func (in *interp) isReturned(fr *frame, v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind != origin.Result {
		return false
	}
	return isStructPointer(v.Type()) || isInterface(v.Type()) && slices.ContainsFunc(callee.Args(&o.Call.Call), func(arg ssa.Value) bool {
		return in.mayHold(fr, arg)
	})
}

// mayHold reports whether v may hold what is in the cluster, or lead to it: a context, an
// API object or a part of one that is no setting.
func (in *interp) mayHold(fr *frame, v ssa.Value) bool {
	if library.TypeOf(v.Type()).Is == library.Context {
		return true
	}
	if s, ok := library.Deref(v.Type()).Underlying().(*types.Struct); ok && isObject(s) {
		return true
	}
	return slices.ContainsFunc(in.reg(fr, v).labels, func(l Label) bool { return !l.Path.IsRoot() && !isSettingPath(l) })
}

// isOfAnyType reports whether t is an interface without methods. What a library parsed or
// decoded is behind one.
func isOfAnyType(t types.Type) bool {
	iface, ok := types.Unalias(t).Underlying().(*types.Interface)
	return ok && iface.Empty() // a type parameter is none
}

func isStructPointer(t types.Type) bool {
	ptr, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = ptr.Elem().Underlying().(*types.Struct)
	return ok
}

// isLen reports whether v is the length of a sequence or map, or the number of members of a
// set.
func isLen(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind != origin.Result {
		return false
	}
	if fn := callee.Static(&o.Call.Call); fn != nil {
		return library.Of(fn).Effect == library.Counts
	}
	return o.Builtin() == "len"
}
