package cfg

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Condition is a boolean value and its outcome.
type Condition struct {
	Value ssa.Value
	Holds bool
}

// Stripped returns the condition without negations.
func (c Condition) Stripped() Condition {
	for {
		not, ok := c.Value.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return c
		}
		c = Condition{not.X, !c.Holds}
	}
}

// A Comparison states that X Op Y holds.
type Comparison struct {
	X, Y ssa.Value
	Op   token.Token
}

// Comparison returns the comparison that the condition implies, if it compares
// two values. A constant is on the right.
func (c Condition) Comparison() (Comparison, bool) {
	c = c.Stripped()
	test, ok := c.Value.(*ssa.BinOp)
	if !ok {
		return Comparison{}, false
	}
	cmp := Comparison{test.X, test.Y, test.Op}
	if !c.Holds {
		cmp.Op = opposite[test.Op]
	}
	if _, ok := cmp.X.(*ssa.Const); ok {
		if mirrored, ok := mirror[cmp.Op]; ok {
			cmp = Comparison{cmp.Y, cmp.X, mirrored}
		}
	}
	return cmp, cmp.Op != token.ILLEGAL
}

// opposite maps an operator to the one that holds where it does not.
var opposite = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// mirror maps an operator to the one that holds with the operands exchanged.
var mirror = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS,
	token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// Nil returns the value that the condition compares with nil, and whether it is
// nil.
func (c Condition) Nil() (v ssa.Value, isNil, ok bool) {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return nil, false, false
	}
	k, ok := cmp.Y.(*ssa.Const)
	if !ok || !k.IsNil() {
		return nil, false, false
	}
	return cmp.X, cmp.Op == token.EQL, true
}

// Failure returns the error that is not nil on the edge.
func Failure(e Edge) (err ssa.Value, ok bool) {
	c, ok := ConditionOf(e)
	if !ok {
		return nil, false
	}
	err, isNil, ok := c.Nil()
	return err, ok && !isNil && types.Identical(err.Type(), types.Universe.Lookup("error").Type())
}

// ConditionOf returns the condition under which control takes the edge, as the
// code states it. It returns false if the edge does not depend on a condition.
func ConditionOf(e Edge) (Condition, bool) {
	test, ok := last(e.From).(*ssa.If)
	if !ok || e.From.Succs[0] == e.From.Succs[1] {
		return Condition{}, false
	}
	return Condition{test.Cond, e.From.Succs[0] == e.To}, true
}

// Dominating returns the conditions that hold whenever control reaches b,
// innermost first and without negations.
func Dominating(b *ssa.BasicBlock) []Condition {
	var all []Condition
	for b != nil {
		if len(b.Preds) != 1 {
			b = b.Idom()
			continue
		}
		if c, ok := ConditionOf(Edge{b.Preds[0], b}); ok {
			all = append(all, c.Stripped())
		}
		b = b.Preds[0]
	}
	return all
}
