package cfg

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// SelectIndex returns the select statement if v is the index of the case that it
// took.
func SelectIndex(v ssa.Value) (*ssa.Select, bool) {
	ext, ok := v.(*ssa.Extract)
	if !ok || ext.Index != 0 {
		return nil, false
	}
	sel, ok := ext.Tuple.(*ssa.Select)
	return sel, ok
}

// CaseBlock returns the first block of case number i of the select.
func CaseBlock(sel *ssa.Select, i int) *ssa.BasicBlock {
	for _, ref := range *sel.Referrers() {
		ext, ok := ref.(*ssa.Extract)
		if !ok || ext.Index != 0 {
			continue
		}
		for _, use := range *ext.Referrers() {
			test, ok := use.(*ssa.BinOp)
			if !ok || test.Op != token.EQL {
				continue
			}
			k, ok := test.Y.(*ssa.Const)
			if !ok || k.Value == nil {
				continue
			}
			if n, _ := constant.Int64Val(k.Value); int(n) != i {
				continue
			}
			if branch, ok := last(test.Block()).(*ssa.If); ok && branch.Cond == test {
				return test.Block().Succs[0]
			}
		}
	}
	return nil
}
