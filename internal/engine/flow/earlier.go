package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A function may copy what it is given, and then read it from the API server. The copy has
// what the caller passed, and not what was read:
//
//	wanted := obj.DeepCopyObject().(client.Object)
//	_, err := controllerutil.CreateOrUpdate(ctx, c, obj, func() error {
//		obj.SetAnnotations(wanted.GetAnnotations())
//		return nil
//	})
//
// So there are two objects at one place, one after the other. The one that was there at the
// call is a further parameter of the function, behind the others.

// An Earlier is a further parameter: what was at a place under another parameter until the
// function read that from the API server.
type Earlier struct {
	Param int
	Of    ParamPath
}

// maxEarlier bounds the further parameters of a function. Copies of other places are not
// told from what is read there.
const maxEarlier = 16

// keepCopies gives the copies of what is at r, a place under a parameter, something else to
// refer to, because content from the API server is about to replace it. They are copies of
// that content if there is some already. Elements of a list are read one after the other.
func (in *interp) keepCopies(st *heap, r loc) {
	if st.live(r.obj) && !r.path.HasElem() {
		return
	}
	isOf := func(l loc) bool { return l.obj == r.obj && l.path.Within(r.path) }
	st.objs.all(func(o *object, c *cells) bool {
		st.spend(len(c.m) / cellsPerStep)
		for _, p := range c.paths() {
			v := c.m[p]
			if !v.copy || isOf(loc{o, p}) || !slices.ContainsFunc(v.refs, isOf) {
				continue
			}
			earlier := in.earlierAt(r)
			if earlier == nil {
				return false
			}
			v.refs = slices.Clone(v.refs)
			for i, l := range v.refs {
				if isOf(l) {
					rest, _ := l.path.Below(r.path)
					v.refs[i] = loc{earlier, rest}
				}
			}
			slices.SortFunc(v.refs, compareLocs)
			st.set(loc{o, p}, v)
		}
		return true
	})
}

// earlierAt returns the further parameter for the place r, or nil if there are too many.
func (in *interp) earlierAt(r loc) *object {
	if i := slices.IndexFunc(in.earlier, func(o *object) bool { return o.was == r }); i >= 0 {
		return in.earlier[i]
	}
	if len(in.earlier) == maxEarlier {
		return nil
	}
	o := in.object(site{at: earlierKey{of: r}}, typeAt(r))
	o.param, o.symbolic, o.was = in.params()+len(in.earlier), true, r
	o.name = in.typeNameOf(r)
	in.earlier = append(in.earlier, o)
	return o
}

// typeAt returns the type of what is at r, without the pointer, or nil.
func typeAt(r loc) types.Type {
	t, _ := staticAt(r)
	if t == nil {
		return nil
	}
	return library.Deref(t)
}

// An earlierKey identifies what was at a place before a read: before any in this function,
// or before those of a callee.
type earlierKey struct {
	of     loc
	at     ssa.Instruction
	callee int
}

// furtherParams returns the further parameters for a summary.
func (in *interp) furtherParams() []Earlier {
	var all []Earlier
	for _, o := range in.earlier {
		all = append(all, Earlier{o.param, ParamPath{o.was.obj.param, o.was.path}})
	}
	return all
}

// passEarlier passes the callee its further parameters: copies of what is at their places.
func (im *importer) passEarlier() {
	if len(im.sum.Earlier) == 0 {
		return
	}
	s := *im.s
	s.args, s.vals = slices.Clone(s.args), slices.Clone(s.vals)
	for _, e := range im.sum.Earlier {
		for len(s.args) <= e.Param {
			s.args, s.vals = append(s.args, value{unknown: true}), append(s.vals, nil)
		}
		var copies value
		for _, r := range im.objectsAt(e.Of.Param, e.Of.Path) {
			copies = copies.join(refTo(im.copyBefore(r)))
		}
		if len(copies.refs) > 0 {
			s.args[e.Param] = copies
		}
	}
	im.s = &s
}

// copyBefore returns a copy of what is at r before the callee reads that.
func (im *importer) copyBefore(r loc) loc {
	key := earlierKey{r, im.s.instr, im.number}
	o := im.in.copyAt(im.s.st, site{at: key}, typeAt(r), r)
	o.block, o.was = im.s.instr.Block(), r
	return loc{obj: o}
}

// narrow has the further parameters of the callee be what was at r, the place of an object,
// as far as they are of several objects there. It returns a function that takes that back.
func (im *importer) narrow(r loc) (widen func()) {
	if len(im.sum.Earlier) == 0 {
		return func() {}
	}
	all, known := im.s, im.translations
	s := *all
	s.args = slices.Clone(s.args)
	for _, e := range im.sum.Earlier {
		s.args[e.Param] = s.args[e.Param].ofWhatWas(r)
	}
	im.s, im.translations = &s, nil
	return func() { im.s, im.translations = all, known }
}

// narrowCopy has the parameter that the callee copies be the object at r, if it may be
// several objects: each copy has the content of one. It returns a function that takes that
// back.
func (im *importer) narrowCopy(of ParamPath, r loc) (widen func()) {
	if !of.Path.IsRoot() || len(im.s.args[of.Param].refs) < 2 {
		return func() {}
	}
	all, known := im.s, im.translations
	s := *all
	s.args = slices.Clone(s.args)
	s.args[of.Param].refs = []loc{r}
	im.s, im.translations = &s, nil
	return func() { im.s, im.translations = all, known }
}

// ofWhatWas returns v without references to what was elsewhere, if it has one to what was
// at l or at a place that encloses l: each of several objects gets back what was its own.
func (v value) ofWhatWas(l loc) value {
	isOwn := func(r loc) bool { return r.obj.was.obj == l.obj && l.path.Within(r.obj.was.path) }
	if slices.ContainsFunc(v.refs, isOwn) {
		v.refs = slices.DeleteFunc(slices.Clone(v.refs), func(r loc) bool { return r.obj.was.obj != nil && !isOwn(r) })
	}
	return v
}

// isWhatWas reports whether r is what was at l before a read.
func (r loc) isWhatWas(l loc) bool {
	return r.obj.was.obj == l.obj && l.path.IsJoin(r.obj.was.path, r.path)
}
