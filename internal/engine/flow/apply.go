package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// An importer applies a callee's summary at a call: it translates the summary
// into terms of the caller.
type importer struct {
	in      *interp
	fr      *frame
	sum     *Summary
	s       *callSite
	c       target
	foreign bool // the summary is another package's fact
	number  int  // of the callee, among those that the call may reach
	via     int  // number of the callback being run
	objs    map[int]*object
	results map[int]value // results of callbacks, by the IDs in Callback.Results
	once    Once          // of the receiver; see onceOfReceiver
	// followed has the methods of the module that callbacks have called.
	followed     map[methodKey]bool
	answering    map[int]bool  // the callbacks of which the answer is being asked
	translations *translations // see known
	receiver     loc           // of the method being called, if there are several
	atCall       *importer     // with the heap as it was at the call, or nil if the callee changes nothing there
	stored       *importer     // with the heap as it was before callbacks ran, or nil if the callee changes nothing there
}

func (in *interp) newImporter(fr *frame, sum *Summary, c target, s *callSite, foreign bool) *importer {
	return &importer{
		in: in, fr: fr, sum: sum, s: s, c: c, foreign: foreign, number: in.number(sum, s),
		objs: make(map[int]*object), results: make(map[int]value), followed: make(map[methodKey]bool), answering: make(map[int]bool),
	}
}

// instantiate interprets a call by its summary.
func (in *interp) instantiate(fr *frame, sum *Summary, c target, s *callSite, foreign bool) []value {
	if sum != nil && in.nested >= maxInline {
		in.limits |= limitNesting
	}
	if sum == nil || in.nested >= maxInline {
		return in.unknownResults(c, s)
	}
	s, does := in.narrowed(sum, s)
	if !does {
		return noResults(s)
	}
	in.nested++
	defer func() { in.nested-- }()
	im := in.newImporter(fr, sum, c, s, foreign)
	in.grant(im.number, sum)
	im.once = im.onceOfReceiver()
	in.sorts = in.sorts || sum.Sorts
	for _, g := range sum.Gaps {
		in.gaps[g] = true
	}
	for _, r := range sum.Reads {
		in.addRead(r)
	}
	for _, s := range sum.Shows {
		in.addShowing(s)
	}
	st := s.st

	im.passEarlier()
	changes := len(sum.Changes) > 0 && len(sum.Events) > 0
	if changes || len(sum.Changes)+len(sum.Refreshed) > 0 && sum.hasGuards() {
		im.atCall = im.withHeap(st.clone())
	}
	before := im.beforeReads()
	for _, p := range sum.Refreshed {
		im.readAgain(p)
	}
	im.resetObjects()
	im.sort(func(r loc) {
		in.traceSorted(st, r, s)
		in.noteSortedInLoop(fr, s, sequencesAt(st, r))
	})
	im.putStored(im.storedValues())
	if changes {
		im.stored = im
		if len(sum.Callbacks) > 0 {
			im.stored = im.withHeap(st.clone())
		}
	}
	im.traceCalleeDrops()
	// Callbacks run before the events: they often complete the object that the
	// callee then writes.
	for i := range sum.Callbacks {
		if in.exhausted() {
			break // the function is given up
		}
		im.callback(i)
	}
	im.putResults()
	for i := range sum.Events {
		if before != nil && sum.precedesRead(&sum.Events[i]) {
			before.event(i)
		} else {
			im.event(i)
		}
	}
	if v, ok := s.instr.(ssa.Value); ok && !s.inner && !c.maybe && len(sum.Verdicts) > 0 {
		fr.noteVerdicts(v, im.verdicts())
	}
	results := make([]value, s.sig.Results().Len())
	for i := range results {
		if i < len(sum.Results) {
			v := im.value(sum.Results[i])
			if t := s.sig.Results().At(i).Type(); isBasic(t) && !library.IsBool(t) {
				v.labels = v.labels.union(im.items(sum.Results[i].Labels))
			}
			if instr, ok := s.instr.(ssa.Value); ok && library.IsString(instr.Type()) {
				v.labels = in.inOrderPrinted(fr, instr, v.labels)
			}
			results[i] = in.filter(fr, v, types.Typ[types.String])
		} else {
			results[i] = value{unknown: true}
		}
	}
	return results
}

// items returns the labels of the items of which the labels of the callee are parts: these come in the
// order of the items.
//
//	for _, pod := range pods.Items { images = append(images, imageOf(&pod)) }
func (im *importer) items(ls []Label) (items labels) {
	for _, l := range ls {
		if l.Kind == Content && !l.Path.IsRoot() && l.Given == 0 && l.Param < len(im.s.args) {
			items = items.union(im.s.args[l.Param].labels.items())
		}
	}
	return items
}

// resetObjects makes the objects of the callee new ones.
func (im *importer) resetObjects() {
	for _, o := range im.sum.Objects {
		obj := im.object(o.ID)
		im.s.st.reset(obj).live = o.Live
	}
}

// sort gives an order to what the callee sorts, of which it tells before. That is what it was
// given. What it assigns there has the order that it has in the change.
func (im *importer) sort(tell func(loc)) {
	for _, p := range im.sum.Sorted {
		for _, r := range im.places(p.Param, p.Path) {
			tell(r)
			im.in.killOrder(im.s.st, r, 0)
		}
	}
}

// beforeReads returns an importer for the events of the callee that precede its reads of what it
// was given, or nil if there are none. It has a heap of its own, without what is read:
//
//	if err := c.Update(ctx, obj); err != nil { return err }
//	return c.Get(ctx, client.ObjectKeyFromObject(obj), obj)
//
// What callbacks do is not done there.
func (im *importer) beforeReads() *importer {
	precedes := func(ev Event) bool { return im.sum.precedesRead(&ev) }
	if !slices.ContainsFunc(im.sum.Events, precedes) {
		return nil
	}
	before := im.withHeap(im.s.st.clone())
	before.resetObjects()
	before.sort(func(loc) {})
	before.putStored(before.storedValues())
	return before
}

// withHeap returns an importer of the same call with another heap.
func (im *importer) withHeap(st *heap) *importer {
	s, other := *im.s, *im
	s.st = st
	other.s, other.translations, other.atCall, other.stored = &s, nil, nil, nil
	return &other
}

// hasGuards reports whether there are conditions above the events and callbacks of the function.
func (s *Summary) hasGuards() bool {
	return slices.ContainsFunc(s.Events, func(ev Event) bool { return len(ev.Guards) > 0 }) ||
		slices.ContainsFunc(s.Callbacks, func(cb Callback) bool { return len(cb.Guards) > 0 })
}

// handsOn reports whether a callback may change an argument: it gets it, it is a method of it, or
// it is a function among the arguments, which may have captured it.
func (s *Summary) handsOn(param int) bool {
	return slices.ContainsFunc(s.Callbacks, func(cb Callback) bool {
		if f := cb.Func; f.Method == "" && f.Path.IsRoot() || f.Method != "" && f.Param == param {
			return true
		}
		return slices.ContainsFunc(cb.Args, func(v Val) bool {
			return slices.ContainsFunc(v.Refs, func(r Ref) bool { return r.Param == param })
		})
	})
}

// precedesRead reports whether the event changes an object that the function was given, and hands
// on to no callback, and only reads from the API server later. One that is created was read before,
// and not found.
func (s *Summary) precedesRead(ev *Event) bool {
	w := library.Named(ev.Callee).Write
	if w == nil || w.Verb == library.Create || w.Verb == library.Delete {
		return false
	}
	return slices.ContainsFunc(ev.Args, func(a Arg) bool {
		return slices.ContainsFunc(a.Objects, func(o Object) bool {
			return !o.Live && o.Path.IsRoot() && slices.Contains(s.Refreshed, ParamPath{Param: o.Param}) && !s.handsOn(o.Param)
		})
	})
}

// sequencesAt returns the sequences that r is or, if it is a part of an object, refers to.
func sequencesAt(st *heap, r loc) value {
	if r.path.IsRoot() {
		return refTo(r)
	}
	seqs := st.get(r)
	seqs.refs = slices.DeleteFunc(slices.Clone(seqs.refs), func(l loc) bool { return l.obj == r.obj })
	return seqs
}

// A storedValue is a value that the callee stored, or the entries of maps that it was given, with
// what else the value has.
type storedValue struct {
	value
	byKey    bool
	entries  []entry
	complete bool // all keys of the maps are known
}

// storedValues translates the values that the callee stored into its objects and under
// its parameters, in this order. They are in terms of what the parameters had at the
// call, apart from the order of what the callee sorts. So all of them are translated
// before any is put.
func (im *importer) storedValues() []storedValue {
	var values []storedValue
	for _, o := range im.sum.Objects {
		for _, cell := range o.Cells {
			values = append(values, im.storedValue(cell))
		}
	}
	for _, ch := range im.sum.Changes {
		values = append(values, im.storedValue(Cell{ch.Path, ch.Val}))
	}
	return values
}

func (im *importer) storedValue(cell Cell) storedValue {
	maps, ok := im.entriesOf(cell)
	if !ok {
		return storedValue{value: im.value(cell.Val)}
	}
	isOfEntries := func(l Label) bool {
		return slices.ContainsFunc(cell.Val.Refs, func(r Ref) bool {
			return l.Kind == Content && !l.Fixed && !l.Keys && l.Param == r.Param && l.Path == r.Path
		})
	}
	others := im.labels(slices.DeleteFunc(slices.Clone(cell.Val.Labels), isOfEntries))
	all := storedValue{value: value{labels: others}, byKey: true}
	all.complete = !slices.ContainsFunc(others, Label.IsSource) && !slices.ContainsFunc(maps, func(m value) bool {
		return slices.ContainsFunc(m.refs, func(r loc) bool { return !im.in.hasKnownKeys(r, im.s.st) })
	})
	isCluster := len(cell.Val.Lacked) > 0 && im.hasOfCluster(cell.Val, maps)
	for i, m := range maps {
		entries := im.in.entries(im.s.st, m, types.Typ[types.String])
		if isCluster && slices.Contains(cell.Val.Lacked, cell.Val.Refs[i]) {
			entries = im.onceStored(entries)
		}
		all.entries = append(all.entries, entries...)
	}
	return all
}

// hasOfCluster reports whether one of the maps of which all entries are taken is of an object of the cluster.
// What the callee adds to such a map, if it lacks that, is there the next time:
//
//	deploy.Annotations = merge(deploy.Annotations, desired) // what is there already stays
func (im *importer) hasOfCluster(v Val, maps []value) bool {
	isLive := func(r loc) bool { return im.s.st.live(r.obj) }
	for i, m := range maps {
		if !slices.Contains(v.Lacked, v.Refs[i]) && slices.ContainsFunc(m.refs, isLive) {
			return true
		}
	}
	return false
}

// onceStored returns the entries with what is left of their values if they are stored once.
func (im *importer) onceStored(entries []entry) []entry {
	once := []guard{{}}
	for i, e := range entries {
		kept := e.val
		kept.refs, kept.labels = nil, im.in.allLabels(e.val, im.s.st)
		entries[i].val = im.in.filterUnder(kept, types.Typ[types.String], once)
	}
	return entries
}

// putStored puts the values that the callee stored into its objects and under its
// parameters.
func (im *importer) putStored(values []storedValue) {
	in, st := im.in, im.s.st
	of := make(map[int][]storedValue)
	for _, o := range im.sum.Objects {
		of[o.ID], values = values[:len(o.Cells)], values[len(o.Cells):]
	}
	for _, o := range im.sum.copiedFirst() {
		for i, cell := range o.Cells {
			dst, v := loc{im.objs[o.ID], cell.Path}, of[o.ID][i]
			if v.byKey {
				im.putEntries(dst, v)
				continue
			}
			im.putValue(dst, v.value, cell.Val.Copy, true)
		}
	}
	for i, ch := range im.sum.Changes {
		here := values[i]
		v := in.filter(im.fr, here.value, types.Typ[types.String])
		if v.null && ch.Path.Last().Marker.IsOwner() {
			continue // see ownObject
		}
		dests := slices.DeleteFunc(slices.Clone(im.places(ch.Param, ch.Path)), in.isOfAnotherType)
		if ch.Path.IsOrder() {
			v.labels = onlyOrder(v.labels)
		}
		v = v.withLabels(im.storedArg(ch, dests))
		for _, d := range dests {
			if in.exhausted() {
				return
			}
			if here.byKey {
				im.putEntries(d, here)
				continue
			}
			strong := !ch.Weak && len(dests) == 1
			if ch.Val.Copy {
				in.assign(st, d, here.ofWhatWas(d), structType, strong, im.fr.guards)
				continue
			}
			st.put(d, v.ofWhatWas(d), strong)
		}
	}
}

// copiedFirst returns the objects of the summary, those of which another one has a copy before
// that one: a copy is made of what is there.
func (s *Summary) copiedFirst() []*Obj {
	isCopy := func(cell Cell) bool {
		return cell.Val.Copy && slices.ContainsFunc(cell.Val.Refs, func(r Ref) bool { return r.Param < 0 })
	}
	ordered := make([]*Obj, 0, len(s.Objects))
	left := make(map[int]*Obj)
	var put func(o *Obj)
	put = func(o *Obj) {
		delete(left, o.ID)
		for _, cell := range o.Cells {
			if !isCopy(cell) {
				continue
			}
			for _, r := range cell.Val.Refs {
				if of := left[r.Obj]; r.Param < 0 && of != nil {
					put(of)
				}
			}
		}
		ordered = append(ordered, o)
	}
	copies := slices.ContainsFunc(s.Objects, func(o Obj) bool { return slices.ContainsFunc(o.Cells, isCopy) })
	for i := range s.Objects {
		if o := &s.Objects[i]; copies {
			left[o.ID] = o
		} else {
			ordered = append(ordered, o)
		}
	}
	for i := range s.Objects {
		if o := left[s.Objects[i].ID]; o != nil {
			put(o)
		}
	}
	return ordered
}

// entriesOf returns the maps that the callee was given, if the cell has their entries, each under
// its own key, and all of the maps are known. A generic callee may have been given maps of pointers.
func (im *importer) entriesOf(cell Cell) (maps []value, ok bool) {
	if !cell.Val.Entries || cell.Path.Last().Kind != access.Elem {
		return nil, false
	}
	for _, r := range cell.Val.Refs {
		if r.Param < len(im.s.vals) && im.s.vals[r.Param] != nil && hasPointers(im.s.vals[r.Param].Type()) {
			return nil, false
		}
		var m value
		if of := r.Path.Parent(); of.IsRoot() && 0 <= r.Param && r.Param < len(im.s.args) {
			m = im.s.args[r.Param]
		} else {
			for _, l := range im.places(r.Param, of) {
				m = m.join(im.s.st.get(l))
			}
			m.refs = im.objectsAt(r.Param, of)
		}
		if len(m.refs) == 0 || m.unknown {
			return nil, false
		}
		m.labels = nil // those of the entries are with these
		maps = append(maps, m)
	}
	return maps, true
}

// hasPointers reports whether the type is that of a map, or of a list of maps, with values that are
// neither basic nor may be texts.
func hasPointers(t types.Type) bool {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Slice:
		return hasPointers(t.Elem())
	case *types.Map:
		return !mayBeBasic(t.Elem())
	}
	return false
}

// putEntries puts entries at the place of all entries of a map, each under its own key.
func (im *importer) putEntries(dst loc, v storedValue) {
	if !v.complete {
		im.putValue(dst, v.value, false, false)
	}
	im.in.putEntries(im.fr, im.s.st, refTo(loc{dst.obj, dst.path.Parent()}), v.entries, types.Typ[types.String])
}

// A calleeKey identifies one of the callees of a call: a function of several
// (steps in a slice), a method of one of several objects, or a callback.
type calleeKey struct {
	at   ssa.Instruction
	via  int
	sum  *Summary
	recv loc
}

// number returns the number of the callee at the call s, from 1. It keeps apart
// the objects and the events of the callees. It does not tell objects that the
// call itself made from each other: each would make further ones.
func (in *interp) number(sum *Summary, s *callSite) int {
	key := calleeKey{at: s.instr, via: s.via, sum: sum}
	if len(s.args) > 0 && len(s.args[0].refs) == 1 && s.args[0].refs[0].obj.call != s.instr {
		key.recv = s.args[0].refs[0]
	}
	n, ok := in.numbers[key]
	if !ok {
		n = len(in.numbers) + 1
		in.numbers[key] = n
	}
	return n
}

// put writes a callee's value at a place of the caller.
func (im *importer) put(dst loc, v Val, strong bool) {
	im.putValue(dst, im.value(v), v.Copy, strong)
}

func (im *importer) putValue(dst loc, here value, isCopy, strong bool) {
	if isCopy {
		im.in.assign(im.s.st, dst, here, structType, strong, im.fr.guards)
		return
	}
	im.s.st.put(dst, im.in.filter(im.fr, here, types.Typ[types.String]), strong)
}

// object returns the object of the caller that stands for the callee's object
// with this ID.
func (im *importer) object(id int) *object {
	if o := im.objs[id]; o != nil {
		return o
	}
	o := im.in.object(site{at: im.s.instr, callee: int32(im.number), id: int32(id)}, nil)
	o.call = im.s.instr
	if im.s.instr.Common().IsInvoke() && len(im.s.args) > 0 && len(im.s.args[0].refs) == 1 {
		o.maker = im.s.args[0].refs[0]
	}
	for _, ob := range im.sum.Objects {
		if ob.ID == id {
			o.name, o.from, o.opaque = im.typeArg(ob.Type), ob.From, ob.Opaque
			if o.name == "" {
				o.name, o.copy = im.copied(ob.Copy)
			}
			o.typ = im.in.typeOf(o.name)
			o.symbolic = ob.Opaque
			o.exposed = o.exposed || ob.Exposed
			o.cached = ob.Cached
			tests, possible := im.tests(ob.When)
			o.madeUnder(addTests(tests, im.fr.tests), possible)
			o.madeIn(ob.Scope.within(im.fr.scope))
		}
	}
	im.objs[id] = o
	return o
}

// isOfAnotherType reports whether the place is a field that its object does not have. The
// callee has it for objects of another type only:
//
//	switch obj := obj.(type) {
//	case *corev1.Secret:
//		obj.StringData["token"] = token
func (in *interp) isOfAnotherType(l loc) bool {
	if field, _ := l.path.Cut(); field == objectMeta {
		return false
	}
	_, exists := follow(in.typeOf(in.typeNameOf(loc{obj: l.obj})), l.path)
	return !exists
}

// typeAt returns the type of what is at the place, or nil if it is not known, or any.
func (in *interp) typeAt(l loc) types.Type {
	t := in.typeOf(in.typeNameOf(loc{obj: l.obj}))
	if t == nil {
		t = l.obj.typ
	}
	if t, _ = follow(t, l.path); t == nil || types.IsInterface(t) {
		return nil
	}
	return t
}

// follow returns the type to which a path leads from the type t, or nil if it is not known. It
// returns false if there is no such field.
func follow(t types.Type, path access.Path) (to types.Type, exists bool) {
	for step := range path.Steps() {
		if t == nil {
			break
		}
		switch u := types.Unalias(library.Deref(t)).Underlying().(type) {
		case *types.Struct:
			if step.Kind != access.Field {
				return nil, true
			}
			field := fieldNamed(u, step.Name)
			if field == nil {
				return nil, false
			}
			t = field.Type()
		case interface{ Elem() types.Type }: // a sequence or a map
			t = u.Elem()
			if m, ok := u.(*types.Map); ok && step.Kind == access.Pointer {
				t = m.Key()
			}
		default:
			return nil, true
		}
	}
	return t, true
}

// fieldNamed returns the field of the struct with this name, or nil.
func fieldNamed(s *types.Struct, name string) *types.Var {
	for f := range s.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

// copied returns the type of the object that the callee copied, if it is known
// and is one. If the object belongs to a parameter of the caller and its type is
// unknown, copied returns where it is.
func (im *importer) copied(from *ParamPath) (typeName string, copy loc) {
	if from == nil {
		return "", loc{}
	}
	refs := im.value(Val{Refs: []Ref{{Param: from.Param, Path: from.Path}}}).refs
	if len(refs) != 1 {
		return "", loc{}
	}
	if name := im.in.typeNameOf(refs[0]); name != "" {
		return name, loc{}
	}
	if refs[0].obj.param >= 0 {
		return "", refs[0]
	}
	return "", refs[0].obj.copy
}

func copyOf(o *object) *ParamPath {
	if o.copy.obj == nil {
		return nil
	}
	return &ParamPath{o.copy.obj.param, o.copy.path}
}

// typeArg replaces a type parameter with the call's type argument.
func (im *importer) typeArg(name string) string {
	param, ok := strings.CutPrefix(name, "$")
	if !ok || im.c.obj == nil {
		return name
	}
	sig := im.c.obj.Origin().Signature()
	for _, list := range []*types.TypeParamList{sig.TypeParams(), sig.RecvTypeParams()} {
		for i := range list.Len() {
			if list.At(i).Obj().Name() == param && i < len(im.c.targs) {
				if tp, ok := types.Unalias(im.c.targs[i]).(*types.TypeParam); ok {
					return "$" + tp.Obj().Name()
				}
				return library.TypeName(im.c.targs[i])
			}
		}
	}
	return ""
}

// places returns the places of the caller that a path under a parameter denotes.
func (im *importer) places(param int, path access.Path) []loc {
	if param < 0 || param >= len(im.s.args) {
		return nil
	}
	return remember(im.known().places, ParamPath{param, path}, func() []loc { return im.findPlaces(param, path) })
}

// objectsAt returns the places of the objects that a path under a parameter denotes for
// the callee: what a pointer there refers to, as in a list of objects, or the place itself.
func (im *importer) objectsAt(param int, path access.Path) []loc {
	places := im.places(param, path)
	if path.IsRoot() {
		return places
	}
	var objects []loc
	for _, l := range places {
		referents := []loc{l}
		if c := im.s.st.cells(l.obj); c != nil && len(c.m[l.path].refs) > 0 {
			referents = c.m[l.path].refs
		}
		objects = append(objects, referents...)
	}
	return objects
}

func (im *importer) findPlaces(param int, path access.Path) []loc {
	if path.IsRoot() {
		return slices.Clone(im.s.args[param].refs)
	}
	var found []loc
	im.eachBelow(param, path, func(l loc, _ bool) { found = append(found, l) })
	return im.bounded(found)
}

// eachBelow calls f with the places to which the last step of a path leads under a
// parameter. A metav1.Object may be an object or just its metadata: then the step leads
// nowhere, and isMeta is set.
func (im *importer) eachBelow(param int, path access.Path, f func(l loc, isMeta bool)) {
	outer := path.Parent()
	step, _ := path.Below(outer)
	for _, l := range im.referents(param, outer) {
		if step == objectMeta && isMeta(l) {
			f(l, true)
		} else {
			f(l.under(step), false)
		}
	}
}

// referents returns the places in which a path goes on that leads through a path under a
// parameter: what the pointers there refer to, or the places themselves. Many paths begin
// alike.
func (im *importer) referents(param int, path access.Path) []loc {
	return remember(im.known().referents, ParamPath{param, path}, func() []loc { return im.findReferents(param, path) })
}

func (im *importer) findReferents(param int, path access.Path) []loc {
	if path.IsRoot() {
		return im.s.args[param].refs
	}
	var found []loc
	im.eachBelow(param, path, func(l loc, isMeta bool) {
		if c := im.s.st.cells(l.obj); c != nil && !isMeta {
			if v, ok := c.m[l.path]; ok && len(v.refs) > 0 && !v.copy { // a copy does not refer to what it was made from
				found = append(found, v.refs...)
				if !v.weak {
					return
				}
			}
			for _, p := range c.sharing(l.path) {
				if v := c.m[p]; !v.copy {
					found = append(found, v.refs...)
				}
			}
		}
		found = append(found, l)
	})
	return im.bounded(found)
}

// bounded returns the places in order, and not too many of them.
func (im *importer) bounded(places []loc) []loc {
	im.s.st.spend(len(places))
	slices.SortFunc(places, compareLocs)
	places = slices.Compact(places)
	return places[:min(len(places), maxRefs)]
}

// value translates a value of the callee.
func (im *importer) value(v Val) value {
	im.in.stepsLeft -= 1 + len(v.Refs) + len(v.Labels)
	if im.in.exhausted() {
		return value{unknown: true}
	}
	out := value{constant: v.Const, unknown: v.Unknown, labels: im.labels(v.Labels)}
	out.dropped = slices.ContainsFunc(v.Labels, func(l Label) bool { return l.Given != 0 && im.passed(l.Given).is })
	for _, b := range v.Bound {
		out = out.join(value{funcs: []*fval{im.bound(b)}, constant: out.constant})
	}
	for _, f := range v.Funcs {
		if f.Name != "" {
			out = out.join(value{funcs: []*fval{im.in.funcNamed(f.Name)}, constant: out.constant})
			continue
		}
		for _, p := range im.places(f.Param, f.Path) {
			out = out.join(im.s.st.get(p))
		}
		if f.Path.IsRoot() && f.Param < len(im.s.args) {
			out = out.join(value{funcs: im.s.args[f.Param].funcs, constant: out.constant})
		}
	}
	for _, r := range v.Refs {
		if res, ok := im.results[r.Obj]; ok && r.Param < 0 {
			if !r.Path.IsRoot() {
				res = res.under(r.Path, nil)
			}
			res.constant = out.constant
			out = out.join(res)
			continue
		}
		if r.Param < 0 {
			out = out.join(value{refs: []loc{{im.object(r.Obj), r.Path}}, constant: out.constant})
			continue
		}
		if r.Param >= len(im.s.args) {
			out.unknown = true
			continue
		}
		if r.Path.IsRoot() {
			arg := im.s.args[r.Param]
			arg.constant = out.constant
			out = out.join(arg)
			continue
		}
		there := im.targets(ParamPath{r.Param, r.Path})
		for i := range there {
			there[i].constant = out.constant
			out = out.join(there[i])
		}
	}
	out.null = im.isNil(v)
	out.several = out.several || v.Several
	out.ending = im.ending(v)
	if arg, ok := im.passedAs(v); ok {
		out.constant, out.several, out.ending = arg.constant, arg.several, arg.ending
	}
	return out
}

// passedAs returns the argument that the value of the callee certainly is.
func (im *importer) passedAs(v Val) (value, bool) {
	arg, ok := im.onlyArg(v)
	if !ok || v.Several || v.Const != "" {
		return value{}, false
	}
	other := func(l Label) bool {
		return l.Kind != Content || l.Param != v.Refs[0].Param || !l.Path.IsRoot() || l.Fixed || l.Appended
	}
	return arg, !slices.ContainsFunc(v.Labels, other)
}

// onlyArg returns the argument that the value of the callee refers to, if that is all that
// it refers to.
func (im *importer) onlyArg(v Val) (value, bool) {
	if len(v.Refs) != 1 || len(v.Funcs)+len(v.Bound) > 0 || v.Unknown {
		return value{}, false
	}
	r := v.Refs[0]
	if r.Param < 0 || r.Param >= len(im.s.args) || !r.Path.IsRoot() {
		return value{}, false
	}
	return im.s.args[r.Param], true
}

// targets returns what a path under a parameter denotes: the targets of the pointers
// there, or else the places themselves. A constant is nowhere.
func (im *importer) targets(p ParamPath) []value {
	find := func() []value {
		var found []value
		for _, place := range im.places(p.Param, p.Path) {
			v := im.s.st.get(place)
			v.labels = nil
			if len(v.refs) == 0 && v.constant == "" {
				v.refs = []loc{place}
			}
			found = append(found, v)
		}
		return found
	}
	return slices.Clone(remember(im.known().targets, p, find))
}

// isNil reports whether the value of the callee is a parameter for which the caller
// passes nil.
func (im *importer) isNil(v Val) bool {
	arg, ok := im.onlyArg(v)
	return ok && arg.null
}

// bound translates a function value that the callee made.
func (im *importer) bound(b Bound) *fval {
	if len(b.Captured) == 0 && b.fn != nil {
		return im.in.fval(b.fn)
	}
	key := boundKey{im.s.instr, b.Name}
	f := im.in.bound[key]
	if f == nil {
		f = &fval{fn: b.fn, bindings: make([]value, len(b.Captured))}
		if b.fn == nil {
			f.ref = &FuncRef{Name: b.Name, Param: -1}
		}
		im.in.bound[key] = f
	}
	for i, c := range b.Captured {
		f.bindings[i] = f.bindings[i].join(im.value(c))
	}
	return f
}

type boundKey struct {
	at   ssa.CallInstruction
	name string
}

// labels translates labels of the callee.
func (im *importer) labels(ls []Label) labels {
	var out labels
	for _, l := range ls {
		out = out.union(im.label(l))
	}
	return out
}

func (im *importer) label(l Label) labels {
	return remember(im.known().labels, l, func() labels { return im.findLabels(l) })
}

func (im *importer) findLabels(l Label) labels {
	if given := l.Given; given != 0 {
		l.Given = 0
		found := im.label(l)
		if len(found) == 0 {
			return nil
		}
		return found.transform(im.passed(given).left)
	}
	switch l.Kind {
	case Grown:
		return im.grown(l)
	case Kept:
		return im.kept(l)
	case Returned:
		return im.returned(l)
	case Printed:
		return im.printed(l)
	case Named:
		return im.label(Label{Kind: Content, Param: l.Param, Path: l.Path}).named()
	case Key:
		found := im.label(Label{Kind: Content, Param: l.Param, Path: l.Path})
		if l.Param < len(im.s.args) {
			found = found.union(im.s.args[l.Param].labels) // those of a pointer to an item
		}
		return found.asKey()
	}
	if l.Kind != Content {
		if im.foreign {
			l.Pos, l.End = im.in.callSpan(im.s.instr)
		}
		return labels{l}
	}
	if l.Param >= len(im.s.args) {
		return nil
	}
	var found labels
	in, st := im.in, im.s.st
	if l.Keys {
		found = im.keyLabels(l)
	} else if l.Without != "" {
		found = im.otherEntries(l)
	} else if l.Path.IsOrder() {
		for _, p := range im.places(l.Param, l.Path.Unordered()) {
			found = found.union(in.order(st, p))
		}
		if l.Item {
			found = found.transform(func(m Label) (Label, bool) { m.Item = true; return m, true })
		}
	} else {
		switch arg := im.s.args[l.Param]; {
		case l.Path.IsRoot():
			found = arg.labels
		case l.Appended: // a part of an item comes in the order of the items
			found = arg.labels.items()
		}
		for _, p := range im.places(l.Param, l.Path) {
			found = found.union(in.labelsAt(st, p))
		}
	}
	if l.Appended {
		found = im.appendedItems(found, l.Base)
	}
	if l.Fixed {
		found = found.fixed()
	}
	return found
}

// otherEntries returns the labels of the entries of the maps that the label l of the callee is about,
// without those that it does not tell of.
func (im *importer) otherEntries(l Label) (found labels) {
	isOther := func(path access.Path) bool {
		first := path.First()
		return first.Kind != access.Key || !strings.Contains("\x00"+l.Without, "\x00"+first.Name+"\x00")
	}
	for _, p := range im.places(l.Param, l.Path.Parent()) {
		for _, at := range im.in.walk(im.s.st, p) {
			if !isOther(at.path) {
				continue
			}
			found = found.union(at.labels.transform(func(m Label) (Label, bool) {
				if m.Kind == Content && m.Param == p.obj.param && m.Path == p.path { // the caller passes on what it got
					m.Path, m.Without = p.under(access.Elems()).path, l.Without
				}
				return m, true
			}))
		}
	}
	return found
}

// keyLabels returns the labels of the keys of the maps that the label l of the callee is
// about. They are with the entries. What lies below an entry, such as the order of a list,
// is none of them.
func (im *importer) keyLabels(l Label) labels {
	st := im.s.st
	var found labels
	for _, p := range im.places(l.Param, l.Path) {
		v := st.get(p)
		found = found.union(v.labels.transform(func(m Label) (Label, bool) { return m, m.Kind != Content || m.Fixed }))
		for _, r := range v.refs {
			switch {
			case st.live(r.obj):
				found = found.union(labels{{Kind: State, Path: shortPath(r.path)}})
			case r.obj.param >= 0:
				found = found.union(labels{{Kind: Content, Param: r.obj.param, Path: r.path, Keys: true}})
			}
			c := st.cells(r.obj)
			if c == nil {
				continue
			}
			for _, q := range c.near(r.path) {
				// A constant key has no labels.
				if rest, ok := q.Below(r.path); ok && rest.Depth() == 1 && rest.First().Kind != access.Key && !rest.IsOrder() && !rest.HasMarker() {
					found = found.union(c.m[q].labels)
				}
			}
		}
	}
	return found
}

// appendedItems translates the labels of what the callee appends to the content
// of parameter base. The items among them make the order unstable if that content
// is carried by the loop that yields the items. Other labels are dropped.
func (im *importer) appendedItems(found labels, base int) labels {
	return found.transform(func(l Label) (Label, bool) {
		if l.Kind == Content && !(l.Item && l.Path.IsOrder()) {
			if base < len(im.s.args) && !l.Item {
				if ps := baseParams(im.s.args[base]); len(ps) > 0 && ps[0] != l.Param {
					l.Appended, l.Base = true, ps[0]
					return l, true
				}
			}
			return l, false
		}
		if !l.Item || l.loop == nil || base >= len(im.s.args) || !im.fr.within(l.loop, im.s.instr.Block()) {
			return l, false
		}
		if to := im.s.vals[base]; to == nil || !im.in.carried(im.fr, to, l.loop) && !im.addsTo(base, l.loop) {
			return l, false
		}
		return im.in.ordered(im.fr, im.s.instr.Block(), l)
	})
}

// addsTo reports whether the callee changes what its parameter refers to, other than a
// sequence, and each round of the loop passes the same: a builder, a struct.
func (im *importer) addsTo(param int, l *loop) bool {
	v := im.s.vals[param]
	if isSliceType(v.Type()) || isBasic(v.Type()) || l.isOwn(v) {
		return false
	}
	return slices.ContainsFunc(im.sum.Changes, func(ch Change) bool { return ch.Param == param }) &&
		slices.ContainsFunc(im.s.args[param].refs, func(r loc) bool { return !l.contains(r.obj.block) })
}

// onlyOrder drops the labels that the order of a sequence cannot have.
func onlyOrder(ls labels) labels {
	return ls.transform(func(l Label) (Label, bool) {
		return l, (l.IsOrder() || l.isReturnedOrder() || l.Kind == Random) && !l.Item || l.Kind == Content
	})
}
