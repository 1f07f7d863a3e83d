package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Rounds say whether a call is made again and again by a loop that waits each time, such
// as that of a periodic job:
//
//	for {
//		select {
//		case <-ticker.C:
//			r.sync(ctx, thing)
//		case <-stop:
//			return
//		}
//	}
//
// A retry ends once all is well, so nothing behind the call may leave the loop, other than a
// signal from outside. What a job does only while a status differs from what it finds does
// not come back if somebody deletes the object: the status tells what the job has found, and
// not what is there.
type rounds struct {
	on    bool
	outer int // the number of guards outside the loop
}

// roundsOf returns the rounds for a block: those of the call of its function, or of a
// loop around it.
func (in *interp) roundsOf(fr *frame, b *ssa.BasicBlock) rounds {
	if fr.up != nil && fr.up.rounds.on {
		return fr.up.rounds
	}
	for l := in.control.Nest(b.Parent()).Innermost(b); l != nil; l = l.Parent {
		if !l.LeavesBut(b, isStopCase) && waits(l) {
			return rounds{true, len(fr.outer)}
		}
	}
	return rounds{}
}

// isStopCase reports whether the block is the case of a select that receives a signal from outside:
// a context is done, or a channel of empty structs that the function is given is closed. The test
// for such a case, which no other case follows, counts, too.
func isStopCase(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	if test, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
		if o := origin.Of(test.Cond); o.Kind == origin.Computed && o.Y != nil {
			if _, ok := cfg.SelectIndex(o.X); ok {
				return isStopCase(b.Succs[0]) && cfg.Panics(b.Succs[1])
			}
		}
	}
	for _, instr := range b.Preds[0].Instrs {
		cmp, ok := instr.(*ssa.BinOp)
		if !ok {
			continue
		}
		sel, ok := cfg.SelectIndex(cmp.X)
		if !ok {
			continue
		}
		for i, state := range sel.States {
			if state.Dir == types.RecvOnly && isStopSignal(state.Chan) && cfg.CaseBlock(sel, i) == b {
				return true
			}
		}
	}
	return false
}

func isStopSignal(ch ssa.Value) bool {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return false
	}
	if elem, ok := t.Elem().Underlying().(*types.Struct); !ok || elem.NumFields() > 0 {
		return false
	}
	switch o := origin.Of(ch); o.Kind {
	case origin.Parameter, origin.Captured:
		return true
	case origin.Loaded:
		return origin.Of(o.X).Kind == origin.Field
	case origin.Result:
		recv := callee.Args(o.Call.Common())
		return len(recv) == 1 && library.TypeOf(recv[0].Type()).Is == library.Context
	}
	return false
}

// startRounds returns the rounds of a function that the current call makes in rounds.
func (fr *frame) startRounds() rounds {
	if fr.rounds.on {
		return fr.rounds
	}
	return rounds{true, len(fr.guards)}
}

// inRounds reports whether the block being interpreted runs in each round.
func (fr *frame) inRounds() bool {
	return fr.rounds.on && !slices.ContainsFunc(fr.guards[fr.rounds.outer:], asksStatus)
}

// asksStatus reports whether the status of an object feeds the guard.
func asksStatus(g guard) bool {
	return slices.ContainsFunc(g.labels, func(l Label) bool {
		for step := range l.Path.Steps() {
			return (l.Kind == State || l.Kind == Content) && step.Kind == access.Field && step.Name == "Status"
		}
		return false
	})
}

// goesRound reports whether the callee is a library's loop that calls a function until
// something stops it.
func goesRound(c target) bool {
	wait := c.known().Wait
	return wait != nil && wait.Loop && wait.Ends == 0
}

// waits reports whether a loop waits: it receives from a channel, or calls a function
// that sleeps.
func waits(l *cfg.Loop) bool {
	for b := range l.Blocks {
		for _, instr := range b.Instrs {
			if _, selects := instr.(*ssa.Select); selects || origin.ReceivedFrom(instr) != nil {
				return true
			}
			if call, ok := instr.(*ssa.Call); ok && library.Of(callee.Static(call.Common())).Wait != nil {
				return true
			}
		}
	}
	return false
}
