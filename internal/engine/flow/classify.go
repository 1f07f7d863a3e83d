package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// classify reports whether cond, with the outcome then, is a guard, and returns
// the labels that feed it.
func (in *interp) classify(fr *frame, cond ssa.Value, then bool, depth int) (labels, bool) {
	ls := in.reg(fr, cond).labels
	if in.stepsLeft--; depth > 6 || in.exhausted() {
		return ls, true
	}
	if answer, ok := in.answer(cond, maxAnswers); ok && answer == then {
		return nil, false
	}
	if in.isNeverThere(fr, cond, then) {
		return nil, false
	}
	if load, ok := cond.(*ssa.UnOp); ok {
		if ls, is, known := in.storedFlag(fr, load, then, depth); known {
			return ls, is
		}
	}
	switch o := origin.Of(cond); o.Kind {
	case origin.Constant:
		return nil, false
	case origin.Computed:
		switch {
		case o.Op == token.NOT:
			return in.classify(fr, o.X, !then, depth+1)
		case (o.Op == token.EQL) == then && o.Y != nil && (in.isOwnSentinel(o.X) || in.isOwnSentinel(o.Y)):
			return nil, true
		case o.Y != nil:
			return in.comparison(fr, cond.(*ssa.BinOp), then, ls)
		}
	case origin.Loaded, origin.Received, origin.Field, origin.Parameter, origin.Captured, origin.Element:
		if of, field := answered(cond); field != "" {
			if d := fr.fieldVerdict(of, field); d != nil {
				return in.answerCondition(fr, resultOf(of), d.outcome(then), ls)
			}
		}
		isIndex := o.Kind == origin.Element && isMap(o.X) && in.hasForeignSpec(fr, ls)
		return ls, (isIndex || !in.isSetting(ls)) && !in.choosesItem(fr, cond, o) && !(then && in.staysTrue(cond)) // a boolean variable
	case origin.OK:
		if entry := origin.Of(o.X); entry.Kind == origin.Element {
			return ls, !then && !in.choosesItem(fr, cond, entry) // absent from a map
		}
		if assert := assertion(cond); assert != nil && isOfAnyType(assert.X.Type()) {
			ls := in.reg(fr, assert.X).labels
			return ls, !then && !in.isSetting(ls) // what is stored is of another type
		}
		return nil, false // another type assertion, receive
	case origin.Item, origin.Selected:
		return nil, false
	case origin.Result:
		return in.callCondition(fr, cond, o.Call, then, ls)
	case origin.Choice:
		return in.flag(fr, cond.(*ssa.Phi), then, depth)
	}
	return ls, true
}

// hasForeignSpec reports whether one of the labels is of the spec of an object that another module
// declares, which code may write:
//
//	has := make(map[int32]bool)
//	for _, port := range service.Spec.Ports { has[port.Port] = true }
//	for _, port := range ports {
//		if !has[port.Port] { service.Spec.Ports = append(service.Spec.Ports, port) }
//	}
func (in *interp) hasForeignSpec(fr *frame, ls labels) bool {
	params := fr.outermost().fn.Params
	return slices.ContainsFunc(ls, func(l Label) bool {
		if l.Kind != Content || l.Param >= len(params) || l.Path.FirstField() != "Spec" {
			return false
		}
		s, ok := library.Deref(params[l.Param].Type()).Underlying().(*types.Struct)
		return ok && isObject(s) && !in.isOwnObject(params[l.Param].Type())
	})
}

// maxAnswers bounds the calls that answer follows.
const maxAnswers = 4

// answer returns the answer that a function of the package always gives:
//
//	func set(thing *Thing) (changed bool) {
//		thing.Status.Conditions = append(thing.Status.Conditions, ready)
//		return true
//	}
func (in *interp) answer(v ssa.Value, depth int) (yes, known bool) {
	o := origin.Of(v)
	if o.Kind == origin.Constant {
		return constants.Bool(v)
	}
	if o.Kind != origin.Result || depth == 0 {
		return false, false
	}
	fn := o.Call.Call.StaticCallee()
	if fn == nil {
		return false, false
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		one, ok := in.answer(ret.Results[o.Index], depth-1)
		if !ok || known && one != yes {
			return false, false
		}
		yes, known = one, true
	}
	return yes, known
}

// choosesItem reports whether cond, a lookup of the entry, asks for an item of a
// loop in a map that nothing but the items feeds, such as a list of exceptions or
// what the loop has seen before:
//
//	for _, ip := range m {
//		if seen[ip] {
//			continue
//		}
//		seen[ip] = true
//
// The same items are chosen each time.
func (in *interp) choosesItem(fr *frame, cond ssa.Value, entry origin.Origin) bool {
	if !isMapEntry(entry) {
		return false
	}
	key, m, found := in.keyLabels(fr, entry.Key), in.reg(fr, entry.X), in.reg(fr, cond)
	if key.hasItem() && in.hasSeen(cond, entry) {
		return true
	}
	if !key.hasItem() || len(m.refs) == 0 || m.unknown || found.unknown || slices.ContainsFunc(m.refs, func(r loc) bool { return r.obj.symbolic || r.obj.opaque }) {
		return false
	}
	return !slices.ContainsFunc(found.labels.withoutItems(), fedBeside(key)) && !fr.mayStillBeFed()
}

// hasSeen reports whether cond, a lookup of the entry, only asks whether the loop had the
// same key before: nothing else fills the map, but for constant keys before the loop, whatever
// the key is made of.
//
//	key := suffix{number, width}
//	if _, ok := seen[key]; ok {
//		continue
//	}
//	seen[key] = struct{}{}
func (in *interp) hasSeen(cond ssa.Value, entry origin.Origin) bool {
	m, ok := entry.X.(*ssa.MakeMap)
	if !ok {
		return false
	}
	l, isPresence := in.innermost(blockOf(cond)), origin.Of(cond).Kind == origin.OK
	for _, ref := range *m.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
		case *ssa.MapUpdate:
			isFirst := isConst(ref.Key) && in.innermost(ref.Block()) != l
			if ref.Map != m || !isFirst && (in.innermost(ref.Block()) != l || !sameValue(ref.Key, entry.Key)) || !isPresence && !isConst(ref.Value) {
				return false
			}
		default:
			return false
		}
	}
	return l != nil
}

// mayStillBeFed reports whether loops may still feed what the block being interpreted asks
// for. If so, the block asks again when they have.
func (fr *frame) mayStillBeFed() bool {
	if !fr.settled {
		fr.deferred = append(fr.deferred, fr.block)
	}
	return !fr.settled
}

// keyLabels returns the labels of the key of a map. Those of a struct that is put together
// for it are with its fields:
//
//	key := portKey{port.Protocol, port.Number}
func (in *interp) keyLabels(fr *frame, key ssa.Value) labels {
	ls := in.reg(fr, key).labels
	load := origin.Of(key)
	if load.Kind != origin.Loaded || origin.Of(load.X).Kind != origin.Local {
		return ls
	}
	for _, ref := range *load.X.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, stored := range origin.StoredAt(field) {
			ls = ls.union(in.reg(fr, stored).labels)
		}
	}
	return ls
}

// fedBeside returns a function that reports whether a label of an entry of a map is
// of something else than the key.
func fedBeside(key labels) func(l Label) bool {
	return func(l Label) bool {
		return l.Kind != Content || !slices.ContainsFunc(key, func(k Label) bool { return k.covers(l) })
	}
}

// missesStored reports whether the condition says that there is no entry in a map
// that the function has filled, other than with what is wanted:
//
//	for _, c := range old { byType[c.Type] = c }
//	for _, c := range conditions {
//		if _, ok := byType[c.Type]; !ok { … }
//
// What is added there is stored, and is found the next time. A table, or a list of
// exceptions in a spec that the function does not set, misses the same keys each time.
func (in *interp) missesStored(fr *frame, c cfg.Condition) bool {
	entry, ok := lackedEntry(c)
	if !ok {
		return false
	}
	fed := fedBeside(in.keyLabels(fr, entry.Key))
	stored := func(l Label) bool {
		return fed(l) && (!isOfSpec(l.Path) || in.hasForeignSpec(fr, labels{l}) && storesAlong(fr.outermost().fn, l.Path))
	}
	return slices.ContainsFunc(in.reg(fr, c.Value).labels.withoutItems(), stored) || fr.mayStillBeFed()
}

// storesAlong reports whether the function stores to a field that leads to the last one of the path,
// by its name.
func storesAlong(fn *ssa.Function, path access.Path) bool {
	names := make(map[string]bool)
	for step := range path.Parent().Steps() {
		names[step.Name] = step.Kind == access.Field
	}
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			s, ok := instr.(*ssa.Store)
			return ok && names[origin.Of(s.Addr).FieldName()]
		})
	})
}

// isOfSpec reports whether the path leads through a spec.
func isOfSpec(p access.Path) bool {
	for step := range p.Steps() {
		if step.Kind == access.Field && step.Name == "Spec" {
			return true
		}
	}
	return false
}
