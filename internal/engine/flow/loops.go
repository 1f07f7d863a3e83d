package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// A loop is a natural loop, or the body of a function literal that an iterator
// calls once for each element.
type loop struct {
	*cfg.Loop               // nil for the body of a function literal
	body      *ssa.Function // the literal, or nil
	id        int           // orders the loops of a function
}

// number returns the position of the loop in the order of a function's loops.
func (l *loop) number() int {
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
	return l.Blocks[b]
}

// startsAt reports whether each iteration begins with the block.
func (l *loop) startsAt(b *ssa.BasicBlock) bool { return l.Loop != nil && l.Header == b }

// innermost returns the innermost loop of its function around the block, or nil.
func (a *analysisState) innermost(b *ssa.BasicBlock) *loop {
	natural := a.control.Nest(b.Parent()).Innermost(b)
	if natural == nil {
		return nil
	}
	l := a.loops[natural]
	if l == nil {
		l = &loop{Loop: natural, id: natural.Header.Index + 1}
		a.loops[natural] = l
	}
	return l
}
