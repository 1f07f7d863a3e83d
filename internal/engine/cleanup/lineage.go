package cleanup

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// The lineage of a context lists the contexts that it is certainly derived from,
// starting with itself. If one of them is done, the context is done, too. The lineage of
// a detached context is only itself. A struct may carry a context: its lineage goes on with
// the one in its field.
type lineage []ssa.Value

func (l lineage) has(v ssa.Value) bool { return slices.Contains(l, v) }

// contents gives the values of local variables at one point of the execution. It is
// used for variables that a deferred literal captures, whose values change over time.
type contents map[*ssa.Alloc]ssa.Value

// maxLineage bounds the walk that finds a lineage. Contexts beyond it are missing.
const maxLineage = 256

// lineage returns the lineage of a context.
func (p *pkg) lineage(ctx ssa.Value, at contents) lineage {
	w := lineageWalk{p: p, at: at, inside: make(map[ssa.Value]bool)}
	l, _ := w.walk(ctx)
	return l
}

type lineageWalk struct {
	p      *pkg
	at     contents
	inside map[ssa.Value]bool // phis whose edges are being walked
	steps  int
}

// walk returns the lineage of a context. It is cyclic if the walk comes back to a phi
// that is being walked: a loop derives the context from itself.
func (w *lineageWalk) walk(ctx ssa.Value) (l lineage, cyclic bool) {
	for ctx != nil && w.steps < maxLineage {
		w.steps++
		ctx = w.p.canon(ctx, w.at)
		if l.has(ctx) {
			break
		}
		l = append(l, ctx)
		switch o := origin.Of(ctx); o.Kind {
		case origin.Result:
			ctx = w.p.derivedFrom(o.Call.Common(), o.Index)
		case origin.Choice:
			if w.inside[ctx] {
				return l, true
			}
			common, cyclic := w.common(ctx, o.Edges)
			return append(l, common...), cyclic
		case origin.Local:
			ctx = w.p.carriedBy(ctx.(*ssa.Alloc))
		default:
			ctx = nil
		}
	}
	return l, false
}

// carriedBy returns the context that the struct carries, nil if it is not known, or if the struct has none
// or several:
//
//	drainer := &drain.Helper{Ctx: ctx, Client: client}
func (p *pkg) carriedBy(made *ssa.Alloc) ssa.Value {
	s, ok := library.Deref(made.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var carrying *types.Var
	for field := range s.Fields() {
		switch {
		case !contexts.IsContext(field.Type()):
		case carrying != nil:
			return nil
		default:
			carrying = field
		}
	}
	if carrying == nil {
		return nil
	}
	return p.storedInField(made, carrying)
}

// common returns the intersection of the lineages of the phi's edges. Cyclic edges do
// not count: their values are derived from those of the other edges.
func (w *lineageWalk) common(phi ssa.Value, edges []ssa.Value) (common lineage, cyclic bool) {
	w.inside[phi] = true
	defer delete(w.inside, phi)
	cyclic = true
	for _, e := range edges {
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

// derivedFrom returns the context from which a call derives its i-th result, or nil. An
// unknown function that takes one context is assumed to derive its result from it, as
// one that adds a logger or a span does.
func (p *pkg) derivedFrom(call *ssa.CallCommon, i int) ssa.Value {
	fn := p.Target(call)
	switch library.Of(fn).Meaning {
	case library.NeverDone, library.Detaches, library.OfChannel:
		return nil
	}
	if own := p.Index.Own(call.StaticCallee()); own != nil {
		args := callee.Args(call)
		for j, param := range own.Params {
			if contexts.IsContext(param.Type()) && j < len(args) && p.handsOn(own, i, param) {
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
	if from := contexts.Of(call); len(from) == 1 {
		return from[0]
	}
	return nil
}

// handsOn reports whether the i-th result of fn is derived from the parameter at each
// return statement.
func (p *pkg) handsOn(fn *ssa.Function, i int, param *ssa.Parameter) bool {
	key := derivation{param, i}
	if known, ok := p.derives[key]; ok {
		return known
	}
	p.derives[key] = false // for a recursive call
	results := origin.Returned(fn, i)
	p.derives[key] = len(results) > 0 && !slices.ContainsFunc(results, func(v ssa.Value) bool {
		return !p.lineage(v, nil).has(param)
	})
	return p.derives[key]
}

// A derivation is the key of a cached answer: whether a function's result is derived
// from its parameter.
type derivation struct {
	param  *ssa.Parameter
	result int
}

// detaches reports whether fn returns a context that is not derived from the one
// it takes.
func (p *pkg) detaches(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	for i := range results.Len() {
		if !contexts.IsContext(results.At(i).Type()) {
			continue
		}
		for _, param := range fn.Params {
			if contexts.IsContext(param.Type()) && !p.handsOn(fn, i, param) {
				return true
			}
		}
	}
	return false
}

// maxCanon bounds the steps to a canonical value.
const maxCanon = 24

// canon returns the canonical value of v. It looks through conversions, variables and
// the parameters of function literals that run in place.
func (p *pkg) canon(v ssa.Value, at contents) ssa.Value {
	for range maxCanon {
		var next ssa.Value
		switch o := origin.Of(v); o.Kind {
		case origin.Renamed, origin.Boxed:
			next = o.X
		case origin.Loaded:
			next = p.content(v.(ssa.Instruction), o.X, at)
			if field := origin.Of(o.X); next == nil && field.Kind == origin.Field {
				next = p.contentOfField(v, v.Parent(), field.X, field.Field)
			}
		case origin.Field:
			if !o.Addr {
				next = p.contentOfField(v, v.Parent(), o.X, o.Field)
			}
		case origin.Parameter:
			next = p.passedInPlace(v.(*ssa.Parameter))
		}
		if next == nil || next == v {
			return v
		}
		v = next
	}
	return v
}

// passedInPlace returns the argument for a parameter of a function literal that runs in
// place. That is the operand of its defer, go or call statement. If the literal is
// itself an argument, it is the context that is passed along with it.
func (p *pkg) passedInPlace(param *ssa.Parameter) ssa.Value {
	fn := param.Parent()
	if fn.Parent() == nil {
		return nil
	}
	if call := p.Index.OnlyCall(fn); call != nil {
		if i := slices.Index(fn.Params, param); i < len(call.Args) {
			return call.Args[i]
		}
		return nil
	}
	if !contexts.IsContext(param.Type()) {
		return nil
	}
	call := p.Index.PassedTo(fn)
	if call == nil {
		return nil
	}
	if run, ok := p.runOf(call, fn); ok {
		if args := callee.Args(call); 0 <= run.Context && run.Context < len(args) {
			return args[run.Context]
		}
		return nil
	}
	if library.Name(callee.Static(call)) == "" && p.Index.Own(call.StaticCallee()) == nil {
		return nil
	}
	if passed := contexts.Of(call); len(passed) > 0 {
		return passed[0]
	}
	return nil
}

// content returns the only value that a local variable can hold where it is
// loaded, or nil.
func (p *pkg) content(load ssa.Instruction, addr ssa.Value, at contents) ssa.Value {
	cell := p.Index.Cell(addr)
	if cell == nil {
		return nil
	}
	if v, ok := at[cell]; ok {
		return v
	}
	stores, captured := origin.StoresIn(cell)
	switch {
	case captured > 0:
		return nil
	case len(stores) == 1:
		return stores[0].Val
	case load.Parent() == cell.Parent():
		return only(origin.MayHold(cell, load))
	}
	// In a function literal, the variable has the value that it has where the literal
	// is made, if nothing assigns to it later.
	made := p.madeIn(load.Parent(), cell.Parent())
	if made == nil || slices.ContainsFunc(stores, func(s *ssa.Store) bool { return cfg.Leads(made, s, nil) }) {
		return nil
	}
	return only(origin.MayHold(cell, made))
}

func only(vs []ssa.Value) ssa.Value {
	if len(vs) != 1 {
		return nil
	}
	return vs[0]
}

// madeIn returns where fn makes the literal that is lit or encloses it, or nil.
func (p *pkg) madeIn(lit, fn *ssa.Function) ssa.Instruction {
	for ; lit != nil; lit = lit.Parent() {
		if lit.Parent() == fn {
			if made := p.Index.Closures(lit); len(made) == 1 {
				return made[0]
			}
			return nil
		}
	}
	return nil
}

// receiverOfDone returns the context if v is its Done channel, else nil.
func (p *pkg) receiverOfDone(v ssa.Value) ssa.Value { return p.askedWith("Done", v) }

// askedWith returns the context if v is the result of its method, else nil.
func (p *pkg) askedWith(method string, v ssa.Value) ssa.Value {
	o := origin.Of(p.canon(v, nil))
	if o.Kind != origin.Result {
		return nil
	}
	fn := callee.Static(o.Call.Common())
	args := callee.Args(o.Call.Common())
	if fn == nil || fn.Name() != method || len(args) != 1 || !contexts.IsContext(args[0].Type()) {
		return nil
	}
	return args[0]
}
