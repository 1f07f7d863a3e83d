package waiting

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// callInstruction judges a call of a library's poll, or of a function of
// another package whose fact says that it waits blindly.
func (a *analyzer) callInstruction(fn *ssa.Function, call ssa.CallInstruction, r reaching) {
	obj := calleeObject(call.Common())
	if obj == nil || a.inCleanup(fn, call.Block()) {
		return
	}
	_, async := call.(*ssa.Go)
	f := Finding{Context: r.context, Name: shortName(obj)}
	f.Pos, f.End = a.selector(fn, call)
	if wait, ok := kubeapi.WaitOf(obj); ok && wait.Loop {
		f.Kind, f.Remedy = Poll, wait.Remedy
		f.Grade, f.Interval = a.gradePoll(fn, call.Common(), wait)
		switch {
		case f.Grade == Fine:
		case r.reach == Running, r.reach == Startup && async:
			a.findings = append(a.findings, f)
		case r.reach == Nobody && f.Grade == Endless:
			a.blinded(fn, &Blind{At: a.at(call.Pos()), Async: async})
		}
		return
	}
	if plain, ok := call.(*ssa.Call); ok {
		a.restyFinding(plain, r)
	}
	if a.listens(call.Common(), obj) && a.onlyDead(call.Common()) && r.reach == Running && (!async || a.scope(fn) != "") {
		f.Kind, f.Grade = Dead, Endless
		a.findings = append(a.findings, f)
		return
	}
	if obj.Pkg() == a.types {
		return
	}
	fact := a.fact(obj.Origin())
	if fact == nil {
		return
	}
	if fact.Blind.At != "" {
		f.Kind, f.At, f.Grade = Call, fact.Blind.At, Endless
		f.Grade = a.gradeBlind(call.Common(), fact.Blind)
		async = async || fact.Blind.Async
		f.Async = async
		switch {
		case f.Grade == Fine:
		case r.reach == Running, r.reach == Startup && async:
			a.findings = append(a.findings, f)
		case r.reach == Nobody && f.Grade == Endless:
			a.blinded(fn, &Blind{At: fact.Blind.At, Async: async})
		}
	}
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
func (a *analyzer) gradePoll(fn *ssa.Function, call *ssa.CallCommon, wait kubeapi.Wait) (Grade, string) {
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
	if i, ok := wait.Args.Of(kubeapi.IntervalArg, len(args)); ok {
		if d, ok := constDuration(args[i]); ok {
			if d <= lateInterval {
				return Fine, ""
			}
			return Late, d.String()
		}
	}
	if b, ok := a.policy(call, wait); ok && b.longest() <= lateInterval {
		return Fine, ""
	}
	return Late, ""
}
