package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Verdict says what a result depends on, for a caller that branches on it. The
// result is a boolean, a string that is empty or not, or a reconcile's result or a
// delay that asks for another reconcile or not:
//
//	func (s *Status) Unchanged(hash string) bool { return s.Hash == hash }
//
//	func reasonToRenew(at time.Time) string {
//		if time.Now().After(at) { return "expired" }
//		return ""
//	}
type Verdict struct {
	Result  int
	Field   string  // of the result, which is a struct or a pointer to one, or ""
	Yes, No Outcome // true, not empty or asking; false, empty or not asking
	// Tested is what decides which text the result is, if all of that is known:
	//
	//	func stateOf(job *batchv1.Job) string {
	//		if job.Status.Active > 0 { return "active" }
	//		return "pending"
	//	}
	Tested []Tested
}

// An Outcome is guarded if the function returns it only under a guard. Labels are
// what feeds the guards. If UnlessSetting is set and only configuration of the
// caller feeds them, they are no guards. Nor are they if only that feeds Settings, which
// is what feeds the ways that nothing but configuration of the function guards. Tested is
// what those ways test that test nothing else. If these are modes, the outcome has no
// guard. Search is set if each guard is that a search found nothing.
type Outcome struct {
	Guarded, UnlessSetting bool
	Search                 bool
	// Owned is set if each guard is that an object has an owner.
	Owned            bool
	Labels, Settings []Label
	Tested           []Tested
	// Absent are the fields that lead from a parameter to what the function asks for,
	// if it returns this only because parts of parameters are absent.
	Absent []Absent
	// Asked are decisions of the caller, as in [Label], if each way on which the function
	// returns this has one of them for its only guard. It is no guard if none of them is.
	// Others is set if there are other ways, which have guards of the function's own. Then
	// it is no guard if one of the decisions is none.
	Asked  []int
	Others bool
	either labels // what feeds the guards of the other ways, at the call
	// Once says for which objects the function returns it once.
	Once Once
	// Phases are the TypeNames of objects that must be in a certain phase, as in [Event].
	Phases []string
}

// maxPhis bounds the chain of phis from a result to the values that it may be.
const maxPhis = 4

// verdicts returns the verdicts of the function that was just interpreted.
func (in *interp) verdicts(fr *frame) []Verdict {
	in.callerDecides = true
	defer func() { in.callerDecides = false }()
	var vs []Verdict
	res := fr.fn.Signature.Results()
	for i := range res.Len() {
		vs = append(vs, in.fieldVerdicts(fr, i)...)
		if t := res.At(i).Type(); library.IsBool(t) || library.IsString(t) || isAsking(t) {
			in.sawSetting = false
			leaves := in.leaves(fr, i)
			v := Verdict{Result: i, Yes: in.outcome(fr, leaves, true), No: in.outcome(fr, leaves, false)}
			if library.IsString(t) {
				v.Tested = in.decidingText(fr, leaves)
			}
			if library.IsBool(t) {
				v.Yes.Once, v.No.Once = in.onceVerdict(fr, leaves, true), in.onceVerdict(fr, leaves, false)
				v.Yes.Phases, v.No.Phases = in.phaseVerdict(fr, leaves, true), in.phaseVerdict(fr, leaves, false)
			}
			vs = append(vs, v)
		} else if isSliceType(t) || isMapType(t) || isStructPointer(t) {
			in.sawSetting = false
			leaves := in.leaves(fr, i)
			if isStructPointer(t) && !slices.ContainsFunc(leaves, func(l leaf) bool { return constants.IsZero(l.val) }) {
				continue // it is always there
			}
			if some := in.outcome(fr, leaves, true); some.Guarded {
				vs = append(vs, Verdict{Result: i, Yes: some})
			}
		}
	}
	return vs
}

// maxAnswerFields bounds the fields of a result that have verdicts.
const maxAnswerFields = 8

// fieldVerdicts returns the verdicts of fields of result number i, if it is a struct of answers:
//
//	type check struct{ current *appsv1.Deployment; done bool }
func (in *interp) fieldVerdicts(fr *frame, i int) []Verdict {
	t := fr.fn.Signature.Results().At(i).Type()
	s, ok := library.Deref(t).Underlying().(*types.Struct)
	if !ok || isResult(t) || isObject(s) {
		return nil
	}
	var vs []Verdict
	for f := range s.Fields() {
		if !library.IsBool(f.Type()) && !isResult(f.Type()) || len(vs) == maxAnswerFields {
			continue
		}
		in.sawSetting = false
		leaves := in.leavesOf(fr, func(ret *ssa.Return) (ssa.Value, *Verdict) {
			val, of := origin.FieldAt(ret.Results[i], f.Name(), ret)
			return val, fr.fieldVerdict(of, f.Name())
		})
		if !slices.ContainsFunc(leaves, func(l leaf) bool { return l.val == nil && l.said == nil }) {
			vs = append(vs, Verdict{Result: i, Field: f.Name(), Yes: in.outcome(fr, leaves, true), No: in.outcome(fr, leaves, false)})
		}
	}
	return vs
}

// decidingText returns what decides which of the texts the function returns, or nil if it does not
// know all of that.
func (in *interp) decidingText(fr *frame, leaves []leaf) []Tested {
	tests := &tests{in: in, fr: fr, seen: make(map[ssa.Value]bool)}
	for _, l := range leaves {
		if l.fails {
			continue
		}
		if !tests.value(l.val) {
			return nil
		}
		for br := range cfg.Branches(l.groups...) {
			if !isFailure(br) && !tests.condition(br.Condition) {
				return nil
			}
		}
	}
	return in.onlyTested(tests.found, fr.fn)
}

// onlyTested returns what a function tests, if that is not too much, and it sets none of it.
func (in *interp) onlyTested(tested []Tested, fn *ssa.Function) []Tested {
	slices.SortFunc(tested, Tested.compare)
	tested = slices.Compact(tested)
	if len(tested) > maxTested || slices.ContainsFunc(tested, func(t Tested) bool { return in.isSet(t, fn, fn.Blocks) }) {
		return nil
	}
	return tested
}

// A leaf is a value that a function may return, with the guards of that return.
type leaf struct {
	val    ssa.Value
	said   *Verdict // without a value: what another function answers
	guards []guard
	groups []cfg.Group // the conditions of that return
	fails  bool        // because of an error
}

// isYes is isYes of the value, if there is one.
func (l leaf) isYes() (yes, known bool) {
	if l.said != nil {
		return false, false
	}
	return isYes(l.val)
}

// leaves returns the values that result number i may be.
func (in *interp) leaves(fr *frame, i int) []leaf {
	return in.leavesOf(fr, func(ret *ssa.Return) (ssa.Value, *Verdict) { return whetherAsks(ret.Results[i]), nil })
}

// leavesOf returns the values of the returns of a function: at returns the value, or what another
// function answers.
func (in *interp) leavesOf(fr *frame, at func(*ssa.Return) (ssa.Value, *Verdict)) []leaf {
	var found []leaf
	var expand func(v ssa.Value, said *Verdict, guards []guard, all, groups []cfg.Group, depth int)
	expand = func(v ssa.Value, said *Verdict, guards []guard, all, groups []cfg.Group, depth int) {
		phi, ok := v.(*ssa.Phi)
		if !ok || depth == maxPhis || cfg.IsHeader(phi.Block()) {
			found = append(found, leaf{v, said, guards, all, len(groups) > 0 && isFailureAlone(groups[0])})
			return
		}
		for k, e := range phi.Edges {
			pred := phi.Block().Preds[k]
			own := in.control.OfEdge(cfg.Edge{From: pred, To: phi.Block()})
			expand(e, nil, append(slices.Clip(guards), in.guardsAmong(fr, pred, own)...), append(slices.Clip(all), own...), own, depth+1)
		}
	}
	for _, b := range fr.fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !failing(ret) && !in.failsHere(ret) {
			val, said := at(ret)
			expand(val, said, in.guardsOf(fr, b), in.control.Of(b), in.control.Of(b), 0)
		}
	}
	return found
}

// failsHere reports whether the return returns an error of which a branch has shown that it is one.
func (a *analysisState) failsHere(ret *ssa.Return) bool {
	return slices.ContainsFunc(a.control.Of(ret.Block()), func(g cfg.Group) bool {
		return len(g) == 1 && slices.ContainsFunc(g[0], func(br cfg.Branch) bool {
			err, isNil, ok := br.Nil()
			return ok && !isNil && library.IsError(err.Type()) && slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return origin.Held(v) == origin.Held(err) })
		})
	})
}

// outcome returns whether each leaf that may be yes, or no, is guarded, and the
// labels that feed the guards. Leaves that an error leads to do not count.
func (in *interp) outcome(fr *frame, leaves []leaf, yes bool) Outcome {
	leaves = slices.DeleteFunc(slices.Clone(leaves), func(l leaf) bool {
		is, known := l.isYes()
		return known && is != yes
	})
	fails := func(l leaf) bool { return l.fails || l.said == nil && isFailure(answer(l.val, yes)) }
	leaves = slices.DeleteFunc(leaves, fails)
	var fed, settings labels
	var tested []Tested
	var absent []Absent
	var asked []int
	search, lacks, asks, others := len(leaves) > 0, len(leaves) > 0, true, false
	owned := len(leaves) > 0
	for _, l := range leaves {
		guards := slices.Clip(l.guards)
		if g, is := in.ownGuard(fr, l, yes); is {
			guards = append(guards, g)
		}
		search = search && slices.ContainsFunc(guards, func(g guard) bool { return g.search })
		if len(guards) == 0 {
			return Outcome{} // a way without a guard
		}
		owned = owned && !slices.ContainsFunc(guards, func(g guard) bool { return !g.owned })
		switch reasons := l.ownReasons(guards, leaves); {
		case !slices.ContainsFunc(reasons, func(g guard) bool { return in.isDecision(g.given) }):
			others = true
		case len(reasons) == 1:
			asked = append(asked, reasons[0].given)
			others = others || len(reasons[0].either) > 0
		default:
			asks = false
		}
		if changing := slices.DeleteFunc(slices.Clone(guards), func(g guard) bool { return in.areSettings(g.labels) && !in.isDecision(g.given) }); len(changing) > 0 {
			guards = changing // settings do not count beside other guards
		} else if !slices.ContainsFunc(guards, func(g guard) bool { return !g.setting }) {
			for _, g := range guards {
				settings = settings.union(g.labels)
			}
		}
		fed = fed.union(in.feedingAll(l.ownReasons(guards, leaves)))
		for _, g := range guards {
			fields, ok := in.absentPart(fr, g)
			absent, lacks = append(absent, fields...), lacks && ok
		}
		if !slices.ContainsFunc(guards, func(g guard) bool { return len(g.tested) == 0 }) {
			for _, g := range guards {
				tested = append(tested, g.tested...)
			}
		}
	}
	tested = in.onlyTested(tested, fr.fn)
	if !lacks {
		absent = nil
	}
	if !asks || len(asked) == 0 {
		asked, others = nil, false
	}
	slices.SortFunc(absent, Absent.compare)
	slices.Sort(asked)
	return Outcome{
		Guarded: true, UnlessSetting: in.sawSetting, Search: search, Owned: owned, Labels: fed, Settings: settings, Tested: tested,
		Absent: slices.Compact(absent), Asked: slices.Compact(asked), Others: others,
	}
}

// ownGuard returns the guard that the value of the leaf, which is yes or no, is itself. It is false if
// that is none.
func (in *interp) ownGuard(fr *frame, l leaf, yes bool) (guard, bool) {
	if l.said != nil {
		o := l.said.outcome(yes)
		return guard{branch: yes, alone: true, labels: o.Labels, owned: o.Owned}, o.Guarded
	}
	saw := in.sawSetting
	in.sawSetting = false
	ls, is := in.answers(fr, l.val, yes)
	setting := in.sawSetting
	in.sawSetting = setting || saw
	if !is {
		return guard{}, false
	}
	c := cfg.Condition{Value: l.val, Holds: yes}
	own, _ := in.testedBy(fr, c)
	_, failed := in.searchFailed(fr, answer(l.val, yes))
	given, either := in.decisionOf(fr, c)
	return guard{
		cond: l.val, branch: yes, alone: true, labels: ls.whetherThere(c).union(in.asked(given)),
		given: given, either: either, tested: own, search: failed, setting: setting, owned: in.isOwned(fr, c, ls),
	}, true
}

// whetherThere returns the labels that feed the condition without those of a parameter that it only
// compares with nil: what an object has does not decide whether there is one.
//
//	if wanted == nil { return false }
func (s labels) whetherThere(c cfg.Condition) labels {
	v, _, ok := c.Nil()
	p, isParam := v.(*ssa.Parameter)
	if !ok || !isParam || !isStructPointer(p.Type()) {
		return s
	}
	index := slices.Index(p.Parent().Params, p)
	return s.transform(func(l Label) (Label, bool) { return l, l.Kind != Content || l.Param != index || !l.Path.IsRoot() })
}

// feedingAll returns the labels that feed all of the guards. Beside others, nothing is known
// of what a function of the caller answers.
func (in *interp) feedingAll(guards []guard) labels {
	if len(guards) > 1 {
		guards = slices.Clone(guards)
		for i := range guards {
			if in.isDecision(guards[i].given) {
				guards[i].given = 0
			}
		}
	}
	var fed labels
	for _, g := range guards {
		fed = fed.union(g.labels.transform(func(l Label) (Label, bool) {
			_, ok := leftUnder(guards, l)
			return l, ok
		}))
	}
	return fed
}

// ownReasons returns the guards of the leaf without those that only say that the function
// has not returned the same before, if there are others:
//
//	if a.Image != b.Image { return false }
//	if a.Args != b.Args { return false } // whatever the images are
func (l leaf) ownReasons(guards []guard, leaves []leaf) []guard {
	own := slices.DeleteFunc(slices.Clone(guards), func(g guard) bool {
		return slices.ContainsFunc(leaves, func(before leaf) bool { return l.follows(g, before) })
	})
	if len(own) == 0 {
		return guards
	}
	return own
}

// follows reports whether the function is also sure to return what the other leaf returns where
// the guard does not hold, with the other conditions of this leaf or without them.
func (l leaf) follows(g guard, before leaf) bool {
	is := func(h cfg.Group, branch bool) bool {
		return len(h) == 1 && len(h[0]) == 1 && h[0][0].Condition == cfg.Condition{Value: g.cond, Holds: branch}
	}
	_, certain := before.isYes()
	return certain && slices.ContainsFunc(l.groups, func(h cfg.Group) bool { return is(h, g.branch) }) &&
		slices.ContainsFunc(before.groups, func(h cfg.Group) bool { return is(h, !g.branch) }) &&
		!slices.ContainsFunc(before.groups, func(h cfg.Group) bool { return !is(h, !g.branch) && !cfg.Contains(l.groups, h) })
}

// isGuarded reports whether a function returns the outcome only under a guard.
func (in *interp) isGuarded(o Outcome) bool {
	return o.Guarded && !(o.UnlessSetting && in.isSetting(o.Labels)) && !in.isSetting(o.Settings)
}

// answer returns the branch that is taken if v, a boolean, is yes or no.
func answer(v ssa.Value, yes bool) cfg.Branch {
	return cfg.Branch{Condition: cfg.Condition{Value: v, Holds: yes}}
}

// answers reports whether the condition that v is yes, or no, is a guard.
func (in *interp) answers(fr *frame, v ssa.Value, yes bool) (labels, bool) {
	switch {
	case isConst(v):
		return nil, false
	case isAsking(v.Type()):
		if _, known := asks(v); known {
			return nil, false
		}
		if yes {
			return in.reg(fr, v).labels, true
		}
		return in.goingOn(fr, v)
	case library.IsBool(v.Type()):
		return in.isGuard(fr, answer(v, yes))
	}
	if ls, ok := in.differs(fr, v); ok {
		return ls, yes
	}
	o, ok := fr.verdict(v, yes)
	return o.Labels, ok && o.Guarded
}

// verdict returns the outcome for v being yes, or no, if v is a result that has a
// verdict.
func (fr *frame) verdict(v ssa.Value, yes bool) (Outcome, bool) {
	d := fr.verdictOf(v)
	if d == nil {
		return Outcome{}, false
	}
	return d.outcome(yes), true
}

// outcome returns the outcome for yes or no.
func (v *Verdict) outcome(yes bool) Outcome {
	if yes {
		return v.Yes
	}
	return v.No
}

// verdictOf returns the verdict of v if it is a result that has one, or a field of one, or nil.
func (fr *frame) verdictOf(v ssa.Value) *Verdict {
	v, field := answered(v)
	return fr.fieldVerdict(v, field)
}

// answered returns the value that v certainly is, or the struct of which v is a field and the name
// of that. It returns nil if several are possible.
func answered(v ssa.Value) (of ssa.Value, field string) {
	f, of := origin.FieldOf(v)
	at, ok := v.(ssa.Instruction)
	if f == nil || !ok {
		return v, ""
	}
	if isSetBelow(of, f) {
		return nil, ""
	}
	val, of := origin.FieldAt(of, f.Name(), at)
	if val != nil {
		return val, ""
	}
	return of, f.Name()
}

// answering returns the call of which v, which has a verdict, is the answer.
func answering(v ssa.Value) *ssa.Call {
	of, _ := answered(v)
	return resultOf(of)
}

// resultOf returns the call that has the result v, or nil.
func resultOf(v ssa.Value) *ssa.Call { return origin.Of(origin.Held(v)).Call }

// fieldVerdict returns the verdict of a field of v, or of v itself, or nil.
func (fr *frame) fieldVerdict(v ssa.Value, field string) *Verdict {
	if v == nil {
		return nil
	}
	o := origin.Of(origin.Held(v))
	if o.Kind != origin.Result {
		return nil
	}
	ds := fr.verdictsOf(o.Call)
	if i := slices.IndexFunc(ds, func(d Verdict) bool { return d.Result == o.Index && d.Field == field }); i >= 0 {
		return &ds[i]
	}
	return nil
}

// isSetBelow reports whether the function stores something in the field of what a pointer of
// another function points to.
func isSetBelow(pointer ssa.Value, field *types.Var) bool {
	if _, isLocal := pointer.(*ssa.Alloc); isLocal || pointer.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*pointer.Referrers(), func(ref ssa.Instruction) bool {
		addr, ok := ref.(*ssa.FieldAddr)
		return ok && origin.Of(addr).Field == field && len(origin.StoredAt(addr)) > 0
	})
}

// verdicts translates the callee's verdicts.
func (im *importer) verdicts() []Verdict {
	vs := slices.Clone(im.sum.Verdicts)
	for i := range vs {
		for _, o := range []*Outcome{&vs[i].Yes, &vs[i].No} {
			answers, either, given, guarded := im.asked(*o)
			if !guarded {
				*o = Outcome{Once: o.Once, Phases: o.Phases}
			}
			o.Settings = im.labels(o.Settings)
			ls := im.labels(o.Labels)
			if !o.Search {
				ls = ls.union(im.computed(o.Labels))
			}
			if !im.isAboutItem(o.Labels) {
				ls = ls.withoutItems() // they only say which element is compared
			}
			o.Labels, o.Asked, o.either = ls.union(answers), given, nil
			if o.Others {
				o.either = either.union(ls.transform(func(l Label) (Label, bool) { return l, l.Given == 0 }))
			}
			if im.s.instr.Common().StaticCallee() == nil {
				o.Once, o.Phases = Once{}, nil // another callee may decide
			}
		}
	}
	return vs
}

// computed returns the labels of arguments that a library has computed, of which the callee asks
// for parts: what these are made of is not known more precisely.
//
//	equalSets(strings.Split(secret.Annotations["users"], ","), users)
func (im *importer) computed(asked []Label) (ls labels) {
	for _, l := range asked {
		if l.Kind != Content || l.Path.IsRoot() || l.Path.IsOrder() || l.Param >= len(im.s.args) || len(im.label(l)) > 0 {
			continue
		}
		arg := im.s.args[l.Param]
		if !slices.ContainsFunc(arg.refs, func(r loc) bool { return r.obj.from == "" }) {
			ls = ls.union(arg.labels)
		}
	}
	return ls
}

// asked returns what feeds the answers of functions of the caller that the outcome
// depends on: of all, and of those that are known. It also returns those that a caller of
// the caller decides, and whether the outcome is guarded.
func (im *importer) asked(o Outcome) (fed, known labels, given []int, guarded bool) {
	if !o.Guarded || len(o.Asked) == 0 {
		return nil, nil, nil, o.Guarded
	}
	guarded = o.Others
	for _, n := range o.Asked {
		p := im.passed(n)
		fed = fed.union(p.guard.labels)
		if p.guard.given == 0 {
			known = known.union(p.guard.labels)
		} else {
			given, known = append(given, p.guard.given), known.union(p.guard.either)
		}
		if o.Others {
			guarded = guarded && p.is
		} else {
			guarded = guarded || p.is
		}
	}
	return fed, known, given, guarded
}

// isAboutItem reports whether what the callee asks of is an item alone, besides
// what nothing of the cluster feeds: a constant, a list of names.
func (im *importer) isAboutItem(asked []Label) bool {
	return !slices.ContainsFunc(asked, func(l Label) bool {
		ls := im.label(l)
		return len(ls) > 0 && !ls.hasItem()
	})
}

// isYes reports whether v is true, a string or a list that is not empty, or a result that
// asks for another reconcile. It knows this of a constant or a literal.
func isYes(v ssa.Value) (yes, known bool) {
	if isAsking(v.Type()) {
		return asks(v)
	}
	if set, ok := constants.Bool(v); ok {
		return set, true
	}
	if isEmptyList(v) {
		return false, true
	}
	return !constants.IsZero(v), isConst(v)
}

func isConst(v ssa.Value) bool { return origin.Of(v).Kind == origin.Constant }
