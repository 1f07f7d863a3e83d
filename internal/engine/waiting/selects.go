package waiting

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// casesTaken returns the cases that the select takes in this world because of a signal.
// Those are the Done cases of contexts in scope. If there are none, they are the cases of
// other closed channels that can lead out of the loop, or else a place in a semaphore. Nil
// means that no signal decides.
func (f *execution) casesTaken(sel *ssa.Select) map[int]bool {
	if i, ok := f.fired[sel]; ok {
		return map[int]bool{i: true}
	}
	done := make(map[int]bool)
	stops := make(map[int]bool)
	for i, state := range sel.States {
		if state.Dir != types.RecvOnly || contexts.IsTimer(state.Chan) && !contexts.IsForeignTicker(state.Chan) {
			continue
		}
		switch f.p.Signal(state.Chan) {
		case contexts.Scope:
			if f.gives(contexts.Scope) {
				done[i] = true
			}
		case contexts.Other, contexts.Detached:
			if f.stopsLoop(sel, i) && f.allDone() {
				stops[i] = true
			}
		}
	}
	switch {
	case len(done) > 0:
		return done
	case len(stops) > 0:
		return stops
	case f.allDone():
		return f.tokenTaken(sel)
	}
	return nil
}

// tokenTaken returns the case of a select that takes a place in a semaphore, nil if it has
// none. Those who hold the places give them back in the end, so whether a loop ends by a
// signal shows where it has a place. A semaphore is a channel of empty structs that the
// function also takes from.
//
//	select {
//	case places <- struct{}{}:
//		item, open := <-items
//		if !open {
//			return
//		}
//		go work(item, places)
//	default:
//		time.Sleep(time.Second)
//	}
func (f *execution) tokenTaken(sel *ssa.Select) map[int]bool {
	if sel.Blocking || len(sel.States) != 1 || sel.States[0].Dir != types.SendOnly {
		return nil
	}
	ch := sel.States[0].Chan
	token, ok := sel.States[0].Send.Type().Underlying().(*types.Struct)
	if !ok || token.NumFields() > 0 {
		return nil
	}
	gives := func(instr ssa.Instruction) bool { return f.p.sameChannel(origin.ReceivedFrom(instr), ch) }
	semaphore := slices.ContainsFunc(f.Fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, gives) })
	if !semaphore || !f.asksBelow(cfg.CaseBlock(sel, 0), ch) {
		return nil
	}
	return map[int]bool{0: true}
}

// sameChannel reports whether both are the same value, or are read from the same local
// variable.
func (p *pkg) sameChannel(x, y ssa.Value) bool {
	if x == nil || x == y {
		return x == y
	}
	cell := p.Loaded(x)
	return cell != nil && cell == p.Loaded(y)
}

// asksBelow reports whether the code that the block dominates receives from a channel
// other than ch that may be closed as a signal.
func (f *execution) asksBelow(top *ssa.BasicBlock, ch ssa.Value) bool {
	if top == nil {
		return false
	}
	asks := func(asked ssa.Value) bool {
		return asked != nil && !f.p.sameChannel(asked, ch) && !contexts.IsTimer(asked) && f.p.Signal(asked) >= contexts.Detached
	}
	return slices.ContainsFunc(f.Fn.Blocks, func(b *ssa.BasicBlock) bool {
		return top.Dominates(b) && slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			if sel, ok := instr.(*ssa.Select); ok {
				return slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool { return s.Dir == types.RecvOnly && asks(s.Chan) })
			}
			return asks(origin.ReceivedFrom(instr))
		})
	})
}

// stopsLoop reports whether the case can lead out of the innermost loop around
// the select.
func (f *execution) stopsLoop(sel *ssa.Select, i int) bool {
	l := f.p.nest(f.Fn).Innermost(sel.Block())
	if l == nil {
		return true
	}
	target := cfg.CaseBlock(sel, i)
	return target != nil && target != l.Header && l.Leaves(target)
}

// selectedCase evaluates the comparison of a select's index with the number of a case.
// It is not ok if x is no such index.
func (f *execution) selectedCase(x, y ssa.Value) (Value, bool) {
	sel, ok := cfg.SelectIndex(x)
	if !ok {
		return Unknown, false
	}
	i, ok := constants.Int(y)
	if !ok {
		return Unknown, true
	}
	taken := f.casesTaken(sel)
	switch {
	case taken == nil && f.p.isDone(sel.States[i].Chan) && !f.gives(contexts.Scope):
		return False, true
	case taken == nil:
		return Unknown, true
	case !taken[int(i)]:
		return False, true
	case len(taken) == 1:
		return True, true
	}
	return Unknown, true
}

// selectOpen is the second result of the receive that the select takes: false if the
// channel is closed.
func (f *execution) selectOpen(sel *ssa.Select) Value {
	v := Unreached
	for i := range f.casesTaken(sel) {
		v = v.join(f.open(sel.States[i].Chan))
	}
	if v == Unreached {
		return Unknown
	}
	return v
}
