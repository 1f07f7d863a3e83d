package waiting

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// finite reports whether the loop certainly ends by itself: it ranges over a map or a
// string, or it counts up or down to a limit.
func finite(l *cfg.Loop) bool {
	for _, instr := range l.Header.Instrs {
		if _, ok := instr.(*ssa.Next); ok {
			return true
		}
	}
	return limit(l) != nil
}

// limit returns the number that the loop counts to, nil if it does not count. The test
// comes at the start of a round or, as in a range over an integer, at its end.
func limit(l *cfg.Loop) ssa.Value {
	for _, branch := range l.Exits() {
		if !l.EveryRound(branch.Block()) {
			continue
		}
		switch cond := origin.Of(branch.Cond); cond.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ:
			if counts(l, cond.X) {
				return cond.Y
			}
		}
	}
	return nil
}

// counts reports whether v changes by a constant in each round. On some paths the code
// may set it to a constant instead, which is assumed to end the loop.
func counts(l *cfg.Loop, v ssa.Value) bool {
	if step := origin.Of(v); step.Kind == origin.Computed && step.Y != nil { // for range: the test comes after the step
		v = step.X
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != l.Header {
		return false
	}
	for i, pred := range l.Header.Preds {
		if !l.Blocks[pred] {
			continue
		}
		step := origin.Of(phi.Edges[i])
		if step.Kind != origin.Computed || step.Y == nil || origin.Of(step.Y).Kind != origin.Constant ||
			step.X != phi && !isOrConstant(l, step.X, phi) {
			return false
		}
	}
	return true
}

// isOrConstant reports whether v is the counter on some paths of the round, and a
// constant on all others.
func isOrConstant(l *cfg.Loop, v, counter ssa.Value) bool {
	merged := origin.Of(v)
	if merged.Kind != origin.Choice || !l.Blocks[v.(ssa.Instruction).Block()] {
		return false
	}
	for _, e := range merged.Edges {
		if e != counter && origin.Of(e).Kind != origin.Constant {
			return false
		}
	}
	return true
}

// limitsRound reports whether the select sends or receives something that differs from
// round to round. Its timers are then timeouts of one round, and no pauses between the
// rounds.
//
//	for _, t := range targets {
//		select {
//		case t.updates <- update:
//		case <-time.After(limit):
//		}
//	}
func limitsRound(l *cfg.Loop, sel *ssa.Select) bool {
	seen := make(map[ssa.Value]bool)
	for _, state := range sel.States {
		if !contexts.IsTimer(state.Chan) && varies(l, state.Chan, seen) || state.Send != nil && varies(l, state.Send, seen) {
			return true
		}
	}
	return false
}

// varies reports whether v is computed from the loop's counter, from what it ranges
// over, or from what it receives. The result of a call does not count: it may be the
// same in each round.
func varies(l *cfg.Loop, v ssa.Value, seen map[ssa.Value]bool) bool {
	instr, ok := v.(ssa.Instruction)
	if !ok || seen[v] || !l.Blocks[instr.Block()] {
		return false
	}
	seen[v] = true
	switch o := origin.Of(v); o.Kind {
	case origin.Item, origin.Selected, origin.Received:
		return true
	case origin.Result:
		return false
	case origin.Choice:
		if instr.Block() == l.Header {
			return counts(l, v)
		}
	case origin.Local:
		for _, stored := range origin.StoredAt(v) {
			if varies(l, stored, seen) {
				return true
			}
		}
		return false
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && varies(l, *op, seen) {
			return true
		}
	}
	return false
}

// testsField reports whether a branch that leaves the loop compares the named field of
// the variable.
func testsField(l *cfg.Loop, of ssa.Value, name string) bool {
	for _, branch := range l.Exits() {
		cmp, ok := cfg.Condition{Value: branch.Cond, Holds: true}.Comparison()
		if !ok {
			continue
		}
		if field, x := origin.FieldOf(cmp.X); field != nil && field.Name() == name && x == of {
			return true
		}
	}
	return false
}

// failed reports whether an edge on which an error is not nil dominates b, in the round or
// behind it. Leaving the loop there is no success, unless the code has waited for
// something to be gone:
//
//	if apierrors.IsNotFound(err) {
//		return nil
//	}
func failed(l *cfg.Loop, b *ssa.BasicBlock) bool {
	for d := b; d != nil && d != l.Header; d = d.Idom() {
		if len(d.Preds) != 1 {
			continue
		}
		e := cfg.Edge{From: d.Preds[0], To: d}
		if _, failed := cfg.Failure(e); failed {
			return true
		}
		switch asksOfError(e) {
		case library.AsksNotFound:
			return false
		case library.AsksIs, library.AsksAs:
			return true
		}
	}
	return false
}

// asksOfError returns what the edge has found out about an error: the meaning of the
// function that has returned true.
func asksOfError(e cfg.Edge) library.Meaning {
	c, ok := cfg.ConditionOf(e)
	if !ok {
		return 0
	}
	c = c.Stripped()
	asked := origin.Of(c.Value)
	if !c.Holds || asked.Kind != origin.Result {
		return 0
	}
	return library.Of(callee.Static(asked.Call.Common())).Meaning
}

// statement returns the for or range statement of the loop, nil for one made
// with goto.
func statement(l *cfg.Loop) ast.Stmt {
	body := contexts.Body(l.Func())
	if body == nil {
		return nil
	}
	first, last := token.NoPos, token.NoPos
	for b := range l.Blocks {
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

// loopRange returns the range of the loop's statement up to its body. A loop made with
// goto has none; for that it returns where the loop waits.
func loopRange(v verdict) (pos, end token.Pos) {
	switch s := statement(v.loop).(type) {
	case *ast.ForStmt:
		return s.For, s.Body.Lbrace
	case *ast.RangeStmt:
		return s.For, s.Body.Lbrace
	}
	pos = v.site.instr.Pos()
	return pos, pos + 1
}
