package waiting

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A loop is a natural loop of the control-flow graph: the blocks from which a
// back edge leads to the header without leaving what the header dominates.
// Labelled continues and gotos make loops like any other.
type loop struct {
	fn     *ssa.Function
	header *ssa.BasicBlock
	blocks map[*ssa.BasicBlock]bool
	parent *loop
}

// loopNest holds the loops of a function, inner loops before outer ones.
type loopNest struct {
	loops []*loop
	of    map[*ssa.BasicBlock]*loop // innermost
}

func (p *pkg) nest(fn *ssa.Function) *loopNest {
	n := p.loops[fn]
	if n == nil {
		n = findLoops(fn)
		p.loops[fn] = n
	}
	return n
}

func findLoops(fn *ssa.Function) *loopNest {
	byHeader := make(map[*ssa.BasicBlock]*loop)
	n := &loopNest{of: make(map[*ssa.BasicBlock]*loop)}
	for _, latch := range fn.Blocks {
		for _, header := range latch.Succs {
			if !header.Dominates(latch) {
				continue
			}
			l := byHeader[header]
			if l == nil {
				l = &loop{fn: fn, header: header, blocks: map[*ssa.BasicBlock]bool{header: true}}
				byHeader[header] = l
				n.loops = append(n.loops, l)
			}
			l.addBackward(latch)
		}
	}
	slices.SortStableFunc(n.loops, func(a, b *loop) int {
		return cmp.Or(cmp.Compare(len(a.blocks), len(b.blocks)), cmp.Compare(b.header.Index, a.header.Index))
	})
	for i, l := range n.loops {
		for b := range l.blocks {
			if n.of[b] == nil {
				n.of[b] = l
			}
		}
		for _, outer := range n.loops[i+1:] {
			if outer.blocks[l.header] {
				l.parent = outer
				break
			}
		}
	}
	return n
}

func (l *loop) addBackward(b *ssa.BasicBlock) {
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.blocks[b] {
			l.blocks[b] = true
			work = append(work, b.Preds...)
		}
	}
}

// latches returns the blocks from which back edges go to the header.
func (l *loop) latches() []*ssa.BasicBlock {
	var bs []*ssa.BasicBlock
	for _, b := range l.header.Preds {
		if l.blocks[b] {
			bs = append(bs, b)
		}
	}
	return bs
}

// continues reports whether control can go from b to the loop's next round.
func (l *loop) continues(b *ssa.BasicBlock) bool {
	found := false
	l.walk(b, func(_, succ *ssa.BasicBlock) { found = found || succ == l.header })
	return found || b == l.header
}

// leaves reports whether control can go from b out of the loop before the next
// round. To panic is not to leave.
func (l *loop) leaves(b *ssa.BasicBlock) bool {
	if !l.blocks[b] {
		return !panics(b)
	}
	found := false
	l.walk(b, func(_, succ *ssa.BasicBlock) { found = found || !l.blocks[succ] && !panics(succ) })
	return found
}

// walk visits the edges that are reachable from b within the loop, not going
// beyond the header.
func (l *loop) walk(b *ssa.BasicBlock, visit func(from, to *ssa.BasicBlock)) {
	if !l.blocks[b] {
		return
	}
	seen := map[*ssa.BasicBlock]bool{b: true}
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, succ := range b.Succs {
			visit(b, succ)
			if l.blocks[succ] && succ != l.header && !seen[succ] {
				seen[succ] = true
				work = append(work, succ)
			}
		}
	}
}

func panics(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok
}

// finite reports whether the loop obviously ends by itself: it ranges over
// something other than a channel, or counts.
func (l *loop) finite() bool {
	for _, instr := range l.header.Instrs {
		if _, ok := instr.(*ssa.Next); ok {
			return true
		}
	}
	return l.limit() != nil
}

// limit returns the number that the loop counts to, nil if it does not count.
// The test may come first or, as in a range over an integer, last.
func (l *loop) limit() ssa.Value {
	for _, b := range l.fn.Blocks {
		if !l.blocks[b] || !l.everyRound(b) {
			continue
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		switch cond.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ:
			if l.counts(cond.X) {
				return cond.Y
			}
		}
	}
	return nil
}

// everyRound reports whether each round of the loop comes by b.
func (l *loop) everyRound(b *ssa.BasicBlock) bool {
	for _, latch := range l.latches() {
		if !b.Dominates(latch) {
			return false
		}
	}
	return true
}

// counts reports whether v changes by a constant in each round. Where the code
// sets the counter to a constant instead, it is taken to end the loop.
func (l *loop) counts(v ssa.Value) bool {
	if step, ok := v.(*ssa.BinOp); ok { // for range: the test comes after the step
		v = step.X
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != l.header {
		return false
	}
	for i, pred := range l.header.Preds {
		if !l.blocks[pred] {
			continue
		}
		step, ok := phi.Edges[i].(*ssa.BinOp)
		if !ok {
			return false
		}
		if _, ok := step.Y.(*ssa.Const); !ok || step.X != phi && !l.isOrConstant(step.X, phi) {
			return false
		}
	}
	return true
}

// isOrConstant reports whether v is the counter or, on some paths of the round,
// a constant.
func (l *loop) isOrConstant(v ssa.Value, counter *ssa.Phi) bool {
	merged, ok := v.(*ssa.Phi)
	if !ok || !l.blocks[merged.Block()] {
		return false
	}
	for _, e := range merged.Edges {
		if _, ok := e.(*ssa.Const); !ok && e != counter {
			return false
		}
	}
	return true
}

// statement returns the for or range statement of the loop, nil for one made
// with goto.
func (l *loop) statement() ast.Stmt {
	body := declaration(l.fn)
	if body == nil {
		return nil
	}
	first, last := token.NoPos, token.NoPos
	for b := range l.blocks {
		for _, instr := range b.Instrs {
			pos := instr.Pos()
			if _, isPhi := instr.(*ssa.Phi); isPhi || !pos.IsValid() {
				continue // a phi has the position of its variable
			}
			if !first.IsValid() || pos < first {
				first = pos
			}
			last = max(last, pos)
		}
	}
	var found ast.Stmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= first && last < n.End() {
				found = n.(ast.Stmt)
			}
		}
		return true
	})
	return found
}
