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

// A condition and its opposite cannot both be false. What is done in either case is done
// on each reconcile, whatever the condition is:
//
//	if ready {
//		setCondition(thing, metav1.Condition{Status: "True", LastTransitionTime: metav1.Now()})
//	} else {
//		setCondition(thing, metav1.Condition{Status: "False", LastTransitionTime: metav1.Now()})
//	}

// guardsFor returns the guards of an instruction of the block being interpreted: those of
// the block apart from those without which the same is done as well.
func (in *interp) guardsFor(fr *frame, instr ssa.Instruction) []guard {
	switch now := instr.(type) {
	case *ssa.Store:
		if call := argumentOf(now); call != nil {
			if in.onlyComputes(call) {
				return nil // its result is under the guards
			}
			instr = call
		}
	case *ssa.Call:
	default:
		return fr.guards
	}
	isDone := func(g guard) bool { return g.alone && g.cond.Parent() == fr.fn && in.isDoneAnyway(instr, g) }
	if !slices.ContainsFunc(fr.guards[len(fr.outer):], isDone) {
		return fr.guards
	}
	left := slices.DeleteFunc(slices.Clone(fr.guards[len(fr.outer):]), isDone)
	return append(slices.Clip(fr.outer), left...)
}

// An anywayKey asks whether an instruction under a condition is done anyway.
type anywayKey struct {
	instr ssa.Instruction
	under cfg.Condition
}

// isDoneAnyway reports whether the function surely does the same as the instruction where
// the guard does not hold.
func (in *interp) isDoneAnyway(instr ssa.Instruction, g guard) bool {
	key := anywayKey{instr, cfg.Condition{Value: g.cond, Holds: g.branch}}
	done, ok := in.anyway[key]
	if !ok {
		otherwise := in.sideOf(cfg.Condition{Value: g.cond, Holds: !g.branch})
		if what := doneBy(instr); what != nil && otherwise.first != nil && otherwise.does[what] {
			p := paths{in: in, through: otherwise, instr: instr, seen: make(map[*ssa.BasicBlock]bool)}
			done = p.surelyDo(otherwise.first) && p.found
			in.stepsLeft -= len(p.seen)
		}
		in.anyway[key] = done
	}
	return done
}

// A side is the code that only runs if a condition holds.
type side struct {
	first  *ssa.BasicBlock // nil if there are several
	blocks map[*ssa.BasicBlock]bool
	does   map[types.Object]bool // see doneBy
}

// sideOf returns the side of the branches on which the condition holds.
func (in *interp) sideOf(c cfg.Condition) *side {
	s := in.sides[c]
	if s == nil {
		s = &side{blocks: make(map[*ssa.BasicBlock]bool), does: make(map[types.Object]bool)}
		if entries := entriesOf(c); len(entries) == 1 {
			s.first = entries[0]
		}
		for _, b := range regionOf(c) {
			s.blocks[b] = true
			for _, instr := range b.Instrs {
				if what := doneBy(instr); what != nil {
					s.does[what] = true
				}
			}
			in.stepsLeft--
		}
		in.sides[c] = s
	}
	return s
}

// doneBy returns the field that the instruction sets, or the function that it calls, which
// may be append, or nil.
func doneBy(instr ssa.Instruction) types.Object {
	switch instr := instr.(type) {
	case *ssa.Store:
		if field := origin.Of(instr.Addr); field.Kind == origin.Field && field.Field != nil {
			return field.Field
		}
	case *ssa.Call:
		if fn := calledBy(instr); fn != nil {
			return fn
		}
		if isAppend(instr) {
			return types.Universe.Lookup("append")
		}
	}
	return nil
}

// argumentOf returns the call for which the store puts together a variadic argument, or nil.
func argumentOf(s *ssa.Store) *ssa.Call {
	slot, ok := s.Addr.(*ssa.IndexAddr)
	if !ok || origin.Of(slot.X).Kind != origin.Local {
		return nil
	}
	for _, ref := range slices.Backward(*slot.X.Referrers()) { // it is sliced after all elements are there
		args, ok := ref.(*ssa.Slice)
		if !ok {
			continue
		}
		if args.Block() == s.Block() && len(*args.Referrers()) == 1 {
			if call, ok := (*args.Referrers())[0].(*ssa.Call); ok && isVariadic(call, args) {
				return call
			}
		}
		return nil
	}
	return nil
}

// isVariadic reports whether args is the variadic argument of the call.
func isVariadic(call *ssa.Call, args ssa.Value) bool {
	return call.Call.Signature().Variadic() && call.Call.Args[len(call.Call.Args)-1] == args
}

// onlyComputes reports whether the call is one of a library function that computes its result
// from its arguments, such as fmt.Sprintf.
func (in *interp) onlyComputes(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Object() != nil && !in.isOwnPackage(fn.Object().Pkg().Path()) && library.TraitsOfPackage(fn.Object().Pkg()).Has(library.Pure)
}

func isAppend(call *ssa.Call) bool { return origin.Of(call).Builtin() == "append" }

// paths are the paths through a side.
type paths struct {
	in      *interp
	through *side
	instr   ssa.Instruction
	seen    map[*ssa.BasicBlock]bool
	found   bool // there is one that does the same as the instruction
}

// surelyDo reports whether each path from b on does the same as the instruction, apart from
// those that fail before.
func (p *paths) surelyDo(b *ssa.BasicBlock) bool {
	if p.seen[b] {
		return true
	}
	p.seen[b] = true
	if !p.through.blocks[b] {
		return false
	}
	if slices.ContainsFunc(b.Instrs, func(other ssa.Instruction) bool { return other != p.instr && p.in.doesSame(p.instr, other) }) {
		p.found = true
		return true
	}
	switch last := b.Instrs[len(b.Instrs)-1].(type) {
	case *ssa.Return:
		return failing(last) || behindFailure(b)
	case *ssa.Panic:
		return true
	}
	return !slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !p.surelyDo(s) })
}

// doesSame reports whether two instructions, of which the first does something, set one field
// to what comes from the same function, or call one function for the same objects, and with
// the same constants if these decide what it does. Two calls of append do the same if they
// append parts of a loop's item to one list.
func (in *interp) doesSame(a, b ssa.Instruction) bool {
	switch a := a.(type) {
	case *ssa.Store:
		b, ok := b.(*ssa.Store)
		return ok && sameValue(a.Addr, b.Addr) && sameSource(a.Val, b.Val)
	case *ssa.Call:
		b, ok := b.(*ssa.Call)
		if ok && isAppend(a) {
			l := in.innermost(a.Block())
			return isAppend(b) && l != nil && l == in.innermost(b.Block()) && sameValue(a.Call.Args[0], b.Call.Args[0]) &&
				l.makes(a.Call.Args[1]) && l.makes(b.Call.Args[1])
		}
		if !ok || calledBy(a) != calledBy(b) || len(a.Call.Args) != len(b.Call.Args) {
			return false // a method value has its receiver elsewhere
		}
		x, y := a.Call.Args, b.Call.Args
		for i := range x {
			if mayBeObject(x[i].Type()) && !mayBeSame(x[i], y[i]) || !sameValue(x[i], y[i]) && in.isDecisive(&a.Call, i) {
				return false
			}
		}
		return true
	}
	return false
}

// isDecisive reports whether argument number i may decide what the function does that is called.
func (in *interp) isDecisive(call *ssa.CallCommon, i int) bool {
	if library.IsBool(call.Args[i].Type()) {
		return true
	}
	fn := call.StaticCallee()
	if fn == nil {
		return false
	}
	sum, _ := in.summaryFor(in.ofFunction(fn))
	return sum != nil && slices.ContainsFunc(sum.Decisions, func(d Decision) bool { return d.Callback == 0 && d.Param == i })
}

// calledBy returns the function that is called, or the method of an interface, or nil.
func calledBy(call *ssa.Call) *types.Func {
	if call.Call.IsInvoke() {
		return call.Call.Method
	}
	return callee.Static(&call.Call)
}

// mayBeObject reports whether a value of the type may be an object that a function changes.
func mayBeObject(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map:
		return true
	}
	return false
}

// mayBeSame reports whether two values are one, or what calls return that is no API object.
func mayBeSame(x, y ssa.Value) bool {
	x, y = origin.Through(x, origin.Boxed, origin.Renamed), origin.Through(y, origin.Boxed, origin.Renamed)
	if s, ok := library.Deref(x.Type()).Underlying().(*types.Struct); ok && isObject(s) {
		return sameValue(x, y)
	}
	return sameValue(x, y) || origin.Of(origin.Held(x)).Kind == origin.Result && origin.Of(origin.Held(y)).Kind == origin.Result
}

// sameSource reports whether two values are one, or come from calls of one function.
func sameSource(x, y ssa.Value) bool {
	if x == y {
		return true
	}
	a, b := origin.Of(origin.Held(x)), origin.Of(origin.Held(y))
	if a.Kind == origin.Local && b.Kind == origin.Local {
		s, t := origin.StoredAt(origin.Held(x)), origin.StoredAt(origin.Held(y))
		return len(s) == 1 && len(t) == 1 && sameSource(s[0], t[0])
	}
	return a.Call != nil && b.Call != nil && a.Index == b.Index && callee.Static(&a.Call.Call) != nil && callee.Static(&a.Call.Call) == callee.Static(&b.Call.Call)
}
