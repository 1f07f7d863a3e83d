package flow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// A drop says that a label went no further because of a guard.
type drop struct {
	label Label // without what tells variants of one label apart
	guard text.Cond
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
)

var limitNames = map[limits]string{
	limitSteps: "steps", limitRounds: "rounds of a loop", limitEvents: "events", limitCallbacks: "calls of the caller's functions",
	limitFields: "labels of an object", limitObjects: "objects of the summary", limitCells: "cells of the summary",
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
				in.drops[drop{Label{Kind: l.Kind, What: l.What, At: l.At, Param: l.Param, Path: l.Path}, in.condition(g)}] = true
				break
			}
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
		return cmp.Or(cmp.Compare(x.guard.Pos, y.guard.Pos), strings.Compare(x.guard.Text, y.guard.Text), compareLabels(x.label, y.label))
	})
}
