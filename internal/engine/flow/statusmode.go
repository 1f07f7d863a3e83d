package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A reconciler may work on an object until the status of the object says that it has finished:
//
//	if isFinished(job) { return nil }
//	r.update(ctx, podOf(job))
//	if allSucceeded(pods) { setCondition(job, Finished) }
//
// Until the reconciler sets that, what runs under the condition runs on each reconcile. So the
// condition lasts, and is no guard, if that code can come to its end, all being well, without setting
// what the condition asks for.

// A statusMode is a condition on a status that something in its reconciles makes false.
type statusMode struct {
	in    *analysisState
	cond  cfg.Condition // zero for any condition
	asked []Asked
	// avoids says of functions whether control may come to their end without setting what is asked for.
	avoids map[*ssa.Function]bool
}

// isStatusMode reports whether the group is a mode for the block: the guards in one of its
// alternatives are. What guards is only asked where there is such a condition.
func (in *interp) isStatusMode(fr *frame, group cfg.Group, b *ssa.BasicBlock) bool {
	modeOf := func(br cfg.Branch) *statusMode { return in.statusModeOf(br.Condition.Stripped()) }
	return !in.callerDecides && slices.ContainsFunc(regular(group), func(way cfg.Way) bool {
		if !slices.ContainsFunc(way, func(br cfg.Branch) bool { return modeOf(br) != nil }) {
			return false
		}
		guards := slices.DeleteFunc(slices.Clone(way), func(br cfg.Branch) bool { _, is := in.isGuard(fr, br); return !is })
		return len(guards) > 0 && !slices.ContainsFunc(guards, func(br cfg.Branch) bool {
			m := modeOf(br)
			return m == nil || !m.goesOn(b)
		})
	})
}

// statusModeOf returns what is known of the condition, or nil if it asks for anything else than parts of
// a status, or if the reconciles in which it is tested never set these, to whatever: then others may, as
// soon as they see what is written.
func (in *interp) statusModeOf(c cfg.Condition) *statusMode {
	if m, ok := in.statusModes[c]; ok {
		return m
	}
	in.statusModes[c] = nil
	asked := in.askedOfStatus(c)
	if len(asked) == 0 {
		return nil
	}
	anyhow := &statusMode{in: in.analysisState, asked: asked}
	runs := in.programOf(c.Value.Parent())
	if slices.ContainsFunc(in.ssa.Funcs, func(fn *ssa.Function) bool { return runs[fn] && anyhow.setsIn(fn) }) {
		in.statusModes[c] = &statusMode{in: in.analysisState, cond: c, asked: asked, avoids: make(map[*ssa.Function]bool)}
	}
	return in.statusModes[c]
}

// setsIn reports whether the function has such an instruction.
func (m *statusMode) setsIn(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, m.isSet) })
}

// isSet reports whether the instruction may set what is asked for, so that the condition is false.
func (m *statusMode) isSet(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Alloc:
		// A struct is made anew. A variable that is a copy is not.
		typ := library.TypeName(library.Deref(instr.Type()))
		if slices.ContainsFunc(m.asked, func(a Asked) bool { return a.Type == typ }) && origin.StoredOnce(instr) == nil {
			return true
		}
	case *ssa.Store:
		if m.isStored(instr) {
			return true
		}
	case *ssa.Call:
		switch library.Of(callee.Static(&instr.Call)).Effect {
		case library.AsksCondition, library.AsksConditionOf, library.FindsCondition:
			return false
		}
	}
	keys := m.in.keysSet(instr)
	if slices.ContainsFunc(m.asked, func(a Asked) bool { return a.Key != "" && slices.Contains(keys, a.Key) }) {
		return !m.keepsCondition(instr)
	}
	call, ok := instr.(ssa.CallInstruction)
	return ok && (m.othersSet(call, keys) || m.isNamedSetter(call))
}

// isStored reports whether the instruction stores what is asked for. What is appended to a list of
// conditions has a type of its own.
func (m *statusMode) isStored(s *ssa.Store) bool {
	at := origin.Of(s.Addr)
	if at.Kind != origin.Field {
		return false
	}
	typ := library.TypeName(library.Deref(at.X.Type()))
	return slices.ContainsFunc(m.asked, func(a Asked) bool {
		switch {
		case constants.IsZero(s.Val) && library.TypeName(library.Deref(s.Val.Type())) == a.Type:
			return true
		case a.Type != typ || a.Name != at.FieldName():
			return false
		case a.Key != "":
			o := origin.Of(s.Val)
			return o.Kind != origin.Result || o.Builtin() != "append"
		}
		return !m.keeps(at.Field, s.Val)
	})
}

// keeps reports whether the condition holds if the field has the value, a constant.
func (m *statusMode) keeps(field *types.Var, val ssa.Value) bool {
	if m.cond.Value == nil {
		return false
	}
	test, ok := m.cond.Comparison()
	if !ok || test.Op != token.EQL && test.Op != token.NEQ {
		return false
	}
	tested, _ := origin.FieldOf(test.X)
	x, y := constants.Of(val), constants.Of(test.Y)
	return tested == field && x != nil && y != nil && x.Kind() == y.Kind() && constant.Compare(x, test.Op, y)
}

// keepsCondition reports whether the condition holds if the instruction sets the condition of the status
// that is asked for, to a constant:
//
//	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{Type: Ready, Status: metav1.ConditionTrue})
//	setCondition(thing, Ready, metav1.ConditionTrue)
func (m *statusMode) keepsCondition(instr ssa.Instruction) bool {
	if m.cond.Value == nil || len(m.asked) != 1 || m.asked[0].Is == "" {
		return false
	}
	status, known := "", false
	switch instr := instr.(type) {
	case *ssa.Store:
		at := origin.Of(instr.Addr)
		if at.Kind != origin.Field || !isConditionType(library.Deref(at.X.Type())) {
			return false
		}
		if set := storedIn(at.X, "Status"); len(set) == 1 {
			status, known = m.in.text(set[0])
		}
	case ssa.CallInstruction:
		if fn := callee.Static(instr.Common()); library.Of(fn).Status != "" {
			status, known = library.Of(fn).Status, true
		}
		for _, arg := range callee.Args(instr.Common()) {
			if text, ok := m.in.text(arg); ok && library.IsConditionStatus(text) {
				if known && text != status {
					return false
				}
				status, known = text, true
			}
		}
	}
	return known && (status == m.asked[0].Is) == m.cond.Holds
}

// othersSet reports whether a function of another package that is called sets what is asked for. One
// that gets a text, or a condition, gets the type of what it sets.
func (m *statusMode) othersSet(call ssa.CallInstruction, keys []string) bool {
	isTyped := len(keys) > 0 || slices.ContainsFunc(call.Common().Args, func(v ssa.Value) bool { return isConditionType(library.Deref(v.Type())) })
	return slices.ContainsFunc(m.in.resolver.Call(call.Common()).Foreign, func(fn *types.Func) bool {
		sum := m.in.imported(fn)
		return sum != nil && slices.ContainsFunc(m.asked, func(a Asked) bool {
			return !(a.Key != "" && isTyped) && slices.Contains(sum.Sets, a.StatusField)
		})
	})
}

// isNamedSetter reports whether the call is of a method of an interface that is not known further,
// which has the name of a field that is asked for: SetPhase.
func (m *statusMode) isNamedSetter(call ssa.CallInstruction) bool {
	if !call.Common().IsInvoke() {
		return false
	}
	name := call.Common().Method.Name()
	return strings.HasPrefix(name, "Set") && slices.ContainsFunc(m.asked, func(a Asked) bool { return strings.Contains(name, strings.TrimSuffix(a.Name, "s")) })
}

// goesOn reports whether control gets from the condition to the block, and from there to the end of
// the reconcile, all being well, and nothing sets what is asked for on that way.
func (m *statusMode) goesOn(b *ssa.BasicBlock) bool {
	if slices.ContainsFunc(b.Instrs, runsGiven) || anyRuns([]*ssa.BasicBlock{b}, m.isSet, m.runBy, make(map[*ssa.Function]bool)) {
		return false
	}
	isBlock := func(at *ssa.BasicBlock) bool { return at == b }
	return slices.ContainsFunc(entriesOf(m.cond), func(first *ssa.BasicBlock) bool { return m.way(first, isBlock, true) }) &&
		m.comesToEnd(b) && m.callersEnd(b.Parent(), make(map[*ssa.Function]bool))
}

// runBy returns the functions that the instruction runs. One that is passed on runs where it is passed.
func (m *statusMode) runBy(instr ssa.Instruction) []*ssa.Function {
	if call, ok := instr.(ssa.CallInstruction); ok && !call.Common().IsInvoke() && isGivenFunc(call.Common().Value) {
		return nil
	}
	return m.in.mentionedAt(instr)
}

// runsGiven reports whether the instruction calls a function that a caller passes, or passes one on.
func runsGiven(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && (!call.Common().IsInvoke() && isGivenFunc(call.Common().Value) || slices.ContainsFunc(call.Common().Args, isGivenFunc))
}

// isGivenFunc reports whether v is a function that a caller passes.
func isGivenFunc(v ssa.Value) bool {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	kind := origin.Of(origin.Held(v)).Kind
	return kind == origin.Parameter || kind == origin.Captured
}

// comesToEnd reports whether control may leave the function from the end of the block on.
func (m *statusMode) comesToEnd(b *ssa.BasicBlock) bool {
	return m.isEnd(b) || slices.ContainsFunc(b.Succs, func(next *ssa.BasicBlock) bool { return !leadsToFailure(b, next) && m.way(next, m.isEnd, true) })
}

// isEnd reports whether the function returns here, does not fail, and defers nothing that sets what is
// asked for.
func (m *statusMode) isEnd(b *ssa.BasicBlock) bool {
	ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	return ok && !failing(ret) && !m.in.failsHere(ret) && !slices.ContainsFunc(ret.Parent().Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			_, isDefer := instr.(*ssa.Defer)
			return isDefer && m.sureSets(instr)
		})
	})
}

// leadsToFailure reports whether control takes the edge because of an error.
func leadsToFailure(from, to *ssa.BasicBlock) bool {
	c, ok := cfg.ConditionOf(cfg.Edge{From: from, To: to})
	return ok && isFailure(cfg.Branch{Condition: c})
}

// way reports whether control may get from the start of the block to one of which is holds, without
// an error, and without setting what is asked for. If given is set, functions that this one gets from
// its callers may set it.
func (m *statusMode) way(from *ssa.BasicBlock, is func(*ssa.BasicBlock) bool, given bool) bool {
	seen := map[*ssa.BasicBlock]bool{from: true}
	for todo := []*ssa.BasicBlock{from}; len(todo) > 0; todo = todo[1:] {
		b := todo[0]
		if slices.ContainsFunc(b.Instrs, m.sureSets) || given && slices.ContainsFunc(b.Instrs, runsGiven) {
			continue
		}
		if is(b) {
			return true
		}
		for _, next := range b.Succs {
			if !seen[next] && !leadsToFailure(b, next) {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	return false
}

// sureSets reports whether the instruction sets what is asked for, or calls a function that does
// whatever way it takes.
func (m *statusMode) sureSets(instr ssa.Instruction) bool {
	return m.isSet(instr) || slices.ContainsFunc(m.runBy(instr), func(fn *ssa.Function) bool { return !m.avoidsIn(fn) })
}

// avoidsIn reports whether the function may come to its end without setting what is asked for.
func (m *statusMode) avoidsIn(fn *ssa.Function) bool {
	avoids, ok := m.avoids[fn]
	if !ok && len(fn.Blocks) > 0 {
		m.avoids[fn] = true // in recursion
		avoids = m.way(fn.Blocks[0], m.isEnd, false)
		m.avoids[fn] = avoids
	}
	return avoids || len(fn.Blocks) == 0
}

// callersEnd reports whether each caller of the function comes to its end so, up to Reconcile.
func (m *statusMode) callersEnd(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] || m.in.beginsWithKey(fn) {
		return true
	}
	seen[fn] = true
	return !slices.ContainsFunc(m.in.callGraph().callers[fn], func(caller *ssa.Function) bool {
		return !slices.ContainsFunc(caller.Blocks, func(b *ssa.BasicBlock) bool {
			i := slices.IndexFunc(b.Instrs, func(instr ssa.Instruction) bool { return slices.Contains(m.in.mentionedAt(instr), fn) })
			return i >= 0 && !slices.ContainsFunc(b.Instrs[i+1:], m.sureSets) && m.comesToEnd(b) && m.callersEnd(caller, seen)
		})
	})
}
