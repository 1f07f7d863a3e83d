package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// Target returns the library function that a call reaches, directly or through
// a variable that exists so that tests can replace it:
//
//	var sleep = time.Sleep
func (p *Package) Target(call *ssa.CallCommon) *types.Func {
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
// process, on behalf of whoever comes first: the goroutines that it starts
// belong to nobody's context.
func runsOnce(call *ssa.CallCommon) bool {
	return library.Of(callee.Static(call)).Meaning == library.RunsOnce
}

// greatest returns the greatest value that a call of a function of random numbers
// may return.
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

// ShortName is a function's name with the last element of its package's path,
// or with its receiver's type.
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
