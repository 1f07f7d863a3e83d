package flow

import (
	"cmp"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// A drop says that a label was removed from a value: because of a guard, or
// because a sequence was sorted.
type drop struct {
	label    Label // see canonical
	guard    text.Cond
	sorted   place.Place
	inCallee bool
}

func (d drop) why() string {
	if !d.sorted.IsZero() {
		return "it is sorted at " + d.sorted.String()
	}
	return "it is guarded by " + d.guard.String()
}

// A Drop says why the label of a source was removed from a value in a function's
// call tree.
type Drop struct {
	Source Label
	Why    string
}

// Drops returns the sources in the call tree of fn whose labels were removed
// there, with the reasons. There are none unless the analysis is traced.
func (p *Package) Drops(fn *ssa.Function) []Drop {
	p.mu.Lock()
	defer p.mu.Unlock()
	var drops []Drop
	for _, d := range p.summary(fn).drops {
		if d.label.Kind >= Clock {
			drops = append(drops, Drop{d.label, d.why()})
		}
	}
	return drops
}

// limits is the set of bounds that were exceeded when a function was interpreted.
type limits uint16

const (
	limitSteps limits = 1 << iota
	limitRounds
	limitEvents
	limitCallbacks
	limitFields
	limitObjects
	limitCells
	limitValues
	limitNesting
	limitCandidates

	// widened are the bounds beyond which a value says that it may be something
	// else, too. They leave no gap in what is known.
	widened = limitObjects | limitValues
)

var limitNames = map[limits]string{
	limitSteps: "steps", limitRounds: "rounds of a loop", limitEvents: "events", limitCallbacks: "calls of the caller's functions",
	limitFields: "labels of an object", limitObjects: "objects of the summary", limitCells: "cells of the summary",
	limitValues: "places or labels of a value", limitNesting: "nested calls", limitCandidates: "candidates of a call",
}

// A Gap is a function that is analysed in part: its callers may miss some of what
// it does.
type Gap struct {
	Func   string
	At     place.Place
	Bounds string // "steps, events"
}

func (g Gap) compare(h Gap) int {
	return cmp.Or(g.At.Compare(h.At), strings.Compare(g.Func, h.Func), strings.Compare(g.Bounds, h.Bounds))
}

// maxGaps bounds the gaps of a summary. One is enough to say that there are some.
const maxGaps = 4

// sortedGaps returns the functions that are analysed in part among fn and those
// that it calls.
func (in *interp) sortedGaps(fn *ssa.Function) []Gap {
	if missed := in.limits &^ widened; missed != 0 {
		in.gaps[Gap{fn.Name(), in.at(fn.Pos()), missed.String()}] = true
	}
	all := slices.SortedFunc(maps.Keys(in.gaps), Gap.compare)
	return all[:min(len(all), maxGaps)]
}

// Gaps returns the functions in the call tree of fn that are analysed in part,
// the first ones, sorted. That fn has too many cells for its summary matters to
// its callers alone.
func (p *Package) Gaps(fn *ssa.Function) []Gap {
	p.mu.Lock()
	defer p.mu.Unlock()
	gaps := p.summary(fn).Gaps
	if len(gaps) == 0 {
		return nil
	}
	own := Gap{fn.Name(), p.a.at(fn.Pos()), limitCells.String()}
	return slices.DeleteFunc(slices.Clone(gaps), func(g Gap) bool { return g == own })
}

// A Bounded is a function that is analysed in part, because it exceeds a bound.
type Bounded struct {
	Func   *ssa.Function
	Bounds string // "steps, events"
}

// Bounded returns the functions of the package that are analysed in part, in
// source order.
func (p *Package) Bounded() []Bounded {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a == nil {
		return nil
	}
	var all []Bounded
	for _, fn := range p.a.ssa.Funcs {
		if sum := p.a.summaries[fn]; sum != nil && sum.limits != 0 {
			all = append(all, Bounded{fn, sum.limits.String()})
		}
	}
	return all
}

func (l limits) String() string {
	var names []string
	for _, bit := range slices.Sorted(maps.Keys(limitNames)) {
		if l&bit != 0 {
			names = append(names, limitNames[bit])
		}
	}
	return strings.Join(names, ", ")
}

// Condition returns the source of guard number i, if the analysis is traced.
func (ev *Event) Condition(i int) text.Cond {
	if i < len(ev.conds) {
		return ev.conds[i]
	}
	return text.Cond{}
}

// conditions returns the source of the guards, if the analysis is traced.
func (in *interp) conditions(guards []guard) []text.Cond {
	if !in.traced {
		return nil
	}
	conds := make([]text.Cond, len(guards))
	for i, g := range guards {
		conds[i] = in.condition(g)
	}
	return conds
}

func (in *interp) condition(g guard) text.Cond {
	if g.cond == nil {
		return text.Cond{}
	}
	return text.CondOf(in.pass.Fset, in.pass.Files, g.cond, g.branch)
}

// appendCondition appends the source of the guard i of a callee's event, if the
// analysis is traced.
func (im *importer) appendCondition(conds []text.Cond, src *Event, i int) []text.Cond {
	switch {
	case !im.in.traced:
		return nil
	case i < len(src.conds):
		return append(conds, src.conds[i])
	}
	return append(conds, text.Cond{}) // of another package
}

// traceDrops notes the labels that the guards removed, if the analysis is traced.
func (in *interp) traceDrops(before, after labels, guards []guard) {
	if !in.traced {
		return
	}
	for _, l := range before {
		kept := func(m Label) bool {
			m.Given = l.Given // the caller decides
			return compareLabels(l, m) == 0
		}
		if l.Kind == State || slices.ContainsFunc(after, kept) {
			continue
		}
		for _, g := range guards {
			if !Feeds(l, g.labels) {
				in.drops[drop{label: canonical(l), guard: in.condition(g)}] = true
				break
			}
		}
	}
}

// canonical returns one label for all variants of l: items, fixed orders and
// appended content.
func canonical(l Label) Label {
	return Label{Kind: l.Kind, What: l.What, At: l.At, Param: l.Param, Path: l.Path, Pos: l.Pos, End: l.End}
}

// traceSorted notes the orders that the call s removes by sorting the sequence at
// r, if the analysis is traced.
func (in *interp) traceSorted(st *heap, r loc, s *callSite) {
	if !in.traced {
		return
	}
	for _, l := range in.order(st, r) {
		if l.IsOrder() {
			in.drops[drop{label: canonical(l), sorted: in.at(s.instr.Pos())}] = true
		}
	}
}

// traceCalleeDrops adds the drops of the callee, if the analysis is traced.
func (im *importer) traceCalleeDrops() {
	if !im.in.traced {
		return
	}
	for _, d := range im.sum.drops {
		if d.label.Kind >= Clock {
			d.inCallee = true
			if im.foreign {
				d.label.Pos, d.label.End, d.guard.Pos = token.NoPos, token.NoPos, token.NoPos
			}
			im.in.drops[d] = true
		}
	}
}

// traceHeapDrops is traceDrops for the cells of a heap.
func (in *interp) traceHeapDrops(before, after *heap, guards []guard) {
	if !in.traced || before == after {
		return
	}
	diff(before.objs, after.objs, func(_ *object, bc, ac *cells) bool {
		if bc == nil {
			return true // only what it had before was replaced
		}
		for p, v := range bc.m {
			in.traceDrops(v.labels, ac.m[p].labels, guards)
		}
		return true
	})
}

func (in *interp) sortedDrops() []drop {
	return slices.SortedFunc(maps.Keys(in.drops), func(x, y drop) int {
		return cmp.Or(cmp.Compare(x.guard.Pos, y.guard.Pos), strings.Compare(x.guard.String(), y.guard.String()),
			x.sorted.Compare(y.sorted), compareLabels(x.label, y.label), btoi(x.inCallee)-btoi(y.inCallee))
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
