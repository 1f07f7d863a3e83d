package flow

import (
	"cmp"
	"go/token"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// forExport returns the summary as a fact: without positions, loops and SSA
// values, which only this package can interpret.
func (s *Summary) forExport() *Summary {
	out := *s
	out.Results = exportVals(s.Results)
	out.Objects = slices.Clone(s.Objects)
	for i := range out.Objects {
		cells := slices.Clone(out.Objects[i].Cells)
		for j := range cells {
			cells[j].Val = exportVal(cells[j].Val)
		}
		out.Objects[i].Cells = cells
	}
	out.Changes = slices.Clone(s.Changes)
	for i := range out.Changes {
		out.Changes[i].Val = exportVal(out.Changes[i].Val)
	}
	out.Callbacks = nil
	for _, cb := range s.Callbacks {
		out.Callbacks = append(out.Callbacks, Callback{Func: cb.Func, Args: exportVals(cb.Args), Go: cb.Go, Rounds: cb.Rounds, Results: cb.Results, Guards: exportGuards(cb.Guards)})
	}
	out.Verdicts = slices.Clone(s.Verdicts)
	for i, v := range s.Verdicts {
		out.Verdicts[i].Yes.Labels = exportLabels(v.Yes.Labels)
		out.Verdicts[i].No.Labels = exportLabels(v.No.Labels)
		out.Verdicts[i].Yes.Settings = exportLabels(v.Yes.Settings)
		out.Verdicts[i].No.Settings = exportLabels(v.No.Settings)
	}
	out.Events = nil
	for _, ev := range s.Events {
		ev.Pos, ev.End = token.NoPos, token.NoPos
		ev.Args = exportArgs(ev.Args)
		ev.Guards = exportGuards(ev.Guards)
		out.Events = append(out.Events, ev)
	}
	return &out
}

func exportVals(vs []Val) []Val {
	out := make([]Val, len(vs))
	for i, v := range vs {
		out[i] = exportVal(v)
	}
	return out
}

func exportVal(v Val) Val {
	v.Labels = exportLabels(v.Labels)
	bound := make([]Bound, len(v.Bound))
	for i, b := range v.Bound {
		bound[i] = Bound{Name: b.Name, Captured: exportVals(b.Captured)}
	}
	v.Bound = bound
	return v
}

func exportLabels(ls []Label) []Label {
	out := make([]Label, len(ls))
	for i, l := range ls {
		l.Pos, l.End, l.loop = token.NoPos, token.NoPos, nil
		out[i] = l
	}
	return out
}

func exportGuards(gs [][]Label) [][]Label {
	out := make([][]Label, len(gs))
	for i, g := range gs {
		out[i] = exportLabels(g)
	}
	return out
}

func exportArgs(as []Arg) []Arg {
	out := make([]Arg, len(as))
	for i, a := range as {
		a.Labels = exportLabels(a.Labels)
		a.Objects = slices.Clone(a.Objects)
		for j := range a.Objects {
			o := &a.Objects[j]
			fields := slices.Clone(o.Fields)
			for k := range fields {
				fields[k].Label = exportLabels([]Label{fields[k].Label})[0]
			}
			o.Fields = fields
			o.PassedPos, o.PassedEnd = token.NoPos, token.NoPos
			if len(o.Named) > 0 {
				o.Named = exportLabels(o.Named)
			}
			parts := slices.Clone(o.Parts)
			for k := range parts {
				parts[k].Arg = exportArgs([]Arg{parts[k].Arg})[0]
			}
			o.Parts = parts
		}
		out[i] = a
	}
	return out
}

// An exporter makes a summary of the interpreter's final state.
type exporter struct {
	in    *interp
	st    *heap
	out   *Summary
	ids   map[*object]bool
	cells int
	depth int // of function values captured by function values
	queue []queued
	// leading has the objects of heaps that lead to sources, once there are too many objects.
	leading map[*heap]map[*object]bool
}

// summarize returns the summary of the function just interpreted.
func (in *interp) summarize(fr *frame) *Summary {
	ex := &exporter{in: in, st: fr.exit, out: &Summary{Sorts: in.sorts}, ids: make(map[*object]bool), leading: make(map[*heap]map[*object]bool)}
	if ex.st == nil {
		ex.st = newHeap()
	}
	for _, v := range fr.result {
		ex.out.Results = append(ex.out.Results, ex.val(v))
	}
	for _, o := range in.paramObjects(fr) {
		for _, p := range ex.st.sortedPaths(o) {
			v := ex.st.cells(o).m[p]
			// An empty value matters, too: it replaces what was there.
			if v.weak && !ex.isRelevant(v, p) && !hasKeys(o, p) || ex.cells > maxSummaryCells {
				continue
			}
			ex.cells++
			ex.out.Changes = append(ex.out.Changes, Change{Param: o.param, Path: p, Val: ex.val(v), Weak: v.weak})
		}
	}
	ex.out.Refreshed = paramPaths(in.refreshed)
	ex.out.Earlier = in.furtherParams()
	ex.out.Sorted = paramPaths(in.sorted)
	for _, ev := range sortedEvents(in.events) {
		ex.out.Events = append(ex.out.Events, *ev)
	}
	ex.out.Reads = in.sortedReads()
	ex.out.Shows = in.sortedShows()
	keys := slices.SortedFunc(maps.Keys(in.calls), func(a, b callbackKey) int { return cmp.Compare(in.calls[a].seq, in.calls[b].seq) })
	for _, k := range keys {
		cb := *in.calls[k]
		cb.Go = cb.inGo
		for _, a := range cb.args {
			cb.Args = append(cb.Args, ex.valIn(a, cb.heap))
		}
		cb.args, cb.heap = nil, nil // a summary lives on
		ex.out.Callbacks = append(ex.out.Callbacks, cb)
	}
	ex.out.Verdicts = in.verdicts(fr)
	ex.out.Asks, ex.out.Sets = in.askedBy(fr.fn), in.statusFieldsSet(fr.fn)
	ex.out.AtOnce = in.atOnce(fr.fn)
	ex.out.Decisions = ex.decisions(keys)
	ex.drain()
	ex.dropRepeated(keys)
	if ex.cells > maxSummaryCells {
		in.limits |= limitCells
	}
	ex.out.Requires = required(fr.fn)
	ex.out.Filled = in.filledBy(fr.fn)
	ex.out.Lengthened, ex.out.Reread = in.lengthenedBy(fr.fn), in.rereadBy(fr)
	return ex.out
}

// dropRepeated drops the callbacks that tell a caller nothing new. The keys are those of
// the callbacks, in order. What prints a value calls its methods at a hundred places:
//
//	switch verb {
//	case 'v', 's': return v.String()
//	case 'q': return quote(v.String())
//	}
func (ex *exporter) dropRepeated(keys []callbackKey) {
	var kept []Callback
	at := make([]int, len(ex.out.Callbacks)) // the index in kept of each callback, or of what it repeats
	of := make(map[FuncRef][]int)            // indices in kept
	for i, cb := range ex.out.Callbacks {
		cb.Results = slices.Clone(cb.Results)
		for k := range cb.Results {
			if o := ex.in.objects[site{at: keys[i], nth: int32(k)}]; o == nil || !o.referred {
				cb.Results[k] = 0
			}
		}
		if j := slices.IndexFunc(of[cb.Func], func(j int) bool { return kept[j].equal(&cb) }); j >= 0 {
			at[i] = of[cb.Func][j]
			continue
		}
		at[i] = len(kept)
		of[cb.Func] = append(of[cb.Func], at[i])
		kept = append(kept, cb)
	}
	ex.out.Callbacks = kept
	for i, d := range ex.out.Decisions {
		if d.Callback > 0 {
			ex.out.Decisions[i].Callback = 1 + at[d.Callback-1]
		}
	}
}

func paramPaths(m map[loc]bool) []ParamPath {
	var ps []ParamPath
	for r := range m {
		ps = append(ps, ParamPath{r.obj.param, r.path})
	}
	slices.SortFunc(ps, func(a, b ParamPath) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), access.Compare(a.Path, b.Path))
	})
	return ps
}

// overrides reports whether the cell at p replaces a part of what an enclosing
// cell refers to.
func overrides(c *cells, p access.Path) bool {
	if c.m[p].weak {
		return false
	}
	for !p.IsRoot() {
		p = p.Parent()
		if len(c.m[p].refs) > 0 {
			return true
		}
	}
	return false
}

// isRelevant reports whether a caller needs the value v at a path.
func (ex *exporter) isRelevant(v value, path access.Path) bool {
	if last := path.Last(); last.Kind == access.Mark && last.Marker == access.Found {
		return !v.weak && v.constant != ""
	}
	if len(v.refs) > 0 || len(v.funcs) > 0 || path.HasMarker() || path.LastField() == "ResourceVersion" {
		return true
	}
	if v.constant != "" {
		switch path.LastField() {
		case "Kind", "APIVersion", "Group", "Version", "Resource", "Controller", "Type":
			return true
		}
		return path.IsRoot() || v.constant == "true" || v.constant == "false"
	}
	return slices.ContainsFunc(v.labels, func(l Label) bool { return l.Kind != State })
}

func (ex *exporter) val(v value) Val { return ex.valIn(v, ex.st) }

func (ex *exporter) valIn(v value, st *heap) Val {
	if len(v.labels) == maxLabels || len(v.refs) == maxRefs {
		ex.in.limits |= limitValues
	}
	out := Val{Const: v.constant, Unknown: v.unknown, Several: v.several, Copy: v.copy && len(v.refs) > 0, Entries: v.entries && len(v.refs) > 0, Ending: v.ending}
	for _, l := range v.labels {
		if l.Kind == Kept && l.Param < 0 {
			continue
		}
		l.of = nil
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
			if out.Entries && slices.Contains(v.lacked, r) {
				out.Lacked = append(out.Lacked, Ref{Param: r.obj.param, Path: r.path})
			}
			continue
		}
		if ex.object(r.obj, st) {
			out.Refs = append(out.Refs, Ref{Obj: r.obj.summaryID(), Param: -1, Path: r.path})
		} else {
			out.Unknown = true
		}
	}
	return out
}

// A queued object is exported, but its cells are not yet.
type queued struct {
	at  int
	obj *object
	st  *heap
}

// object exports o and queues its cells. It returns false if there are too many
// objects.
func (ex *exporter) object(o *object, st *heap) bool {
	if ex.ids[o] {
		return true
	}
	if n := len(ex.ids); n >= maxSummaryObjects && (n >= 2*maxSummaryObjects || !ex.leadsToSource(o, st)) {
		ex.in.limits |= limitObjects
		return false
	}
	ex.ids[o] = true
	at := len(ex.out.Objects)
	ex.out.Objects = append(ex.out.Objects, Obj{
		ID: o.summaryID(), Type: ex.in.typeNameOf(loc{obj: o}), From: o.from,
		Live: st.live(o), Opaque: o.opaque || o.symbolic && o.name == "", Copy: copyOf(o), When: o.when, Scope: o.scope, Exposed: o.exposed, Cached: o.cached,
	})
	ex.queue = append(ex.queue, queued{at, o, st})
	return true
}

// leadsToSource reports whether what is reachable from o depends on a source.
func (ex *exporter) leadsToSource(o *object, st *heap) bool {
	leading, ok := ex.leading[st]
	if !ok {
		leading = st.leadingToSources()
		ex.leading[st] = leading
	}
	return leading[o]
}

// drain exports the cells of the queued objects, breadth first: if there are too
// many, the deepest are left out.
func (ex *exporter) drain() {
	for len(ex.queue) > 0 {
		next := ex.queue[0]
		ex.queue = ex.queue[1:]
		o, st := next.obj, next.st
		var cells []Cell
		parts := ex.in.partPaths(ex.out.Objects[next.at].Type) // of Object.Parts
		for _, p := range st.sortedPaths(o) {
			v := st.cells(o).m[p]
			if p.IsOrder() && ex.in.sortedInLoop[o] {
				continue
			}
			if !ex.isRelevant(v, p) && !overrides(st.cells(o), p) && !slices.Contains(parts, p) {
				if !hasKeys(o, p) {
					continue
				}
				v = value{weak: v.weak} // only the key matters
			}
			if ex.cells > maxSummaryCells {
				continue
			}
			ex.cells++
			cells = append(cells, Cell{p, ex.valIn(v, st)})
		}
		ex.out.Objects[next.at].Cells = cells
	}
}
