package cleanup

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A pause is a wait that a context ends.
type pause struct {
	instr ssa.Instruction
	ctx   ssa.Value
	// limited says that the wait may have a time limit of its own.
	limited bool
	// request says that it waits for the answer of a service, which as a rule comes
	// soon.
	request bool
}

// pausesOf returns the pauses of the function and its callees, in source order. It
// leaves out waits that are known to be short.
func (p *pkg) pausesOf(fn *ssa.Function) []pause {
	if pauses, ok := p.pauses[fn]; ok {
		return pauses
	}
	p.pauses[fn] = nil
	var pauses []pause
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			pauses = append(pauses, merge(p.pausesAt(instr))...)
		}
	}
	p.pauses[fn] = pauses
	return pauses
}

// merge joins the pauses of one instruction that the same context ends. Together they
// are as long as the longest.
func merge(pauses []pause) []pause {
	var merged []pause
	for _, w := range pauses {
		i := slices.IndexFunc(merged, func(m pause) bool { return m.ctx == w.ctx })
		if i < 0 {
			merged = append(merged, w)
			continue
		}
		merged[i].limited = merged[i].limited && w.limited
		merged[i].request = merged[i].request && w.request
	}
	return merged
}

// pausesAt returns the pauses of an instruction, one for each context.
func (p *pkg) pausesAt(instr ssa.Instruction) []pause {
	switch instr := instr.(type) {
	case *ssa.Select:
		if !instr.Blocking || p.isShort(instr) {
			return nil
		}
		var pauses []pause
		for _, state := range instr.States {
			if ctx := p.receiverOfDone(state.Chan); ctx != nil {
				pauses = append(pauses, pause{instr: instr, ctx: ctx})
			}
		}
		return pauses
	case *ssa.Call:
		return p.callPauses(instr)
	}
	return nil
}

// isShort reports whether the select is a short sleep outside of loops.
func (p *pkg) isShort(sel *ssa.Select) bool {
	if p.nest(sel.Parent()).Innermost(sel.Block()) != nil {
		return false
	}
	return slices.ContainsFunc(sel.States, func(state *ssa.SelectState) bool {
		if !contexts.IsTimer(state.Chan) {
			return false
		}
		v := p.TimerDuration(state.Chan)
		if v == nil {
			return false
		}
		d, ok := p.Duration(v)
		return ok && d <= p.Options.MaxWait
	})
}

func (p *pkg) callPauses(call *ssa.Call) []pause {
	common := call.Common()
	fn := p.Target(common)
	args := callee.Args(common)
	if wait := library.Of(fn).Wait; wait != nil {
		if !wait.Loop || p.waiting.Short(common, wait) {
			return nil
		}
		_, limited := wait.Args.Of(library.TimeoutArg, len(args))
		if i, ok := wait.Args.Of(library.ContextArg, len(args)); ok && contexts.IsContext(args[i].Type()) {
			return []pause{{instr: call, ctx: args[i], limited: limited}}
		}
		if p.waiting.Cancels(common, wait) {
			return p.callbackPauses(call, limited)
		}
		return nil
	}
	if library.CallsService(fn) {
		return []pause{{instr: call, ctx: contexts.Of(common)[0], limited: true, request: true}}
	}
	if library.Of(fn).Group == library.WaitsForGroup {
		return p.groupPauses(call, args[0])
	}
	var pauses []pause
	for _, own := range p.Resolver.Call(common).Own {
		for _, below := range p.pausesOf(own) {
			if ctx := p.inCaller(below.ctx, own, common); ctx != nil {
				pauses = append(pauses, pause{call, ctx, below.limited || p.limitOf(below.ctx) != nil, below.request})
			}
		}
	}
	if fn != nil && fn.Pkg() != p.Types {
		if fact := p.fact(fn.Origin()); fact != nil {
			for _, i := range fact.Pauses {
				if i < len(args) {
					pauses = append(pauses, pause{instr: call, ctx: args[i], limited: true})
				}
			}
		}
	}
	return pauses
}

// callbackPauses returns the pauses of a poll whose callback ends it when a context is
// done.
func (p *pkg) callbackPauses(poll *ssa.Call, limited bool) []pause {
	var pauses []pause
	for _, lit := range p.runInPlace(poll.Common()) {
		for _, b := range lit.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				for _, ctx := range contexts.Of(call.Common()) {
					if p.Signal(ctx) == contexts.Scope {
						pauses = append(pauses, pause{instr: poll, ctx: ctx, limited: limited})
					}
				}
			}
		}
	}
	return pauses
}

// limitOf returns the nearest context in the lineage that has a time limit, or nil.
func (p *pkg) limitOf(ctx ssa.Value) ssa.Value {
	for _, v := range p.lineage(ctx, nil) {
		if made, ok := p.cancellable(v); ok && library.Of(callee.Static(made.call.Common())).Meaning == library.Expires {
			return v
		}
	}
	return nil
}

// groupPauses returns the pauses of the functions that are started in a group, as
// pauses of the call that waits for the group.
func (p *pkg) groupPauses(wait *ssa.Call, group ssa.Value) []pause {
	var pauses []pause
	group = p.canon(group, nil)
	for _, b := range wait.Parent().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || groupOf(call) != library.StartsInGroup || p.canon(call.Call.Args[0], nil) != group {
				continue
			}
			for _, fn := range p.Resolver.Value(call.Call.Args[1]).Own {
				for _, below := range p.pausesOf(fn) {
					pauses = append(pauses, pause{wait, below.ctx, below.limited, below.request})
				}
			}
		}
	}
	return pauses
}

// undos reports what fn undoes after a wait on the context that may have ended the
// wait:
//
//	exclude(ctx, node)
//	defer include(ctx, node)
//	return waitUntilEmpty(ctx, node)
//
// It also reports what fn does not undo at all if the context ends the wait:
//
//	exclude(ctx, node)
//	if err := waitUntilEmpty(ctx, node); err != nil {
//		return err
//	}
//	return include(ctx, node)
//
// A call is an undo if its name is the opposite of that of an earlier call on the same
// receiver with the same arguments, or if it gets what that call has returned. A deferred
// call that is only made when the function fails is an undo of all that the function did.
//
// Besides undos, it reports acts within a time limit that the function has set for the
// wait, too. If the wait has failed, it may have used up the limit:
//
//	ctx, cancel := context.WithTimeout(ctx, limit)
//	defer cancel()
//	if err := waitUntilReady(ctx, node); err != nil {
//		return updateStatus(ctx, node, err)
//	}
func (a *analyzer) undos(fn *ssa.Function) {
	pauses := a.pausesOf(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok {
				a.deferredUndo(d, pauses)
			}
		}
	}
	if len(pauses) == 0 {
		return
	}
	acts := slices.DeleteFunc(slices.Clone(a.actsOf(fn)), func(x act) bool { _, ok := x.call.(*ssa.Call); return !ok })
	if len(acts)*max(len(acts), len(pauses)) > maxPairs {
		a.bounded = append(a.bounded, fn)
		return
	}
	for _, late := range acts {
		for _, w := range pauses {
			if wait, ok := w.instr.(*ssa.Call); ok && failed(late.call.Block(), wait) && a.limits(w, late.ctx) {
				a.reportUndo(late, nil, Interrupted, w)
			}
		}
	}
	for _, does := range acts {
		for _, undo := range acts {
			if opposite(a.pkg, does.call, undo.call) {
				a.lateUndo(does, undo, pauses)
			}
		}
	}
}

// maxPairs bounds the pairs of calls that are compared in a function. In a larger
// function no undo is found.
const maxPairs = 10_000

// deferredUndo reports the acts of a deferred call that undo something, if their context
// may have ended a wait.
func (a *analyzer) deferredUndo(d *ssa.Defer, pauses []pause) {
	lit := a.literalOf(d)
	acts := a.callActs(d)
	if lit != nil {
		acts = a.actsOf(lit)
	}
	for _, undo := range acts {
		if _, alive := a.onlyAlive(undo.call.Block()); alive && undo.call.Parent() == lit || a.reported[undo.call] {
			continue
		}
		does := a.undone(d, undo)
		undoes := does != nil || undo.onFailure || undo.call.Parent() == lit && onFailure(undo.call.Block()) && !undo.persists
		waits := pauses
		if does != nil && a.ofRequest(undo.ctx) {
			waits = append(a.requests(d.Parent()), pauses...)
		}
		for _, w := range waits {
			if cfg.Leads(d, w.instr, nil) && (undoes && !(w.request && does == nil) && a.interrupts(w, undo.ctx) || a.limits(w, undo.ctx)) {
				a.reportUndo(undo, does, Interrupted, w)
				break
			}
		}
	}
}

// requests returns the acts of a function as pauses. None of them takes long, but the
// client of an HTTP request may go at any time, and ends what is under way.
func (p *pkg) requests(fn *ssa.Function) []pause {
	var all []pause
	for _, act := range p.actsOf(fn) {
		if _, ok := act.call.(*ssa.Call); ok {
			all = append(all, pause{instr: act.call, ctx: act.ctx, limited: true, request: true})
		}
	}
	return all
}

// ofRequest reports whether the context is derived from that of an HTTP request, in the
// function or in one of the package that calls it.
func (p *pkg) ofRequest(ctx ssa.Value) bool {
	seen := make(map[ssa.Value]bool)
	var of func(ctx ssa.Value) bool
	of = func(ctx ssa.Value) bool {
		return slices.ContainsFunc(p.lineage(ctx, nil), func(v ssa.Value) bool {
			if seen[v] {
				return false
			}
			seen[v] = true
			switch o := origin.Of(v); o.Kind {
			case origin.Result:
				return library.Of(callee.Static(o.Call.Common())).Meaning == library.ContextOf
			case origin.Parameter:
				return slices.ContainsFunc(p.Index.Arguments(v.(*ssa.Parameter)), of)
			}
			return false
		})
	}
	return of(ctx)
}

// interrupts reports whether the context is done if cancellation has ended the wait.
func (a *analyzer) interrupts(w pause, ctx ssa.Value) bool { return a.endedBy(w, ctx) != nil }

// endedBy returns the context in scope that both the wait's context and ctx are derived
// from, or nil: a parameter, or the read of a field.
func (a *analyzer) endedBy(w pause, ctx ssa.Value) ssa.Value {
	waits := a.lineage(w.ctx, nil)
	for _, v := range a.lineage(ctx, nil) {
		_, param := v.(*ssa.Parameter)
		if field, _ := a.fieldRead(v); (param || field != nil) && waits.has(v) && a.Signal(v) == contexts.Scope {
			return v
		}
	}
	return nil
}

// limits reports whether the wait's context and ctx have a time limit in common that
// the function itself has set. It is then no rare event that the wait uses it up.
func (a *analyzer) limits(w pause, ctx ssa.Value) bool {
	limit := a.limitOf(w.ctx)
	if limit == nil || w.limited || !a.lineage(ctx, nil).has(limit) {
		return false
	}
	made, _ := a.cancellable(limit)
	return made.call.Parent() == w.instr.Parent()
}

// undone returns the call before d that the act undoes by its name, or nil.
func (a *analyzer) undone(d *ssa.Defer, undo act) ssa.CallInstruction {
	for _, does := range a.actsOf(d.Parent()) {
		if _, ok := does.call.(*ssa.Call); ok && cfg.Leads(does.call, d, nil) && opposite(a.pkg, does.call, undo.call) {
			return does.call
		}
	}
	return nil
}

// onFailure reports whether the block of a deferred function is only reached if the
// function that defers it fails: an error is not nil that a literal captures, or that a
// parameter points to.
func onFailure(b *ssa.BasicBlock) bool {
	for _, c := range cfg.Dominating(b) {
		err, isNil, ok := c.Nil()
		if !ok || isNil || !library.IsError(err.Type()) {
			continue
		}
		if o := origin.Of(err); o.Kind == origin.Loaded {
			switch origin.Of(o.X).Kind {
			case origin.Captured, origin.Parameter:
				return true
			}
		}
	}
	return false
}

// lateUndo reports an undo that comes after a wait. Either it runs on the context that
// may have ended the wait, or it is not called then.
func (a *analyzer) lateUndo(does, undo act, pauses []pause) {
	for _, w := range pauses {
		wait, ok := w.instr.(*ssa.Call)
		if !ok || w.request || !cfg.Leads(does.call, wait, nil) || !cfg.Leads(wait, undo.call, nil) || !a.interrupts(w, undo.ctx) {
			continue
		}
		b := undo.call.Block()
		switch {
		case failed(b, wait):
			a.reportUndo(undo, does.call, Interrupted, w)
		case a.skips(does, undo, wait):
			a.reportUndo(does, undo.call, NotCalled, w)
		default:
			continue
		}
		return
	}
}

// failed reports whether an edge that is taken because the wait has failed dominates
// the block.
func failed(b *ssa.BasicBlock, wait *ssa.Call) bool {
	for d := b; d != nil; d = d.Idom() {
		if len(d.Preds) == 1 && failure(cfg.Edge{From: d.Preds[0], To: d}, wait) {
			return true
		}
	}
	return false
}

// failure reports whether the edge is taken because the wait has failed.
func failure(e cfg.Edge, wait *ssa.Call) bool {
	err, ok := cfg.Failure(e)
	if !ok {
		return false
	}
	o := origin.Of(err)
	return o.Kind == origin.Result && o.Call == wait
}

// skips reports whether the function returns without an undo when the wait fails:
// nothing after the failure can be one, and no deferred call can.
func (a *analyzer) skips(does, undo act, wait *ssa.Call) bool {
	fn := wait.Parent()
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if ok && !a.harmless(d) {
				return false
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, succ := range b.Succs {
			if !failure(cfg.Edge{From: b, To: succ}, wait) {
				continue
			}
			clean := true
			for _, exit := range fn.Blocks {
				for _, instr := range exit.Instrs {
					call, isCall := instr.(*ssa.Call)
					if isCall && (len(a.callActs(call)) > 0 || a.isUnknown(call)) && (exit == succ || cfg.LeadsFrom(succ, 0, call, nil, nil)) {
						clean = false
					}
				}
			}
			if clean {
				return true
			}
		}
	}
	return false
}

// harmless reports whether the deferred call has no acts, as far as is known, and so
// undoes nothing.
func (a *analyzer) harmless(d *ssa.Defer) bool {
	if lit := a.literalOf(d); lit != nil {
		return len(a.actsOf(lit)) == 0
	}
	return len(a.callActs(d)) == 0
}

// isUnknown reports whether the callee is a function value that cannot be resolved.
func (a *analyzer) isUnknown(call *ssa.Call) bool {
	return callee.Static(call.Common()) == nil && a.Resolver.Call(call.Common()).Open
}

func (a *analyzer) reportUndo(at act, other ssa.CallInstruction, reason Reason, w pause) {
	c := a.report(at.call.Parent(), at, reason, w.instr.Pos())
	if c == nil {
		return
	}
	if param, ok := a.endedBy(w, at.ctx).(*ssa.Parameter); ok {
		c.Context = param.Name()
	}
	if other != nil {
		c.Other, c.OtherAt = contexts.CalleeName(other.Common()), a.Place(other.Common().Pos())
	}
}
