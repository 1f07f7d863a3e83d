package contexts

import (
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// HasOwnEnd reports whether a context that the function has at hand ends by what the
// package does: the package derives it with a cancel function or with a time limit.
// Other contexts, as far as the package shows, end with the process.
//
//	ctx, cancel := context.WithCancel(ctx)
//	r.running[key] = cancel
//	go r.drain(ctx, key)
//
// A time limit of the function's own does not count if it is certainly not over before
// what lasts so long in it, 0 if that is not known.
func (p *Package) HasOwnEnd(fn *ssa.Function, lasts time.Duration) bool {
	w := &endWalk{p: p, seen: make(map[ssa.Value]bool)}
	for _, v := range fn.FreeVars {
		if IsContext(library.Deref(v.Type())) && w.ends(v) {
			return true
		}
	}
	for f := fn; f != nil; f = f.Parent() {
		if slices.ContainsFunc(f.Params, w.paramEnds) {
			return true
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && derivesWithEnd(call.Common()) && !p.isOver(call.Common(), lasts) {
				return true
			}
		}
	}
	return false
}

// isOver reports whether something that lasts so long is over before the time limit that
// the call sets.
func (p *Package) isOver(call *ssa.CallCommon, lasts time.Duration) bool {
	return lasts > 0 && slices.ContainsFunc(call.Args, func(arg ssa.Value) bool {
		limit, ok := p.Duration(arg)
		return ok && lasts <= limit
	})
}

// derivesWithEnd reports whether the call derives a context with a cancel function.
func derivesWithEnd(call *ssa.CallCommon) bool {
	meaning := library.Of(callee.Static(call)).Meaning
	return meaning == library.Cancels || meaning == library.Expires
}

// An endWalk walks backward from contexts to where they are derived.
type endWalk struct {
	p    *Package
	seen map[ssa.Value]bool
}

// paramEnds reports whether the context in the parameter, or in a field of the struct
// in it, has an end of its own.
func (w *endWalk) paramEnds(param *ssa.Parameter) bool {
	if IsContext(param.Type()) {
		return w.ends(param)
	}
	field := w.p.contextField(param.Type(), 0)
	return field != nil && w.anyEnds(origin.Values(w.p.Index.Field(field)))
}

func (w *endWalk) anyEnds(vs []ssa.Value) bool { return slices.ContainsFunc(vs, w.ends) }

// ends reports whether the context v, or the one in the variable v, has an end of its
// own.
func (w *endWalk) ends(v ssa.Value) bool {
	if w.seen[v] || len(w.seen) > maxSignal {
		return false
	}
	w.seen[v] = true
	switch o := origin.Of(v); o.Kind {
	case origin.Parameter:
		return w.anyEnds(w.p.Index.Arguments(v.(*ssa.Parameter)))
	case origin.Captured:
		return w.anyEnds(w.p.Index.Bindings(v.(*ssa.FreeVar)))
	case origin.Local:
		return w.anyEnds(origin.StoredAt(v))
	case origin.Field:
		return w.anyEnds(origin.Values(w.p.Index.Field(o.Field)))
	case origin.Loaded, origin.Renamed, origin.Boxed, origin.Asserted:
		return w.ends(o.X)
	case origin.Choice:
		return w.anyEnds(o.Edges)
	case origin.Result:
		if library.Of(callee.Static(o.Call.Common())).Meaning == library.Detaches {
			return false
		}
		return derivesWithEnd(o.Call.Common()) || w.anyEnds(Of(o.Call.Common()))
	}
	return false
}
