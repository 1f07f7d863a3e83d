package flow

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

// A condition is undone if the code under it makes it false. It is then a guard,
// though it asks whether something is there:
//
//	if _, ok := thing.Annotations["restart"]; ok {
//		delete(thing.Annotations, "restart")
//	}
//	if controllerutil.ContainsFinalizer(thing, finalizer) {
//		controllerutil.RemoveFinalizer(thing, finalizer)
//	}

// undone reports whether the condition says that something is there, and code under
// it removes that.
func (in *interp) undone(fr *frame, c cfg.Condition) bool {
	c = c.Stripped()
	if entry, ok := presentEntry(c); ok {
		_, known := in.text(entry.Key)
		return (known || in.isOfObject(fr, entry, c.Value)) &&
			in.anyRuns(regionOf(c), func(instr ssa.Instruction) bool { return in.removesEntry(instr, entry) }, make(map[*ssa.Function]bool))
	}
	o := origin.Of(c.Value)
	if o.Kind != origin.Result || !c.Holds || library.Of(callee.Static(o.Call.Common())).Finalizer != library.AsksFinalizer {
		return false
	}
	// What is removed from an object that is being deleted is no matter elsewhere.
	region := regionOf(c)
	if !in.onlyDeleting(fr, o.Call.Block()) {
		fr.lookedAhead = true
		region = slices.DeleteFunc(region, func(b *ssa.BasicBlock) bool { return in.whileDeleted(fr, b) })
	}
	return in.anyRuns(region, func(instr ssa.Instruction) bool {
		call, ok := instr.(ssa.CallInstruction)
		return ok && library.Of(callee.Static(call.Common())).Finalizer == library.RemovesFinalizer
	}, make(map[*ssa.Function]bool))
}

// presentEntry returns the entry of a map, if the condition says that the entry is
// there or is not empty.
func presentEntry(c cfg.Condition) (entry origin.Origin, ok bool) {
	o := origin.Of(c.Value)
	at := o.X
	switch {
	case o.Kind == origin.OK && c.Holds:
	case o.Kind == origin.Computed && testsZero(c.Value) && isNot(c):
		at, _, _ = comparedConst(c.Value)
	default:
		return origin.Origin{}, false
	}
	entry = origin.Of(at)
	return entry, isMapEntry(entry)
}

// lackedEntry returns the entry of a map, if the condition says that the entry is not
// there.
func lackedEntry(c cfg.Condition) (entry origin.Origin, ok bool) {
	c = c.Stripped()
	o := origin.Of(c.Value)
	if o.Kind != origin.OK || c.Holds {
		return origin.Origin{}, false
	}
	entry = origin.Of(o.X)
	return entry, isMapEntry(entry)
}

// isMapEntry reports whether a value of this origin is the entry of a map.
func isMapEntry(o origin.Origin) bool { return o.Kind == origin.Element && isMap(o.X) }

// isOfObject reports whether a map, of which asked says whether it has the entry, is made
// of what an object has beside its spec. To take each item of a loop out of a map is no
// change of the object.
func (in *interp) isOfObject(fr *frame, entry origin.Origin, asked ssa.Value) bool {
	if in.reg(fr, entry.Key).labels.hasItem() {
		return false
	}
	fed := fedBeside(in.reg(fr, entry.Key).labels)
	return slices.ContainsFunc(in.reg(fr, asked).labels.withoutItems(), func(l Label) bool {
		return fed(l) && l.Path.FirstField() != "" && !isOfSpec(l.Path)
	}) || fr.mayStillBeFed()
}

// isNot reports whether the condition, a comparison, says that its operands differ.
func isNot(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	return ok && cmp.Op == token.NEQ
}

// removesEntry reports whether the instruction removes an entry from a map, or empties
// it. A constant key may be that of any map, such as the same one in a helper.
func (a *analysisState) removesEntry(instr ssa.Instruction, entry origin.Origin) bool {
	isEntry := func(m, key ssa.Value) bool {
		if _, known := a.text(entry.Key); known {
			return a.sameKey(key, entry.Key)
		}
		return sameValue(m, entry.X) && sameValue(key, entry.Key)
	}
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return constants.IsZero(instr.Value) && isEntry(instr.Map, instr.Key)
	case *ssa.Call:
		b, ok := instr.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "delete" && isEntry(instr.Call.Args[0], instr.Call.Args[1])
	}
	return false
}

// sameValue reports whether two values are equal if nothing is stored in between: they
// are one value, or read from one address.
func sameValue(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	a, b := origin.Of(x), origin.Of(y)
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == origin.Field:
		return a.Field != nil && a.Field == b.Field && sameValue(a.X, b.X)
	case a.Kind == origin.Loaded, a.Kind == origin.Renamed, a.Kind == origin.Converted:
		return sameValue(a.X, b.X)
	}
	k, known := constants.String(x)
	l, alsoKnown := constants.String(y)
	return known && alsoKnown && k == l
}

// addsOthers reports whether the condition says that a map has no such entry, and code
// under it adds certainly other entries to the map instead, or to a fresh map that
// replaces it.
func (a *analysisState) addsOthers(c cfg.Condition) bool {
	entry, ok := lackedEntry(c)
	if !ok {
		return false
	}
	others := false
	for _, b := range regionOf(c.Stripped()) {
		for _, instr := range b.Instrs {
			set, ok := instr.(*ssa.MapUpdate)
			if !ok {
				continue
			}
			fresh := replaces(set.Map, entry.X)
			if !fresh && !sameValue(set.Map, entry.X) {
				continue
			}
			if !a.areOther(set.Key, entry.Key) || fresh && !a.lacks(set.Map, entry.Key) {
				return false
			}
			others = true
		}
	}
	return others
}

// replaces reports whether m is a fresh map that is stored where old was read:
//
//	keys := make(map[string][]byte)
//	if key, ok := secret.Data[name]; ok { keys[name] = key }
//	secret.Data = keys
func replaces(m, old ssa.Value) bool {
	at := origin.Of(old)
	return origin.Of(m).Kind == origin.Made && at.Kind == origin.Loaded && slices.ContainsFunc(*m.Referrers(), func(ref ssa.Instruction) bool {
		s, ok := ref.(*ssa.Store)
		return ok && s.Val == m && sameValue(s.Addr, at.X)
	})
}

// lacks reports whether the function gives the fresh map m no entry that may have the key.
func (a *analysisState) lacks(m, key ssa.Value) bool {
	return !slices.ContainsFunc(*m.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			return !a.areOther(ref.Key, key)
		case *ssa.Store, *ssa.Lookup, *ssa.DebugRef:
			return false
		}
		return true // a callee may set it
	})
}

// areOther reports whether two keys are certainly different: two constants, or one field
// of two parameters.
func (a *analysisState) areOther(x, y ssa.Value) bool {
	key, known := a.text(x)
	other, alsoKnown := a.text(y)
	if known && alsoKnown {
		return key != other
	}
	f, of := origin.FieldOf(x)
	g, alsoOf := origin.FieldOf(y)
	if f == nil || f != g || of == alsoOf {
		return false
	}
	_, first := of.(*ssa.Parameter)
	_, second := alsoOf.(*ssa.Parameter)
	return first && second
}

// anyRuns reports whether f holds for an instruction that runs in the blocks, or in a
// function of the package that these call.
func (in *interp) anyRuns(blocks []*ssa.BasicBlock, f func(ssa.Instruction) bool, seen map[*ssa.Function]bool) bool {
	return anyRuns(blocks, f, in.runBy, seen)
}

// anyRuns is the same where runBy returns what an instruction calls.
func anyRuns(blocks []*ssa.BasicBlock, f func(ssa.Instruction) bool, runBy func(ssa.Instruction) []*ssa.Function, seen map[*ssa.Function]bool) bool {
	return slices.ContainsFunc(blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			return f(instr) || slices.ContainsFunc(runBy(instr), func(fn *ssa.Function) bool {
				if seen[fn] {
					return false
				}
				seen[fn] = true
				return anyRuns(fn.Blocks, f, runBy, seen)
			})
		})
	})
}

// wasRejected reports whether the condition says that a function of the standard
// library could not make sense of what the cluster holds, such as a stored time. A
// value that is then stored makes sense.
func (in *interp) wasRejected(fr *frame, c cfg.Condition) (labels, bool) {
	err, isNil, ok := c.Nil()
	if !ok || isNil || !library.IsError(err.Type()) {
		return nil, false
	}
	o := origin.Of(err)
	if o.Kind != origin.Result {
		return nil, false
	}
	fn := callee.Static(o.Call.Common())
	ls := in.reg(fr, err).labels
	if fn == nil || fn.Pkg() == nil || !library.IsStandard(fn.Pkg().Path()) || !slices.ContainsFunc(ls, func(l Label) bool { return l.Kind == State || l.Kind == Content }) {
		return nil, false
	}
	return ls, !in.isSetting(ls)
}

// wasAbsent reports whether the condition says that an error is not nil, where any
// other error than that an object was not found has led elsewhere:
//
//	if client.IgnoreNotFound(err) != nil { return err }
//	if err != nil { … }
func wasAbsent(c cfg.Condition) bool {
	err, isNil, ok := c.Nil()
	if !ok || isNil || !library.IsError(err.Type()) || err.Referrers() == nil {
		return false
	}
	at := c.Value.(ssa.Instruction).Block()
	return slices.ContainsFunc(*err.Referrers(), func(ref ssa.Instruction) bool {
		call, ok := ref.(*ssa.Call)
		if !ok {
			return false
		}
		known := library.Of(callee.Static(call.Common()))
		switch {
		case known.Meaning == library.DropsNotFound:
			return slices.ContainsFunc(*call.Referrers(), func(ref ssa.Instruction) bool {
				cmp, ok := ref.(*ssa.BinOp)
				return ok && testsZero(cmp) && leadsElsewhere(cmp, cmp.Op == token.NEQ, at)
			})
		case known.Condition == library.AbsenceCondition:
			return leadsElsewhere(call, false, at)
		}
		return false
	})
}

// leadsElsewhere reports whether control may reach the block behind a branch on
// cond, but not if cond is holds.
func leadsElsewhere(cond ssa.Value, holds bool, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(*cond.Referrers(), func(ref ssa.Instruction) bool {
		test, ok := ref.(*ssa.If)
		if !ok {
			return false
		}
		away, on := test.Block().Succs[1], test.Block().Succs[0]
		if holds {
			away, on = on, away
		}
		return reaches(on, b) && !reaches(away, b)
	})
}

// reaches reports whether control can go on from one block to the other.
func reaches(from, to *ssa.BasicBlock) bool { return slices.Contains(cfg.From(from), to) }
