package cfg

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Branch is the condition of an edge: control takes the edge if the condition
// holds.
type Branch struct {
	Condition
	// Search is set if the condition is that a search loop has found what it
	// looks for.
	Search bool
}

// A Way is one alternative of a [Group]. Control takes it if all of its branches
// are taken.
type Way []Branch

// A Group is a condition under which control reaches a block: one of its ways is
// taken.
type Group []Way

// Branches visits the branches of all ways of the groups.
func Branches(groups ...Group) iter.Seq[Branch] {
	return func(yield func(Branch) bool) {
		for _, g := range groups {
			for _, way := range g {
				for _, br := range way {
					if !yield(br) {
						return
					}
				}
			}
		}
	}
}

// equal reports whether the two groups have the same ways.
func (g Group) equal(h Group) bool { return slices.EqualFunc(g, h, slices.Equal[Way]) }

// Contains reports whether the groups include g.
func Contains(groups []Group, g Group) bool { return slices.ContainsFunc(groups, g.equal) }

// Control answers under which conditions control reaches a block, also where
// several ways lead to the block. It caches the answers and is not safe for
// concurrent use.
//
// The number of rounds of a loop is not a condition. After a search loop there
// is one: the loop found nothing.
//
//	for i := range conditions {
//		if conditions[i].Type == t { return }
//	}
//	conditions = append(conditions, …) // absent so far
type Control struct {
	// isFailure reports whether a branch is taken only because of an error.
	// Leaving the function by such a branch does not make the code after it
	// conditional.
	isFailure func(Branch) bool
	// fails reports whether a return certainly is one of an error. Such a way out does not
	// make the code that other ways lead to conditional, either.
	fails func(*ssa.Return) bool

	groups map[*ssa.BasicBlock][]Group
	kept   int // how many conditions groups holds
	depth  int // of the call of Of
	nests  map[*ssa.Function]*Nest
}

// maxKept is how many conditions a Control keeps. In the parsers that tools write, a switch has
// hundreds of cases, and each block behind them has as many conditions.
const maxKept = 1 << 18

// NewControl returns a Control with an empty cache.
func NewControl(isFailure func(Branch) bool, fails func(*ssa.Return) bool) *Control {
	return &Control{
		isFailure: isFailure,
		fails:     fails,
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

// Of returns the conditions under which control reaches b, innermost first.
func (c *Control) Of(b *ssa.BasicBlock) []Group {
	groups, ok := c.groups[b]
	if !ok {
		if c.depth == 0 && c.kept > maxKept {
			clear(c.groups)
			c.kept = 0
		}
		c.depth++
		c.groups[b] = nil // a cycle of irreducible control flow adds nothing
		groups = c.find(b)
		c.groups[b] = groups
		c.kept += len(groups)
		c.depth--
	}
	return groups
}

// OfEdge returns the conditions under which control takes the edge, innermost
// first.
func (c *Control) OfEdge(e Edge) []Group {
	groups := c.Of(e.From)
	if br, ok := decides(e); ok {
		groups = append([]Group{{{br}}}, groups...)
	}
	if IsHeader(e.From) {
		groups = append(c.searchFailed(e.From, e.To), groups...)
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
		return c.OfEdge(Edge{preds[0], b})
	}
	d := b.Idom()
	if d == nil {
		return nil
	}
	base := c.Of(d)
	if !c.escapes(d, b) {
		return base // control always reaches b after d, failures aside
	}
	var g Group
	for _, p := range preds {
		var way Way
		for _, h := range c.OfEdge(Edge{p, b}) {
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

// decides returns the branch of the edge if a condition decides whether control
// takes it. A condition that only ends a loop does not count, and neither does one
// that otherwise ends in a panic.
func decides(e Edge) (Branch, bool) {
	p := e.From
	cond, ok := ConditionOf(e)
	if !ok || endsLoop(p) {
		return Branch{}, false
	}
	for i, head := range p.Succs {
		other := p.Succs[1-i]
		if _, panics := last(other).(*ssa.Panic); panics && head == e.To {
			return Branch{}, false
		}
		if !IsHeader(head) {
			continue
		}
		if before := !head.Dominates(p) && slices.ContainsFunc(other.Preds, head.Dominates); before || !comesBack(other, head) && !breaksOff(head, other) {
			return Branch{}, false // a loop that is tested at its end, and once before it begins
		}
	}
	return Branch{Condition: cond}, true
}

// endsLoop reports whether the block is the header of a loop, and its condition may end
// the loop. Some loops have their test at the end, such as one over a number. The header
// is then the first block of the body, with any condition.
func endsLoop(b *ssa.BasicBlock) bool {
	return IsHeader(b) && slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return s != b && !comesBack(s, b) })
}

// breaksOff reports whether control leaves the loop of head early when it goes
// to b: the loop is tested at its start, and control does not reach b when the
// loop ends there.
func breaksOff(head, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(head.Succs, func(s *ssa.BasicBlock) bool { return !comesBack(s, head) }) &&
		!slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return p == head || !head.Dominates(p) })
}

// comesBack reports whether control can go on from b to the loop header head
// within that loop.
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

// escapes reports whether control can go on from d to the end of the function,
// or to the next round of a loop, without passing b. Failures do not count.
func (c *Control) escapes(d, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{d: true, b: true}
	stack := []*ssa.BasicBlock{d}
	for len(stack) > 0 {
		cur := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(cur.Succs) == 0 {
			if ret, ok := last(cur).(*ssa.Return); !ok || !c.fails(ret) {
				return true
			}
		}
		for _, next := range cur.Succs {
			if br, ok := decides(Edge{cur, next}); ok && c.isFailure(br) {
				continue
			}
			if next != d && next.Dominates(d) {
				return true // the next round of a loop around d
			}
			if !seen[next] {
				seen[next] = true
				stack = append(stack, next)
			}
		}
	}
	return false
}

// searchFailed returns the conditions that hold after a loop that control left
// at its header. The conditions for leaving it earlier did not hold.
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
