package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
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

// A branch is a condition with the outcome that leads to a block.
type branch struct {
	cond   ssa.Value
	then   bool
	search bool // the condition that a search has found what it looks for
}

// A group is a condition under which a block is reached: one of its alternatives
// holds, and an alternative holds if all its branches are taken.
type group [][]branch

// controlling returns the conditions under which b is reached, innermost first.
func (in *interp) controlling(b *ssa.BasicBlock) []group {
	groups, ok := in.control[b]
	if !ok {
		in.control[b] = nil // a cycle of irreducible control flow adds nothing
		groups = in.findControl(b)
		in.control[b] = groups
	}
	return groups
}

func (in *interp) findControl(b *ssa.BasicBlock) []group {
	var preds []*ssa.BasicBlock
	for _, p := range b.Preds {
		if !b.Dominates(p) { // not a back edge
			preds = append(preds, p)
		}
	}
	if len(preds) == 1 {
		p := preds[0]
		var groups []group
		if br, ok := edge(p, b); ok {
			groups = append(groups, group{{br}})
		}
		if isLoopHeader(p) {
			groups = append(groups, in.searchFailed(p, b)...)
		}
		return append(groups, in.controlling(p)...)
	}
	d := b.Idom()
	if d == nil {
		return nil
	}
	base := in.controlling(d)
	if !escapes(d, b) {
		return base // whatever happens behind d, b comes
	}
	var g group
	for _, p := range preds {
		var way []branch
		if br, ok := edge(p, b); ok {
			way = append(way, br)
		}
		for _, h := range in.controlling(p) {
			if len(h) == 1 && !containsGroup(base, h) {
				way = append(way, h[0]...)
			}
		}
		if len(way) == 0 {
			return base
		}
		g = append(g, way)
	}
	return append([]group{g}, base...)
}

// edge returns the branch that leads from p to b, if a condition decides.
func edge(p, b *ssa.BasicBlock) (branch, bool) {
	cond, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
	if !ok || p.Succs[0] == p.Succs[1] || isLoopHeader(p) {
		return branch{}, false // nothing decides, or how often something is done
	}
	for i, head := range p.Succs {
		other := p.Succs[1-i]
		if !isLoopHeader(head) {
			continue
		}
		if before := !head.Dominates(p) && slices.ContainsFunc(other.Preds, head.Dominates); before || !reaches(other, head) && !breaksOff(head, other) {
			return branch{}, false // a loop tested at its end, and once before
		}
	}
	return branch{cond: cond.Cond, then: p.Succs[0] == b}, true
}

// breaksOff reports whether who goes to b leaves the loop of head early: it is
// tested at its start, and does not come to b when it is done.
func breaksOff(head, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(head.Succs, func(s *ssa.BasicBlock) bool { return !reaches(s, head) }) &&
		!slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return p == head || !head.Dominates(p) })
}

// reaches reports whether control goes on from b to the loop header head within
// that loop.
func reaches(b, head *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{b: true}
	stack := []*ssa.BasicBlock{b}
	for len(stack) > 0 {
		cur := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !head.Dominates(cur) {
			continue
		}
		for _, next := range cur.Succs {
			if next == head {
				return true
			}
			if !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	return false
}

// escapes reports whether the function may be left, or a loop gone on with,
// behind d without coming through b, errors aside.
func escapes(d, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{d: true, b: true}
	stack := []*ssa.BasicBlock{d}
	for len(stack) > 0 {
		cur := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(cur.Succs) == 0 {
			return true
		}
		for _, next := range cur.Succs {
			if br, ok := edge(cur, next); ok && isFailure([]branch{br}) {
				continue
			}
			if next != d && next.Dominates(d) {
				return true // the next iteration of a loop around d
			}
			if !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	return false
}

// searchFailed returns the conditions that hold behind a loop, entered from its
// header: those under which it would have been left earlier have not come true.
//
//	for i := range conditions {
//		if conditions[i].Type == t { return }
//	}
//	conditions = append(conditions, …) // absent so far
func (in *interp) searchFailed(header, behind *ssa.BasicBlock) []group {
	var l *loop
	for _, m := range in.loops(header.Parent()) {
		if m.header == header {
			l = m
		}
	}
	if l == nil || l.blocks[behind] {
		return nil
	}
	var groups []group
	for _, b := range header.Parent().Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b == header || !l.blocks[b] || l.blocks[b.Succs[0]] == l.blocks[b.Succs[1]] {
			continue
		}
		groups = append(groups, group{{{cond.Cond, l.blocks[b.Succs[0]], true}}})
	}
	return groups
}

func isLoopHeader(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(b.Preds, b.Dominates)
}

// guardsOf returns the guards of b within its function.
func (in *interp) guardsOf(fr *frame, b *ssa.BasicBlock) []guard {
	return in.effective(fr, in.controlling(b))
}

// edgeGuards returns the guards of the edge from p to b.
func (in *interp) edgeGuards(fr *frame, p, b *ssa.BasicBlock) []guard {
	groups := in.controlling(p)
	if br, ok := edge(p, b); ok {
		groups = append([]group{{{br}}}, groups...)
	}
	return in.effective(fr, groups)
}

// effective returns the groups that are guards: each of whose alternatives,
// errors aside, has a branch that is one.
func (in *interp) effective(fr *frame, groups []group) []guard {
	var guards []guard
	for _, g := range groups {
		if len(g) > 1 {
			// stored, err := parse(x); err != nil || stored == …
			if regular := slices.DeleteFunc(slices.Clone(g), func(way []branch) bool { return isFailure(way[:1]) }); len(regular) > 0 {
				g = regular
			}
		}
		found := guard{cond: g[0][0].cond, branch: g[0][0].then}
		all := true
		for _, way := range g {
			guarded := false
			for _, br := range way {
				if ls, is := in.decides(fr, br); is {
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
func (in *interp) decides(fr *frame, br branch) (labels, bool) {
	ls, is := in.guarding(fr, br.cond, br.then, 0)
	if !is && in.undoes(fr, ls) && !testsZero(br.cond) {
		return ls, true
	}
	if br.search && isSelection(ls) {
		return ls, true
	}
	if is && !br.search && !testsZero(br.cond) && !in.open {
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
func (in *interp) admit(fr *frame, v value, t types.Type) value {
	return in.admitUnder(v, t, fr.guards)
}

func (in *interp) admitUnder(v value, t types.Type, guards []guard) value {
	if len(guards) == 0 {
		return v
	}
	before := v.labels
	if isAggregate(t) {
		// The copy of a struct from a caller: its content is set under the
		// guard. (A pointer is an identity, which guards do not change.)
		v = fedPart(v, guards)
		in.traceDrops(before, v.labels, guards)
		return v
	}
	v.labels = v.labels.transform(func(l Label) (Label, bool) {
		if fedBy(guards, l) {
			return l, true
		}
		return l.guarded()
	})
	in.traceDrops(before, v.labels, guards)
	return v
}

// fedBy reports whether l feeds every guard.
func fedBy(guards []guard, l Label) bool {
	for _, g := range guards {
		if !Feeds(l, g.labels) {
			return false
		}
	}
	return true
}

// guarding reports whether cond, with the outcome then, is a guard, and what
// feeds it.
func (in *interp) guarding(fr *frame, cond ssa.Value, then bool, depth int) (labels, bool) {
	ls := in.reg(fr, cond).labels
	if in.left--; depth > 6 || in.exhausted() {
		return ls, true
	}
	switch c := cond.(type) {
	case *ssa.Const:
		return nil, false
	case *ssa.UnOp:
		if c.Op == token.NOT {
			return in.guarding(fr, c.X, !then, depth+1)
		}
		return ls, !in.isSetting(ls) // a boolean variable
	case *ssa.Field, *ssa.Parameter, *ssa.FreeVar, *ssa.Lookup:
		return ls, !in.isSetting(ls)
	case *ssa.BinOp:
		return in.comparison(fr, c, then, ls)
	case *ssa.Extract:
		switch tuple := c.Tuple.(type) {
		case *ssa.Lookup:
			return ls, !then // absent from a map
		case *ssa.Call:
			return in.predicate(fr, c, tuple, then, ls)
		}
		return nil, false // type assertion, iteration, receive
	case *ssa.Call:
		return in.predicate(fr, c, c, then, ls)
	case *ssa.Phi:
		return in.flag(fr, c, then, depth)
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
	base := in.controlling(phi.Block())
	for i, e := range phi.Edges {
		if e == ssa.Value(phi) {
			continue
		}
		groups := slices.DeleteFunc(slices.Clone(in.controlling(phi.Block().Preds[i])), func(g group) bool { return containsGroup(base, g) })
		c := constOf(e)
		if c == nil {
			more, guards := in.guarding(fr, e, then, depth+1)
			ls, is = ls.union(more), is || guards
			continue
		}
		fails := c.Value != nil && constant.BoolVal(c.Value) != then
		if fails && slices.ContainsFunc(groups, func(g group) bool { return len(g) == 1 && isFailure(g[0]) }) {
			continue
		}
		excluded := excludedKeys(groups)
		for _, g := range groups {
			for _, way := range g {
				for _, br := range way {
					if fails && testsConst(br.cond) {
						continue // not ready yet
					}
					// What sets the flag against us must not have happened.
					more, guards := in.guarding(fr, br.cond, br.then != fails, depth+1)
					if isSelection(more) && !testsZero(br.cond) {
						continue // an element that is not meant
					}
					if guards && len(excluded) > 0 {
						more = in.withoutEntries(fr, br.cond, excluded, more)
					}
					ls, is = ls.union(more), is || guards
				}
			}
		}
	}
	return ls, is
}

// isFailure reports whether the branch is taken because of an error.
func isFailure(group []branch) bool {
	if len(group) != 1 {
		return false
	}
	cmp, ok := group[0].cond.(*ssa.BinOp)
	return ok && library.IsError(cmp.X.Type()) && (cmp.Op == token.NEQ) == group[0].then
}

func containsGroup(groups []group, g group) bool {
	return slices.ContainsFunc(groups, func(h group) bool { return slices.EqualFunc(g, h, slices.Equal[[]branch]) })
}

// undoes reports whether the function assigns to a field that feeds a condition:
// what happens under it happens until that is done.
//
//	if *job.Spec.Suspend { job.Spec.Suspend = ptr.To(false); update(job) }
func (in *interp) undoes(fr *frame, ls labels) bool {
	return slices.ContainsFunc(ls, func(l Label) bool {
		if l.Kind != Content && l.Kind != State {
			return false
		}
		field := l.Path[strings.LastIndexByte(l.Path, '.')+1:]
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
			if fa, ok := store.Addr.(*ssa.FieldAddr); ok {
				if base, ok := fa.X.(*ssa.FieldAddr); ok {
					if _, fresh := base.X.(*ssa.Alloc); !fresh {
						names[fieldName(fa.X.Type(), fa.Field)] = true
					}
				}
			}
		}
	}
	a.assigns[fn] = names
	return names
}

// testsConst reports whether the condition compares with a constant that is not
// zero: a phase, a mode.
func testsConst(cond ssa.Value) bool {
	c, ok := cond.(*ssa.BinOp)
	return ok && (constOf(c.X) != nil || constOf(c.Y) != nil) && !testsZero(cond)
}

// testsZero reports whether the condition compares with nil or a zero value.
func testsZero(cond ssa.Value) bool {
	c, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	k := constOf(c.Y)
	if k == nil {
		k = constOf(c.X)
	}
	return k != nil && isZeroConst(k)
}

// whileDeleted reports whether b is only reached while an object is being
// deleted.
func (in *interp) whileDeleted(fr *frame, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(in.controlling(b), func(g group) bool {
		return len(g) == 1 && slices.ContainsFunc(g[0], func(br branch) bool {
			switch c := br.cond.(type) {
			case *ssa.BinOp:
				return testsZero(c) && (c.Op == token.NEQ) == br.then && isDeletion(in.reg(fr, c).labels)
			case *ssa.Call:
				return !br.then && library.ConditionNamed(in.calleeName(fr, &c.Call)) == library.AbsenceCondition && isDeletion(in.reg(fr, c).labels)
			case *ssa.UnOp:
				call, ok := c.X.(*ssa.Call)
				return ok && c.Op == token.NOT && br.then && library.ConditionNamed(in.calleeName(fr, &call.Call)) == library.AbsenceCondition &&
					isDeletion(in.reg(fr, call).labels)
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
		if strings.HasPrefix(l.Path, ".Status.") && !strings.Contains(l.Path, "[") {
			return false // what was chosen
		}
		switch strings.TrimSuffix(l.Path[strings.LastIndexAny(l.Path, ".]")+1:], "#") {
		case "Type", "Name", "Namespace", "Key", "Kind", "UID", "ID":
		case "":
			if l.Path != "" {
				return false
			}
		default:
			return false
		}
	}
	return slices.ContainsFunc(ls, func(l Label) bool { return l.Path != "" })
}

// comparison classifies a comparison.
func (in *interp) comparison(fr *frame, c *ssa.BinOp, then bool, ls labels) (labels, bool) {
	switch c.Op {
	case token.EQL, token.NEQ:
		if library.IsError(c.X.Type()) || library.IsError(c.Y.Type()) {
			return nil, false
		}
		x, k := c.X, constOf(c.Y)
		if k == nil {
			x, k = c.Y, constOf(c.X)
		}
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
		if isZeroConst(k) {
			if o, _ := fr.verdict(measured(x), true); o.Guarded && !equal {
				return o.Labels, !(o.Open && in.isSetting(o.Labels)) // a reason
			}
			if isStructPointer(x.Type()) {
				in.isSetting(ls) // for callers to know: a part of the spec is left out as the user wants
			}
			// Absent, unless nobody can have put it there: the variable was
			// made here and never met the cluster.
			return ls, equal && !isDeletion(ls) && (len(ls) > 0 || v.lost || v.foreign())
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
				return o.Labels, !(o.Open && in.isSetting(o.Labels)) // a reason
			}
			return in.reg(fr, n).labels, some != then && !isDeletion(ls)
		}
		return ls, !in.isSetting(ls)
	}
}

// predicate classifies cond, a boolean that a call yields.
func (in *interp) predicate(fr *frame, cond ssa.Value, call *ssa.Call, then bool, ls labels) (labels, bool) {
	name := in.calleeName(fr, &call.Call)
	if name == "errors.As" && then && in.isOwnError(call.Call.Args[1]) {
		return nil, true // an error that tells of a state: expired, not due
	}
	switch library.ConditionNamed(name) {
	case library.StableCondition:
		return nil, false
	case library.AbsenceCondition:
		return ls, then && !isDeletion(ls)
	case library.EqualityCondition:
		return ls, !then
	}
	if o, ok := fr.verdict(cond, then); ok {
		if o.Guarded {
			return o.Labels, !(o.Open && in.isSetting(o.Labels))
		}
		return ls, false
	}
	return ls, !in.isSetting(ls)
}

// isOwnError reports whether target points to a variable for errors of a type
// that the package, or one of its module's, declares.
func (in *interp) isOwnError(target ssa.Value) bool {
	mi, ok := target.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	named := library.NamedOf(library.Deref(mi.X.Type()))
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
	if in.open {
		in.asked = true
		return false
	}
	return true
}

func (s labels) areSettings() bool {
	for _, l := range s {
		if l.Kind != Content && l.Kind != State || l.Fixed && l.Path == "" {
			return false
		}
		if !isSettingPath(l) {
			return false
		}
	}
	return true
}

func isSettingPath(l Label) bool {
	if l.Path == "" {
		return false
	}
	for comp := range strings.SplitSeq(strings.ReplaceAll(l.Path, "[]", ""), ".") {
		switch strings.TrimSuffix(comp, "#") {
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
		if !strings.HasSuffix(l.Path, "DeletionTimestamp") {
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
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "len"
}

func constOf(v ssa.Value) *ssa.Const {
	c, _ := v.(*ssa.Const)
	return c
}

func isZeroConst(c *ssa.Const) bool {
	if c.Value == nil {
		return true
	}
	switch c.Value.Kind() {
	case constant.String:
		return constant.StringVal(c.Value) == ""
	case constant.Int, constant.Float:
		return constant.Sign(c.Value) == 0
	}
	return false
}
