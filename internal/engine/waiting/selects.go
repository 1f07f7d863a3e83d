package waiting

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
)

// casesTaken returns the cases that the select takes in this world because of a signal.
// Those are the Done cases of contexts in scope. If there are none, they are the cases of
// other closed channels that can lead out of the loop. Nil means that no signal decides.
func (f *execution) casesTaken(sel *ssa.Select) map[int]bool {
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
	}
	return nil
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
