package flow

import (
	"cmp"
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/place"
)

// Kind says what a label stands for.
type Kind uint8

const (
	// Content is what lies under a parameter. It is a symbol: a caller replaces
	// it with the labels of its argument.
	Content Kind = iota
	// Returned is a string that a function returns which the caller passes in, the order of
	// a list, or what that function puts at a path of an object that it gets. It is a symbol,
	// too: Param is the ID of the result in [Callback.Results], or that of the object.
	Returned
	// Key is content by which an object was looked up. It is a symbol, too, and says that
	// the object is another one for each item. It only matters if items pass it.
	Key
	// Printed is what package fmt prints. It is a symbol, too: it is an address if the caller
	// passes something with pointers for it.
	Printed
	// Named is the name of an object, under a guard that the name does not feed. It is a symbol,
	// too. It only matters for the names of other objects.
	Named
	// State is content read from the API server or a cache. It only matters in
	// conditions. With What, it is the time of a clock that is read under a
	// guard.
	State
	// Clock, Random and Address are values that differ from call to call.
	Clock
	Random
	Address
	// MapOrder, ListOrder and Arrival are orders that differ from call to call: that of a
	// map's iteration, that of the items that a cache lists, and that in which goroutines
	// come to an end.
	MapOrder
	ListOrder
	Arrival
	// Grown marks a list that was read, and to which elements are appended each time.
	// Param and Path say which list it is. Param is -1 once it is known to be in an
	// object that was read.
	Grown
	// Kept marks a list that has all elements of the list at Path of an object that is
	// given or was read: that list, with more elements perhaps. It is no source.
	Kept
)

// A Label marks a value with something that it depends on.
type Label struct {
	Kind Kind

	// Item marks a value that is one element of an unordered sequence. It is
	// harmless until the elements are appended to a sequence again.
	Item bool

	// Fixed marks an order that has become part of a value (a joined string,
	// a hash), so that sorting no longer helps.
	Fixed bool

	// Appended marks content that is appended to the content of parameter Base.
	// The result is unordered if the appended content is an item.
	Appended bool
	Base     int

	// What names the source, "time.Now", and At is where it is. Content has
	// neither, and State only if it is the time.
	What string
	At   place.Place

	// Param and Path say which content it is, or which result. Keys is set if it is
	// that of the keys of the map there, without its values.
	Param int
	Path  access.Path
	Keys  bool

	// Without are constant keys of the map that has the content, with a zero byte behind each. The
	// label does not tell of their entries.
	Without string

	// Object is the TypeName of the object that has what is Grown, or "" as long as Param says
	// where that is.
	Object string

	// Given is set if the caller decides whether the value gets there: with a boolean
	// parameter, or by one of the decisions of the summary (see Decision). It is 1
	// plus the parameter's index if it must be true, the negative of that if it
	// must be false. A caller knows what it passes.
	Given int

	// Pos is where the source enters the package under analysis. It is not
	// part of a fact.
	Pos, End token.Pos

	// loop is the loop whose iteration an Item belongs to.
	loop *loop

	// of is the object that has the list that is Kept, or what is Grown.
	of *object
}

// IsSource reports whether the label marks a value that differs from reconcile to
// reconcile. It is false while a caller decides whether the value gets there.
func (l Label) IsSource() bool {
	return l.Kind >= Clock && l.Kind != Kept && !l.Item && l.Given == 0 && !(l.Kind == Grown && l.Param >= 0)
}

// IsTime reports whether the label marks the current time.
func (l Label) IsTime() bool { return l.Kind == Clock || l.Kind == State && l.What != "" }

// guarded returns the label that is left of l under a guard that l does not feed,
// if any is. The time becomes state: it may still feed further conditions.
func (l Label) guarded() (Label, bool) {
	if l.Kind == Clock {
		return Label{Kind: State, What: l.What}, true
	}
	if named, ok := l.asNamed(); ok {
		return named, true
	}
	return l, l.Kind == State
}

// asNamed returns what is left of the name of an object: that another object has it in its
// name.
func (l Label) asNamed() (Label, bool) {
	is := l.Kind == Named || l.Kind == Content && !l.Item && !l.Appended && isNameOrNamespace(l.Path.LastField()) && IsOfName(l.Path)
	return Label{Kind: Named, Param: l.Param, Path: l.Path}, is
}

// IsOrder reports whether the label marks an order.
func (l Label) IsOrder() bool { return MapOrder <= l.Kind && l.Kind <= Arrival }

// isReturnedOrder reports whether the label stands for the order of a list that a function
// of the caller returns.
func (l Label) isReturnedOrder() bool { return l.Kind == Returned && l.Path.IsOrder() }

// covers reports whether a condition fed by l is also fed by m.
func (l Label) covers(m Label) bool {
	if isVersion, _ := m.OfVersion(access.Path{}); isVersion && (l.Kind == Content || l.Kind == State) {
		return l.Path == m.Path
	}
	if l.Kind != m.Kind {
		return false
	}
	if l.Kind < Clock {
		return l.Param == m.Param && (m.Path.Within(l.Path) || m.Path.AnyEntry().Within(l.Path))
	}
	return l.What == m.What && l.At == m.At // Pos differs if several calls lead to it
}

// isReplacedBy reports whether m marks a value that differs each time as well, such as
// another reading of the clock.
func (l Label) isReplacedBy(m Label) bool {
	return l.Kind == m.Kind && l.IsSource() && m.IsSource() && !l.IsOrder() && l.Kind != Grown
}

// labels is a sorted set. It is immutable.
type labels []Label

// maxLabels bounds the labels of a value. Of more, content is merged first. See
// labels.bounded.
const maxLabels = 48

func compareLabels(a, b Label) int {
	if a.Kind != b.Kind {
		return int(a.Kind) - int(b.Kind)
	}
	if c := strings.Compare(a.What, b.What); c != 0 {
		return c
	}
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	if a.Param != b.Param {
		return a.Param - b.Param
	}
	if c := cmp.Or(access.Compare(a.Path, b.Path), strings.Compare(a.Object, b.Object), strings.Compare(a.Without, b.Without)); c != 0 {
		return c
	}
	if a.Pos != b.Pos {
		return int(a.Pos - b.Pos)
	}
	if a.End != b.End {
		return int(a.End - b.End)
	}
	if c := cmp.Or(a.Base-b.Base, a.Given-b.Given); c != 0 {
		return c
	}
	if c := a.bits() - b.bits(); c != 0 {
		return c
	}
	if a.of != nil && b.of != nil && a.of != b.of {
		return a.of.id - b.of.id
	}
	return a.loop.number() - b.loop.number()
}

func (l Label) bits() int {
	n := 0
	if l.Item {
		n |= 1
	}
	if l.Fixed {
		n |= 2
	}
	if l.Appended {
		n |= 4
	}
	if l.Keys {
		n |= 8
	}
	return n
}

func newLabels(ls ...Label) labels {
	s := labels(slices.Clone(ls))
	slices.SortFunc(s, compareLabels)
	s = slices.CompactFunc(s, func(a, b Label) bool { return compareLabels(a, b) == 0 })
	return s.bounded()
}

// bounded returns at most maxLabels labels. It merges content that lies under other
// content of the set. If that is not enough, it keeps the sources, because rules
// ask for them.
func (s labels) bounded() labels {
	if len(s) <= maxLabels {
		return s
	}
	kept := make(labels, 0, len(s))
	for _, l := range s { // content comes before that below it
		if l.Kind != Content || !slices.ContainsFunc(kept, l.isPartOf) {
			kept = append(kept, l)
		}
	}
	if over := len(kept) - maxLabels; over > 0 {
		first := sort.Search(len(kept), func(i int) bool { return kept[i].Kind >= Clock })
		from := max(first-over, 0)
		kept = slices.Delete(kept, from, first)
	}
	return kept[:min(len(kept), maxLabels):maxLabels]
}

// isPartOf reports whether l is content under m that differs from m in nothing
// else.
func (l Label) isPartOf(m Label) bool {
	if m.Kind != Content || l.Param != m.Param || !l.Path.Within(m.Path) {
		return false
	}
	l.Path = m.Path
	return l == m
}

// union returns the labels of both sets.
func (s labels) union(t labels) labels {
	switch {
	case len(t) == 0:
		return s
	case len(s) == 0:
		return t
	}
	i, j := 0, 0
	for i < len(s) && j < len(t) {
		c := compareLabels(s[i], t[j])
		if c > 0 {
			break
		}
		if c == 0 {
			j++
		}
		i++
	}
	if j == len(t) {
		return s
	}
	merged := append(make(labels, 0, len(s)+len(t)-j), s[:i]...)
	for i < len(s) && j < len(t) {
		switch c := compareLabels(s[i], t[j]); {
		case c < 0:
			merged = append(merged, s[i])
			i++
		case c > 0:
			merged = append(merged, t[j])
			j++
		default:
			merged = append(merged, s[i])
			i++
			j++
		}
	}
	merged = append(merged, s[i:]...)
	merged = append(merged, t[j:]...)
	if len(merged) == len(t) {
		return t
	}
	return merged.bounded()
}

// transform returns the set of f(l) for each label l, without those for which f
// returns false.
func (s labels) transform(f func(Label) (Label, bool)) labels {
	var out []Label
	same := true
	for i, l := range s {
		m, keep := f(l)
		if keep {
			out = append(out, m)
		}
		if !keep || compareLabels(m, s[i]) != 0 {
			same = false
		}
	}
	if same {
		return s
	}
	return newLabels(out...)
}

// withoutItems returns the labels without those of the order of items, of keys, and of
// what functions of the caller return: what is known of what a condition is about.
func (s labels) withoutItems() labels {
	return s.transform(func(l Label) (Label, bool) {
		return l, !l.Item && l.Kind != Key && l.Kind != Named && l.Kind != Returned
	})
}

// withoutKeys returns the labels without those of keys and names, which say nothing of what
// is asked of an object.
func (s labels) withoutKeys() labels {
	return s.transform(func(l Label) (Label, bool) { return l, l.Kind != Key && l.Kind != Named })
}

// asKey returns what the labels of a key say of an object that is looked up by it: it is
// another one for each item.
func (s labels) asKey() labels {
	return s.transform(func(l Label) (Label, bool) {
		if l.Kind == Content && !l.Item {
			l = Label{Kind: Key, Param: l.Param, Path: l.Path}
		}
		return l, l.Item || l.Kind == Key
	})
}

// named returns what the labels say of the names of other objects.
func (s labels) named() labels {
	return s.transform(func(l Label) (Label, bool) {
		if l.Kind == Content && l.Path.IsRoot() {
			l = Label{Kind: Named, Param: l.Param}
		}
		return l.asNamed()
	})
}

// items returns the labels that mark an item.
func (s labels) items() labels {
	return s.transform(func(l Label) (Label, bool) { return l, l.Item })
}

// hasItem reports whether one of the labels marks an item.
func (s labels) hasItem() bool { return slices.ContainsFunc(s, func(l Label) bool { return l.Item }) }

// fixed returns the labels of a scalar that is computed from a value with the
// labels s.
func (s labels) fixed() labels {
	return s.transform(func(l Label) (Label, bool) {
		if !l.Item && (l.IsOrder() || l.Kind == Content || l.Kind == Returned) {
			l.Fixed = true
		}
		return l, true
	})
}

// compared returns the labels of the answer to which of two values with the
// labels s is greater. The time changes that answer once. What a function of the
// caller returns may be the time.
func (s labels) compared() labels {
	return s.transform(func(l Label) (Label, bool) {
		if l.Kind == Clock {
			return l.guarded()
		}
		return l, l.Kind != Returned
	})
}

func (s labels) equal(t labels) bool {
	return slices.EqualFunc(s, t, func(a, b Label) bool { return compareLabels(a, b) == 0 })
}

// Feeds reports whether the value marked with l feeds the condition that has the
// labels cond.
func Feeds(l Label, cond []Label) bool {
	return slices.ContainsFunc(cond, func(m Label) bool { return m.covers(l) })
}

// unconditional returns the labels of a guard that feed it whatever the caller decides.
func (s labels) unconditional() labels {
	return slices.DeleteFunc(slices.Clone(s), func(l Label) bool { return l.Given != 0 })
}

// anyway returns the labels of values that get there whatever the caller decides or, if there are
// none, all of them as if they were such.
func (s labels) anyway() labels {
	if left := s.unconditional(); len(left) > 0 {
		return left
	}
	return s.transform(func(l Label) (Label, bool) {
		l.Given = 0
		return l, true
	})
}
