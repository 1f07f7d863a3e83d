package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A condition is undone if the code under it makes it false. It is then a guard,
// though it asks whether something is there:
//
//	if _, ok := thing.Annotations["restart"]; ok {
//		delete(thing.Annotations, "restart")
//	}
//	if controllerutil.ContainsFinalizer(thing, finalizer) {
//		controllerutil.RemoveFinalizer(thing, finalizer)
//	}

// undone reports whether the condition says that something is there, and code under
// it removes that.
func (in *interp) undone(c cfg.Condition) bool {
	c = c.Stripped()
	if key, ok := presentKey(c); ok {
		return in.anyRuns(regionOf(c), func(instr ssa.Instruction) bool { return removesKey(instr, key) }, make(map[*ssa.Function]bool))
	}
	o := origin.Of(c.Value)
	if o.Kind != origin.Result || !c.Holds || library.Of(callee.Static(o.Call.Common())).Finalizer != library.AsksFinalizer {
		return false
	}
	return in.anyRuns(regionOf(c), func(instr ssa.Instruction) bool {
		call, ok := instr.(ssa.CallInstruction)
		return ok && library.Of(callee.Static(call.Common())).Finalizer == library.RemovesFinalizer
	}, make(map[*ssa.Function]bool))
}

// presentKey returns the constant key of an entry of a map, if the condition says
// that the entry is there or is not empty.
func presentKey(c cfg.Condition) (string, bool) {
	o := origin.Of(c.Value)
	entry := o.X
	switch {
	case o.Kind == origin.OK && c.Holds:
	case o.Kind == origin.Computed && testsZero(c.Value) && isNot(c):
		entry, _, _ = comparedConst(c.Value)
	default:
		return "", false
	}
	if o := origin.Of(entry); o.Kind == origin.Element && isMap(o.X) {
		return constants.String(o.Key)
	}
	return "", false
}

// isNot reports whether the condition, a comparison, says that its operands differ.
func isNot(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	return ok && cmp.Op == token.NEQ
}

// removesKey reports whether the instruction removes the entry with the key from a
// map, or empties it.
func removesKey(instr ssa.Instruction, key string) bool {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		set, ok := constants.String(instr.Key)
		return ok && set == key && constants.IsZero(instr.Value)
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
			removed, ok := constants.String(instr.Call.Args[1])
			return ok && removed == key
		}
	}
	return false
}

// anyRuns reports whether f holds for an instruction that runs in the blocks, or in a
// function of the package that these call.
func (in *interp) anyRuns(blocks []*ssa.BasicBlock, f func(ssa.Instruction) bool, seen map[*ssa.Function]bool) bool {
	return slices.ContainsFunc(blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			return f(instr) || slices.ContainsFunc(in.runBy(instr), func(fn *ssa.Function) bool {
				if seen[fn] {
					return false
				}
				seen[fn] = true
				return in.anyRuns(fn.Blocks, f, seen)
			})
		})
	})
}

// wasRejected reports whether the condition says that a function of the standard
// library could not make sense of what the cluster holds, such as a stored time. A
// value that is then stored makes sense.
func (in *interp) wasRejected(fr *frame, c cfg.Condition) (labels, bool) {
	err, isNil, ok := c.Nil()
	if !ok || isNil || !library.IsError(err.Type()) {
		return nil, false
	}
	o := origin.Of(err)
	if o.Kind != origin.Result {
		return nil, false
	}
	fn := callee.Static(o.Call.Common())
	ls := in.reg(fr, err).labels
	if fn == nil || fn.Pkg() == nil || !library.IsStandard(fn.Pkg().Path()) || !slices.ContainsFunc(ls, func(l Label) bool { return l.Kind == State || l.Kind == Content }) {
		return nil, false
	}
	return ls, !in.isSetting(ls)
}

// wasAbsent reports whether the condition says that an error is not nil, where any
// other error than that an object was not found has led elsewhere:
//
//	if client.IgnoreNotFound(err) != nil { return err }
//	if err != nil { … }
func wasAbsent(c cfg.Condition) bool {
	err, isNil, ok := c.Nil()
	if !ok || isNil || !library.IsError(err.Type()) || err.Referrers() == nil {
		return false
	}
	at := c.Value.(ssa.Instruction).Block()
	return slices.ContainsFunc(*err.Referrers(), func(ref ssa.Instruction) bool {
		call, ok := ref.(*ssa.Call)
		if !ok {
			return false
		}
		known := library.Of(callee.Static(call.Common()))
		switch {
		case known.Meaning == library.DropsNotFound:
			return slices.ContainsFunc(*call.Referrers(), func(ref ssa.Instruction) bool {
				cmp, ok := ref.(*ssa.BinOp)
				return ok && testsZero(cmp) && leadsElsewhere(cmp, cmp.Op == token.NEQ, at)
			})
		case known.Condition == library.AbsenceCondition:
			return leadsElsewhere(call, false, at)
		}
		return false
	})
}

// leadsElsewhere reports whether control may reach the block behind a branch on
// cond, but not if cond is holds.
func leadsElsewhere(cond ssa.Value, holds bool, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(*cond.Referrers(), func(ref ssa.Instruction) bool {
		test, ok := ref.(*ssa.If)
		if !ok {
			return false
		}
		away, on := test.Block().Succs[1], test.Block().Succs[0]
		if holds {
			away, on = on, away
		}
		return reaches(on, b) && !reaches(away, b)
	})
}

// reaches reports whether control can go on from one block to the other.
func reaches(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{from: true}
	for work := []*ssa.BasicBlock{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}
