package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
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

// isTest reports whether the condition is that the loop, or one around it, has another round.
func (l *loop) isTest(cond ssa.Value) bool {
	if l == nil {
		return false
	}
	for around := l.Loop; around != nil; around = around.Parent {
		if around.Test() == cond {
			return true
		}
	}
	return false
}

// overOf returns the list or map that the loop is over, or nil.
func overOf(l *cfg.Loop) ssa.Value {
	test := l.Test()
	if test == nil {
		return nil
	}
	if o := origin.Of(test); o.Kind == origin.Item {
		return origin.Of(o.X).X
	}
	cmp, ok := cfg.Condition{Value: test, Holds: true}.Comparison()
	if !ok || cmp.Op != token.LSS || !isLen(cmp.Y) {
		return nil
	}
	return measured(cmp.Y)
}

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

// makes reports whether v is made of the item of the current iteration.
func (l *loop) makes(v ssa.Value) bool {
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if v == nil || seen[v] || len(seen) == origin.MaxWalk {
			return false
		}
		seen[v] = true
		at, ok := v.(ssa.Instruction)
		if !ok || !l.contains(at.Block()) {
			return false
		}
		o := origin.Of(v)
		switch o.Kind {
		case origin.Item:
			if part, ok := v.(*ssa.Extract); ok {
				return visit(part.Tuple)
			}
			return l.startsAt(at.Block())
		case origin.Element:
			if index, ok := o.Key.(ssa.Instruction); ok && l.startsAt(index.Block()) {
				return true
			}
		case origin.Local:
			return slices.ContainsFunc(origin.Elements(v.(*ssa.Alloc)), visit) || slices.ContainsFunc(origin.StoredAt(v), visit)
		}
		return slices.ContainsFunc(at.Operands(nil), func(op *ssa.Value) bool { return visit(*op) })
	}
	return visit(v)
}
