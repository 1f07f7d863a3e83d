package cfg

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Branch is a condition as a step of control: an edge that is taken if the
// condition holds.
type Branch struct {
	Condition
	// Search is set for the condition that a search loop has found what it looks
	// for.
	Search bool
}

// A Way is one alternative of a [Group]: it is taken if all of its branches are.
type Way []Branch

// A Group is a condition under which a block is reached: one of its ways is taken.
type Group []Way

// equal reports whether the two groups say the same.
func (g Group) equal(h Group) bool { return slices.EqualFunc(g, h, slices.Equal[Way]) }

// Contains reports whether the group is among the groups.
func Contains(groups []Group, g Group) bool { return slices.ContainsFunc(groups, g.equal) }

// Control answers under which conditions the blocks of functions are reached,
// also where several ways lead to one. It keeps the answers, and is not safe for
// concurrent use.
//
// How often a loop is repeated is no condition. Behind a search loop there is
// one: that nothing was found.
//
//	for i := range conditions {
//		if conditions[i].Type == t { return }
//	}
//	conditions = append(conditions, …) // absent so far
type Control struct {
	// isFailure says which branches are taken only because of an error: that a
	// function may be left by one does not make what follows conditional.
	isFailure func(Branch) bool

	groups map[*ssa.BasicBlock][]Group
	nests  map[*ssa.Function]*Nest
}

// NewControl returns a Control without answers.
func NewControl(isFailure func(Branch) bool) *Control {
	return &Control{
		isFailure: isFailure,
		groups:    make(map[*ssa.BasicBlock][]Group),
		nests:     make(map[*ssa.Function]*Nest),
	}
}

// Nest returns the loops of a function.
func (c *Control) Nest(fn *ssa.Function) *Nest {
	n := c.nests[fn]
	if n == nil {
		n = Loops(fn)
		c.nests[fn] = n
	}
	return n
}

// Of returns the conditions under which b is reached, innermost first.
func (c *Control) Of(b *ssa.BasicBlock) []Group {
	groups, ok := c.groups[b]
	if !ok {
		c.groups[b] = nil // a cycle of irreducible control flow adds nothing
		groups = c.find(b)
		c.groups[b] = groups
	}
	return groups
}

// OfEdge returns the conditions under which control goes along the edge, innermost
// first.
func (c *Control) OfEdge(e Edge) []Group {
	groups := c.Of(e.From)
	if br, ok := decides(e); ok {
		groups = append([]Group{{{br}}}, groups...)
	}
	return groups
}

func (c *Control) find(b *ssa.BasicBlock) []Group {
	var preds []*ssa.BasicBlock
	for _, p := range b.Preds {
		if !b.Dominates(p) { // not a back edge
			preds = append(preds, p)
		}
	}
	if len(preds) == 1 {
		p := preds[0]
		var groups []Group
		if br, ok := decides(Edge{p, b}); ok {
			groups = append(groups, Group{{br}})
		}
		if IsHeader(p) {
			groups = append(groups, c.searchFailed(p, b)...)
		}
		return append(groups, c.Of(p)...)
	}
	d := b.Idom()
	if d == nil {
		return nil
	}
	base := c.Of(d)
	if !c.escapes(d, b) {
		return base // whatever happens behind d, b comes
	}
	var g Group
	for _, p := range preds {
		var way Way
		if br, ok := decides(Edge{p, b}); ok {
			way = append(way, br)
		}
		for _, h := range c.Of(p) {
			if len(h) == 1 && !Contains(base, h) {
				way = append(way, h[0]...)
			}
		}
		if len(way) == 0 {
			return base
		}
		g = append(g, way)
	}
	return append([]Group{g}, base...)
}

// decides returns the branch that leads along the edge, if a condition decides
// rather than how often a loop is repeated.
func decides(e Edge) (Branch, bool) {
	p := e.From
	cond, ok := ConditionOf(e)
	if !ok || IsHeader(p) {
		return Branch{}, false // nothing decides, or how often something is done
	}
	for i, head := range p.Succs {
		other := p.Succs[1-i]
		if !IsHeader(head) {
			continue
		}
		if before := !head.Dominates(p) && slices.ContainsFunc(other.Preds, head.Dominates); before || !comesBack(other, head) && !breaksOff(head, other) {
			return Branch{}, false // a loop tested at its end, and once before
		}
	}
	return Branch{Condition: cond}, true
}

// breaksOff reports whether who goes to b leaves the loop of head early: it is
// tested at its start, and does not come to b when it is over.
func breaksOff(head, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(head.Succs, func(s *ssa.BasicBlock) bool { return !comesBack(s, head) }) &&
		!slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return p == head || !head.Dominates(p) })
}

// comesBack reports whether control goes on from b to the loop header head within
// that loop.
func comesBack(b, head *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{b: true}
	stack := []*ssa.BasicBlock{b}
	for len(stack) > 0 {
		cur := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !head.Dominates(cur) {
			continue
		}
		for _, next := range cur.Succs {
			if next == head {
				return true
			}
			if !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	return false
}

// escapes reports whether the function may be left, or a loop gone on with,
// behind d without coming through b, failures aside.
func (c *Control) escapes(d, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{d: true, b: true}
	stack := []*ssa.BasicBlock{d}
	for len(stack) > 0 {
		cur := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(cur.Succs) == 0 {
			return true
		}
		for _, next := range cur.Succs {
			if br, ok := decides(Edge{cur, next}); ok && c.isFailure(br) {
				continue
			}
			if next != d && next.Dominates(d) {
				return true // the next iteration of a loop around d
			}
			if !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	return false
}

// searchFailed returns the conditions that hold behind a loop, entered from its
// header: those under which it would have been left earlier did not hold.
func (c *Control) searchFailed(header, behind *ssa.BasicBlock) []Group {
	l := c.Nest(header.Parent()).byHeader(header)
	if l == nil || l.Blocks[behind] {
		return nil
	}
	var groups []Group
	for _, b := range header.Parent().Blocks {
		cond, ok := last(b).(*ssa.If)
		if !ok || b == header || !l.Blocks[b] || l.Blocks[b.Succs[0]] == l.Blocks[b.Succs[1]] {
			continue
		}
		groups = append(groups, Group{{{Condition{cond.Cond, l.Blocks[b.Succs[0]]}, true}}})
	}
	return groups
}
