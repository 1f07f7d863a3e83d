package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

const (
	// maxEvents bounds the events of a summary; what comes later in the
	// source is not seen by rules.
	maxEvents = 400
	// maxCallbacks bounds the calls of caller's functions in a summary.
	maxCallbacks = 64
	// maxFields bounds the labels that an event tells of an object.
	maxFields = 96
)

// record notes the event that the call s of c is.
func (in *interp) record(fr *frame, c callee, s *callSite) {
	ev := &Event{Callee: c.name, Maybe: fr.maybe, Go: fr.inGo}
	ev.Pos, ev.End = in.callSpan(s.instr)
	ev.At = in.at(ev.Pos)
	for i, a := range s.args {
		ev.Args = append(ev.Args, in.describe(a, s.vals[i], s.st))
	}
	if s.sig.Variadic() && len(s.args) > 0 {
		last := len(s.args) - 1
		ev.Args[last] = in.describe(in.load(s.args[last].sub("[]", nil), s.st, structType), nil, s.st)
		ev.Args[last].Unknown = ev.Args[last].Unknown && len(s.args[last].refs) > 0
	}
	if res := s.sig.Results(); res.Len() > 0 {
		ev.Result = kubeapi.TypeName(res.At(0).Type())
		if w, ok := kubeapi.WatchNamed(c.name); ok && w.Role.Makes() {
			if v, ok := s.instr.(ssa.Value); ok {
				ev.Made = in.object(v, 0, deref(res.At(0).Type())).id + 1
			}
		}
	}
	for _, g := range fr.guards {
		ev.Guards = append(ev.Guards, g.labels)
	}
	in.keep(eventKey{ctx: fr.ctx, at: s.instr.(ssa.Instruction)}, ev)
}

// keep stores an event. Later rounds of the interpretation, which know more,
// replace what earlier ones noted.
func (in *interp) keep(key eventKey, ev *Event) {
	if _, ok := in.events[key]; ok || len(in.events) < maxEvents {
		in.events[key] = ev
	}
}

// describe returns an argument as events tell it. v, if not nil, is the
// register that holds it.
func (in *interp) describe(a value, v ssa.Value, st *heap) Arg {
	arg := Arg{Unknown: a.lost, Const: a.konst}
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
		if len(a.refs) > 1 && in.isBlank(r) {
			continue // an element that nobody set, beside those that somebody did
		}
		arg.Objects = append(arg.Objects, in.describeObject(r, static, st))
	}
	for _, f := range a.funcs {
		arg.Funcs = append(arg.Funcs, in.describeFunc(f))
	}
	return arg
}

// isBlank reports whether r is an element of a sequence made here that nobody
// set.
func (in *interp) isBlank(r loc) bool {
	return strings.HasSuffix(r.path, "[]") && !r.obj.symbolic && in.typeNameOf(r) == ""
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

// staticType returns the concrete type of what v points to, as far as the
// register's own type or its conversion to an interface tells.
func staticType(v ssa.Value) string {
	for {
		switch w := v.(type) {
		case *ssa.ChangeInterface:
			v = w.X
			continue
		case *ssa.MakeInterface:
			return kubeapi.TypeName(w.X.Type())
		}
		if isInterface(v.Type()) {
			return ""
		}
		return kubeapi.TypeName(v.Type())
	}
}

func (in *interp) describeObject(r loc, static string, st *heap) Object {
	o := Object{
		ID:    r.obj.id + 1,
		Param: r.obj.param,
		Path:  strings.TrimPrefix(r.path, "."),
		Type:  in.typeNameOf(r),
		Live:  st.live(r.obj),
		From:  r.obj.from,
	}
	if o.Type == "" {
		o.Type = static
	}
	if o.Type == "" && r.path == "" {
		o.Copy = copyOf(r.obj)
	}
	o.GVK = in.gvk(r, st)
	in.owners(&o, r, st)
	for _, m := range st.get(r.under(".Object")).refs {
		// An unstructured object that was converted is what it was before.
		for _, src := range st.get(m.under("~converted")).refs {
			if name := in.typeNameOf(src); name != "" {
				o.Type = name
			}
			in.owners(&o, src, st)
		}
	}
	in.walk(st, r, "", 0, make(map[loc]bool), func(path string, l Label) {
		if l.Kind == State || l.Item || len(o.Fields) >= maxFields {
			return
		}
		if l.Kind == Content && l.Param == r.obj.param && l.Path == r.path+strings.TrimSuffix(path, "#") {
			return // the object itself
		}
		f := Field{Path: strings.TrimSuffix(path, "#"), Label: l}
		if !slices.ContainsFunc(o.Fields, func(g Field) bool { return g.Path == f.Path && compareLabels(g.Label, f.Label) == 0 }) {
			o.Fields = append(o.Fields, f)
		}
	})
	for _, path := range append([]string{"~arg0"}, kubeapi.Parts(o.Type)...) {
		if path == "~arg0" {
			if in.written(st, r.under(path)) {
				o.Parts = append(o.Parts, Part{Path: path, Arg: in.describePart(st.get(r.under(path)), st)})
			}
			continue
		}
		v := st.get(r.under("." + path))
		if len(v.funcs) == 0 && v.konst == "" && !in.written(st, r.under("."+path)) {
			continue
		}
		o.Parts = append(o.Parts, Part{Path: path, Arg: in.describePart(v, st)})
	}
	return o
}

// describePart is describe for what lies under an object: without its own
// fields, to keep events small.
func (in *interp) describePart(v value, st *heap) Arg {
	arg := Arg{Unknown: v.lost, Const: v.konst}
	for _, r := range v.refs {
		arg.Objects = append(arg.Objects, Object{
			ID: r.obj.id + 1, Param: r.obj.param, Path: strings.TrimPrefix(r.path, "."),
			Type: in.typeNameOf(r), GVK: in.gvk(r, st), From: r.obj.from,
		})
	}
	for _, f := range v.funcs {
		arg.Funcs = append(arg.Funcs, in.describeFunc(f))
	}
	return arg
}

// written reports whether the function put something at or under l.
func (in *interp) written(st *heap, l loc) bool {
	if c := st.objs[l.obj]; c != nil {
		for p := range c.m {
			if within(p, l.path) {
				return true
			}
		}
	}
	return false
}

// gvk returns the group/version/kind set on the object at r, or "".
func (in *interp) gvk(r loc, st *heap) string {
	kind := st.get(r.under("~gvk.Kind")).konst
	group, version := st.get(r.under("~gvk.Group")).konst, st.get(r.under("~gvk.Version")).konst
	apiVersion := st.get(r.under("~gvk.APIVersion")).konst
	if kind == "" {
		kind = st.get(r.under(".TypeMeta.Kind")).konst
		apiVersion = st.get(r.under(".TypeMeta.APIVersion")).konst
	}
	if kind == "" {
		for _, m := range st.get(r.under(".Object")).refs {
			kind = st.get(m.under("[=kind]")).konst
			apiVersion = st.get(m.under("[=apiVersion]")).konst
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

// owners fills in which owner references are set on the object at r.
func (in *interp) owners(o *Object, r loc, st *heap) {
	r = root(r)
	o.OwnersUnknown = o.OwnersUnknown || r.obj.opaque || in.written(st, r.under("~opaque")) || in.written(st, r.under(".ObjectMeta~opaque")) || in.written(st, r.under("~owner.lost"))
	add := func(controller bool, owner value) {
		if len(owner.refs) == 0 {
			o.Owners = append(o.Owners, Owner{Controller: controller, Param: -1})
		}
		for _, ref := range owner.refs {
			ow := Owner{Controller: controller, Type: in.typeNameOf(ref), Param: ref.obj.param}
			if ow.Param >= 0 {
				ow.Path = ref.path
			}
			if !slices.Contains(o.Owners, ow) {
				o.Owners = append(o.Owners, ow)
			}
		}
	}
	for _, place := range []string{"~owner.controller", "~owner.plain"} {
		if in.written(st, r.under(place)) {
			add(place == "~owner.controller", st.get(r.under(place)))
		}
	}
	place := metaPath(r, "OwnerReferences")
	if !in.written(st, place) {
		// A copy of something, with the references that it had there.
		for _, ref := range st.get(place).refs {
			if ref.obj != r.obj && (ref.obj.symbolic || ref.obj.opaque || st.live(ref.obj)) {
				o.OwnersUnknown = true
			}
		}
		return
	}
	seqs := append(slices.Clone(st.get(place).refs), place)
	found := false
	for _, seq := range seqs {
		elem := seq.under("[]")
		if !in.written(st, elem) {
			continue
		}
		found = true
		for _, e := range append(slices.Clone(st.get(elem).refs), elem) {
			if e.obj.symbolic {
				if e != elem {
					o.OwnersUnknown = true
				}
				continue
			}
			if !in.written(st, e.under(".Controller")) && !in.written(st, e.under(".Kind")) && !in.written(st, e.under(".Name")) &&
				!in.written(st, e.under(".UID")) && !in.written(st, e.under("~of")) {
				continue
			}
			owner := st.get(e.under("~of"))
			if len(owner.refs) == 0 {
				for _, uid := range st.get(e.under(".UID")).refs {
					if uid.obj != e.obj {
						owner.refs = append(owner.refs, loc{uid.obj, ""})
					}
				}
			}
			switch in.truth(st, e.under(".Controller")) {
			case "true":
				add(true, owner)
			case "false":
				add(false, owner)
			default:
				o.OwnersUnknown = true
			}
		}
	}
	if !found {
		v := st.get(place)
		if v.lost || v.foreign() {
			o.OwnersUnknown = true
		}
	}
}

// foreign reports whether the value may be something that this function did not
// make.
func (v value) foreign() bool {
	return slices.ContainsFunc(v.refs, func(r loc) bool { return r.obj.symbolic || r.obj.opaque })
}

// truth returns "true" or "false" for a pointer to a known boolean or a field
// that nobody set, and "" where it is not known.
func (in *interp) truth(st *heap, field loc) string {
	if !in.written(st, field) {
		return "false"
	}
	v := st.get(field)
	if v.konst != "" {
		return v.konst
	}
	answer := ""
	for _, r := range v.refs {
		if r == field {
			continue
		}
		k := st.get(r).konst
		if k == "" || answer != "" && k != answer {
			return ""
		}
		answer = k
	}
	return answer
}
