package requeue

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// A Concern is the kind of objects that a question is about.
type Concern interface {
	// Role says what a call does with objects of the kind.
	Role(ssa.CallInstruction) Role
	// IsOf reports whether values of the type are such objects, or lists of them.
	IsOf(types.Type) bool
}

// A Role is what a call does with the objects of a concern.
type Role int

const (
	Apart   Role = iota // nothing
	Looks               // it looks whether they are there
	Makes               // it may create some
	Removes             // it deletes some, and creates none
)

// Matters reports whether a call in this role has to do with keeping the objects.
func (r Role) Matters() bool { return r == Looks || r == Makes }

// ways are the blocks of a function, by the calls that lead to them.
type ways struct {
	of Concern
	// sites make a call that matters, and reached come after one.
	sites, reached map[*ssa.BasicBlock]bool
	// removals delete objects of the concern, and no block after them makes one.
	removals []*ssa.BasicBlock
}

func waysOf(fn *ssa.Function, of Concern) *ways {
	w := &ways{of: of, sites: make(map[*ssa.BasicBlock]bool), reached: make(map[*ssa.BasicBlock]bool)}
	if of == nil {
		return w
	}
	makes := make(map[*ssa.BasicBlock]bool)
	var removes []*ssa.BasicBlock
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			role := of.Role(call)
			w.sites[b] = w.sites[b] || role.Matters()
			makes[b] = makes[b] || role == Makes
			if role == Removes {
				removes = append(removes, b)
			}
		}
	}
	for b, is := range w.sites {
		if is {
			reach(b, w.reached)
		}
	}
	for _, b := range removes {
		after := make(map[*ssa.BasicBlock]bool)
		if reach(b, after); !meet(after, makes) {
			w.removals = append(w.removals, b)
		}
	}
	return w
}

// reach adds the blocks that control may come to from b, and b itself.
func reach(b *ssa.BasicBlock, reached map[*ssa.BasicBlock]bool) {
	if reached[b] {
		return
	}
	reached[b] = true
	for _, next := range b.Succs {
		reach(next, reached)
	}
}

func meet(a, b map[*ssa.BasicBlock]bool) bool {
	for block := range a {
		if b[block] {
			return true
		}
	}
	return false
}

// after reports whether a path leads through a call that matters. It accepts all paths if
// there is no such call.
func (w *ways) after(on path) bool {
	return len(w.reached) == 0 || w.sites[on.block] || w.reached[on.last()]
}

// onlyRemoves reports whether objects of the concern are deleted on the path, and none is
// made then, whatever the objects are like. What it waits for is something else.
//
//	if thing.Status.Finished {
//		err := r.deleteJobs(ctx, jobs)
//		return ctrl.Result{RequeueAfter: ttl}, err
//	}
func (w *ways) onlyRemoves(on path) bool {
	for _, b := range w.removals {
		if (b == on.block || b.Dominates(on.last())) && !w.decide(on.conds) {
			return true
		}
	}
	return false
}

// decide reports whether objects of the concern decide about a condition, other than one
// about an error.
func (w *ways) decide(conds []cfg.Condition) bool {
	for _, c := range conds {
		if v, _, ok := c.Nil(); ok && library.IsError(v.Type()) {
			continue
		}
		if w.madeOf(c.Value, make(map[ssa.Value]bool)) {
			return true
		}
	}
	return false
}

// madeOf reports whether a value is, or is computed from, an object of the concern.
func (w *ways) madeOf(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	if w.of.IsOf(v.Type()) {
		return true
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && w.madeOf(*op, seen) {
			return true
		}
	}
	return false
}
