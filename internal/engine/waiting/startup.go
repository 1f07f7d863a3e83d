package waiting

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Some waits belong to the start of the process, as what they wait for shows: the
// definitions of its custom resources, or a free port. That the function has a context
// says little then. Such a wait is reported if code that runs with the controllers
// reaches it. Otherwise its fact leaves the decision to callers in other packages.
//
//	for {
//		err := c.Get(ctx, name, new(apiextensionsv1.CustomResourceDefinition))
//		if err == nil {
//			return nil
//		}
//		time.Sleep(time.Second)
//	}

// startsUp reports whether the loop waits at the start of the process.
func (p *pkg) startsUp(l *cfg.Loop) bool {
	return slices.ContainsFunc(l.Func().Blocks, func(b *ssa.BasicBlock) bool { return l.Blocks[b] && p.blockStartsUp(b, true) })
}

// pollStartsUp reports whether a library's poll waits at the start of the process, by
// what its callback calls.
func (p *pkg) pollStartsUp(call *ssa.CallCommon, wait *library.Wait) bool {
	args := callee.Args(call)
	i, ok := wait.Args.Of(library.CallbackArg, len(args))
	if !ok {
		return false
	}
	return slices.ContainsFunc(p.Resolver.Value(args[i]).Own, func(fn *ssa.Function) bool {
		return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return p.blockStartsUp(b, true) })
	})
}

// blockStartsUp looks at the calls in the block. With deeper, it also looks at the
// calls in this package's functions that the block calls.
func (p *pkg) blockStartsUp(b *ssa.BasicBlock, deeper bool) bool {
	for _, instr := range b.Instrs {
		call, ok := instr.(*ssa.Call)
		if !ok {
			continue
		}
		if library.Of(callee.Static(call.Common())).StartsUp || dealsWithDefinition(call.Common()) {
			return true
		}
		callee := p.Index.Own(call.Call.StaticCallee())
		if deeper && callee != nil && slices.ContainsFunc(callee.Blocks, func(b *ssa.BasicBlock) bool { return p.blockStartsUp(b, false) }) {
			return true
		}
	}
	return false
}

// dealsWithDefinition reports whether the call takes or returns the definition
// of a custom resource.
func dealsWithDefinition(call *ssa.CallCommon) bool {
	for _, arg := range call.Args {
		if library.TypeOf(origin.Through(arg, origin.Boxed).Type()).StartsUp {
			return true
		}
	}
	results := call.Signature().Results()
	for i := range results.Len() {
		if library.TypeOf(results.At(i).Type()).StartsUp {
			return true
		}
	}
	return false
}
