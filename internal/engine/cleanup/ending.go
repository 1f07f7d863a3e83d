package cleanup

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// deferredLiteral looks at the acts in a function literal that is deferred. A
// variable that it captures holds, then, what was assigned to it last:
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

// atExit returns what the variable that a deferred literal loads the context
// from may hold when it runs.
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

// deferred reports an act of the deferred call d if what it acts on behalf of
// has been cancelled by then.
func (a *analyzer) deferred(d *ssa.Defer, act act, at contents) bool {
	for _, ctx := range a.lineage(act.ctx, at) {
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

// A cancellable is where a context is made together with what cancels it.
type cancellable struct {
	call *ssa.Call
	// canceller is the index of the result that does.
	canceller int
}

// cancellable returns how the context was made, if that gave a means to cancel it.
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

// An ending is where a function ends a context, or finds that it is done.
type ending struct {
	// instr is a receive from the context's Done channel, or a call that cancels
	// it; edge is taken if the context is done. One of them is set.
	instr ssa.Instruction
	edge  cfg.Edge
	// ctx is the context that is done, nil if canceller is set: which cancels what
	// a call has made.
	ctx       ssa.Value
	canceller cancellable
}

// cancels reports whether it cancels what was made there.
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
			if ctx := p.askedDone(cfg.Edge{From: b, To: succ}); ctx != nil {
				all = append(all, ending{edge: cfg.Edge{From: b, To: succ}, ctx: p.canon(ctx, nil)})
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
	made, ok := p.cancelledBy(call)
	return ending{instr: instr, canceller: made}, ok
}

// cancelledBy returns the context, and what cancels it, that a call cancels by
// the function or the group that was made with it.
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

// doneAt reports whether each path to the call, from where the context or one
// that it is derived from is made, leads through an ending; and where the last of
// these is.
func (a *analyzer) doneAt(fn *ssa.Function, call ssa.CallInstruction, ctx ssa.Value) (by token.Pos, reason Reason, done bool) {
	ends := a.endings(fn)
	if len(ends) == 0 {
		return token.NoPos, 0, false
	}
	family := a.lineage(ctx, nil)
	for i, v := range family {
		instrs, edges := a.endingsOf(ends, family[i:])
		if len(instrs)+len(edges) == 0 {
			continue
		}
		var last token.Pos
		bars := func(instr ssa.Instruction) bool {
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
		if made, ok := v.(ssa.Instruction); ok && made.Parent() == fn {
			b, n = made.Block(), slices.Index(made.Block().Instrs, made)+1
		}
		if cfg.LeadsFrom(b, n, call, nil, nil) && !cfg.LeadsFrom(b, n, call, bars, cut) {
			return last, reason, true
		}
	}
	return token.NoPos, 0, false
}

// endingsOf returns where a context that is derived from the family is done. What
// is deferred happens later.
func (a *analyzer) endingsOf(ends []ending, family lineage) (instrs map[ssa.Instruction]bool, edges map[cfg.Edge]bool) {
	instrs, edges = make(map[ssa.Instruction]bool), make(map[cfg.Edge]bool)
	for _, end := range ends {
		if _, later := end.instr.(*ssa.Defer); later {
			continue
		}
		if end.ctx == nil && !slices.ContainsFunc(family, func(ctx ssa.Value) bool {
			made, ok := a.cancellable(ctx)
			return ok && end.cancels(made)
		}) || end.ctx != nil && !family.has(end.ctx) {
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

// askedDone returns the context of which the edge says that it is done, nil if it
// says nothing of the kind.
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

// errorOf returns the context whose error v is, or nil.
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

// askedAt returns where the code asks what the cfg.Edge says.
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
