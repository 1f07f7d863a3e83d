package waiting

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// inCleanup reports whether the block cleans up: it is in a deferred function, or on a
// path that is taken because a context is done. There it is right to go on without
// that context.
func (a *analyzer) inCleanup(fn *ssa.Function, b *ssa.BasicBlock) bool {
	for f := fn; f != nil; f = f.Parent() {
		if a.isDeferred(f) {
			return true
		}
	}
	for d := b; d != nil; d = d.Idom() {
		if a.followsDone(d, b) {
			return true
		}
	}
	return false
}

// isDeferred reports whether the function literal is the operand of a defer
// statement.
func (p *pkg) isDeferred(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok && p.Index.Own(d.Call.StaticCallee()) == fn {
				return true
			}
		}
	}
	return false
}

// followsDone reports whether d, a dominator of b, receives from a Done channel, or is
// the select case of one.
func (p *pkg) followsDone(d, b *ssa.BasicBlock) bool {
	for _, instr := range d.Instrs {
		if ch := origin.ReceivedFrom(instr); ch != nil && d != b && p.isDone(ch) {
			return true
		}
	}
	for _, pred := range d.Preds {
		for _, instr := range pred.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			for i, state := range sel.States {
				if state.Dir == types.RecvOnly && p.isDone(state.Chan) && cfg.CaseBlock(sel, i) == d && len(d.Preds) == 1 {
					return true
				}
			}
		}
	}
	return false
}

// isDone reports whether the channel is closed when a context in scope is done.
func (p *pkg) isDone(ch ssa.Value) bool {
	return !contexts.IsTimer(ch) && p.Signal(ch) == contexts.Scope
}

// cleansUp reports whether the function's name says that it cleans up. Such a function
// may wait on a context with only a timeout, rather than on the context that is done.
func cleansUp(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	name := strings.ToLower(fn.Name())
	return slices.ContainsFunc([]string{"cleanup", "teardown", "rollback", "undo", "shutdown"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}
