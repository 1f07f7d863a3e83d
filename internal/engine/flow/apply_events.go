package flow

import (
	"go/token"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// event adds event number i of the callee to the events of the caller.
func (im *importer) event(i int) {
	src := &im.sum.Events[i]
	ev := *src
	var possible bool
	if ev.When, possible = im.tests(src.When); !possible {
		return
	}
	if src.Through != nil {
		if ev.Through, possible = im.through(src.Through); !possible {
			return
		}
	}
	ev.When = addTests(ev.When, im.fr.tests)
	ev.Maybe = ev.Maybe || im.fr.maybe
	ev.Go = ev.Go || im.fr.inGo
	ev.Deleting = ev.Deleting || im.fr.deleting
	ev.Phases = addNames(ev.Phases, im.fr.phases)
	ev.Scope = ev.Scope.within(im.fr.scope)
	ev.Once = ev.Once.join(im.fr.once).join(im.once)
	if im.foreign || ev.Pos == token.NoPos {
		ev.Pos, ev.End = im.in.callSpan(im.s.instr)
	}
	if ev.Made != 0 {
		ev.Made = im.object(ev.Made).summaryID()
	}
	ev.Args = make([]Arg, len(src.Args))
	for j, a := range src.Args {
		ev.Args[j] = im.arg(a)
		if len(a.Objects) > 0 && ev.Args[j].isNothing() {
			return // no candidate of the argument is made for these arguments
		}
	}
	ev.Rounds = ev.Rounds || im.fr.inRounds()
	ev.Guards, ev.conds = nil, nil
	for i, g := range src.Guards {
		here, is, possible := im.guard(g)
		if !possible {
			return
		}
		if !is {
			continue
		}
		ev.Guards = append(ev.Guards, here.fed())
		ev.Rounds = ev.Rounds && (src.Rounds || !asksStatus(here))
		ev.conds = im.appendCondition(ev.conds, src, i)
	}
	for _, g := range im.fr.guards {
		ev.Guards = append(ev.Guards, g.fed())
	}
	ev.conds = append(ev.conds, im.in.conditions(im.fr.guards)...)
	im.in.addEvent(eventKey{ctx: im.fr.ctx, at: im.s.instr, callee: im.number, event: i, exit: im.in.exit}, &ev)
}

// through translates the method that the callee calls if the module has it. The
// event is not possible if the module certainly does.
func (im *importer) through(f *FuncRef) (here *FuncRef, possible bool) {
	refs := im.value(Val{Refs: []Ref{{Param: f.Param, Path: f.Path}}}).refs
	for _, r := range refs {
		switch {
		case im.followed[methodKey{r, f.Method}]:
		case r.obj.param >= 0 && !isLibrary(r):
			here, possible = &FuncRef{Param: r.obj.param, Path: r.path, Method: f.Method}, true
		default:
			possible = true
		}
	}
	return here, possible || len(refs) == 0
}

// isLibrary reports whether the place has the type of a library's client, of which
// the module has no other implementation.
func isLibrary(r loc) bool {
	t, _ := staticAt(r)
	named := library.NamedOf(t)
	return named != nil && library.TraitsOfPackage(named.Obj().Pkg()).Has(library.UsesCluster)
}

// A methodKey identifies the method of an object.
type methodKey struct {
	recv loc
	name string
}

func (im *importer) arg(a Arg) Arg {
	out := Arg{Unknown: a.Unknown, Const: a.Const}
	for _, l := range im.labels(a.Labels) {
		if l.matters() {
			out.Labels = append(out.Labels, l)
		}
	}
	for _, f := range a.Funcs {
		if f.Name != "" || f.Param < 0 {
			out.Funcs = append(out.Funcs, f)
			continue
		}
		if f.Param < len(im.s.args) {
			for _, g := range im.s.args[f.Param].funcs {
				out.Funcs = append(out.Funcs, im.in.describeFunc(g))
			}
		}
	}
	for _, o := range a.Objects {
		var possible bool
		if o.When, possible = im.tests(o.When); !possible {
			continue
		}
		if res, ok := im.results[o.ID]; ok && o.Param < 0 {
			for _, r := range res.refs {
				d := im.describe(r.under(o.Path), o.Type)
				d.merge(im.ownObject(o))
				d.Sure = o.Sure && res.isSure()
				out.Objects = append(out.Objects, d)
			}
			out.Unknown = out.Unknown || res.unknown
			continue
		}
		if o.Param < 0 && o.Copy != nil {
			out.Objects = append(out.Objects, im.copiedObjects(o)...)
			continue
		}
		if o.Param < 0 {
			own := im.ownObject(o)
			own.settle()
			out.Objects = append(out.Objects, own)
			continue
		}
		v := im.value(Val{Refs: []Ref{{Param: o.Param, Path: o.Path}}})
		if len(v.refs) == 0 {
			out.Unknown = true
		}
		for _, f := range v.funcs {
			out.Funcs = append(out.Funcs, im.in.describeFunc(f))
		}
		if out.Const == "" {
			out.Const = v.constant
		}
		out.Unknown = out.Unknown || v.unknown
		for _, r := range v.refs {
			if r.obj.infeasible || len(v.refs) > 1 && im.in.isUnset(r, im.s.st) {
				continue
			}
			static := o.Type
			if strings.HasPrefix(static, "$") {
				static = im.typeArg(static)
			}
			d := im.describe(r, static)
			widen := im.narrow(r)
			own := im.ownObject(o)
			widen()
			d.Fields = im.without(d.Fields, r, static, o.Fields)
			own.Fields = slices.DeleteFunc(own.Fields, func(f Field) bool {
				return im.in.isOfAnotherType(r.under(f.Path)) || f.Label.growsElsewhere(r, im.s.st)
			})
			own.settle()
			d.merge(own)
			im.pass(&d, o)
			d.Sure = o.Sure && v.isSure()
			if o.All && o.Param < len(im.s.vals) && im.s.vals[o.Param] != nil {
				im.in.listed(im.fr, &d, im.s.vals[o.Param])
			}
			out.Objects = append(out.Objects, d)
		}
	}
	return out
}

// without returns the fields of the caller's object without those that are only there since the callee
// has returned, and are not among own: what the callee had stored until the event. What it stored
// later, or on another branch, was not there:
//
//	if err != nil {
//		thing.Status.Conditions = failed(time.Now())
//		return c.Status().Update(ctx, thing)
//	}
//	thing.Status.Conditions = ready(at)
//	return c.Status().Update(ctx, thing)
func (im *importer) without(fields []Field, r loc, static string, own []Field) []Field {
	if len(fields) == 0 || im.stored == nil {
		return fields
	}
	before, stored := im.atCall.describe(r, static).Fields, im.stored.describe(r, static).Fields
	return slices.DeleteFunc(slices.Clone(fields), func(f Field) bool {
		return slices.Contains(stored, f) && !slices.Contains(before, f) && !slices.ContainsFunc(own, func(g Field) bool {
			return g.Path == f.Path && g.Label.Kind == f.Label.Kind && g.Label.At == f.Label.At
		})
	})
}

// settle removes from the labels of the fields what only holds in this function.
func (o *Object) settle() {
	for i := range o.Fields {
		o.Fields[i].Label.of = nil
	}
}

// isHandedOn reports whether the callee passes its object of this ID to a function that
// its caller has passed in.
func (im *importer) isHandedOn(id int) bool {
	return slices.ContainsFunc(im.sum.Callbacks, func(cb Callback) bool {
		return slices.ContainsFunc(cb.Args, func(a Val) bool {
			return slices.ContainsFunc(a.Refs, func(r Ref) bool { return r.Obj == id })
		})
	})
}

// pass sets where the type of an object became known: at this call, if the callee's
// object o did not show it.
func (im *importer) pass(d *Object, o Object) {
	if d.Type != "" && (d.Type != o.Type || d.GVK != o.GVK) {
		d.PassedPos, d.PassedEnd = im.in.callSpan(im.s.instr)
		d.Passed = im.in.at(d.PassedPos)
	}
}

// copiedObjects translates the object o, a copy of something under a parameter of the
// callee. The caller knows the type of what was copied.
func (im *importer) copiedObjects(o Object) []Object {
	refs := im.value(Val{Refs: []Ref{{Param: o.Copy.Param, Path: o.Copy.Path}}}).refs
	if len(refs) == 0 {
		return []Object{im.ownObject(o)}
	}
	var all []Object
	for _, r := range refs {
		if len(refs) > 1 && im.in.isUnset(r, im.s.st) {
			continue
		}
		widen := im.narrowCopy(*o.Copy, r)
		copied := im.ownObject(o)
		widen()
		copied.Fields = slices.DeleteFunc(copied.Fields, func(f Field) bool { return im.in.isOfAnotherType(r.under(f.Path)) })
		copied.settle()
		copied.Sure = o.Sure && len(refs) == 1
		from := im.describe(r, "")
		copied.Type, copied.GVK, copied.Copy = from.Type, from.GVK, from.Copy
		if from.Type == "" && r.obj.param >= 0 {
			copied.Copy = &ParamPath{r.obj.param, r.path}
		}
		copied.merge(from)
		im.pass(&copied, o)
		all = append(all, copied)
	}
	return all
}

// ownObject translates what the callee knows about an object.
func (im *importer) ownObject(o Object) Object {
	var completed Object
	handedOn := false // to a callback, which may have completed it
	if o.Param < 0 && o.ID != 0 {
		made, id := im.object(o.ID), o.ID
		o.ID = made.summaryID()
		if len(im.sum.Callbacks) > 0 {
			// Callbacks may have set fields of the object. It may be one element
			// of what was made: the order of all is not part of it.
			handedOn = im.isHandedOn(id)
			completed = im.describe(loc{made, o.Path}, "")
		}
	}
	o.Type = im.typeArgOrSame(o.Type)
	owners := o.Owners
	o.Owners = nil
	for _, ow := range owners {
		if ow.Param < 0 || ow.Param >= len(im.s.args) {
			ow.Param = -1
			o.Owners = append(o.Owners, ow)
			continue
		}
		owner := im.value(Val{Refs: []Ref{{Param: ow.Param, Path: ow.Path}}})
		if owner.null {
			continue // nobody: the callee sets a reference only if there is an owner
		}
		refs := owner.refs
		if len(refs) == 0 {
			ow.Param, ow.Path = -1, access.Path{}
			o.Owners = append(o.Owners, ow)
		}
		for _, r := range refs {
			w := Owner{Controller: ow.Controller, Type: im.in.typeNameOf(r), Param: r.obj.param}
			if w.Param >= 0 {
				w.Path = r.path
			}
			if w.Type == "" {
				w.Type = ow.Type
			}
			o.Owners = append(o.Owners, w)
		}
	}
	copied := o.OwnersOf
	o.OwnersOf = nil
	for _, from := range copied {
		im.ownersOf(&o, from)
	}
	var fields fieldSet
	for _, f := range o.Fields {
		fields.add(f.Path, im.fields(f.Label))
	}
	fields.add(access.Path{}, completed.Fields)
	if o.Fields = fields.list; len(o.Fields) == maxFields {
		im.in.limits |= limitFields
	}
	if len(o.Named) > 0 {
		im.named(&o)
	}
	o.Labels = im.keysOf(o.Labels)
	if handedOn {
		o.mergeOwners(completed)
		o.Labels = o.Labels.and(completed.Labels)
	}
	parts := o.Parts
	o.Parts = nil
	for _, p := range parts {
		o.Parts = append(o.Parts, Part{p.Path, im.arg(p.Arg)})
	}
	return o
}

// fieldSet has the fields of an object once, up to a bound.
type fieldSet struct {
	has  map[Field]bool
	list []Field
}

// add adds the fields below a path.
func (s *fieldSet) add(path access.Path, fields []Field) {
	if s.has == nil && len(fields) > 0 {
		s.has = make(map[Field]bool, len(fields))
	}
	for _, f := range fields {
		if len(s.list) == maxFields {
			return
		}
		if !path.IsRoot() {
			f.Path = path.Join(f.Path)
		}
		if !s.has[f] {
			s.has[f] = true
			s.list = append(s.list, f)
		}
	}
}

// addFields adds those of the fields that the object does not have yet.
func (o *Object) addFields(fields []Field) {
	if len(fields) == 0 {
		return
	}
	var set fieldSet
	set.add(access.Path{}, o.Fields)
	set.add(access.Path{}, fields)
	o.Fields = set.list
}

// named translates what the name of the callee's object is made of. A name that the
// caller passes may be a constant there.
func (im *importer) named(o *Object) {
	named := o.Named
	var all labels
	o.Constant = true
	for _, l := range named {
		passed := l.Kind == Content && l.Path.IsRoot() && l.Param < len(im.s.args) && !im.s.args[l.Param].unknown && !im.s.args[l.Param].dropped
		o.Constant = o.Constant && passed && (l.Given == 0 || !im.passed(l.Given).is)
		found := false
		for _, m := range im.label(l) {
			found, m = true, m.unguarded()
			o.NamedBy = o.NamedBy && m.mayName()
			if m.isName() {
				all = all.union(labels{m})
			}
		}
		if l.Given == 0 || !im.passed(l.Given).excluded {
			o.NamedBy = o.NamedBy && im.isSeen(l) && (found || passed)
		}
	}
	o.Constant = o.Constant && len(all) == 0
	if l := named[0]; o.Constant && len(named) == 1 && !l.Fixed && !l.Appended && l.Given == 0 {
		o.Name, o.Ending = im.s.args[l.Param].constant, ""
	} else if o.Ending == "" && len(named) == 1 && !l.Fixed && !l.Appended && l.Given == 0 {
		o.Ending = im.endingAt(l.Param, l.Path)
	}
	o.Named = all
	o.boundNamed()
}

// isSeen reports whether the labels of the caller say all of what the callee's label
// stands for.
func (im *importer) isSeen(l Label) bool {
	if l.Kind != Content {
		return true
	}
	if l.Path.IsRoot() && l.Param < len(im.s.args) {
		return !im.s.args[l.Param].unknown && !im.s.args[l.Param].dropped
	}
	places := im.places(l.Param, l.Path)
	return len(places) > 0 && !slices.ContainsFunc(places, func(r loc) bool {
		v := im.s.st.get(r)
		return v.unknown || v.dropped
	})
}

func (im *importer) typeArgOrSame(name string) string {
	if strings.HasPrefix(name, "$") {
		return im.typeArg(name)
	}
	return name
}

// fields translates a field of the callee's object with the label l. If it is content of a
// parameter, the caller may know fields below it. The paths are relative to it.
func (im *importer) fields(l Label) []Field {
	im.s.st.spend(1)
	return remember(im.known().fields, l, func() []Field {
		var found fieldSet
		found.add(access.Path{}, im.findFields(l))
		return found.list
	})
}

func (im *importer) findFields(l Label) []Field {
	var out []Field
	add := func(path access.Path, l Label) {
		if l.matters() {
			out = append(out, Field{path, l})
		}
	}
	if given := l.Given; given != 0 {
		l.Given = 0
		passed := im.passed(given)
		for _, f := range im.fields(l) {
			if l, ok := passed.left(f.Label); ok && l.matters() {
				out = append(out, Field{f.Path, l})
			}
		}
		return out
	}
	var at []loc
	switch {
	case im.isCompleted(l) && !l.Fixed:
		at = []loc{{im.object(l.Param), l.Path}}
	case l.Kind != Content || l.Keys || l.Fixed || l.Appended || l.Path.IsOrder():
		for _, l := range im.label(l) {
			add(access.Path{}, l)
		}
		return out
	default:
		if l.Param < len(im.s.args) && l.Path.IsRoot() {
			for _, l := range im.s.args[l.Param].labels {
				add(access.Path{}, l)
			}
		}
		at = im.places(l.Param, l.Path)
	}
	for _, p := range at {
		for _, at := range im.in.walk(im.s.st, p) {
			for _, l := range at.labels {
				add(at.path.Unordered(), l)
			}
		}
	}
	return out
}

// merge adds what a callee knows about the object.
func (o *Object) merge(callee Object) {
	if o.Type == "" {
		o.Type = callee.Type
	}
	if o.GVK == "" {
		o.GVK = callee.GVK
	}
	if o.Passed.IsZero() {
		o.Passed, o.PassedPos, o.PassedEnd = callee.Passed, callee.PassedPos, callee.PassedEnd
	}
	o.mergeOwners(callee)
	o.Labels = o.Labels.and(callee.Labels)
	o.Live = o.Live || callee.Live
	o.Found, o.Existed = o.Found || callee.Found, o.Existed || callee.Existed
	if o.Name == "" && len(o.Named) == 0 && !o.Constant {
		o.Name, o.Ending, o.NamedBy, o.Asked = callee.Name, callee.Ending, callee.NamedBy, callee.Asked
	} else if callee.Constant || len(callee.Named) > 0 {
		o.Name, o.Ending, o.NamedBy = "", "", o.NamedBy && callee.NamedBy // one of two
	}
	o.Anew = o.Anew || callee.Anew
	o.Named, o.Constant = labels(o.Named).union(callee.Named), o.Constant || callee.Constant
	o.addFields(callee.Fields)
	o.Parts = append(o.Parts, callee.Parts...)
}
