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
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

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
func (a *analysisState) isOwnPackage(path string) bool { return ssair.IsOwn(a.pass, path) }
