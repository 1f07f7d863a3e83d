package flow

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
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
//
// The same holds for a string parameter that is compared with a constant, or a string in one, and
// for the answer of a function that the caller passes in. These are decisions.

// A Decision is a condition for which a caller knows what it is:
//
//	switch kind { case "server": … }          // kind is a parameter
//	if wanted.Status == "False" { … }         // wanted is a parameter
//	if equal(current, desired) { return nil } // equal is a parameter
//	if len(d.static) > 0 { return d.static }  // d is a parameter
//	if d.once { return nil }
//	if d == nil { d = defaults() }
//	if !has(pod.Env, name) { … }              // pod is a parameter
type Decision struct {
	Callback int         // 1 plus the index in Callbacks of the call, or 0; -1 if nothing is known of it
	Result   int         // index of the result of that call
	Param    int         // the parameter that is compared
	At       access.Path // the string in it that is compared, if it is not the root
	Const    string      // with this constant
	Sought   bool        // whether nothing is found at At instead: what is not stored lacks it each time
	Absent   access.Path // of the part of the parameter that is asked for instead, if it is not the root
	Nil      bool        // whether it is asked instead whether the parameter is nil
	Flag     bool        // whether that is a boolean: it is no guard unless the caller makes it of what may change
}

const (
	// maxDecisions bounds the decisions of one function. Further ones are guards.
	maxDecisions = 16
	// firstDecision is what Label.Given begins with for decisions.
	firstDecision = 1 << 16
)

// A decision is a Decision within the function. It has a call or a param.
type decision struct {
	call     callbackKey
	result   int
	param    *ssa.Parameter
	at       access.Path
	constant string
	sought   bool
	absent   access.Path
	isNil    bool
	flag     bool
}

// decision returns the number of d as in Label.Given, or 0 if there are too many.
func (in *interp) decision(d decision) int {
	i := slices.Index(in.decisions, d)
	if i < 0 {
		if len(in.decisions) == maxDecisions {
			return 0
		}
		i = len(in.decisions)
		in.decisions = append(in.decisions, d)
	}
	return firstDecision + i
}

// decided returns the decision that given, which is as in a [Label], stands for.
func (in *interp) decided(given int) (d decision, ok bool) {
	if i := max(given, -given) - firstDecision; i >= 0 {
		return in.decisions[i], true
	}
	return decision{}, false
}

// isDecision reports whether given, which is as in a [Label], is what a function answers
// that the caller passes.
func (in *interp) isDecision(given int) bool {
	d, ok := in.decided(given)
	return ok && d.param == nil
}

// given returns the boolean parameter or the decision that the condition is, as in a
// [Label], or 0.
func (in *interp) given(fr *frame, c cfg.Condition) int {
	c = c.Stripped()
	n, holds := 0, c.Holds
	if o := origin.Of(anyOf(c.Value)); o.Kind == origin.Result {
		if key, ok := fr.asked[o.Call]; ok {
			n = in.decision(decision{call: key, result: o.Index})
		}
	}
	if p := in.parameterOf(fr, c.Value); p != nil {
		n = 1 + slices.Index(p.Parent().Params, p)
	}
	if _, ok := c.Value.(*ssa.BinOp); ok {
		cmp, _ := c.Comparison()
		k, isText := constants.String(cmp.Y)
		if p, at := in.compared(fr, cmp.X); isText && p != nil && (at.IsRoot() || k != "") && (cmp.Op == token.EQL || cmp.Op == token.NEQ) {
			n, holds = in.decision(decision{param: p, at: at, constant: k}), cmp.Op == token.EQL
		} else if p := in.nilOption(fr, cmp); p != nil {
			n, holds = in.decision(decision{param: p, isNil: true}), cmp.Op == token.EQL
		} else if p, part := in.absentOption(fr, c); p != nil {
			n, holds = in.decision(decision{param: p, absent: part}), true
		}
	}
	if k := origin.Of(c.Value).Kind; k == origin.Loaded || k == origin.Field {
		if p, part := in.option(fr, c.Value, c.Value); p != nil && part.Depth() == 1 && !isReceiver(p) {
			n, holds = in.decision(decision{param: p, absent: part, flag: true}), !c.Holds
		}
	}
	return signed(n, holds)
}

// parameterOf returns the parameter of the function that is being interpreted that v is, also where
// a function literal has captured it, or nil.
func (in *interp) parameterOf(fr *frame, v ssa.Value) *ssa.Parameter {
	if load := origin.Of(v); load.Kind == origin.Loaded {
		if cell := in.ssa.Index.Cell(load.X); cell != nil && origin.Of(cell).Kind == origin.Local {
			v = origin.StoredOnce(cell)
		}
	}
	if p, ok := v.(*ssa.Parameter); ok && p.Parent() == fr.outermost().fn {
		return p
	}
	return nil
}

// signed returns what a [Label] has for a decision, or a parameter, that holds or does not.
func signed(given int, holds bool) int {
	if holds {
		return given
	}
	return -given
}

// compared returns the parameter that v is, or that has the string v, and where.
func (in *interp) compared(fr *frame, v ssa.Value) (p *ssa.Parameter, at access.Path) {
	if p := in.parameterOf(fr, v); p != nil {
		return p, access.Path{}
	}
	held := in.reg(fr, v)
	if in.callerDecides || fr.up != nil || !library.IsString(v.Type()) || len(held.refs) != 1 || held.unknown || len(held.labels) != 1 {
		return nil, access.Path{}
	}
	r, l := held.refs[0], held.labels[0]
	if r.obj.param < 0 || r.obj.param >= len(fr.fn.Params) || r.path.Depth() != 1 || r.path.HasIndex() || l.Kind != Content || l.Param != r.obj.param || l.Path != r.path {
		return nil, access.Path{}
	}
	p = fr.fn.Params[r.obj.param]
	if s, ok := library.Deref(p.Type()).Underlying().(*types.Struct); !ok || isObject(s) {
		return nil, access.Path{} // its state
	}
	return p, r.path
}

// absentOption returns the part of a parameter of which the condition is that it is absent, if
// it is an option that code sets, and not a part of an object of the API.
func (in *interp) absentOption(fr *frame, c cfg.Condition) (p *ssa.Parameter, part access.Path) {
	cmp, ok := c.Comparison()
	if !ok || !constants.IsZero(cmp.Y) {
		return nil, access.Path{}
	}
	if cmp.Op != token.EQL && !(cmp.Op == token.LEQ && isLen(cmp.X)) {
		return nil, access.Path{}
	}
	return in.option(fr, c.Stripped().Value, cmp.X)
}

// nilOption returns the parameter that is compared with nil, if it points to a struct of the module
// that is no object, or nil. A caller knows whether it passes one.
func (in *interp) nilOption(fr *frame, cmp cfg.Comparison) *ssa.Parameter {
	p := in.parameterOf(fr, cmp.X)
	if p == nil || !constants.IsZero(cmp.Y) || !isStructPointer(p.Type()) || in.callerDecides || fr.up != nil || isReceiver(p) {
		return nil
	}
	named := library.NamedOf(p.Type())
	if named == nil || named.Obj().Pkg() == nil || !in.isOwnPackage(named.Obj().Pkg().Path()) || isObject(named.Underlying().(*types.Struct)) {
		return nil
	}
	return p
}

// option returns the part of a parameter that is tested, or of which the length is, if that is an
// option and all that the condition depends on.
func (in *interp) option(fr *frame, cond, tested ssa.Value) (p *ssa.Parameter, part access.Path) {
	if in.callerDecides || fr.up != nil {
		return nil, access.Path{}
	}
	field, of := origin.FieldOf(measured(tested))
	v := in.reg(fr, measured(tested))
	if field == nil || len(v.refs) != 1 || v.unknown || isOfAPI(of.Type(), field) {
		return nil, access.Path{}
	}
	at := v.refs[0]
	if at.obj.param < 0 || at.obj.param >= len(fr.fn.Params) || at.path.IsRoot() || at.path.HasIndex() {
		return nil, access.Path{}
	}
	p = fr.fn.Params[at.obj.param]
	fed := in.reg(fr, cond).labels
	if !isLen(tested) && (len(fed) != 1 || fed[0].Kind != Content || fed[0].Param != at.obj.param || fed[0].Path != at.path) {
		return nil, access.Path{}
	}
	if s, ok := library.Deref(p.Type()).Underlying().(*types.Struct); ok && isObject(s) {
		return nil, access.Path{}
	}
	return p, at.path
}

// isOfAPI reports whether the field of the struct t, or of what t points to, is one of an API: it
// has a name in JSON, or Kubernetes has the struct.
func isOfAPI(t types.Type, field *types.Var) bool {
	s, ok := library.Deref(t).Underlying().(*types.Struct)
	if !ok || field.Pkg() == nil || library.IsKubernetes(field.Pkg().Path()) {
		return true
	}
	for i := range s.NumFields() {
		if s.Field(i) == field {
			return reflect.StructTag(s.Tag(i)).Get("json") != ""
		}
	}
	return true
}

// sought returns the decision that the guard g, which says that a search has found nothing, is: the
// caller knows whether it has stored what is searched. The search must be one of a part of one
// parameter, for something else.
//
//	func addEnv(c *corev1.Container, env corev1.EnvVar) {
//		if has(c.Env, env.Name) { return }
//		c.Env = append(c.Env, env)
//	}
func (in *interp) sought(fr *frame, g guard) int {
	o, ok := fr.verdict(g.cond, g.branch)
	if !g.search && !(ok && o.Search) || !g.alone || g.given != 0 || in.callerDecides || fr.up != nil {
		return 0
	}
	found, wanted := -1, in.wanted(fr, g.cond)
	for i, l := range g.labels {
		isWanted := slices.ContainsFunc(wanted, func(m Label) bool { return m.Kind == Content && m.Param == l.Param })
		switch {
		case l.Kind == Named, l.Kind == Content && (isWanted || l.Item || !l.Path.HasIndex() && !l.Path.IsOrder()):
			continue
		case l.Kind != Content || l.Keys || l.Appended || l.Path.IsOrder() || found >= 0:
			return 0
		}
		found = i
	}
	if found < 0 || g.labels[found].Param >= len(fr.fn.Params) {
		return 0
	}
	p, at := fr.fn.Params[g.labels[found].Param], g.labels[found].Path
	if mayBeState(p.Type(), at) {
		return 0
	}
	return in.decision(decision{param: p, at: at, sought: true})
}

// wanted returns the labels of what a search looks for: the basic arguments of a function, and
// elements of other lists, or what the loop that searches compares its elements with.
func (in *interp) wanted(fr *frame, cond ssa.Value) (wanted labels) {
	l := in.loopOf(cond)
	o := origin.Of(cond)
	switch {
	case o.Kind == origin.Result:
		for _, arg := range callee.Args(&o.Call.Call) {
			v := in.reg(fr, arg)
			if isBasic(arg.Type()) {
				wanted = wanted.union(v.labels)
			}
			for _, r := range v.refs {
				if r.obj.param >= 0 && r.path.HasIndex() && !isSliceType(arg.Type()) {
					wanted = wanted.union(labels{{Kind: Content, Param: r.obj.param, Path: r.path}})
				}
			}
		}
	case o.Kind == origin.Computed && o.Y != nil && l != nil:
		for _, v := range []ssa.Value{o.X, o.Y} {
			if in.loopOf(v) != l {
				wanted = wanted.union(in.reg(fr, v).labels)
			}
		}
	}
	return wanted
}

// mayBeState reports whether the path below a value of type t leads through what the cluster says of
// an object, or through a list of objects, or of conditions: code seldom makes such a list anew.
func mayBeState(t types.Type, path access.Path) bool {
	for step := range typesAlong(t, path) {
		switch {
		case step.to == nil:
			return true
		case step.Kind == access.Field:
			if step.Name == "Status" || step.Name == "ObjectMeta" {
				return true
			}
		default:
			if s, ok := library.Deref(step.to).Underlying().(*types.Struct); ok && (isObject(s) || hasTime(s)) {
				return true
			}
		}
	}
	return false
}

// hasTime reports whether a field of the struct is a time, as that of a condition.
func hasTime(s *types.Struct) bool {
	for field := range s.Fields() {
		if isTime(library.Deref(field.Type())) {
			return true
		}
	}
	return false
}

// decisionOf is given for a condition that may also be what a function answers. If that
// depends on what it compares itself, too, either is what feeds this.
func (in *interp) decisionOf(fr *frame, c cfg.Condition) (given int, either labels) {
	if given := in.given(fr, c); given != 0 {
		return given, nil
	}
	c = c.Stripped()
	if o, ok := fr.verdict(c.Value, c.Holds); ok && len(o.Asked) == 1 {
		return o.Asked[0], o.either
	}
	return 0, nil
}

// anyOf returns the value of which a flag says whether it was ever true in a loop, or v:
//
//	any := false
//	for _, step := range steps {
//		changed := step(thing)
//		any = any || changed
//	}
func anyOf(v ssa.Value) ssa.Value {
	flag, ok := v.(*ssa.Phi)
	if !ok || !library.IsBool(v.Type()) {
		return v
	}
	var asked ssa.Value
	seen := map[ssa.Value]bool{flag: true}
	for work := []*ssa.Phi{flag}; len(work) > 0; {
		phi := work[0]
		work = work[1:]
		isOr, begins := phi.Comment == "||", cfg.IsHeader(phi.Block())
		for i, e := range phi.Edges {
			set, known := constants.Bool(e)
			switch next, isPhi := e.(*ssa.Phi); {
			case isPhi && (isOr || begins):
				if !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
			case known && set && isOr && wasTrue(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}, seen):
			case known && !set && begins:
			case !known && isOr && (asked == nil || asked == e):
				asked = e
			default:
				return v // something else decides, too
			}
		}
	}
	if asked == nil {
		return v
	}
	return asked
}

// wasTrue reports whether control takes the edge because one of the values is true.
func wasTrue(e cfg.Edge, values map[ssa.Value]bool) bool {
	c, ok := cfg.ConditionOf(e)
	return ok && c.Holds && values[c.Value]
}

// asked returns the content of the function that is asked for given, for the labels of
// a guard, which must not be empty.
func (in *interp) asked(given int) labels {
	d, ok := in.decided(given)
	if !ok || d.param != nil {
		return nil
	}
	return labels{{Kind: Content, Param: d.call.ref.Param, Path: d.call.ref.Path}}
}

// withoutImplied drops the guards that a parameter is not one constant where another
// says that it is another one.
func (in *interp) withoutImplied(guards []guard) []guard {
	is := func(other decision) func(guard) bool {
		return func(g guard) bool {
			d, ok := in.decided(g.given)
			return ok && g.given > 0 && d.param == other.param && d.at == other.at
		}
	}
	return slices.DeleteFunc(guards, func(g guard) bool {
		d, ok := in.decided(g.given)
		return ok && g.given < 0 && d.param != nil && slices.ContainsFunc(guards, is(d))
	})
}

// decisions returns the decisions for a caller. The keys are those of the callbacks, in
// order.
func (ex *exporter) decisions(keys []callbackKey) []Decision {
	var ds []Decision
	for _, d := range ex.in.decisions {
		switch i := indexOfCall(keys, d.call); {
		case d.param != nil:
			ds = append(ds, Decision{Param: slices.Index(d.param.Parent().Params, d.param), At: d.at, Const: d.constant, Sought: d.sought, Absent: d.absent, Nil: d.isNil, Flag: d.flag})
		case i >= 0:
			ds = append(ds, Decision{Callback: 1 + i, Result: d.result})
		default:
			ds = append(ds, Decision{Callback: -1})
		}
	}
	return ds
}

// indexOfCall returns the index of the call, or -1. If a function literal makes the call that
// the caller's caller runs, that is interpreted in place, and its calls are known by what
// they call alone.
func indexOfCall(keys []callbackKey, call callbackKey) int {
	if i := slices.Index(keys, call); i >= 0 {
		return i
	}
	same := func(k callbackKey) bool { return k.ref == call.ref }
	i := slices.IndexFunc(keys, same)
	if i < 0 || slices.ContainsFunc(keys[i+1:], same) {
		return -1
	}
	return i
}

// A passed is what a caller passes for a boolean parameter that decides, or for another
// decision.
type passed struct {
	excluded bool // the other constant
	is       bool // it is a guard
	guard    guard
}

// unknownPassed is a guard of which nothing is known.
var unknownPassed = passed{is: true}

// passed returns what the caller passes for given, which is as in a [Label].
func (im *importer) passed(given int) passed {
	holds := given > 0
	i := max(given, -given) - 1
	if i+1 >= firstDecision {
		return im.decide(im.sum.Decisions[i+1-firstDecision], holds)
	}
	if i >= len(im.s.args) {
		return unknownPassed
	}
	switch im.s.args[i].constant {
	case "true":
		return passed{excluded: !holds}
	case "false":
		return passed{excluded: holds}
	}
	arg := im.s.vals[i]
	if arg == nil {
		return unknownPassed
	}
	c := cfg.Condition{Value: arg, Holds: holds}
	ls, is := im.in.isGuard(im.fr, cfg.Branch{Condition: c})
	given, either := im.in.decisionOf(im.fr, c)
	return passed{is: is, guard: guard{cond: arg, branch: holds, labels: ls, given: given, either: either}}
}

// decide returns what the caller decides.
func (im *importer) decide(d Decision, holds bool) passed {
	switch {
	case d.Callback > 0:
		return im.answer(d, holds)
	case d.Callback < 0 || d.Param >= len(im.s.args):
		return unknownPassed
	case d.Sought:
		return im.seeks(d, holds)
	case d.Nil:
		return im.passesNil(d, holds)
	case !d.Absent.IsRoot():
		return im.lacks(d, holds)
	case !d.At.IsRoot():
		return im.equals(d, holds)
	}
	arg, val := im.s.args[d.Param], im.s.vals[d.Param]
	if val == nil {
		return unknownPassed
	}
	k, known := constants.String(val)
	if !known && arg.constant != "" && !arg.unknown {
		k, known = arg.constant, true
	}
	if known {
		return passed{excluded: (k == d.Const) != holds}
	}
	if ls, is, known := im.in.textFlag(im.fr, val, d.Const, holds); known {
		return passed{is: is, guard: guard{labels: ls}}
	}
	g := guard{labels: arg.labels}
	if p, ok := val.(*ssa.Parameter); ok && im.fr.up == nil {
		g.given = signed(im.in.decision(decision{param: p, constant: d.Const}), holds)
	}
	if d.Const == "" {
		return passed{is: holds, guard: g} // absence
	}
	return passed{is: !im.in.isSetting(arg.labels), guard: g}
}

// equals returns what the caller has made the string that is compared.
func (im *importer) equals(d Decision, holds bool) passed {
	at := im.places(d.Param, d.At)
	if k, known := im.constantAt(at); known {
		return passed{excluded: (k == d.Const) != holds}
	}
	g := guard{labels: im.label(Label{Kind: Content, Param: d.Param, Path: d.At})}
	if p := im.given(at); p != nil {
		g.given = signed(im.in.decision(decision{param: p, at: at[0].path, constant: d.Const}), holds)
	}
	return passed{is: !im.in.isSetting(g.labels), guard: g}
}

// constantAt returns the constant that is at all the places.
func (im *importer) constantAt(at []loc) (k string, known bool) {
	for i, l := range at {
		v := im.s.st.get(l)
		if v.unknown || v.several || v.constant == "" || i > 0 && v.constant != k {
			return "", false
		}
		k = v.constant
	}
	return k, len(at) > 0
}

// given returns the parameter of the caller that has what is at the places, if that is one place
// in it, or nil.
func (im *importer) given(at []loc) *ssa.Parameter {
	params := im.fr.outermost().fn.Params
	if len(at) != 1 || at[0].obj.param < 0 || at[0].obj.param >= len(params) || at[0].path.IsRoot() {
		return nil
	}
	return params[at[0].obj.param]
}

// lacks returns what the caller has made of the part that is asked for. If it is seen to leave
// that out, or to set it to something that has nothing of the cluster, the answer is the same
// each time.
func (im *importer) lacks(d Decision, holds bool) passed {
	left, possible := im.filled(TypeTest{Param: d.Param, Path: d.Absent, Some: true})
	if left && !possible {
		return passed{excluded: !holds}
	}
	at := im.places(d.Param, d.Absent)
	if is, known := im.flagAt(at); known {
		return passed{excluded: is == holds}
	}
	asked := Label{Kind: Content, Param: d.Param, Path: d.Absent}
	g := guard{labels: im.label(asked)}
	if d.Flag {
		if p := im.flagOf(g.labels); p != nil {
			g.given = signed(paramNumber(p), !holds)
		}
		return passed{is: im.isAnswerAt(at, g.labels), guard: g}
	}
	if p := im.given(at); p != nil {
		g.given = signed(im.in.decision(decision{param: p, absent: at[0].path}), holds)
	}
	set := !slices.ContainsFunc(at, func(l loc) bool {
		c := im.s.st.cells(l.obj)
		return c == nil || !c.has(l.path)
	})
	return passed{is: !set || len(g.labels) > 0 || !im.areOwn([]Label{asked}), guard: g}
}

// passesNil returns whether the caller passes nil.
func (im *importer) passesNil(d Decision, holds bool) passed {
	val := im.s.vals[d.Param]
	if val == nil {
		return unknownPassed
	}
	if im.s.args[d.Param].null {
		return passed{excluded: !holds}
	}
	if origin.Of(val).Kind == origin.Local {
		return passed{excluded: holds}
	}
	g := guard{labels: im.label(Label{Kind: Content, Param: d.Param})}
	if p := im.in.parameterOf(im.fr, val); p != nil {
		g.given = signed(im.in.decision(decision{param: p, isNil: true}), holds)
	}
	return passed{is: true, guard: g}
}

// flagOf returns the boolean parameter of the caller of which the labels are, or nil.
func (im *importer) flagOf(ls labels) *ssa.Parameter {
	params := im.fr.outermost().fn.Params
	if len(ls) != 1 || ls[0].Kind != Content || ls[0].Fixed || !ls[0].Path.IsRoot() || ls[0].Param >= len(params) || !library.IsBool(params[ls[0].Param].Type()) {
		return nil
	}
	return params[ls[0].Param]
}

// isAnswerAt reports whether the caller has made the boolean at the places of something else than
// settings, such as what it compares, or for which object the reconcile runs.
func (im *importer) isAnswerAt(at []loc, ls labels) bool {
	isOfRequest := func(l Label) bool {
		return l.Path == access.Fields("NamespacedName", "Name") || l.Path == access.Fields("NamespacedName", "Namespace")
	}
	if im.given(at) != nil {
		return false // a caller knows
	}
	return len(ls) > 0 && (!im.in.isSetting(ls) || slices.ContainsFunc(ls, isOfRequest))
}

// seeks returns whether a search that finds nothing at a place is a guard. It is none if the caller
// has made what is searched, and has put nothing of the cluster there, or if that is of the spec of
// an object that no code writes.
func (im *importer) seeks(d Decision, holds bool) passed {
	asked := []Label{{Kind: Content, Param: d.Param, Path: d.At}}
	g := guard{labels: im.labels(asked)}
	isOther := func(l Label) bool {
		_, isName := l.asNamed()
		return !isName
	}
	if im.areOwn(asked) && !slices.ContainsFunc(g.labels, isOther) {
		return passed{guard: g}
	}
	if val := im.s.vals[d.Param]; val != nil {
		fields, ok := im.in.fieldsAlong(val.Type(), d.At)
		if ok && im.in.isSpecKept(im.fr.fn, fields) {
			return passed{guard: g}
		}
	}
	params := im.fr.outermost().fn.Params
	if len(g.labels) == 1 && g.labels[0].isPlainContent() && g.labels[0].Param < len(params) {
		g.given = signed(im.in.decision(decision{param: params[g.labels[0].Param], at: g.labels[0].Path, sought: true}), holds)
	}
	return passed{is: true, guard: g}
}

// isPlainContent reports whether the label is of content of a parameter, and of no order, key or
// item of it.
func (l Label) isPlainContent() bool {
	return l.Kind == Content && !l.Keys && !l.Item && !l.Appended && !l.Path.IsOrder() && l.Given == 0
}

// isReceiver reports whether the parameter is the receiver of its method. What that has, its
// makers have set, and not the caller.
func isReceiver(p *ssa.Parameter) bool {
	fn := p.Parent()
	return fn.Signature.Recv() != nil && fn.Params[0] == p
}

// flagAt returns the constant that the boolean at all the places is.
func (im *importer) flagAt(at []loc) (is, known bool) {
	k, known := im.constantAt(at)
	return k == "true", known && (k == "true" || k == "false")
}

// answer returns what the function answers that the caller passes for the callback, or what
// one of several does, such as those of a list. The caller's caller may have passed it in. The
// function may get what it has decided before:
//
//	for _, name := range names {
//		if better(best, name) { best = name }
//	}
func (im *importer) answer(d Decision, holds bool) passed {
	cb := &im.sum.Callbacks[d.Callback-1]
	if cb.Func.Param >= len(im.s.args) || im.in.nested >= maxInline || im.answering[d.Callback] {
		return unknownPassed
	}
	im.answering[d.Callback] = true
	defer delete(im.answering, d.Callback)
	targets, ok := im.targetsOf(cb.Func)
	if !ok {
		return unknownPassed
	}
	if len(targets) == 1 {
		return im.answerOf(targets[0], cb, d, holds)
	}
	// What one of them compares decides, whatever the others do.
	all := passed{is: true}
	for _, c := range targets {
		one := im.answerOf(c, cb, d, holds)
		if one.guard.given != 0 {
			return unknownPassed
		}
		all.guard.labels = all.guard.labels.union(one.guard.labels)
	}
	return all
}

// answerOf returns what the function c answers, which the caller passes for the callback.
func (im *importer) answerOf(c target, cb *Callback, d Decision, holds bool) passed {
	in := im.in
	if c.param != nil {
		n := in.decision(decision{call: callbackKey{ctx: im.fr.ctx, at: im.s.instr, via: in.via(im.s, im.number, d.Callback-1), ref: *c.param}, result: d.Result})
		if n == 0 {
			return unknownPassed
		}
		n = signed(n, holds)
		return passed{is: true, guard: guard{labels: in.asked(n), given: n}}
	}
	sum, bindings := in.summaryFor(c)
	if sum == nil {
		return unknownPassed
	}
	var args []value
	for _, a := range cb.Args {
		args = append(args, im.value(a))
	}
	if cb.Func.Method != "" && len(args) > 0 {
		args = args[1:]
	}
	args = append(slices.Clone(c.recv), args...)
	args = append(args, in.captured(bindings, im.s.st)...)
	in.nested++
	defer func() { in.nested-- }()
	s := im.site(args)
	s.via = in.via(im.s, im.number, d.Callback-1)
	for _, verdict := range in.newImporter(im.fr, sum, c, s, c.fn == nil).verdicts() {
		if verdict.Result != d.Result {
			continue
		}
		o := verdict.No
		if holds {
			o = verdict.Yes
		}
		g := guard{labels: o.Labels}
		if len(o.Asked) == 1 {
			g.given, g.either = o.Asked[0], o.either
		}
		return passed{is: in.isGuarded(o), guard: g}
	}
	return unknownPassed
}

// targetsOf returns the functions that the caller passes, or the method of the object that
// it passes, if they are known.
func (im *importer) targetsOf(f FuncRef) (cs []target, ok bool) {
	if f.Method != "" {
		c, ok := im.targetOf(f)
		return []target{c}, ok
	}
	v := im.value(Val{Funcs: []FuncRef{f}})
	for _, fn := range v.funcs {
		cs = append(cs, im.in.ofValue(fn))
	}
	return cs, len(cs) > 0 && !v.unknown
}

// targetOf returns the method of the object that the caller passes, with its receiver.
func (im *importer) targetOf(f FuncRef) (c target, ok bool) {
	v := im.value(Val{Refs: []Ref{{Param: f.Param, Path: f.Path}}})
	if slices.Contains(v.refs, im.receiver) {
		v = refTo(im.receiver) // a step that says itself whether it runs
	}
	if len(v.refs) != 1 || v.unknown {
		return target{}, false
	}
	r := v.refs[0]
	if m, ok := im.in.method(im.in.typeNameOf(r), f.Method, r); ok {
		if len(m.recv) == 0 {
			m.recv = []value{refTo(r)}
		}
		return m, true
	}
	if r.obj.param < 0 || isLibrary(r) {
		return target{}, false
	}
	return target{param: &FuncRef{Param: r.obj.param, Path: r.path, Method: f.Method}}, true
}

// summaryFor returns the summary of a function, or nil, and what a function literal
// captures.
func (in *interp) summaryFor(c target) (sum *Summary, bindings []value) {
	switch {
	case c.lit != nil:
		if lit := in.literal(c.name); lit != nil {
			return &lit.Sum, c.lit.bindings
		}
	case c.f != nil:
		return in.ofLiteral(c.f.fn), c.f.bindings
	case c.fn != nil:
		return in.summaries[c.fn], nil
	case c.obj != nil:
		return in.imported(c.obj), nil
	}
	return nil, nil
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
