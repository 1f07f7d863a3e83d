package waiting

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// choice returns the cases of a select that are taken in this world: those of
// the contexts that are done; else, where other channels have been closed,
// those of them that can lead out of the loop. Nil means any.
func (f *flow) choice(sel *ssa.Select) map[int]bool {
	done := make(map[int]bool)
	stops := make(map[int]bool)
	for i, state := range sel.States {
		if state.Dir != types.RecvOnly || isTimer(state.Chan.Type()) && !isForeignTicker(state.Chan) {
			continue
		}
		switch f.p.signal(state.Chan) {
		case Scope:
			done[i] = true
		case Own, Detached:
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
	}
	return nil
}

// stopsLoop reports whether the case can lead out of the innermost loop around
// the select.
func (f *flow) stopsLoop(sel *ssa.Select, i int) bool {
	l := f.p.nest(f.fn).of[sel.Block()]
	if l == nil {
		return true
	}
	target := caseBlock(sel, i)
	return target != nil && target != l.header && l.leaves(target)
}

// limitsRound reports whether the timers of the select limit how long it takes
// to send or to receive what is of this round alone. They do not space the
// rounds, which end by themselves.
//
//	for _, t := range targets {
//		select {
//		case t.updates <- update:
//		case <-time.After(limit):
//		}
//	}
func (l *loop) limitsRound(sel *ssa.Select) bool {
	for _, state := range sel.States {
		seen := make(map[ssa.Value]bool)
		if !isTimer(state.Chan.Type()) && l.varies(state.Chan, seen) || state.Dir == types.SendOnly && l.varies(state.Send, seen) {
			return true
		}
	}
	return false
}

// varies reports whether v is computed from what the loop counts, ranges over or
// receives. The results of calls may well be the same in each round.
func (l *loop) varies(v ssa.Value, seen map[ssa.Value]bool) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok || seen[v] || !l.blocks[instr.Block()] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Next, *ssa.Select:
		return true
	case *ssa.Call:
		return false
	case *ssa.Phi:
		if v.Block() == l.header {
			return l.counts(v)
		}
	case *ssa.UnOp:
		if v.Op == token.ARROW {
			return true
		}
	case *ssa.Alloc:
		return slices.ContainsFunc(storesTo(v), func(w ssa.Value) bool { return l.varies(w, seen) })
	}
	return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool { return *op != nil && l.varies(*op, seen) })
}

// selectedCase evaluates the comparison of a select's index with the number of
// a case.
func (f *flow) selectedCase(x, y ssa.Value) (Value, bool) {
	sel, ok := selectIndex(x)
	if !ok {
		return Unknown, false
	}
	k, ok := y.(*ssa.Const)
	if !ok || k.Value == nil {
		return Unknown, true
	}
	i, _ := constant.Int64Val(k.Value)
	choice := f.choice(sel)
	switch {
	case choice == nil:
		return Unknown, true
	case !choice[int(i)]:
		return False, true
	case len(choice) == 1:
		return True, true
	}
	return Unknown, true
}

func selectIndex(v ssa.Value) (*ssa.Select, bool) {
	ext, ok := v.(*ssa.Extract)
	if !ok || ext.Index != 0 {
		return nil, false
	}
	sel, ok := ext.Tuple.(*ssa.Select)
	return sel, ok
}

// selectOpen says whether the select received from an open channel.
func (f *flow) selectOpen(sel *ssa.Select) Value {
	v := Unreached
	for i := range f.choice(sel) {
		v = v.join(f.open(sel.States[i].Chan))
	}
	if v == Unreached {
		return Unknown
	}
	return v
}

// caseBlock returns the first block of the select's i-th case.
func caseBlock(sel *ssa.Select, i int) *ssa.BasicBlock {
	for _, ref := range *sel.Referrers() {
		ext, ok := ref.(*ssa.Extract)
		if !ok || ext.Index != 0 {
			continue
		}
		for _, use := range *ext.Referrers() {
			test, ok := use.(*ssa.BinOp)
			if !ok || test.Op != token.EQL {
				continue
			}
			k, ok := test.Y.(*ssa.Const)
			if !ok || k.Value == nil {
				continue
			}
			if n, _ := constant.Int64Val(k.Value); int(n) != i {
				continue
			}
			last := test.Block().Instrs[len(test.Block().Instrs)-1]
			if branch, ok := last.(*ssa.If); ok && branch.Cond == test {
				return test.Block().Succs[0]
			}
		}
	}
	return nil
}
