package requeue

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
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
	if slices.ContainsFunc(w.conds, func(o outcome) bool { return o.notEmpty(v) }) {
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
	switch v := v.(type) {
	case *ssa.Const:
		return Again{Never: true}
	case *ssa.Parameter:
		if library.TypeName(v.Type()) == resultType {
			return Again{Results: []int{slices.Index(v.Parent().Params, v)}}
		}
	case *ssa.Alloc:
		return e.variable(w, v, len(w.block.Instrs), false, make(map[*ssa.BasicBlock]bool))
	case *ssa.UnOp:
		if v.Op != token.MUL {
			break
		}
		switch v.X.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return e.read(w, v.X, v)
		}
		return e.result(w, v.X)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return e.call(call)
		}
	case *ssa.Call:
		return e.call(v)
	case *ssa.Phi:
		return e.phi(w, v, e.result)
	}
	return Again{Lost: true}
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
		switch instr := w.block.Instrs[i].(type) {
		case *ssa.Alloc:
			if instr == addr {
				return asked(Again{Never: true})
			}
		case *ssa.RunDefers:
			if last != nil {
				return asked(e.deferred(last, w, e.variable(w, addr, i, false, seen)))
			}
		case *ssa.Store:
			if instr.Addr == addr {
				return asked(e.result(w, instr.Val))
			}
			field, ok := instr.Addr.(*ssa.FieldAddr)
			if !ok || field.X != addr {
				continue
			}
			switch fieldName(field) {
			case "RequeueAfter":
				return asked(e.interval(w, instr.Val))
			case "Requeue":
				c, ok := instr.Val.(*ssa.Const)
				requeue = requeue || ok && constant.BoolVal(c.Value)
			}
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
	for _, b := range d.variable.Parent().Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != d.variable.Parent().Recover {
			a = a.join(e.variable(e.pkg.wayTo(b), d.variable, len(b.Instrs), false, make(map[*ssa.BasicBlock]bool)))
		}
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
			if !isAssigned(free) {
				continue
			}
			d := deferralOf(ref, free)
			if d == nil || last != nil {
				return nil, false
			}
			last = d
		case ssa.CallInstruction:
			if fn := ssair.Callee(ref.Common()); fn == nil || fn.Name() != "IsZero" {
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

// isAssigned reports whether the variable that addr points to, or a field of it,
// is assigned.
func isAssigned(addr ssa.Value) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.Store:
			return ref.Addr == addr
		case *ssa.FieldAddr:
			return isAssigned(ref)
		}
		return false
	})
}

// notEmpty reports whether the outcome is that the Result v asks for something.
func (o outcome) notEmpty(v ssa.Value) bool {
	variable := v // or what it was read from
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		variable = load.X
	}
	is := func(x ssa.Value) bool {
		if load, ok := x.(*ssa.UnOp); ok && load.Op == token.MUL {
			x = load.X
		}
		return x == v || x == variable || holds(x, v)
	}
	field := func(x ssa.Value, name string) bool {
		switch x := x.(type) {
		case *ssa.Field:
			return is(x.X) && x.X.Type().Underlying().(*types.Struct).Field(x.Field).Name() == name
		case *ssa.UnOp:
			addr, ok := x.X.(*ssa.FieldAddr)
			return ok && is(addr.X) && fieldName(addr) == name
		}
		return false
	}
	switch cond := o.cond.(type) {
	case *ssa.Call: // !result.IsZero()
		fn := ssair.Callee(cond.Common())
		return !o.then && fn != nil && fn.Name() == "IsZero" && len(cond.Call.Args) == 1 && is(cond.Call.Args[0])
	case *ssa.BinOp:
		switch {
		case field(cond.X, "RequeueAfter"): // result.RequeueAfter > 0
			return ssair.IsZero(cond.Y) && o.then == (cond.Op == token.GTR || cond.Op == token.NEQ)
		case is(cond.X), is(cond.Y): // result != (ctrl.Result{}), result != nil
			return o.then == (cond.Op == token.NEQ)
		}
	default:
		return o.then && field(o.cond, "Requeue")
	}
	return false
}

// holds reports whether the variable at addr was made to hold v.
func holds(addr, v ssa.Value) bool {
	alloc, ok := addr.(*ssa.Alloc)
	return ok && slices.ContainsFunc(*alloc.Referrers(), func(ref ssa.Instruction) bool {
		store, ok := ref.(*ssa.Store)
		return ok && store.Addr == addr && store.Val == v
	})
}

// call returns what the Result asks for that a call returns.
func (e *evaluator) call(call *ssa.Call) Again {
	a := e.pkg.called(call)
	if fn := ssair.Body(call.Common()); fn != nil && e.matters != nil && e.matters(call) {
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
	if fn := ssair.Body(call.Common()); fn != nil {
		return p.of(fn)
	}
	if obj := ssair.Callee(call.Common()); obj != nil && !call.Call.IsInvoke() {
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
	switch v := v.(type) {
	case *ssa.Const:
		return known(v.Value)
	case *ssa.Phi:
		return e.phi(w, v, e.interval)
	case *ssa.Parameter:
		return Again{Params: []int{slices.Index(v.Parent().Params, v)}}
	case *ssa.Convert: // time.Duration(seconds)
		return e.interval(w, v.X)
	case *ssa.BinOp: // d * time.Second
		if n, unit := factors(v); unit != nil {
			return e.interval(w, n).times(unit)
		}
	case *ssa.UnOp:
		switch addr := v.X.(type) {
		case *ssa.Global:
			if c := initial(addr); c != nil && v.Op == token.MUL {
				return known(c.Value)
			}
		case *ssa.FieldAddr: // Result{RequeueAfter: other.RequeueAfter}
			if alloc, ok := addr.X.(*ssa.Alloc); ok && library.TypeName(alloc.Type()) == resultType {
				return intervalOf(e.read(w, alloc, v))
			}
		}
	case *ssa.Field:
		if library.TypeName(v.X.Type()) == resultType {
			return intervalOf(e.result(w, v.X))
		}
	case *ssa.Call:
		switch name := calleeName(v.Common()); {
		case name == "time.Until", name == "(time.Time).Sub":
			return Again{Due: true}
		case strings.HasPrefix(name, "(time.Duration)."): // time.Until(end).Seconds()
			return e.interval(w, v.Call.Args[0])
		}
		if fn := ssair.Body(v.Common()); fn != nil && fn.Signature.Results().Len() == 1 {
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
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			a = a.join(e.interval(e.pkg.wayTo(b), ret.Results[0]))
		}
	}
	if len(a.Params) > 0 {
		a.Params, a.After = nil, true
	}
	return a
}

// times returns what a Result asks for whose interval is n times that of one that
// asks for a.
func (a Again) times(n *ssa.Const) Again {
	if len(a.Params) > 0 {
		a.Params, a.After = nil, true
	}
	a.Longest *= time.Duration(n.Int64())
	return a
}

// factors returns the factors of a product of integers of which one, the unit, is
// a constant. The unit is nil if v is something else.
func factors(v *ssa.BinOp) (n ssa.Value, unit *ssa.Const) {
	if basic, ok := v.Type().Underlying().(*types.Basic); !ok || v.Op != token.MUL || basic.Info()&types.IsInteger == 0 {
		return nil, nil
	}
	if unit, ok := v.Y.(*ssa.Const); ok {
		return v.X, unit
	}
	unit, _ = v.X.(*ssa.Const)
	return v.Y, unit
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

// initial returns the constant that a package variable is initialised with, or
// nil.
func initial(global *ssa.Global) *ssa.Const {
	init := global.Pkg.Func("init")
	if init == nil {
		return nil
	}
	for _, b := range init.Blocks {
		for _, instr := range b.Instrs {
			if store, ok := instr.(*ssa.Store); ok && store.Addr == global {
				c, _ := store.Val.(*ssa.Const)
				return c
			}
		}
	}
	return nil
}
