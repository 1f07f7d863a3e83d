package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A list grows if each reconcile appends to what was read:
//
//	if err := r.Get(ctx, key, &thing); err != nil { return err }
//	thing.Status.Conditions = append(thing.Status.Conditions, ready)
//	return r.Status().Update(ctx, &thing)
//
// The label of it, Grown, is at the list's order. It has the place of the list: under a
// parameter, for a caller that knows whether it passes what was read, or below an object
// that was read. A caller that passes anything else drops it.
//
// It does not grow if what the list has decides whether the code runs: a search, its
// length, what a function finds in it. A loop may append nothing.

// grown returns the label of the list that the instruction stores, if that is the list
// that is there, as it was read, with more elements.
func (in *interp) grown(fr *frame, s *ssa.Store, addr value, st *heap) (Label, bool) {
	call, list, elems := in.lengthened(s.Val)
	if call == nil {
		call, list, elems = in.joined(fr, s.Val, st)
	}
	if call == nil || len(addr.refs) != 1 || addr.unknown || !in.runsOnce(s.Parent()) {
		return Label{}, false
	}
	place, ok := in.grownFrom(st, addr.refs[0], in.reg(fr, list))
	if !ok || isCutOff(list, maxDepth) || in.isCut(s) {
		return Label{}, false
	}
	l := Label{Kind: Grown, What: growsList}.grownAt(place, st)
	if elems != nil && !isLiteral(elems) && l.isOf(in.allLabels(in.reg(fr, elems), st)) {
		return Label{}, false
	}
	if !in.eachTime(fr, call.Block(), l, noCondition) || !in.eachTime(fr, s.Block(), l, noCondition) {
		return Label{}, false
	}
	var types []string
	if elems != nil {
		types = in.conditionTypes(in.reg(fr, elems), st)
	}
	if in.isRemoved(fr, call, addr.refs[0], types) {
		return Label{}, false
	}
	l.Pos, l.End = in.callSpan(call)
	l.At = in.at(l.Pos)
	return leftUnder(fr.guards, l)
}

// growsList is what makes a list grow.
const growsList = "append to the stored list"

// lengthened returns the call by which v certainly is a list with more elements, and that
// list. The elements are nil unless the call is one of append.
func (in *interp) lengthened(v ssa.Value) (call *ssa.Call, list, elems ssa.Value) {
	o := origin.Of(origin.Through(v, origin.Renamed))
	switch {
	case o.Builtin() == "append":
		if args := o.Call.Call.Args; isLiteral(args[1]) {
			return o.Call, args[0], args[1]
		}
	case o.Kind == origin.Result && isSliceType(v.Type()):
		if lists := in.lengthenedAt(o, false); len(lists) > 0 {
			return o.Call, lists[0], nil
		}
	}
	return nil, nil, nil
}

// lengthenedAt returns the arguments that the result of a function is with more elements, or with
// something added. With perhaps, it may also be one of them as it is.
func (a *analysisState) lengthenedAt(o origin.Origin, perhaps bool) (args []ssa.Value) {
	for _, l := range a.calledAt(o).Lengthened {
		if arg := l.argument(o); arg != nil && (perhaps || !l.Perhaps) {
			args = append(args, arg)
		}
	}
	return args
}

// extendedAt returns the texts to which the function may have added something in its result.
func (a *analysisState) extendedAt(o origin.Origin) []ssa.Value {
	if !library.IsString(o.Call.Type()) {
		return nil
	}
	return a.lengthenedAt(o, true)
}

// argument returns the argument that the result is with something added, or nil if it is another result.
func (l Lengthened) argument(o origin.Origin) ssa.Value {
	args := callee.Args(&o.Call.Call)
	if l.Result != o.Index || l.Param >= len(args) {
		return nil
	}
	return args[l.Param]
}

// calledAt returns the summary of the function that is called, an empty one if it is not known which
// that is.
func (a *analysisState) calledAt(o origin.Origin) *Summary {
	fn := callee.Static(&o.Call.Call)
	if fn != nil && !o.Call.Call.IsInvoke() {
		if sum := a.summaryOf(fn.Origin()); sum != nil {
			return sum
		}
	}
	return &Summary{}
}

// joined returns the call of append by which v is one list and then another, of which one is that of a
// spec, or certainly has elements, and that other one, which was given or read:
//
//	existing.Spec.Ranges = append(existing.Spec.Ranges, desired.Spec.Ranges...)
//	thing.Spec.Tags = append([]string{clusterTag}, thing.Spec.Tags...)
func (in *interp) joined(fr *frame, v ssa.Value, st *heap) (call *ssa.Call, list, elems ssa.Value) {
	o := origin.Of(origin.Through(v, origin.Renamed))
	if o.Builtin() != "append" {
		return nil, nil, nil
	}
	args := o.Call.Call.Args
	for i, list := range args {
		elems := args[1-i]
		if _, ok := in.kept(st, in.reg(fr, list)); ok && (in.hasElements(elems, maxDepth) || in.isSpecList(fr, elems, st, maxDepth)) {
			return o.Call, list, elems
		}
	}
	return nil, nil, nil
}

// isSpecList reports whether the list is that of a spec, as it is there, or an empty one to which such
// lists were added: no element was left out.
func (in *interp) isSpecList(fr *frame, list ssa.Value, st *heap, depth int) bool {
	list = origin.Through(list, origin.Renamed)
	if o := origin.Of(list); o.Builtin() == "append" && depth > 0 {
		args := o.Call.Call.Args
		isEmpty := isEmptyMade(args[0]) || constants.IsNil(args[0])
		return (isEmpty || in.isSpecList(fr, args[0], st, depth-1)) && in.isSpecList(fr, args[1], st, depth-1)
	}
	field, of := origin.FieldOf(list)
	v := in.reg(fr, list)
	if field == nil || len(v.refs) != 1 || v.unknown || st.live(v.refs[0].obj) {
		return false
	}
	named := library.NamedOf(library.Deref(of.Type()))
	return isOfSpec(v.refs[0].path) || named != nil && strings.HasSuffix(named.Obj().Name(), "Spec")
}

// lengthenedBy returns the results of the function that are a parameter's list with more
// elements, whichever way it returns, or a parameter's number or text with something added.
func (in *interp) lengthenedBy(fn *ssa.Function) []Lengthened {
	var all []Lengthened
	results := fn.Signature.Results()
	for i := range results.Len() {
		if isNumberOrText(results.At(i).Type()) {
			all = append(all, in.addsTo(fn, i)...)
			continue
		}
		if !isSliceType(results.At(i).Type()) {
			continue
		}
		if param := in.lengthenedParam(origin.Returned(fn, i), maxDepth); param >= 0 {
			all = append(all, Lengthened{Result: i, Param: param})
		}
	}
	return all
}

// lengthenedParam returns the index of the parameter that is the list to which each of the
// values adds elements, or -1.
func (in *interp) lengthenedParam(values []ssa.Value, depth int) int {
	param := -1
	for i, v := range values {
		p := in.lengthenedParamOf(v, depth)
		if p < 0 || i > 0 && p != param {
			return -1
		}
		param = p
	}
	return param
}

func (in *interp) lengthenedParamOf(v ssa.Value, depth int) int {
	if depth == 0 {
		return -1
	}
	if o := origin.Of(v); o.Kind == origin.Choice {
		return in.lengthenedParam(o.Edges, depth-1)
	}
	call, list, _ := in.lengthened(v)
	if call == nil {
		return -1
	}
	if list := origin.Through(list, origin.Renamed); origin.Of(list).Kind == origin.Parameter {
		return slices.IndexFunc(call.Parent().Params, func(p *ssa.Parameter) bool { return p == list })
	}
	return in.lengthenedParamOf(list, depth-1)
}

// conditionTypes returns the types of the conditions in the list, or nil if they are not
// all known.
func (in *interp) conditionTypes(list value, st *heap) []string {
	if len(list.refs) != 1 || list.unknown {
		return nil
	}
	var known []string
	unset := list.refs[0].under(access.Elems())
	for _, elem := range st.get(unset).refs {
		if elem == unset {
			continue
		}
		v := st.get(elem.under(access.Fields("Type")))
		if v.constant == "" || v.several || v.unknown {
			return nil
		}
		known = append(known, v.constant)
	}
	return known
}

// isRemoved reports whether a condition may have been removed from the list at the place,
// before the instruction at adds to it. It is the one that is added, unless the types of
// both are known, and differ.
func (in *interp) isRemoved(fr *frame, at ssa.Instruction, list loc, types []string) bool {
	for at := at; fr != nil && at.Block() != nil; fr = fr.up {
		for _, b := range fr.fn.Blocks {
			if !reaches(b, at.Block()) {
				continue
			}
			for _, instr := range b.Instrs {
				if instr == at {
					break
				}
				call, ok := instr.(*ssa.Call)
				if !ok || library.Of(callee.Static(&call.Call)).Effect != library.RemovesCondition {
					continue
				}
				removed, known := constants.String(call.Call.Args[1])
				isOther := known && len(types) > 0 && !slices.Contains(types, removed)
				if !isOther && slices.Contains(in.reg(fr, call.Call.Args[0]).refs, list) {
					return true
				}
			}
		}
		if fr.call == nil {
			break
		}
		at = fr.call.Instrs[len(fr.call.Instrs)-1]
	}
	return false
}

// runsOnce reports whether the function is no literal, only its own function calls it, or a
// library that writes or tries again does. Any other code may call a literal for each of
// several elements.
func (in *interp) runsOnce(fn *ssa.Function) bool {
	for ; fn.Parent() != nil; fn = fn.Parent() {
		if calls, ok := in.ssa.Index.OnlyCalls(fn); ok && len(calls) > 0 {
			continue
		}
		call := in.ssa.Index.PassedTo(fn)
		if call == nil {
			return false
		}
		if known := library.Of(callee.Static(call)); known.Write == nil && known.Wait == nil {
			return false
		}
	}
	return true
}

// isCut reports whether the package also stores a part of the list, or what a function
// makes of it, in the same field: a history of the last entries.
func (in *interp) isCut(s *ssa.Store) bool {
	field := origin.Of(s.Addr)
	if field.Kind != origin.Field || field.Field == nil {
		return false
	}
	return slices.ContainsFunc(in.ssa.Index.Field(field.Field), func(other *ssa.Store) bool {
		o := origin.Of(other.Val)
		return other != s && (o.Kind == origin.Sliced && !isMadeHere(o) && !isCutToNothing(other.Val) || o.Kind == origin.Result && o.Builtin() == "" && other.Parent() == s.Parent())
	})
}

// isFirstOfNil reports whether the instruction stores an empty list where there is none.
// That is the same list:
//
//	if thing.Status.Conditions == nil {
//		thing.Status.Conditions = []metav1.Condition{}
//	}
func (in *interp) isFirstOfNil(s *ssa.Store) bool {
	return isSliceType(s.Val.Type()) && isEmptyMade(s.Val) && slices.ContainsFunc(in.control.Of(s.Block()), func(g cfg.Group) bool {
		if len(g) != 1 {
			return false
		}
		return slices.ContainsFunc(g[0], func(br cfg.Branch) bool {
			list, isNil, ok := br.Nil()
			return ok && isNil && origin.Of(list).Kind == origin.Loaded && sameValue(origin.Of(list).X, s.Addr)
		})
	})
}

// isEmptyMade reports whether the list is a new one without elements.
func isEmptyMade(list ssa.Value) bool {
	if made, ok := list.(*ssa.MakeSlice); ok {
		n, ok := constants.Int(made.Len)
		return ok && n == 0
	}
	o := origin.Of(list)
	if !isMadeHere(o) {
		return false
	}
	array, ok := library.Deref(o.X.Type()).Underlying().(*types.Array)
	return ok && array.Len() == 0
}

// isMadeHere reports whether the list is all of an array that the function makes.
func isMadeHere(list origin.Origin) bool {
	return list.Kind == origin.Sliced && origin.Of(list.X).Kind == origin.Local
}

// isLiteral reports whether the list is made of elements that the code names, of which
// there is one at least.
func isLiteral(list ssa.Value) bool {
	o := origin.Of(list)
	if !isMadeHere(o) {
		return false
	}
	array, ok := library.Deref(o.X.Type()).Underlying().(*types.Array)
	return ok && array.Len() > 0
}

// isCutToNothing reports whether the list is sliced to nothing: list[:0].
func isCutToNothing(list ssa.Value) bool {
	slice, ok := list.(*ssa.Slice)
	if !ok || slice.High == nil {
		return false
	}
	n, ok := constants.Int(slice.High)
	return ok && n == 0
}

// grownAt returns the label of a list at the place.
func (l Label) grownAt(place loc, st *heap) Label {
	l.Param, l.Path, l.of = place.obj.param, place.path, place.obj
	if st.live(place.obj) {
		l.Param = -1
		if place.obj.typ != nil {
			l.Object = objectNamed(place.obj.typ)
		}
	}
	return l
}

// isOf reports whether one of the labels is of the list, of its elements, or of what it
// is part of.
func (l Label) isOf(ls labels) bool {
	return slices.ContainsFunc(ls, func(m Label) bool {
		isRead := m.Kind == Content && m.Param == l.Param || m.Kind == State && m.What == ""
		path := m.Path.Unordered()
		return m.Kind == Grown || isRead && (path.Within(l.Path) || l.Path.Within(path))
	})
}

// grownFrom returns the place of what was there when an object was given or read, to which code has
// added what it stores at p: the same place, or one of another value, which may be put into the
// object later:
//
//	annotations := maps.Clone(desired)
//	annotations["revision"] = strconv.Itoa(revisionOf(thing.Annotations) + 1)
//	thing.Annotations = annotations
func (in *interp) grownFrom(st *heap, p loc, base value) (loc, bool) {
	if place, ok := in.longer(st, p, base); ok {
		return place, true
	}
	kept, ok := in.kept(st, base)
	if !ok || len(kept) != 1 || len(st.grownOf(base)) > 0 {
		return loc{}, false
	}
	return loc{kept[0].of, kept[0].Path}, true
}

// growsElsewhere reports whether the label is that of what grows in another object than the one at r:
//
//	thing.Status.Conditions = append(other.Status.Conditions, ready)
func (l Label) growsElsewhere(r loc, st *heap) bool {
	return l.Kind == Grown && l.of != nil && l.of != r.obj && st.isOld(r.obj) &&
		!slices.ContainsFunc(homes(st, loc{obj: r.obj}), func(home loc) bool { return home.obj == l.of })
}

// longer returns the place of the list that a list at p with all elements of base is a
// longer version of: the list that was there when the object was given or read. It returns
// none if base is known to grow already: that is one cause.
func (in *interp) longer(st *heap, p loc, base value) (loc, bool) {
	kept, ok := in.kept(st, base)
	if !ok || len(st.grownOf(base)) > 0 {
		return loc{}, false
	}
	homes := homes(st, p)
	elsewhere := func(l Label) bool { return !slices.Contains(homes, loc{l.of, l.Path}) }
	place := loc{kept[0].of, kept[0].Path}
	return place, !slices.ContainsFunc(kept, elsewhere) || len(kept) == 1 && st.isPart(p, place) && slices.Equal(st.get(p).refs, base.refs)
}

// isPart reports whether p is the same field as place, in a struct that the function makes
// as a part of the object that has the place:
//
//	status := ThingStatus{Conditions: thing.Status.Conditions}
func (h *heap) isPart(p, place loc) bool {
	if p.obj.typ == nil || place.obj.typ == nil || p.path.IsRoot() || h.isGiven(p.obj) {
		return false
	}
	whole := place.path
	for range p.path.Depth() {
		whole = whole.Parent()
	}
	if whole.IsRoot() || whole.Join(p.path) != place.path {
		return false
	}
	t := place.obj.typ
	for step := range whole.Steps() {
		field, _, _ := types.LookupFieldOrMethod(t, true, nil, step.Name)
		if step.Kind != access.Field || field == nil {
			return false
		}
		t = field.Type()
	}
	return types.Identical(t, p.obj.typ)
}

// homes returns the place p, or the same place of what the object or struct is a copy of,
// of several if it may be a copy of any:
//
//	if stale { fresh.DeepCopyInto(thing) }
func homes(st *heap, p loc) []loc {
	whole := st.get(loc{obj: p.obj})
	if !whole.copy || len(whole.refs) == 0 {
		return []loc{p}
	}
	var all []loc
	for _, of := range whole.refs {
		all = append(all, of.under(p.path))
	}
	return all
}

// isOld reports whether the object was given or read.
func (h *heap) isOld(o *object) bool { return o.param >= 0 || h.live(o) }

// kept returns the labels of a list that has all elements of a list that was given or read:
// it is that list, or the result of appending to it. If that may be any of several lists,
// they have the same place in objects that were read, or else it is none.
func (in *interp) kept(st *heap, list value) (kept labels, ok bool) {
	if list.unknown || list.null || len(list.refs) == 0 {
		return nil, false
	}
	for _, r := range list.refs {
		of := keptAt(st, r)
		if len(of) == 0 {
			return nil, false
		}
		kept = kept.union(of)
	}
	other := func(l Label) bool {
		return l.Param != kept[0].Param || l.Path != kept[0].Path || l.Param >= 0 && l.of != kept[0].of
	}
	return kept, !slices.ContainsFunc(kept, other)
}

// keptAt is kept for the list at r. A cell that holds the very list that was there holds a
// part of it.
func keptAt(st *heap, r loc) labels {
	of := st.get(r.under(access.Ordering())).labels.transform(func(l Label) (Label, bool) { return l, l.Kind == Kept && l.of != nil })
	if len(of) > 0 || !st.isOld(r.obj) {
		return of
	}
	if c := st.cells(r.obj); c != nil {
		if v, ok := c.m[r.path]; ok && (!v.weak || slices.Contains(v.refs, r)) {
			return nil
		}
	}
	return labels{Label{Kind: Kept, of: r.obj}.grownAt(r, st)}
}

// grownOf returns the labels of the lists that grow.
func (h *heap) grownOf(list value) labels {
	var all labels
	for _, r := range list.refs {
		all = all.union(h.get(r.under(access.Ordering())).labels.transform(func(l Label) (Label, bool) { return l, l.Kind == Grown }))
	}
	return all
}

// elementsKept returns the labels that a list at r has in any order.
func (h *heap) elementsKept(r loc) labels {
	return h.get(r.under(access.Ordering())).labels.transform(func(l Label) (Label, bool) { return l, l.Kind == Grown || l.Kind == Kept })
}

// isCutOff reports whether the list may be a part of another one.
func isCutOff(list ssa.Value, depth int) bool {
	switch o := origin.Of(origin.Through(list, origin.Renamed)); o.Kind {
	case origin.Sliced:
		return true
	case origin.Choice:
		return depth == 0 || slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return e != list && isCutOff(e, depth-1) })
	}
	return false
}

// eachTime reports whether each reconcile gets to the block if all is well, whatever the
// list has that l is the label of. The conditions for which holds is true hold each time.
func (in *interp) eachTime(fr *frame, b *ssa.BasicBlock, l Label, holds func(cfg.Condition) bool) bool {
	for ; fr != nil; fr, b = fr.up, fr.call {
		if b == nil {
			return false
		}
		loop := in.innermost(b)
		if loop != nil && !in.hasRounds(fr, loop, l) {
			return false
		}
		for br := range cfg.Branches(in.control.Of(b)...) {
			if !holds(br.Condition) && !loop.isTest(br.Value) && !in.isRegardless(fr, br, l) {
				return false
			}
		}
	}
	return true
}

// noCondition is for [interp.eachTime] if of no condition it is known that it holds each time.
func noCondition(cfg.Condition) bool { return false }

// hasRounds reports whether the loop, and those around it, have a round each time, or as long as somebody
// wants it so: the list that they are over has elements that this code puts there, or it is part of a spec.
// If what grows is an element of that list, it has its round:
//
//	for _, condition := range r.conditionsOf(thing) {
//		thing.Status.Conditions = append(thing.Status.Conditions, condition)
//	}
//	for i := range nodes.Items {
//		nodes.Items[i].Spec.Taints = append(nodes.Items[i].Spec.Taints, taint)
//	}
func (in *interp) hasRounds(fr *frame, l *loop, grown Label) bool {
	if l.Loop == nil {
		return false
	}
	for around := l.Loop; around != nil; around = around.Parent {
		list := overOf(around)
		if list == nil || !in.hasElements(list, maxDepth) && !in.isWantedList(fr, list, grown) && !in.isElement(fr, list, grown) {
			return false
		}
	}
	return true
}

// hasElements reports whether the list certainly has elements: the code names one, here or in a
// function that makes the list.
func (a *analysisState) hasElements(list ssa.Value, depth int) bool {
	if depth == 0 {
		return false
	}
	list = origin.Through(list, origin.Renamed)
	if _, ok := origin.Listed(list); ok {
		return isLiteral(list)
	}
	has := func(list ssa.Value) bool { return a.hasElements(list, depth-1) }
	switch o := origin.Of(list); o.Kind {
	case origin.Choice:
		return !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return e != list && !has(e) })
	case origin.Result:
		if o.Builtin() == "append" {
			return slices.ContainsFunc(o.Call.Call.Args, has)
		}
		return slices.Contains(a.calledAt(o).Filled, o.Index)
	}
	return false
}

// filledBy returns the results of the function that are lists with elements, whichever way it returns.
func (a *analysisState) filledBy(fn *ssa.Function) (filled []int) {
	results := fn.Signature.Results()
	for i := range results.Len() {
		returned := origin.Returned(fn, i)
		isEmpty := func(list ssa.Value) bool { return !a.hasElements(list, maxDepth) }
		if isSliceType(results.At(i).Type()) && len(returned) > 0 && !slices.ContainsFunc(returned, isEmpty) {
			filled = append(filled, i)
		}
	}
	return filled
}

// isWantedList reports whether the list is part of a spec, and not the one that grows.
func (in *interp) isWantedList(fr *frame, list ssa.Value, grown Label) bool {
	v := in.reg(fr, list)
	return len(v.refs) == 1 && !v.unknown && isOfSpec(v.refs[0].path) &&
		!(v.refs[0].obj == grown.of && (v.refs[0].path.Within(grown.Path) || grown.Path.Within(v.refs[0].path)))
}

// isElement reports whether what grows is part of an element of the list.
func (in *interp) isElement(fr *frame, list ssa.Value, grown Label) bool {
	v := in.reg(fr, list)
	return len(v.refs) == 1 && !v.unknown && v.refs[0].obj == grown.of && grown.Path != v.refs[0].path && grown.Path.Within(v.refs[0].path)
}

// isRegardless reports whether the branch is the one taken if all is well, or while the
// work of the module fails, and the list that l is the label of does not decide, or only
// whether it has elements.
func (in *interp) isRegardless(fr *frame, br cfg.Branch, l Label) bool {
	if in.asksForElements(fr, br.Condition, loc{l.of, l.Path}) {
		return true // if it has any, it gets more
	}
	if isFailure(br) {
		err, _, ok := br.Nil()
		return ok && in.isOwnFailure(err, maxDepth)
	}
	if err, _, ok := br.Nil(); ok && library.IsError(err.Type()) {
		return true
	}
	v := in.reg(fr, br.Value)
	ls := in.askedOf(fr, br)
	o, isAnswer := fr.verdict(br.Value, br.Holds)
	if isAnswer {
		ls = ls.union(o.Labels)
	}
	isSetting := isAnswer && !o.Guarded && asksConstants(br.Value)
	isRequired := func() bool { return onlyFails(regionOf(cfg.Condition{Value: br.Value, Holds: !br.Holds})) }
	return (!v.unknown || isSetting || isRequired()) && !l.isOf(ls)
}

// asksForElements reports whether the condition is that the list at the place has elements, or
// the text there is not empty.
func (in *interp) asksForElements(fr *frame, c cfg.Condition, list loc) bool {
	cmp, ok := c.Comparison()
	if !ok || !constants.IsZero(cmp.Y) {
		return false
	}
	of := cmp.X
	switch {
	case isLen(cmp.X) && (cmp.Op == token.GTR || cmp.Op == token.NEQ):
		of = measured(cmp.X)
	case !library.IsString(cmp.X.Type()) || cmp.Op != token.NEQ:
		return false
	}
	return slices.Equal(in.reg(fr, of).refs, []loc{list})
}

// askedOf returns the labels of what the condition asks about. The label of a length does not
// tell of what it is the length, and that of a finalizer is of the object. Whether there is
// an object at all, no list of it decides:
//
//	if len(message) > 0
//	if controllerutil.ContainsFinalizer(thing, finalizer)
//	if thing == nil
func (in *interp) askedOf(fr *frame, br cfg.Branch) labels {
	all := in.reg(fr, br.Value).labels
	if thing, _, ok := br.Nil(); ok && isStructPointer(thing.Type()) {
		return all.transform(func(l Label) (Label, bool) { return l, l.Kind != State || !l.Path.IsRoot() })
	}
	if call := origin.Of(br.Value).Call; call != nil && library.Of(callee.Static(&call.Call)).Finalizer != 0 {
		return all.transform(func(l Label) (Label, bool) {
			l.Path = l.Path.Join(access.Fields("ObjectMeta", "Finalizers"))
			return l, true
		})
	}
	cmp, ok := br.Value.(*ssa.BinOp)
	if !ok || !isLen(cmp.X) || !isConst(cmp.Y) {
		return all
	}
	list := in.reg(fr, measured(cmp.X))
	of := list.labels
	for _, r := range list.refs {
		if r.obj.param < 0 {
			return all
		}
		of = of.union(labels{{Kind: Content, Param: r.obj.param, Path: r.path}})
	}
	return of
}

// isOwnFailure reports whether the error is that of a function of the module, or one that
// the caller passes. Work that has failed may fail each time. An error of the API server
// may be gone the next time:
//
//	if err := r.Get(ctx, key, child); err != nil {
//		thing.Status.Children = append(thing.Status.Children, key.Name)
//		return r.Create(ctx, newChild(key))
//	}
func (in *interp) isOwnFailure(err ssa.Value, depth int) bool {
	switch o := origin.Of(err); o.Kind {
	case origin.Constant, origin.Parameter:
		return true
	case origin.Renamed:
		return in.isOwnFailure(o.X, depth)
	case origin.Choice:
		other := func(e ssa.Value) bool { return e != err && !in.isOwnFailure(e, depth-1) }
		return depth > 0 && !slices.ContainsFunc(o.Edges, other)
	case origin.Result:
		fn := callee.Static(&o.Call.Call)
		// A method of an interface may tell of another system, as the API server does.
		return fn != nil && !o.Call.Call.IsInvoke() && fn.Pkg() != nil && in.isOwnPackage(fn.Pkg().Path())
	}
	return false
}

// asksConstants reports whether the condition is the answer of a function that gets
// nothing but constants: features.Enabled("Metrics").
func asksConstants(cond ssa.Value) bool {
	o := origin.Of(cond)
	return o.Kind == origin.Result && callee.Static(&o.Call.Call) != nil &&
		!slices.ContainsFunc(callee.Args(&o.Call.Call), func(arg ssa.Value) bool { return !isConst(arg) })
}

// grown translates the label of a list that the callee makes grow. Nothing is left of it
// if the list is not one that was read, or if the callee is not called each time.
func (im *importer) grown(l Label) labels {
	in, st := im.in, im.s.st
	var at loc
	isList := l.Param >= 0
	if isList {
		places := withoutMade(im.places(l.Param, l.Path))
		if len(places) != 1 {
			return nil
		}
		at = places[0]
		place, ok := in.longer(st, at, st.get(at))
		if !ok {
			return nil
		}
		l = l.grownAt(place, st)
	}
	isVersion, _ := l.OfVersion(access.Path{}) // which is another one whenever it is written
	if !isVersion && (!in.eachTime(im.fr, im.s.instr.Block(), l, noCondition) || isList && in.isRemoved(im.fr, im.s.instr, at, nil)) {
		return nil
	}
	if im.foreign {
		l.Pos, l.End = in.callSpan(im.s.instr)
	}
	if l, ok := leftUnder(im.fr.guards, l); ok {
		return labels{l}
	}
	return nil
}

// kept translates the label of a list to which the callee appends. If that is one that
// grows, so is the longer one.
func (im *importer) kept(l Label) labels {
	if l.Param < 0 {
		return nil
	}
	places := im.places(l.Param, l.Path)
	if len(places) != 1 {
		return nil
	}
	list := im.s.st.get(places[0])
	kept, ok := im.in.kept(im.s.st, list)
	if !ok {
		return nil
	}
	return im.s.st.grownOf(list).union(kept)
}

// withoutGrown returns the labels without those of lists that grow, or that have kept their
// elements. They do not hold for a sequence that is made of the elements.
func (s labels) withoutGrown() labels {
	return s.transform(func(l Label) (Label, bool) { return l, l.Kind != Grown && l.Kind != Kept })
}

// withoutKept returns the labels without those of lists that have kept their elements.
func (s labels) withoutKept() labels {
	return s.transform(func(l Label) (Label, bool) { return l, l.Kind != Kept })
}
