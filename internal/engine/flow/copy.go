package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// deepCopy returns a copy of the receiver.
func (in *interp) deepCopy(c target, s *callSite) value {
	instr, ok := s.instr.(ssa.Value)
	if !ok {
		return value{}
	}
	var out value
	for i, r := range s.args[0].refs {
		if i >= 16 {
			out.unknown = true
			break
		}
		t := library.Deref(s.vals[0].Type())
		if types.IsInterface(t) && r.path.IsRoot() {
			t = r.obj.typ
		}
		at := site{at: instr, nth: int32(i), name: c.name}
		o := in.copyAt(s.st, at, t, r)
		in.copyObjectsIn(s.st, at, t, r, o)
		out = out.join(refTo(loc{obj: o}))
	}
	if len(s.args[0].refs) == 0 {
		return in.unknownResults(target{}, s)[0]
	}
	out.unknown = out.unknown || s.args[0].unknown
	return out
}

// cloneMap returns a map with the entries of the argument.
func (in *interp) cloneMap(c target, instr ssa.Value, s *callSite) value {
	out := value{unknown: s.args[0].unknown}
	for i, r := range s.args[0].refs {
		out = out.join(refTo(loc{obj: in.copyAt(s.st, site{at: instr, nth: int32(i), name: c.name}, instr.Type(), r)}))
	}
	return out
}

// copyObjectsIn copies the API objects to which the fields of a struct of type t, which may not be
// known, point, for its copy.
func (in *interp) copyObjectsIn(st *heap, s site, t types.Type, from loc, copied *object) {
	if t == nil {
		return
	}
	wrapper, ok := t.Underlying().(*types.Struct)
	if !ok || isObject(wrapper) {
		return
	}
	for field := range wrapper.Fields() {
		elem := library.Deref(field.Type())
		inner, ok := elem.Underlying().(*types.Struct)
		if !ok || !isPointer(field.Type()) || !isObject(inner) {
			continue
		}
		at, path := s, access.Fields(field.Name())
		at.name += "." + field.Name()
		if refs := st.get(from.under(path)).refs; len(refs) == 1 {
			st.put(loc{obj: copied}.under(path), refTo(loc{obj: in.copyAt(st, at, elem, refs[0])}), true)
		}
	}
}

// copyAt returns the object of a site, of type t, as a copy of what is at r.
func (in *interp) copyAt(st *heap, s site, t types.Type, r loc) *object {
	o := in.object(s, t)
	o.from = r.obj.from
	o.name, o.copy = in.sameType(r)
	st.reset(o)
	in.copyUnder(st, loc{obj: o}, refTo(r))
	if st.live(r.obj) {
		st.writable(o).live = true
	}
	return o
}

// zeroLike returns a new, empty object of the type of another:
//
//	live := reflect.New(reflect.TypeOf(desired).Elem()).Interface().(client.Object)
func (in *interp) zeroLike(c target, instr ssa.Value, s *callSite) value {
	var out value
	for i, r := range s.args[0].refs {
		if i >= 16 {
			out.unknown = true
			break
		}
		var t types.Type
		if r.path.IsRoot() {
			t = r.obj.typ
		}
		o := in.object(site{at: instr, nth: int32(i), name: c.name}, t)
		o.from = c.name
		o.name, o.copy = in.sameType(r)
		s.st.reset(o)
		out = out.join(refTo(loc{obj: o}))
	}
	out.unknown = out.unknown || s.args[0].unknown
	return out
}

// isZeroLike reports whether v is what zeroLike returns.
func isZeroLike(v value) bool {
	return len(v.refs) > 0 && !slices.ContainsFunc(v.refs, func(r loc) bool { return library.Named(r.obj.from).Effect != library.MakesZero })
}

// sameType returns the name of the type of the object at r or, if the caller decides on
// it, the place under a parameter whose object has that type.
func (in *interp) sameType(r loc) (name string, of loc) {
	name = in.typeNameOf(r)
	switch {
	case name != "":
	case r.obj.param >= 0:
		of = r
	case r.path.IsRoot():
		of = r.obj.copy
	}
	return name, of
}

// copyUnder copies what lies under src, markers included, to dst.
func (in *interp) copyUnder(st *heap, dst loc, src value) {
	in.assign(st, dst, src, structType, len(src.refs) == 1, nil)
	for _, r := range src.refs {
		c := st.cells(r.obj)
		if c == nil {
			continue
		}
		for _, p := range st.sortedPaths(r.obj) {
			if rest, ok := p.Below(r.path); ok && rest.HasMarker() {
				st.put(dst.under(rest), c.m[p], false)
			}
		}
	}
}

// mergesOver reports whether one of the options of a call that merges makes it replace
// what is there. Without one it sets only what is absent.
func mergesOver(s *callSite) bool {
	if len(s.vals) < 3 {
		return false
	}
	options, _ := origin.Listed(s.vals[2])
	return slices.ContainsFunc(options, func(option ssa.Value) bool {
		fn, ok := origin.Through(option, origin.Renamed).(*ssa.Function)
		if !ok {
			return false
		}
		obj, ok := fn.Object().(*types.Func)
		return ok && library.Of(obj).Effect == library.Overrides
	})
}

// merge copies what lies under the second argument to what the first one points to:
//
//	err := mergo.Merge(&existing.Spec, desired.Spec, mergo.WithOverride)
//
// What is there may stay: the fields that are zero in the second argument do not count.
func (in *interp) merge(fr *frame, s *callSite) {
	t := origin.Through(s.vals[1], origin.Boxed).Type()
	if types.IsInterface(t) {
		t = structType // a caller knows
	}
	for _, r := range s.args[0].refs {
		in.assign(s.st, r, in.filter(fr, s.args[1], t), t, false, fr.guards)
	}
}

var structType = types.NewStruct(nil, nil)
