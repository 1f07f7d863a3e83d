package requeue

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

// An object's status may say that there is nothing to look after yet: it lacks an
// identity or a list that the reconcilers of the package fill, and never empty. A
// Result that is empty only then says nothing of the time when all is well.
//
//	if len(thing.Status.Members) == 0 {
//		return ctrl.Result{}, nil
//	}
//	return ctrl.Result{RequeueAfter: time.Minute}, nil
//
// Or the cluster does not have yet what the reconciler has made:
//
//	if !r.isReady(ctx, thing.Name) {
//		return ctrl.Result{}, nil
//	}
//
// A number in a status goes up and down, and a field that is emptied tells of work in
// progress. Neither of them counts, nor does what the spec lacks: an object without it
// is complete.

// isIdle reports whether the path is only taken while there is nothing to look after.
func (p *Package) isIdle(on path) bool {
	return slices.ContainsFunc(on.conds, func(c cfg.Condition) bool { return isDenied(c) || p.isUnset(c, maxHelpers) })
}

// isDenied reports whether the condition is that a function which may ask the cluster, as it
// gets a context, says no, and most of the work is done where it says yes.
func isDenied(c cfg.Condition) bool {
	call := origin.Of(c.Value).Call
	if c.Holds || call == nil || !library.IsBool(c.Value.Type()) {
		return false
	}
	asks := slices.ContainsFunc(callee.Args(&call.Call), func(arg ssa.Value) bool { return library.TypeOf(arg.Type()).Is == library.Context })
	return asks && blocksUnder(cfg.Condition{Value: c.Value, Holds: true}) > blocksUnder(c)
}

// blocksUnder returns how many blocks are only reached where the condition holds.
func blocksUnder(c cfg.Condition) int {
	n := 0
	for _, b := range c.Value.Parent().Blocks {
		if slices.Contains(cfg.Dominating(b), c) {
			n++
		}
	}
	return n
}

// isUnset reports whether the condition is that a status lacks something that the
// package only ever sets. It looks into helpers, depth of them one inside the other.
func (p *Package) isUnset(c cfg.Condition, depth int) bool {
	c = c.Stripped()
	if v := absent(c); v != nil {
		field, of := origin.FieldOf(v)
		return field != nil && inStatus(of) && p.onlySet(field)
	}
	if depth == 0 || !library.IsBool(c.Value.Type()) {
		return false
	}
	leaves := leavesOf(c.Value)
	decided := false
	for _, l := range leaves {
		if is, known := constants.Bool(l.val); known && is == c.Holds {
			continue
		}
		if !p.isSet(l, c.Holds, depth-1) {
			return false
		}
		decided = true
	}
	return decided
}

// isSet reports whether a boolean that is not holds is this leaf only where the status
// has what it lacks otherwise, and nothing else decides.
func (p *Package) isSet(l leaf, holds bool, depth int) bool {
	for _, c := range l.conds {
		if !p.isUnset(cfg.Condition{Value: c.Value, Holds: !c.Holds}, depth) {
			return false
		}
	}
	if _, known := constants.Bool(l.val); known {
		return len(l.conds) > 0
	}
	return p.isUnset(cfg.Condition{Value: l.val, Holds: holds}, depth)
}

// A leaf is what a boolean may be, under conditions.
type leaf struct {
	val   ssa.Value
	conds []cfg.Condition
}

// leavesOf returns what v may be: the edges of a phi, or what a helper returns. That a
// loop goes on is left out of the conditions.
//
//	found := false
//	for _, m := range thing.Status.Members {
//		if m.ID != "" { found = true }
//	}
func leavesOf(v ssa.Value) []leaf {
	if phi, ok := v.(*ssa.Phi); ok {
		return edgesOf(phi, cfg.Dominating(phi.Block()), make(map[*ssa.Phi]bool))
	}
	call := origin.Of(v).Call
	if call == nil {
		return nil
	}
	fn := callee.Body(call.Common())
	if fn == nil || fn.Signature.Results().Len() != 1 {
		return nil
	}
	var all []leaf
	for _, ret := range cfg.Returns(fn) {
		conds := cfg.Dominating(ret.Block())
		if phi, ok := ret.Results[0].(*ssa.Phi); ok {
			for _, l := range edgesOf(phi, nil, make(map[*ssa.Phi]bool)) {
				all = append(all, leaf{l.val, withoutLoops(append(l.conds, conds...))})
			}
			continue
		}
		all = append(all, leaf{ret.Results[0], withoutLoops(conds)})
	}
	return all
}

// edgesOf returns the leaves of a phi, with the conditions but those that hold outside.
func edgesOf(phi *ssa.Phi, outside []cfg.Condition, seen map[*ssa.Phi]bool) []leaf {
	seen[phi] = true
	var all []leaf
	for i, v := range phi.Edges {
		if inner, ok := v.(*ssa.Phi); ok {
			if !seen[inner] {
				all = append(all, edgesOf(inner, outside, seen)...)
			}
			continue
		}
		pred := phi.Block().Preds[i]
		conds := cfg.Dominating(pred)
		if c, ok := cfg.ConditionOf(cfg.Edge{From: pred, To: phi.Block()}); ok {
			conds = append(conds, c.Stripped())
		}
		conds = slices.DeleteFunc(conds, func(c cfg.Condition) bool { return slices.Contains(outside, c) })
		all = append(all, leaf{v, withoutLoops(conds)})
	}
	return all
}

// withoutLoops leaves out the conditions that loops go on, or have ended.
func withoutLoops(conds []cfg.Condition) []cfg.Condition {
	return slices.DeleteFunc(conds, func(c cfg.Condition) bool {
		instr, ok := c.Value.(ssa.Instruction)
		return ok && cfg.IsHeader(instr.Block())
	})
}

// absent returns the value that is empty if the condition holds: no string, no list, a
// flag that is not set, a time of zero. It is nil if the condition is another one.
func absent(c cfg.Condition) ssa.Value {
	if cmp, ok := c.Comparison(); ok {
		if !constants.IsZero(cmp.Y) || cmp.Op != token.EQL && cmp.Op != token.LEQ {
			return nil
		}
		if o := origin.Of(cmp.X); o.Builtin() == "len" {
			return o.Call.Call.Args[0]
		}
		if basic, ok := cmp.X.Type().Underlying().(*types.Basic); ok && basic.Info()&types.IsString == 0 {
			return nil
		}
		return cmp.X
	}
	switch o := origin.Of(c.Value); o.Kind {
	case origin.Loaded, origin.Field:
		if !c.Holds {
			return c.Value
		}
	case origin.Result:
		if c.Holds && calledBy(o.Call).Time == library.AsksZero {
			return o.Call.Call.Args[0]
		}
	}
	return nil
}

// inStatus reports whether v is the status of an object, or a part of it.
func inStatus(v ssa.Value) bool {
	for range maxSteps {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Field:
			if o.FieldName() == "Status" {
				return true
			}
		case origin.Local: // for _, m := range thing.Status.Members
			if v = origin.StoredOnce(v); v == nil {
				return false
			}
			continue
		case origin.Renamed, origin.Converted, origin.Loaded, origin.Element, origin.Item, origin.Iterator:
		default:
			return false
		}
		v = o.X
	}
	return false
}

// maxSteps bounds the steps from a part of a status to the status.
const maxSteps = 12

// onlySet reports whether the package sets the field somewhere, and empties it nowhere.
func (p *Package) onlySet(field *types.Var) bool {
	stores := p.index.Field(field)
	return len(stores) > 0 && !slices.ContainsFunc(stores, func(store *ssa.Store) bool {
		if set, ok := constants.Bool(store.Val); ok || library.IsBool(field.Type()) {
			return !set
		}
		return constants.IsZero(store.Val)
	})
}
