package requeue

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// An evaluator computes the [Outcomes] of the values of one function: of Results, of
// pointers to them, and of the intervals that go into them. An interval of zero asks
// for nothing.
type evaluator struct {
	pkg *Package
	of  Concern // or nil
	// active are the values being evaluated. A cycle adds nothing to the join.
	active map[ssa.Value]bool
	// before are the outcomes of captured variables at the time when the deferred
	// literal that captures them is called.
	before map[*ssa.FreeVar]captured
}

// captured are the outcomes of a variable that the literal captures.
type captured struct {
	Outcomes
	by *ssa.MakeClosure
}

func (p *Package) evaluator(of Concern) *evaluator {
	return &evaluator{pkg: p, of: of, active: make(map[ssa.Value]bool), before: make(map[*ssa.FreeVar]captured)}
}

// matters reports whether a call matters to the concern.
func (e *evaluator) matters(call ssa.CallInstruction) bool {
	return e.of != nil && e.of.Role(call).Matters()
}

// returns returns the outcomes of v, a Result that the function returns at the end of
// a path.
func (e *evaluator) returns(on path, v ssa.Value) Outcomes {
	a := e.result(on, v)
	if a.Empty && e.pkg.isIdle(on) {
		a.Empty, a.Idle = false, true
	}
	return a
}

// result returns the outcomes of v, a Result or a pointer to one, at the end of a
// path.
func (e *evaluator) result(on path, v ssa.Value) Outcomes {
	a := e.value(on, v)
	if slices.ContainsFunc(on.conds, func(c cfg.Condition) bool { return provesNotEmpty(c, v) }) {
		a = a.notEmpty()
	}
	return a
}

func (e *evaluator) value(on path, v ssa.Value) Outcomes {
	if e.active[v] {
		return Outcomes{}
	}
	e.active[v] = true
	defer delete(e.active, v)
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return Outcomes{Empty: true}
	case origin.Parameter:
		if isResult(v.Type()) {
			return Outcomes{ResultParams: []int{indexOf(v)}}
		}
	case origin.Local:
		return e.variable(on, v, len(on.block.Instrs), false, make(map[*ssa.BasicBlock]bool))
	case origin.Loaded:
		switch origin.Of(o.X).Kind {
		case origin.Local, origin.Captured:
			return e.read(on, o.X, v.(ssa.Instruction))
		case origin.Global:
			return e.global(o.X.(*ssa.Global))
		}
		return e.result(on, o.X)
	case origin.Renamed:
		return e.result(on, o.X)
	case origin.Result:
		return e.call(o.Call)
	case origin.Choice:
		return e.phi(on, v.(*ssa.Phi), e.result)
	}
	return Outcomes{Unknown: true}
}

// global returns the outcomes of the Result in a package variable.
func (e *evaluator) global(g *ssa.Global) Outcomes {
	fields := e.pkg.vars.Fields(g)
	switch after, requeue := fields["RequeueAfter"], fields["Requeue"]; {
	case after != nil:
		return constantInterval(after)
	case requeue != nil && constant.BoolVal(requeue):
		return Outcomes{RateLimited: true}
	case fields != nil:
		return Outcomes{Empty: true}
	}
	return Outcomes{Unknown: true}
}

// indexOf returns the index of a parameter.
func indexOf(v ssa.Value) int {
	param := v.(*ssa.Parameter)
	return slices.Index(param.Parent().Params, param)
}

// phi joins the outcomes of the edges of a phi, as the function of computes them.
func (e *evaluator) phi(on path, phi *ssa.Phi, of func(path, ssa.Value) Outcomes) Outcomes {
	if v, to, ok := on.edge(phi); ok {
		return of(to, v)
	}
	var a Outcomes
	for i, v := range phi.Edges {
		if from := phi.Block().Preds[i]; e.pkg.isUsual(cfg.Edge{From: from, To: phi.Block()}) {
			a = a.join(of(e.pkg.pathTo(from), v))
		}
	}
	return a
}

// read returns the outcomes of the Result in a variable when load reads it.
func (e *evaluator) read(on path, addr ssa.Value, load ssa.Instruction) Outcomes {
	if load.Block() != on.block {
		on = e.pkg.pathTo(load.Block())
	}
	return e.variable(on, addr, slices.Index(on.block.Instrs, load), false, make(map[*ssa.BasicBlock]bool))
}

// variable returns the outcomes of the Result in a variable before the n-th
// instruction of the path's block. It walks backward to the stores that reach there.
// With requeue, the walk has already passed a store that sets the field Requeue.
func (e *evaluator) variable(on path, addr ssa.Value, n int, requeue bool, seen map[*ssa.BasicBlock]bool) Outcomes {
	last, ok := deferredWrite(addr)
	if !ok {
		return Outcomes{Unknown: true}
	}
	withRequeue := func(a Outcomes) Outcomes {
		if requeue && (a.Empty || a.Idle || a.Unknown) {
			a = a.notEmpty()
			a.RateLimited = true
		}
		return a
	}
	for i := n - 1; i >= 0; i-- {
		instr := on.block.Instrs[i]
		if v, ok := instr.(ssa.Value); ok && v == addr {
			return withRequeue(Outcomes{Empty: true})
		}
		if _, defers := instr.(*ssa.RunDefers); defers && last != nil {
			return withRequeue(e.deferred(last, on, e.variable(on, addr, i, false, seen)))
		}
		store, ok := instr.(*ssa.Store)
		if !ok {
			continue
		}
		if store.Addr == addr {
			return withRequeue(e.result(on, store.Val))
		}
		field, of := origin.FieldOf(store.Addr)
		if of != addr {
			continue
		}
		switch field.Name() {
		case "RequeueAfter":
			return withRequeue(e.interval(on, store.Val))
		case "Requeue":
			set, _ := constants.Bool(store.Val)
			requeue = requeue || set
		}
	}
	if free, ok := addr.(*ssa.FreeVar); ok && len(on.block.Preds) == 0 {
		before, ok := e.before[free]
		if !ok {
			before.Unknown = true
		}
		return withRequeue(before.Outcomes)
	}
	preds := on.block.Preds
	if on.from >= 0 {
		preds = preds[on.from : on.from+1]
	}
	var a Outcomes
	for _, p := range preds {
		edge := cfg.Edge{From: p, To: on.block}
		if seen[p] || !e.pkg.isUsual(edge) || e.isDone(addr, edge) {
			continue
		}
		if c, ok := cfg.ConditionOf(edge); ok && provesNotEmpty(c.Stripped(), addr) {
			way := maps.Clone(seen) // other ways through p prove nothing
			way[p] = true
			a = a.join(e.variable(e.pkg.pathTo(p), addr, len(p.Instrs), requeue, way).notEmpty())
			continue
		}
		seen[p] = true
		a = a.join(e.variable(e.pkg.pathTo(p), addr, len(p.Instrs), requeue, seen))
	}
	return a
}

// isDone reports whether a deferred literal that captures the Result at addr takes the edge only
// after an error, or while the object is being deleted: then the Result does not count.
//
//	defer func() {
//		if err == nil && thing.DeletionTimestamp.IsZero() { result.RequeueAfter = r.Interval }
//	}()
func (e *evaluator) isDone(addr ssa.Value, edge cfg.Edge) bool {
	free, ok := addr.(*ssa.FreeVar)
	if !ok {
		return false
	}
	c, ok := cfg.ConditionOf(edge)
	if !ok {
		return false
	}
	c = c.Stripped()
	if v, isNil, ok := c.Nil(); ok && !isNil && library.IsError(v.Type()) {
		return e.before[free].returns(content(v))
	}
	return e.pkg.isGone(c, e.matters, maxHelpers)
}

// returns reports whether the variable at addr, which the literal captures too, is a result of the
// function around it.
func (c captured) returns(addr ssa.Value) bool {
	free, ok := addr.(*ssa.FreeVar)
	if !ok || c.by == nil || free.Parent() != c.by.Fn {
		return false
	}
	variable := c.by.Bindings[slices.Index(free.Parent().FreeVars, free)]
	return slices.ContainsFunc(cfg.Returns(c.by.Parent()), func(ret *ssa.Return) bool {
		return slices.ContainsFunc(ret.Results, func(v ssa.Value) bool { return content(v) == variable })
	})
}

// deferred returns the outcomes of the Result in a variable after a deferred
// function literal has run at the end of the path. Before is what they are until
// then.
//
//	defer func() { result, err = r.finish(ctx, thing, result, err) }()
func (e *evaluator) deferred(d *deferral, on path, before Outcomes) Outcomes {
	if !d.at.Block().Dominates(on.block) {
		return Outcomes{Unknown: true}
	}
	e.before[d.variable] = captured{before, d.at.Call.Value.(*ssa.MakeClosure)}
	defer delete(e.before, d.variable)
	var a Outcomes
	for _, ret := range cfg.Returns(d.variable.Parent()) {
		b := ret.Block()
		a = a.join(e.variable(e.pkg.pathTo(b), d.variable, len(b.Instrs), false, make(map[*ssa.BasicBlock]bool)))
	}
	return a
}

// A deferral is a deferred call of a function literal that assigns to a variable of
// the enclosing function.
type deferral struct {
	at       *ssa.Defer
	variable *ssa.FreeVar
}

// deferredWrite returns the only deferred call that may write to the variable, nil if
// there is none. It is not ok if the variable escapes in another way: another
// function literal that captures it may write to it, or a function gets its address.
func deferredWrite(addr ssa.Value) (last *deferral, ok bool) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MakeClosure:
			free := ref.Fn.(*ssa.Function).FreeVars[slices.Index(ref.Bindings, addr)]
			if len(origin.StoredAt(free)) == 0 && !origin.StoredBelow(free) {
				continue
			}
			d := deferralOf(ref, free)
			if d == nil || last != nil {
				return nil, false
			}
			last = d
		case ssa.CallInstruction:
			if fn := callee.Static(ref.Common()); fn == nil || fn.Name() != "IsZero" {
				return nil, false
			}
		}
	}
	return last, true
}

// deferralOf returns the deferred call of a function literal that has no other use,
// nil if there is none.
func deferralOf(literal *ssa.MakeClosure, variable *ssa.FreeVar) *deferral {
	if refs := *literal.Referrers(); len(refs) == 1 {
		if at, ok := refs[0].(*ssa.Defer); ok && at.Call.Value == literal {
			return &deferral{at, variable}
		}
	}
	return nil
}

// provesNotEmpty reports whether the condition implies that the Result v asks for
// something.
func provesNotEmpty(c cfg.Condition, v ssa.Value) bool {
	variable := content(v) // or what it was read from
	is := func(x ssa.Value) bool {
		x = content(x)
		return x == v || x == variable || holds(x, v)
	}
	field := func(x ssa.Value, name string) bool {
		f, of := origin.FieldOf(x)
		return f != nil && f.Name() == name && is(of)
	}
	if cmp, ok := c.Comparison(); ok {
		switch {
		case field(cmp.X, "RequeueAfter"): // result.RequeueAfter > 0
			return constants.IsZero(cmp.Y) && (cmp.Op == token.GTR || cmp.Op == token.NEQ)
		case is(cmp.X), is(cmp.Y): // result != (ctrl.Result{}), result != nil
			return cmp.Op == token.NEQ
		}
		return false
	}
	if call := origin.Of(c.Value).Call; call != nil { // !result.IsZero()
		fn := callee.Static(call.Common())
		return !c.Holds && fn != nil && fn.Name() == "IsZero" && len(call.Call.Args) == 1 && is(call.Call.Args[0])
	}
	return c.Holds && field(c.Value, "Requeue")
}

// content returns the address that v was read from, or v.
func content(v ssa.Value) ssa.Value { return origin.Through(v, origin.Loaded) }

// holds reports whether v is stored in the variable at addr.
func holds(addr, v ssa.Value) bool {
	return origin.Of(addr).Kind == origin.Local && slices.Contains(origin.StoredAt(addr), v)
}

// call returns the outcomes of the Result that a call returns. It substitutes the
// arguments for the parameters in the callees' outcomes.
func (e *evaluator) call(call *ssa.Call) Outcomes {
	if v := call.Call.Value; !call.Call.IsInvoke() && isParam(v) && e.pkg.resolver.Value(v).Open {
		return e.calledValue(v, call)
	}
	a := e.returnedBy(call)
	params, results, funcs := a.IntervalParams, a.ResultParams, a.FuncParams
	a.IntervalParams, a.ResultParams, a.FuncParams = nil, nil, nil
	on := e.pkg.pathTo(call.Block())
	args := callee.Args(call.Common())
	for _, v := range params {
		a = a.join(e.interval(on, args[v.Param]).times(v.Unit))
	}
	for _, i := range results {
		a = a.join(e.result(on, args[i]))
	}
	for _, i := range funcs {
		a = a.join(e.calledValue(args[i], call))
	}
	return a
}

// calledValue returns the outcomes of what a function value returns that the call reaches.
//
//	return r.guard.Reconcile(ctx, req, r.reconcile)
func (e *evaluator) calledValue(v ssa.Value, call *ssa.Call) Outcomes {
	if isParam(v) {
		return Outcomes{FuncParams: []int{indexOf(v)}}
	}
	return e.ofTargets(e.pkg.resolver.Value(v), call)
}

// returnedBy returns the outcomes of what a call may reach, in terms of the callees'
// parameters.
func (e *evaluator) returnedBy(call *ssa.Call) Outcomes {
	if fn := callee.Body(call.Common()); fn != nil {
		return e.reached(fn, call)
	}
	if call.Call.StaticCallee() != nil {
		return e.pkg.called(call).Outcomes
	}
	return e.ofTargets(e.pkg.resolver.Call(call.Common()), call)
}

func isParam(v ssa.Value) bool { return origin.Of(v).Kind == origin.Parameter }

// ofTargets returns the outcomes of the functions that a call may reach.
func (e *evaluator) ofTargets(targets callee.Targets, call *ssa.Call) Outcomes {
	var a Outcomes
	for _, fn := range targets.Own {
		a = a.join(e.reached(fn, call))
	}
	for _, fn := range targets.Foreign {
		a = a.join(e.pkg.imported(fn).Outcomes)
	}
	if targets.Open || len(targets.Own)+len(targets.Foreign) == 0 {
		// Another callee asks for something else. But this one may be meant.
		return Outcomes{Empty: a.Empty, Idle: a.Idle, Unknown: true}
	}
	return a
}

// reached returns the outcomes of a function of the package that the call reaches: after
// the calls in it that matter, if the call itself matters.
func (e *evaluator) reached(fn *ssa.Function, call *ssa.Call) Outcomes {
	if e.matters(call) {
		return e.inner(fn)
	}
	return e.pkg.of(fn).Outcomes
}

// called returns the summary of the function that is called.
func (p *Package) called(call *ssa.Call) Summary {
	if fn := callee.Body(call.Common()); fn != nil {
		return p.of(fn)
	}
	if obj := callee.Static(call.Common()); obj != nil && !call.Call.IsInvoke() {
		return p.imported(obj)
	}
	return unknown
}

// inner returns the outcomes of a function after the calls in it that matter.
func (e *evaluator) inner(fn *ssa.Function) Outcomes {
	if e.pkg.active[fn] {
		return Outcomes{Unknown: true}
	}
	e.pkg.active[fn] = true
	defer delete(e.pkg.active, fn)
	return e.pkg.After(fn, e.of)
}

// interval returns the outcomes of a Result with this interval.
func (e *evaluator) interval(on path, v ssa.Value) Outcomes {
	if e.active[v] {
		return Outcomes{}
	}
	e.active[v] = true
	defer delete(e.active, v)
	if c := (constants.Evaluator{Vars: e.pkg.vars}).Eval(v); c != nil {
		return constantInterval(c)
	}
	if every := e.pkg.setting(v); every > 0 {
		return Outcomes{Longest: every}
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Choice:
		return e.phi(on, v.(*ssa.Phi), e.interval)
	case origin.Parameter:
		return Outcomes{IntervalParams: []Interval{{Param: indexOf(v), Unit: 1}}}
	case origin.Converted, origin.Renamed: // time.Duration(seconds)
		return e.interval(on, o.X)
	case origin.Computed: // d * time.Second
		if n, unit := factors(v, o); unit != 0 {
			return e.interval(on, n).times(unit)
		}
	case origin.Loaded: // Result{RequeueAfter: other.RequeueAfter}
		if _, of := origin.FieldOf(v); of != nil && origin.Of(of).Kind == origin.Local && isResult(of.Type()) {
			return intervalOf(e.read(on, of, v.(ssa.Instruction)))
		}
	case origin.Field:
		if isResult(o.X.Type()) {
			return intervalOf(e.result(on, o.X))
		}
	case origin.Result:
		switch calledBy(o.Call).Time {
		case library.TimeBetween:
			return Outcomes{Due: true}
		case library.ConvertsDuration: // time.Until(end).Seconds()
			return e.interval(on, o.Call.Call.Args[0])
		}
		if fn := callee.Body(o.Call.Common()); fn != nil && fn.Signature.Results().Len() == 1 {
			return e.returned(fn)
		}
	}
	if e.pkg.mayLack(v) {
		return Outcomes{Empty: true, Lapses: true}
	}
	return Outcomes{UnknownInterval: true}
}

// intervalOf returns the outcomes of a Result that takes over only the interval of
// one with the outcomes a.
func intervalOf(a Outcomes) Outcomes {
	if a.Unknown || len(a.ResultParams)+len(a.FuncParams) > 0 {
		return Outcomes{Unknown: true}
	}
	a.Empty = a.Empty || a.RateLimited
	a.RateLimited = false
	return a
}

// returned returns the outcomes of a Result whose interval the function returns.
func (e *evaluator) returned(fn *ssa.Function) Outcomes {
	var a Outcomes
	for _, ret := range cfg.Returns(fn) {
		a = a.join(e.interval(e.pkg.pathTo(ret.Block()), ret.Results[0]))
	}
	if len(a.IntervalParams) > 0 {
		a.IntervalParams, a.UnknownInterval = nil, true
	}
	return a
}

// times returns the outcomes of a Result with n times the interval of one with the
// outcomes a.
func (a Outcomes) times(n int64) Outcomes {
	a.IntervalParams = slices.Clone(a.IntervalParams)
	for i := range a.IntervalParams {
		a.IntervalParams[i].Unit *= n
	}
	a.Longest *= time.Duration(n)
	return a
}

// factors splits a product of integers into a variable factor and a constant one,
// the unit. The unit is 0 if v is not such a product.
func factors(v ssa.Value, o origin.Origin) (n ssa.Value, unit int64) {
	if basic, ok := v.Type().Underlying().(*types.Basic); !ok || o.Op != token.MUL || basic.Info()&types.IsInteger == 0 {
		return nil, 0
	}
	if unit, ok := constants.Int(o.Y); ok {
		return o.X, unit
	}
	unit, _ = constants.Int(o.X)
	return o.Y, unit
}

// constantInterval returns the outcomes of a Result with this constant interval.
func constantInterval(v constant.Value) Outcomes {
	n, ok := constant.Int64Val(constant.ToInt(v))
	switch {
	case !ok:
		return Outcomes{UnknownInterval: true}
	case n <= 0:
		return Outcomes{Empty: true}
	}
	return Outcomes{Longest: time.Duration(n)}
}
