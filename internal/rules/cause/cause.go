// Package cause answers which findings have one cause, and names the others where
// only the first is shown: "and 7 more kinds: rbacv1.Role (rbac.go:12), …".
package cause

import (
	"fmt"
	"slices"
	"strings"
)

// A Cause says what makes a finding, as far as an engine knows it. The zero Cause
// is that of no other finding.
//
// Findings of one rule are one if they are at the same place, or if all that causes
// those at one place causes those at the other, and if they claim the same. The words
// of their messages do not matter.
type Cause struct {
	// Key identifies what makes the finding: the loop, the write, the builder. It
	// means the same in all packages.
	Key string
	// Claim is what the finding says, apart from the kind and the place: "drift is
	// never repaired".
	Claim string
	// Kind names the kind of object that the finding is about, if it is about one.
	Kind string
	// Place is what a finding is reported at: "call", "controller".
	Place string
}

// An Item is what [Groups] needs to know about a finding.
type Item struct {
	Rule  string
	At    string // where it is, in a form that differs from place to place
	Place string // the same for people
	Cause Cause
}

// A Group is the findings of one cause, by place. It has at least one, and so has
// each place.
type Group[F any] [][]F

// First is the finding that stands for the group.
func (g Group[F]) First() F { return g[0][0] }

// Groups returns the findings by cause. Groups are in the order of their first
// findings, and so are the places and findings in them.
func Groups[F any](findings []F, item func(F) Item) []Group[F] {
	var places []place
	byPlace := make(map[[3]string]int)
	for i, f := range findings {
		it := item(f)
		at := [3]string{it.Rule, it.At, it.Cause.Claim}
		known, ok := byPlace[at]
		if !ok || it.Cause.Key == "" {
			known = len(places)
			places = append(places, place{rule: it.Rule, claim: it.Cause.Claim})
		}
		if it.Cause.Key != "" {
			byPlace[at] = known
			places[known].keys = append(places[known].keys, it.Cause.Key)
		}
		places[known].findings = append(places[known].findings, i)
	}
	var groups []Group[F]
	byCause := make(map[string]int)
	for _, p := range places {
		cause := p.cause()
		known, ok := byCause[cause]
		if !ok || cause == "" {
			known = len(groups)
			groups = append(groups, nil)
		}
		if cause != "" {
			byCause[cause] = known
		}
		var there []F
		for _, i := range p.findings {
			there = append(there, findings[i])
		}
		groups[known] = append(groups[known], there)
	}
	return groups
}

// A place has findings of one rule with one claim.
type place struct {
	rule, claim string
	keys        []string
	findings    []int
}

// cause identifies all that causes the findings, "" if nothing is known of it.
func (p place) cause() string {
	if len(p.keys) == 0 {
		return ""
	}
	keys := slices.Clone(p.keys)
	slices.Sort(keys)
	return fmt.Sprintf("%q", append([]string{p.rule, p.claim}, slices.Compact(keys)...))
}

// More names the findings of the group apart from the first, or returns "" if there
// are none. It names at most a number of them.
func (g Group[F]) More(item func(F) Item, most int) string {
	var parts []string
	add := func(noun string, names []string) {
		if len(names) == 0 {
			return
		}
		more := fmt.Sprintf("%d more %s", len(names), noun)
		if len(names) > 1 {
			more += "s"
		}
		if len(names) > most {
			names = append(names[:most:most], "…")
		}
		parts = append(parts, "and "+more+": "+strings.Join(names, ", "))
	}
	here := kinds(g[0], item)
	add("kind", here[min(len(here), 1):])
	var others []string
	for _, there := range g[1:] {
		name := item(there[0]).Place
		if of := kinds(there, item); !slices.Equal(slices.Sorted(slices.Values(of)), slices.Sorted(slices.Values(here))) {
			name = strings.Join(of, ", ") + " (" + name + ")"
		}
		others = append(others, name)
	}
	add(item(g.First()).Cause.Place, others)
	return strings.Join(parts, "; ")
}

// kinds returns the kinds that findings are about, each once.
func kinds[F any](findings []F, item func(F) Item) []string {
	var kinds []string
	for _, f := range findings {
		if kind := item(f).Cause.Kind; kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
