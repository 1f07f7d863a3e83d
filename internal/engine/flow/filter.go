package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A filter is a condition in a loop that asks about the loop's element alone, or
// compares it with configuration:
//
//	for name, volume := range volumes {
//		if isSecret(volume) { names = append(names, name) }
//	}
//
// The same elements pass it on each reconcile, in another order. So a filter fixes
// no order. It may also look up other entries of the map that the loop is over, and
// collect answers about them in a boolean variable:
//
//	for parent, children := range tree {
//		leaf := true
//		for _, child := range children {
//			if len(tree[child]) > 0 { leaf = false }
//		}
//		if leaf { lines = append(lines, parent) }
//	}

// isFilter reports whether the condition is a filter, and nothing is written to
// the cluster under it.
func (in *interp) isFilter(fr *frame, c cfg.Condition) bool {
	at, ok := c.Value.(ssa.Instruction)
	if !ok {
		return false
	}
	l := in.innermost(at.Block())
	if _, ok := at.(*ssa.Phi); ok && l != nil && l.startsAt(at.Block()) && at.Block().Idom() != nil {
		l = in.innermost(at.Block().Idom()) // what the loop has set in the end
	}
	if l == nil || slices.ContainsFunc(in.reg(fr, c.Value).labels, Label.IsTime) {
		return false
	}
	f := newFilter(in, fr, l)
	return f.value(c.Value) && f.asks && !in.writes(regionOf(c)) && !f.changes(regionOf(c))
}

// A filter looks at what a condition is made of.
type filter struct {
	in   *interp
	fr   *frame
	loop *loop
	seen map[ssa.Value]bool
	asks bool // the condition asks about the element
	// fields are those that the condition reads.
	fields map[*types.Var]bool
}

func newFilter(in *interp, fr *frame, l *loop) *filter {
	return &filter{in: in, fr: fr, loop: l, seen: make(map[ssa.Value]bool), fields: make(map[*types.Var]bool)}
}

// value reports whether v is made of the loop's element, constants, names and
// configuration alone.
func (f *filter) value(v ssa.Value) bool {
	if f.seen[v] {
		return true
	}
	f.seen[v] = true
	if len(f.seen) > maxTests {
		return false
	}
	if f.isNameOfOne(v) {
		return true
	}
	o := origin.Of(v)
	switch o.Kind {
	case origin.Constant, origin.Func:
		return true
	case origin.Item:
		return f.element(v)
	case origin.Element:
		if index, ok := o.Key.(ssa.Instruction); ok && f.loop.startsAt(index.Block()) {
			return f.element(v)
		}
		return (f.isRanged(o.X) || f.value(o.X)) && f.value(o.Key)
	case origin.Choice:
		return f.flag(v.(*ssa.Phi))
	case origin.Computed:
		return f.value(o.X) && (o.Y == nil || f.value(o.Y))
	case origin.Field:
		asked := f.asks
		f.fields[o.Field] = true
		if f.value(o.X) {
			return true
		}
		f.asks = asked
		return f.in.isConfiguration(o)
	case origin.Renamed, origin.Converted, origin.Sliced, origin.Boxed, origin.Asserted, origin.Loaded, origin.OK:
		return f.value(o.X)
	case origin.Local:
		stored := origin.StoredAt(v)
		return len(stored) > 0 && !slices.ContainsFunc(stored, func(s ssa.Value) bool { return !f.value(s) })
	case origin.Result:
		if callee.Static(&o.Call.Call) == nil && o.Builtin() == "" || slices.ContainsFunc(f.in.reg(f.fr, v).labels, Label.IsTime) {
			return false // a literal, which may capture more, or a test of the time
		}
		for i, arg := range callee.Args(&o.Call.Call) {
			if !f.value(arg) && !(f.isOne(arg) && (f.in.asksForNames(&o.Call.Call, i, maxNameCalls) || f.asksSpec(o.Call, arg))) {
				return false
			}
		}
		return true
	}
	return false
}

// asksSpec reports whether the answer of the call, which gets an object, depends on nothing of
// the object but its spec, which is what a user has set:
//
//	if thing.HasPlugin(name) { … }
func (f *filter) asksSpec(call *ssa.Call, object ssa.Value) bool {
	in, params := f.in, f.fr.outermost().fn.Params
	answer := in.reg(f.fr, call)
	var others labels
	for _, arg := range callee.Args(&call.Call) {
		if arg != object {
			others = others.union(in.reg(f.fr, arg).labels)
		}
	}
	var fields []fieldKey
	for _, l := range answer.labels.withoutItems() {
		if slices.ContainsFunc(others, l.covers) {
			continue
		}
		if l.Kind != Content || l.Param >= len(params) {
			return false
		}
		along, ok := in.fieldsAlong(params[l.Param].Type(), l.Path)
		if !ok {
			return false
		}
		fields = append(fields, along...)
	}
	return !answer.unknown && len(fields) > 0 && !in.isAnyFieldSet(cfg.Condition{Value: call, Holds: true}, fields)
}

// isRanged reports whether v is the map that the loop is over.
func (f *filter) isRanged(v ssa.Value) bool {
	if f.loop.Loop == nil {
		return false
	}
	over := overOf(f.loop.Loop)
	return over != nil && isMap(over) && sameValue(over, v)
}

// flag reports whether a boolean variable, or a text, that is set anew for each element has
// constants or parts of the element for values, and is set under conditions on the element
// alone, or on a setting. A loop in the loop must be over a part of the element.
func (f *filter) flag(phi *ssa.Phi) bool {
	if !isBasic(phi.Type()) || !f.loop.contains(phi.Block()) || f.loop.startsAt(phi.Block()) {
		return false
	}
	base := f.in.control.Of(phi.Block())
	for i, e := range phi.Edges {
		if !isConst(e) && !f.value(e) {
			return false
		}
		for _, g := range f.in.control.OfEdge(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}) {
			if cfg.Contains(base, g) {
				continue
			}
			for _, way := range g {
				if slices.ContainsFunc(way, func(br cfg.Branch) bool { return !f.decides(br.Stripped().Value) }) {
					return false
				}
			}
		}
	}
	return true
}

// decides reports whether v, a condition, is a condition on the element alone, or whether
// a loop over a part of the element has another round.
func (f *filter) decides(v ssa.Value) bool {
	more, ok := v.(*ssa.Extract)
	if !ok {
		return f.value(v) || f.isSetting(v)
	}
	next, ok := more.Tuple.(*ssa.Next)
	if !ok {
		return f.value(v) || f.isSetting(v)
	}
	rng, ok := next.Iter.(*ssa.Range)
	return ok && f.value(rng.X)
}

// isSetting reports whether v, which is set before the loop, is configuration.
func (f *filter) isSetting(v ssa.Value) bool {
	at, ok := v.(ssa.Instruction)
	return ok && !f.loop.contains(at.Block()) && f.in.areSettings(f.in.reg(f.fr, v).labels)
}

// changes reports whether code in the blocks assigns to what the condition reads of the
// element, other than in a copy of it. The condition may then not hold again.
func (f *filter) changes(blocks []*ssa.BasicBlock) bool {
	return slices.ContainsFunc(blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			var place ssa.Value
			switch instr := instr.(type) {
			case *ssa.Store:
				place = instr.Addr
			case *ssa.MapUpdate:
				place = instr.Map
			default:
				return false
			}
			field, of := origin.FieldOf(place)
			if !f.fields[field] || field == nil || origin.Of(origin.Through(of, origin.Field)).Kind == origin.Local {
				return false
			}
			element := newFilter(f.in, f.fr, f.loop)
			return element.value(of) && element.asks
		})
	})
}

// element notes that the condition asks about the element v of the loop.
func (f *filter) element(v ssa.Value) bool {
	at, ok := v.(ssa.Instruction)
	if !ok || !f.loop.contains(at.Block()) {
		return false
	}
	f.asks = true
	return true
}

// isConfiguration reports whether the field is the spec of one of the module's
// own objects. The spec of another object may be what the operator writes.
func (a *analysisState) isConfiguration(o origin.Origin) bool {
	named := library.NamedOf(o.X.Type())
	return o.FieldName() == "Spec" && named != nil && named.Obj().Pkg() != nil && a.isOwnPackage(named.Obj().Pkg().Path())
}

// writes reports whether code that runs in the blocks writes to the cluster.
func (in *interp) writes(blocks []*ssa.BasicBlock) bool {
	always := func(*library.Write) bool { return true }
	events := func(events []Event) bool {
		return slices.ContainsFunc(events, func(ev Event) bool { return library.Named(ev.Callee).Write != nil })
	}
	return slices.ContainsFunc(blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			return ok && in.mayWrite(call.Common(), always, events)
		})
	})
}

// mayWrite reports whether a call makes a write that matters: the library's own,
// or among the events of what it calls. A function that has no summary yet may.
func (in *interp) mayWrite(call *ssa.CallCommon, own func(*library.Write) bool, events func([]Event) bool) bool {
	if fn := callee.Static(call); fn != nil {
		if w := library.Of(fn).Write; w != nil {
			return own(w)
		}
		if sum := in.imported(fn); sum != nil && events(sum.Events) {
			return true
		}
	}
	return slices.ContainsFunc(in.resolver.Call(call).Own, func(fn *ssa.Function) bool {
		sum := in.summaries[fn]
		return sum == nil && fn.Parent() == nil || sum != nil && events(sum.Events)
	})
}
