package waiting

import (
	"go/constant"
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A retry helper of the project is a function with a waiting loop that calls one of
// its parameters in each round:
//
//	func retry(n int, pause time.Duration, f func() error) error {
//		for range n {
//			if err := f(); err == nil {
//				return nil
//			}
//			time.Sleep(pause)
//		}
//		...
//	}
//
// The grade of such a loop depends on the arguments of the calls. A callback may end
// the loop by its error, or there may be so few and short rounds that they are within
// the bound.

// endingCallback returns the index of the parameter whose error ends the loop,
// or -1.
func (p *pkg) endingCallback(l *cfg.Loop, s *site) int {
	for i, param := range l.Func().Params {
		sig, ok := param.Type().Underlying().(*types.Signature)
		if !ok || sig.Results().Len() == 0 {
			continue
		}
		last := sig.Results().Len() - 1
		if !library.IsError(sig.Results().At(last).Type()) {
			continue
		}
		vs := make(Values, last+1)
		for j := range vs {
			vs[j] = Unknown
		}
		vs[last] = Cancelled
		if !p.endless(l, s, ScopeDone, map[*ssa.Parameter]Values{param: vs}) {
			return i
		}
	}
	return -1
}

// atCalls grades an endless loop of a helper by the calls in its own package. The
// worst of them counts.
func (p *pkg) atCalls(l *cfg.Loop, s *site) Grade {
	calls := p.Index.Calls(l.Func())
	if len(calls) == 0 || len(p.Index.Uses(l.Func())) > 0 {
		return Endless
	}
	callback := p.endingCallback(l, s)
	grade := Fine
	for _, call := range calls {
		grade = max(grade, p.atCall(l, s, callback, call.Common()))
	}
	return grade
}

func (p *pkg) atCall(l *cfg.Loop, s *site, callback int, call *ssa.CallCommon) Grade {
	env := p.calledWith(l.Func(), call)
	if p.shortWith(l, env.Given, s, p.Options.MaxWait) {
		return Fine
	}
	if callback < 0 || callback >= len(call.Args) || !p.failsWhenDone(call.Args[callback]) {
		return Endless
	}
	if s.duration != nil {
		if d, ok := env.Duration(s.duration); ok && p.soon(d) {
			return Fine
		}
	}
	return Late
}

// calledWith returns an evaluator that knows the constants that a call passes.
func (p *pkg) calledWith(fn *ssa.Function, call *ssa.CallCommon) constants.Evaluator {
	env := p.Constants
	env.Given = make(map[ssa.Value]constant.Value)
	for i, param := range fn.Params {
		if i < len(call.Args) {
			if v := p.Constants.Eval(call.Args[i]); v != nil {
				env.Given[param] = v
			}
		}
	}
	return env
}

// failsWhenDone reports whether the function returns an error once the contexts
// in scope are done.
func (p *pkg) failsWhenDone(v ssa.Value) bool {
	vs := p.callbackResults(v, ScopeDone)
	return len(vs) > 0 && vs[len(vs)-1].nonNil()
}

// unobservedLoop describes a loop for callers in other packages: where it is, and
// which parameters its grade depends on.
func (a *analyzer) unobservedLoop(v verdict) *Unobserved {
	u := &Unobserved{At: a.Place(v.site.instr.Pos()), WayOut: a.hasWayOut(v.loop)}
	u.Callback = a.endingCallback(v.loop, &v.site) + 1
	u.Interval = paramIndex(v.loop.Func(), v.site.duration) + 1
	u.Rounds = paramIndex(v.loop.Func(), limit(v.loop)) + 1
	return u
}

// paramIndex returns the index of the parameter that v is, or -1.
func paramIndex(fn *ssa.Function, v ssa.Value) int {
	for i, param := range fn.Params {
		if v != nil && v == ssa.Value(param) {
			return i
		}
	}
	return -1
}

// gradeUnobserved grades a call of a function of another package that has an
// unobserved loop.
func (a *analyzer) gradeUnobserved(call *ssa.CallCommon, loop Unobserved) (Grade, Tolerance) {
	args := callee.Args(call)
	arg := func(param int) ssa.Value {
		if i := param - 1; 0 <= i && i < len(args) {
			return args[i]
		}
		return nil
	}
	tolerance := loop.Tolerance
	if b, ok := a.backoffAt(arg(loop.Backoff)); ok {
		if b.total() <= a.Options.MaxWait {
			return Fine, tolerance
		}
		tolerance.Brief = tolerance.Brief || b.total() <= a.tolerableWait()
	}
	if loop.Poll {
		if v := arg(loop.Callback); v == nil || a.mayEndPoll(v, arg(loop.RetryIf)) {
			return Fine, tolerance
		}
		return Endless, tolerance
	}
	fails := false
	if v := arg(loop.Callback); v != nil {
		fails = a.failsWhenDone(v)
	}
	if v := arg(loop.Interval); v != nil {
		if d, ok := a.Duration(v); ok {
			if fails && a.soon(d) {
				return Fine, tolerance
			}
			if n, ok := constants.Int(arg(loop.Rounds)); ok && n <= maxSimulated {
				total := time.Duration(n) * d
				if total <= a.Options.MaxWait {
					return Fine, tolerance
				}
				tolerance.Brief = tolerance.Brief || total <= a.tolerableWait()
			}
		}
	}
	if fails {
		return Late, tolerance
	}
	return Endless, tolerance
}

// A helper may leave the loop to a poll or retry of a library, and pass its own callback
// on. Whether that ends the poll depends on the call of the helper:
//
//	func Retry(f func() error, retriable func(error) bool) error {
//		return retry.OnError(backoff, retriable, f)
//	}

// ofPoll notes the parameters of fn that the library's poll calls, itself or in a literal
// that may return an error, and the one that has its steps.
func (a *analyzer) ofPoll(u *Unobserved, fn *ssa.Function, call *ssa.CallCommon, wait *library.Wait) {
	args := callee.Args(call)
	if i, ok := wait.Args.Of(library.BackoffArg, len(args)); ok {
		if param := loadedParam(args[i]); param != nil {
			u.Backoff = paramIndex(fn, param) + 1
		}
	}
	if i, ok := wait.Args.Of(library.CallbackArg, len(args)); ok {
		if lit, ok := origin.Through(args[i], origin.Renamed).(*ssa.MakeClosure); ok {
			if vs := a.callbackResults(lit, ScopeDone); len(vs) > 0 && vs[len(vs)-1] == Nil {
				return
			}
			for _, captured := range lit.Bindings {
				u.pass(fn, captured)
			}
		} else {
			u.pass(fn, args[i])
		}
	}
	if i, ok := wait.Args.Of(library.RetryIfArg, len(args)); ok {
		u.pass(fn, args[i])
	}
	u.Poll = u.Callback > 0
}

// passShortSteps reports whether the calls of the function with the loop, of which there are
// some, pass steps that certainly take no longer in all than most.
func (a *analyzer) passShortSteps(u *Unobserved, calls []ssa.CallInstruction, most time.Duration) bool {
	return u.Backoff > 0 && len(calls) > 0 && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		args := callee.Args(call.Common())
		if u.Backoff > len(args) {
			return true
		}
		b, ok := a.backoffAt(args[u.Backoff-1])
		return !ok || b.total() > most
	})
}

// passOn notes the parameters of fn that it passes to a helper with the loop below, in a
// call with these arguments.
func (u *Unobserved) passOn(below *Unobserved, fn *ssa.Function, args []ssa.Value) {
	if i := below.Backoff - 1; 0 <= i && i < len(args) {
		u.Backoff = paramIndex(fn, args[i]) + 1
	}
	if !below.Poll {
		return
	}
	for _, param := range []int{below.Callback, below.RetryIf} {
		if i := param - 1; 0 <= i && i < len(args) {
			u.pass(fn, args[i])
		}
	}
	u.Poll = u.Callback > 0
}

// pass notes the parameter of fn that v is, by its type: a callback returns an error, and
// a condition of another round takes one.
func (u *Unobserved) pass(fn *ssa.Function, v ssa.Value) {
	i := paramIndex(fn, v)
	if cell, ok := v.(*ssa.Alloc); ok {
		if stored := origin.StoredOnce(cell); stored != nil {
			i = paramIndex(fn, stored) // a parameter that a literal captures
		}
	}
	if i < 0 {
		return
	}
	sig, ok := fn.Params[i].Type().Underlying().(*types.Signature)
	switch {
	case !ok:
	case sig.Params().Len() == 1 && library.IsError(sig.Params().At(0).Type()):
		u.RetryIf = i + 1
	case sig.Results().Len() > 0 && library.IsError(sig.Results().At(sig.Results().Len()-1).Type()):
		u.Callback = i + 1
	}
}

// mayEndPoll reports whether the end of a context may end a poll by its callback and its
// condition of another round, which is nil if there is none: not if the callback has no
// context, nor if there is another round after each error.
func (a *analyzer) mayEndPoll(callback, retryIf ssa.Value) bool {
	if retryIf != nil && a.predicate(retryIf, Cancelled, ScopeDone) == True {
		return false
	}
	targets := a.Resolver.Value(callback)
	return targets.Open || len(targets.Foreign) > 0 || slices.ContainsFunc(targets.Own, usesContext)
}

// usesContext reports whether the function has a context at hand.
func usesContext(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, operand := range instr.Operands(nil) {
				if *operand != nil && contexts.IsContext((*operand).Type()) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, usesContext)
}
