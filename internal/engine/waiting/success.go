package waiting

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// success looks for waits that end because the context is done and make the
// function return what it returns when it has got what it waited for:
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
// A function that only ever ends by cancellation, such as a runnable's Start,
// returns nil rightly: it has no success that could be confused with it.
func (a *analyzer) success(fn *ssa.Function) {
	if !returnsError(fn) || isStart(fn) {
		return
	}
	if by := a.calledBackBy(fn); by != nil && startsGoroutine(by) {
		return
	}
	for _, l := range a.nest(fn).loops {
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
func (p *pkg) waits(l *loop) bool {
	for _, s := range p.sites(l.fn) {
		if p.nest(l.fn).of[s.block] == l {
			return true
		}
	}
	return false
}

// afterLoop compares how the loop is left when the context is done with how it
// is left otherwise.
func (a *analyzer) afterLoop(l *loop) {
	f := a.executeFrom(l.fn, l.header, ScopeDone, nil)
	for _, ret := range f.afterDone(func(e edge) bool { return l.blocks[e.from] }) {
		if a.succeeds(l, ret) {
			a.looksLikeSuccess(l.fn, ret)
		}
	}
}

// succeeds reports whether the loop can be left by itself, neither because of a
// context nor by another channel, for a return with the same results.
func (a *analyzer) succeeds(l *loop, done *ssa.Return) bool {
	f := a.executeFrom(l.fn, l.header, ScopeDone, nil)
	for b := range l.blocks {
		for _, succ := range b.Succs {
			if l.blocks[succ] || panics(succ) || f.explicit(edge{b, succ}) || a.inStopCase(l, b) || a.inStopCase(l, succ) || l.failed(b) || l.failed(succ) {
				continue
			}
			for _, ret := range returnsFrom(succ, l) {
				if sameSuccess(ret, done) {
					return true
				}
			}
		}
	}
	return false
}

// inStopCase reports whether b belongs to a select case of a channel that is no
// timer: what comes from there is an event or another signal.
func (a *analyzer) inStopCase(l *loop, b *ssa.BasicBlock) bool {
	for other := range l.blocks {
		for _, instr := range other.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			for i, state := range sel.States {
				if isTimer(state.Chan.Type()) {
					continue
				}
				if target := caseBlock(sel, i); target != nil && len(target.Preds) == 1 && target.Dominates(b) {
					return true
				}
			}
		}
	}
	return false
}

// failed reports whether control comes to b only after an error in this round of
// the loop: what is left for then is no success.
func (l *loop) failed(b *ssa.BasicBlock) bool {
	for d := b; d != nil && d != l.header; d = d.Idom() {
		if len(d.Preds) != 1 {
			continue
		}
		branch, ok := d.Preds[0].Instrs[len(d.Preds[0].Instrs)-1].(*ssa.If)
		if !ok || !l.blocks[d.Preds[0]] {
			continue
		}
		test, ok := branch.Cond.(*ssa.BinOp)
		if ok && library.IsError(test.X.Type()) && (test.Op == token.NEQ) == (d == d.Preds[0].Succs[0]) {
			if c, ok := test.Y.(*ssa.Const); ok && c.IsNil() {
				return true
			}
		}
	}
	return false
}

// returnsFrom returns the return statements reachable from b without another
// round of the loop.
func returnsFrom(b *ssa.BasicBlock, l *loop) []*ssa.Return {
	var rets []*ssa.Return
	seen := map[*ssa.BasicBlock]bool{b: true}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			rets = append(rets, ret)
		}
		for _, succ := range b.Succs {
			if !seen[succ] && (l == nil || !l.blocks[succ]) {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
	return rets
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

// canBeNil reports whether v is nil on some path. Of variables of which that
// is not known it is not assumed.
func canBeNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Phi:
		for _, e := range v.Edges {
			if c, ok := e.(*ssa.Const); ok && c.IsNil() {
				return true
			}
		}
	case *ssa.UnOp: // a named result
		_, ok := v.X.(*ssa.Alloc)
		return ok && v.Op == token.MUL
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

// emptyStruct reports whether v is a composite literal without fields set, such
// as ctrl.Result{}.
func emptyStruct(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, ref := range *alloc.Referrers() {
		switch ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// afterPoll looks at what follows a library's poll or retry that ended because
// of the context.
func (a *analyzer) afterPoll(call *ssa.Call) {
	wait, ok := a.waitOf(ssair.Callee(call.Common()))
	if !ok || !wait.Loop || a.signalOfWait(call.Common(), wait) != Scope {
		return
	}
	fn := call.Parent()
	if !a.canSucceed(call.Common(), wait) {
		return
	}
	f := a.executeFrom(fn, call.Block(), ScopeDone, nil)
	for _, ret := range f.afterDone(func(e edge) bool { return call.Block().Dominates(e.from) }) {
		for _, other := range returnsFrom(call.Block(), nil) {
			last := len(other.Results) - 1
			if other != ret && (canBeNil(other.Results[last]) || isResultOf(other.Results[last], call)) && sameOthers(other, ret) {
				a.looksLikeSuccess(fn, ret)
				break
			}
		}
	}
}

// canSucceed reports whether the poll waits for something, which its callback
// says by returning true: others go on until the context is done.
func (p *pkg) canSucceed(call *ssa.CallCommon, wait library.Wait) bool {
	args := arguments(call)
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
	ext, ok := v.(*ssa.Extract)
	return v == ssa.Value(call) || ok && ext.Tuple == ssa.Value(call)
}

func (p *pkg) signalOfWait(call *ssa.CallCommon, wait library.Wait) Signal {
	s, listens := p.waitSignal(call, wait)
	if !listens {
		return Never
	}
	return s
}

// afterResty looks at what follows the execution of an HTTP request whose
// retries the condition ended because the context is done: the client then
// returns the last response and no error.
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
	f := a.executeFrom(fn, call.Block(), ScopeDone, nil)
	for _, ret := range f.onlyNilReturns() {
		a.looksLikeSuccess(fn, ret)
	}
}

// inCallback looks for a poll's condition that says that all is well because
// the context is done.
func (a *analyzer) inCallback(fn *ssa.Function) {
	by := a.calledBackBy(fn)
	if by == nil {
		return
	}
	wait, ok := a.waitOf(ssair.Callee(by))
	if !ok || wait.Ends&library.OnTrue == 0 {
		return
	}
	f := a.executeFrom(fn, fn.Blocks[0], ScopeDone, nil)
	for _, ret := range f.afterDone(func(edge) bool { return true }) {
		if len(ret.Results) == 2 && f.value(ret.Results[0]) == True {
			a.looksLikeSuccess(fn, ret)
		}
	}
}

func (a *analyzer) looksLikeSuccess(fn *ssa.Function, ret *ssa.Return) {
	for _, f := range a.findings {
		if f.Pos == ret.Pos() {
			return
		}
	}
	r := a.reach[fn]
	a.findings = append(a.findings, Finding{
		Pos: ret.Pos(), End: ret.Pos() + token.Pos(len("return")), Kind: Success, Context: r.context,
	})
}
