package flow

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// What a loop appends has the order of its rounds if it is appended to what the round
// before has made. There are two other cases, which leave no order: each round appends to
// what is the same in all rounds, or to what is its own.
//
//	for name, login := range logins {
//		texts[name] = prefix + login.Name      // the same in all rounds
//		texts[name] = login.Name + login.Word  // its own
//	}

// carried reports whether the sequence, string or counter v is carried by the loop
// l: it contains what the previous iteration made, rather than being new in each.
func (in *interp) carried(fr *frame, v ssa.Value, l *loop) bool {
	if l == nil {
		return false
	}
	fromBefore := func(holder, held ssa.Value) bool {
		return !in.isOfItem(fr, l, holder) && slices.ContainsFunc(in.reg(fr, holder).refs, func(r loc) bool { return !l.contains(r.obj.block) }) &&
			(!isSum(held) || l.mayChange(holder))
	}
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		switch o := origin.Of(v); o.Kind {
		case origin.Choice:
			return l.startsAt(v.(*ssa.Phi).Block()) || slices.ContainsFunc(o.Edges, visit)
		case origin.Sliced, origin.Renamed, origin.Converted, origin.Computed:
			return visit(o.X)
		case origin.Result:
			// append(s, …) and s = add(s, …) contain s.
			call := o.Call.Common()
			if _, ok := call.Value.(*ssa.Builtin); ok || call.StaticCallee() != nil {
				return slices.ContainsFunc(call.Args, func(a ssa.Value) bool { return types.Identical(a.Type(), v.Type()) && visit(a) })
			}
		case origin.Loaded:
			return fromBefore(o.X, v)
		case origin.Element:
			if key := origin.Of(o.Key); key.Kind == origin.Item && key.Index == 1 && l.contains(blockOf(o.Key)) {
				return false // one sequence per key
			}
			return fromBefore(o.X, v)
		}
		return false
	}
	return visit(v)
}

// isSum reports whether v is a string, a number or a sequence: it only becomes another one
// if the place that it was read from is assigned to.
func isSum(v ssa.Value) bool { return isBasic(v.Type()) || isSliceType(v.Type()) }

// isOwn reports whether each round of the loop has another v: an entry of what the loop
// ranges over, a part of one, or what the round makes.
func (l *loop) isOwn(v ssa.Value) bool {
	switch o := origin.Of(v); o.Kind {
	case origin.Parameter:
		return l.body != nil && v.Parent() == l.body
	case origin.Item:
		return l.yields(v) || l.isOwn(o.X)
	case origin.Local, origin.Made:
		return l.contains(blockOf(v))
	case origin.Element:
		return l.yields(o.Key) || l.isOwn(o.X)
	case origin.Loaded:
		if local, ok := o.X.(*ssa.Alloc); ok {
			return l.isOwnVariable(local)
		}
		return l.isOwn(o.X)
	case origin.Field, origin.Iterator, origin.Renamed, origin.Boxed, origin.Asserted, origin.Sliced:
		return l.isOwn(o.X)
	}
	return false
}

// yields reports whether v is the key or the element of the map that the loop ranges over.
func (l *loop) yields(v ssa.Value) bool {
	e, ok := v.(*ssa.Extract)
	if !ok {
		return false
	}
	next, ok := e.Tuple.(*ssa.Next)
	return ok && l.startsAt(next.Block())
}

// isOfItem reports whether v is a field of what the round of the loop is about: of what a
// key or an element points to, or of an element itself. Each round has another one:
//
//	for host := range hosts {
//		host.Names = append(host.Names, host.Name)
//	}
func (in *interp) isOfItem(fr *frame, l *loop, v ssa.Value) bool {
	field := origin.Of(v)
	if field.Kind != origin.Field {
		return false
	}
	item := origin.Through(field.X, origin.Field, origin.Renamed)
	o := origin.Of(item)
	isPointer := o.Kind == origin.Loaded
	if isPointer {
		o = origin.Of(o.X)
	}
	switch {
	case l.yields(item) && o.Index == 1:
		return true
	case l.yields(item), o.Kind == origin.Parameter && l.isOwn(item):
		return in.areMany(fr, item)
	case o.Kind == origin.Element && l.counts(o.Key):
		return !isPointer || in.areMany(fr, item)
	}
	return false
}

// areMany reports whether the element v of a map or a sequence points to another object in
// each round: to none that is made once, outside of loops.
func (in *interp) areMany(fr *frame, v ssa.Value) bool {
	return !slices.ContainsFunc(in.reg(fr, v).refs, func(r loc) bool {
		return r.obj.param < 0 && r.path.IsRoot() && r.obj.call == nil && r.obj.block != nil && in.innermost(r.obj.block) == nil
	})
}

// counts reports whether v is the index of the element that the loop over a sequence is at:
// it is another one in each round.
func (l *loop) counts(v ssa.Value) bool {
	v = origin.Through(v, origin.Renamed)
	if next, ok := v.(*ssa.BinOp); ok && next.Op == token.ADD && isConst(next.Y) && l.startsAt(next.Block()) {
		v = next.X
	}
	index, ok := v.(*ssa.Phi)
	if !ok || !l.startsAt(index.Block()) {
		return false
	}
	for i, from := range index.Block().Preds {
		if l.contains(from) {
			next, ok := index.Edges[i].(*ssa.BinOp)
			if !ok || next.Op != token.ADD || next.X != index || !isConst(next.Y) {
				return false
			}
		}
	}
	return true
}

// isOwnVariable reports whether all that is assigned to the variable is the round's own.
func (l *loop) isOwnVariable(local *ssa.Alloc) bool {
	for _, ref := range *local.Referrers() {
		if store, ok := ref.(*ssa.Store); ok && store.Addr == local && !l.isOwn(store.Val) {
			return false
		}
	}
	return l.contains(local.Block())
}

// mayChange reports whether the loop may assign to what is read from the holder, the
// address of a variable or a field, a slice or a map: it assigns to the same field or the
// same variable, or calls a function that does or that it passes the holder to.
func (l *loop) mayChange(holder ssa.Value) bool {
	blocks, of := l.blocks(), holdersOf(holder)
	elsewhere := func(b *ssa.BasicBlock) bool { return b.Parent() != holder.Parent() }
	return slices.ContainsFunc(blocks, elsewhere) || of.mayChangeIn(blocks, maxFollowed)
}

// maxFollowed bounds the calls below a loop in which an assignment is looked for. Those
// further below may have one.
const maxFollowed = 3

// blocks returns the blocks of the loop.
func (l *loop) blocks() []*ssa.BasicBlock {
	if l.body != nil {
		return l.body.Blocks
	}
	return slices.Collect(maps.Keys(l.Blocks))
}

// holders are the pointers, maps and sequences by which one gets at a place.
type holders struct {
	types []types.Type
	field *types.Var // the place is this field, or in it
	// shared is set if a function may get at the place that is not passed a holder: by a
	// package variable or a captured one.
	shared bool
}

// holdersOf returns the holders of the place at v, an address, a map or a sequence.
func holdersOf(v ssa.Value) holders {
	var of holders
	for depth := 0; v != nil; depth++ {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Global, origin.Captured:
			of.shared = true
		case origin.Local:
			of.shared = of.shared || isCaptured(v)
		case origin.Field:
			if of.field == nil {
				of.field = o.Field
			}
		}
		if o.Kind != origin.Iterator && !isBasic(v.Type()) {
			of.types = append(of.types, v.Type())
		}
		v = o.X
	}
	return of
}

// isCaptured reports whether a function literal captures the variable.
func isCaptured(local ssa.Value) bool {
	return slices.ContainsFunc(*local.Referrers(), func(ref ssa.Instruction) bool {
		_, ok := ref.(*ssa.MakeClosure)
		return ok
	})
}

// mayChangeIn reports whether the blocks may assign to the place. Calls are followed to
// the given depth.
func (of holders) mayChangeIn(blocks []*ssa.BasicBlock, depth int) bool {
	for _, b := range blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if of.contain(instr.Addr) {
					return true
				}
			case *ssa.MapUpdate:
				if of.contain(instr.Map) {
					return true
				}
			case ssa.CallInstruction:
				if of.mayReach(instr.Common(), depth) {
					return true
				}
			}
		}
	}
	return false
}

// contain reports whether an assignment to the element, the map or the address at v may be
// one to the place.
func (of holders) contain(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind == origin.Field && of.field != nil {
		return o.Field == of.field
	}
	if o.Kind == origin.Element {
		v = o.X
	}
	return of.has(v.Type())
}

// mayReach reports whether a call passes on one of the holders, or runs a function that
// changes the place without one.
func (of holders) mayReach(call *ssa.CallCommon, depth int) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return false
	}
	if slices.ContainsFunc(call.Args, func(arg ssa.Value) bool {
		return of.has(origin.Through(arg, origin.Boxed, origin.Renamed).Type())
	}) {
		return true
	}
	fn := call.StaticCallee()
	return of.shared && fn != nil && (depth == 0 || of.mayChangeIn(fn.Blocks, depth-1))
}

// has reports whether a holder is of the type.
func (of holders) has(t types.Type) bool {
	return slices.ContainsFunc(of.types, func(held types.Type) bool { return types.Identical(held, t) })
}
