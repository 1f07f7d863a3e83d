package waiting

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// waitSignal returns the signal that a library's wait observes. It is not ok if the
// wait observes none.
func (p *pkg) waitSignal(call *ssa.CallCommon, wait *library.Wait) (s contexts.Signal, ok bool) {
	args := callee.Args(call)
	if i, ok := wait.Args.Of(library.ContextArg, len(args)); ok {
		return p.Signal(args[i]), true
	}
	if i, ok := wait.Args.Of(library.CarrierArg, len(args)); ok {
		return p.Carried(args[i]), true
	}
	return contexts.Never, false
}

// endedByCallback reports whether the callback of a poll or a retry ends it in this
// world, and which error the poll then returns.
func (p *pkg) endedByCallback(call *ssa.CallCommon, wait *library.Wait, world World) (ended bool, result Value) {
	args := callee.Args(call)
	i, ok := wait.Args.Of(library.CallbackArg, len(args))
	if !ok || wait.Ends == 0 {
		return false, Unknown
	}
	if wait.Ends&library.OnFalsePredicate != 0 {
		err := Unknown
		if vs := p.callbackResults(args[i], world); len(vs) > 0 {
			err = vs[len(vs)-1]
		}
		if i, ok := wait.Args.Of(library.RetryIfArg, len(args)); ok && p.predicate(args[i], err, world) == False {
			return true, err
		}
		return false, Unknown
	}
	result = Unreached
	for _, vs := range p.callbackReturns(args[i], world) {
		ends, err := p.endedBy(call, wait, vs, world)
		if !ends {
			return false, Unknown
		}
		result = result.join(err)
	}
	return result != Unreached, result
}

// endedBy reports whether a callback ends the poll or the retry by these results, and
// which error that then returns.
func (p *pkg) endedBy(call *ssa.CallCommon, wait *library.Wait, vs Values, world World) (ended bool, result Value) {
	if len(vs) == 0 {
		return false, Unknown
	}
	err, last := vs[len(vs)-1], len(vs)-1
	switch {
	case wait.Policy == library.AvastOptions && p.givesUp(call, wait, err, world),
		wait.Ends&library.OnError != 0 && err.nonNil(),
		wait.Ends&library.OnTrue != 0 && last > 0 && vs[0] == True:
		return true, err
	case wait.Ends&library.OnPermanent != 0 && err == Permanent:
		return true, Cancelled
	}
	return false, Unknown
}

// givesUp reports whether the option RetryIf of avast/retry-go ends the retries after
// the error.
func (p *pkg) givesUp(call *ssa.CallCommon, wait *library.Wait, err Value, world World) bool {
	args := callee.Args(call)
	i, ok := wait.Args.Of(library.CarrierArg, len(args))
	if !ok {
		return false
	}
	for _, option := range p.Constructors(args[i]) {
		if callee.Static(option).Name() == "RetryIf" && p.predicate(option.Args[0], err, world) == False {
			return true
		}
	}
	return false
}

// predicate evaluates a function that is called with the error.
func (p *pkg) predicate(v ssa.Value, err Value, world World) Value {
	targets := p.Resolver.Value(v)
	result := Unreached
	for _, fn := range targets.Foreign {
		if !deniesCancellation(fn) || err != Cancelled {
			return Unknown
		}
		result = result.join(False)
	}
	for _, fn := range targets.Own {
		given := make(map[ssa.Value]Value)
		for _, param := range fn.Params {
			if library.IsError(param.Type()) {
				given[param] = err
			}
		}
		result = result.join(p.resultsGiven(fn, world, given).at(0))
	}
	if targets.Open || result == Unreached {
		return Unknown
	}
	return result
}

// callbackResults joins the results of the functions that v may be.
func (p *pkg) callbackResults(v ssa.Value, world World) Values {
	return joined(p.callbackReturns(v, world))
}

// callbackReturns are the results of each return statement that is reached in the
// functions that v may be; none if there may be others.
func (p *pkg) callbackReturns(v ssa.Value, world World) (all []Values) {
	targets := p.Resolver.Value(v)
	if targets.Open || len(targets.Foreign) > 0 {
		return nil
	}
	for _, fn := range targets.Own {
		rets := p.returns(fn, world)
		if len(rets) == 0 {
			return nil
		}
		all = append(all, rets...)
	}
	return all
}
