package waiting

import "golang.org/x/tools/go/ssa"

// monitors reports whether fn is a goroutine that tells its parent that
// something has ended, while the parent sees to it that it ends once the context
// is done. To stop the monitor by the context, too, would be to stop looking.
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
			done, told := false, false
			for _, state := range sel.States {
				done = done || p.isDone(state.Chan)
				told = told || closed[p.variable(state.Chan)]
			}
			if done && told {
				return true
			}
		}
	}
	return false
}

// closedBy returns the variables of the enclosing function whose channels fn
// closes.
func (p *pkg) closedBy(fn *ssa.Function) map[ssa.Value]bool {
	closed := make(map[ssa.Value]bool)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if builtin, ok := call.Common().Value.(*ssa.Builtin); ok && builtin.Name() == "close" {
				if v := p.variable(call.Common().Args[0]); v != nil {
					closed[v] = true
				}
			}
		}
	}
	return closed
}

// variable returns the variable that the value is loaded from, in the function
// that declares it; nil if it is none.
func (p *pkg) variable(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	switch addr := load.X.(type) {
	case *ssa.Alloc:
		return addr
	case *ssa.FreeVar:
		if bound := p.bindings(addr); len(bound) == 1 {
			return bound[0]
		}
	}
	return nil
}
