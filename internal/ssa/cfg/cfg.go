// Package cfg answers questions about the control-flow graph of a function: its
// loops, the order of its blocks, the conditions that hold in a block, and which
// instructions are reachable from where.
package cfg

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An Edge leads from a block to one of its successors.
type Edge struct{ From, To *ssa.BasicBlock }

// last returns the instruction that ends the block.
func last(b *ssa.BasicBlock) ssa.Instruction { return b.Instrs[len(b.Instrs)-1] }

// Returns returns the return instructions of fn in block order, without the
// return after a recovered panic.
func Returns(fn *ssa.Function) []*ssa.Return {
	var all []*ssa.Return
	for _, b := range fn.Blocks {
		if ret, ok := last(b).(*ssa.Return); ok && b != fn.Recover {
			all = append(all, ret)
		}
	}
	return all
}

// ReversePostorder returns the blocks that are reachable from the entry of a
// function. Each block precedes its successors, except along back edges. The body of
// a loop that is tested at its start precedes what is behind the loop.
func ReversePostorder(fn *ssa.Function) []*ssa.BasicBlock {
	seen := make([]bool, len(fn.Blocks))
	var post []*ssa.BasicBlock
	type item struct {
		b    *ssa.BasicBlock
		next int
	}
	stack := []item{{b: fn.Blocks[0]}}
	seen[fn.Blocks[0].Index] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.b.Succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		top.next++
		s := top.b.Succs[len(top.b.Succs)-top.next]
		if !seen[s.Index] {
			seen[s.Index] = true
			stack = append(stack, item{b: s})
		}
	}
	slices.Reverse(post)
	return post
}

// HasCycle reports whether an edge leads from a block to itself or to an earlier
// block of the order.
func HasCycle(order []*ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool, len(order))
	for _, b := range order {
		seen[b] = true
		if slices.ContainsFunc(b.Succs, func(succ *ssa.BasicBlock) bool { return seen[succ] }) {
			return true
		}
	}
	return false
}

// Leads reports whether control can go from one instruction to another in the
// same function without passing an instruction for which bars returns true. bars
// may be nil.
func Leads(from, to ssa.Instruction, bars func(ssa.Instruction) bool) bool {
	return LeadsFrom(from.Block(), slices.Index(from.Block().Instrs, from)+1, to, bars, nil)
}

// LeadsFrom is like [Leads], but starts at instruction number n of a block and
// does not take edges for which cut returns true. cut may be nil.
func LeadsFrom(b *ssa.BasicBlock, n int, to ssa.Instruction, bars func(ssa.Instruction) bool, cut func(Edge) bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	var from func(b *ssa.BasicBlock, n int) bool
	from = func(b *ssa.BasicBlock, n int) bool {
		for _, instr := range b.Instrs[n:] {
			if instr == to {
				return true
			}
			if bars != nil && bars(instr) {
				return false
			}
		}
		for _, succ := range b.Succs {
			if !seen[succ] && (cut == nil || !cut(Edge{b, succ})) {
				seen[succ] = true
				if from(succ, 0) {
					return true
				}
			}
		}
		return false
	}
	return from(b, n)
}

// OnEveryWay reports whether b dominates each return of its function.
func OnEveryWay(b *ssa.BasicBlock) bool {
	return !slices.ContainsFunc(Returns(b.Parent()), func(ret *ssa.Return) bool { return !b.Dominates(ret.Block()) })
}

// From returns the block and those that control may reach from it.
func From(b *ssa.BasicBlock) []*ssa.BasicBlock {
	found := []*ssa.BasicBlock{b}
	seen := map[*ssa.BasicBlock]bool{b: true}
	for i := 0; i < len(found); i++ {
		for _, next := range found[i].Succs {
			if !seen[next] {
				seen[next] = true
				found = append(found, next)
			}
		}
	}
	return found
}
