package origin

import (
	"go/token"
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
	if calls, ok := ix.OnlyCalls(lit); ok && len(calls) == 1 {
		return calls[0]
	}
	return nil
}

// OnlyCalls returns the calls of a function literal by the function that makes it, and
// whether the literal has no other use.
func (ix *Index) OnlyCalls(lit *ssa.Function) (calls []*ssa.CallCommon, ok bool) {
	use := func(v ssa.Value, refs []ssa.Instruction) bool {
		for _, ref := range refs {
			if _, ok := ref.(*ssa.DebugRef); ok {
				continue
			}
			call, ok := ref.(ssa.CallInstruction)
			if !ok || call.Common().Value != v || slices.Contains(call.Common().Args, v) {
				return false
			}
			calls = append(calls, call.Common())
		}
		return true
	}
	for _, mc := range ix.closures[lit] {
		if !use(mc, *mc.Referrers()) {
			return nil, false
		}
	}
	if len(ix.closures[lit]) == 0 { // it captures nothing
		for _, call := range ix.calls[lit] {
			calls = append(calls, call.Common())
		}
		return calls, len(ix.uses[lit]) == 0
	}
	return calls, true
}

// StoresIn returns the stores to a local variable by its own function, and the
// number of stores by function literals that capture it.
func StoresIn(cell *ssa.Alloc) (stores []*ssa.Store, captured int) {
	for _, ref := range *cell.Referrers() {
		if store, ok := ref.(*ssa.Store); ok && store.Addr == cell {
			stores = append(stores, store)
		}
	}
	return stores, len(StoredByLiterals(cell))
}

// StoredByLiterals returns the values that function literals which capture a local
// variable store in it.
func StoredByLiterals(cell *ssa.Alloc) []ssa.Value {
	var stored []ssa.Value
	for _, ref := range *cell.Referrers() {
		lit, ok := ref.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for i, b := range lit.Bindings {
			if b == ssa.Value(cell) {
				stored = append(stored, StoredAt(lit.Fn.(*ssa.Function).FreeVars[i])...)
			}
		}
	}
	return stored
}

// IsVariable reports whether nothing is done with an address but to load what is there and
// to store something else, also in function literals that capture it.
func IsVariable(addr ssa.Value) bool {
	return !slices.ContainsFunc(Users(addr), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.Store:
			return ref.Addr != addr
		case *ssa.MakeClosure:
			i := slices.Index(ref.Bindings, addr)
			return !IsVariable(ref.Fn.(*ssa.Function).FreeVars[i])
		}
		return !isLoad(ref)
	})
}

// MayHold returns the values that a local variable may hold at an instruction of
// its function: those of the function's stores that reach the instruction. Nil
// stands for the zero value.
func MayHold(cell *ssa.Alloc, at ssa.Instruction) []ssa.Value {
	var found []ssa.Value
	for _, store := range reaching(cell, at, func(store *ssa.Store) bool { return store.Addr == ssa.Value(cell) }) {
		var v ssa.Value
		if store != nil {
			v = store.Val
		}
		if !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return found
}

// reaching returns the stores that an instruction may see, of those that match. Nil stands for
// the variable as it is made.
func reaching(cell *ssa.Alloc, at ssa.Instruction, match func(*ssa.Store) bool) []*ssa.Store {
	var found []*ssa.Store
	add := func(store *ssa.Store) {
		if !slices.Contains(found, store) {
			found = append(found, store)
		}
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock, n int)
	back = func(b *ssa.BasicBlock, n int) {
		for _, instr := range slices.Backward(b.Instrs[:n]) {
			if store, ok := instr.(*ssa.Store); ok && match(store) {
				add(store)
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

// Held returns the value that a load of a local variable certainly yields: the only one
// that the variable may hold there. Otherwise it returns v. Results with names are such
// variables in a function with a defer.
func Held(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if held := HeldAt(load.X, load); held != nil {
			return held
		}
	}
	return v
}

// HeldAt returns the value that the variable at an address certainly holds at an instruction of its
// function, or nil if that is not known, or if the address is not that of a local variable.
func HeldAt(addr ssa.Value, at ssa.Instruction) ssa.Value {
	cell, ok := addr.(*ssa.Alloc)
	if !ok || !isPrivate(cell) || at.Parent() != cell.Parent() {
		return nil
	}
	if held := MayHold(cell, at); len(held) == 1 {
		return held[0]
	}
	return nil
}

// isPrivate reports whether nothing stores in a local variable but stores of its own
// function, and function literals that run when that returns.
func isPrivate(cell *ssa.Alloc) bool {
	return !slices.ContainsFunc(*cell.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.Store:
			return ref.Addr != cell
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.FieldAddr:
			return !onlyLoaded(ref)
		case *ssa.MakeClosure:
			i := slices.Index(ref.Bindings, ssa.Value(cell))
			return !IsDeferred(ref) && !onlyLoaded(ref.Fn.(*ssa.Function).FreeVars[i])
		}
		return true
	})
}

// IsDeferred reports whether a function literal is only deferred.
func IsDeferred(lit *ssa.MakeClosure) bool {
	return !slices.ContainsFunc(Users(lit), func(ref ssa.Instruction) bool {
		d, ok := ref.(*ssa.Defer)
		return !ok || d.Call.Value != ssa.Value(lit)
	})
}

// onlyLoaded reports whether a function does nothing with an address but load what is
// there.
func onlyLoaded(addr ssa.Value) bool {
	return !slices.ContainsFunc(Users(addr), func(ref ssa.Instruction) bool { return !isLoad(ref) })
}
