package flow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

const (
	// maxEvents bounds the events of a summary. Rules do not see further ones.
	maxEvents = 4000
	// maxCallbacks bounds the callbacks of a summary.
	maxCallbacks = 512
	// maxFields bounds the labels of an object in an event.
	maxFields = 1024
)

// record adds the call s of c as an event.
func (in *interp) record(fr *frame, c target, s *callSite) {
	ev := &Event{Callee: c.name, Through: c.through, Maybe: fr.maybe, Go: fr.inGo, Rounds: fr.inRounds(), Deleting: fr.deleting, When: fr.tests, Phases: fr.phases, Scope: fr.scope, Once: fr.once}
	ev.Pos, ev.End = in.callSpan(s.instr)
	ev.At = in.at(ev.Pos)
	for i, a := range s.args {
		ev.Args = append(ev.Args, in.describe(a, s.vals[i], s.st))
		if len(a.refs) > 0 && ev.Args[i].isNothing() {
			return // no candidate of the argument is made
		}
	}
	if s.sig.Variadic() && len(s.args) > 0 {
		last := len(s.args) - 1
		ev.Args[last] = in.describe(in.load(s.args[last].under(access.Elems(), nil), s.st, structType), nil, s.st)
		ev.Args[last].Unknown = ev.Args[last].Unknown && len(s.args[last].refs) > 0
		for i := range ev.Args[last].Objects {
			in.listed(fr, &ev.Args[last].Objects[i], s.vals[last])
		}
	}
	if res := s.sig.Results(); res.Len() > 0 {
		ev.Result = library.TypeName(res.At(0).Type())
		if in.asks && c.ask().IsOfType() {
			ev.Result = library.AskedType(c.obj)
		}
		if c.known().Role().Makes() {
			if v, ok := s.instr.(ssa.Value); ok {
				ev.Made = in.result(c, v, 0, res.At(0).Type()).summaryID()
			}
		}
	}
	for _, g := range fr.guards {
		ev.Guards = append(ev.Guards, g.fed())
	}
	ev.conds = in.conditions(fr.guards)
	in.addEvent(eventKey{ctx: fr.ctx, at: s.instr, name: c.name, exit: in.exit}, ev)
}

// addEvent stores an event. A later round of the interpretation knows more, and
// replaces the event of an earlier one.
func (in *interp) addEvent(key eventKey, ev *Event) {
	if _, ok := in.events[key]; ok || len(in.events) < maxEvents {
		in.events[key] = ev
		in.extendBudget()
	} else {
		in.limits |= limitEvents
	}
}

// describes reports whether o describes what lies at r.
func (o *Object) describes(r loc) bool {
	return o.ID == r.obj.id+1 && o.Param == r.obj.param && o.Path == r.path
}

// listed notes whether the object o certainly is in the slice v, or stands for elements of a
// parameter that are all in it.
func (in *interp) listed(fr *frame, o *Object, v ssa.Value) {
	o.Sure = slices.ContainsFunc(in.sure(fr, v), o.describes)
	o.All = o.Param >= 0 && o.Path == access.Elems() && slices.Contains(wholes(fr, v), o.Param)
}

// wholes returns the indexes of the parameters all of whose elements are in the slice v.
func wholes(fr *frame, v ssa.Value) []int {
	return listing(v, 0, func(v ssa.Value) []int {
		if p, ok := v.(*ssa.Parameter); ok && fr.up == nil {
			return []int{slices.Index(fr.fn.Params, p)}
		}
		return nil
	})
}

// sure returns the places of the certain elements of the slice v, as far as each
// is one thing.
func (in *interp) sure(fr *frame, v ssa.Value) []loc {
	var refs []loc
	for _, elem := range elements(v) {
		if v := in.reg(fr, elem); v.isSure() {
			refs = append(refs, v.refs[0])
		}
	}
	return refs
}

// isSure reports whether v certainly is one thing. A package variable is one
// thing, although its content may change.
func (v value) isSure() bool {
	return len(v.refs) == 1 && len(v.funcs) == 0 && (!v.unknown || v.refs[0].obj.id < 0)
}

// elements returns the certain elements of the slice v: those listed in a
// literal, or in append.
func elements(v ssa.Value) []ssa.Value {
	return listing(v, 0, func(v ssa.Value) []ssa.Value {
		if origin.Of(v).Kind != origin.Sliced {
			return nil
		}
		elems, _ := origin.Listed(v)
		return elems
	})
}

// listing returns what the slice v certainly has, where in tells that of a slice that is neither
// appended to nor one of several.
func listing[T comparable](v ssa.Value, depth int, in func(ssa.Value) []T) []T {
	if depth > 8 {
		return nil
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Result:
		if args := origin.Appended(o.Call); args != nil {
			return append(listing(args[0], depth+1, in), listing(args[1], depth+1, in)...)
		}
		return nil
	case origin.Choice:
		common := listing(o.Edges[0], depth+1, in)
		for _, e := range o.Edges[1:] {
			some := listing(e, depth+1, in)
			common = slices.DeleteFunc(common, func(elem T) bool { return !slices.Contains(some, elem) })
		}
		return common
	}
	return in(v)
}

// describe returns the value a as an argument of an event. v is its register, or
// nil.
func (in *interp) describe(a value, v ssa.Value, st *heap) Arg {
	arg := Arg{Unknown: a.unknown, Const: a.constant}
	static := ""
	if v != nil {
		static = staticType(v)
	}
	for _, l := range a.labels {
		if l.Kind != State && !l.Item {
			arg.Labels = append(arg.Labels, l)
		}
	}
	for _, r := range a.refs {
		if len(a.refs) > 1 && in.isUnset(r, st) {
			continue // an element that has not been set, beside those that have
		}
		if r.obj.infeasible {
			continue
		}
		o := in.describeObject(r, static, st)
		o.Sure = a.isSure()
		arg.Objects = append(arg.Objects, o)
	}
	for _, f := range a.funcs {
		arg.Funcs = append(arg.Funcs, in.describeFunc(f))
	}
	return arg
}

// isUnset reports whether r stands for elements of a local sequence that have not
// been set, or that are only references to what has been.
func (in *interp) isUnset(r loc, st *heap) bool {
	if r.path.Last().Kind != access.Elem || r.obj.symbolic {
		return false
	}
	t, _ := staticAt(r)
	if in.typeNameOf(r) == "" && (t == nil || !isStructPointer(t) && !isAggregate(t)) {
		return true
	}
	c := st.cells(r.obj)
	if c == nil || len(c.m[r.path].refs) == 0 || c.m[r.path].copy {
		return false
	}
	for p := range c.m {
		if p != r.path && p.Within(r.path) && (t == nil || !isStructPointer(t)) {
			return false // else that is set in what the element points to
		}
	}
	return true
}

func (in *interp) describeFunc(f *fval) Func {
	if f.ref != nil {
		return Func{Name: f.ref.Name, Param: f.ref.Param}
	}
	c := in.ofValue(f)
	if c.name != "" {
		return Func{Name: c.name, Param: -1}
	}
	return Func{Name: f.fn.String(), Param: -1}
}

// staticType returns the TypeName of the concrete type that the register v, or
// the value that v boxes, has or points to; "" if that is an interface.
func staticType(v ssa.Value) string {
	v = origin.Through(v, origin.Renamed)
	if o := origin.Of(v); o.Kind == origin.Boxed {
		v = o.X
	}
	if isInterface(v.Type()) {
		return ""
	}
	return library.TypeName(v.Type())
}

func (in *interp) describeObject(r loc, static string, st *heap) Object {
	o := Object{
		ID:      r.obj.summaryID(),
		Param:   r.obj.param,
		Path:    r.path,
		Type:    in.typeNameOf(r),
		Live:    st.live(r.obj),
		Found:   in.isThere(r, st),
		Existed: in.existed(r, st),
		From:    madeBy(r, st),
		When:    r.obj.when,
		Scope:   r.obj.scope,
	}
	if o.Type == "" {
		o.Type = static
	}
	if o.Type == "" && r.path.IsRoot() {
		o.Copy = copyOf(r.obj)
	}
	o.GVK = in.gvk(r, st)
	in.owners(&o, r, st)
	in.named(&o, r, st)
	o.Labels = in.labelKeys(&o, r, st)
	for _, m := range st.get(r.under(untyped)).refs {
		// An unstructured object that was converted from a typed one has the
		// type of that.
		for _, src := range st.get(m.under(access.Marked(access.Converted))).refs {
			if name := in.typeNameOf(src); name != "" {
				o.Type = name
			}
			in.owners(&o, src, st)
		}
	}
	for _, at := range in.walk(st, r) {
		if in.isOfAnotherType(r.under(at.path)) {
			continue
		}
		for _, l := range at.labels {
			if l.Kind == Returned && l.Param == o.ID {
				continue // a caller knows what is in the object then
			}
			in.addField(&o, r, at.path.Unordered(), l, st)
		}
	}
	o.Parts = in.parts(r, o.Type, 0, st)
	return o
}

// maxNamed bounds the labels of an object's name.
const maxNamed = 8

// named sets what the name of o, the object at r, is made of. An object that was read has
// the name by which it was asked for.
func (in *interp) named(o *Object, r loc, st *heap) {
	v, ok := st.name(r)
	o.Anew = !ok && in.written(st, metaPath(root(r), "GenerateName")) || slices.ContainsFunc(v.labels, func(l Label) bool { return l.Kind == Random && l.IsSource() })
	if asked := root(r).under(access.Marked(access.AskedName)); !ok {
		if !in.written(st, asked) {
			return
		}
		v, o.Asked = st.get(asked), true
	}
	o.NamedBy = !v.unknown && !v.dropped
	for _, l := range v.labels {
		l = l.unguarded()
		if l.isName() {
			o.Named = append(o.Named, l)
		}
		o.NamedBy = o.NamedBy && l.mayName()
	}
	o.Constant = o.NamedBy && len(v.labels) == 0
	if o.Constant && !v.several {
		o.Name = v.constant
	}
	if !v.several && !v.unknown {
		o.Ending = v.ending
	}
	o.boundNamed()
}

// boundNamed bounds the labels of the name.
func (o *Object) boundNamed() {
	if len(o.Named) > maxNamed {
		o.Named, o.NamedBy = o.Named[:maxNamed], false
	}
}

// unguarded returns the label for the name of an object that is made under a guard.
func (l Label) unguarded() Label {
	if l.Kind == Named {
		l.Kind = Content
	}
	return l
}

// isName reports whether a name may be made of what the label stands for.
func (l Label) isName() bool {
	return (l.Kind == Content || l.Kind == State) && l.What == "" && !l.Path.IsOrder()
}

// mayName reports whether [Object.Named] says all that the label says of a name. A source
// or an order says that the name differs from one call to the next.
func (l Label) mayName() bool {
	return l.isName() || l.Kind == Key || l.Kind >= Clock || l.Path.IsOrder()
}

// matters reports whether the label matters to who asks what the fields of an object are made of.
func (l Label) matters() bool {
	return l.Kind != State && l.Kind != Key && l.Kind != Named && !l.Item
}

// addField adds the label at the path below r to the object there.
func (in *interp) addField(o *Object, r loc, path access.Path, l Label, st *heap) {
	if !l.matters() || l.growsElsewhere(r, st) {
		return
	}
	l.of = nil
	if l.Kind == Content && l.Param == r.obj.param && l.Path.IsJoin(r.path, path) {
		return // the object itself
	}
	if slices.ContainsFunc(o.Fields, func(g Field) bool { return g.Path == path && compareLabels(g.Label, l) == 0 }) {
		return
	}
	if len(o.Fields) >= maxFields {
		in.limits |= limitFields
		return
	}
	o.Fields = append(o.Fields, Field{Path: path, Label: l})
}

// maxNested bounds the depth to which combined predicates are described.
const maxNested = 4

// parts returns the parts of the object at r: see Object.Parts.
func (in *interp) parts(r loc, typeName string, depth int, st *heap) []Part {
	var parts []Part
	for _, marker := range [...]access.Marker{access.Combined, access.Chosen} {
		if path := access.Marked(marker); in.written(st, r.under(path)) {
			parts = append(parts, Part{Path: path, Arg: in.describePart(r, st.get(r.under(path)), depth, st)})
		}
	}
	for _, path := range in.partPaths(typeName) {
		place := r.under(path)
		v := st.get(place)
		if len(v.funcs) == 0 && v.constant == "" && !in.written(st, place) {
			continue
		}
		parts = append(parts, Part{Path: path, Arg: in.describePart(r, v, depth, st)})
	}
	return parts
}

// describePart describes v, a part of the object at r. To keep events small, it
// leaves out the parts of v, unless the object is a combination of predicates.
func (in *interp) describePart(r loc, v value, depth int, st *heap) Arg {
	arg := Arg{Unknown: v.unknown, Const: v.constant}
	nested := library.Named(madeBy(r, st)).Combination != 0
	for _, r := range v.refs {
		if nested && len(v.refs) > 1 && in.isUnset(r, st) {
			continue
		}
		o := Object{
			ID: r.obj.summaryID(), Param: r.obj.param, Path: r.path,
			Type: in.typeNameOf(r), GVK: in.gvk(r, st), From: madeBy(r, st),
		}
		if nested && depth < maxNested {
			o.Parts = in.parts(r, o.Type, depth+1, st)
		}
		arg.Objects = append(arg.Objects, o)
	}
	for _, f := range v.funcs {
		arg.Funcs = append(arg.Funcs, in.describeFunc(f))
	}
	return arg
}

// madeBy returns the name of the library function that made the object at r. For
// a combination of predicates, or a copy of one, it is the function that combines
// them.
func madeBy(r loc, st *heap) string {
	if made := st.get(r.under(access.Marked(access.Combiner))).constant; made != "" {
		return made
	}
	return r.obj.from
}

// written reports whether there is a cell at or under l.
func (in *interp) written(st *heap, l loc) bool {
	if c := st.cells(l.obj); c != nil {
		for p := range c.m {
			if p.Within(l.path) {
				return true
			}
		}
	}
	return false
}

// gvk returns the group/version/kind set on the object at r, or "".
func (in *interp) gvk(r loc, st *heap) string {
	kind := st.get(r.under(access.Marked(access.ObjectKind))).constant
	group, version := st.get(r.under(access.Marked(access.ObjectGroup))).constant, st.get(r.under(access.Marked(access.ObjectVersion))).constant
	apiVersion := st.get(r.under(access.Marked(access.ObjectAPIVersion))).constant
	if kind == "" {
		kind = st.get(r.under(metaKind)).constant
		apiVersion = st.get(r.under(metaAPIVersion)).constant
	}
	if kind == "" {
		for _, m := range st.get(r.under(untyped)).refs {
			kind = st.get(m.under(kindKey)).constant
			apiVersion = st.get(m.under(apiVersionKey)).constant
		}
	}
	if kind == "" {
		return ""
	}
	if apiVersion != "" {
		g, v, found := strings.Cut(apiVersion, "/")
		if !found {
			g, v = "", apiVersion
		}
		group, version = g, v
	}
	if version == "" {
		return ""
	}
	return group + "/" + version + "/" + kind
}

// sortedEvents returns the events in source order, the same in each run.
func sortedEvents(m map[eventKey]*Event) []*Event {
	keys := slices.SortedFunc(maps.Keys(m), compareEventKeys)
	events := make([]*Event, len(keys))
	for i, k := range keys {
		events[i] = m[k]
	}
	return events
}

func compareEventKeys(a, b eventKey) int {
	if c := compareInstrs(a.ctx, a.at, b.ctx, b.at); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.callee, b.callee), cmp.Compare(a.event, b.event), strings.Compare(a.name, b.name), cmp.Compare(a.exit, b.exit))
}

// compareInstrs orders instructions, each in a context.
func compareInstrs(ctxA int, a ssa.Instruction, ctxB int, b ssa.Instruction) int {
	if c := cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(ctxA, ctxB), cmp.Compare(a.Block().Index, b.Block().Index)); c != 0 || a == b {
		return c
	}
	return cmp.Compare(slices.Index(a.Block().Instrs, a), slices.Index(b.Block().Instrs, b))
}
