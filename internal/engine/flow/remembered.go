package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A field of the reconciler is no setting if a reconcile stores what it found out there:
//
//	r.instance.NeedsTransition = fenced && meta.IsStatusConditionFalse(conditions, "Transition")
//	…
//	if r.instance.NeedsTransition { … }

// isRemembered reports whether a reconcile stores something in a field that the path leads
// through, of a parameter of the function. The spec of an object that is kept there is one of
// an object.
func (in *interp) isRemembered(l Label) bool {
	t := in.paramType(l.Param)
	if l.Kind != Content || t == nil || isOfSpec(l.Path) {
		return false
	}
	for step := range typesAlong(t, l.Path) {
		if in.rememberedFields()[step.field] {
			return true
		}
	}
	return false
}

// paramType returns the type of the function's parameter with the number, or nil. The captured variables
// follow the parameters.
func (in *interp) paramType(n int) types.Type {
	if n >= in.params() {
		return nil
	}
	if i := n - len(in.fn.Params); i >= 0 {
		return library.Deref(in.fn.FreeVars[i].Type())
	}
	return in.fn.Params[n].Type()
}

// rememberedFields returns the fields of the package's reconcilers, and of what they hold, in which
// a reconcile stores something.
func (a *analysisState) rememberedFields() map[*types.Var]bool {
	if a.remembered != nil {
		return a.remembered
	}
	a.remembered = make(map[*types.Var]bool)
	var reconciles []*ssa.Function
	for _, fn := range a.ssa.Funcs {
		if fn.Name() == "Reconcile" && ssair.Reconciles(fn) {
			reconciles = append(reconciles, fn)
		}
	}
	running := reachable(reconciles, a.callGraph().callees)
	a.ssa.Index.Fields(func(field *types.Var, stores []*ssa.Store) {
		a.remembered[field] = slices.ContainsFunc(stores, func(store *ssa.Store) bool { return running[store.Parent()] && outlives(store) })
	})
	return a.remembered
}

// outlives reports whether the store is to a struct that the function gets, or finds in one.
func outlives(store *ssa.Store) bool {
	v := store.Addr
	for range maxDepth { // n = n.next may hold itself
		o := origin.Of(v)
		switch o.Kind {
		case origin.Parameter, origin.Captured:
			return true
		case origin.Field:
			v = o.X
		case origin.Loaded:
			if held := origin.Held(v); held != v {
				v = held
			} else {
				v = o.X
			}
		default:
			return false
		}
	}
	return false
}
