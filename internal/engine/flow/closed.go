package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A channel that is only closed tells that something is done, such as a first sync:
//
//	select {
//	case <-c.synced:
//		return true
//	default:
//		return false
//	}
//
// Once it is closed it stays closed, so that what follows happens each time.

// isClosed reports whether the condition is that a channel in a field is closed, with
// which the package does nothing else than to make, close and receive from it.
func (in *interp) isClosed(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL {
		return false
	}
	sel, ok := cfg.SelectIndex(cmp.X)
	if !ok {
		return false
	}
	i, ok := constants.Int(cmp.Y)
	if !ok || i < 0 || int(i) >= len(sel.States) || sel.States[i].Dir != types.RecvOnly {
		return false
	}
	field, _ := origin.FieldOf(sel.States[i].Chan)
	return field != nil && !field.Exported() && in.onlyCloses(field)
}

// onlyCloses reports whether the package closes the channel in the field, and only makes
// it and receives from it beside that.
func (in *interp) onlyCloses(field *types.Var) bool {
	if slices.ContainsFunc(in.ssa.Index.Field(field), func(s *ssa.Store) bool { return origin.Of(s.Val).Kind != origin.Made }) {
		return false
	}
	closes := false
	for _, fn := range in.ssa.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				load, ok := instr.(*ssa.UnOp)
				if !ok || load.Op != token.MUL {
					continue
				}
				if f, _ := origin.FieldOf(load); f != field {
					continue
				}
				for _, use := range origin.Users(load) {
					switch {
					case isClose(use):
						closes = true
					case !receives(use, load):
						return false
					}
				}
			}
		}
	}
	return closes
}

// isClose reports whether the instruction closes a channel, also when a function returns.
func isClose(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && callee.IsBuiltin(call.Common(), "close")
}

// receives reports whether the instruction does nothing with the channel but receive from
// it.
func receives(instr ssa.Instruction, ch ssa.Value) bool {
	if sel, ok := instr.(*ssa.Select); ok {
		return !slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool { return s.Chan == ch && s.Dir != types.RecvOnly })
	}
	return origin.ReceivedFrom(instr) == ch
}
