package waiting

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A pause is a wait that a context ends.
type pause struct {
	instr ssa.Instruction
	ctx   ssa.Value
	// limited says that the wait may have a time limit of its own.
	limited bool
	// request says that it is the answer of a service that is waited for, which
	// as a rule comes soon.
	request bool
}

// pausesOf returns the waits of the function, itself or below it, that contexts
// end, in source order. A wait known to be short is none.
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

// merge joins the waits of one instruction that end with one context: together
// they are as long as the longest.
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

// pausesAt returns the waits that the instruction is, one for each context.
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

// isShort reports whether the select is a short sleep outside of all loops.
func (p *pkg) isShort(sel *ssa.Select) bool {
	if p.nest(sel.Parent()).of[sel.Block()] != nil {
		return false
	}
	return slices.ContainsFunc(sel.States, func(state *ssa.SelectState) bool {
		if !isTimer(state.Chan.Type()) {
			return false
		}
		d, ok := make(evaluator).duration(p.timerDuration(state.Chan))
		return ok && d <= p.opts.MaxWait
	})
}

func (p *pkg) callPauses(call *ssa.Call) []pause {
	common := call.Common()
	fn := p.target(common)
	args := arguments(common)
	if wait, ok := library.WaitOf(fn); ok {
		if !wait.Loop || p.shortPoll(common, wait) {
			return nil
		}
		_, limited := wait.Args.Of(library.TimeoutArg, len(args))
		if i, ok := wait.Args.Of(library.ContextArg, len(args)); ok && isContext(args[i].Type()) {
			return []pause{{instr: call, ctx: args[i], limited: limited}}
		}
		if ended, err := p.endedByCallback(common, wait, ScopeDone); ended && err == Cancelled {
			return p.callbackPauses(call, limited)
		}
		return nil
	}
	if library.CallsService(fn) {
		return []pause{{instr: call, ctx: contextsOf(common)[0], limited: true, request: true}}
	}
	if library.WaitsForGroup(fn) {
		return p.groupPauses(call, args[0])
	}
	var pauses []pause
	for _, own := range p.resolve(common).own {
		for _, below := range p.pausesOf(own) {
			limited := below.limited || p.limitOf(below.ctx) != nil
			if i := p.parameterBehind(below.ctx, own); 0 <= i && i < len(args) {
				pauses = append(pauses, pause{call, args[i], limited, below.request})
			} else if i < 0 && own.Parent() != nil {
				pauses = append(pauses, pause{call, below.ctx, limited, below.request})
			}
		}
	}
	if fn != nil && fn.Pkg() != p.types {
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

// callbackPauses returns the waits that a poll amounts to whose callback ends it
// when a context is done.
func (p *pkg) callbackPauses(poll *ssa.Call, limited bool) []pause {
	var pauses []pause
	for _, lit := range p.runInPlace(poll.Common()) {
		for _, b := range lit.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				for _, ctx := range contextsOf(call.Common()) {
					if p.signal(ctx) == Scope {
						pauses = append(pauses, pause{instr: poll, ctx: ctx, limited: limited})
					}
				}
			}
		}
	}
	return pauses
}

// limitOf returns the youngest context with a time limit that the context is
// derived from, or nil.
func (p *pkg) limitOf(ctx ssa.Value) ssa.Value {
	for _, v := range p.lineage(ctx, nil) {
		if made, ok := p.cancellable(v); ok && library.MeaningOf(ssair.Callee(made.call.Common())) == library.Expires {
			return v
		}
	}
	return nil
}

// groupPauses returns the waits of the functions that were started in a group,
// as waits for the group.
func (p *pkg) groupPauses(wait *ssa.Call, group ssa.Value) []pause {
	var pauses []pause
	group = p.canon(group, nil)
	for _, b := range wait.Parent().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || !library.StartsInGroup(ssair.Callee(call.Common())) || p.canon(call.Call.Args[0], nil) != group {
				continue
			}
			for _, fn := range p.functions(call.Call.Args[1], make(map[ssa.Value]bool)).own {
				for _, below := range p.pausesOf(fn) {
					pauses = append(pauses, pause{wait, below.ctx, below.limited, below.request})
				}
			}
		}
	}
	return pauses
}

// factPauses returns the parameters that end waits of the function.
func (p *pkg) factPauses(fn *ssa.Function) []int {
	var params []int
	for _, pause := range p.pausesOf(fn) {
		if i := p.parameterBehind(pause.ctx, fn); i >= 0 && !pause.request && !slices.Contains(params, i) {
			params = append(params, i)
		}
	}
	slices.Sort(params)
	return params
}

// undos looks for what fn undoes when it has waited for something, on a context
// that is done whenever it has ended that wait:
//
//	exclude(ctx, node)
//	defer include(ctx, node)
//	return waitUntilEmpty(ctx, node)
//
// and for what it then does not undo at all:
//
//	exclude(ctx, node)
//	if err := waitUntilEmpty(ctx, node); err != nil {
//		return err
//	}
//	return include(ctx, node)
//
// What a call undoes is known by its name, if it is the opposite of that of an
// earlier call on the same receiver with the same arguments. A deferred call
// that only happens when the function fails undoes whatever the function did.
// If the wait has used up the function's own time limit, whatever is to follow
// within the same limit has no effect:
//
//	ctx, cancel := context.WithTimeout(ctx, limit)
//	defer cancel()
//	if err := waitUntilReady(ctx, node); err != nil {
//		return updateStatus(ctx, node, err)
//	}
func (a *analyzer) undos(fn *ssa.Function) {
	pauses := a.pausesOf(fn)
	if len(pauses) == 0 {
		return
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok {
				a.deferredUndo(d, pauses)
			}
		}
	}
	acts := slices.DeleteFunc(slices.Clone(a.actsOf(fn)), func(x act) bool { _, ok := x.call.(*ssa.Call); return !ok })
	if len(acts)*max(len(acts), len(pauses)) > maxPairs {
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
			if opposite(a.pkg, does.call.Common(), undo.call.Common()) {
				a.lateUndo(does, undo, pauses)
			}
		}
	}
}

// maxPairs bounds the pairs of calls that are compared in a function. In a larger
// one nothing is found to be the undo of anything.
const maxPairs = 10_000

// deferredUndo reports the acts of a deferred call that undo something, if the
// context that they act on behalf of may have ended a wait.
func (a *analyzer) deferredUndo(d *ssa.Defer, pauses []pause) {
	lit := a.literalOf(d)
	acts := a.callActs(d)
	if lit != nil {
		acts = a.actsOf(lit)
	}
	for _, undo := range acts {
		if _, alive := a.onlyAlive(undo.call.Block()); alive && undo.call.Parent() == lit || a.found(undo.call) {
			continue
		}
		does := a.undone(d, undo)
		undoes := does != nil || undo.call.Parent() == lit && onFailure(undo.call.Block()) && !undo.persists
		for _, w := range pauses {
			if leads(d, w.instr, nil) && (undoes && !(w.request && does == nil) && a.interrupts(w, undo.ctx) || a.limits(w, undo.ctx)) {
				a.reportUndo(undo, does, Interrupted, w)
				break
			}
		}
	}
}

// interrupts reports whether the context is done whenever it has ended the wait.
func (a *analyzer) interrupts(w pause, ctx ssa.Value) bool { return a.endedBy(w, ctx) != nil }

// endedBy returns the parameter, a context in scope, that both the wait and the
// context end with, or nil.
func (a *analyzer) endedBy(w pause, ctx ssa.Value) *ssa.Parameter {
	waits := a.lineage(w.ctx, nil)
	for _, v := range a.lineage(ctx, nil) {
		if param, ok := v.(*ssa.Parameter); ok && waits.has(v) && a.signal(v) == Scope {
			return param
		}
	}
	return nil
}

// limits reports whether the wait and what follows have a time limit in common
// that the function itself has set: then it is no rare event that the wait takes
// all of it.
func (a *analyzer) limits(w pause, ctx ssa.Value) bool {
	limit := a.limitOf(w.ctx)
	if limit == nil || w.limited || !a.lineage(ctx, nil).has(limit) {
		return false
	}
	made, _ := a.cancellable(limit)
	return made.call.Parent() == w.instr.Parent()
}

// undone returns the call before d that the act is the opposite of, or nil.
func (a *analyzer) undone(d *ssa.Defer, undo act) ssa.CallInstruction {
	for _, does := range a.actsOf(d.Parent()) {
		if _, ok := does.call.(*ssa.Call); ok && leads(does.call, d, nil) && opposite(a.pkg, does.call.Common(), undo.call.Common()) {
			return does.call
		}
	}
	return nil
}

// onFailure reports whether the block of a deferred function literal is only
// reached if the function that it is deferred in fails: an error that the literal
// captures is not nil.
func onFailure(b *ssa.BasicBlock) bool {
	for d := b; d != nil; d = d.Idom() {
		if len(d.Preds) != 1 {
			continue
		}
		branch, ok := d.Preds[0].Instrs[len(d.Preds[0].Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		test, ok := branch.Cond.(*ssa.BinOp)
		if !ok || !isNil(test.Y) || !library.IsError(test.X.Type()) {
			continue
		}
		load, ok := test.X.(*ssa.UnOp)
		if !ok || load.Op != token.MUL || (test.Op == token.NEQ) != (d == d.Preds[0].Succs[0]) {
			continue
		}
		if _, captured := load.X.(*ssa.FreeVar); captured {
			return true
		}
	}
	return false
}

// lateUndo reports an undo after the wait: on the context that has ended it, or
// not at all.
func (a *analyzer) lateUndo(does, undo act, pauses []pause) {
	for _, w := range pauses {
		wait, ok := w.instr.(*ssa.Call)
		if !ok || w.request || !leads(does.call, wait, nil) || !leads(wait, undo.call, nil) || !a.interrupts(w, undo.ctx) {
			continue
		}
		b := undo.call.Block()
		switch {
		case failed(b, wait):
			a.reportUndo(undo, does.call, Interrupted, w)
		case a.skips(does, undo, wait):
			a.reportUndo(does, undo.call, Lost, w)
		default:
			continue
		}
		return
	}
}

// failed reports whether control comes to the block because the wait failed.
func failed(b *ssa.BasicBlock, wait *ssa.Call) bool {
	for d := b; d != nil; d = d.Idom() {
		if len(d.Preds) == 1 && failure(edge{d.Preds[0], d}, wait) {
			return true
		}
	}
	return false
}

// failure reports whether the edge is taken because the wait failed.
func failure(e edge, wait *ssa.Call) bool {
	branch, ok := e.from.Instrs[len(e.from.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	test, ok := branch.Cond.(*ssa.BinOp)
	return ok && isNil(test.Y) && isResultOf(test.X, wait) && library.IsError(test.X.Type()) &&
		(test.Op == token.NEQ) == (e.to == e.from.Succs[0])
}

// skips reports whether the function returns when the wait fails, and neither
// undoes there what it did nor has deferred to do so.
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
			if !failure(edge{b, succ}, wait) {
				continue
			}
			clean := true
			for _, exit := range fn.Blocks {
				for _, instr := range exit.Instrs {
					call, isCall := instr.(*ssa.Call)
					if isCall && (len(a.callActs(call)) > 0 || a.isUnknown(call)) && (exit == succ || walk(succ, 0, call, nil, nil)) {
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

// harmless reports whether the deferred call can undo nothing outside of the
// process: it has no effect there on behalf of any context, as far as is known.
func (a *analyzer) harmless(d *ssa.Defer) bool {
	if lit := a.literalOf(d); lit != nil {
		return len(a.actsOf(lit)) == 0
	}
	return len(a.callActs(d)) == 0
}

// isUnknown reports whether the call is of a function value that may do anything.
func (a *analyzer) isUnknown(call *ssa.Call) bool {
	return ssair.Callee(call.Common()) == nil && a.resolve(call.Common()).unknown
}

func (a *analyzer) reportUndo(at act, other ssa.CallInstruction, death Death, w pause) {
	if a.reported[at.call] {
		return
	}
	before := len(a.dead)
	a.reportDead(at.call.Parent(), at, death, a.at(w.instr.Pos()))
	if len(a.dead) == before {
		return
	}
	c := &a.dead[before]
	if ended := a.endedBy(w, at.ctx); ended != nil {
		c.Context = ended.Name()
	}
	if other != nil {
		c.Other, c.OtherAt = calleeName(other.Common()), a.at(other.Common().Pos())
	}
}

// opposite reports whether the second call takes back what the first does: its
// name is the opposite, or it is the same with the opposite constant, on the same
// receiver and with the same arguments.
func opposite(p *pkg, does, undo *ssa.CallCommon) bool {
	f, g := ssair.Callee(does), ssair.Callee(undo)
	if f == nil || g == nil {
		return false
	}
	x, y := arguments(does), arguments(undo)
	if f == g {
		return len(x) == len(y) && p.switched(x, y)
	}
	return recvName(f) == recvName(g) && opposites(f.Name(), g.Name()) && p.sameTargets(f, x, y)
}

func recvName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		return library.TypeName(recv.Type())
	}
	return fn.Pkg().Path()
}

// switched reports whether the arguments are the same but for one boolean
// constant.
func (p *pkg) switched(x, y []ssa.Value) bool {
	flipped := 0
	for i := range x {
		b, ok1 := constBool(x[i])
		c, ok2 := constBool(y[i])
		switch {
		case ok1 && ok2 && b != c:
			flipped++
		case isContext(x[i].Type()) || p.same(x[i], y[i]):
		default:
			return false
		}
	}
	return flipped == 1
}

func constBool(v ssa.Value) (value, ok bool) {
	c, isConst := v.(*ssa.Const)
	if !isConst || c.Value == nil || c.Value.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(c.Value), true
}

// sameTargets reports whether two calls have the same receiver and the same first
// argument besides the context: what is done to it may differ, and options do.
func (p *pkg) sameTargets(f *types.Func, x, y []ssa.Value) bool {
	isCtx := func(v ssa.Value) bool { return isContext(v.Type()) }
	x, y = slices.DeleteFunc(slices.Clone(x), isCtx), slices.DeleteFunc(slices.Clone(y), isCtx)
	n := 1
	if f.Signature().Recv() != nil {
		n = 2
	}
	if len(x) < n && len(y) < n {
		n--
	}
	if len(x) < n || len(y) < n || n == 0 {
		return false
	}
	for i := range n {
		if !p.same(x[i], y[i]) && !p.isNameOf(y[i], x[i]) {
			return false
		}
	}
	return true
}

// isNameOf reports whether v is the name of the object: object.Name, or
// object.GetName().
func (p *pkg) isNameOf(v, object ssa.Value) bool {
	object = p.canon(object, nil)
	switch v := p.canon(v, nil).(type) {
	case *ssa.Call:
		fn := ssair.Callee(v.Common())
		args := arguments(v.Common())
		return fn != nil && fn.Name() == "GetName" && len(args) == 1 && p.same(args[0], object)
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		if f := fieldAt(field, ok); f == nil || f.Name() != "Name" {
			return false
		}
		if meta, ok := field.X.(*ssa.FieldAddr); ok {
			field = meta
		}
		return p.same(field.X, object)
	}
	return false
}

func fieldAt(addr *ssa.FieldAddr, ok bool) *types.Var {
	if !ok {
		return nil
	}
	return fieldOf(addr.X.Type(), addr.Field)
}

// same reports whether two values are certainly the same, or read from the same
// place: a local variable, a field of a parameter.
func (p *pkg) same(x, y ssa.Value) bool {
	return p.sameTo(x, y, 0)
}

func (p *pkg) sameTo(x, y ssa.Value, depth int) bool {
	x, y = p.canon(x, nil), p.canon(y, nil)
	if x == y {
		return true
	}
	if depth > 8 {
		return false
	}
	switch x := x.(type) {
	case *ssa.Const:
		y, ok := y.(*ssa.Const)
		return ok && x.String() == y.String()
	case *ssa.UnOp:
		y, ok := y.(*ssa.UnOp)
		return ok && x.Op == y.Op && x.Op == token.MUL && p.sameTo(x.X, y.X, depth+1)
	case *ssa.FieldAddr:
		y, ok := y.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && p.sameTo(x.X, y.X, depth+1)
	case *ssa.Field:
		y, ok := y.(*ssa.Field)
		return ok && x.Field == y.Field && p.sameTo(x.X, y.X, depth+1)
	case *ssa.Alloc, *ssa.FreeVar:
		v := p.localOf(x)
		return v != nil && v == p.localOf(y)
	case *ssa.Call:
		// clientset.CoreV1().Pods(namespace)
		y, ok := y.(*ssa.Call)
		if !ok || ssair.Callee(x.Common()) == nil || ssair.Callee(x.Common()) != ssair.Callee(y.Common()) {
			return false
		}
		a, b := arguments(x.Common()), arguments(y.Common())
		return len(a) == len(b) && slices.EqualFunc(a, b, func(v, w ssa.Value) bool { return p.sameTo(v, w, depth+1) })
	}
	return false
}

// opposites reports whether the names are the same but for a word at which the
// second takes back what the first does.
func opposites(does, undo string) bool {
	for _, pair := range oppositeWords {
		for _, word := range [][2]string{{pair.does, pair.undo}, {pair.undo, pair.does}} {
			if word[0] == pair.undo && !pair.both {
				break
			}
			if rest, ok := strings.CutPrefix(does, word[0]); ok && undo == word[1]+rest {
				return true
			}
			low, lowUndo := strings.ToLower(word[0]), strings.ToLower(word[1])
			if rest, ok := strings.CutPrefix(does, low); ok && undo == lowUndo+rest {
				return true
			}
		}
	}
	return false
}

// oppositeWords are verbs with which functions' names begin. Of some, either is
// the undo of the other.
var oppositeWords = []struct {
	does, undo string
	both       bool
}{
	{"Add", "Remove", false},
	{"Add", "Delete", false},
	{"Create", "Delete", false},
	{"Create", "Remove", false},
	{"Set", "Unset", false},
	{"Set", "Clear", false},
	{"Set", "Remove", false},
	{"Mark", "Unmark", false},
	{"Mark", "Clear", false},
	{"Lock", "Unlock", false},
	{"Acquire", "Release", false},
	{"Attach", "Detach", false},
	{"Mount", "Unmount", false},
	{"Register", "Unregister", false},
	{"Register", "Deregister", false},
	{"Block", "Unblock", false},
	{"Fence", "Unfence", false},
	{"Freeze", "Unfreeze", false},
	{"Freeze", "Thaw", false},
	{"Exclude", "Include", true},
	{"Exclude", "Unexclude", false},
	{"Cordon", "Uncordon", false},
	{"Drain", "Undrain", false},
	{"Disable", "Enable", true},
	{"Pause", "Resume", false},
	{"Pause", "Unpause", false},
	{"Suspend", "Resume", false},
	{"Stop", "Start", false},
	{"Begin", "End", false},
}
