package cleanup

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// What is started in a group has happened when the wait for the group returns. So the
// function that starts it and waits does it:
//
//	for i := range pods {
//		group.Go(func() { errs[i] = release(ctx, &pods[i]) })
//	}
//	group.Wait()

// awaited returns the functions of the package that an instruction starts in a group for
// which its function waits.
func (p *pkg) awaited(instr ssa.Instruction) []*ssa.Function {
	call, ok := instr.(*ssa.Call)
	if !ok || groupOf(call) != library.StartsInGroup || !p.waitsFor(call.Parent(), call.Call.Args[0]) {
		return nil
	}
	return p.Resolver.Value(call.Call.Args[1]).Own
}

// waitsFor reports whether a function waits for the group.
func (p *pkg) waitsFor(fn *ssa.Function, group ssa.Value) bool {
	group = p.canon(group, nil)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if ok && groupOf(call) == library.WaitsForGroup && p.canon(call.Call.Args[0], nil) == group {
				return true
			}
		}
	}
	return false
}

// groupOf says what a call does with a group.
func groupOf(call *ssa.Call) library.Group { return library.Of(callee.Static(call.Common())).Group }
