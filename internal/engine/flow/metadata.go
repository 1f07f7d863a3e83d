package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// accessor interprets the getters and setters of object metadata.
func (in *interp) accessor(fr *frame, known *library.Func, s *callSite) ([]value, bool) {
	if len(s.args) == 0 {
		return nil, false
	}
	field := known.Field
	if known.Effect == library.SetsMetadata && len(s.args) == 2 {
		v := in.filter(fr, s.args[1], s.vals[1].Type())
		for _, r := range s.args[0].refs {
			s.st.put(metaPath(r, field), v, len(s.args[0].refs) == 1)
		}
		return nil, true
	}
	if known.Effect == library.GetsMetadata && len(s.args) == 1 {
		places := value{labels: s.args[0].labels} // what is read of an item is one, too
		for _, r := range s.args[0].refs {
			places.refs = append(places.refs, metaPath(r, field))
		}
		v := in.load(places, s.st, s.sig.Results().At(0).Type())
		for _, r := range s.args[0].refs {
			if r.obj.param < 0 && r.obj.symbolic {
				v.labels = v.labels.union(labels{{Kind: State, Path: objectMeta.Field(field)}})
			}
		}
		return []value{v}, true
	}
	switch known.Effect {
	case library.SetsGVK:
		for _, r := range s.args[0].refs {
			for _, g := range s.args[1].refs {
				s.st.put(r.under(access.Marked(access.ObjectGroup)), s.st.get(g.under(groupField)), true)
				s.st.put(r.under(access.Marked(access.ObjectVersion)), s.st.get(g.under(versionField)), true)
				s.st.put(r.under(access.Marked(access.ObjectKind)), s.st.get(g.under(kindField)), true)
			}
			if len(s.args[1].refs) == 0 {
				s.st.put(r.under(access.Marked(access.ObjectKind)), value{unknown: true}, true)
			}
		}
		return nil, true
	case library.SetsContent:
		for _, r := range s.args[0].refs {
			s.st.put(r.under(untyped), s.args[1], true)
		}
		return nil, true
	case library.SetsKind:
		for _, r := range s.args[0].refs {
			s.st.put(r.under(access.Marked(access.ObjectKind)), s.args[1], true)
		}
		return nil, true
	case library.SetsAPIVersion:
		for _, r := range s.args[0].refs {
			s.st.put(r.under(access.Marked(access.ObjectAPIVersion)), s.args[1], true)
		}
		return nil, true
	}
	return nil, false
}

// isMeta reports whether r is the metadata of an object, rather than the object.
func isMeta(r loc) bool {
	return r.path.LastField() == "ObjectMeta" ||
		r.path.IsRoot() && library.TypeOf(r.obj.typ).Is == library.ObjectMeta
}

// metaPath returns the place of a metadata field. The object, or its metadata, is
// at r.
func metaPath(r loc, field string) loc {
	if isMeta(r) {
		return r.under(access.Fields(field))
	}
	return r.under(objectMeta.Field(field))
}

func (in *interp) withKind(c target, s *callSite) value {
	v := in.gvkOf(c, s, "", s.args[1].constant)
	for _, dst := range v.refs {
		for _, g := range s.args[0].refs {
			for _, part := range []access.Path{groupField, versionField} {
				s.st.put(dst.under(part), s.st.get(g.under(part)), true)
			}
		}
	}
	return v
}

func (in *interp) gvkOf(c target, s *callSite, apiVersion, kind string) value {
	instr, ok := s.instr.(ssa.Value)
	if !ok {
		return value{}
	}
	o := in.result(c, instr, 0, s.sig.Results().At(0).Type())
	s.st.reset(o)
	dst := loc{obj: o}
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		group, version = "", apiVersion
	}
	s.st.put(dst.under(groupField), value{constant: group}, true)
	s.st.put(dst.under(versionField), value{constant: version}, true)
	s.st.put(dst.under(kindField), value{constant: kind, unknown: kind == ""}, true)
	return refTo(dst)
}

// withMethod interprets a With method of an apply configuration. The method sets a
// field, or appends to it, and returns its receiver.
func (in *interp) withMethod(fr *frame, c target, s *callSite) value {
	field := strings.TrimPrefix(c.obj.Name(), "With")
	path := access.Fields(field)
	if library.IsMetadata(field) {
		path = objectMeta.Field(field)
	}
	if len(s.args) < 2 {
		return s.args[0]
	}
	variadic := s.sig.Variadic()
	for _, r := range s.args[0].refs {
		v := in.filter(fr, s.args[1], s.vals[1].Type())
		if !variadic {
			if len(v.labels) == 0 && len(v.refs) == 0 {
				v.labels = in.allLabels(v, s.st)
			}
			s.st.put(r.under(path), v, !isMap(s.vals[1]))
			continue
		}
		dst := r.under(path)
		copyElements(s.st, s.st, dst, v, nil)
		order := in.orders(s.st, s.args[1])
		for _, l := range in.allLabels(v, s.st) {
			if l.Item && !l.loop.contains(r.obj.block) && fr.within(l.loop, s.instr.Block()) {
				l.Item, l.loop = false, nil
				order = order.union(labels{l})
			}
		}
		if len(order) > 0 {
			s.st.put(dst.under(access.Ordering()), value{labels: order}, false)
		}
	}
	return s.args[0]
}
