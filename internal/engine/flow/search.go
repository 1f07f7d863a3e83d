package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A search loop looks for an element by what identifies it. Behind the loop, that
// nothing was found is a guard: what is added then is found the next time. The loop
// may leave the function when it finds something, see [cfg.Branch], or set a flag:
//
//	found := false
//	for _, c := range thing.Status.Conditions {
//		if c.Type == "Ready" { found = true }
//	}
//	if !found { … }
//
// A flag for which the loop also asks for the element's state is none of these:
// the element may be there and stay in another state.

// searchFailed reports whether the branch is taken because a search found nothing,
// and returns the labels of what identifies the elements.
func (in *interp) searchFailed(fr *frame, br cfg.Branch) (labels, bool) {
	c := br.Stripped()
	if phi, ok := c.Value.(*ssa.Phi); ok && library.IsBool(phi.Type()) {
		return in.flagUnset(fr, phi, !c.Holds)
	}
	o, ok := fr.verdict(c.Value, c.Holds)
	return o.Labels, ok && o.Search && isSelection(o.Labels)
}

// flagUnset is searchFailed for a flag of the loop that the value found would mark.
func (in *interp) flagUnset(fr *frame, flag *ssa.Phi, found bool) (labels, bool) {
	var groups []cfg.Group // under which the loop marks the flag
	marked := false
	seen := map[*ssa.Phi]bool{flag: true}
	for work := []*ssa.Phi{flag}; len(work) > 0; {
		phi := work[0]
		work = work[1:]
		for i, e := range phi.Edges {
			if next, ok := e.(*ssa.Phi); ok {
				if !seen[next] {
					seen[next] = true
					work = append(work, next)
				}
				continue
			}
			set, known := constants.Bool(e)
			switch own := in.control.OfEdge(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}); {
			case !known:
				return nil, false
			case set != found || in.isAtEnd(phi.Block().Preds[i], phi.Block()):
			case !marked:
				groups, marked = own, true
			default:
				groups = slices.DeleteFunc(slices.Clone(groups), func(g cfg.Group) bool { return !cfg.Contains(own, g) })
			}
		}
	}
	return in.selects(fr, groups, flag)
}

// isAtEnd reports whether a loop leads from one block to the other once it has no more
// elements. What a flag is then, it was before the loop.
func (in *interp) isAtEnd(from, to *ssa.BasicBlock) bool {
	l := in.innermost(from)
	return l != nil && l.startsAt(from) && !l.contains(to)
}

// selects reports whether the groups only select elements of a loop, and returns
// the labels of their conditions. The flag must be tested behind the loop.
func (in *interp) selects(fr *frame, groups []cfg.Group, flag *ssa.Phi) (labels, bool) {
	var asked labels
	for br := range cfg.Branches(groups...) {
		l := in.loopOf(br.Value)
		if l == nil || isTestedIn(flag, l) {
			continue
		}
		ls := in.reg(fr, br.Value).labels
		if !isSelection(ls) {
			return nil, false
		}
		asked = asked.union(ls)
	}
	return asked, len(asked) > 0
}

// findsOthers reports whether the branch is taken because a loop has not found an
// element that has a constant in a field, and the function gives its own elements other
// constants there. What it sets is never found:
//
//	for _, c := range thing.Status.Conditions {
//		if c.Type == "Failed" { return }
//	}
//	thing.Status.Conditions = append(…, Condition{Type: "Ready", …})
func (in *interp) findsOthers(br cfg.Branch) bool {
	l := in.loopOf(br.Value)
	if !br.Search || l == nil {
		return false
	}
	at := br.Value.(ssa.Instruction).Block()
	asked := []cfg.Condition{{Value: br.Value, Holds: !br.Holds}}
	for _, g := range in.control.Of(at) {
		if len(g) != 1 {
			continue
		}
		for _, inner := range g[0] {
			if in.loopOf(inner.Value) == l {
				asked = append(asked, inner.Condition)
			}
		}
	}
	return slices.ContainsFunc(asked, func(c cfg.Condition) bool { return in.asksOther(c, at.Parent()) })
}

// asksOther reports whether the condition is that a field has a constant, and the
// function gives the field nothing but other constants. It, and what it calls, must not
// use the constant in another way.
func (in *interp) asksOther(c cfg.Condition, fn *ssa.Function) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL {
		return false
	}
	asked, ok := constants.String(cmp.Y)
	field, of := origin.FieldOf(cmp.X)
	if !ok || field == nil {
		return false
	}
	key := fieldKey{library.TypeName(library.Deref(of.Type())), field.Name()}
	stores := slices.DeleteFunc(slices.Clone(in.setInPackage().fields[key]), func(s *ssa.Store) bool { return s.Parent() != fn })
	isConstant := func(s *ssa.Store) bool { _, ok := constants.String(s.Val); return ok }
	if len(stores) == 0 || slices.ContainsFunc(stores, func(s *ssa.Store) bool { return !isConstant(s) }) {
		return false
	}
	return !in.anyRuns(fn.Blocks, func(instr ssa.Instruction) bool {
		return usesString(instr, asked) || in.callsElsewhere(instr)
	}, make(map[*ssa.Function]bool))
}

// isAboutOwners reports whether the condition, with the labels ls, is that an object does
// not have an owner, and the code under it gives none to an object and creates none that
// may become its owner. Then the object still has no such owner the next time:
//
//	for _, thing := range things.Items {
//		if isOwnedByService(&thing) { continue }
//		thing.Spec = wanted
//		update(&thing)
//	}
func (in *interp) isAboutOwners(c cfg.Condition, ls labels) bool {
	ls = ls.withoutItems()
	isOther := func(l Label) bool { return !isOfOwners(l.Path) }
	if len(ls) == 0 || slices.ContainsFunc(ls, isOther) {
		return false
	}
	region := regionOf(c)
	return len(region) > 0 && !in.anyRuns(region, func(instr ssa.Instruction) bool {
		return setsOwners(instr) || in.callsElsewhere(instr) && in.setsOwnersElsewhere(instr.(ssa.CallInstruction))
	}, make(map[*ssa.Function]bool))
}

// writesAsked reports whether the code under the condition, the answer of a function about an object,
// writes that object or a copy of it.
func (in *interp) writesAsked(c cfg.Condition) bool {
	asks := origin.Of(origin.Held(c.Stripped().Value)).Call
	if asks == nil || len(callee.Args(&asks.Call)) == 0 {
		return false
	}
	of := originalOf(callee.Args(&asks.Call)[0])
	return slices.ContainsFunc(regionOf(c), func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(*ssa.Call)
			return ok && slices.ContainsFunc(callee.Args(&call.Call), func(arg ssa.Value) bool { return originalOf(arg) == of }) &&
				in.mayWrite(&call.Call, func(*library.Write) bool { return true }, func(evs []Event) bool {
					return slices.ContainsFunc(evs, func(ev Event) bool { return library.Named(ev.Callee).Write != nil })
				})
		})
	})
}

// originalOf returns the object that v is, or is a deep copy of.
func originalOf(v ssa.Value) ssa.Value {
	for range maxDepth {
		v = origin.Through(v, origin.Boxed, origin.Renamed)
		copied := origin.Of(v).Call
		if copied == nil {
			return v
		}
		fn := callee.Static(&copied.Call)
		if fn == nil || !copies(fn.Name(), fn.Signature()) {
			return v
		}
		v = callee.Args(&copied.Call)[0]
	}
	return v
}

// setsOwnersElsewhere reports whether a call of a function of another package may give an object an
// owner, or write one that may have been created.
func (in *interp) setsOwnersElsewhere(call ssa.CallInstruction) bool {
	sum := in.imported(callee.Static(call.Common()))
	if sum == nil {
		return true
	}
	return slices.ContainsFunc(sum.Changes, func(c Change) bool { return isOfOwners(c.Path) || c.Path.Last().Marker.IsOwner() }) ||
		slices.ContainsFunc(sum.Events, func(ev Event) bool { return creates(library.Named(ev.Callee).Write) }) ||
		len(sum.Callbacks) > 0
}

// creates reports whether a write may create an object.
func creates(w *library.Write) bool {
	if w == nil {
		return false
	}
	switch w.Verb {
	case library.Update, library.Patch, library.Delete:
		return false
	}
	return true
}

// isOfOwners reports whether the path leads through owner references.
func isOfOwners(p access.Path) bool {
	for step := range p.Steps() {
		if step.Kind == access.Field && step.Name == ownerReferences.LastField() {
			return true
		}
	}
	return false
}

// setsOwners reports whether the instruction gives an object an owner, or writes one that
// may have been created.
func setsOwners(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		field := origin.Of(instr.Addr)
		return field.Kind == origin.Field && field.FieldName() == ownerReferences.LastField()
	case ssa.CallInstruction:
		fn := callee.Static(instr.Common())
		if fn == nil {
			return false
		}
		known := library.Of(fn)
		return creates(known.Write) || known.Owner != nil
	}
	return false
}

// usesString reports whether the instruction does something with the constant but
// compare it or tell people of it.
func usesString(instr ssa.Instruction, s string) bool {
	if _, ok := instr.(*ssa.BinOp); ok || tells(instr) {
		return false
	}
	return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool {
		k, ok := constants.String(*op)
		return ok && k == s
	})
}

// callsElsewhere reports whether the instruction calls a function of the module that
// another package declares.
func (in *interp) callsElsewhere(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn := callee.Static(call.Common())
	return fn != nil && fn.Pkg() != nil && fn.Pkg() != in.pass.Pkg && in.isOwnPackage(fn.Pkg().Path())
}

// loopOf returns the innermost loop that computes v, or nil.
func (a *analysisState) loopOf(v ssa.Value) *loop {
	if at, ok := v.(ssa.Instruction); ok {
		return a.innermost(at.Block())
	}
	return nil
}

// A loop may also look for what is stored and let it win, without an end at the
// first match:
//
//	since := metav1.Now()
//	for _, c := range old {
//		if c.Type == t && c.Status == status { since = c.LastTransitionTime }
//	}
//
// Behind such a loop, a value from before it is left only if nothing matched, which
// is a guard like that of a search loop.

// dropFound drops from h, the heap behind the loop l, the labels of what the loop
// replaces for the elements that match.
func (in *interp) dropFound(fr *frame, h *heap, l *loop, outs map[*ssa.BasicBlock]*heap) {
	for _, b := range fr.fn.Blocks {
		if !l.contains(b) || outs[b] == nil || in.innermost(b) != l || !storesIn(b) {
			continue
		}
		if g, ok := in.unmatched(fr, l, in.control.Of(b)); ok {
			before := h.clone()
			in.dropReplaced(h, outs[b], []guard{g})
			in.traceHeapDrops(before, h, []guard{g})
		}
	}
}

// storesIn reports whether the block stores anything.
func storesIn(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
		_, ok := instr.(*ssa.Store)
		return ok
	})
}

// loopLeft returns the loop whose rounds are over on the edge from p to b, or nil.
func (in *interp) loopLeft(p, b *ssa.BasicBlock) *loop {
	if p == nil {
		return nil
	}
	if l := in.innermost(p); l != nil && l.startsAt(p) && !l.contains(b) {
		return l
	}
	return nil
}

// replacedByFound returns the guard of a variable's value from before a loop, if the
// loop, at whose start the phi is, replaces it for the elements that match. A loop that
// adds something to a string replaces nothing.
func (in *interp) replacedByFound(fr *frame, phi *ssa.Phi) (*loop, []guard) {
	l := in.innermost(phi.Block())
	if l == nil || !l.startsAt(phi.Block()) {
		return nil, nil
	}
	var guards []guard
	seen := map[*ssa.Phi]bool{phi: true}
	for work := []*ssa.Phi{phi}; len(work) > 0; {
		at := work[0]
		work = work[1:]
		for i, e := range at.Edges {
			from := at.Block().Preds[i]
			if !l.contains(from) {
				continue
			}
			if next, ok := e.(*ssa.Phi); ok {
				if !seen[next] && l.contains(next.Block()) {
					seen[next] = true
					work = append(work, next)
				}
				continue
			}
			if library.IsString(phi.Type()) && in.isMadeOf(e, phi) {
				return nil, nil
			}
			g, ok := in.unmatched(fr, l, in.control.OfEdge(cfg.Edge{From: from, To: at.Block()}))
			if !ok {
				return nil, nil
			}
			guards = append(guards, g)
		}
	}
	return l, guards
}

// unmatched returns the guard that no element of the loop meets the conditions. It is
// one if each of them chooses an element by what identifies it, or is the opposite of
// a guard, such as equality to what is wanted.
func (in *interp) unmatched(fr *frame, l *loop, groups []cfg.Group) (guard, bool) {
	base := in.control.Of(l.Header)
	var g guard
	for _, group := range groups {
		if cfg.Contains(base, group) {
			continue
		}
		if len(group) != 1 {
			return guard{}, false
		}
		for _, br := range group[0] {
			c := br.Stripped()
			if in.loopOf(c.Value) != l {
				return guard{}, false
			}
			ls := in.reg(fr, c.Value).labels
			if !comparesTwo(c) || !isSelection(ls) {
				opposite, is := in.isGuard(fr, cfg.Branch{Condition: cfg.Condition{Value: c.Value, Holds: !c.Holds}})
				if !is {
					return guard{}, false
				}
				ls = opposite
			}
			g = guard{cond: c.Value, branch: !c.Holds, search: true, labels: g.labels.union(ls)}
		}
	}
	return g, g.cond != nil
}

// comparesTwo reports whether the condition is that two values are equal.
func comparesTwo(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	return ok && cmp.Op == token.EQL
}

// isTestedIn reports whether a branch in the loop depends on the flag.
func isTestedIn(flag *ssa.Phi, l *loop) bool {
	return slices.ContainsFunc(*flag.Referrers(), func(ref ssa.Instruction) bool {
		_, phi := ref.(*ssa.Phi)
		return !phi && l.contains(ref.Block())
	})
}
