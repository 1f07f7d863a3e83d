package waiting

import (
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// callInstruction judges a call of a library's poll, of a function of another
// package whose fact says that it waits blindly, or of one that would observe
// its context if it got a live one.
func (a *analyzer) callInstruction(fn *ssa.Function, call ssa.CallInstruction, r reaching) {
	obj := ssair.Callee(call.Common())
	if obj == nil {
		return
	}
	if plain, ok := call.(*ssa.Call); ok {
		a.restyFinding(plain, r)
	}
	f, starting := a.gradeCall(fn, call, obj)
	if f.Grade == Fine || a.inCleanup(fn, call.Block()) {
		return
	}
	if r.minds(starting) || r.reach == Startup && f.Async {
		f.Context, f.Name = r.context, shortName(obj)
		f.Pos, f.End = a.selector(fn, call)
		a.findings = append(a.findings, f)
	} else if f.Grade == Endless && f.Kind != Dead {
		a.blinded(fn, &Blind{At: f.At, Async: f.Async, Starting: starting})
	}
}

// gradeCall says what kind of waiting loop the call is, and how bad, and whether
// it is one of a process that starts.
func (a *analyzer) gradeCall(fn *ssa.Function, call ssa.CallInstruction, obj *types.Func) (f Finding, starting bool) {
	_, async := call.(*ssa.Go)
	if wait, ok := a.waitOf(obj); ok {
		f := Finding{Kind: Poll, Async: async, At: a.at(call.Pos()), Remedy: wait.Remedy}
		if wait.Loop {
			f.Grade, f.Interval = a.gradePoll(fn, call.Common(), wait)
		}
		return f, f.Grade != Fine && a.pollStartsUp(call.Common(), wait)
	}
	if a.listens(call.Common(), obj) && a.onlyDead(call.Common()) && (!async || a.scope(fn) != "") {
		return Finding{Kind: Dead, Grade: Endless, Async: async}, false
	}
	if obj.Pkg() != a.types {
		if fact := a.fact(obj.Origin()); fact != nil && fact.Blind.At != "" {
			blind := fact.Blind
			f := Finding{Kind: Call, Grade: a.gradeBlind(call.Common(), blind), Async: async || blind.Async, At: blind.At}
			return f, blind.Starting
		}
	}
	return Finding{}, false
}

// listens reports whether a call of the function waits in a loop that the
// context it is given ends.
func (a *analyzer) listens(call *ssa.CallCommon, obj *types.Func) bool {
	if own := a.own(call.StaticCallee()); own != nil {
		return a.listensItself(own)
	}
	if obj.Pkg() == a.types {
		return false
	}
	fact := a.fact(obj.Origin())
	return fact != nil && fact.Listens
}

// listensItself reports whether fn has a waiting loop that its context parameter
// ends, and none that it does not.
func (p *pkg) listensItself(fn *ssa.Function) bool {
	if !slices.ContainsFunc(fn.Params, func(param *ssa.Parameter) bool { return isContext(param.Type()) }) {
		return false
	}
	for _, s := range p.sites(fn) {
		if !s.hard && !s.helper && (s.poll || p.nest(fn).of[s.block] != nil) {
			return true
		}
	}
	return false
}

// onlyDead reports whether all contexts among the arguments are never done, or
// only after a time of their own.
func (a *analyzer) onlyDead(call *ssa.CallCommon) bool {
	found := false
	for _, arg := range arguments(call) {
		if isContext(arg.Type()) {
			if a.signal(arg) > Timed {
				return false
			}
			found = true
		}
	}
	return found
}

// gradePoll grades a call of a library's poll or retry.
func (a *analyzer) gradePoll(fn *ssa.Function, call *ssa.CallCommon, wait library.Wait) (Grade, string) {
	s, listens := a.waitSignal(call, wait)
	if listens && (s >= Detached || s == Timed && cleansUp(fn)) || a.shortPoll(call, wait) {
		return Fine, ""
	}
	ended, _ := a.endedByCallback(call, wait, ScopeDone)
	if !ended {
		if stopped, _ := a.endedByCallback(call, wait, AllDone); stopped {
			return Fine, ""
		}
		return Endless, ""
	}
	args := arguments(call)
	if i, ok := wait.Args.Of(library.IntervalArg, len(args)); ok {
		if d, ok := constDuration(args[i]); ok {
			if a.soon(d) {
				return Fine, ""
			}
			return Late, d.String()
		}
	}
	if b, ok := a.policy(call, wait); ok {
		longest := b.longest()
		if a.soon(longest) {
			return Fine, ""
		}
		return Late, "up to " + longest.Round(time.Second).String()
	}
	return Late, ""
}
