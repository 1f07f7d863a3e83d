package flow

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// An object is a root of the abstract heap: everything that one allocation,
// one parameter, one global variable or one call result stands for.
type object struct {
	id         int
	param      int        // index of the parameter, or -1
	typ        types.Type // of what the object holds, without the pointer; may be nil
	name       string     // TypeName, for objects of types that cannot be named here
	from       string     // library.Name of the library function that returned it
	block      *ssa.BasicBlock
	copy       loc        // what of a parameter it is a deep copy of, if its type is not known
	when       []TypeTest // without which it is not made
	infeasible bool       // it is not made for the arguments of this call
	whenSet    bool       // when and never have been set

	// symbolic objects have content that this function did not write: it is
	// the caller's (param >= 0), or not known.
	symbolic bool
	// opaque objects went to, or came from, code that the analysis does not see.
	opaque bool
}

// A loc is a place under an object, the way pointers refer to it.
type loc struct {
	obj  *object
	path access.Path
}

// A value is what a register or a cell may hold.
type value struct {
	refs     []loc   // what it may point to, sorted
	labels   labels  // what its bits depend on
	funcs    []*fval // functions that it may be
	constant string  // the constant string (or "true", "false") that it is
	copy     bool    // in a cell: a struct copied from refs, as far as no cell below says otherwise
	weak     bool    // in a cell: it may also be what was there before
	unknown  bool    // it may be something else as well
}

// An fval is a function value: a function with what its free variables hold,
// or a parameter called as a function.
type fval struct {
	fn       *ssa.Function
	bindings []value
	ref      *FuncRef // of another package's summary
}

const (
	maxRefs  = 24
	maxFuncs = 12
	maxDepth = 14  // components of an access path
	maxCells = 400 // cells of one object
)

func (v value) isZero() bool {
	return len(v.refs) == 0 && len(v.labels) == 0 && len(v.funcs) == 0 && v.constant == "" && !v.unknown
}

func compareLocs(a, b loc) int {
	if a.obj != b.obj && a.obj.id != b.obj.id {
		return cmp.Compare(a.obj.id, b.obj.id)
	}
	return access.Compare(a.path, b.path)
}

func refTo(l loc) value { return value{refs: []loc{l}} }

// join returns a value that may be either.
func (v value) join(w value) value {
	out := value{
		labels:  v.labels.union(w.labels),
		copy:    v.copy || w.copy,
		weak:    v.weak || w.weak,
		unknown: v.unknown || w.unknown,
	}
	if v.constant == w.constant {
		out.constant = v.constant
	}
	out.refs = unionRefs(v.refs, w.refs)
	if len(out.refs) > maxRefs {
		out.refs, out.unknown = out.refs[:maxRefs], true
	}
	out.funcs = v.funcs
	for _, f := range w.funcs {
		known := slices.ContainsFunc(out.funcs, func(g *fval) bool {
			return g == f || g.fn != nil && g.fn == f.fn && slices.EqualFunc(g.bindings, f.bindings, value.equal)
		})
		if !known {
			out.funcs = append(slices.Clip(out.funcs), f)
		}
	}
	if len(out.funcs) > maxFuncs {
		out.funcs, out.unknown = out.funcs[:maxFuncs], true
	}
	return out
}

// unionRefs returns the places of both, sorted. Joins are most of the work of the
// interpreter, and most of them add nothing: that must not allocate.
func unionRefs(a, b []loc) []loc {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	if !ascending(a) || !ascending(b) { // places below sorted places need not be
		refs := append(slices.Clone(a), b...)
		slices.SortFunc(refs, compareLocs)
		return slices.Compact(refs)
	}
	var merged []loc
	i := 0 // a[:i] is in merged, unless that is nil
	for j, r := range b {
		at, found := slices.BinarySearchFunc(a[i:], r, compareLocs)
		if found {
			continue
		}
		if merged == nil {
			merged = make([]loc, 0, len(a)+len(b)-j)
		}
		merged = append(merged, a[i:i+at]...)
		merged = append(merged, r)
		i += at
	}
	if merged == nil {
		return a
	}
	return append(merged, a[i:]...)
}

// ascending reports whether the places are sorted, each there once.
func ascending(refs []loc) bool {
	for i := 1; i < len(refs); i++ {
		if compareLocs(refs[i-1], refs[i]) >= 0 {
			return false
		}
	}
	return true
}

func (v value) equal(w value) bool {
	return v.constant == w.constant && v.copy == w.copy && v.weak == w.weak && v.unknown == w.unknown &&
		slices.Equal(v.refs, w.refs) && slices.Equal(v.funcs, w.funcs) && v.labels.equal(w.labels)
}

// shortPath keeps the first fields of a path: enough to tell spec from
// status in a condition.
func shortPath(p access.Path) access.Path { return p.Head(3) }

// under returns the place that lies suffix below l. Paths of more than
// maxDepth components stay where they are: a recursive structure is one place.
func (l loc) under(suffix access.Path) loc {
	if l.isDeepest() {
		return l
	}
	return loc{l.obj, l.path.Join(suffix)}
}

func (l loc) isDeepest() bool { return l.path.Depth() >= maxDepth }

// sub returns the places suffix below those that v refers to.
func (v value) under(suffix access.Path, ls labels) value {
	out := value{labels: ls, unknown: v.unknown}
	for _, r := range v.refs {
		out.refs = append(out.refs, r.under(suffix))
	}
	slices.SortFunc(out.refs, compareLocs)
	out.refs = slices.Compact(out.refs)
	return out
}

func (v value) withLabels(ls labels) value {
	v.labels = v.labels.union(ls)
	return v
}
