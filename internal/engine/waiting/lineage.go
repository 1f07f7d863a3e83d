package waiting

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A lineage lists contexts of which it is certain that a context is derived from
// them, itself included: once one of them is done, so is it. What is detached
// has no lineage but itself.
type lineage []ssa.Value

func (l lineage) has(v ssa.Value) bool { return slices.Contains(l, v) }

// meets reports whether the two are derived from one context.
func (l lineage) meets(m lineage) bool { return slices.ContainsFunc(l, m.has) }

// held says what local variables hold at the time in question, where it is not
// the same at all times: those that a deferred function captures.
type held map[*ssa.Alloc]ssa.Value

// maxLineage bounds the steps in which a lineage is found. What is beyond is not
// known to be in it.
const maxLineage = 256

// lineage returns the lineage of a context.
func (p *pkg) lineage(ctx ssa.Value, h held) lineage {
	w := lineageWalk{p: p, h: h, inside: make(map[*ssa.Phi]bool)}
	l, _ := w.walk(ctx)
	return l
}

type lineageWalk struct {
	p      *pkg
	h      held
	inside map[*ssa.Phi]bool // whose edges are being walked
	steps  int
}

// walk returns the lineage of a context, and whether it leads back into a phi
// that is being walked: a loop that derives a context from itself.
func (w *lineageWalk) walk(ctx ssa.Value) (l lineage, cyclic bool) {
	for ctx != nil && w.steps < maxLineage {
		w.steps++
		ctx = w.p.canon(ctx, w.h)
		if l.has(ctx) {
			break
		}
		l = append(l, ctx)
		switch v := ctx.(type) {
		case *ssa.Extract:
			ctx = nil
			if call, ok := v.Tuple.(*ssa.Call); ok {
				ctx = w.p.derivedFrom(call.Common(), v.Index)
			}
		case *ssa.Call:
			ctx = w.p.derivedFrom(v.Common(), 0)
		case *ssa.Phi:
			if w.inside[v] {
				return l, true
			}
			common, cyclic := w.common(v)
			return append(l, common...), cyclic
		default:
			ctx = nil
		}
	}
	return l, false
}

// common returns what is in the lineage of all that the phi may be. What comes
// back from a loop has the lineage of what went in.
func (w *lineageWalk) common(phi *ssa.Phi) (common lineage, cyclic bool) {
	w.inside[phi] = true
	defer delete(w.inside, phi)
	cyclic = true
	for _, e := range phi.Edges {
		l, again := w.walk(e)
		switch {
		case again:
		case cyclic:
			common, cyclic = l, false
		default:
			common = slices.DeleteFunc(common, func(v ssa.Value) bool { return !l.has(v) })
		}
	}
	return common, cyclic
}

// derivedFrom returns the context from which a call derives its i-th result, or
// nil. Functions that take one context and return one, and of which nothing
// else is known, put a logger, a span or the like into it.
func (p *pkg) derivedFrom(call *ssa.CallCommon, i int) ssa.Value {
	fn := p.target(call)
	args := arguments(call)
	switch library.MeaningOf(fn) {
	case library.NeverDone, library.Detaches, library.OfChannel:
		return nil
	}
	if own := p.own(call.StaticCallee()); own != nil {
		for j, param := range own.Params {
			if isContext(param.Type()) && j < len(args) && p.handsOn(own, i, param) {
				return args[j]
			}
		}
		return nil
	}
	if fn != nil {
		if fact := p.fact(fn.Origin()); fact != nil && fact.Detaches {
			return nil
		}
	}
	var from ssa.Value
	for _, arg := range args {
		if isContext(arg.Type()) {
			if from != nil {
				return nil
			}
			from = arg
		}
	}
	return from
}

// handsOn reports whether all that fn returns as its i-th result is derived from
// the parameter.
func (p *pkg) handsOn(fn *ssa.Function, i int, param *ssa.Parameter) bool {
	key := derivation{param, i}
	if known, ok := p.derives[key]; ok {
		return known
	}
	p.derives[key] = false // while it is being computed
	results := returned(fn, i)
	p.derives[key] = len(results) > 0 && !slices.ContainsFunc(results, func(v ssa.Value) bool {
		return !p.lineage(v, nil).has(param)
	})
	return p.derives[key]
}

// A derivation is a question: is a function's result derived from its parameter?
type derivation struct {
	param  *ssa.Parameter
	result int
}

// detaches reports whether fn returns a context that is not derived from the one
// it takes.
func (p *pkg) detaches(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	for i := range results.Len() {
		if !isContext(results.At(i).Type()) {
			continue
		}
		for _, param := range fn.Params {
			if isContext(param.Type()) && !p.handsOn(fn, i, param) {
				return true
			}
		}
	}
	return false
}

// canon looks through conversions, variables and the parameters of function
// literals to the value that v is.
func (p *pkg) canon(v ssa.Value, h held) ssa.Value {
	for range signalDepth {
		var next ssa.Value
		switch v := v.(type) {
		case *ssa.ChangeInterface:
			next = v.X
		case *ssa.ChangeType:
			next = v.X
		case *ssa.MakeInterface:
			next = v.X
		case *ssa.UnOp:
			if v.Op == token.MUL {
				next = p.content(v, h)
			}
		case *ssa.Parameter:
			next = p.passedInPlace(v)
		}
		if next == nil {
			return v
		}
		v = next
	}
	return v
}

// passedInPlace returns what a function literal that runs in place gets for a
// parameter: the operand of its defer, go or call statement, or the context that
// is passed beside the literal itself.
func (p *pkg) passedInPlace(param *ssa.Parameter) ssa.Value {
	fn := param.Parent()
	if fn.Parent() == nil {
		return nil
	}
	if call := p.onlyCall(fn); call != nil {
		for i, other := range fn.Params {
			if other == param && i < len(call.Args) {
				return call.Args[i]
			}
		}
		return nil
	}
	if !isContext(param.Type()) {
		return nil
	}
	call := p.calledBackBy(fn)
	if call == nil || library.Name(ssair.Callee(call)) == "" && p.own(call.StaticCallee()) == nil {
		return nil
	}
	for _, arg := range arguments(call) {
		if isContext(arg.Type()) {
			return arg
		}
	}
	return nil
}

// onlyCall returns the only call of a function literal that is not used in any
// other way, or nil.
func (p *pkg) onlyCall(lit *ssa.Function) *ssa.CallCommon {
	var found *ssa.CallCommon
	use := func(v ssa.Value, refs []ssa.Instruction) bool {
		for _, ref := range refs {
			if _, ok := ref.(*ssa.DebugRef); ok {
				continue
			}
			call, ok := ref.(ssa.CallInstruction)
			if !ok || call.Common().Value != v || found != nil {
				return false
			}
			found = call.Common()
		}
		return true
	}
	for _, mc := range p.closures[lit] {
		if !use(mc, *mc.Referrers()) {
			return nil
		}
	}
	if len(p.closures[lit]) > 0 {
		return found
	}
	if calls := p.calls[lit]; len(calls) == 1 && len(p.uses[lit]) == 0 {
		return calls[0] // it captures nothing
	}
	return nil
}

// content returns the only value that a local variable can hold where it is
// loaded, or nil.
func (p *pkg) content(load *ssa.UnOp, h held) ssa.Value {
	alloc := p.localOf(load.X)
	if alloc == nil {
		return nil
	}
	if v, ok := h[alloc]; ok {
		return v
	}
	stores, elsewhere := p.storesIn(alloc)
	switch {
	case len(stores)+elsewhere == 1 && elsewhere == 0:
		return stores[0].Val
	case elsewhere > 0:
		return nil
	case load.Parent() == alloc.Parent():
		return only(mayHold(alloc, load))
	}
	// In a function literal: what the variable holds when that is made, if
	// nobody assigns to it later.
	made := p.madeIn(load.Parent(), alloc.Parent())
	if made == nil || slices.ContainsFunc(stores, func(s *ssa.Store) bool { return leads(made, s, nil) }) {
		return nil
	}
	return only(mayHold(alloc, made))
}

func only(vs []ssa.Value) ssa.Value {
	if len(vs) != 1 {
		return nil
	}
	return vs[0]
}

// localOf returns the local variable whose address v is, also in a function
// literal that captures it; nil if v is anything else.
func (p *pkg) localOf(v ssa.Value) *ssa.Alloc {
	for range signalDepth {
		switch addr := v.(type) {
		case *ssa.Alloc:
			return addr
		case *ssa.FreeVar:
			bound := p.bindings(addr)
			if len(bound) != 1 {
				return nil
			}
			v = bound[0]
		default:
			return nil
		}
	}
	return nil
}

// storesIn returns the stores in a variable by its own function, and how many
// there are in function literals.
func (p *pkg) storesIn(alloc *ssa.Alloc) (stores []*ssa.Store, elsewhere int) {
	for _, ref := range *alloc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == alloc {
				stores = append(stores, ref)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == ssa.Value(alloc) {
					elsewhere += len(storesTo(ref.Fn.(*ssa.Function).FreeVars[i]))
				}
			}
		}
	}
	return stores, elsewhere
}

// madeIn returns where the function makes the literal in which lit lies, or nil.
func (p *pkg) madeIn(lit, fn *ssa.Function) ssa.Instruction {
	for ; lit != nil; lit = lit.Parent() {
		if lit.Parent() == fn {
			if made := p.closures[lit]; len(made) == 1 {
				return made[0]
			}
			return nil
		}
	}
	return nil
}

// mayHold returns the values that the variable may hold where the instruction
// is, nil for its zero value.
func mayHold(alloc *ssa.Alloc, at ssa.Instruction) []ssa.Value {
	var found []ssa.Value
	add := func(v ssa.Value) {
		if !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock, n int)
	back = func(b *ssa.BasicBlock, n int) {
		for _, instr := range slices.Backward(b.Instrs[:n]) {
			if store, ok := instr.(*ssa.Store); ok && store.Addr == ssa.Value(alloc) {
				add(store.Val)
				return
			}
			if instr == ssa.Instruction(alloc) {
				add(nil)
				return
			}
		}
		for _, pred := range b.Preds {
			if !seen[pred] {
				seen[pred] = true
				back(pred, len(pred.Instrs))
			}
		}
	}
	back(at.Block(), slices.Index(at.Block().Instrs, at))
	return found
}

// leads reports whether control can go from one instruction to another of the
// same function without coming by what bars the way.
func leads(from, to ssa.Instruction, bars func(ssa.Instruction) bool) bool {
	return walk(from.Block(), slices.Index(from.Block().Instrs, from)+1, to, bars, nil)
}

// walk is leads from the n-th instruction of a block, not going along the edges
// that are cut.
func walk(b *ssa.BasicBlock, n int, to ssa.Instruction, bars func(ssa.Instruction) bool, cut func(edge) bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var from func(b *ssa.BasicBlock, n int) bool
	from = func(b *ssa.BasicBlock, n int) bool {
		for _, instr := range b.Instrs[n:] {
			if instr == to {
				return true
			}
			if bars != nil && bars(instr) {
				return false
			}
		}
		for _, succ := range b.Succs {
			if !seen[succ] && (cut == nil || !cut(edge{b, succ})) {
				seen[succ] = true
				if from(succ, 0) {
					return true
				}
			}
		}
		return false
	}
	return from(b, n)
}

// contextsOf returns the arguments that are contexts.
func contextsOf(call *ssa.CallCommon) []ssa.Value {
	return slices.DeleteFunc(slices.Clone(arguments(call)), func(v ssa.Value) bool { return !isContext(v.Type()) })
}

// receiverOfDone returns the context whose Done channel v is, or nil.
func (p *pkg) receiverOfDone(v ssa.Value) ssa.Value { return p.askedWith("Done", v) }

// askedWith returns the context of which v is what its method returns, or nil.
func (p *pkg) askedWith(method string, v ssa.Value) ssa.Value {
	call, ok := p.canon(v, nil).(*ssa.Call)
	if !ok {
		return nil
	}
	fn := ssair.Callee(call.Common())
	args := arguments(call.Common())
	if fn == nil || fn.Name() != method || len(args) != 1 || !isContext(args[0].Type()) {
		return nil
	}
	return args[0]
}
