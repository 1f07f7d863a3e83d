package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// steadyStates are the states in which an object rests once it has converged, in lower case. The
// conditions of these names say so of all objects, the others are used for phases.
//
// Source: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
var steadyStates = []string{"active", "available", "healthy", "ready", "running"}

func saysSteady(v ssa.Value) bool {
	state, ok := constants.String(v)
	return ok && slices.Contains(steadyStates, strings.ToLower(state))
}

// isSteady reports whether the condition is that an object is in a state in which it rests, and
// nothing that runs under the condition sets another one:
//
//	if cluster.Status.Phase != Ready { return nil }
//
//	if meta.IsStatusConditionTrue(cluster.Status.Conditions, "Ready") { … }
//
// What the code writes then may put an end to the state, but the object gets back to it.
func (in *interp) isSteady(c cfg.Condition) bool {
	c = c.Stripped()
	if call := origin.Of(c.Value).Call; call != nil {
		known := library.Of(callee.Static(&call.Call))
		return known.Effect == library.AsksCondition && c.Holds && saysSteady(call.Call.Args[1])
	}
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL || !saysSteady(cmp.Y) {
		return false
	}
	field, of := origin.FieldOf(cmp.X)
	if field == nil || field.Name() == "Type" { // which condition it is
		return false
	}
	region := regionOf(c)
	sets := func(instr ssa.Instruction) bool {
		store, ok := instr.(*ssa.Store)
		if !ok {
			return false
		}
		set, _ := origin.FieldOf(store.Addr)
		return set == field
	}
	return !in.anyRuns(region, sets, make(map[*ssa.Function]bool)) &&
		!in.othersSet(region, []fieldKey{{library.TypeName(library.Deref(of.Type())), field.Name()}})
}
