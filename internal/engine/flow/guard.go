package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A guard is a condition that may be false once the cluster has converged:
// something is absent, two states differ, time has passed. What happens under
// it need not happen on each reconcile.
//
// Conditions that stay as they are while the spec does, and tests of errors,
// are no guards.
type guard struct {
	cond   ssa.Value
	branch bool
	labels labels // what feeds the condition
}

// guardsOf returns the guards of b within its function.
func (in *interp) guardsOf(fr *frame, b *ssa.BasicBlock) []guard {
	return in.guardsAmong(fr, in.control.Of(b))
}

// edgeGuards returns the guards of the edge from p to b.
func (in *interp) edgeGuards(fr *frame, p, b *ssa.BasicBlock) []guard {
	return in.guardsAmong(fr, in.control.OfEdge(cfg.Edge{From: p, To: b}))
}

// effective returns the groups that are guards: each of whose alternatives,
// errors aside, has a branch that is one.
func (in *interp) guardsAmong(fr *frame, groups []cfg.Group) []guard {
	var guards []guard
	for _, g := range groups {
		if len(g) > 1 {
			// stored, err := parse(x); err != nil || stored == …
			if regular := slices.DeleteFunc(slices.Clone(g), func(way cfg.Way) bool { return isFailure(way[0]) }); len(regular) > 0 {
				g = regular
			}
		}
		found := guard{cond: g[0][0].Value, branch: g[0][0].Holds}
		all := true
		for _, way := range g {
			guarded := false
			for _, br := range way {
				if ls, is := in.isGuard(fr, br); is {
					found.labels = found.labels.union(ls)
					guarded = true
				}
			}
			all = all && guarded
		}
		if all {
			guards = append(guards, found)
		}
	}
	return guards
}

// decides reports whether the branch is a guard, and what feeds it.
func (in *interp) isGuard(fr *frame, br cfg.Branch) (labels, bool) {
	ls, is := in.classify(fr, br.Value, br.Holds, 0)
	if !is && in.undoes(fr, ls) && !testsZero(br.Value) {
		return ls, true
	}
	if br.Search && isSelection(ls) {
		return ls, true
	}
	if is && !br.Search && !testsZero(br.Value) && !in.callerDecides {
		is = !isSelection(ls)
	}
	return ls, is
}

// ownGuards returns the guards that are not among base.
func ownGuards(guards, base []guard) []guard {
	return slices.DeleteFunc(slices.Clone(guards), func(g guard) bool {
		return slices.ContainsFunc(base, func(h guard) bool { return g.cond == h.cond && g.branch == h.branch })
	})
}

// guarded reports whether the block being interpreted has a guard at all.
func (in *interp) guarded(fr *frame) bool { return len(fr.guards) > 0 }

// admit returns what of v still differs from reconcile to reconcile under the
// guards of the block being interpreted: what feeds each of them itself.
func (in *interp) filter(fr *frame, v value, t types.Type) value {
	return in.filterUnder(v, t, fr.guards)
}

func (in *interp) filterUnder(v value, t types.Type, guards []guard) value {
	if len(guards) == 0 {
		return v
	}
	before := v.labels
	if isAggregate(t) {
		// The copy of a struct from a caller: its content is set under the
		// guard. (A pointer is an identity, which guards do not change.)
		v = feedingPart(v, guards)
		in.traceDrops(before, v.labels, guards)
		return v
	}
	v.labels = v.labels.transform(func(l Label) (Label, bool) {
		if feedsAll(guards, l) {
			return l, true
		}
		return l.guarded()
	})
	in.traceDrops(before, v.labels, guards)
	return v
}

// fedBy reports whether l feeds every guard.
func feedsAll(guards []guard, l Label) bool {
	for _, g := range guards {
		if !Feeds(l, g.labels) {
			return false
		}
	}
	return true
}

// guarding reports whether cond, with the outcome then, is a guard, and what
// feeds it.
func (in *interp) classify(fr *frame, cond ssa.Value, then bool, depth int) (labels, bool) {
	ls := in.reg(fr, cond).labels
	if in.stepsLeft--; depth > 6 || in.exhausted() {
		return ls, true
	}
	switch o := origin.Of(cond); o.Kind {
	case origin.Constant:
		return nil, false
	case origin.Computed:
		switch {
		case o.Op == token.NOT:
			return in.classify(fr, o.X, !then, depth+1)
		case o.Y != nil:
			return in.comparison(fr, cond.(*ssa.BinOp), then, ls)
		}
	case origin.Loaded, origin.Received, origin.Field, origin.Parameter, origin.Captured, origin.Element:
		return ls, !in.isSetting(ls) // a boolean variable
	case origin.OK:
		if origin.Of(o.X).Kind == origin.Element {
			return ls, !then // absent from a map
		}
		return nil, false // type assertion, receive
	case origin.Item, origin.Selected:
		return nil, false
	case origin.Result:
		return in.callCondition(fr, cond, o.Call, then, ls)
	case origin.Choice:
		return in.flag(fr, cond.(*ssa.Phi), then, depth)
	}
	return ls, true
}

// flag classifies a boolean variable that branches set.
//
//	changed := false; if … { changed = true }
//	success := true; if err != nil || dep.Status.Phase != "Ready" { success = false }
//
// It is a guard if a guard decides whether it is set. What only goes wrong while
// something is not ready, or fails, is none.
func (in *interp) flag(fr *frame, phi *ssa.Phi, then bool, depth int) (labels, bool) {
	ls := in.reg(fr, phi).labels
	is := false
	if in.flags[phi] {
		return ls, false // looked at already
	}
	in.flags[phi] = true
	defer delete(in.flags, phi)
	base := in.control.Of(phi.Block())
	for i, e := range phi.Edges {
		if e == ssa.Value(phi) {
			continue
		}
		groups := slices.DeleteFunc(slices.Clone(in.control.Of(phi.Block().Preds[i])), func(g cfg.Group) bool { return cfg.Contains(base, g) })
		set, known := constants.Bool(e)
		if !known {
			more, guards := in.classify(fr, e, then, depth+1)
			ls, is = ls.union(more), is || guards
			continue
		}
		fails := set != then
		if fails && slices.ContainsFunc(groups, func(g cfg.Group) bool { return isFailureAlone(g) }) {
			continue
		}
		excluded := excludedKeys(groups)
		for _, g := range groups {
			for _, way := range g {
				for _, br := range way {
					if fails && testsConst(br.Value) {
						continue // not ready yet
					}
					// What sets the flag against us must not have happened.
					more, guards := in.classify(fr, br.Value, br.Holds != fails, depth+1)
					if isSelection(more) && !testsZero(br.Value) {
						continue // an element that is not meant
					}
					if guards && len(excluded) > 0 {
						more = in.withoutEntries(fr, br.Value, excluded, more)
					}
					ls, is = ls.union(more), is || guards
				}
			}
		}
	}
	return ls, is
}

// isFailure reports whether the branch is taken because of an error.
func isFailure(br cfg.Branch) bool {
	cmp, ok := br.Value.(*ssa.BinOp)
	return ok && library.IsError(cmp.X.Type()) && (cmp.Op == token.NEQ) == br.Holds
}

// isFailureAlone reports whether the group holds because of an error, and for no
// other reason.
func isFailureAlone(g cfg.Group) bool { return len(g) == 1 && len(g[0]) == 1 && isFailure(g[0][0]) }

// undoes reports whether the function assigns to a field that feeds a condition:
// what happens under it happens until that is done.
//
//	if *job.Spec.Suspend { job.Spec.Suspend = ptr.To(false); update(job) }
func (in *interp) undoes(fr *frame, ls labels) bool {
	return slices.ContainsFunc(ls, func(l Label) bool {
		if l.Kind != Content && l.Kind != State {
			return false
		}
		field := l.Path.LastField()
		return field != "" && in.assigned(fr.fn)[field]
	})
}

// assigned returns the names of the fields that fn, a function or literal,
// assigns to through a pointer that it was given or has read.
func (a *analysisState) assigned(fn *ssa.Function) map[string]bool {
	names, ok := a.assigns[fn]
	if ok {
		return names
	}
	names = make(map[string]bool)
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
			if base := origin.Of(field.X); base.Kind == origin.Field && origin.Of(base.X).Kind != origin.Local {
				names[field.FieldName()] = true
			}
		}
	}
	a.assigns[fn] = names
	return names
}

// comparedConst returns what the condition compares with a constant, and that.
func comparedConst(cond ssa.Value) (v, k ssa.Value, ok bool) {
	cmp, ok := cfg.Condition{Value: cond, Holds: true}.Comparison()
	if !ok || origin.Of(cmp.Y).Kind != origin.Constant {
		return nil, nil, false
	}
	return cmp.X, cmp.Y, true
}

// testsConst reports whether the condition compares with a constant that is not
// zero: a phase, a mode.
func testsConst(cond ssa.Value) bool {
	_, k, ok := comparedConst(cond)
	return ok && !constants.IsZero(k)
}

// testsZero reports whether the condition compares with nil or a zero value.
func testsZero(cond ssa.Value) bool {
	_, k, ok := comparedConst(cond)
	return ok && constants.IsZero(k)
}

// whileDeleted reports whether b is only reached while an object is being
// deleted.
func (in *interp) whileDeleted(fr *frame, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(in.control.Of(b), func(g cfg.Group) bool {
		return len(g) == 1 && slices.ContainsFunc(g[0], func(br cfg.Branch) bool {
			c := br.Stripped()
			if !isDeletion(in.reg(fr, c.Value).labels) {
				return false
			}
			switch o := origin.Of(c.Value); o.Kind {
			case origin.Computed:
				return testsZero(c.Value) && (o.Op == token.NEQ) == c.Holds
			case origin.Result:
				return !c.Holds && library.Named(in.calleeName(fr, o.Call.Common())).Condition == library.AbsenceCondition
			}
			return false
		})
	})
}

// isSelection reports whether a condition only looks at what identifies an
// element: which one it is, not which state it is in.
func isSelection(ls labels) bool {
	for _, l := range ls {
		if l.Kind != Content && l.Kind != State {
			return false
		}
		if l.Path.IsRoot() {
			continue
		}
		if l.Path.FirstField() == "Status" && !l.Path.HasIndex() {
			return false // what was chosen
		}
		switch l.Path.Unordered().LastField() {
		case "Type", "Name", "Namespace", "Key", "Kind", "UID", "ID":
		default:
			return false
		}
	}
	return slices.ContainsFunc(ls, func(l Label) bool { return !l.Path.IsRoot() })
}

// comparison classifies a comparison.
func (in *interp) comparison(fr *frame, c *ssa.BinOp, then bool, ls labels) (labels, bool) {
	switch c.Op {
	case token.EQL, token.NEQ:
		if library.IsError(c.X.Type()) || library.IsError(c.Y.Type()) {
			return nil, false
		}
		x, k, _ := comparedConst(c)
		equal := (c.Op == token.EQL) == then
		if isLen(c.X) && isLen(c.Y) {
			return nil, !equal // of however many, in whatever order
		}
		if k == nil {
			return ls, !equal // old and new; that they are equal is what is aimed at
		}
		v := in.reg(fr, x)
		if isLen(x) {
			ls = v.labels
		}
		if constants.IsZero(k) {
			if o, _ := fr.verdict(measured(x), true); o.Guarded && !equal {
				return o.Labels, !(o.UnlessSetting && in.isSetting(o.Labels)) // a reason
			}
			if isStructPointer(x.Type()) {
				in.isSetting(ls) // for callers to know: a part of the spec is left out as the user wants
			}
			// Absent, unless nobody can have put it there: the variable was
			// made here and never met the cluster.
			return ls, equal && !isDeletion(ls) && (len(ls) > 0 || v.unknown || v.foreign())
		}
		return ls, !in.isSetting(ls)
	default:
		if isLen(c.X) || isLen(c.Y) {
			// len(x) > 0, and what its failure means.
			n := c.X
			if isLen(c.Y) {
				n = c.Y
			}
			some := (c.Op == token.GTR || c.Op == token.GEQ) == isLen(c.X)
			if o, _ := fr.verdict(measured(n), true); o.Guarded && some == then {
				return o.Labels, !(o.UnlessSetting && in.isSetting(o.Labels)) // a reason
			}
			return in.reg(fr, n).labels, some != then && !isDeletion(ls)
		}
		return ls, !in.isSetting(ls)
	}
}

// predicate classifies cond, a boolean that a call yields.
func (in *interp) callCondition(fr *frame, cond ssa.Value, call *ssa.Call, then bool, ls labels) (labels, bool) {
	known := library.Named(in.calleeName(fr, &call.Call))
	if known.Meaning == library.AsksAs && then && in.isOwnError(call.Call.Args[1]) {
		return nil, true // an error that tells of a state: expired, not due
	}
	switch known.Condition {
	case library.StableCondition:
		return nil, false
	case library.AbsenceCondition:
		return ls, then && !isDeletion(ls)
	case library.EqualityCondition:
		return ls, !then
	}
	if o, ok := fr.verdict(cond, then); ok {
		if o.Guarded {
			return o.Labels, !(o.UnlessSetting && in.isSetting(o.Labels))
		}
		return ls, false
	}
	return ls, !in.isSetting(ls)
}

// isOwnError reports whether target points to a variable for errors of a type
// that the package, or one of its module's, declares.
func (in *interp) isOwnError(target ssa.Value) bool {
	boxed := origin.Of(target)
	if boxed.Kind != origin.Boxed {
		return false
	}
	named := library.NamedOf(library.Deref(boxed.X.Type()))
	return named != nil && named.Obj().Pkg() != nil && in.isOwnPackage(named.Obj().Pkg().Path())
}

// isOwnPackage reports whether the package belongs to the module under analysis,
// as far as its path tells.
func (a *analysisState) isOwnPackage(path string) bool {
	module := a.pass.Pkg.Path()
	if m := a.pass.Module; m != nil && m.Path != "" {
		module = m.Path
	}
	return path == module || strings.HasPrefix(path, module+"/")
}

// isSetting reports whether everything that feeds a condition is configuration:
// the spec, names, flags. It stays as it is while nobody changes the spec.
//
// What looks like that only as part of a parameter is for the caller to say.
func (in *interp) isSetting(ls labels) bool {
	if len(ls) == 0 || !ls.areSettings() {
		return false
	}
	if in.callerDecides {
		in.sawSetting = true
		return false
	}
	return true
}

func (s labels) areSettings() bool {
	for _, l := range s {
		if l.Kind != Content && l.Kind != State || l.Fixed && l.Path.IsRoot() {
			return false
		}
		if !isSettingPath(l) {
			return false
		}
	}
	return true
}

func isSettingPath(l Label) bool {
	if l.Path.IsRoot() {
		return false
	}
	for step := range l.Path.Steps() {
		if step.Kind != access.Field {
			continue
		}
		switch step.Name {
		case "Spec", "DeletionTimestamp":
			return true
		case "Status", "Labels", "Annotations", "Data", "StringData", "ObjectMeta", "OwnerReferences",
			"ResourceVersion", "Generation", "Finalizers", "Object":
			return false
		}
	}
	// A field of the reconciler or of its options; a live object's own fields
	// beside spec and status are its content.
	return l.Kind == Content
}

// isDeletion reports whether the condition is about deletion alone.
func isDeletion(ls labels) bool {
	for _, l := range ls {
		if l.Path.LastField() != "DeletionTimestamp" {
			return false
		}
	}
	return len(ls) > 0
}

// measured returns what len is asked for, or v itself.
func measured(v ssa.Value) ssa.Value {
	if isLen(v) {
		return v.(*ssa.Call).Call.Args[0]
	}
	return v
}

func isStructPointer(t types.Type) bool {
	ptr, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = ptr.Elem().Underlying().(*types.Struct)
	return ok
}

func isLen(v ssa.Value) bool {
	o := origin.Of(v)
	return o.Kind == origin.Result && o.Builtin() == "len"
}
