package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// owner interprets a call of a function that makes or changes owner references.
func (in *interp) owner(o *library.Owner, c target, s *callSite) []value {
	arg := func(slot library.Slot) value {
		if i, ok := o.Args.Of(slot, len(s.args)); ok {
			return s.args[i]
		}
		return value{unknown: true}
	}
	switch o.Effect {
	case library.SetsController, library.SetsOwner:
		place := access.ControllerOwner
		if o.Effect == library.SetsOwner {
			place = access.PlainOwner
		}
		owner := arg(library.OwnerArg)
		if owner.null {
			return in.unknownResults(c, s)
		}
		owner.unknown = owner.unknown || len(owner.refs) == 0
		for _, r := range arg(library.ObjectArg).refs {
			s.st.put(root(r).under(access.Marked(place)), owner, false)
		}
		return in.unknownResults(c, s)
	case library.RemovesOwner:
		for _, r := range arg(library.ObjectArg).refs {
			s.st.put(root(r).under(access.Marked(access.UnknownOwners)), value{unknown: true}, false)
		}
		return in.unknownResults(c, s)
	case library.ReplacesRefs, library.AppendsRefs:
		ref := arg(library.RefArg)
		for _, r := range arg(library.ObjectArg).refs {
			dst := metaPath(r, "OwnerReferences")
			if o.Effect == library.ReplacesRefs {
				s.st.put(dst, ref, len(arg(library.ObjectArg).refs) == 1)
			} else {
				copyElements(s.st, s.st, dst, ref, nil)
			}
		}
		if o.Effect == library.AppendsRefs {
			return []value{s.args[0]}
		}
		return nil
	case library.MakesControllerRef, library.MakesRef:
		instr, ok := s.instr.(ssa.Value)
		if !ok {
			return nil
		}
		ref := in.result(c, instr, 0, s.sig.Results().At(0).Type())
		s.st.reset(ref)
		if o.Effect == library.MakesControllerRef {
			s.st.put(loc{ref, controllerField}, value{constant: "true"}, true)
			s.st.put(loc{ref, access.Marked(access.RefersTo)}, arg(library.OwnerArg), true)
		}
		return []value{refTo(loc{obj: ref})}
	case library.SetsRefController:
		for _, r := range arg(library.RefArg).refs {
			s.st.put(r.under(controllerField), arg(library.ControllerArg), true)
		}
		return []value{s.args[0]}
	case library.SetsRefKind:
		for _, r := range arg(library.RefArg).refs {
			s.st.put(r.under(kindField), arg(library.KindArg), true)
		}
		return []value{s.args[0]}
	}
	return in.unknownResults(c, s)
}

// root returns the object if r is its metadata, else r.
func root(r loc) loc {
	if r.path.LastField() == "ObjectMeta" {
		r.path = r.path.Parent()
	}
	return r
}

// owners sets the owner references of o, the object at r. Those that the object was
// copied from, with which it shares cells, count as well.
func (in *interp) owners(o *Object, r loc, st *heap) {
	for _, place := range st.shared(root(r)) {
		in.ownersAt(o, place, st)
	}
}

// ownersAt adds the owner references that are set at r, the place of an object.
func (in *interp) ownersAt(o *Object, r loc, st *heap) {
	o.OwnersUnknown = o.OwnersUnknown || in.isUnseen(r, st) || in.written(st, r.under(access.Marked(access.UnknownOwners)))
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
	for _, marker := range []access.Marker{access.ControllerOwner, access.PlainOwner} {
		if place := r.under(access.Marked(marker)); in.written(st, place) {
			add(marker == access.ControllerOwner, st.get(place))
		}
	}
	place := metaPath(r, "OwnerReferences")
	if !in.written(st, place) {
		// A copy has the references of what it was copied from.
		for _, ref := range st.get(place).refs {
			if ref.obj != r.obj {
				o.inheritOwners(ref, st)
			}
		}
		return
	}
	seqs := append(slices.Clone(st.get(place).refs), place)
	found := false
	for _, seq := range seqs {
		elem := seq.under(access.Elems())
		if seq.obj.infeasible || !in.written(st, elem) {
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
			if !in.written(st, e.under(controllerField)) && !in.written(st, e.under(kindField)) && !in.written(st, e.under(nameField)) &&
				!in.written(st, e.under(uidField)) && !in.written(st, e.under(access.Marked(access.RefersTo))) {
				o.OwnersUnknown = o.OwnersUnknown || st.get(e).foreign() || in.isUnseen(e, st)
				continue
			}
			owner := st.get(e.under(access.Marked(access.RefersTo)))
			if len(owner.refs) == 0 {
				for _, uid := range st.get(e.under(uidField)).refs {
					if uid.obj != e.obj && !uid.path.IsRoot() {
						owner.refs = append(owner.refs, ofMeta(uid))
					}
				}
			}
			switch in.truth(st, e.under(controllerField)) {
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
		o.OwnersUnknown = o.OwnersUnknown || v.unknown
		for _, ref := range v.refs {
			if ref != place && (ref.obj.symbolic || ref.obj.opaque) {
				o.inheritOwners(ref, st)
			}
		}
	}
}

// copyOwners copies the owner references that have been set on the objects whose
// metadata is at meta to dst, which gets that metadata.
func (in *interp) copyOwners(st *heap, dst loc, meta value) {
	for _, src := range meta.refs {
		for _, marker := range []access.Marker{access.ControllerOwner, access.PlainOwner, access.UnknownOwners} {
			if from := root(src).under(access.Marked(marker)); isMeta(src) && in.written(st, from) {
				st.put(dst.under(access.Marked(marker)), st.get(from), false)
			}
		}
	}
}

// ofMeta returns the object of which r is a field of the metadata.
func ofMeta(r loc) loc {
	r.path = r.path.Parent()
	if r.path.LastField() == "ObjectMeta" {
		r.path = r.path.Parent()
	}
	return r
}

// inheritOwners notes that o has the owner references at refs, those of another object.
// If that belongs to a parameter, the caller knows them.
func (o *Object) inheritOwners(refs loc, st *heap) {
	meta := loc{refs.obj, refs.path.Parent()}
	switch {
	case refs.obj.param >= 0 && !refs.obj.opaque && !st.live(refs.obj) && isMeta(meta):
		if from := (ParamPath{refs.obj.param, root(meta).path}); !slices.Contains(o.OwnersOf, from) {
			o.OwnersOf = append(o.OwnersOf, from)
		}
	case refs.obj.symbolic || refs.obj.opaque || st.live(refs.obj):
		o.OwnersUnknown = true
	}
}

// ownersOf adds to o the owner references of what the callee has copied.
func (im *importer) ownersOf(o *Object, copied ParamPath) {
	v := im.value(Val{Refs: []Ref{{Param: copied.Param, Path: copied.Path}}})
	o.OwnersUnknown = o.OwnersUnknown || v.unknown || len(v.refs) == 0
	for _, r := range v.refs {
		from := remember(im.known().owners, r, func() (from Object) {
			im.in.owners(&from, r, im.s.st)
			return from
		})
		switch {
		case im.s.st.live(r.obj):
			from.OwnersUnknown = true
		case r.obj.param >= 0:
			from.OwnersOf = append(slices.Clip(from.OwnersOf), ParamPath{r.obj.param, root(r).path})
		}
		o.mergeOwners(from)
	}
}

// mergeOwners adds the owner references of another object, or what else is known of
// those of the same one.
func (o *Object) mergeOwners(other Object) {
	o.OwnersUnknown = o.OwnersUnknown || other.OwnersUnknown
	for _, w := range other.Owners {
		if !slices.Contains(o.Owners, w) {
			o.Owners = append(o.Owners, w)
		}
	}
	for _, from := range other.OwnersOf {
		if !slices.Contains(o.OwnersOf, from) {
			o.OwnersOf = append(o.OwnersOf, from)
		}
	}
}

// foreign reports whether the value may refer to an object that this function did
// not allocate.
func (v value) foreign() bool {
	return slices.ContainsFunc(v.refs, func(r loc) bool { return r.obj.symbolic || r.obj.opaque })
}

// isAt reports whether the value is what is at the place anyway: a copy of the object was
// made, and this is put back from there.
func (v value) isAt(l loc) bool {
	return len(v.refs) == 1 && (v.refs[0] == l || v.refs[0].isWhatWas(l)) && !v.unknown && len(v.funcs) == 0
}

// truth returns "true" or "false" for a field that is a pointer to a boolean, or
// "" if it is unknown. A field that has not been set is false.
func (in *interp) truth(st *heap, field loc) string {
	if !in.written(st, field) {
		return "false"
	}
	v := st.get(field)
	if v.constant != "" {
		return v.constant
	}
	answer := ""
	for _, r := range v.refs {
		if r == field {
			continue
		}
		k := st.get(r).constant
		if k == "" || answer != "" && k != answer {
			return ""
		}
		answer = k
	}
	return answer
}
