package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A reconciler may begin with the owner of its object:
//
//	cluster, err := util.GetOwnerCluster(ctx, r.Client, machine.ObjectMeta)
//	if cluster == nil {
//		return ctrl.Result{}, nil // its controller has not set the reference yet
//	}
//
// Once an object has its owner, it keeps that. So it is no guard that it has one, unless the code
// under the condition takes it away.

// isOwned reports whether the condition, with the labels ls, is that an object has an owner of some
// kind: a part of a reference is equal to a constant, or a function finds one.
func (in *interp) isOwned(fr *frame, c cfg.Condition, ls labels) bool {
	if o, ok := in.outcomeOf(fr, c); ok {
		return o.Owned
	}
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL || !isConst(cmp.Y) || constants.IsZero(cmp.Y) {
		return false
	}
	ls = ls.withoutItems()
	return len(ls) > 0 && !slices.ContainsFunc(ls, func(l Label) bool { return !isOfOwners(l.Path) })
}

// outcomeOf returns the outcome of a function that the condition is about: it has answered yes or
// no, or found something.
func (in *interp) outcomeOf(fr *frame, c cfg.Condition) (Outcome, bool) {
	c = c.Stripped()
	if v, isNil, ok := c.Nil(); ok {
		return fr.verdict(origin.Held(v), !isNil)
	}
	return fr.verdict(c.Value, c.Holds)
}

// staysOwned reports whether the condition is that an object has an owner, as a function says, and
// code under it takes no owner away.
func (in *interp) staysOwned(fr *frame, c cfg.Condition) bool {
	o, ok := in.outcomeOf(fr, c)
	return ok && o.Owned && !in.anyRuns(regionOf(c), func(instr ssa.Instruction) bool {
		return removesOwners(instr) || in.callsElsewhere(instr) && in.removesOwnersElsewhere(instr.(ssa.CallInstruction))
	}, make(map[*ssa.Function]bool))
}

// removesOwners reports whether the instruction may take an owner from an object that it has not made
// itself.
func removesOwners(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		field := origin.Of(instr.Addr)
		return field.Kind == origin.Field && field.FieldName() == ownerReferences.LastField() &&
			origin.Of(origin.Through(field.X, origin.Field)).Kind != origin.Local && !hasElements(instr.Val)
	case ssa.CallInstruction:
		owner := library.Of(callee.Static(instr.Common())).Owner
		if owner == nil {
			return false
		}
		args := callee.Args(instr.Common())
		refs, ok := owner.Args.Of(library.RefArg, len(args))
		return owner.Effect == library.RemovesOwner || owner.Effect == library.ReplacesRefs && !(ok && hasElements(args[refs]))
	}
	return false
}

// hasElements reports whether the code lists elements of the slice, or adds some to another one.
func hasElements(v ssa.Value) bool {
	if elems, ok := origin.Listed(v); ok {
		return len(elems) > 0
	}
	return origin.Of(v).Builtin() == "append"
}

// removesOwnersElsewhere reports whether a call of a function of another package, as far as that is
// known, may take an owner from an object.
func (in *interp) removesOwnersElsewhere(call ssa.CallInstruction) bool {
	sum := in.imported(callee.Static(call.Common()))
	return sum != nil && slices.ContainsFunc(sum.Changes, func(c Change) bool {
		return isOfOwners(c.Path) || c.Path.Last().Marker == access.UnknownOwners
	})
}
