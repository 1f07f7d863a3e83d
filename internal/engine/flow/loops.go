package flow

import "golang.org/x/tools/go/ssa"

// A loop is a natural loop of a function's control-flow graph, or the body of a
// function literal that an iterator calls once for each element.
type loop struct {
	header *ssa.BasicBlock
	blocks map[*ssa.BasicBlock]bool
	body   *ssa.Function // the literal, or nil
	id     int
}

func (l *loop) order() int {
	if l == nil {
		return 0
	}
	return l.id
}

// contains reports whether the block runs anew in each iteration.
func (l *loop) contains(b *ssa.BasicBlock) bool {
	if l == nil || b == nil {
		return false
	}
	if l.body != nil {
		return b.Parent() == l.body
	}
	return l.blocks[b]
}

// loopsOf returns the natural loops of fn, inner ones first. Loops that share a
// header are one.
func loopsOf(fn *ssa.Function) []*loop {
	byHeader := make(map[*ssa.BasicBlock]*loop)
	var loops []*loop
	for _, tail := range fn.Blocks {
		for _, head := range tail.Succs {
			if !head.Dominates(tail) {
				continue
			}
			l := byHeader[head]
			if l == nil {
				l = &loop{
					header: head,
					blocks: map[*ssa.BasicBlock]bool{head: true},
					id:     head.Index + 1,
				}
				byHeader[head] = l
				loops = append(loops, l)
			}
			stack := []*ssa.BasicBlock{tail}
			for len(stack) > 0 {
				b := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if l.blocks[b] {
					continue
				}
				l.blocks[b] = true
				stack = append(stack, b.Preds...)
			}
		}
	}
	return loops
}

// innermost returns the smallest of the loops that contains b, or nil.
func innermost(loops []*loop, b *ssa.BasicBlock) *loop {
	var best *loop
	for _, l := range loops {
		if l.blocks[b] && (best == nil || len(l.blocks) < len(best.blocks)) {
			best = l
		}
	}
	return best
}
