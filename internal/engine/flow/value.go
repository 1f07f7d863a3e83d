package flow

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// An object is a root of the abstract heap. It stands for all that one
// allocation, parameter, package variable or call result may be.
type object struct {
	id         int
	param      int        // index of the parameter, or -1
	typ        types.Type // of what the object holds, without the pointer; may be nil
	name       string     // TypeName, for objects of types that cannot be named here
	from       string     // library.Name of the library function that returned it
	block      *ssa.BasicBlock
	call       ssa.Instruction // the call whose callee made it, or nil
	maker      loc             // the receiver whose method made it, if that was called through an interface
	copy       loc             // the place under a parameter that it is a deep copy of, if its type is unknown
	was        loc             // the place at which it was until that was read; see Earlier
	when       []TypeTest      // tests that must succeed for it to be made
	infeasible bool            // it is not made for the arguments of this call
	whenSet    bool            // when and infeasible have been set
	scope      Scope           // in which it is made
	scopeSet   bool            // scope has been set
	handedOn   bool            // passed to a function that only the caller knows
	completed  bool            // such a function, which is no method, gets a pointer to it
	exposed    bool            // passed to a library's function, or captured by a function that was passed on
	cached     bool            // a manager's client, in a package variable
	referred   bool            // a summary refers to it
	longerThan []*object       // sequences of this function of which it has all elements, and more

	// A symbolic object has content that this function did not write: content of
	// the caller (param >= 0), or unknown content.
	symbolic bool
	// An opaque object escaped to, or came from, code that the analysis does not
	// see.
	opaque bool
}

// summaryID returns the ID with which a summary refers to o.
func (o *object) summaryID() int {
	o.referred = true
	return o.id + 1
}

// A loc is a place of the heap: an object and a path under it.
type loc struct {
	obj  *object
	path access.Path
}

// A value is the abstract value of a register or a cell.
type value struct {
	refs     []loc   // what it may point to, sorted
	labels   labels  // what it depends on
	funcs    []*fval // functions that it may be
	constant string  // the constant string, or "true" or "false", that it is
	copy     bool    // in a cell: a struct copied from refs, except where cells below differ
	weak     bool    // in a cell: it may also be what was there before
	unknown  bool    // it may be something else, too
	null     bool    // it certainly is nil
	dropped  bool    // guards have dropped labels or references of it
	several  bool    // it may be a constant or something else
	entries  bool    // in a cell for all entries of a map: each is that of the same key in the maps of refs
	lacked   []loc   // the maps among refs of which only entries count that the others lack
	ending   string  // what a string that is no constant certainly ends in
}

// An fval is a function value: a function with the values of its free variables,
// or a function that the caller or another package provides.
type fval struct {
	fn       *ssa.Function
	bindings []value
	ref      *FuncRef // a function known by name, or that a parameter has
}

const (
	maxRefs  = 24
	maxFuncs = 40
	maxDepth = 14  // components of an access path
	maxCells = 400 // cells of one object
)

func (v value) isZero() bool {
	return len(v.refs) == 0 && len(v.labels) == 0 && len(v.funcs) == 0 && v.constant == "" && v.ending == "" && !v.unknown && !v.null
}

func compareLocs(a, b loc) int {
	if a.obj != b.obj && a.obj.id != b.obj.id {
		return cmp.Compare(a.obj.id, b.obj.id)
	}
	return access.Compare(a.path, b.path)
}

func refTo(l loc) value { return value{refs: []loc{l}} }

// join returns the least value that may be v or w, within the bounds.
func (v value) join(w value) value {
	out := value{
		labels:  v.labels.union(w.labels),
		copy:    v.copy || w.copy,
		weak:    v.weak || w.weak,
		unknown: v.unknown || w.unknown,
		null:    v.null && w.null,
		dropped: v.dropped || w.dropped,
		several: v.several || w.several || v.constant != w.constant && !v.isZero() && !w.isZero(),
		entries: (v.entries || len(v.refs) == 0) && (w.entries || len(w.refs) == 0) && (v.entries || w.entries),
	}
	if v.constant == w.constant {
		out.constant = v.constant
	}
	if v.ending == w.ending {
		out.ending = v.ending
	}
	out.refs = withoutShorter(unionRefs(v.refs, w.refs))
	out.lacked = joinLacked(v, w)
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

// joinLacked returns the lacked places of the join of v and w: those that neither has in another way.
func joinLacked(v, w value) []loc {
	if len(v.lacked)+len(w.lacked) == 0 {
		return nil
	}
	otherwise := func(v value, r loc) bool { return slices.Contains(v.refs, r) && !slices.Contains(v.lacked, r) }
	return slices.DeleteFunc(slices.Clone(unionRefs(v.lacked, w.lacked)), func(r loc) bool { return otherwise(v, r) || otherwise(w, r) })
}

// withoutShorter returns the places without the sequences that are shorter versions of others of
// them. One that may have got more elements has all that either has:
//
//	if debug { args = append(args, "--debug") }
func withoutShorter(refs []loc) []loc {
	if len(refs) < 2 {
		return refs
	}
	isShorter := func(r loc) bool {
		return r.path.IsRoot() && slices.ContainsFunc(refs, func(q loc) bool {
			return q.path.IsRoot() && slices.Contains(q.obj.longerThan, r.obj)
		})
	}
	if !slices.ContainsFunc(refs, isShorter) {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), isShorter)
}

// folded returns v without the places that lie below two others of v, one below the other.
// All are of one type, so it is recursive, as that of a list's nodes is. The deeper of the
// two stands for what lies below it. Otherwise each round of a loop that follows such
// references would add one more.
func (v value) folded() value {
	if len(v.refs) < 3 {
		return v
	}
	for i, r := range v.refs {
		if v.isFolded(r) {
			kept := slices.Clone(v.refs[:i])
			for _, r := range v.refs[i+1:] {
				if !v.isFolded(r) {
					kept = append(kept, r)
				}
			}
			v.refs = kept
			break
		}
	}
	return v
}

// isFolded reports whether r lies below two other places of v.
func (v value) isFolded(r loc) bool {
	above := 0
	for _, q := range v.refs {
		if q.obj == r.obj && q.path.Len() < r.path.Len() && r.path.Within(q.path) {
			above++
		}
	}
	return above > 1
}

// unionRefs returns the union of two lists of places, sorted. Most of the
// interpreter's work is joins, and most joins add nothing, so that case must not
// allocate.
func unionRefs(a, b []loc) []loc {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	if !ascending(a) || !ascending(b) { // places below sorted places may be out of order
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

// ascending reports whether the places are sorted and distinct.
func ascending(refs []loc) bool {
	for i := 1; i < len(refs); i++ {
		if compareLocs(refs[i-1], refs[i]) >= 0 {
			return false
		}
	}
	return true
}

// isSame reports whether the values are equal because they share their content.
func (v value) isSame(w value) bool {
	return v.constant == w.constant && v.copy == w.copy && v.weak == w.weak && v.unknown == w.unknown && v.null == w.null && v.dropped == w.dropped && v.several == w.several && v.entries == w.entries && v.ending == w.ending &&
		isSame(v.refs, w.refs) && isSame(v.lacked, w.lacked) && isSame(v.funcs, w.funcs) && isSame(v.labels, w.labels)
}

func isSame[T any](x, y []T) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}

func (v value) equal(w value) bool {
	return v.constant == w.constant && v.copy == w.copy && v.weak == w.weak && v.unknown == w.unknown && v.null == w.null && v.dropped == w.dropped && v.several == w.several && v.entries == w.entries && v.ending == w.ending &&
		slices.Equal(v.refs, w.refs) && slices.Equal(v.lacked, w.lacked) && slices.Equal(v.funcs, w.funcs) && v.labels.equal(w.labels)
}

// shortPath returns the first fields of a path: enough to distinguish spec from
// status in a condition.
func shortPath(p access.Path) access.Path { return p.Head(3) }

// under returns the place at suffix below l. A path of maxDepth components does
// not grow: below that, a recursive structure is one place.
func (l loc) under(suffix access.Path) loc {
	if l.isDeepest() {
		return l
	}
	return loc{l.obj, l.path.Join(suffix)}
}

func (l loc) isDeepest() bool { return l.path.Depth() >= maxDepth }

// under returns a reference, with the labels ls, to the places at suffix below
// those that v refers to.
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
