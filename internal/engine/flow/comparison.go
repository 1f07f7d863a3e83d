package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// comparedConst returns the operands of a comparison with a constant: the value
// and the constant.
func comparedConst(cond ssa.Value) (v, k ssa.Value, ok bool) {
	cmp, ok := cfg.Condition{Value: cond, Holds: true}.Comparison()
	if !ok || origin.Of(cmp.Y).Kind != origin.Constant {
		return nil, nil, false
	}
	return origin.Held(cmp.X), cmp.Y, true
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

// onlyDeleting reports whether b only runs while an object is being deleted: the function
// literal that has it is called then, or b is only reached then.
func (in *interp) onlyDeleting(fr *frame, b *ssa.BasicBlock) bool {
	return fr.up != nil && fr.up.deleting || in.whileDeleted(fr, b)
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

// isSelection reports whether a condition only reads what identifies an element,
// such as its name. It then selects the element; it does not test its state.
func isSelection(ls labels) bool {
	ls = ls.withoutItems()
	for _, l := range ls {
		if l.Kind != Content && l.Kind != State {
			return false
		}
		if l.Path.IsRoot() {
			continue
		}
		if l.Path.FirstField() == "Status" && !l.Path.HasIndex() {
			return false // a choice that the status records
		}
		if isOfOwners(l.Path) && !l.Path.HasElem() {
			return false // of the controlling owner
		}
		switch l.Path.Unordered().LastField() {
		case "Type", "Name", "Namespace", "Key", "Kind", "UID", "ID":
		default:
			return false
		}
	}
	return slices.ContainsFunc(ls, func(l Label) bool { return !l.Path.IsRoot() })
}

// comparesMaps reports whether the condition compares whole maps. That selects no element.
func comparesMaps(c cfg.Condition) bool {
	call := origin.Of(c.Value).Call
	return call != nil && library.Of(callee.Static(&call.Call)).Condition == library.EqualityCondition &&
		slices.ContainsFunc(callee.Args(&call.Call), func(arg ssa.Value) bool { return isMap(origin.Through(arg, origin.Boxed)) })
}

// isOneOfConstants reports whether v is an element of a list of constants:
//
//	for _, name := range []string{"HTTP_PROXY", "NO_PROXY"} { if name == "NO_PROXY" { … } … }
func isOneOfConstants(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind == origin.Loaded {
		o = origin.Of(o.X)
	}
	if o.Kind != origin.Element {
		return false
	}
	elems, ok := origin.Listed(o.X)
	return ok && len(elems) > 0 && !slices.ContainsFunc(elems, func(e ssa.Value) bool { return !isConst(e) })
}

// isKindOfObject reports whether v says of which kind an object is, which never changes:
//
//	if obj.GetObjectKind().GroupVersionKind().Kind == "Secret" { … }
func isKindOfObject(v ssa.Value) bool {
	for n := 0; v != nil && n < origin.MaxWalk; n++ {
		o := origin.Of(v)
		if o.Kind == origin.Result {
			return asksKind(callee.Static(&o.Call.Call))
		}
		if field := o.FieldName(); (field == "Kind" || field == "APIVersion") && library.TypeOf(o.X.Type()).Is == library.TypeMeta {
			return true
		}
		v = wholeOf(v)
	}
	return false
}

// asksKind reports whether the function returns which kind an object has.
func asksKind(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	switch fn.Name() {
	case "GroupVersionKind", "GetKind", "GetAPIVersion":
		return fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 0
	}
	return library.Of(fn).OfKind
}

// isRangedKey reports whether v is the key of the entry in a range over a map.
func isRangedKey(v ssa.Value) bool {
	o := origin.Of(origin.Through(v, origin.Renamed, origin.Converted))
	return o.Kind == origin.Item && o.Index == 1 && isMap(origin.Of(o.X).X)
}

// removesAny reports whether the instruction removes an entry from a map.
func removesAny(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && callee.IsBuiltin(call.Common(), "delete")
}

// comparison classifies a comparison.
func (in *interp) comparison(fr *frame, c *ssa.BinOp, then bool, ls labels) (labels, bool) {
	if x, k, ok := comparedConst(c); ok && in.countsFailures(fr, x) {
		return ls, isNotZero(cfg.Condition{Value: c, Holds: then}, k)
	}
	switch c.Op {
	case token.EQL, token.NEQ:
		if reportsErrors(c.X.Type()) || reportsErrors(c.Y.Type()) {
			return nil, false
		}
		if countsErrors(c) {
			return nil, false
		}
		if compared, whenEqual, ok := in.threeWay(fr, cfg.Condition{Value: c, Holds: then}); ok {
			return in.byPosition(fr, ls, compared...), !whenEqual
		}
		if found, ok := in.findsIndex(fr, c); ok {
			return ls, found != then
		}
		x, k, _ := comparedConst(c)
		equal := (c.Op == token.EQL) == then
		if in.isClosed(cfg.Condition{Value: c, Holds: then}) {
			return nil, false
		}
		if in.isClosed(cfg.Condition{Value: c, Holds: !then}) {
			return nil, true // until it is closed
		}
		if isLen(c.X) && isLen(c.Y) {
			return nil, !equal // no label of an element or an order feeds it
		}
		if n, ok := countOfSome(c); ok && !equal {
			if ls, is, known := in.uncounted(fr, n); known {
				return ls, is
			}
		}
		if k == nil {
			return in.byPosition(fr, ls, c.X, c.Y), !equal // old and new: they are equal in the end
		}
		if isOneOfConstants(x) || isKindOfObject(x) && !constants.IsZero(k) {
			return nil, false
		}
		if equal && isRangedKey(x) && !in.anyRuns(regionOf(cfg.Condition{Value: c, Holds: then}), removesAny, make(map[*ssa.Function]bool)) {
			return ls, false // the entry is there, and stays there
		}
		if text, ok := constants.String(k); ok {
			if ls, is, known := in.textFlag(fr, x, text, equal); known {
				return ls, is
			}
		}
		v := in.reg(fr, x)
		if isLen(x) {
			ls = v.labels
		}
		if constants.IsZero(k) {
			if !equal {
				if reasons, is, known := in.reasons(fr, measured(x)); known {
					return reasons, is
				}
			}
			if isStructPointer(x.Type()) {
				in.isSetting(ls) // sets sawSetting: a user may leave out this part of the spec
			}
			// The value is absent. That is no guard for a local variable that
			// holds nothing from the cluster, from a caller or from a callee.
			return ls, equal && !isDeletion(ls) && !isDeletionTime(x) && (len(ls) > 0 || v.unknown || v.foreign() || in.isReturned(fr, x))
		}
		return ls, !in.isSetting(ls)
	default:
		if _, whenEqual, ok := in.threeWay(fr, cfg.Condition{Value: c, Holds: then}); ok {
			return ls, !whenEqual && !in.isSetting(ls)
		}
		if countsErrors(c) || isTooMany(cfg.Condition{Value: c, Holds: !then}) {
			return nil, false
		}
		if isLen(c.X) && isLen(c.Y) {
			strictly := c.Op == token.GTR || c.Op == token.LSS
			return nil, strictly == then // the lengths differ
		}
		if isLen(c.X) || isLen(c.Y) {
			// len(x) > 0, or its negation.
			n := c.X
			if isLen(c.Y) {
				n = c.Y
			}
			some := (c.Op == token.GTR || c.Op == token.GEQ) == isLen(c.X)
			if some == then {
				if reasons, is, known := in.reasons(fr, measured(n)); known {
					return reasons, is
				}
			}
			return in.reg(fr, n).labels, some != then && !isDeletion(ls)
		}
		if found, ok := in.findsIndex(fr, c); ok && found == then {
			return ls, false // it is there, and stays there
		}
		if n, ok := counterOf(c); ok && (c.Op == token.GTR || c.Op == token.GEQ) == (c.X == ssa.Value(n)) == then {
			return in.counted(fr, n)
		}
		if isNotPositive(cfg.Condition{Value: c, Holds: then}) {
			return ls, !isDeletion(ls) // no number is there
		}
		if in.meetInTheEnd(fr, cfg.Condition{Value: c, Holds: then}) {
			return ls, false
		}
		return ls, !in.isSetting(ls) && !isObserved(cfg.Condition{Value: c, Holds: then})
	}
}

// meetInTheEnd reports whether the condition also holds if two numbers of the cluster are equal, as they
// are in the end, such as how many objects there are and how many there should be:
//
//	if wanted > running { return start(ctx) }
//	if wanted < running { return stop(ctx) }
//
// What the function counts itself, in a status, may well pass the other number.
func (in *interp) meetInTheEnd(fr *frame, c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.GEQ && cmp.Op != token.LEQ {
		return false
	}
	as := in.newAsker()
	return !slices.ContainsFunc([]ssa.Value{cmp.X, cmp.Y}, func(v ssa.Value) bool {
		ls := in.reg(fr, v).labels
		counts := slices.ContainsFunc(ls, func(l Label) bool { return l.Kind == State && l.What == "" })
		return !counts || slices.ContainsFunc(ls, Label.IsTime) || in.isSetting(ls) || len(as.parts(v)) > 0
	})
}

// isNotPositive reports whether the condition is that something is zero or less.
func isNotPositive(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	k, known := constants.Int(cmp.Y)
	return ok && known && (k == 0 && cmp.Op == token.LEQ || k == 1 && cmp.Op == token.LSS)
}

// threeWay returns the two values of which the condition asks how they compare, and reports
// whether it holds if they are equal:
//
//	if stored.Cmp(wanted) != 0 { … }
func (in *interp) threeWay(fr *frame, c cfg.Condition) (compared []ssa.Value, whenEqual, ok bool) {
	cmp, ok := c.Comparison()
	if !ok {
		return nil, false, false
	}
	k, known := constants.Int(cmp.Y)
	call := origin.Of(cmp.X).Call
	if !known || call == nil || library.Named(in.calleeName(fr, &call.Call)).Condition != library.ThreeWayCondition {
		return nil, false, false
	}
	whenEqual = constant.Compare(constant.MakeInt64(0), cmp.Op, constant.MakeInt64(k))
	return callee.Args(&call.Call), whenEqual, true
}

// findsIndex reports whether the comparison says that a search has found the index of an
// element, or that it has not:
//
//	if i := slices.Index(names, "main"); i >= 0 { … }
//
//	found := -1
//	for i := range names { if names[i] == "main" { found = i } }
//	if found >= 0 { … }
func (in *interp) findsIndex(fr *frame, c *ssa.BinOp) (found, ok bool) {
	cmp, _ := cfg.Condition{Value: c, Holds: true}.Comparison()
	k, known := constants.Int(cmp.Y)
	o := origin.Of(cmp.X)
	if !known || o.Kind != origin.Result && o.Kind != origin.Choice {
		return false, false
	}
	switch {
	case k == 0 && (cmp.Op == token.GEQ || cmp.Op == token.LSS):
		found = cmp.Op == token.GEQ
	case k == -1 && (cmp.Op == token.GTR || cmp.Op == token.LEQ || cmp.Op == token.NEQ || cmp.Op == token.EQL):
		found = cmp.Op == token.GTR || cmp.Op == token.NEQ
	default:
		return false, false
	}
	if o.Kind == origin.Choice {
		return found, isIndex(chosen(cmp.X, make(map[ssa.Value]bool)))
	}
	call := &o.Call.Call
	return found, library.Named(in.calleeName(fr, call)).Condition == library.SearchCondition || isIndexOf(call.StaticCallee(), o.Index)
}

// isIndexOf reports whether the function returns the counter of a loop, or -1.
func isIndexOf(fn *ssa.Function, result int) bool {
	return fn != nil && len(fn.Blocks) > 0 && isIndex(origin.Returned(fn, result))
}

// chosen returns the values of which v is one, other than v from before.
func chosen(v ssa.Value, seen map[ssa.Value]bool) []ssa.Value {
	phi, ok := v.(*ssa.Phi)
	if !ok || slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { o := origin.Of(e); return o.Kind == origin.Computed && o.X == v }) {
		return []ssa.Value{v} // a counter
	}
	seen[v] = true
	var all []ssa.Value
	for _, e := range phi.Edges {
		if !seen[e] {
			all = append(all, chosen(e, seen)...)
		}
	}
	return all
}

// isIndex reports whether a value that is one of these is the counter of a loop, or -1.
func isIndex(vs []ssa.Value) bool {
	counts, lacks := false, false
	for _, v := range vs {
		if k, ok := constants.Int(v); ok && k == -1 {
			lacks = true
			continue
		}
		at, ok := v.(ssa.Instruction)
		if !ok || !cfg.IsHeader(at.Block()) {
			return false
		}
		counts = true
	}
	return counts && lacks
}

// isObserved reports whether the condition is that a controller has observed the
// generation of its object, or a later one. That is so once the cluster has converged.
//
//	if cell.Generation > cell.Status.ObservedGeneration { return nil }
func isObserved(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.GEQ && cmp.Op != token.LEQ {
		return false
	}
	observed, generation := cmp.X, cmp.Y
	if cmp.Op == token.LEQ {
		observed, generation = cmp.Y, cmp.X
	}
	field, _ := origin.FieldOf(observed)
	_, ok = generationOf(generation)
	return ok && field != nil && field.Name() == "ObservedGeneration" && sameValue(holderOf(observed), holderOf(generation))
}

// holderOf returns the object that v is a part of, or the one of which a method returns v.
func holderOf(v ssa.Value) ssa.Value {
	if o := origin.Of(v); o.Call != nil {
		if args := callee.Args(&o.Call.Call); len(args) > 0 {
			v = args[0]
		}
	}
	for range maxDepth {
		field, of := origin.FieldOf(v)
		if field == nil {
			break
		}
		v = of
	}
	return v
}

// counterOf returns the counter that is compared with a constant.
func counterOf(c *ssa.BinOp) (n *ssa.Phi, ok bool) {
	x, y := c.X, c.Y
	if isConst(x) {
		x, y = y, x
	}
	n, ok = x.(*ssa.Phi)
	return n, ok && isConst(y) && len(increments(n)) > 0
}

// increments returns the additions of a constant to the counter n. It returns
// none if n is anything else than a constant and such sums.
func increments(n *ssa.Phi) []*ssa.BinOp {
	var found []*ssa.BinOp
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if seen[v] {
			return true
		}
		seen[v] = true
		switch o := origin.Of(v); {
		case o.Kind == origin.Constant:
			return true
		case o.Kind == origin.Choice:
			return !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return !visit(e) })
		case o.Kind == origin.Computed && o.Op == token.ADD && o.Y != nil && isConst(o.Y):
			found = append(found, v.(*ssa.BinOp))
			return visit(o.X)
		}
		return false
	}
	if !visit(n) {
		return nil
	}
	return found
}

// countOfSome returns the counter that is compared with the length of a sequence or map,
// of which it counts some elements.
func countOfSome(c *ssa.BinOp) (n *ssa.Phi, ok bool) {
	x, y := c.X, c.Y
	if isLen(x) {
		x, y = y, x
	}
	n, ok = x.(*ssa.Phi)
	return n, ok && isLen(y) && len(increments(n)) > 0
}

// uncounted classifies the condition that n does not count all elements of a loop:
//
//	for _, probe := range probes {
//		if err := probe(); err != nil { continue }
//		n++
//	}
//	if n != len(probes) { … }
//
// It is a guard if it is one that an element is left out. That is not known if there are
// alternatives, or all elements are counted.
func (in *interp) uncounted(fr *frame, n *ssa.Phi) (ls labels, is, known bool) {
	base := in.control.Of(n.Block())
	for _, inc := range increments(n) {
		for _, g := range in.control.Of(inc.Block()) {
			if cfg.Contains(base, g) {
				continue
			}
			if len(g) != 1 {
				return nil, false, false
			}
			for _, br := range g[0] {
				more, guards := in.isGuard(fr, cfg.Branch{Condition: cfg.Condition{Value: br.Value, Holds: !br.Holds}})
				ls, is, known = ls.union(more), is || guards, true
			}
		}
	}
	return ls, is, known
}

// counted classifies the condition that there is something that n counts:
//
//	for name := range names {
//		if !reserved[name] { row[n] = name; n++ }
//	}
//	if n > 0 { … }
//
// It is a guard if a guard decides what is counted. A filter is none: it counts
// the same elements each time. What the counter itself decides in its loop adds nothing.
func (in *interp) counted(fr *frame, n *ssa.Phi) (ls labels, is bool) {
	if in.flags[n] {
		return nil, false // a cycle
	}
	in.flags[n] = true
	defer delete(in.flags, n)
	base := in.control.Of(n.Block())
	for _, inc := range increments(n) {
		for _, g := range in.control.Of(inc.Block()) {
			if cfg.Contains(base, g) {
				continue
			}
			for br := range cfg.Branches(g) {
				more, guards := in.isGuard(fr, br)
				if guards && !in.isFilter(fr, br.Condition) {
					ls, is = ls.union(more), true
				}
			}
		}
	}
	return ls, is
}
