package waiting

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Death says how it is known that a context is done where a call needs it.
type Death uint8

const (
	// CancelledLater: a defer statement after that of the call cancels it, and
	// so runs before the call.
	CancelledLater Death = iota
	// CancelledBefore: it was cancelled before the call.
	CancelledBefore
	// FoundDone: the call is on the path taken because it is done.
	FoundDone
	// Interrupted: it is done whenever it has ended a wait of the function, and
	// the call is to undo what was done before that wait.
	Interrupted
	// Lost: the undo is not called at all when the context ends the wait.
	Lost
)

// A Cleanup is a call that has no effect because its context is done.
type Cleanup struct {
	// Pos and End are the name of the function called; of an undo that is lost,
	// of what it would undo.
	Pos, End token.Pos
	Death    Death
	// Name is what is called, Context how the context is called there.
	Name, Context string
	// Argument is the argument that is the context, nil if the function called
	// captures it.
	Argument ast.Expr
	// What does the writing below the call, and At where; both are empty if the
	// call does so itself.
	What, At string
	// By is where the context is cancelled or found to be done, or the wait.
	By string
	// Other is what an undo undoes, or what undoes something, and OtherAt where.
	Other, OtherAt string
}

// cleanups finds the acts of fn on contexts that are certainly done.
func (a *analyzer) cleanups(fn *ssa.Function) {
	for _, act := range a.actsOf(fn) {
		if d, ok := act.call.(*ssa.Defer); ok && (a.literalOf(d) != nil || a.deferred(d, act, nil)) {
			continue // the acts of literals are looked at one by one
		}
		if by, death, dead := a.deadAt(fn, act.call, act.ctx); dead {
			a.reportDead(fn, act, death, by)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok {
				a.deferredLiteral(d)
			}
		}
	}
	if a.reach[fn].reach >= Given {
		a.undos(fn)
	}
}

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
		if _, alive := a.onlyAlive(act.call.Block()); !alive && !a.found(act.call) {
			for _, h := range a.heldAtExit(act.ctx, d) {
				if a.deferred(d, act, h) {
					break
				}
			}
			if by, death, dead := a.deadAt(d.Parent(), d, act.ctx); dead {
				a.reportDead(lit, act, death, by)
			}
		}
	}
}

// literalOf returns the function literal that is deferred, or nil.
func (p *pkg) literalOf(d *ssa.Defer) *ssa.Function {
	if lit := p.own(d.Call.StaticCallee()); lit != nil && lit.Parent() == d.Parent() {
		return lit
	}
	return nil
}

// heldAtExit returns what the variable that a deferred literal loads the context
// from may hold when it runs.
func (a *analyzer) heldAtExit(ctx ssa.Value, d *ssa.Defer) []held {
	load, ok := a.canon(ctx, nil).(*ssa.UnOp)
	if !ok {
		return []held{nil}
	}
	alloc := a.localOf(load.X)
	if alloc == nil || alloc.Parent() != d.Parent() {
		return []held{nil}
	}
	if _, elsewhere := a.storesIn(alloc); elsewhere > 0 {
		return nil
	}
	var all []held
	for _, exit := range exits(d) {
		for _, v := range mayHold(alloc, exit) {
			if v != nil && !slices.ContainsFunc(all, func(h held) bool { return h[alloc] == v }) {
				all = append(all, held{alloc: v})
			}
		}
	}
	return all
}

// exits returns the returns that control can come to after the defer statement.
func exits(d *ssa.Defer) []ssa.Instruction {
	var all []ssa.Instruction
	for _, b := range d.Parent().Blocks {
		last := b.Instrs[len(b.Instrs)-1]
		if _, ok := last.(*ssa.Return); ok && leads(d, last, nil) {
			all = append(all, last)
		}
	}
	return all
}

// deferred reports an act of the deferred call d if what it acts on behalf of
// has been cancelled by then.
func (a *analyzer) deferred(d *ssa.Defer, act act, h held) bool {
	for _, ctx := range a.lineage(act.ctx, h) {
		made, ok := a.cancellable(ctx)
		if !ok || made.call.Parent() != d.Parent() {
			continue
		}
		again := func(instr ssa.Instruction) bool { return instr == ssa.Instruction(made.call) && leads(instr, d, nil) }
		for _, end := range a.endings(d.Parent()) {
			if end.instr == ssa.Instruction(d) || !end.cancels(made) || !leads(d, end.instr, again) {
				continue
			}
			death := CancelledBefore
			if _, later := end.instr.(*ssa.Defer); later {
				death = CancelledLater
			}
			a.reportDead(act.call.Parent(), act, death, a.at(end.instr.Pos()))
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
	ext, ok := ctx.(*ssa.Extract)
	if !ok {
		return cancellable{}, false
	}
	call, ok := ext.Tuple.(*ssa.Call)
	if !ok {
		return cancellable{}, false
	}
	ctxIndex, canceller, ok := library.CancelledBy(ssair.Callee(call.Common()))
	return cancellable{call, canceller}, ok && ext.Index == ctxIndex
}

// An ending is where a function ends a context, or finds that it is done.
type ending struct {
	// instr is a receive from the context's Done channel, or a call that cancels
	// it; edge is taken if the context is done. One of them is set.
	instr ssa.Instruction
	edge  edge
	// ctx is the context that is done, nil if canceller is set: the result of a
	// call that makes a context and what cancels it.
	ctx       ssa.Value
	canceller *ssa.Extract
}

// cancels reports whether it cancels what was made there.
func (e *ending) cancels(made cancellable) bool {
	return e.canceller != nil && e.canceller.Tuple == ssa.Value(made.call) && e.canceller.Index == made.canceller
}

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
			if ctx := p.askedDone(edge{b, succ}); ctx != nil {
				all = append(all, ending{edge: edge{b, succ}, ctx: p.canon(ctx, nil)})
			}
		}
	}
	p.ends[fn] = all
	return all
}

func (p *pkg) endingAt(instr ssa.Instruction) (ending, bool) {
	var call *ssa.CallCommon
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op != token.ARROW {
			return ending{}, false
		}
		ctx := p.receiverOfDone(instr.X)
		if ctx == nil {
			return ending{}, false
		}
		return ending{instr: instr, ctx: p.canon(ctx, nil)}, true
	case *ssa.Call:
		call = instr.Common()
	case *ssa.Defer:
		call = instr.Common()
		if lit := p.literalOf(instr); lit != nil { // defer func() { cancel() }()
			for _, inner := range lit.Blocks[0].Instrs {
				if inner, ok := inner.(*ssa.Call); ok {
					if canceller := p.cancellerOf(inner.Common()); canceller != nil {
						return ending{instr: instr, canceller: canceller}, true
					}
				}
			}
			return ending{}, false
		}
	default:
		return ending{}, false
	}
	canceller := p.cancellerOf(call)
	return ending{instr: instr, canceller: canceller}, canceller != nil
}

// cancellerOf returns the function or the group by which a call cancels a context
// that was made with it, or nil.
func (p *pkg) cancellerOf(call *ssa.CallCommon) *ssa.Extract {
	if call.IsInvoke() {
		return nil
	}
	v := call.Value
	if library.WaitsForGroup(ssair.Callee(call)) {
		v = call.Args[0]
	}
	ext, ok := p.canon(v, nil).(*ssa.Extract)
	if !ok {
		return nil
	}
	made, ok := ext.Tuple.(*ssa.Call)
	if !ok {
		return nil
	}
	if _, canceller, ok := library.CancelledBy(ssair.Callee(made.Common())); !ok || canceller != ext.Index {
		return nil
	}
	return ext
}

// deadAt reports whether each path to the call, from where the context or one
// that it is derived from is made, comes by an ending; and where the last of
// these is.
func (a *analyzer) deadAt(fn *ssa.Function, call ssa.CallInstruction, ctx ssa.Value) (by string, death Death, dead bool) {
	ends := a.endings(fn)
	if len(ends) == 0 {
		return "", 0, false
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
			last, death = max(last, instr.Pos()), CancelledBefore
			if _, receive := instr.(*ssa.UnOp); receive {
				death = FoundDone
			}
			return true
		}
		cut := func(e edge) bool {
			if edges[e] {
				last, death = max(last, askedAt(e)), FoundDone
			}
			return edges[e]
		}
		b, n := fn.Blocks[0], 0
		if made, ok := v.(ssa.Instruction); ok && made.Parent() == fn {
			b, n = made.Block(), slices.Index(made.Block().Instrs, made)+1
		}
		if walk(b, n, call, nil, nil) && !walk(b, n, call, bars, cut) {
			return a.at(last), death, true
		}
	}
	return "", 0, false
}

// endingsOf returns where a context that is derived from the family is done. What
// is deferred happens later.
func (a *analyzer) endingsOf(ends []ending, family lineage) (instrs map[ssa.Instruction]bool, edges map[edge]bool) {
	instrs, edges = make(map[ssa.Instruction]bool), make(map[edge]bool)
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
func (p *pkg) askedDone(e edge) ssa.Value {
	branch, ok := e.from.Instrs[len(e.from.Instrs)-1].(*ssa.If)
	if !ok || e.from.Succs[0] == e.from.Succs[1] {
		return nil
	}
	cond, yes := branch.Cond, e.to == e.from.Succs[0]
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond, yes = not.X, !yes
	}
	switch cond := cond.(type) {
	case *ssa.BinOp:
		if sel, ok := selectIndex(cond.X); ok {
			i, ok := constInt(cond.Y)
			if !ok || !yes || cond.Op != token.EQL || int(i) >= len(sel.States) {
				return nil
			}
			return p.receiverOfDone(sel.States[i].Chan)
		}
		if different := cond.Op == token.NEQ; different || cond.Op == token.EQL {
			if isNil(cond.Y) == (different == yes) {
				return p.errorOf(cond.X) // ctx.Err() != nil, ctx.Err() == context.Canceled
			}
		}
	case *ssa.Call:
		if yes && library.MeaningOf(ssair.Callee(cond.Common())) == library.AsksIs {
			return p.errorOf(cond.Call.Args[0])
		}
	}
	return nil
}

// errorOf returns the context whose error v is, or nil.
func (p *pkg) errorOf(v ssa.Value) ssa.Value {
	if ctx := p.askedWith("Err", v); ctx != nil {
		return ctx
	}
	if call, ok := p.canon(v, nil).(*ssa.Call); ok && library.MeaningOf(ssair.Callee(call.Common())) == library.Cause {
		return call.Call.Args[0]
	}
	return nil
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// askedAt returns where the code asks what the edge says.
func askedAt(e edge) token.Pos {
	cond := e.from.Instrs[len(e.from.Instrs)-1].(*ssa.If).Cond
	if test, ok := cond.(*ssa.BinOp); ok {
		if sel, ok := selectIndex(test.X); ok {
			return sel.Pos()
		}
		return test.X.Pos()
	}
	return cond.Pos()
}

// reportDead reports an act.
func (a *analyzer) reportDead(fn *ssa.Function, act act, death Death, by string) {
	if a.found(act.call) {
		return
	}
	c := Cleanup{Death: death, Name: calleeName(act.call.Common()), By: by}
	if act.at != "" {
		c.What, c.At = act.what, act.at
	}
	c.Pos, c.End = a.selector(fn, act.call)
	c.Argument = a.argument(fn, act)
	c.Context = contextName(c.Argument)
	a.dead = append(a.dead, c)
	a.reported[act.call] = true
}

// found reports whether a call has been reported.
func (a *analyzer) found(call ssa.CallInstruction) bool { return a.reported[call] }
