// Package refs is about references to objects.
package refs

import (
	"cmp"
	"slices"
)

// Ref names an object.
type Ref struct{ Kind, Name string }

// Compare orders by kind, then name.
func Compare(a, b Ref) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}

// Sort sorts references.
func Sort(rs []Ref) { slices.SortFunc(rs, Compare) }
