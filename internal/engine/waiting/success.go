package waiting

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// success reports returns that make cancellation look like success: the wait ends
// because the context is done, and the function returns what it also returns when the
// wait was successful.
//
//	for !drained() {
//		select {
//		case <-ctx.Done():
//			return nil        // an interrupted drain counts as drained
//		case <-ticker.C:
//		}
//	}
//	return nil
//
// A function that ends only by cancellation, such as a runnable's Start, rightly
// returns nil: it has no other success. In a goroutine that nobody waits for, nobody
// takes it for one before the process ends.
func (a *analyzer) success(fn *ssa.Function) {
	if !returnsError(fn) || contexts.IsStart(fn) {
		return
	}
	if by := a.Index.PassedTo(fn); by != nil && contexts.StartsGoroutine(by) {
		return
	}
	for _, l := range a.nest(fn).Loops {
		if a.waits(l) {
			a.afterLoop(l)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				a.afterPoll(call)
				a.afterResty(call)
			}
		}
	}
	a.inCallback(fn)
}

func returnsError(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	return res.Len() > 0 && library.IsError(res.At(res.Len()-1).Type())
}

// waits reports whether the loop has a wait of its own.
func (p *pkg) waits(l *cfg.Loop) bool {
	for _, s := range p.sites(l.Func()) {
		if p.nest(l.Func()).Innermost(s.block) == l {
			return true
		}
	}
	return false
}

// afterLoop compares the returns after a cancelled loop with those after a loop that
// has ended by itself. The context may be done at the beginning of a round, and it may be
// done during a wait, which is where most of the time is spent.
func (a *analyzer) afterLoop(l *cfg.Loop) {
	starts := []*ssa.BasicBlock{l.Header}
	for _, s := range a.sites(l.Func()) {
		if b := s.instr.Block(); s.interruptible && l.Blocks[b] && !slices.Contains(starts, b) {
			starts = append(starts, b)
		}
	}
	for _, start := range starts {
		f := a.executeFrom(start, nil, ScopeDone, nil)
		for _, ret := range f.afterDone(l.Header, func(e cfg.Edge) bool { return l.Blocks[e.From] }) {
			if a.succeeds(l, ret) {
				a.looksLikeSuccess(l.Func(), ret)
			}
		}
	}
}

// succeeds reports whether an exit of the loop that depends neither on a context nor
// on another channel leads to a return with the same results. Behind another round of the loop
// around it, such an exit of that loop does.
func (a *analyzer) succeeds(l *cfg.Loop, done *ssa.Return) bool {
	f := a.executeFrom(l.Header, nil, ScopeDone, nil)
	for b := range l.Blocks {
		for _, succ := range b.Succs {
			if l.Blocks[succ] || !l.Leaves(succ) || f.explicit(cfg.Edge{From: b, To: succ}) || a.inStopCase(l, b) || a.inStopCase(l, succ) || failed(l, b) {
				continue
			}
			rets, again := returnsFrom(succ, l)
			if again && a.succeeds(l.Parent, done) {
				return true
			}
			for _, ret := range rets {
				end := succ
				if succ.Dominates(ret.Block()) {
					end = ret.Block()
				}
				if !failed(l, end) && sameSuccess(ret, done) {
					return true
				}
			}
		}
	}
	return false
}

// inStopCase reports whether b belongs to a select case of a channel that is no timer.
// Such a channel sends an event or another signal.
func (a *analyzer) inStopCase(l *cfg.Loop, b *ssa.BasicBlock) bool {
	for other := range l.Blocks {
		for _, instr := range other.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			for i, state := range sel.States {
				if contexts.IsTimer(state.Chan) {
					continue
				}
				if target := cfg.CaseBlock(sel, i); target != nil && len(target.Preds) == 1 && target.Dominates(b) {
					return true
				}
			}
		}
	}
	return false
}

// returnsFrom returns the return statements reachable from b without another
// round of the loop, or of the one around it, and whether there may be one of the latter.
func returnsFrom(b *ssa.BasicBlock, l *cfg.Loop) (rets []*ssa.Return, again bool) {
	startsRound := func(b *ssa.BasicBlock) bool { return l != nil && l.Parent != nil && l.Parent.Header == b }
	if startsRound(b) {
		return nil, true
	}
	seen := map[*ssa.BasicBlock]bool{b: true}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			rets = append(rets, ret)
		}
		for _, succ := range b.Succs {
			if startsRound(succ) {
				again = true
			} else if !seen[succ] && (l == nil || !l.Blocks[succ]) {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
	return rets, again
}

// sameSuccess reports whether the returned error can be nil, and all other
// results are the same constants as in the other return.
func sameSuccess(ret, done *ssa.Return) bool {
	last := len(ret.Results) - 1
	if !canBeNil(ret.Results[last]) {
		return false
	}
	for i, v := range ret.Results[:last] {
		if !sameConstant(v, done.Results[i]) && ret != done {
			return false
		}
	}
	return true
}

// canBeNil reports whether v is known to be nil on some path.
func canBeNil(v ssa.Value) bool {
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return constants.IsNil(v)
	case origin.Choice:
		return slices.ContainsFunc(o.Edges, constants.IsNil)
	case origin.Loaded: // a named result
		return origin.Of(o.X).Kind == origin.Local
	}
	return false
}

func sameConstant(v, w ssa.Value) bool {
	a, ok1 := v.(*ssa.Const)
	b, ok2 := w.(*ssa.Const)
	if !ok1 || !ok2 {
		return emptyStruct(v) && emptyStruct(w)
	}
	return a.String() == b.String()
}

// emptyStruct reports whether v is a composite literal that sets no field, such as
// ctrl.Result{}.
func emptyStruct(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind != origin.Loaded || origin.Of(o.X).Kind != origin.Local {
		return false
	}
	for _, ref := range *o.X.Referrers() {
		switch ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// asksAgain reports whether v is the result of a reconcile, or a pointer to one, that asks for
// another reconcile. The work is not done, and that says so.
func asksAgain(v ssa.Value) bool {
	if library.TypeOf(library.Deref(v.Type())).Is != library.Result {
		return false
	}
	v = origin.Through(v, origin.Loaded)
	return origin.Of(v).Kind == origin.Local && origin.StoredBelow(v)
}

// afterPoll looks at the returns after a library's poll or retry that has ended
// because of the context.
func (a *analyzer) afterPoll(call *ssa.Call) {
	wait := a.WaitOf(callee.Static(call.Common()))
	if wait == nil || !wait.Loop || a.signalOfWait(call.Common(), wait) != contexts.Scope {
		return
	}
	fn := call.Parent()
	if !a.canSucceed(call.Common(), wait) {
		return
	}
	f := a.executeFrom(call.Block(), nil, ScopeDone, nil)
	for _, ret := range f.afterDone(f.Start, func(e cfg.Edge) bool { return call.Block().Dominates(e.From) }) {
		rets, _ := returnsFrom(call.Block(), nil)
		for _, other := range rets {
			last := len(other.Results) - 1
			if other != ret && (canBeNil(other.Results[last]) || isResultOf(other.Results[last], call)) && sameOthers(other, ret) {
				a.looksLikeSuccess(fn, ret)
				break
			}
		}
	}
}

// canSucceed reports whether the poll may end by what its callback returns. Other
// polls go on until the context is done.
func (p *pkg) canSucceed(call *ssa.CallCommon, wait *library.Wait) bool {
	args := callee.Args(call)
	i, ok := wait.Args.Of(library.CallbackArg, len(args))
	if !ok {
		return false
	}
	if wait.Ends&library.OnTrue == 0 {
		return wait.Ends != 0
	}
	return p.callbackResults(args[i], Alive).at(0) != False
}

func sameOthers(ret, done *ssa.Return) bool {
	for i, v := range ret.Results[:len(ret.Results)-1] {
		if !sameConstant(v, done.Results[i]) {
			return false
		}
	}
	return true
}

// isResultOf reports whether v is the call's error.
func isResultOf(v ssa.Value, call *ssa.Call) bool {
	o := origin.Of(v)
	return o.Kind == origin.Result && o.Call == call
}

func (p *pkg) signalOfWait(call *ssa.CallCommon, wait *library.Wait) contexts.Signal {
	s, observes := p.waitSignal(call, wait)
	if !observes {
		return contexts.Never
	}
	return s
}

// afterResty looks at the returns after an HTTP request whose retry condition ended
// the retries because the context is done. The client then returns the last response
// and no error.
func (a *analyzer) afterResty(call *ssa.Call) {
	req, ok := a.restyRequest(call)
	if !ok {
		return
	}
	if _, byCondition := a.restyEnded(req, ScopeDone); !byCondition {
		return
	}
	for _, ref := range *call.Referrers() {
		if ext, ok := ref.(*ssa.Extract); ok && ext.Index == 0 && len(*ext.Referrers()) > 0 {
			return // the response is looked at
		}
	}
	fn := call.Parent()
	f := a.executeFrom(call.Block(), nil, ScopeDone, nil)
	for _, ret := range f.onlyNilReturns() {
		a.looksLikeSuccess(fn, ret)
	}
}

// inCallback looks for a poll's condition that returns true because the context is
// done.
func (a *analyzer) inCallback(fn *ssa.Function) {
	by := a.Index.PassedTo(fn)
	if by == nil {
		return
	}
	wait := a.WaitOf(callee.Static(by))
	if wait == nil || wait.Ends&library.OnTrue == 0 {
		return
	}
	f := a.executeFrom(fn.Blocks[0], nil, ScopeDone, nil)
	for _, ret := range f.afterDone(f.Start, func(cfg.Edge) bool { return true }) {
		if len(ret.Results) == 2 && f.Value(ret.Results[0]) == True {
			a.looksLikeSuccess(fn, ret)
		}
	}
}

func (a *analyzer) looksLikeSuccess(fn *ssa.Function, ret *ssa.Return) {
	if slices.ContainsFunc(ret.Results, asksAgain) {
		return
	}
	for _, f := range a.findings {
		if f.Pos == ret.Pos() {
			return
		}
	}
	r := a.ReachOf(fn)
	a.findings = append(a.findings, Finding{
		Pos: ret.Pos(), End: ret.Pos() + token.Pos(len("return")), Kind: Success, Context: r.Context,
	})
}
