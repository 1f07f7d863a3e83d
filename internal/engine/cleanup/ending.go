package cleanup

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

// deferredLiteral reports the acts in a deferred function literal whose contexts are
// done when it runs. A captured variable then holds what was assigned to it last:
//
//	defer func() { updateStatus(ctx) }()
//	ctx, cancel := context.WithTimeout(ctx, limit)
//	defer cancel()
func (a *analyzer) deferredLiteral(d *ssa.Defer) {
	lit := a.literalOf(d)
	if lit == nil {
		return
	}
	for _, act := range a.actsOf(lit) {
		if _, alive := a.onlyAlive(act.call.Block()); !alive && !a.reported[act.call] {
			for _, at := range a.atExit(act.ctx, d) {
				if a.deferred(d, act, at) {
					break
				}
			}
			if by, reason, done := a.doneAt(d.Parent(), d, act.ctx); done {
				a.report(lit, act, reason, by)
			}
		}
	}
}

// literalOf returns the function literal that is deferred, or nil.
func (p *pkg) literalOf(d *ssa.Defer) *ssa.Function {
	if lit := p.Index.Own(d.Call.StaticCallee()); lit != nil && lit.Parent() == d.Parent() {
		return lit
	}
	return nil
}

// atExit returns the values that a variable may hold when the deferred literal runs:
// the variable that the literal loads the context from. It returns one contents for
// each value.
func (a *analyzer) atExit(ctx ssa.Value, d *ssa.Defer) []contents {
	cell := a.Loaded(a.canon(ctx, nil))
	if cell == nil || cell.Parent() != d.Parent() {
		return []contents{nil}
	}
	if _, captured := origin.StoresIn(cell); captured > 0 {
		return nil
	}
	var all []contents
	for _, ret := range cfg.Returns(d.Parent()) {
		if !cfg.Leads(d, ret, nil) {
			continue
		}
		for _, v := range origin.MayHold(cell, ret) {
			if v != nil && !slices.ContainsFunc(all, func(at contents) bool { return at[cell] == v }) {
				all = append(all, contents{cell: v})
			}
		}
	}
	return all
}

// deferred reports an act of the deferred call d if its context has certainly been
// cancelled when d runs, or is done because the function has waited for that. It returns
// whether that is so.
func (a *analyzer) deferred(d *ssa.Defer, act act, at contents) bool {
	for _, ctx := range a.lineage(act.ctx, at) {
		if by := a.waitedFor(ctx, d); by != nil && !act.persists {
			a.report(act.call.Parent(), act, FoundDone, by.Pos())
			return true
		}
		made, ok := a.cancellable(ctx)
		if !ok || made.call.Parent() != d.Parent() {
			continue
		}
		again := func(instr ssa.Instruction) bool {
			return instr == ssa.Instruction(made.call) && cfg.Leads(instr, d, nil)
		}
		for _, end := range a.endings(d.Parent()) {
			if end.instr == ssa.Instruction(d) || !end.cancels(made) || !cfg.Leads(d, end.instr, again) {
				continue
			}
			reason := CancelledBefore
			if _, later := end.instr.(*ssa.Defer); later {
				reason = CancelledLater
			}
			a.report(act.call.Parent(), act, reason, end.instr.Pos())
			return true
		}
	}
	return false
}

// waitedFor returns the instruction after d that waits until the context is done, nil if
// there is none:
//
//	defer server.Shutdown(ctx)
//	<-ctx.Done()
func (a *analyzer) waitedFor(ctx ssa.Value, d *ssa.Defer) ssa.Instruction {
	for _, end := range a.endings(d.Parent()) {
		if end.instr != nil && end.ctx == ctx && cfg.Leads(d, end.instr, nil) {
			return end.instr
		}
	}
	return nil
}

// A cancellable is a context that a call makes together with its cancel function, or
// with the group that cancels it.
type cancellable struct {
	call *ssa.Call
	// canceller is the index of the result that is the function or the group.
	canceller int
}

// cancellable returns the call that makes the context together with what cancels it.
func (p *pkg) cancellable(ctx ssa.Value) (cancellable, bool) {
	o := origin.Of(ctx)
	if o.Kind != origin.Result {
		return cancellable{}, false
	}
	results := library.Of(callee.Static(o.Call.Common())).Canceller
	if results == nil || o.Index != results.Context {
		return cancellable{}, false
	}
	return cancellable{o.Call, results.Cancel}, true
}

// An ending is where a function cancels a context, or finds that it is done.
type ending struct {
	// instr is a receive from the context's Done channel, or a call that cancels the
	// context. It is nil if edge is set.
	instr ssa.Instruction
	// edge is an edge that is only taken if the context is done.
	edge cfg.Edge
	// ctx is the context that is found to be done. It is nil if canceller is set.
	ctx ssa.Value
	// canceller is the context that is cancelled.
	canceller cancellable
	// told says that only the error of a call which got the context tells that it is
	// done. What the code finds later counts more.
	told bool
	// mayFail says that the context need not be done if the instruction fails.
	mayFail bool
}

// cancels reports whether the ending cancels the context.
func (e *ending) cancels(made cancellable) bool { return e.canceller == made }

// endings returns the endings in a function, in block order.
func (p *pkg) endings(fn *ssa.Function) []ending {
	if known, ok := p.ends[fn]; ok {
		return known
	}
	p.ends[fn] = nil
	var all []ending
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if end, ok := p.endingAt(instr); ok {
				all = append(all, end)
			}
		}
		for _, succ := range b.Succs {
			e := cfg.Edge{From: b, To: succ}
			if ctx := p.askedDone(e); ctx != nil {
				all = append(all, ending{edge: e, ctx: p.canon(ctx, nil)})
			} else if ctx, certain := p.toldDone(e); ctx != nil {
				all = append(all, ending{edge: e, ctx: p.canon(ctx, nil), told: !certain})
			}
		}
	}
	p.ends[fn] = all
	return all
}

func (p *pkg) endingAt(instr ssa.Instruction) (ending, bool) {
	if ch := origin.ReceivedFrom(instr); ch != nil {
		ctx := p.receiverOfDone(ch)
		if ctx == nil {
			return ending{}, false
		}
		return ending{instr: instr, ctx: p.canon(ctx, nil)}, true
	}
	var call *ssa.CallCommon
	switch instr := instr.(type) {
	case *ssa.Call:
		call = instr.Common()
	case *ssa.Defer:
		call = instr.Common()
		if lit := p.literalOf(instr); lit != nil { // defer func() { cancel() }()
			for _, inner := range lit.Blocks[0].Instrs {
				if inner, ok := inner.(*ssa.Call); ok {
					if made, ok := p.cancelledBy(inner.Common()); ok {
						return ending{instr: instr, canceller: made}, true
					}
				}
			}
			return ending{}, false
		}
	default:
		return ending{}, false
	}
	if ctx := servesUntilDone(call); ctx != nil {
		return ending{instr: instr, ctx: p.canon(ctx, nil), mayFail: true}, true
	}
	made, ok := p.cancelledBy(call)
	return ending{instr: instr, canceller: made}, ok
}

// cancelledBy returns the context that a call cancels: a call of its cancel function, or
// of the Wait method of its group.
func (p *pkg) cancelledBy(call *ssa.CallCommon) (cancellable, bool) {
	if call.IsInvoke() {
		return cancellable{}, false
	}
	v := call.Value
	if library.Of(callee.Static(call)).Group == library.WaitsForGroup {
		v = call.Args[0]
	}
	o := origin.Of(p.canon(v, nil))
	if o.Kind != origin.Result {
		return cancellable{}, false
	}
	results := library.Of(callee.Static(o.Call.Common())).Canceller
	if results == nil || o.Index != results.Cancel {
		return cancellable{}, false
	}
	return cancellable{o.Call, results.Cancel}, true
}

// doneAt reports whether the context is certainly done at the call. That is so if each
// path to the call leads through an ending of the context's lineage. A path starts where
// a context of the lineage is made. By is the last of the endings.
func (a *analyzer) doneAt(fn *ssa.Function, call ssa.CallInstruction, ctx ssa.Value) (by token.Pos, reason Reason, done bool) {
	ends := a.endings(fn)
	if len(ends) == 0 {
		return token.NoPos, 0, false
	}
	ancestors := a.lineage(ctx, nil)
	for i, v := range ancestors {
		instrs, edges := a.endingsOf(ends, ancestors[i:], call.Block())
		if len(instrs)+len(edges) == 0 {
			continue
		}
		var last token.Pos
		barrier := func(instr ssa.Instruction) bool {
			if !instrs[instr] {
				return false
			}
			last, reason = max(last, instr.Pos()), FoundDone
			if _, cancels := instr.(*ssa.Call); cancels {
				reason = CancelledBefore
			}
			return true
		}
		cut := func(e cfg.Edge) bool {
			if edges[e] {
				last, reason = max(last, askedAt(e)), FoundDone
			}
			return edges[e]
		}
		b, n := fn.Blocks[0], 0
		field, _ := a.fieldRead(v)
		if made, ok := v.(ssa.Instruction); ok && made.Parent() == fn && field == nil {
			b, n = made.Block(), slices.Index(made.Block().Instrs, made)+1
		}
		if cfg.LeadsFrom(b, n, call, nil, nil) && !cfg.LeadsFrom(b, n, call, barrier, cut) {
			return last, reason, true
		}
	}
	return token.NoPos, 0, false
}

// endingsOf returns the endings of the contexts in the lineage that count for a block.
// Deferred ones do not count: they happen later.
func (a *analyzer) endingsOf(ends []ending, l lineage, b *ssa.BasicBlock) (instrs map[ssa.Instruction]bool, edges map[cfg.Edge]bool) {
	instrs, edges = make(map[ssa.Instruction]bool), make(map[cfg.Edge]bool)
	_, alive := a.onlyAlive(b)
	for _, end := range ends {
		if _, later := end.instr.(*ssa.Defer); later || end.mayFail || end.told && alive {
			continue
		}
		if end.ctx == nil && !slices.ContainsFunc(l, func(ctx ssa.Value) bool {
			made, ok := a.cancellable(ctx)
			return ok && end.cancels(made)
		}) || end.ctx != nil && !l.has(end.ctx) {
			continue
		}
		if end.instr != nil {
			instrs[end.instr] = true
		} else {
			edges[end.edge] = true
		}
	}
	return instrs, edges
}

// askedDone returns the context that is done on the edge because the code has tested
// it, nil if there is none.
func (p *pkg) askedDone(e cfg.Edge) ssa.Value {
	c, ok := cfg.ConditionOf(e)
	if !ok {
		return nil
	}
	c = c.Stripped()
	if cmp, ok := c.Comparison(); ok {
		if sel, ok := cfg.SelectIndex(cmp.X); ok {
			i, ok := constants.Int(cmp.Y)
			if !ok || cmp.Op != token.EQL || int(i) >= len(sel.States) {
				return nil
			}
			return p.receiverOfDone(sel.States[i].Chan)
		}
		if constants.IsNil(cmp.Y) == (cmp.Op == token.NEQ) && (cmp.Op == token.NEQ || cmp.Op == token.EQL) {
			return p.errorOf(cmp.X) // ctx.Err() != nil, ctx.Err() == context.Canceled
		}
		return nil
	}
	if o := origin.Of(c.Value); o.Kind == origin.Result && c.Holds && library.Of(callee.Static(o.Call.Common())).Meaning == library.AsksIs {
		return p.errorOf(o.Call.Call.Args[0])
	}
	return nil
}

// toldDone returns the context that is done on the edge because of what a call has
// returned that got the context, nil if there is none:
//
//	if err := work(ctx); errors.Is(err, context.Canceled) {
//
// It is certain if the call returns no error before the context is done.
func (p *pkg) toldDone(e cfg.Edge) (ctx ssa.Value, certain bool) {
	c, ok := cfg.ConditionOf(e)
	if !ok {
		return nil, false
	}
	if err, isNil, ok := c.Nil(); ok {
		if o := origin.Of(p.canon(err, nil)); isNil && o.Kind == origin.Result {
			return servesUntilDone(o.Call.Common()), true
		}
		return nil, false
	}
	if o := origin.Of(p.canon(canceled(c), nil)); o.Kind == origin.Result {
		if given := contexts.Of(o.Call.Common()); len(given) == 1 {
			return given[0], false
		}
	}
	return nil, false
}

// canceled returns the error that the condition finds to be context.Canceled, nil if it
// finds no such thing.
func canceled(c cfg.Condition) ssa.Value {
	c = c.Stripped()
	var err, target ssa.Value
	if cmp, ok := c.Comparison(); ok {
		if cmp.Op != token.EQL {
			return nil
		}
		err, target = cmp.X, cmp.Y
	} else if o := origin.Of(c.Value); o.Kind == origin.Result && c.Holds && library.Of(callee.Static(o.Call.Common())).Meaning == library.AsksIs {
		err, target = o.Call.Call.Args[0], o.Call.Call.Args[1]
	}
	if target == nil || !contexts.IsCanceled(target) {
		return nil
	}
	return err
}

// servesUntilDone returns the context of a call that returns a nil error only when the
// context is done, nil for other calls.
func servesUntilDone(call *ssa.CallCommon) ssa.Value {
	if given := contexts.Of(call); len(given) == 1 && library.Of(callee.Static(call)).Meaning == library.ServesUntilDone {
		return given[0]
	}
	return nil
}

// errorOf returns the context if v is its error, else nil.
func (p *pkg) errorOf(v ssa.Value) ssa.Value {
	if ctx := p.askedWith("Err", v); ctx != nil {
		return ctx
	}
	o := origin.Of(p.canon(v, nil))
	if o.Kind == origin.Result && library.Of(callee.Static(o.Call.Common())).Meaning == library.Cause {
		return o.Call.Call.Args[0]
	}
	return nil
}

// askedAt returns the position of the test that decides whether the edge is taken.
func askedAt(e cfg.Edge) token.Pos {
	c, _ := cfg.ConditionOf(e)
	if test := origin.Of(c.Value); test.Kind == origin.Computed && test.Y != nil {
		if sel, ok := cfg.SelectIndex(test.X); ok {
			return sel.Pos()
		}
		return test.X.Pos()
	}
	return c.Value.Pos()
}
