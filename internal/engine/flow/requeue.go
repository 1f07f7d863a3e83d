package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A step of a reconcile asks for another reconcile by its result, or by a delay that is
// not zero. The verdict of such a result is yes if the step asks. What the caller then
// does not run is under the conditions under which the step does not ask.
//
//	if res, err := r.step(ctx, obj); err != nil || !res.IsZero() {
//		return res, err
//	}

// goesOn reports whether the condition is that a step does not ask, and returns
// the result of the step.
//
// A delay that no function returns, or one of an unknown function, is a number
// like others.
func (fr *frame) goesOn(c cfg.Condition) (result ssa.Value, ok bool) {
	c = c.Stripped()
	if call := origin.Of(c.Value).Call; call != nil { // res.IsZero()
		fn := callee.Static(&call.Call)
		if !c.Holds || fn == nil || fn.Signature().Recv() == nil || !isResult(fn.Signature().Recv().Type()) || !library.IsBool(c.Value.Type()) {
			return nil, false
		}
		return resultAt(call.Call.Args[0], call), true
	}
	if field, of := origin.FieldOf(c.Value); field != nil && isResult(of.Type()) { // res.Requeue
		return resultAt(of, c.Value), !c.Holds
	}
	cmp, ok := c.Comparison()
	if ok && cmp.Op == token.EQL { // res == reconcile.Result{}
		if isZeroResult(cmp.Y) {
			return cmp.X, true
		}
		if isZeroResult(cmp.X) {
			return cmp.Y, true
		}
	}
	if !ok || !constants.IsZero(cmp.Y) || cmp.Op != token.EQL && cmp.Op != token.LEQ {
		return nil, false
	}
	if field, of := origin.FieldOf(cmp.X); field != nil && isResult(of.Type()) { // res.RequeueAfter > 0
		return resultAt(of, cmp.X), true
	}
	if isDelay(cmp.X.Type()) { // delay > 0
		_, known := fr.verdict(cmp.X, false)
		return cmp.X, known
	}
	return cmp.X, isPointer(cmp.X.Type()) && isResult(cmp.X.Type()) // res == nil
}

// resultAt returns the result that is in a variable where it is asked, or the variable if it may
// have that of several steps.
func resultAt(of, asked ssa.Value) ssa.Value {
	if at, ok := asked.(ssa.Instruction); ok {
		if held := origin.HeldAt(of, at); held != nil {
			return held
		}
	}
	return of
}

// isResult reports whether the type is the result of a reconcile, or a pointer to
// one.
func isResult(t types.Type) bool {
	return library.TypeOf(library.Deref(t)).Is == library.Result
}

// isZeroResult reports whether v is the empty result of a reconcile, as a literal.
func isZeroResult(v ssa.Value) bool {
	if isPointer(v.Type()) || !isResult(v.Type()) {
		return false
	}
	asked, known := asks(v)
	return known && !asked
}

// isDelay reports whether the type is a duration, after which a step may ask to be
// called again.
func isDelay(t types.Type) bool { return library.TypeOf(t).Is == library.Duration }

// isAsking reports whether a step asks for another reconcile by a result of the type.
func isAsking(t types.Type) bool { return isResult(t) || isDelay(t) }

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

// goingOn reports whether the condition that a step with this result does not ask
// is a guard.
func (in *interp) goingOn(fr *frame, result ssa.Value) (ls labels, is bool) {
	results := []ssa.Value{result}
	if origin.Of(result).Kind == origin.Local {
		results = origin.StoredAt(result)
	}
	for _, r := range results {
		o, ok := fr.verdict(r, false)
		if !ok {
			return in.reg(fr, result).labels, true
		}
		if in.isGuarded(o) && !fr.stopsAsking(r, o) {
			ls, is = ls.union(o.Labels), true
		}
	}
	return ls, is || len(results) == 0
}

// stopsAsking reports whether a step asks to be called again only under guards, such as that
// a Job has not ended. It does not ask any more once the cluster has converged. A step that
// asks because it is too early is none of these: it writes when it is time.
func (fr *frame) stopsAsking(result ssa.Value, goesOn Outcome) bool {
	asking, _ := fr.verdict(result, true)
	return asking.Guarded && isResult(result.Type()) && !slices.ContainsFunc(slices.Concat(asking.Labels, goesOn.Labels), Label.IsTime)
}

// asks reports whether v, the result of a reconcile, asks for another one. It
// knows this of a literal.
func asks(v ssa.Value) (asks, known bool) {
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return isDelay(v.Type()) && !constants.IsZero(v), true
	case origin.Local: // a pointer
		return true, true
	case origin.Loaded:
		if origin.Of(o.X).Kind != origin.Local || len(origin.StoredAt(o.X)) > 0 || whetherAsks(v) != v {
			return false, false
		}
		return setsField(o.X), true
	}
	return false, false
}

// whetherAsks returns the boolean that says whether v, the result of a reconcile, asks for
// another one, if v is a literal with nothing else. It returns v otherwise.
//
//	return reconcile.Result{Requeue: changed}, nil
func whetherAsks(v ssa.Value) ssa.Value {
	o := origin.Of(v)
	if o.Kind != origin.Loaded || origin.Of(o.X).Kind != origin.Local || !isResult(v.Type()) {
		return v
	}
	decides := v
	for _, ref := range *o.X.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, set := range origin.StoredAt(field) {
			if decides != v || isConst(set) || !library.IsBool(set.Type()) {
				return v
			}
			decides = set
		}
	}
	return decides
}

// setsField reports whether a field of the local struct is set to something else
// than zero.
func setsField(local ssa.Value) bool {
	return slices.ContainsFunc(*local.Referrers(), func(ref ssa.Instruction) bool {
		field, ok := ref.(*ssa.FieldAddr)
		return ok && slices.ContainsFunc(origin.StoredAt(field), func(v ssa.Value) bool { return !isConst(v) || !constants.IsZero(v) })
	})
}

// failing reports whether the return certainly returns an error: one that it
// makes.
func failing(ret *ssa.Return) bool { return slices.ContainsFunc(ret.Results, isMadeError) }

// isMadeError reports whether v is an error that is made here. Errors that are joined may all be
// nil, unless one is made here.
func isMadeError(v ssa.Value) bool {
	if !library.IsError(v.Type()) {
		return false
	}
	o := origin.Of(origin.Held(v))
	if o.Call == nil {
		return o.Kind == origin.Boxed
	}
	fn := callee.Static(&o.Call.Call)
	if library.Of(fn).Meaning == library.JoinsErrors {
		joined, _ := origin.Listed(o.Call.Call.Args[0])
		return slices.ContainsFunc(joined, isMadeError)
	}
	return fn != nil && fn.Pkg() != nil && library.IsStandard(fn.Pkg().Path())
}
