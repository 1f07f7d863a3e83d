// Package mutant takes protective code out of an operator, one place at a time.
//
// A mutant is a module with one such change. [Collect] type-checks a module once
// and lists its mutants. [Mutant.Source] returns the changed file, which
// compiles: imports and variables that nothing uses any more are taken care of.
// The kinds of mutants are in the table [Kinds], and what they look for in files
// by subject: order.go, watch.go, cancel.go and value.go.
//
// Functions and types are known by the records of package library.
package mutant

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A Kind is a kind of mutants.
type Kind struct {
	Name string
	// Group is a name for several kinds at once.
	Group string
	// Rules are those of which one ought to notice a mutant.
	Rules []string
	// Takes says what is taken out.
	Takes string
}

// Kinds has all kinds, sorted by name.
func Kinds() []Kind {
	return []Kind{
		{"blind", "", []string{"blindpredicate"}, "the updates of an owned kind without generation (a GenerationChangedPredicate is put in)"},
		{"condition", "", []string{"unstablewrite"}, "a SetStatusCondition, replaced by an append"},
		{"detach", "", []string{"deadcleanup", "ctxloop"}, "a context.WithoutCancel, or the context.Background() of a deferred function that has a context around it, or of code behind the end of one"},
		{"done", "", []string{"ctxloop"}, "the Done case of a select in a loop"},
		{"generated", "", []string{"unstablewrite"}, "the test whether there is a value already, around one that is generated: a password, a key, a UUID"},
		{"oldtime", "", []string{"unstablewrite"}, "the test that keeps an old time"},
		{"ownerref", "", []string{"missingwatch"}, "a controller reference"},
		{"owns", "", []string{"missingwatch"}, "an Owns of a builder"},
		{"poll", "", []string{"ctxloop"}, "the context of a poll or retry, replaced by context.Background()"},
		{"sort", "sorts", []string{"unstablewrite"}, "a sort"},
		{"sortbuilder", "sorts", []string{"unstablewrite"}, "a sort in a function that returns an API object, a part of one, or a Spec"},
		{"sortkeys", "sorts", []string{"unstablewrite"}, "the order of a sorted list of a map's keys or a set's members"},
		{"watches", "", []string{"missingwatch"}, "a Watches of a builder"},
	}
}

// KindNamed returns the kind with the name.
func KindNamed(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}

// A Mutant is a change of one file of a module that takes something protective
// out of it.
type Mutant struct {
	Kind string
	File string // relative to the module's directory, with slashes
	Line int
	What string // the code taken out, on one line and shortened

	path  string // of the file
	edits []edit
	unit  *unit
}

// Shown returns the mutant in one line.
func (m *Mutant) Shown() string {
	return strings.Join([]string{m.Kind, fmt.Sprintf("%s:%d", m.File, m.Line), m.What}, "\t")
}

// Diff returns the mutant as a patch. The error says why it does not compile.
func (m *Mutant) Diff() ([]byte, error) {
	src, err := m.Source()
	if err != nil {
		return nil, err
	}
	old, err := os.ReadFile(m.path)
	if err != nil {
		return nil, err
	}
	return diff.Diff("a/"+m.File, old, "b/"+m.File, src), nil
}

// An edit replaces the bytes between two offsets of a file.
type edit struct {
	from, to int
	text     string
}

func remove(from, to int) edit { return edit{from: from, to: to} }

// apply returns the source with the edits made. They do not overlap.
func apply(src []byte, edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		src = slices.Concat(src[:e.from], []byte(e.text), src[e.to:])
	}
	return src
}

// shorten returns code on one line, cut where it is long.
func shorten(code string) string {
	const most = 90
	code = strings.Join(strings.Fields(code), " ")
	if runes := []rune(code); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return code
}

// Spread returns n elements of all, evenly spread. It returns all if n is 0 or
// there are no more.
func Spread[T any](all []T, n int) []T {
	if n <= 0 || len(all) <= n {
		return all
	}
	some := make([]T, n)
	for i := range some {
		some[i] = all[i*len(all)/n]
	}
	return some
}
