package waiting

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// monitors reports whether fn is a goroutine that tells its parent when something has
// ended. The parent stops that thing once the context is done, so the goroutine then
// ends, too. It must not end before: the parent still waits for its signal.
//
//	go func() {
//		for server.Running() {
//			time.Sleep(time.Second)
//		}
//		close(stopped)
//	}()
//	select {
//	case <-ctx.Done():
//		server.Stop()
//	case <-stopped:
//	}
func (p *pkg) monitors(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	closed := p.closedBy(fn)
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			done, ended := false, false
			for _, state := range sel.States {
				done = done || p.isDone(state.Chan)
				ended = ended || closed[p.Loaded(state.Chan)]
			}
			if done && ended {
				return true
			}
		}
	}
	return false
}

// closedBy returns the variables that hold the channels that fn closes.
func (p *pkg) closedBy(fn *ssa.Function) map[*ssa.Alloc]bool {
	closed := make(map[*ssa.Alloc]bool)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if callee.IsBuiltin(call.Common(), "close") {
				if v := p.Loaded(call.Common().Args[0]); v != nil {
					closed[v] = true
				}
			}
		}
	}
	return closed
}
