package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// deletesItem reports whether the loop, where it gets to the block or the call that leads to it,
// also deletes the item that it is at:
//
//	for name, pod := range surplus {
//		messages = append(messages, "deletes "+name)
//		err := c.Delete(ctx, pod)
//		…
//	}
//
// The next reconcile finds none of them, so that their order is in what is written once.
func (in *interp) deletesItem(fr *frame, l *loop, b *ssa.BasicBlock) bool {
	for ; fr != nil && b != nil; b, fr = fr.call, fr.up {
		if l == nil || l.Loop == nil || !l.contains(b) {
			continue
		}
		for other := range l.Blocks {
			if !other.Dominates(b) && !(b.Dominates(other) && runsWith(other, b)) {
				continue
			}
			if slices.ContainsFunc(other.Instrs, func(instr ssa.Instruction) bool {
				call, ok := instr.(ssa.CallInstruction)
				return ok && in.deletes(call, func(arg ssa.Value) bool { return in.isLoopItem(arg, l) })
			}) {
				return true
			}
		}
	}
	return false
}

// runsWith reports whether no condition decides between the block and one that dominates it.
func runsWith(b, dominator *ssa.BasicBlock) bool {
	return len(cfg.Dominating(b)) == len(cfg.Dominating(dominator))
}

// isLoopItem reports whether the value is the item that the loop is at, or a part of it.
func (in *interp) isLoopItem(v ssa.Value, l *loop) bool {
	switch o := origin.Of(v); o.Kind {
	case origin.Item:
		return in.innermost(blockOf(v)) == l
	case origin.Element:
		return in.innermost(blockOf(v)) == l && origin.Of(o.Key).Kind != origin.Constant
	case origin.Local:
		stored := origin.StoredOnce(v)
		return stored != nil && in.isLoopItem(stored, l)
	case origin.Loaded, origin.Field, origin.Boxed, origin.Renamed:
		return in.isLoopItem(o.X, l)
	}
	return false
}

// deletes reports whether the call deletes an object of the cluster that isObject holds for, or one
// that has a name for which it holds.
func (a *analysisState) deletes(call ssa.CallInstruction, isObject func(ssa.Value) bool) bool {
	fn := callee.Static(call.Common())
	if fn == nil {
		return false
	}
	args := callee.Args(call.Common())
	if w, ask := library.Of(fn).Write, library.AskOf(fn); w != nil || ask != nil {
		isDelete := w != nil && w.Verb == library.Delete || ask != nil && ask.Verb == library.Delete
		return isDelete && slices.ContainsFunc(args, isObject)
	}
	sum := a.summaryOf(fn)
	if sum == nil {
		return false
	}
	isParam := func(i int) bool { return i >= 0 && i < len(args) && isObject(args[i]) }
	return sum.deletes(func(arg Arg) bool {
		return slices.ContainsFunc(arg.Objects, func(o Object) bool { return isParam(o.Param) }) ||
			slices.ContainsFunc(arg.Labels, func(l Label) bool { return l.Kind == Content && isParam(l.Param) })
	})
}

// deletes reports whether the function deletes an object of the cluster by a call with such an argument.
func (sum *Summary) deletes(is func(Arg) bool) bool {
	return slices.ContainsFunc(sum.Events, func(ev Event) bool {
		w := library.Named(ev.Callee).Write
		return w != nil && w.Verb == library.Delete && slices.ContainsFunc(ev.Args, is)
	})
}
