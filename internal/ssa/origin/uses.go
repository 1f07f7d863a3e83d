package origin

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// PassedTo returns the only call that takes fn as an argument, or nil. fn is a
// function literal, or a function that is used once.
func (ix *Index) PassedTo(fn *ssa.Function) *ssa.CallCommon {
	var found *ssa.CallCommon
	ok := true
	var follow func(v ssa.Value, refs []ssa.Instruction, depth int)
	follow = func(v ssa.Value, refs []ssa.Instruction, depth int) {
		for _, ref := range refs {
			switch ref := ref.(type) {
			case *ssa.DebugRef:
			case *ssa.ChangeType, *ssa.MakeClosure:
				val := ref.(ssa.Value)
				if depth < maxRenamings {
					follow(val, *val.Referrers(), depth+1)
				}
			case ssa.CallInstruction:
				if ref.Common().Value == v {
					continue // called in place
				}
				if found != nil && found != ref.Common() {
					ok = false
				}
				found = ref.Common()
			default:
				ok = false
			}
		}
	}
	follow(fn, ix.uses[fn], 0)
	for _, mc := range ix.closures[fn] {
		follow(mc, *mc.Referrers(), 0)
	}
	if !ok {
		return nil
	}
	return found
}

// maxRenamings bounds how often a function may change its type before it is
// passed.
const maxRenamings = 4

// OnlyCall returns the only call of a function literal, or nil if the literal is
// also used in another way.
func (ix *Index) OnlyCall(lit *ssa.Function) *ssa.CallCommon {
	var found *ssa.CallCommon
	use := func(v ssa.Value, refs []ssa.Instruction) bool {
		for _, ref := range refs {
			if _, ok := ref.(*ssa.DebugRef); ok {
				continue
			}
			call, ok := ref.(ssa.CallInstruction)
			if !ok || call.Common().Value != v || found != nil {
				return false
			}
			found = call.Common()
		}
		return true
	}
	for _, mc := range ix.closures[lit] {
		if !use(mc, *mc.Referrers()) {
			return nil
		}
	}
	if len(ix.closures[lit]) > 0 {
		return found
	}
	if calls := ix.calls[lit]; len(calls) == 1 && len(ix.uses[lit]) == 0 {
		return calls[0].Common() // it captures nothing
	}
	return nil
}

// StoresIn returns the stores to a local variable by its own function, and the
// number of stores by function literals that capture it.
func StoresIn(cell *ssa.Alloc) (stores []*ssa.Store, captured int) {
	for _, ref := range *cell.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == cell {
				stores = append(stores, ref)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == ssa.Value(cell) {
					captured += len(StoredAt(ref.Fn.(*ssa.Function).FreeVars[i]))
				}
			}
		}
	}
	return stores, captured
}

// MayHold returns the values that a local variable may hold at an instruction of
// its function: those of the function's stores that reach the instruction. Nil
// stands for the zero value.
func MayHold(cell *ssa.Alloc, at ssa.Instruction) []ssa.Value {
	var found []ssa.Value
	add := func(v ssa.Value) {
		if !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock, n int)
	back = func(b *ssa.BasicBlock, n int) {
		for _, instr := range slices.Backward(b.Instrs[:n]) {
			if store, ok := instr.(*ssa.Store); ok && store.Addr == ssa.Value(cell) {
				add(store.Val)
				return
			}
			if instr == ssa.Instruction(cell) {
				add(nil)
				return
			}
		}
		for _, pred := range b.Preds {
			if !seen[pred] {
				seen[pred] = true
				back(pred, len(pred.Instrs))
			}
		}
	}
	back(at.Block(), slices.Index(at.Block().Instrs, at))
	return found
}
