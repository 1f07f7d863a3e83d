package requeue

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// An evaluator computes what the values of a function are that are Results, or
// intervals in them. An interval that is zero asks for nothing.
type evaluator struct {
	pkg     *Package
	matters func(ssa.CallInstruction) bool
	active  map[ssa.Value]bool     // being looked at: what comes from itself adds nothing
	before  map[*ssa.FreeVar]Again // what variables ask for when a deferred literal that captures them is called
}

// result returns what v asks for, a Result or a pointer to one, at the end of a
// way.
func (e *evaluator) result(w way, v ssa.Value) Again {
	a := e.value(w, v)
	if slices.ContainsFunc(w.conds, func(c cfg.Condition) bool { return notEmpty(c, v) }) {
		a = a.notEmpty()
	}
	return a
}

func (e *evaluator) value(w way, v ssa.Value) Again {
	if e.active[v] {
		return Again{}
	}
	e.active[v] = true
	defer delete(e.active, v)
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return Again{Never: true}
	case origin.Parameter:
		if isResult(v.Type()) {
			return Again{Results: []int{indexOf(v)}}
		}
	case origin.Local:
		return e.variable(w, v, len(w.block.Instrs), false, make(map[*ssa.BasicBlock]bool))
	case origin.Loaded:
		switch origin.Of(o.X).Kind {
		case origin.Local, origin.Captured:
			return e.read(w, o.X, v.(ssa.Instruction))
		case origin.Global:
			return e.global(o.X.(*ssa.Global))
		}
		return e.result(w, o.X)
	case origin.Renamed:
		return e.result(w, o.X)
	case origin.Result:
		return e.call(o.Call)
	case origin.Choice:
		return e.phi(w, v.(*ssa.Phi), e.result)
	}
	return Again{Lost: true}
}

// global returns what the Result in a package variable asks for.
func (e *evaluator) global(g *ssa.Global) Again {
	fields := e.pkg.vars.Fields(g)
	switch after, requeue := fields["RequeueAfter"], fields["Requeue"]; {
	case after != nil:
		return known(after)
	case requeue != nil && constant.BoolVal(requeue):
		return Again{Backoff: true}
	}
	return Again{Lost: true}
}

// indexOf returns the index of a parameter.
func indexOf(v ssa.Value) int {
	param := v.(*ssa.Parameter)
	return slices.Index(param.Parent().Params, param)
}

// phi joins what of computes for the edges of a phi.
func (e *evaluator) phi(w way, phi *ssa.Phi, of func(way, ssa.Value) Again) Again {
	if v, to, ok := w.edge(phi); ok {
		return of(to, v)
	}
	var a Again
	for i, v := range phi.Edges {
		a = a.join(of(e.pkg.wayTo(phi.Block().Preds[i]), v))
	}
	return a
}

// read returns what the Result in a variable asks for when load reads it.
func (e *evaluator) read(w way, addr ssa.Value, load ssa.Instruction) Again {
	if load.Block() != w.block {
		w = e.pkg.wayTo(load.Block())
	}
	return e.variable(w, addr, slices.Index(w.block.Instrs, load), false, make(map[*ssa.BasicBlock]bool))
}

// variable returns what the Result in a variable asks for before the n-th
// instruction of the block at the end of w. With requeue, its field Requeue is
// set later on.
func (e *evaluator) variable(w way, addr ssa.Value, n int, requeue bool, seen map[*ssa.BasicBlock]bool) Again {
	last, ok := changedElsewhere(addr)
	if !ok {
		return Again{Lost: true}
	}
	asked := func(a Again) Again {
		if requeue && (a.Never || a.Lost) {
			a = a.notEmpty()
			a.Backoff = true
		}
		return a
	}
	for i := n - 1; i >= 0; i-- {
		instr := w.block.Instrs[i]
		if v, ok := instr.(ssa.Value); ok && v == addr {
			return asked(Again{Never: true})
		}
		if _, defers := instr.(*ssa.RunDefers); defers && last != nil {
			return asked(e.deferred(last, w, e.variable(w, addr, i, false, seen)))
		}
		store, ok := instr.(*ssa.Store)
		if !ok {
			continue
		}
		if store.Addr == addr {
			return asked(e.result(w, store.Val))
		}
		field, of := origin.FieldOf(store.Addr)
		if of != addr {
			continue
		}
		switch field.Name() {
		case "RequeueAfter":
			return asked(e.interval(w, store.Val))
		case "Requeue":
			set, _ := constants.Bool(store.Val)
			requeue = requeue || set
		}
	}
	if free, ok := addr.(*ssa.FreeVar); ok && len(w.block.Preds) == 0 {
		before, ok := e.before[free]
		if !ok {
			before.Lost = true
		}
		return asked(before)
	}
	preds := w.block.Preds
	if w.from >= 0 {
		preds = preds[w.from : w.from+1]
	}
	var a Again
	for _, p := range preds {
		if !seen[p] {
			seen[p] = true
			a = a.join(e.variable(e.pkg.wayTo(p), addr, len(p.Instrs), requeue, seen))
		}
	}
	return a
}

// deferred returns what the Result asks for that a deferred function literal
// leaves in a variable, which asks for before until then, at the end of w.
//
//	defer func() { result, err = r.finish(ctx, thing, result, err) }()
func (e *evaluator) deferred(d *deferral, w way, before Again) Again {
	if !d.at.Block().Dominates(w.block) {
		return Again{Lost: true}
	}
	e.before[d.variable] = before
	defer delete(e.before, d.variable)
	var a Again
	for _, ret := range cfg.Returns(d.variable.Parent()) {
		b := ret.Block()
		a = a.join(e.variable(e.pkg.wayTo(b), d.variable, len(b.Instrs), false, make(map[*ssa.BasicBlock]bool)))
	}
	return a
}

// A deferral is a deferred call of a function literal that assigns a variable of
// the function around it.
type deferral struct {
	at       *ssa.Defer
	variable *ssa.FreeVar
}

// changedElsewhere returns the deferred call that may write to a variable. It
// fails if anything else may: another function literal that captures it, or a
// function that gets its address.
func changedElsewhere(addr ssa.Value) (last *deferral, ok bool) {
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

// deferralOf returns the deferred call of a function literal with which nothing
// else is done, or nil.
func deferralOf(literal *ssa.MakeClosure, variable *ssa.FreeVar) *deferral {
	if refs := *literal.Referrers(); len(refs) == 1 {
		if at, ok := refs[0].(*ssa.Defer); ok && at.Call.Value == literal {
			return &deferral{at, variable}
		}
	}
	return nil
}

// notEmpty reports whether the condition says that the Result v asks for
// something.
func notEmpty(c cfg.Condition, v ssa.Value) bool {
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

// holds reports whether the variable at addr was made to hold v.
func holds(addr, v ssa.Value) bool {
	return origin.Of(addr).Kind == origin.Local && slices.Contains(origin.StoredAt(addr), v)
}

// call returns what the Result asks for that a call returns.
func (e *evaluator) call(call *ssa.Call) Again {
	a := e.pkg.called(call)
	if fn := callee.Body(call.Common()); fn != nil && e.matters != nil && e.matters(call) {
		a = e.inner(fn)
	}
	params, results := a.Params, a.Results
	a.Params, a.Results, a.Errors = nil, nil, nil
	w := e.pkg.wayTo(call.Block())
	for _, i := range params {
		a = a.join(e.interval(w, call.Call.Args[i]))
	}
	for _, i := range results {
		a = a.join(e.result(w, call.Call.Args[i]))
	}
	return a
}

// called returns what the function asks for that is called.
func (p *Package) called(call *ssa.Call) Again {
	if fn := callee.Body(call.Common()); fn != nil {
		return p.of(fn)
	}
	if obj := callee.Static(call.Common()); obj != nil && !call.Call.IsInvoke() {
		return p.Of(obj)
	}
	return Again{Lost: true}
}

// inner returns what a function asks for behind the calls in it that matter.
func (e *evaluator) inner(fn *ssa.Function) Again {
	if e.pkg.active[fn] {
		return Again{Lost: true}
	}
	e.pkg.active[fn] = true
	defer delete(e.pkg.active, fn)
	return e.pkg.After(fn, e.matters)
}

// interval returns what a Result with this interval asks for.
func (e *evaluator) interval(w way, v ssa.Value) Again {
	if e.active[v] {
		return Again{}
	}
	e.active[v] = true
	defer delete(e.active, v)
	if c := (constants.Evaluator{Vars: e.pkg.vars}).Eval(v); c != nil {
		return known(c)
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Choice:
		return e.phi(w, v.(*ssa.Phi), e.interval)
	case origin.Parameter:
		return Again{Params: []int{indexOf(v)}}
	case origin.Converted, origin.Renamed: // time.Duration(seconds)
		return e.interval(w, o.X)
	case origin.Computed: // d * time.Second
		if n, unit := factors(v, o); unit != 0 {
			return e.interval(w, n).times(unit)
		}
	case origin.Loaded: // Result{RequeueAfter: other.RequeueAfter}
		if _, of := origin.FieldOf(v); of != nil && origin.Of(of).Kind == origin.Local && isResult(of.Type()) {
			return intervalOf(e.read(w, of, v.(ssa.Instruction)))
		}
	case origin.Field:
		if isResult(o.X.Type()) {
			return intervalOf(e.result(w, o.X))
		}
	case origin.Result:
		switch calledBy(o.Call).Time {
		case library.TimeBetween:
			return Again{Due: true}
		case library.ConvertsDuration: // time.Until(end).Seconds()
			return e.interval(w, o.Call.Call.Args[0])
		}
		if fn := callee.Body(o.Call.Common()); fn != nil && fn.Signature.Results().Len() == 1 {
			return e.returned(fn)
		}
	}
	return Again{After: true}
}

// intervalOf returns what the interval asks for of a Result that asks for a.
func intervalOf(a Again) Again {
	if a.Lost || len(a.Results) > 0 {
		return Again{Lost: true}
	}
	a.Never = a.Never || a.Backoff
	a.Backoff = false
	return a
}

// returned returns what a Result asks for whose interval is what the function
// returns.
func (e *evaluator) returned(fn *ssa.Function) Again {
	var a Again
	for _, ret := range cfg.Returns(fn) {
		a = a.join(e.interval(e.pkg.wayTo(ret.Block()), ret.Results[0]))
	}
	if len(a.Params) > 0 {
		a.Params, a.After = nil, true
	}
	return a
}

// times returns what a Result asks for whose interval is n times that of one that
// asks for a.
func (a Again) times(n int64) Again {
	if len(a.Params) > 0 {
		a.Params, a.After = nil, true
	}
	a.Longest *= time.Duration(n)
	return a
}

// factors returns the factors of a product of integers of which one, the unit, is
// a constant. The unit is 0 if v is something else.
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

func known(v constant.Value) Again {
	n, ok := constant.Int64Val(constant.ToInt(v))
	switch {
	case !ok:
		return Again{After: true}
	case n <= 0:
		return Again{Never: true}
	}
	return Again{Longest: time.Duration(n)}
}
