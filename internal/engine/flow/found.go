package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// CreateOrUpdate creates nothing if the object is there. It certainly is if it was read
// before without an error, or as an item of a list:
//
//	if err := c.Get(ctx, key, obj); err != nil {
//		return client.IgnoreNotFound(err)
//	}
//	_, err := controllerutil.CreateOrUpdate(ctx, c, obj, func() error { … })

// noteGet notes what the call reads, for [interp.noteFound].
func (in *interp) noteGet(fr *frame, s *callSite, read value) {
	if call, ok := s.instr.(*ssa.Call); ok && len(read.refs) == 1 && !read.unknown {
		fr.gets[call] = read.refs[0]
	}
}

// noteFound marks what was found if b is only reached without an error of the call that
// reads it.
func (in *interp) noteFound(fr *frame, b *ssa.BasicBlock, st *heap) {
	if len(b.Preds) != 1 {
		return
	}
	c, ok := cfg.ConditionOf(cfg.Edge{From: b.Preds[0], To: b})
	if !ok {
		return
	}
	err, isNil, ok := c.Nil()
	if !ok || !isNil {
		return
	}
	if o := origin.Of(err); o.Kind == origin.Result {
		if r, ok := fr.gets[o.Call]; ok {
			st.put(found(r), value{constant: "true"}, true)
		}
	}
}

func found(r loc) loc { return r.under(access.Marked(access.Found)) }

// isThere reports whether the object at r certainly is one that was read and was there.
// With another name it is another object, and without its resource version it is a copy
// that can be created.
func (in *interp) isThere(r loc, st *heap) bool {
	if in.written(st, metaPath(r, "Name")) || in.written(st, metaPath(r, "ResourceVersion")) {
		return false
	}
	return st.get(found(r)).constant == "true" || st.isItem(r)
}

// existed reports whether the object at r certainly was there when it was read.
func (in *interp) existed(r loc, st *heap) bool { return in.written(st, found(r)) || st.isItem(r) }

// isItem reports whether r is an item of what was listed, or a copy of one.
func (h *heap) isItem(r loc) bool {
	if h.live(r.obj) && r.path.HasElem() {
		return true
	}
	c := h.cells(r.obj)
	if c == nil {
		return false
	}
	from := c.m[r.path]
	return from.copy && !from.weak && !from.unknown && len(from.refs) > 0 && !slices.ContainsFunc(from.refs, func(item loc) bool {
		return !h.live(item.obj) || !item.path.HasElem()
	})
}

// keepFound reads v from the API server again. What was there still is.
func (in *interp) keepFound(st *heap, v value) {
	there := slices.DeleteFunc(slices.Clone(v.refs), func(r loc) bool { return !in.isThere(r, st) })
	in.refresh(st, v)
	for _, r := range there {
		st.put(found(r), value{constant: "true"}, true)
	}
}

// readAgain reads what the callee reads from the API server. What was found before the
// call still is, unless the callee deletes it: a helper creates it only if somebody else
// deletes it in between.
//
//	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); apierrors.IsNotFound(err) {
//		return c.Create(ctx, obj)
//	}
func (im *importer) readAgain(p ParamPath) {
	v := value{refs: im.objectsAt(p.Param, p.Path)}
	deletes := im.sum.deletes(func(arg Arg) bool {
		return slices.ContainsFunc(arg.Objects, func(o Object) bool { return o.Param == p.Param && o.Path == p.Path })
	})
	if deletes {
		im.in.refresh(im.s.st, v)
		return
	}
	im.in.keepFound(im.s.st, v)
}

// forgetFound notes that the objects are deleted.
func (in *interp) forgetFound(st *heap, v value) {
	for _, r := range v.refs {
		if in.written(st, found(r)) {
			st.put(found(r), value{unknown: true}, true)
		}
	}
}
