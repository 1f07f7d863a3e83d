// Package set is a set.
package set

// Set is a set of elements.
type Set[T comparable] map[T]struct{}

// Of returns a set of elements.
func Of[T comparable](elements ...T) Set[T] {
	s := make(Set[T], len(elements))
	for _, e := range elements {
		s.Add(e)
	}
	return s
}

// Add adds an element.
func (s Set[T]) Add(e T) { s[e] = struct{}{} }

// Elements returns all elements.
func (s Set[T]) Elements() []T {
	var elements []T
	for e := range s {
		elements = append(elements, e)
	}
	return elements
}
