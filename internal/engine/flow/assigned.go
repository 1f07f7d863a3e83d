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

// undoes reports whether the function goes on to assign to a field that feeds the condition,
// with these labels. If it does, it makes the condition false:
//
//	if *job.Spec.Suspend { job.Spec.Suspend = ptr.To(false); update(job) }
//
// It does not if it only takes over what the cluster has in that field, or what a function was
// asked about. Nor does it if the condition says that two objects are alike: what follows changes
// others.
func (in *interp) undoes(fr *frame, c cfg.Condition, ls labels) bool {
	if in.saysAlike(fr, c.Value) {
		return false
	}
	var asked []ssa.Value // what a function compares the field with, perhaps
	if call := origin.Of(c.Stripped().Value).Call; call != nil {
		asked = callee.Args(&call.Call)
	}
	changes := func(s *ssa.Store) bool {
		if slices.Contains(asked, s.Val) {
			return false
		}
		test, ok := c.Value.(ssa.Instruction)
		var next []*ssa.BasicBlock
		if asked != nil {
			next = entriesOf(c)
		}
		if len(next) == 0 && ok {
			next = test.Block().Succs
		}
		isBehind := !ok || slices.ContainsFunc(next, func(b *ssa.BasicBlock) bool { return b == s.Block() || reaches(b, s.Block()) })
		return isBehind && !in.takesOver(fr, s)
	}
	return slices.ContainsFunc(ls, func(l Label) bool {
		if l.Kind != Content && l.Kind != State {
			return false
		}
		field := l.Path.LastField()
		return field != "" && slices.ContainsFunc(in.assignedIn(fr.fn)[field], changes)
	})
}

// saysAlike reports whether the condition compares two values, or is a flag, which mostly has
// the outcome of such comparisons, or the answer of a function about two objects of a type:
//
//	changed := false
//	if !maps.Equal(stored.Labels, role.Labels) {
//		stored.Labels, changed = role.Labels, true
//	}
//	if changed { … }
func (in *interp) saysAlike(fr *frame, cond ssa.Value) bool {
	switch o := origin.Of((cfg.Condition{Value: cond}).Stripped().Value); o.Kind {
	case origin.Choice:
		return true
	case origin.Computed:
		return o.Y != nil && !isConst(o.X) && !isConst(o.Y)
	case origin.Result:
		args := callee.Args(&o.Call.Call)
		return library.Named(in.calleeName(fr, &o.Call.Call)).Condition == library.EqualityCondition ||
			len(args) == 2 && isStructPointer(args[0].Type()) && types.Identical(args[0].Type(), args[1].Type())
	}
	return false
}

// takesOver reports whether the instruction stores, in a field of one object, what that field
// of another one has which was read:
//
//	service.Spec.ClusterIP = stored.Spec.ClusterIP
func (in *interp) takesOver(fr *frame, s *ssa.Store) bool {
	to, _ := origin.FieldOf(s.Addr)
	from, _ := origin.FieldOf(s.Val)
	other := func(l Label) bool { return l.Kind != State }
	ls := in.reg(fr, s.Val).labels.withoutKeys()
	return to != nil && to == from && len(ls) > 0 && !slices.ContainsFunc(ls, other)
}

// assignedIn returns the names of the fields of nested structs, Suspend of
// job.Spec.Suspend, that fn, a function or literal, assigns to, with the instructions that
// do. Those of local structs do not count, unless they may have been read.
func (a *analysisState) assignedIn(fn *ssa.Function) map[string][]*ssa.Store {
	names, ok := a.assigned[fn]
	if ok {
		return names
	}
	names = make(map[string][]*ssa.Store)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			field := origin.Of(store.Addr)
			if field.Kind != origin.Field {
				continue
			}
			if base := origin.Of(field.X); base.Kind == origin.Field && (origin.Of(base.X).Kind != origin.Local || a.mayBeRead(base.X)) {
				names[field.FieldName()] = append(names[field.FieldName()], store)
			}
		}
	}
	a.assigned[fn] = names
	return names
}

// mayBeRead reports whether the function passes the local object to a function that reads it from the
// cluster, or to one of the module, which may.
func (a *analysisState) mayBeRead(local ssa.Value) bool {
	return slices.ContainsFunc(origin.Users(local), func(ref ssa.Instruction) bool {
		if boxed, ok := ref.(*ssa.MakeInterface); ok {
			return a.mayBeRead(boxed)
		}
		call, ok := ref.(ssa.CallInstruction)
		if !ok {
			return false
		}
		fn := callee.Static(call.Common())
		return fn == nil || library.Of(fn).Effect == library.ReadsObject || fn.Pkg() != nil && a.isOwnPackage(fn.Pkg().Path())
	})
}
