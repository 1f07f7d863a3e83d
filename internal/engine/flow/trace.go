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

// A drop says that a label went no further, because of a guard or because what it
// is the order of is sorted.
type drop struct {
	label    Label // without what tells variants of one label apart
	guard    text.Cond
	sorted   place.Place
	inCallee bool // in a function that is called
}

func (d drop) why() string {
	if !d.sorted.IsZero() {
		return "it is sorted at " + d.sorted.String()
	}
	return "it is guarded by " + d.guard.String()
}

// A Drop says why a source that is written somewhere in a function's call tree
// goes no further.
type Drop struct {
	Source Label
	Why    string
}

// Drops returns the sources in the call tree of fn that go no further, as far as
// that is decided in it. There are none unless the analysis is traced.
func (p *Package) Drops(fn *ssa.Function) []Drop {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events(fn) // interprets it
	if p.a == nil || p.a.summaries[fn] == nil {
		return nil
	}
	var drops []Drop
	for _, d := range p.a.summaries[fn].drops {
		if d.label.Kind >= Clock {
			drops = append(drops, Drop{d.label, d.why()})
		}
	}
	return drops
}

// limits are the bounds that interpreting a function has come to.
type limits uint8

const (
	limitSteps limits = 1 << iota
	limitRounds
	limitEvents
	limitCallbacks
	limitFields
	limitObjects
	limitCells
	limitValues
)

var limitNames = map[limits]string{
	limitSteps: "steps", limitRounds: "rounds of a loop", limitEvents: "events", limitCallbacks: "calls of the caller's functions",
	limitFields: "labels of an object", limitObjects: "objects of the summary", limitCells: "cells of the summary",
	limitValues: "places or labels of a value",
}

// A Bounded is a function that is analysed in part, because something has come to
// its bound.
type Bounded struct {
	Func   *ssa.Function
	Bounds string // "steps, events"
}

// Bounded returns the functions of the package that are analysed in part, in source
// order.
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

// Condition returns guard number i as the source has it, if the analysis is
// traced.
func (ev *Event) Condition(i int) text.Cond {
	if i < len(ev.conds) {
		return ev.conds[i]
	}
	return text.Cond{}
}

// conditions returns the guards as the source has them, if the analysis is
// traced.
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

// conditions returns the conditions of an event of the callee as those of one of
// the caller's, if the analysis is traced.
func (im *importer) conditions(src *Event) []text.Cond {
	if !im.in.traced {
		return nil
	}
	conds := make([]text.Cond, len(src.Guards)) // those of other packages are not known
	copy(conds, src.conds)
	return append(conds, im.in.conditions(im.fr.guards)...)
}

// traceDrops notes which labels are left out under the guards, if the analysis is
// traced.
func (in *interp) traceDrops(before, after labels, guards []guard) {
	if !in.traced {
		return
	}
	for _, l := range before {
		if l.Kind == State || slices.ContainsFunc(after, func(m Label) bool { return compareLabels(l, m) == 0 }) {
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

// plainly returns a label without what tells variants of it apart.
func canonical(l Label) Label {
	return Label{Kind: l.Kind, What: l.What, At: l.At, Param: l.Param, Path: l.Path, Pos: l.Pos, End: l.End}
}

// traceSorted notes which sources the call leaves out that puts the sequence at r
// in order, if the analysis is traced.
func (in *interp) traceSorted(st *heap, r loc, s *callSite) {
	if !in.traced {
		return
	}
	for _, l := range in.order(st, r) {
		if l.isOrder() {
			in.drops[drop{label: canonical(l), sorted: in.at(s.instr.Pos())}] = true
		}
	}
}

// traceBelow notes what a callee leaves out, if the analysis is traced.
func (im *importer) traceBelow() {
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

// traceHeapDrops is traceDrops for what a heap holds.
func (in *interp) traceHeapDrops(before, after *heap, guards []guard) {
	if !in.traced || before == after {
		return
	}
	for o, cells := range before.objs {
		if after.objs[o] == cells {
			continue
		}
		for p, v := range cells.m {
			in.traceDrops(v.labels, after.objs[o].m[p].labels, guards)
		}
	}
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
