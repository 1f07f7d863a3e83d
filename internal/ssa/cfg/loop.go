package cfg

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Loop is a natural loop: the header, and the blocks from which control can
// reach a back edge to the header without passing the header. Labelled continues
// and gotos make loops like any other. Loops with the same header are merged.
type Loop struct {
	Header *ssa.BasicBlock
	Blocks map[*ssa.BasicBlock]bool
	// Parent is the innermost loop around this one, or nil.
	Parent *Loop
}

// A Nest holds the loops of a function.
type Nest struct {
	// Loops holds the loops, inner ones before outer ones.
	Loops []*Loop
	fn    *ssa.Function
	of    map[*ssa.BasicBlock]*Loop
}

// Loops returns the loops of a function.
func Loops(fn *ssa.Function) *Nest {
	headed := make(map[*ssa.BasicBlock]*Loop)
	n := &Nest{fn: fn, of: make(map[*ssa.BasicBlock]*Loop)}
	for _, latch := range fn.Blocks {
		for _, header := range latch.Succs {
			if !header.Dominates(latch) {
				continue
			}
			l := headed[header]
			if l == nil {
				l = &Loop{Header: header, Blocks: map[*ssa.BasicBlock]bool{header: true}}
				headed[header] = l
				n.Loops = append(n.Loops, l)
			}
			l.addBackward(latch)
		}
	}
	slices.SortStableFunc(n.Loops, func(a, b *Loop) int {
		return cmp.Or(cmp.Compare(len(a.Blocks), len(b.Blocks)), cmp.Compare(b.Header.Index, a.Header.Index))
	})
	for i, l := range n.Loops {
		for b := range l.Blocks {
			if n.of[b] == nil {
				n.of[b] = l
			}
		}
		for _, outer := range n.Loops[i+1:] {
			if outer.Blocks[l.Header] {
				l.Parent = outer
				break
			}
		}
	}
	return n
}

// Innermost returns the innermost loop around the block, or nil.
func (n *Nest) Innermost(b *ssa.BasicBlock) *Loop { return n.of[b] }

// Stretches returns the blocks that are reachable from the entry of the function, in
// parts: the blocks of an outermost loop, in reverse postorder, or one block that is in
// no loop. Each part precedes its successors, unless a goto jumps into a cycle.
func (n *Nest) Stretches() [][]*ssa.BasicBlock {
	var all [][]*ssa.BasicBlock
	at := make(map[*Loop]int)
	for _, b := range ReversePostorder(n.fn) {
		l := n.outermost(b)
		if l == nil {
			all = append(all, []*ssa.BasicBlock{b})
			continue
		}
		i, ok := at[l]
		if !ok {
			i = len(all)
			at[l] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], b)
	}
	return all
}

// outermost returns the outermost loop around the block, or nil.
func (n *Nest) outermost(b *ssa.BasicBlock) *Loop {
	l := n.of[b]
	for l != nil && l.Parent != nil {
		l = l.Parent
	}
	return l
}

// byHeader returns the loop with this header, or nil.
func (n *Nest) byHeader(b *ssa.BasicBlock) *Loop {
	if l := n.of[b]; l != nil && l.Header == b {
		return l
	}
	return nil
}

// IsHeader reports whether the block is the header of a loop.
func IsHeader(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Preds, b.Dominates) }

func (l *Loop) addBackward(b *ssa.BasicBlock) {
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.Blocks[b] {
			l.Blocks[b] = true
			work = append(work, b.Preds...)
		}
	}
}

// Func returns the function of the loop.
func (l *Loop) Func() *ssa.Function { return l.Header.Parent() }

// Latches returns the blocks from which back edges lead to the header.
func (l *Loop) Latches() []*ssa.BasicBlock {
	var bs []*ssa.BasicBlock
	for _, b := range l.Header.Preds {
		if l.Blocks[b] {
			bs = append(bs, b)
		}
	}
	return bs
}

// EveryRound reports whether each round of the loop passes b.
func (l *Loop) EveryRound(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(l.Latches(), func(latch *ssa.BasicBlock) bool { return !b.Dominates(latch) })
}

// Continues reports whether control can go from b to the next round of the loop.
func (l *Loop) Continues(b *ssa.BasicBlock) bool {
	return b == l.Header || l.anyEdge(b, func(succ *ssa.BasicBlock) bool { return succ == l.Header })
}

// Leaves reports whether control can leave the loop from b before the next
// round. A panic does not count.
func (l *Loop) Leaves(b *ssa.BasicBlock) bool {
	return l.LeavesBut(b, func(*ssa.BasicBlock) bool { return false })
}

// LeavesBut is Leaves without the ways out of the loop of which the first block is one that except
// chooses.
func (l *Loop) LeavesBut(b *ssa.BasicBlock, except func(*ssa.BasicBlock) bool) bool {
	if !l.Blocks[b] {
		return !Panics(b)
	}
	return l.anyEdge(b, func(succ *ssa.BasicBlock) bool { return !l.Blocks[succ] && !Panics(succ) && !except(succ) })
}

// anyEdge reports whether is holds for the target of an edge that control can
// take from b within a round of the loop.
func (l *Loop) anyEdge(b *ssa.BasicBlock, is func(to *ssa.BasicBlock) bool) bool {
	if !l.Blocks[b] {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{b: true}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, succ := range b.Succs {
			if is(succ) {
				return true
			}
			if l.Blocks[succ] && succ != l.Header && !seen[succ] {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
	return false
}

// Exits returns the branches where control may leave the loop, in block order.
func (l *Loop) Exits() []*ssa.If {
	var all []*ssa.If
	for _, b := range l.Func().Blocks {
		if branch, ok := last(b).(*ssa.If); ok && l.Blocks[b] && !(l.Blocks[b.Succs[0]] && l.Blocks[b.Succs[1]]) {
			all = append(all, branch)
		}
	}
	return all
}

// Test returns the condition with which the header decides whether there is another round, nil if it does
// not end in a branch.
func (l *Loop) Test() ssa.Value {
	if branch, ok := last(l.Header).(*ssa.If); ok {
		return branch.Cond
	}
	return nil
}

// Phis returns the phis of the loop's header. They are the variables of the
// loop.
func (l *Loop) Phis() []*ssa.Phi {
	var phis []*ssa.Phi
	for _, instr := range l.Header.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		phis = append(phis, phi)
	}
	return phis
}

// Panics reports whether the block ends in a panic.
func Panics(b *ssa.BasicBlock) bool {
	_, ok := last(b).(*ssa.Panic)
	return ok
}
