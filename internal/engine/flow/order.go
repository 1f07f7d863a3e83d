package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// fixOrder turns the items that the block concatenates into a fixed order. isAppended
// reports which items those are.
func (in *interp) fixOrder(fr *frame, b *ssa.BasicBlock, ls labels, isAppended func(Label) bool) labels {
	return ls.transform(func(l Label) (Label, bool) {
		if !l.Item || !isAppended(l) {
			return l, true
		}
		l.Fixed = true
		return in.ordered(fr, b, l)
	})
}

// ordered returns the label of the order that something gets where the block adds the items
// of a loop to it. There is none if the loop deletes them.
func (in *interp) ordered(fr *frame, b *ssa.BasicBlock, item Label) (order Label, ok bool) {
	ok = !in.deletesItem(fr, item.loop, b)
	item.Item, item.loop = false, nil
	return item, ok
}

// accumulates reports whether the string v is carried by the loop: it contains
// the string that the previous iteration made.
func accumulates(v ssa.Value, l *loop) bool {
	if l == nil {
		return false
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
		case origin.Computed:
			return o.Y != nil && (visit(o.X) || visit(o.Y))
		case origin.Renamed:
			return visit(o.X)
		}
		return false
	}
	return visit(v)
}

// printsAgain reports whether the loop prints the string or error v from the one that the
// previous iteration made, and keeps it for the next one:
//
//	s = fmt.Sprintf("%s%s", s, item)
//	err = errors.Join(err, check(item))
//	s = appendOnce(s, item)
func (a *analysisState) printsAgain(v ssa.Value, l *loop) bool {
	if l == nil || l.Loop == nil {
		return false
	}
	return slices.ContainsFunc(l.Header.Instrs, func(instr ssa.Instruction) bool {
		phi, ok := instr.(*ssa.Phi)
		return ok && hasText(phi.Type()) && a.isMadeOf(v, phi) && a.isMadeOf(phi, v)
	})
}

// inOrderPrinted returns the labels of a string or error that code makes. Items that a loop adds to it one after
// the other get a fixed order.
func (in *interp) inOrderPrinted(fr *frame, made ssa.Value, ls labels) labels {
	return in.fixOrder(fr, blockOf(made), ls, func(item Label) bool { return in.printsAgain(made, item.loop) })
}

// hasText reports whether values of the type are strings or errors.
func hasText(t types.Type) bool { return library.IsString(t) || library.IsError(t) }

// isMadeOf reports whether the string or error v has part in it.
func (a *analysisState) isMadeOf(v, part ssa.Value) bool {
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if v == part || seen[v] {
			return v == part
		}
		seen[v] = true
		switch o := origin.Of(v); o.Kind {
		case origin.Choice:
			return slices.ContainsFunc(o.Edges, visit)
		case origin.Computed:
			return o.Y != nil && (visit(o.X) || visit(o.Y))
		case origin.Renamed:
			return visit(o.X)
		case origin.Result:
			return slices.ContainsFunc(append(printed(o.Call), a.extendedAt(o)...), visit)
		}
		return false
	}
	return visit(v)
}

// printed returns the strings and errors that a call of a library prints into the one that
// it returns, or nothing for other calls.
func printed(call *ssa.Call) (texts []ssa.Value) {
	fn := callee.Static(&call.Call)
	if fn == nil || !hasText(call.Type()) || len(call.Call.Args) == 0 || !library.TraitsOfPackage(fn.Pkg()).Has(library.Prints) && library.Of(fn).Meaning != library.JoinsErrors {
		return nil
	}
	elems, _ := origin.Listed(call.Call.Args[len(call.Call.Args)-1])
	for _, elem := range elems {
		if text := origin.Through(elem, origin.Boxed, origin.Renamed); hasText(text.Type()) {
			texts = append(texts, text)
		}
	}
	return texts
}

// accumulated handles s += item where s is in memory rather than in a register, and
// not in an item.
func (in *interp) accumulated(fr *frame, addr ssa.Value, at value, val ssa.Value, ls labels) labels {
	first, ok := addend(val)
	if !ok {
		return ls
	}
	if load := origin.Of(first); load.Kind != origin.Loaded || !sameAddress(load.X, addr) || slices.ContainsFunc(at.labels, func(l Label) bool { return l.Item }) {
		return ls
	}
	return in.extended(fr, at, val, ls)
}

// accumulatedEntry handles m[k] += item, where neither m nor k is of the loop that
// yields the items.
func (in *interp) accumulatedEntry(fr *frame, m *ssa.MapUpdate, dest value, ls labels) labels {
	if !library.IsString(m.Value.Type()) {
		return ls
	}
	first, ok := addend(m.Value)
	if !ok {
		return ls
	}
	if entry := origin.Of(first); entry.Kind != origin.Element || entry.X != m.Map || !in.sameKey(entry.Key, m.Key) {
		return ls
	}
	isItem := func(l Label) bool { return l.Item }
	if slices.ContainsFunc(in.reg(fr, m.Key).labels, isItem) || slices.ContainsFunc(dest.labels, isItem) {
		return ls
	}
	return in.extended(fr, dest, m.Value, ls)
}

// addend returns what a sum begins with.
func addend(sum ssa.Value) (first ssa.Value, ok bool) {
	o := origin.Of(sum)
	for o.Kind == origin.Computed && o.Op == token.ADD && o.Y != nil {
		first, ok = o.X, true
		o = origin.Of(first)
	}
	return first, ok
}

// sameAddress reports whether two addresses are certainly equal: x.f and x.f.
func sameAddress(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, y := origin.Of(a), origin.Of(b)
	return x.Kind == origin.Field && y.Kind == origin.Field && x.Field == y.Field && x.Field != nil && sameAddress(x.X, y.X)
}

// sameKey reports whether two keys are certainly equal.
func (a *analysisState) sameKey(x, y ssa.Value) bool {
	key, known := a.text(x)
	other, alsoKnown := a.text(y)
	return x == y || known && alsoKnown && key == other
}

// extended returns the labels of a string at one of the places at, to which val
// with the labels ls is added: the items among these have a fixed order.
func (in *interp) extended(fr *frame, at value, val ssa.Value, ls labels) labels {
	ls = in.fixOrder(fr, blockOf(val), ls, func(item Label) bool {
		return slices.ContainsFunc(at.refs, func(r loc) bool { return !item.loop.contains(r.obj.block) }) && fr.within(item.loop, blockOf(val))
	})
	return ls.union(appendedContent(ls, baseParams(at)))
}

// appendedContent returns the labels of the content among ls that is appended to
// content of other parameters, the bases.
func appendedContent(ls labels, bases []int) labels {
	var out labels
	for _, l := range ls {
		for _, base := range bases {
			if l.Kind == Content && !l.Item && !l.Path.IsOrder() && l.Param != base {
				l.Appended, l.Base = true, base
				out = out.union(labels{l})
			}
		}
	}
	return out
}

func (in *interp) next(fr *frame, n *ssa.Next, st *heap) value {
	x := in.reg(fr, n.Iter)
	if n.IsString {
		fr.tuples[n] = []value{{}, {}, {labels: x.labels}}
		return value{}
	}
	item := Label{
		Kind: MapOrder, What: "map order", Item: true,
		loop: in.innermost(n.Block()),
	}
	item.Pos, item.End = in.rangeSpan(n)
	item.At = in.at(item.Pos)
	var items labels
	if !in.singleEntry(n) && !in.selectsOne(n) && !in.drained(fr, n) {
		items = in.left(fr, item)
	}
	var elem value
	for i, r := range x.refs {
		e := st.get(r.under(access.Elems()))
		if i == 0 {
			elem = e
		} else {
			elem = elem.join(e)
		}
	}
	if rng, ok := n.Iter.(*ssa.Range); ok {
		elem = withoutContents(elem, elemType(rng.X.Type()))
	}
	elem.labels = elem.labels.union(items)
	key := in.pointersOf(n, x, st).withLabels(items)
	for _, r := range x.refs {
		if r.obj.param >= 0 {
			key.labels = key.labels.union(labels{{Kind: Content, Param: r.obj.param, Path: r.path, Keys: true}})
		}
	}
	fr.tuples[n] = []value{{}, key, elem}
	return value{}
}

// singleEntry reports whether the map is a literal of one entry.
func (in *interp) singleEntry(n *ssa.Next) bool {
	rng, ok := n.Iter.(*ssa.Range)
	if !ok {
		return false
	}
	m, ok := rng.X.(*ssa.MakeMap)
	return ok && hasOneEntry(m, nil)
}

// hasOneEntry reports whether the map has at most one entry, by the code that makes it and
// stores it nowhere but where it is declared.
func hasOneEntry(m *ssa.MakeMap, declared *ssa.Store) bool {
	updates := 0
	for _, ref := range *m.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			if ref.Map != m || ref.Block() != m.Block() {
				return false
			}
			updates++
		case *ssa.Store:
			if ref != declared {
				return false
			}
		case *ssa.Range, *ssa.Lookup, *ssa.DebugRef:
		default:
			return false
		}
	}
	return updates <= 1
}

// selectsOne reports whether the loop over a map does nothing with an entry but for one
// key: the one that equals a value from before the loop, or that a table with one entry
// has.
//
//	for name, value := range args {
//		if name == "interval" { config += value }
//	}
func (in *interp) selectsOne(n *ssa.Next) bool {
	var key, elem *ssa.Extract
	for _, ref := range *n.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == 1 {
			key = e
		} else if ok && e.Index == 2 {
			elem = e
		}
	}
	if key == nil {
		return false
	}
	loop := in.innermost(n.Block())
	var selected *ssa.BasicBlock
	for _, ref := range *key.Referrers() {
		selected = cmp.Or(selected, in.selectedBy(key, ref, loop))
	}
	for _, e := range []*ssa.Extract{key, elem} {
		if e == nil {
			continue
		}
		for _, ref := range *e.Referrers() {
			if _, ok := ref.(*ssa.DebugRef); !ok && (selected == nil || !selected.Dominates(ref.Block()) && in.selectedBy(key, ref, loop) == nil) {
				return false
			}
		}
	}
	return true
}

// selectedBy returns the block that control only reaches for one key of the loop's map,
// because of the test that the instruction is, or nil.
func (in *interp) selectedBy(key *ssa.Extract, test ssa.Instruction, l *loop) *ssa.BasicBlock {
	switch test := test.(type) {
	case *ssa.BinOp:
		other := test.X
		if other == key {
			other = test.Y
		}
		if made, ok := other.(ssa.Instruction); !ok || !l.contains(made.Block()) {
			switch test.Op {
			case token.EQL:
				return branchOf(test, 0)
			case token.NEQ:
				return branchOf(test, 1)
			}
		}
	case *ssa.Lookup:
		if test.Index != key || !in.isTableOfOne(test.X) {
			break
		}
		if !test.CommaOk {
			return branchOf(test, 0)
		}
		for _, ref := range *test.Referrers() {
			if ok, is := ref.(*ssa.Extract); is && ok.Index == 1 {
				return branchOf(ok, 0)
			}
		}
	}
	return nil
}

// branchOf returns the block that control only reaches if the condition holds, for i = 0,
// or does not, for i = 1. It returns nil if there is none, or several.
func branchOf(cond ssa.Value, i int) *ssa.BasicBlock {
	for _, ref := range *cond.Referrers() {
		if test, ok := ref.(*ssa.If); ok && len(test.Block().Succs[i].Preds) == 1 {
			return test.Block().Succs[i]
		}
	}
	return nil
}

// isTableOfOne reports whether the value is a package variable that is declared as a map
// with one entry.
func (in *interp) isTableOfOne(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	if !ok {
		return false
	}
	stores := in.ssa.Index.Global(g)
	if len(stores) != 1 {
		return false
	}
	m, ok := stores[0].Val.(*ssa.MakeMap)
	return ok && hasOneEntry(m, stores[0])
}

// drained reports whether the map no longer has what the cluster holds when the range
// over it begins:
//
//	for _, port := range service.Spec.Ports {
//		if want, ok := wanted[port.Name]; ok {
//			ports = append(ports, want)
//			delete(wanted, port.Name)
//		}
//	}
//	for _, port := range wanted { ports = append(ports, port) }
//
// What is left is stored, and the map is empty the next time. A list in the spec of one of
// the module's own objects removes the same entries each time, and a loop that does not keep
// what it takes out leaves the same ones: a difference of two lists.
func (in *interp) drained(fr *frame, n *ssa.Next) bool {
	rng, ok := n.Iter.(*ssa.Range)
	if !ok || rng.X.Referrers() == nil {
		return false
	}
	read := func(l Label) bool { return l.Kind == Content || l.Kind == State }
	return slices.ContainsFunc(*rng.X.Referrers(), func(ref ssa.Instruction) bool {
		call, ok := ref.(*ssa.Call)
		if !ok || !callee.IsBuiltin(&call.Call, "delete") || call.Call.Args[0] != rng.X {
			return false
		}
		key, removes := call.Call.Args[1], in.innermost(call.Block())
		_, wanted := in.specFields(fr, key)
		return removes != nil && !removes.contains(rng.Block()) && reaches(call.Block(), rng.Block()) &&
			!wanted && slices.ContainsFunc(in.reg(fr, key).labels, read) && extends(in.innermost(n.Block()), removes)
	})
}

// extends reports whether a loop appends to a sequence to which an earlier loop has
// appended.
func extends(l, earlier *loop) bool {
	if l == nil {
		return false
	}
	for b := range l.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && callee.IsBuiltin(&call.Call, "append") && isAppendedIn(call.Call.Args[0], earlier, make(map[ssa.Value]bool)) {
				return true
			}
		}
	}
	return false
}

// isAppendedIn reports whether v may be a sequence to which the loop has appended.
func isAppendedIn(v ssa.Value, l *loop, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	switch o := origin.Of(v); o.Kind {
	case origin.Choice:
		return slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return isAppendedIn(e, l, seen) })
	case origin.Result:
		return o.Builtin() == "append" && (l.contains(o.Call.Block()) || isAppendedIn(o.Call.Call.Args[0], l, seen))
	}
	return false
}

// itemLabels returns the labels that an element has from the order of its sequence, if that
// is unstable: it is an item, or, at a constant index, another element each time. The first
// of a List is usually the only one, and in a loop the first may be taken from what is left.
func (in *interp) itemLabels(fr *frame, seq value, index ssa.Value, b *ssa.BasicBlock, st *heap) labels {
	l := in.innermost(b)
	_, isConst := index.(*ssa.Const)
	if isConst && (l != nil || hasOneOnly(b)) {
		return nil
	}
	var ls labels
	for _, r := range seq.refs {
		for _, order := range in.order(st, r) {
			if !isConst {
				order.Item, order.loop, order.Appended = true, l, false
			} else if order.Kind == ListOrder {
				continue
			}
			ls = ls.union(labels{order})
		}
	}
	return ls
}

// hasOneOnly reports whether the block runs only if something has one element at most. What
// has one has no order.
func hasOneOnly(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(cfg.Dominating(b), func(c cfg.Condition) bool {
		cmp, ok := c.Comparison()
		if !ok || !isLen(cmp.X) {
			return false
		}
		n, ok := constants.Int(cmp.Y)
		return ok && ((cmp.Op == token.EQL || cmp.Op == token.LEQ) && n == 1 || cmp.Op == token.LSS && n == 2)
	})
}

// orderByCounter handles s[i] = item, where i counts the items of a loop: the order
// of the items becomes that of s.
func (in *interp) orderByCounter(fr *frame, ia *ssa.IndexAddr, v value, st *heap) {
	if _, isConst := ia.Index.(*ssa.Const); isConst {
		return
	}
	index := in.reg(fr, ia.Index)
	if slices.ContainsFunc(index.labels, func(l Label) bool { return l.Item }) {
		return // the item determines its index
	}
	switch o := origin.Of(ia.Index); {
	case o.Kind == origin.Choice, o.Kind == origin.Loaded, o.Kind == origin.Computed && o.Op == token.ADD:
	default:
		return // no counter
	}
	for _, r := range in.reg(fr, ia.X).refs {
		order := in.allLabels(v, st).transform(func(l Label) (Label, bool) {
			if !l.Item || l.loop.contains(r.obj.block) || !in.carried(fr, ia.Index, l.loop) {
				return l, false
			}
			return in.ordered(fr, ia.Block(), l)
		})
		if len(order) > 0 {
			st.put(r.under(access.Ordering()), value{labels: order}, false)
		}
	}
}

// within reports whether the block, or the call that leads to it, is in the loop.
func (fr *frame) within(l *loop, b *ssa.BasicBlock) bool {
	for ; fr != nil; b, fr = fr.call, fr.up {
		if l.contains(b) {
			return true
		}
	}
	return false
}

// blockOf returns the block of the instruction that v is.
func blockOf(v ssa.Value) *ssa.BasicBlock { return v.(ssa.Instruction).Block() }

// iterate interprets range over an iterator. The iterator calls the loop's body,
// a function literal, with the elements.
func (in *interp) iterate(fr *frame, seq value, s *callSite) {
	var order labels
	for _, r := range seq.refs {
		order = order.union(in.order(s.st, r))
	}
	in.iterateItems(fr, s.args[0], in.load(seq.under(access.Elems(), nil), s.st, nil), order, s)
}

// iterateItems calls the function literal body with elem, an element of a
// sequence of the given order.
func (in *interp) iterateItems(fr *frame, body, elem value, order labels, s *callSite) {
	for _, f := range body.funcs {
		if f.fn == nil {
			continue
		}
		l := in.iterLoops[f.fn]
		if l == nil {
			l = &loop{body: f.fn, id: -1 - len(in.iterLoops)}
			in.iterLoops[f.fn] = l
		}
		v := elem
		for _, item := range order {
			item.Item, item.loop, item.Appended = true, l, false
			v.labels = v.labels.union(labels{item})
		}
		args := make([]value, len(f.fn.Params))
		for i := range args {
			args[i] = v
		}
		in.inline(fr, f, args, s)
	}
}

// gather makes the sequence at dst from the arguments that are sequences. It
// keeps their order.
func (in *interp) gather(fr *frame, st *heap, dst loc, s *callSite, made []value) {
	var order labels
	var elems value
	for i, a := range s.args {
		if !isSequence(s.vals[i]) {
			elems.labels = elems.labels.union(in.allLabels(a, st).fixed())
			continue
		}
		for _, r := range a.refs {
			order = order.union(in.order(st, r))
		}
		copyElements(st, st, dst, a, nil)
	}
	if library.Named(in.nameOf(s)).OrdersResult {
		order = nil
	}
	for _, m := range made {
		elems = elems.join(m)
	}
	st.put(dst.under(access.Elems()), elems, false)
	st.set(dst.under(access.Ordering()), value{labels: order})
}

// copyElements copies the elements of the sequence src from one heap to dst in
// another. keep reports which labels to copy. If it is nil, all are copied.
func copyElements(from, to *heap, dst loc, src value, keep func(Label) bool) {
	filtered := func(v value) value {
		if keep != nil {
			v.labels = v.labels.transform(func(l Label) (Label, bool) { return l, keep(l) })
		}
		return v
	}
	for _, r := range src.refs {
		if r == dst && from == to {
			continue
		}
		if r.obj.symbolic || from.live(r.obj) {
			to.put(dst.under(access.Elems()), refTo(r.under(access.Elems())), false)
		}
		c := from.cells(r.obj)
		if c == nil {
			continue
		}
		for _, p := range from.sortedPaths(r.obj) {
			rest, ok := p.Below(r.path)
			if !ok {
				continue
			}
			switch rest.First().Kind {
			case access.Elem, access.Key:
				_, rest = rest.Cut()
				to.put(dst.under(access.Elems().Join(rest)), filtered(c.m[p]), false)
			}
		}
		if v, ok := c.m[r.path]; ok && len(v.labels) > 0 {
			to.put(dst.under(access.Elems()), filtered(value{labels: v.labels}), false)
		}
	}
	if len(src.labels) > 0 {
		to.put(dst.under(access.Elems()), filtered(value{labels: src.labels}), false)
	}
}

// order returns the labels of the order of the sequence at r. A stable order has
// none, and neither has a sequence that is made of an item: it is another one for each.
func (in *interp) order(st *heap, r loc) labels {
	at := r.under(access.Ordering())
	if len(in.sortedInLoop) == 0 {
		return ofSequence(st.get(at).labels)
	}
	unsorted := reader{heap: st, without: in.sortedInLoop}
	unsorted.read(at, maxHops)
	return ofSequence(unsorted.found.labels)
}

// ofSequence returns the labels that say something of the order of one sequence.
func ofSequence(ls labels) labels {
	return ls.withoutGrown().transform(func(l Label) (Label, bool) { return l, !l.Item || !l.IsOrder() })
}

// noteSortedInLoop notes that a loop sorts the sequences. The path that skips the
// loop does not sort them, but then there are none to sort. So those that are
// made outside of the loop are taken as sorted.
func (in *interp) noteSortedInLoop(fr *frame, s *callSite, seqs value) {
	l := in.innermost(s.instr.Block())
	if l == nil {
		return
	}
	for _, r := range seqs.refs {
		if r.obj.param < 0 && !l.contains(r.obj.block) {
			in.sortedInLoop[r.obj] = true
		}
	}
}

// killOrder makes the order of the sequences at or just below r stable.
func (in *interp) killOrder(st *heap, r loc, depth int) {
	if r.obj.param >= 0 {
		in.sorted[r] = true
	}
	st.set(r.under(access.Ordering()), value{})
	if depth > 1 {
		return
	}
	c := st.cells(r.obj)
	if c == nil {
		return
	}
	for _, p := range st.sortedPaths(r.obj) {
		rest, ok := p.Below(r.path)
		if !ok || rest == access.Ordering() {
			continue
		}
		v := st.cells(r.obj).m[p]
		if p.IsOrder() {
			st.set(loc{r.obj, p}, value{})
			continue
		}
		if rest.HasElem() {
			continue
		}
		for _, ref := range v.refs {
			if ref.obj != r.obj {
				in.killOrder(st, ref, depth+1)
			}
		}
	}
}

// appended interprets append. The result is a new sequence with the elements of
// both arguments. Its order is unstable if the appended elements are items of a
// loop that carries the sequence.
func (in *interp) appended(fr *frame, s *callSite) value {
	call, ok := s.instr.(*ssa.Call)
	if !ok {
		return value{}
	}
	base, more := s.args[0], value{}
	if len(s.args) > 1 {
		more = s.args[1]
	}
	if library.IsString(s.vals[len(s.vals)-1].Type()) { // append([]byte, string...)
		more.labels = more.labels.fixed()
	}
	st := s.st
	o := in.object(site{at: call}, call.Type())
	dst := loc{obj: o}
	if !in.repeats(fr, call.Block()) { // else each of two may be a longer version of the other
		o.lengthen(base)
	}

	var order labels
	for _, seq := range []value{base, more} {
		for _, r := range seq.refs {
			order = order.union(in.order(st, r))
		}
	}
	order = order.union(st.grownOf(base)).union(in.arrivedIn(fr, s))
	if kept, ok := in.kept(st, base); ok && !isCutOff(s.vals[0], maxDepth) {
		order = order.union(kept)
	}
	// The elements so far, before the object is reset.
	before := st.clone()
	st.reset(o)
	// Items of a loop that carries base take that loop's order.
	isAppended := func(l Label) bool {
		return l.Item && fr.within(l.loop, call.Block()) && in.carried(fr, s.vals[0], l.loop)
	}
	copyElements(before, st, dst, base, nil)
	copyElements(before, st, dst, more, func(l Label) bool { return !isAppended(l) })
	elems := in.filter(fr, value{labels: in.allLabels(more, before)}, types.Typ[types.String]).labels
	params := baseParams(base)
	for _, l := range elems {
		switch {
		case isAppended(l):
			if l, ok := in.ordered(fr, call.Block(), l); ok {
				order = order.union(labels{l})
			}
		case l.Kind == Content && !l.Path.IsOrder():
			if slices.ContainsFunc(fr.guards, func(g guard) bool { return g.search }) {
				continue // it is in the sequence in the end, and is not appended again
			}
			for _, p := range params {
				if p != l.Param {
					order = order.union(labels{{Kind: Content, Param: l.Param, Path: l.Path, Appended: true, Base: p, Given: l.Given}})
				}
			}
		}
	}
	st.set(dst.under(access.Ordering()), value{labels: order})
	return value{refs: []loc{dst}, unknown: base.unknown}
}

// repeats reports whether a loop runs the block, one of a frame, several times.
func (in *interp) repeats(fr *frame, b *ssa.BasicBlock) bool {
	for ; fr != nil && b != nil; fr, b = fr.up, fr.call {
		if in.innermost(b) != nil {
			return true
		}
	}
	return false
}

// lengthen notes that the sequence is a longer version of those of base that the function makes.
func (o *object) lengthen(base value) {
	for _, r := range base.refs {
		if isMade(r) && !slices.Contains(o.longerThan, r.obj) {
			o.longerThan = append(o.longerThan, r.obj)
			o.longerThan = append(o.longerThan, r.obj.longerThan...)
		}
	}
}

// baseParams returns the indexes of the parameters that a sequence lies under.
func baseParams(v value) []int {
	var ps []int
	for _, r := range v.refs {
		if r.obj.param >= 0 && !slices.Contains(ps, r.obj.param) {
			ps = append(ps, r.obj.param)
		}
	}
	return ps
}

// shuffle interprets rand.Shuffle. The order of the sequences that the swap
// function captures becomes random.
func (in *interp) shuffle(fr *frame, c target, s *callSite) {
	order := in.left(fr, in.newSource(Random, in.sourceName(c), s))
	if order == nil {
		return
	}
	for _, f := range s.args[1].funcs {
		for _, b := range f.bindings {
			for _, v := range []value{b, in.load(b, s.st, structType)} {
				for _, r := range v.refs {
					s.st.put(r.under(access.Ordering()), value{labels: order}, false)
				}
			}
		}
	}
}

// orders returns the labels of the order of the sequences that v refers to.
func (in *interp) orders(st *heap, v value) labels {
	var ls labels
	for _, r := range v.refs {
		ls = ls.union(in.order(st, r))
	}
	return ls
}
