package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// A Summary is what a caller needs to know of a function: what its results are
// made of, what it changes under its parameters, and the events of its call
// tree. It is also the fact that other packages read.
type Summary struct {
	Results   []Val
	Objects   []Obj       // allocated by the function, reachable by the caller
	Changes   []Change    // cells under parameters, at the end
	Refreshed []ParamPath // content replaced from the API server
	Sorted    []ParamPath
	Events    []Event
	Callbacks []Callback
	// Sorts is set when the function sorts something: a comparison that it
	// makes may not depend on order.
	Sorts bool
}

// AFact marks a Summary as a fact.
func (*Summary) AFact() {}

func (s *Summary) String() string { return "summary" }

// Literals is the fact of a package about the function literals that its
// exported functions return, or put into what they return.
type Literals struct{ Funcs []Literal }

// AFact marks Literals as a fact.
func (*Literals) AFact() {}

func (l *Literals) String() string { return "function literals" }

// A Literal is the summary of a function literal. What it captures comes as
// further parameters behind its own.
type Literal struct {
	Name   string
	Params int
	Sum    Summary
}

// A Val is a value as a summary tells it.
type Val struct {
	Refs   []Ref
	Labels []Label
	Funcs  []FuncRef
	Const  string
	Lost   bool
	Copy   bool // a struct copied from Refs

	Bound []Bound
}

// A Bound is a function literal, or a method value, with what it has captured.
type Bound struct {
	Name     string // of the literal, "path.Parent$1"
	Captured []Val

	fn *ssa.Function // not part of a fact
}

// A Ref refers to an object of the summary by ID, or to a parameter.
type Ref struct {
	Obj   int // an Obj's ID, or 0
	Param int // or -1
	Path  string
}

// An Obj is an object that the function allocated.
type Obj struct {
	ID    int
	Type  string // TypeName; "$T" for a type parameter
	From  string
	Live  bool
	Lost  bool       // opaque
	Copy  *ParamPath // what it is a copy of, and has its type from
	Cells []Cell
}

// A Cell is what a place holds.
type Cell struct {
	Path string
	Val  Val
}

// A Change is a cell under a parameter.
type Change struct {
	Param int
	Path  string
	Val   Val
	Weak  bool
}

// A ParamPath is a place under a parameter.
type ParamPath struct {
	Param int
	Path  string
}

// A FuncRef is a function known by name, or the function (or with Method, the
// method of the object) that a parameter holds at Path.
type FuncRef struct {
	Name   string
	Param  int
	Path   string
	Method string
}

// A Callback is a call of a function of the caller's.
type Callback struct {
	Func FuncRef
	Args []Val
	Go   bool
	// Results are the IDs of the objects that stand for what it returns, or 0.
	Results []int

	args   []value
	heap   *heap
	guards []guard
	maybe  bool
	inGo   bool
}

const (
	maxObjects = 64
	maxExport  = 500 // cells of a summary
)

// isEmpty reports whether the summary says nothing.
func (s *Summary) isEmpty() bool {
	if len(s.Objects)+len(s.Changes)+len(s.Refreshed)+len(s.Sorted)+len(s.Events)+len(s.Callbacks) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Results, func(v Val) bool {
		return len(v.Refs)+len(v.Labels)+len(v.Funcs)+len(v.Bound) > 0 || v.Const != ""
	})
}

// An exporter turns the interpreter's final state into a summary.
type exporter struct {
	in    *interp
	st    *heap
	out   *Summary
	ids   map[*object]bool
	cells int
	depth int // of function values captured by function values
	queue []queued
}

// summarize returns the summary of the function just interpreted.
func (in *interp) summarize(fr *frame) *Summary {
	ex := &exporter{in: in, st: fr.exit, out: &Summary{Sorts: in.sorts}, ids: make(map[*object]bool)}
	if ex.st == nil {
		ex.st = newHeap()
	}
	for _, v := range fr.result {
		ex.out.Results = append(ex.out.Results, ex.val(v))
	}
	for _, o := range in.paramObjects(fr) {
		for _, p := range ex.st.sortedPaths(o) {
			v := ex.st.objs[o].m[p]
			// An empty value tells something, too: what was there is gone.
			if v.weak && !ex.worth(v, p) || ex.cells > maxExport {
				continue
			}
			ex.cells++
			ex.out.Changes = append(ex.out.Changes, Change{Param: o.param, Path: p, Val: ex.val(v), Weak: v.weak})
		}
	}
	ex.out.Refreshed = paramPaths(in.cleared)
	ex.out.Sorted = paramPaths(in.sorted)
	for _, ev := range sortedEvents(in.events) {
		ex.out.Events = append(ex.out.Events, *ev)
	}
	keys := slices.SortedFunc(maps.Keys(in.calls), compareEventKeys)
	for _, k := range keys {
		cb := *in.calls[k]
		cb.Go = cb.inGo
		for _, a := range cb.args {
			cb.Args = append(cb.Args, ex.valIn(a, cb.heap))
		}
		ex.out.Callbacks = append(ex.out.Callbacks, cb)
	}
	ex.drain()
	return ex.out
}

func paramPaths(m map[loc]bool) []ParamPath {
	var ps []ParamPath
	for r := range m {
		ps = append(ps, ParamPath{r.obj.param, r.path})
	}
	slices.SortFunc(ps, func(a, b ParamPath) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), strings.Compare(a.Path, b.Path))
	})
	return ps
}

// overrides reports whether the cell at p replaces a part of what a cell around
// it was copied from.
func overrides(c *cells, p string) bool {
	if c.m[p].weak {
		return false
	}
	for p != "" {
		p = parent(p)
		if len(c.m[p].refs) > 0 {
			return true
		}
	}
	return false
}

// worth reports whether a cell tells a caller something.
func (ex *exporter) worth(v value, path string) bool {
	if len(v.refs) > 0 || len(v.funcs) > 0 || strings.Contains(path, "~") {
		return true
	}
	if v.konst != "" {
		switch path[strings.LastIndexByte(path, '.')+1:] {
		case "Kind", "APIVersion", "Group", "Version", "Resource", "Controller", "":
			return true
		}
		return v.konst == "true" || v.konst == "false"
	}
	return slices.ContainsFunc(v.labels, func(l Label) bool { return l.Kind != State })
}

func (ex *exporter) val(v value) Val { return ex.valIn(v, ex.st) }

func (ex *exporter) valIn(v value, st *heap) Val {
	out := Val{Const: v.konst, Lost: v.lost, Copy: v.copy && len(v.refs) > 0}
	for _, l := range v.labels {
		if l.Kind != State && (!l.Item || l.Kind == Content) {
			out.Labels = append(out.Labels, l)
		}
	}
	for _, f := range v.funcs {
		switch {
		case f.ref != nil:
			out.Funcs = append(out.Funcs, *f.ref)
		default:
			b := Bound{Name: f.fn.String(), fn: f.fn}
			if c := ex.in.ofValue(f); c.name != "" && len(c.recv) == 0 {
				b.Name = c.name
			}
			if ex.depth < 4 {
				ex.depth++
				for _, v := range f.bindings {
					b.Captured = append(b.Captured, ex.valIn(v, st))
				}
				ex.depth--
			}
			out.Bound = append(out.Bound, b)
		}
	}
	for _, r := range v.refs {
		if r.obj.param >= 0 {
			out.Refs = append(out.Refs, Ref{Param: r.obj.param, Path: r.path})
			continue
		}
		if ex.object(r.obj, st) {
			out.Refs = append(out.Refs, Ref{Obj: r.obj.id + 1, Param: -1, Path: r.path})
		} else {
			out.Lost = true
		}
	}
	return out
}

// A queued object is exported, but what it holds is not yet.
type queued struct {
	at  int
	obj *object
	st  *heap
}

// object exports o with all that it refers to, and reports whether it did.
func (ex *exporter) object(o *object, st *heap) bool {
	if ex.ids[o] {
		return true
	}
	if len(ex.ids) >= maxObjects {
		return false
	}
	ex.ids[o] = true
	at := len(ex.out.Objects)
	ex.out.Objects = append(ex.out.Objects, Obj{
		ID: o.id + 1, Type: ex.in.typeNameOf(loc{o, ""}), From: o.from,
		Live: st.live(o), Lost: o.opaque || o.symbolic && o.name == "", Copy: copyOf(o),
	})
	ex.queue = append(ex.queue, queued{at, o, st})
	return true
}

// drain exports what the objects exported so far hold, level by level: if there
// are too many, those far down are left out.
func (ex *exporter) drain() {
	for len(ex.queue) > 0 {
		next := ex.queue[0]
		ex.queue = ex.queue[1:]
		o, st := next.obj, next.st
		var cells []Cell
		for _, p := range st.sortedPaths(o) {
			v := st.objs[o].m[p]
			if !ex.worth(v, p) && !overrides(st.objs[o], p) || ex.cells > maxExport {
				continue
			}
			ex.cells++
			cells = append(cells, Cell{p, ex.valIn(v, st)})
		}
		ex.out.Objects[next.at].Cells = cells
	}
}

// An importer applies a summary at a call.
type importer struct {
	in      *interp
	fr      *frame
	sum     *Summary
	s       *callSite
	c       callee
	foreign bool // the summary is another package's fact
	variant int  // tells the callees of one call apart
	objs    map[int]*object
	results map[int]value // what stands behind the results of callbacks
}

// instantiate interprets a call by its summary.
func (in *interp) instantiate(fr *frame, sum *Summary, c callee, s *callSite, foreign bool) []value {
	if sum == nil || in.nested >= maxInline {
		return in.unknownResults(c, s)
	}
	in.nested++
	defer func() { in.nested-- }()
	im := &importer{
		in: in, fr: fr, sum: sum, s: s, c: c, foreign: foreign,
		variant: in.variant(fr, sum, s), objs: make(map[int]*object), results: make(map[int]value),
	}
	in.sorts = in.sorts || sum.Sorts
	st := s.st

	for _, p := range sum.Refreshed {
		in.refresh(st, value{refs: im.places(p.Param, p.Path)})
	}
	for _, o := range sum.Objects {
		obj := im.object(o.ID)
		st.reset(obj)
		st.objs[obj].live = o.Live
	}
	for _, o := range sum.Objects {
		for _, cell := range o.Cells {
			im.put(loc{im.objs[o.ID], cell.Path}, cell.Val, true)
		}
	}
	for _, ch := range sum.Changes {
		v := in.admit(fr, im.value(ch.Val), types.Typ[types.String])
		dests := im.places(ch.Param, ch.Path)
		for _, d := range dests {
			if strings.HasSuffix(ch.Path, "#") {
				v.labels = onlyOrder(v.labels)
			}
			if ch.Val.Copy {
				im.put(d, ch.Val, !ch.Weak && len(dests) == 1)
				continue
			}
			st.put(d, v, !ch.Weak && len(dests) == 1)
		}
	}
	for _, p := range sum.Sorted {
		for _, r := range im.places(p.Param, p.Path) {
			in.killOrder(st, r, 0)
		}
	}
	// Functions of ours that the callee calls run before what it writes in
	// the end: they are what brings an object into shape.
	for i := range sum.Callbacks {
		im.callback(&sum.Callbacks[i])
	}
	im.putResults()
	for i := range sum.Events {
		im.event(i)
	}
	results := make([]value, s.sig.Results().Len())
	for i := range results {
		if i < len(sum.Results) {
			results[i] = in.admit(fr, im.value(sum.Results[i]), types.Typ[types.String])
		} else {
			results[i] = value{lost: true}
		}
	}
	return results
}

// variant numbers the ways in which the call s may go: to different functions
// (steps in a slice), or to a method of different objects. What each of them
// allocates and does is kept apart.
func (in *interp) variant(fr *frame, sum *Summary, s *callSite) int {
	key := variantKey{at: s.instr, ctx: fr.ctx, sum: sum}
	if len(s.args) > 0 && len(s.args[0].refs) == 1 {
		key.recv = s.args[0].refs[0]
	}
	n, ok := in.variants[key]
	if !ok {
		site := variantKey{at: s.instr, ctx: fr.ctx}
		n = in.variants[site]
		in.variants[site] = n + 1
		in.variants[key] = n
	}
	return n
}

// put writes a callee's value at a place of the caller.
func (im *importer) put(dst loc, v Val, strong bool) {
	here := im.value(v)
	if v.Copy {
		im.in.assign(im.s.st, dst, here, structType, strong, im.fr.guards)
		return
	}
	im.s.st.put(dst, im.in.admit(im.fr, here, types.Typ[types.String]), strong)
}

// object returns the object that stands for the callee's at this call.
func (im *importer) object(id int) *object {
	if o := im.objs[id]; o != nil {
		return o
	}
	o := im.in.object(im.s.instr, (1+im.variant)<<16+id, nil)
	for _, ob := range im.sum.Objects {
		if ob.ID == id {
			o.name, o.from, o.opaque = im.typeArg(ob.Type), ob.From, ob.Lost
			if o.name == "" {
				o.name, o.copy = im.copied(ob.Copy)
			}
			o.typ = im.in.typeOf(o.name)
			o.symbolic = ob.Lost
		}
	}
	im.objs[id] = o
	return o
}

// copied returns the type of what the callee copied, if that is one object, or
// of which object of our caller's it is a copy.
func (im *importer) copied(from *ParamPath) (typeName string, copy loc) {
	if from == nil {
		return "", loc{}
	}
	refs := im.value(Val{Refs: []Ref{{Param: from.Param, Path: from.Path}}}).refs
	if len(refs) != 1 {
		return "", loc{}
	}
	if name := im.in.typeNameOf(refs[0]); name != "" {
		return name, loc{}
	}
	if refs[0].obj.param >= 0 {
		return "", refs[0]
	}
	return "", refs[0].obj.copy
}

func copyOf(o *object) *ParamPath {
	if o.copy.obj == nil {
		return nil
	}
	return &ParamPath{o.copy.obj.param, o.copy.path}
}

// typeArg replaces a type parameter by the call's type argument.
func (im *importer) typeArg(name string) string {
	param, ok := strings.CutPrefix(name, "$")
	if !ok || im.c.obj == nil {
		return name
	}
	sig := im.c.obj.Origin().Signature()
	for _, list := range []*types.TypeParamList{sig.TypeParams(), sig.RecvTypeParams()} {
		for i := range list.Len() {
			if list.At(i).Obj().Name() == param && i < len(im.c.targs) {
				if tp, ok := types.Unalias(im.c.targs[i]).(*types.TypeParam); ok {
					return "$" + tp.Obj().Name()
				}
				return kubeapi.TypeName(im.c.targs[i])
			}
		}
	}
	return ""
}

// places returns where the path under a parameter lies in the caller.
func (im *importer) places(param int, path string) []loc {
	if param < 0 || param >= len(im.s.args) {
		return nil
	}
	st := im.s.st
	locs := slices.Clone(im.s.args[param].refs)
	for path != "" {
		comp := firstComponent(path)
		path = path[len(comp):]
		var next []loc
		for _, l := range locs {
			if comp == ".ObjectMeta" && isMeta(l) {
				// A metav1.Object may be an object or just its metadata.
				next = append(next, l)
				continue
			}
			l = l.under(comp)
			if path != "" {
				if c := st.objs[l.obj]; c != nil {
					if v, ok := c.m[l.path]; ok && len(v.refs) > 0 {
						for _, r := range v.refs {
							if r != l {
								next = append(next, r)
							}
						}
						if !v.weak {
							continue
						}
					}
				}
			}
			next = append(next, l)
		}
		st.worked(len(next))
		slices.SortFunc(next, compareLocs)
		next = slices.Compact(next)
		if len(next) > maxRefs {
			next = next[:maxRefs]
		}
		locs = next
	}
	return locs
}

// firstComponent returns ".Field", "[]", "#" or "~x" at the start of a path.
func firstComponent(path string) string {
	if path[0] == '[' {
		return path[:strings.IndexByte(path, ']')+1]
	}
	for i := 1; i < len(path); i++ {
		switch path[i] {
		case '.':
			if path[0] == '~' {
				continue // ~owner.controller is one component
			}
			return path[:i]
		case '[', '#', '~':
			return path[:i]
		}
	}
	return path
}

// value returns what v is in the caller.
func (im *importer) value(v Val) value {
	im.in.left -= 1 + len(v.Refs) + len(v.Labels)
	if im.in.exhausted() {
		return value{lost: true}
	}
	out := value{konst: v.Const, lost: v.Lost, labels: im.labels(v.Labels)}
	for _, b := range v.Bound {
		out = out.join(value{funcs: []*fval{im.bound(b)}, konst: out.konst})
	}
	for _, f := range v.Funcs {
		if f.Name != "" {
			out = out.join(value{funcs: []*fval{im.in.named(f.Name)}, konst: out.konst})
			continue
		}
		for _, p := range im.places(f.Param, f.Path) {
			out = out.join(im.s.st.get(p))
		}
		if f.Path == "" && f.Param < len(im.s.args) {
			out = out.join(value{funcs: im.s.args[f.Param].funcs, konst: out.konst})
		}
	}
	for _, r := range v.Refs {
		if res, ok := im.results[r.Obj]; ok && r.Param < 0 {
			if r.Path != "" {
				res = res.sub(r.Path, nil)
			}
			res.konst = out.konst
			out = out.join(res)
			continue
		}
		if r.Param < 0 {
			out = out.join(value{refs: []loc{{im.object(r.Obj), r.Path}}, konst: out.konst})
			continue
		}
		if r.Param >= len(im.s.args) {
			out.lost = true
			continue
		}
		if r.Path == "" {
			arg := im.s.args[r.Param]
			arg.konst = out.konst
			out = out.join(arg)
			continue
		}
		for _, p := range im.places(r.Param, r.Path) {
			// The place itself, or what a pointer there refers to.
			v := im.s.st.get(p)
			v.labels, v.konst = nil, out.konst
			if len(v.refs) == 0 {
				v.refs = []loc{p}
			}
			out = out.join(v)
		}
	}
	return out
}

// bound returns the function value that a callee made, in terms of the caller.
func (im *importer) bound(b Bound) *fval {
	if len(b.Captured) == 0 && b.fn != nil {
		return im.in.fval(b.fn)
	}
	key := boundKey{im.s.instr, b.Name}
	f := im.in.bound[key]
	if f == nil {
		f = &fval{fn: b.fn, bindings: make([]value, len(b.Captured))}
		if b.fn == nil {
			f.ref = &FuncRef{Name: b.Name, Param: -1}
		}
		im.in.bound[key] = f
	}
	for i, c := range b.Captured {
		f.bindings[i] = f.bindings[i].join(im.value(c))
	}
	return f
}

type boundKey struct {
	at   ssa.CallInstruction
	name string
}

// labels returns what the callee's labels are in the caller.
func (im *importer) labels(ls []Label) labels {
	var out labels
	for _, l := range ls {
		out = out.union(im.label(l))
	}
	return out
}

func (im *importer) label(l Label) labels {
	if l.Kind != Content {
		if im.foreign {
			l.Pos, l.End = im.in.callSpan(im.s.instr)
		}
		return labels{l}
	}
	if l.Param >= len(im.s.args) {
		return nil
	}
	var found labels
	in, st := im.in, im.s.st
	if path, ok := strings.CutSuffix(l.Path, "#"); ok {
		for _, p := range im.places(l.Param, path) {
			found = found.union(st.get(p.under("#")).labels)
		}
		if l.Item {
			found = found.transform(func(m Label) (Label, bool) { m.Item = true; return m, true })
		}
	} else {
		if l.Path == "" {
			found = im.s.args[l.Param].labels
		}
		for _, p := range im.places(l.Param, l.Path) {
			in.walk(st, p, "", 0, make(map[loc]bool), func(_ string, m Label) { found = found.union(labels{m}) })
		}
	}
	if l.Row {
		return im.row(found, l.Base)
	}
	if l.Fixed {
		found = found.fixed()
	}
	return found
}

// row keeps of the labels of what the callee appends to the content of
// parameter base those of items, if a loop of the caller carries that content
// on: their row is unordered.
func (im *importer) row(found labels, base int) labels {
	return found.transform(func(l Label) (Label, bool) {
		if l.Kind == Content {
			if base < len(im.s.args) && !l.Item {
				if ps := baseParams(im.s.args[base]); len(ps) > 0 && ps[0] != l.Param {
					l.Row, l.Base = true, ps[0]
					return l, true
				}
			}
			return l, false
		}
		if !l.Item || l.loop == nil || base >= len(im.s.args) {
			return l, false
		}
		carried := im.s.vals[base] != nil && im.in.carried(im.fr, im.s.vals[base], l.loop)
		if !carried && im.s.vals[base] != nil && !isSliceType(im.s.vals[base].Type()) {
			for _, r := range im.s.args[base].refs {
				carried = carried || !l.loop.contains(r.obj.block)
			}
		}
		if !carried {
			return l, false
		}
		l.Item, l.loop = false, nil
		return l, true
	})
}

// onlyOrder drops labels that are about no order: they do not belong to the
// order of a sequence.
func onlyOrder(ls labels) labels {
	return ls.transform(func(l Label) (Label, bool) {
		return l, l.isOrder() && !l.Item || l.Kind == Content
	})
}

// event adds the callee's event number i to the caller's.
func (im *importer) event(i int) {
	src := &im.sum.Events[i]
	ev := *src
	ev.Maybe = ev.Maybe || im.fr.maybe
	ev.Go = ev.Go || im.fr.inGo
	if im.foreign || ev.Pos == token.NoPos {
		ev.Pos, ev.End = im.in.callSpan(im.s.instr)
	}
	if ev.Made != 0 {
		ev.Made = im.object(ev.Made).id + 1
	}
	ev.Args = make([]Arg, len(src.Args))
	for j, a := range src.Args {
		ev.Args[j] = im.arg(a)
	}
	ev.Guards = nil
	for _, g := range src.Guards {
		ev.Guards = append(ev.Guards, im.labels(g))
	}
	for _, g := range im.fr.guards {
		ev.Guards = append(ev.Guards, g.labels)
	}
	im.in.keep(eventKey{ctx: im.fr.ctx, at: im.s.instr.(ssa.Instruction), idx: 1 + im.variant*maxEvents + i}, &ev)
}

func (im *importer) arg(a Arg) Arg {
	out := Arg{Unknown: a.Unknown, Const: a.Const}
	for _, l := range im.labels(a.Labels) {
		if l.Kind != State && !l.Item {
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
		if res, ok := im.results[o.ID]; ok && o.Param < 0 {
			for _, r := range res.refs {
				d := im.in.describeObject(r.under(dotted(o.Path)), o.Type, im.s.st)
				d.merge(im.own(o))
				out.Objects = append(out.Objects, d)
			}
			out.Unknown = out.Unknown || res.lost
			continue
		}
		if o.Param < 0 && o.Copy != nil {
			out.Objects = append(out.Objects, im.copies(o)...)
			continue
		}
		if o.Param < 0 {
			out.Objects = append(out.Objects, im.own(o))
			continue
		}
		v := im.value(Val{Refs: []Ref{{Param: o.Param, Path: dotted(o.Path)}}})
		if len(v.refs) == 0 {
			out.Unknown = true
		}
		for _, f := range v.funcs {
			out.Funcs = append(out.Funcs, im.in.describeFunc(f))
		}
		if out.Const == "" {
			out.Const = v.konst
		}
		out.Unknown = out.Unknown || v.lost
		for _, r := range v.refs {
			static := o.Type
			if strings.HasPrefix(static, "$") {
				static = im.typeArg(static)
			}
			d := im.in.describeObject(r, static, im.s.st)
			d.merge(im.own(o))
			out.Objects = append(out.Objects, d)
		}
	}
	return out
}

// copies returns the object o, a copy of something of the callee's parameters,
// as what it is a copy of.
func (im *importer) copies(o Object) []Object {
	refs := im.value(Val{Refs: []Ref{{Param: o.Copy.Param, Path: o.Copy.Path}}}).refs
	if len(refs) == 0 {
		return []Object{im.own(o)}
	}
	var all []Object
	for _, r := range refs {
		if len(refs) > 1 && im.in.isBlank(r) {
			continue
		}
		copied := im.own(o)
		from := im.in.describeObject(r, "", im.s.st)
		copied.Type, copied.GVK, copied.Copy = from.Type, from.GVK, from.Copy
		if from.Type == "" && r.obj.param >= 0 {
			copied.Copy = &ParamPath{r.obj.param, r.path}
		}
		copied.merge(from)
		all = append(all, copied)
	}
	return all
}

// dotted returns an event's path as access paths are written.
func dotted(path string) string {
	if path == "" || strings.ContainsRune("[~#", rune(path[0])) {
		return path
	}
	return "." + path
}

// own returns what the callee knows of an object in terms of the caller.
func (im *importer) own(o Object) Object {
	if o.Param < 0 {
		id := o.ID
		if id != 0 {
			o.ID = im.object(id).id + 1
		}
	}
	if made := im.objs[o.ID]; o.Param < 0 && made != nil && len(im.sum.Callbacks) > 0 {
		// What functions of the caller's have put there.
		shaped := im.in.describeObject(loc{made, ""}, "", im.s.st)
		o.Fields = append(slices.Clone(o.Fields), shaped.Fields...)
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
		refs := im.value(Val{Refs: []Ref{{Param: ow.Param, Path: ow.Path}}}).refs
		if len(refs) == 0 {
			ow.Param, ow.Path = -1, ""
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
	fields := o.Fields
	o.Fields = nil
	for _, f := range fields {
		for _, m := range im.field(f) {
			if len(o.Fields) < maxFields {
				o.Fields = append(o.Fields, m)
			}
		}
	}
	parts := o.Parts
	o.Parts = nil
	for _, p := range parts {
		o.Parts = append(o.Parts, Part{p.Path, im.arg(p.Arg)})
	}
	return o
}

func (im *importer) typeArgOrSame(name string) string {
	if strings.HasPrefix(name, "$") {
		return im.typeArg(name)
	}
	return name
}

// field returns what a callee's field is in the caller. Content that the caller
// built has fields of its own below.
func (im *importer) field(f Field) []Field {
	if f.Label.Kind != Content || f.Label.Fixed || f.Label.Row || strings.HasSuffix(f.Label.Path, "#") {
		var out []Field
		for _, l := range im.label(f.Label) {
			if l.Kind != State && !l.Item {
				out = append(out, Field{f.Path, l})
			}
		}
		return out
	}
	var out []Field
	add := func(path string, l Label) {
		if l.Kind != State && !l.Item {
			out = append(out, Field{f.Path + strings.TrimSuffix(path, "#"), l})
		}
	}
	if f.Label.Param < len(im.s.args) && f.Label.Path == "" {
		for _, l := range im.s.args[f.Label.Param].labels {
			add("", l)
		}
	}
	for _, p := range im.places(f.Label.Param, f.Label.Path) {
		im.in.walk(im.s.st, p, "", 0, make(map[loc]bool), add)
	}
	return out
}

// merge adds what a callee did to the object.
func (o *Object) merge(callee Object) {
	if o.Type == "" {
		o.Type = callee.Type
	}
	if o.GVK == "" {
		o.GVK = callee.GVK
	}
	o.OwnersUnknown = o.OwnersUnknown || callee.OwnersUnknown
	o.Live = o.Live || callee.Live
	for _, w := range callee.Owners {
		if !slices.Contains(o.Owners, w) {
			o.Owners = append(o.Owners, w)
		}
	}
	o.Fields = append(o.Fields, callee.Fields...)
	if len(o.Fields) > maxFields {
		o.Fields = o.Fields[:maxFields]
	}
	o.Parts = append(o.Parts, callee.Parts...)
}

// callback runs a function of the caller's that the callee calls.
func (im *importer) callback(cb *Callback) {
	in, fr := im.in, im.fr
	var args []value
	for _, a := range cb.Args {
		args = append(args, im.value(a))
	}
	wasGo, wasMaybe := fr.inGo, fr.maybe
	fr.inGo = fr.inGo || cb.Go
	fr.maybe = fr.maybe || cb.maybe
	defer func() { fr.inGo, fr.maybe = wasGo, wasMaybe }()

	f := cb.Func
	if f.Param >= len(im.s.args) {
		return
	}
	if f.Method != "" {
		im.callMethods(cb, args)
		return
	}
	v := im.value(Val{Funcs: []FuncRef{f}})
	found := false
	for _, g := range v.funcs {
		sub := &callSite{instr: im.s.instr, args: args, vals: make([]ssa.Value, len(args)), st: im.s.st}
		im.returned(cb, in.invoke(fr, in.ofValue(g), g, sub))
		found = true
	}
	for _, p := range im.places(f.Param, f.Path) {
		if p.obj.param >= 0 {
			im.pass(cb, &FuncRef{Param: p.obj.param, Path: p.path}, args)
			found = true
		}
	}
	if !found || v.lost {
		in.escape(im.s.st, args)
	}
}

// escape notes that code that the analysis does not see gets hold of the
// arguments.
func (in *interp) escape(st *heap, args []value) {
	for _, a := range args {
		for _, r := range a.refs {
			if r.obj.param < 0 || r.path == "" {
				st.put(r.under("~opaque"), value{lost: true}, false)
			}
		}
	}
}

// pass hands a callback on: what is called is our own caller's.
func (im *importer) pass(cb *Callback, ref *FuncRef, args []value) {
	s := &callSite{
		instr: im.s.instr, args: args, vals: make([]ssa.Value, len(args)), st: im.s.st,
		sig: types.NewSignatureType(nil, nil, nil, nil, nil, false),
	}
	im.returned(cb, im.in.callback(im.fr, ref, s, make([]types.Type, len(cb.Results))))
}

// returned notes what a callback has returned.
func (im *importer) returned(cb *Callback, results []value) {
	for i, id := range cb.Results {
		if id == 0 || i >= len(results) {
			continue
		}
		if v, ok := im.results[id]; ok {
			im.results[id] = v.join(results[i])
		} else {
			im.results[id] = results[i]
		}
	}
}

// putResults puts what the callee did with the results of callbacks where these
// are: what it wrote into them, and where it put them.
func (im *importer) putResults() {
	if len(im.results) == 0 {
		return
	}
	for _, o := range im.sum.Objects {
		v, isResult := im.results[o.ID]
		for _, cell := range o.Cells {
			switch {
			case isResult:
				for _, r := range v.refs {
					im.put(r.under(cell.Path), cell.Val, false)
				}
			case im.refersToResult(cell.Val):
				im.put(loc{im.object(o.ID), cell.Path}, cell.Val, false)
			}
		}
	}
	for _, ch := range im.sum.Changes {
		if im.refersToResult(ch.Val) {
			for _, d := range im.places(ch.Param, ch.Path) {
				im.put(d, ch.Val, false)
			}
		}
	}
}

func (im *importer) refersToResult(v Val) bool {
	return slices.ContainsFunc(v.Refs, func(r Ref) bool {
		_, ok := im.results[r.Obj]
		return ok && r.Param < 0
	})
}

// callMethods runs the method cb.Func.Method of the objects that the parameter
// holds.
func (im *importer) callMethods(cb *Callback, args []value) {
	in, fr, f := im.in, im.fr, cb.Func
	v := im.value(Val{Refs: []Ref{{Param: f.Param, Path: f.Path}}})
	for _, r := range v.refs {
		sub := func(recv loc) *callSite {
			s := &callSite{instr: im.s.instr, args: slices.Clone(args), vals: make([]ssa.Value, len(args)), st: im.s.st}
			if len(s.args) > 0 {
				s.args[0] = refTo(recv)
			}
			return s
		}
		run := func(typeName string, recv loc) bool {
			m, ok := in.method(typeName, f.Method, recv)
			if !ok {
				return false
			}
			s := sub(recv)
			if len(m.recv) > 0 && len(s.args) > 0 {
				s.args[0], m.recv = m.recv[0], nil
			}
			im.returned(cb, in.invoke(fr, m, nil, s))
			return true
		}
		if run(in.typeNameOf(r), r) {
			continue
		}
		t, field := staticAt(r)
		found := false
		if t != nil && types.IsInterface(t) {
			for _, name := range in.candidates(field, t) {
				found = run(name, in.standIn(im.s.instr, name)) || found
			}
		}
		if !found && r.obj.param >= 0 {
			im.pass(cb, &FuncRef{Param: r.obj.param, Path: r.path, Method: f.Method}, sub(r).args)
		}
	}
}

// invoke interprets a call that a callee makes of a function of this package,
// or of one that it knows.
func (in *interp) invoke(fr *frame, c callee, f *fval, s *callSite) []value {
	if len(c.recv) > 0 {
		s.args = append(slices.Clone(c.recv), s.args...)
		s.vals = append([]ssa.Value{nil}, s.vals...)
	}
	switch {
	case c.param != nil || c.name == "" && c.fn == nil:
		return nil
	case c.lit != nil:
		s.sig = types.NewSignatureType(nil, nil, nil, nil, nil, false)
		return in.literalCall(fr, c, s)
	case c.f != nil:
		s.sig = f.fn.Signature
		return in.inline(fr, f, s.args, s)
	case c.fn != nil:
		s.sig = c.fn.Signature
		return in.instantiate(fr, in.summaries[c.fn], c, s, false)
	case c.obj != nil:
		s.sig = c.obj.Signature()
		if sum := in.imported(c.obj); sum != nil {
			return in.instantiate(fr, sum, c, s, true)
		}
	}
	return nil
}
