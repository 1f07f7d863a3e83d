package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// steadyStates are the states in which an object rests once it has converged, in lower case, and
// failedStates those in which it then is not. The conditions Ready and Available say so of all
// objects, the others are used for phases, and for how far a step has come.
//
// Source: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
var (
	steadyStates = []string{
		"active", "available", "bound", "complete", "completed", "connected", "deployed", "done", "established", "finished", "green", "healthy", "installed",
		"ok", "online", "processed", "provisioned", "ready", "running", "succeeded", "success", "synced", "up",
	}
	failedStates = []string{"deleting", "error", "failed", "failing", "failure", "terminating"}
)

// isState reports whether v is a constant that names one of the states.
func isState(v ssa.Value, states []string) bool {
	state, ok := constants.String(v)
	return ok && slices.Contains(states, strings.ToLower(state))
}

// isSteady reports whether the condition, which the labels ls feed, is that an object is in a state
// in which it rests, or that it has not failed:
//
//	if cluster.Status.Phase != Ready { return nil }
//
//	if meta.IsStatusConditionTrue(cluster.Status.Conditions, "Ready") { … }
//
//	if len(jobs.failed) > 0 { return fail(thing) }
//
// What the code writes then may put an end to the state, but the object gets back to it, unless
// what runs under the condition if all is well sets another state.
func (in *interp) isSteady(c cfg.Condition, ls labels) bool {
	c = c.Stripped()
	if call := origin.Of(c.Value).Call; call != nil {
		known := library.Of(callee.Static(&call.Call))
		return known.Effect == library.AsksCondition && c.Holds && isState(call.Call.Args[1], steadyStates)
	}
	cmp, ok := c.Comparison()
	if !ok {
		return false
	}
	if isLen(cmp.X) && constants.IsZero(cmp.Y) {
		return (cmp.Op == token.EQL || cmp.Op == token.LEQ) && namesFailed(measured(cmp.X))
	}
	field, of := origin.FieldOf(cmp.X)
	switch {
	case field == nil && !isTold(cmp.X), field != nil && field.Name() == "Type": // which condition it is
		return false
	case !(cmp.Op == token.EQL && isState(cmp.Y, steadyStates)) && !(cmp.Op == token.NEQ && (isState(cmp.Y, failedStates) || isPassed(cmp.Y))):
		return false
	}
	var fields []fieldKey
	var holder types.Type
	if field != nil {
		holder = library.Deref(of.Type())
		fields = append(fields, fieldKey{field: field.Name()})
	}
	for _, l := range ls {
		if name := l.Path.LastField(); name != "" {
			fields = append(fields, fieldKey{field: name})
		}
	}
	if len(fields) == 0 { // of what the caller tells, it knows the field
		fields = []fieldKey{{field: "Phase"}, {field: "State"}, {field: "Status"}}
	}
	return !in.setsAny(in.withoutFailures(regionOf(c)), fields, holder)
}

// isPassed reports whether v is a constant of a type that has states in which an object rests, and names
// none of these:
//
//	if backup.Status.Phase == v1.BackupPhaseFinalizing { … } // until it is v1.BackupPhaseCompleted
func isPassed(v ssa.Value) bool {
	state, ok := constants.String(v)
	named := library.NamedOf(v.Type())
	if !ok || named == nil || state == "" || isState(v, steadyStates) {
		return false
	}
	scope := named.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		c, ok := scope.Lookup(name).(*types.Const)
		return ok && types.Identical(c.Type(), named) && c.Val().Kind() == constant.String && slices.Contains(steadyStates, strings.ToLower(constant.StringVal(c.Val())))
	})
}

// namesFailed reports whether a list has a name that says that its elements have failed: that of a
// field, a variable, or the function that returns it.
func namesFailed(list ssa.Value) bool {
	name := ""
	switch o := origin.Of(list); o.Kind {
	case origin.Result:
		if fn := callee.Static(&o.Call.Call); fn != nil {
			name = fn.Name()
		}
	case origin.Choice:
		name = list.(*ssa.Phi).Comment
	default:
		if field, _ := origin.FieldOf(list); field != nil {
			name = field.Name()
		}
	}
	name = strings.ToLower(name)
	return slices.ContainsFunc(failedStates, func(state string) bool { return strings.Contains(name, state) })
}

// isTold reports whether v is what a function says of an object, or what the caller says.
func isTold(v ssa.Value) bool {
	kind := origin.Of(v).Kind
	return kind == origin.Result || kind == origin.Parameter
}

// withoutFailures returns the blocks of the region that control also reaches if nothing fails there.
func (in *interp) withoutFailures(region []*ssa.BasicBlock) []*ssa.BasicBlock {
	return slices.DeleteFunc(slices.Clone(region), func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(in.control.Of(b), func(g cfg.Group) bool {
			return isFailureAlone(g) && slices.Contains(region, blockOf(g[0][0].Value))
		})
	})
}

// setsAny reports whether code that runs in the blocks sets a field with the name of one of these,
// or all of a struct of the type.
func (in *interp) setsAny(blocks []*ssa.BasicBlock, fields []fieldKey, holder types.Type) bool {
	sets := func(instr ssa.Instruction) bool {
		store, ok := instr.(*ssa.Store)
		if !ok {
			return false
		}
		set, of := origin.FieldOf(store.Addr)
		if set != nil && holder != nil && isConditionType(library.Deref(of.Type())) && !types.Identical(library.Deref(of.Type()), holder) {
			return false // the Status of a condition is no other status
		}
		return set != nil && slices.ContainsFunc(fields, func(f fieldKey) bool { return f.field == set.Name() }) ||
			holder != nil && types.Identical(store.Val.Type(), holder) && origin.Of(store.Addr).Kind != origin.Local
	}
	return in.anyRuns(blocks, sets, make(map[*ssa.Function]bool)) || in.othersSet(blocks, fields)
}
