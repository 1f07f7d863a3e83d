package contexts

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Target returns the function that a call reaches, directly or through a variable
// that only tests assign to:
//
//	var sleep = time.Sleep
//
// A call through an interface reaches the interface's method. It is the method of
// another package's type if that is known to be the only implementation.
func (p *Package) Target(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		if t := p.Resolver.Call(call); !t.Open && len(t.Foreign) == 1 && len(t.Own) == 0 {
			return t.Foreign[0]
		}
	}
	if fn := callee.Static(call); fn != nil || call.IsInvoke() {
		return fn
	}
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return nil
	}
	if t := p.Resolver.Value(call.Value); len(t.Foreign) == 1 && len(t.Own) == 0 {
		return t.Foreign[0]
	}
	return nil
}

// Implementations returns the function that a call reaches, as Target does, if that is known. A call
// through an interface reaches the methods of the types of other packages that its function makes one of:
//
//	for _, step := range []Step{database.New(c), cache.New(c)} { step.Run(log) }
func (p *Package) Implementations(call ssa.CallInstruction) []*types.Func {
	common := call.Common()
	if common.IsInvoke() {
		if t := p.Resolver.Call(common); len(t.Own)+len(t.Foreign) == 0 {
			if made := madeIn(call.Parent(), common); len(made) > 0 {
				return made
			}
		}
	}
	if fn := p.Target(common); fn != nil {
		return []*types.Func{fn}
	}
	return nil
}

// madeIn returns the methods that are called, of the types of which the function makes values of the
// interface.
func madeIn(fn *ssa.Function, call *ssa.CallCommon) (all []*types.Func) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			v, ok := instr.(ssa.Value)
			if !ok {
				continue
			}
			o := origin.Of(v)
			if o.Kind != origin.Boxed || !types.Identical(v.Type(), call.Value.Type()) {
				continue
			}
			m, _, _ := types.LookupFieldOrMethod(o.X.Type(), false, call.Method.Pkg(), call.Method.Name())
			if method, ok := m.(*types.Func); ok && !slices.Contains(all, method) {
				all = append(all, method)
			}
		}
	}
	return all
}

// StartsGoroutine reports whether the call runs its argument in a goroutine, as
// the groups of x/sync and of the standard library do.
func StartsGoroutine(call *ssa.CallCommon) bool {
	return library.Of(callee.Static(call)).StartsGoroutine
}

// runsOnce reports whether the call runs its argument once in the life of the
// process, as sync.Once does. Goroutines that the argument starts outlive the first
// caller, so they do not belong to its context.
func runsOnce(call *ssa.CallCommon) bool {
	return library.Of(callee.Static(call)).Meaning == library.RunsOnce
}

// greatest returns the upper bound that a call of a random number generator is given,
// nil for other calls.
func greatest(call *ssa.Call) ssa.Value {
	args := callee.Args(call.Common())
	if i, ok := library.Of(callee.Static(call.Common())).Args.Of(library.BoundArg, len(args)); ok {
		return args[i]
	}
	return nil
}

// CalleeName names the callee of a call for messages.
func CalleeName(call *ssa.CallCommon) string {
	if fn := callee.Static(call); fn != nil {
		return ShortName(fn)
	}
	if fn := call.StaticCallee(); fn != nil {
		if pos := fn.Pos(); pos.IsValid() {
			return "a closure"
		}
	}
	return "a function"
}

// ShortName returns a function's name, qualified with the name of its package or of
// its receiver's type.
func ShortName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		if named := library.NamedOf(recv.Type()); named != nil {
			return named.Obj().Name() + "." + fn.Name()
		}
		return fn.Name()
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
