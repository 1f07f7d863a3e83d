package waiting

import (
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// callInstruction judges a call that may wait: of a library's poll, of a function of
// another package whose fact has an unobserved loop, or of a function that observes
// its context but gets one that is never done.
func (a *analyzer) callInstruction(fn *ssa.Function, call ssa.CallInstruction, r contexts.Reaching) {
	targets := a.Implementations(call)
	if plain, ok := call.(*ssa.Call); ok && len(targets) > 0 {
		a.restyFinding(plain, r)
	}
	for _, obj := range targets {
		if a.target(fn, call, obj, r) {
			return // one of them is enough
		}
	}
}

// target judges a call of a function that may wait, and reports whether it has a finding.
func (a *analyzer) target(fn *ssa.Function, call ssa.CallInstruction, obj *types.Func, r contexts.Reaching) bool {
	f, tolerance := a.gradeCall(fn, call, obj)
	if f.Grade == Fine || a.inCleanup(fn, call.Block()) {
		return false
	}
	alone := a.callHoldsUpNobody(fn, call, &f)
	if f.Kind == OtherContext && (alone || a.again(call.Common())) {
		return false
	}
	if tolerance.minds(r) && !alone {
		f.Context, f.Name = r.Context, contexts.ShortName(obj)
		f.Pos, f.End = contexts.NameRange(fn, call)
		a.findings = append(a.findings, f)
		return true
	}
	if f.Grade == Endless && f.Kind != OtherContext && tolerance.leaves(r) {
		u := &Unobserved{At: f.At, Async: f.Async, Tolerance: tolerance, WayOut: f.wayOut, Lasts: f.Lasts, alone: alone}
		if wait := a.WaitOf(obj); wait != nil {
			a.ofPoll(u, fn, call.Common(), wait)
		} else if fact := a.fact(obj.Origin()); fact != nil {
			u.passOn(&fact.Unobserved, fn, callee.Args(call.Common()))
		}
		a.note(fn, u)
	}
	return false
}

// gradeCall returns the kind and the grade of the waiting loop that the call amounts
// to.
func (a *analyzer) gradeCall(fn *ssa.Function, call ssa.CallInstruction, obj *types.Func) (f Finding, t Tolerance) {
	_, async := call.(*ssa.Go)
	if wait := a.WaitOf(obj); wait != nil {
		f := Finding{Kind: Poll, Async: async, At: a.Place(call.Pos()), Remedy: wait.Remedy, wayOut: pollHasWayOut(call.Common(), wait)}
		if wait.Loop {
			f.Grade, f.Interval = a.gradePoll(fn, call.Common(), wait)
			if b, ok := a.policy(call.Common(), wait); ok {
				f.lasts = b.total()
			}
			f.Lasts = a.longestPoll(call.Common(), wait)
		}
		if f.Grade != Fine {
			t = Tolerance{Starting: a.pollStartsUp(call.Common(), wait), Brief: a.shortPoll(call.Common(), wait, a.tolerableWait())}
		}
		return f, t
	}
	if a.observes(call.Common(), obj) && a.onlyUpTo(contexts.Timed, call.Common()) && (!async || a.Scope(fn) != "") ||
		!async && a.observesBelow(call.Common(), obj) && a.onlyUpTo(contexts.Never, call.Common()) {
		return Finding{Kind: OtherContext, Grade: Endless, Async: async}, Tolerance{}
	}
	if obj.Pkg() != a.Types {
		if fact := a.fact(obj.Origin()); fact != nil && !fact.Unobserved.At.IsZero() {
			loop := fact.Unobserved
			f := Finding{Kind: Call, Async: async || loop.Async, At: loop.At, wayOut: loop.WayOut, Lasts: loop.Lasts}
			f.Grade, t = a.gradeUnobserved(call.Common(), loop)
			t.Leaving = f.Async
			if args := callee.Args(call.Common()); 0 < loop.Backoff && loop.Backoff <= len(args) {
				b, _ := a.backoffAt(args[loop.Backoff-1])
				f.lasts = b.total()
				f.Lasts = bounded(f.lasts)
			}
			return f, t
		}
	}
	return Finding{}, Tolerance{}
}

// observes reports whether the function waits in a loop that its context ends.
func (a *analyzer) observes(call *ssa.CallCommon, obj *types.Func) bool {
	if own := a.Index.Own(call.StaticCallee()); own != nil {
		return a.observesItself(own)
	}
	if obj.Pkg() == a.Types {
		return false
	}
	fact := a.fact(obj.Origin())
	return fact != nil && fact.Observes
}

// observesItself reports whether fn has a context parameter, and a waiting loop whose
// wait a context in scope ends.
func (p *pkg) observesItself(fn *ssa.Function) bool {
	if !slices.ContainsFunc(fn.Params, func(param *ssa.Parameter) bool { return contexts.IsContext(param.Type()) }) {
		return false
	}
	for _, s := range p.sites(fn) {
		if s.interruptible && !s.helper && (s.poll || p.nest(fn).Innermost(s.block) != nil) {
			return true
		}
	}
	return false
}

// observesBelow reports whether the function, or one that it hands its context to, waits
// in a loop that its context ends.
func (a *analyzer) observesBelow(call *ssa.CallCommon, obj *types.Func) bool {
	if own := a.Index.Own(call.StaticCallee()); own != nil {
		return a.handsToWait(own)
	}
	if obj.Pkg() == a.Types {
		return false
	}
	fact := a.fact(obj.Origin())
	return fact != nil && (fact.Observes || fact.ObservesBelow)
}

// handsToWait is observesBelow for a function of the package. A recursive call counts as
// none.
func (a *analyzer) handsToWait(fn *ssa.Function) bool {
	if known, ok := a.waitsBelow[fn]; ok {
		return known
	}
	a.waitsBelow[fn] = false
	found := a.observesItself(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if found || !ok {
				continue
			}
			obj := callee.Static(call.Common())
			found = obj != nil && slices.ContainsFunc(contexts.Of(call.Common()), func(ctx ssa.Value) bool {
				_, own := a.madeFrom(ctx).(*ssa.Parameter)
				return own
			}) && a.observesBelow(call.Common(), obj)
		}
	}
	a.waitsBelow[fn] = found
	return found
}

// madeFrom returns the context that the context is derived from in its function, through
// functions that take one context.
func (a *analyzer) madeFrom(ctx ssa.Value) ssa.Value {
	for range maxChain {
		o := origin.Of(ctx)
		if o.Kind != origin.Result {
			break
		}
		from := contexts.Of(o.Call.Common())
		if len(from) != 1 || a.Signal(ctx) == contexts.Detached {
			break
		}
		ctx = from[0]
	}
	return ctx
}

// again reports whether another call with a context that is made from the same one has
// been reported. The cause is one: where that context is made.
func (a *analyzer) again(call *ssa.CallCommon) bool {
	again := false
	for _, ctx := range contexts.Of(call) {
		made := a.madeFrom(ctx)
		if _, named := made.(*ssa.Call); named && len(*made.Referrers()) > 1 {
			again = again || a.otherContexts[made]
			a.otherContexts[made] = true
		}
	}
	return again
}

// onlyUpTo reports whether there are contexts among the arguments, and the signals of all
// of them are at most the given one.
func (a *analyzer) onlyUpTo(most contexts.Signal, call *ssa.CallCommon) bool {
	found := false
	for _, arg := range callee.Args(call) {
		if contexts.IsContext(arg.Type()) {
			if a.Signal(arg) > most {
				return false
			}
			found = true
		}
	}
	return found
}

// gradePoll grades a call of a library's poll or retry.
func (a *analyzer) gradePoll(fn *ssa.Function, call *ssa.CallCommon, wait *library.Wait) (Grade, string) {
	s, observes := a.waitSignal(call, wait)
	if observes && (s >= contexts.Detached || s == contexts.Timed && cleansUp(fn)) || a.shortPoll(call, wait, a.Options.MaxWait) {
		return Fine, ""
	}
	ended, _ := a.endedByCallback(call, wait, ScopeDone)
	if !ended {
		if stopped, _ := a.endedByCallback(call, wait, AllDone); stopped {
			return Fine, ""
		}
		return Endless, ""
	}
	args := callee.Args(call)
	if i, ok := wait.Args.Of(library.IntervalArg, len(args)); ok {
		if d, ok := a.usually(args[i]); ok && a.soon(d) {
			return Fine, ""
		}
		if d, ok := a.Duration(args[i]); ok {
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
