package flow

import "math/bits"

// An objectMap is an immutable map from objects to their cells. Maps share what
// they have in common, so a copy costs nothing, and a comparison of two maps costs
// as much as they differ. It is a Patricia tree over the IDs of the objects, which
// are unique within a heap.
//
// The nil map is empty. A node with an object is a leaf. Any other node has two
// subtrees: the keys have prefix in common above bit, and those in the subtree one
// have this bit.
type objectMap struct {
	key   uint32
	obj   *object
	cells *cells

	prefix, bit uint32
	zero, one   *objectMap
}

func (o *object) key() uint32 { return uint32(int32(o.id)) }

// get returns the cells of o, or nil.
func (m *objectMap) get(o *object) *cells {
	key := o.key()
	for m != nil && m.obj == nil {
		if key&m.bit != 0 {
			m = m.one
		} else {
			m = m.zero
		}
	}
	if m == nil || m.obj != o {
		return nil
	}
	return m.cells
}

// with returns the map in which o has the cells c.
func (m *objectMap) with(o *object, c *cells) *objectMap {
	leaf := &objectMap{key: o.key(), obj: o, cells: c}
	if m == nil {
		return leaf
	}
	return m.insert(leaf)
}

func (m *objectMap) insert(leaf *objectMap) *objectMap {
	switch {
	case m.obj != nil && m.key == leaf.key:
		return leaf
	case m.obj != nil || above(leaf.key, m.bit) != m.prefix:
		return fork(m, leaf)
	}
	branch := *m
	if leaf.key&m.bit != 0 {
		branch.one = m.one.insert(leaf)
	} else {
		branch.zero = m.zero.insert(leaf)
	}
	return &branch
}

// fork returns the union of two maps whose keys have different prefixes.
func fork(m, n *objectMap) *objectMap {
	k, l := m.some(), n.some()
	bit := uint32(1) << (bits.Len32(k^l) - 1)
	if k&bit != 0 {
		m, n = n, m
	}
	return &objectMap{prefix: above(k, bit), bit: bit, zero: m, one: n}
}

// some returns what the keys of the map have in common.
func (m *objectMap) some() uint32 {
	if m.obj != nil {
		return m.key
	}
	return m.prefix
}

// above returns the bits of the key above one bit.
func above(key, bit uint32) uint32 { return key &^ (bit<<1 - 1) }

// filter returns the map of the objects for which keep returns true.
func (m *objectMap) filter(keep func(*object) bool) *objectMap {
	switch {
	case m == nil:
		return nil
	case m.obj != nil:
		if keep(m.obj) {
			return m
		}
		return nil
	}
	zero, one := m.zero.filter(keep), m.one.filter(keep)
	switch {
	case zero == m.zero && one == m.one:
		return m
	case zero == nil:
		return one
	case one == nil:
		return zero
	}
	return &objectMap{prefix: m.prefix, bit: m.bit, zero: zero, one: one}
}

// all visits the objects until visit returns false. It reports whether it visited
// all of them.
func (m *objectMap) all(visit func(*object, *cells) bool) bool {
	switch {
	case m == nil:
		return true
	case m.obj != nil:
		return visit(m.obj, m.cells)
	}
	return m.zero.all(visit) && m.one.all(visit)
}

// diff visits the objects whose cells differ in m and n, with nil where a map has
// no such object, until visit returns false. It reports whether it visited all of
// them.
func diff(m, n *objectMap, visit func(o *object, mc, nc *cells) bool) bool {
	onlyM := func(o *object, c *cells) bool { return visit(o, c, nil) }
	onlyN := func(o *object, c *cells) bool { return visit(o, nil, c) }
	switch {
	case m == n:
		return true
	case m == nil:
		return n.all(onlyN)
	case n == nil:
		return m.all(onlyM)
	case m.obj != nil && n.obj != nil && m.key == n.key:
		return m.cells == n.cells || visit(m.obj, m.cells, n.cells)
	case m.obj == nil && n.obj == nil && m.bit == n.bit && m.prefix == n.prefix:
		return diff(m.zero, n.zero, visit) && diff(m.one, n.one, visit)
	case m.contains(n):
		if n.some()&m.bit != 0 {
			return m.zero.all(onlyM) && diff(m.one, n, visit)
		}
		return diff(m.zero, n, visit) && m.one.all(onlyM)
	case n.contains(m):
		if m.some()&n.bit != 0 {
			return n.zero.all(onlyN) && diff(m, n.one, visit)
		}
		return diff(m, n.zero, visit) && n.one.all(onlyN)
	}
	return m.all(onlyM) && n.all(onlyN)
}

// contains reports whether the keys of n belong into one of the two subtrees of m.
func (m *objectMap) contains(n *objectMap) bool {
	return m.obj == nil && (n.obj != nil || n.bit < m.bit) && above(n.some(), m.bit) == m.prefix
}
