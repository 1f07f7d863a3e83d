package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// owner interprets a call that deals with owner references.
func (in *interp) owner(o kubeapi.OwnerCall, c callee, s *callSite) []value {
	arg := func(slot kubeapi.Slot) value {
		if i, ok := o.Args.Of(slot, len(s.args)); ok {
			return s.args[i]
		}
		return value{lost: true}
	}
	switch o.Effect {
	case kubeapi.SetsController, kubeapi.SetsOwner:
		place := "~owner.controller"
		if o.Effect == kubeapi.SetsOwner {
			place = "~owner.plain"
		}
		owner := arg(kubeapi.OwnerArg)
		owner.lost = owner.lost || len(owner.refs) == 0
		for _, r := range arg(kubeapi.ObjectArg).refs {
			s.st.put(root(r).under(place), owner, false)
		}
		return in.unknownResults(c, s)
	case kubeapi.RemovesOwner:
		for _, r := range arg(kubeapi.ObjectArg).refs {
			s.st.put(root(r).under("~owner.lost"), value{lost: true}, false)
		}
		return in.unknownResults(c, s)
	case kubeapi.ReplacesRefs, kubeapi.AppendsRefs:
		ref := arg(kubeapi.RefArg)
		for _, r := range arg(kubeapi.ObjectArg).refs {
			dst := metaPath(r, "OwnerReferences")
			if o.Effect == kubeapi.ReplacesRefs {
				s.st.put(dst, ref, len(arg(kubeapi.ObjectArg).refs) == 1)
			} else {
				copyElements(s.st, s.st, dst, ref, nil)
			}
		}
		if o.Effect == kubeapi.AppendsRefs {
			return []value{s.args[0]}
		}
		return nil
	case kubeapi.MakesControllerRef, kubeapi.MakesRef:
		instr, ok := s.instr.(ssa.Value)
		if !ok {
			return nil
		}
		ref := in.object(instr, 0, kubeapi.Deref(s.sig.Results().At(0).Type()))
		s.st.reset(ref)
		if o.Effect == kubeapi.MakesControllerRef {
			s.st.put(loc{ref, ".Controller"}, value{konst: "true"}, true)
			s.st.put(loc{ref, "~of"}, arg(kubeapi.OwnerArg), true)
		}
		return []value{refTo(loc{ref, ""})}
	case kubeapi.SetsRefController:
		for _, r := range arg(kubeapi.RefArg).refs {
			s.st.put(r.under(".Controller"), arg(kubeapi.ControllerArg), true)
		}
		return []value{s.args[0]}
	case kubeapi.SetsRefKind:
		for _, r := range arg(kubeapi.RefArg).refs {
			s.st.put(r.under(".Kind"), arg(kubeapi.KindArg), true)
		}
		return []value{s.args[0]}
	}
	return in.unknownResults(c, s)
}

// root returns the object whose metadata r is, or r.
func root(r loc) loc {
	r.path = strings.TrimSuffix(r.path, ".ObjectMeta")
	return r
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
