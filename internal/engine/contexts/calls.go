package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
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
