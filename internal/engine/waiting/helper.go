package waiting

import (
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A project's own retry helper is a function with a waiting loop that calls one
// of its parameters in each round:
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
// What its callers pass decides how bad the loop is: a function whose error ends
// it, or so few and short rounds that nobody minds.

// endingCallback returns the index of the parameter whose error ends the loop,
// or -1.
func (p *pkg) endingCallback(l *loop, s *site) int {
	for i, param := range l.fn.Params {
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

// atCalls grades an endless loop of a helper by the calls in its own package.
// It is as bad as the worst of them.
func (p *pkg) atCalls(l *loop, s *site) Grade {
	calls := p.calls[l.fn]
	if len(calls) == 0 || len(p.uses[l.fn]) > 0 {
		return Endless
	}
	callback := p.endingCallback(l, s)
	grade := Fine
	for _, call := range calls {
		grade = max(grade, p.atCall(l, s, callback, call))
	}
	return grade
}

func (p *pkg) atCall(l *loop, s *site, callback int, call *ssa.CallCommon) Grade {
	env := make(evaluator)
	for i, param := range l.fn.Params {
		if i < len(call.Args) {
			if v := make(evaluator).eval(call.Args[i], 0); v != nil {
				env[param] = v
			}
		}
	}
	if p.shortWith(l, env, s) {
		return Fine
	}
	if callback < 0 || callback >= len(call.Args) || !p.failsWhenDone(call.Args[callback]) {
		return Endless
	}
	if s.duration != nil {
		if d, ok := env.duration(s.duration); ok && p.soon(d) {
			return Fine
		}
	}
	return Late
}

// failsWhenDone reports whether the function returns an error once the contexts
// in scope are done.
func (p *pkg) failsWhenDone(v ssa.Value) bool {
	vs := p.callbackResults(v, ScopeDone)
	return len(vs) > 0 && vs[len(vs)-1].nonNil()
}

// blindLoop describes a loop to callers in other packages: where it is, and
// which of the parameters decide how bad it is.
func (a *analyzer) blindLoop(v verdict) *Blind {
	b := &Blind{At: a.at(v.site.instr.Pos())}
	b.Callback = a.endingCallback(v.loop, &v.site) + 1
	b.Interval = paramIndex(v.loop.fn, v.site.duration) + 1
	b.Rounds = paramIndex(v.loop.fn, v.loop.limit()) + 1
	return b
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

// gradeBlind grades a call of a function of another package with a blind loop.
func (a *analyzer) gradeBlind(call *ssa.CallCommon, blind Blind) Grade {
	args := arguments(call)
	arg := func(param int) ssa.Value {
		if i := param - 1; 0 <= i && i < len(args) {
			return args[i]
		}
		return nil
	}
	fails := false
	if v := arg(blind.Callback); v != nil {
		fails = a.failsWhenDone(v)
	}
	if v := arg(blind.Interval); v != nil {
		if d, ok := constDuration(v); ok {
			if fails && a.soon(d) {
				return Fine
			}
			if n, ok := constInt(arg(blind.Rounds)); ok && n <= maxSimulated && time.Duration(n)*d <= a.opts.MaxWait {
				return Fine
			}
		}
	}
	if fails {
		return Late
	}
	return Endless
}
