package waiting

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// leavesOnError reports whether the loop ends after the wait if the callback of that has
// left an error in a variable. What the callback does with a context that is done is then
// not known:
//
//	for {
//		var failed error
//		_ = wait.PollUntilContextTimeout(ctx, interval, timeout, true, func(ctx context.Context) (bool, error) {
//			failed = get(ctx)
//			return failed == nil, nil
//		})
//		if failed != nil {
//			return failed
//		}
//	}
func (p *pkg) leavesOnError(l *cfg.Loop, s *site) bool {
	call, ok := s.instr.(*ssa.Call)
	if !ok {
		return false
	}
	var assigned []ssa.Value
	for _, arg := range callee.Args(call.Common()) {
		if o := origin.Of(origin.Through(arg, origin.Renamed)); o.Kind == origin.Closure {
			assigned = append(assigned, errorsAssigned(o)...)
		}
	}
	if len(assigned) == 0 {
		return false
	}
	latches := l.Latches()
	return slices.ContainsFunc(l.Exits(), func(branch *ssa.If) bool {
		b := branch.Block()
		after := b == s.block || s.block.Dominates(b)
		always := !slices.ContainsFunc(latches, func(latch *ssa.BasicBlock) bool { return b != latch && !b.Dominates(latch) })
		for i, succ := range b.Succs {
			err, isNil, ok := cfg.Condition{Value: branch.Cond, Holds: i == 0}.Nil()
			if ok && !isNil && after && always && !l.Blocks[succ] && origin.Of(err).Kind == origin.Loaded {
				return slices.Contains(assigned, origin.Of(err).X)
			}
		}
		return false
	})
}

// errorsAssigned returns the variables that the function literal captures, that have an
// error, and that it assigns to.
func errorsAssigned(closure origin.Origin) []ssa.Value {
	lit := closure.X.(*ssa.Function)
	var all []ssa.Value
	for i, captured := range lit.FreeVars {
		assigns := slices.ContainsFunc(*captured.Referrers(), func(ref ssa.Instruction) bool {
			store, ok := ref.(*ssa.Store)
			return ok && store.Addr == captured && origin.Of(store.Val).Kind != origin.Constant
		})
		if assigns && library.IsError(library.Deref(captured.Type())) {
			all = append(all, closure.Edges[i])
		}
	}
	return all
}
