package waiting

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Some waits tell by what they wait for that they belong to the start of the
// process: until the definitions of its resources are there, or its port is
// free. A context of the function says little then; only if something in the
// package runs with the controllers and gets to such a wait it is reported
// there. Else it is for the callers in other packages to know.
//
//	for {
//		err := c.Get(ctx, name, new(apiextensionsv1.CustomResourceDefinition))
//		if err == nil {
//			return nil
//		}
//		time.Sleep(time.Second)
//	}

// startsUp reports whether the loop is such a wait.
func (p *pkg) startsUp(l *cfg.Loop) bool {
	return slices.ContainsFunc(l.Func().Blocks, func(b *ssa.BasicBlock) bool { return l.Blocks[b] && p.blockStartsUp(b, true) })
}

// pollStartsUp reports whether the callback of a library's poll looks at what
// such a wait is for.
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

// blockStartsUp looks at the calls in the block, and at what the functions of
// this package that it calls do themselves.
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
