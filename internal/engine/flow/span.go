package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
)

// callSpan returns the source range of the called function's name.
func (a *analysisState) callSpan(instr ssa.CallInstruction) (token.Pos, token.Pos) {
	switch fun := ast.Unparen(orNil(a.callFuns[instr.Pos()])).(type) {
	case *ast.SelectorExpr:
		if !isPackageName(a.pass.TypesInfo, fun.X) {
			return fun.Sel.Pos(), fun.Sel.End()
		}
		return fun.Pos(), fun.End()
	case *ast.FuncLit:
		return fun.Type.Func, fun.Type.End()
	case nil:
		return instr.Pos(), instr.Pos()
	default:
		return fun.Pos(), fun.End()
	}
}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

func isPackageName(info *types.Info, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.PkgName)
	return ok
}

// rangeSpan returns the source range of the head of n's range statement.
func (a *analysisState) rangeSpan(n *ssa.Next) (token.Pos, token.Pos) {
	rng, ok := n.Iter.(*ssa.Range)
	if !ok {
		return n.Pos(), n.Pos()
	}
	if end, ok := a.ranges[rng.Pos()]; ok {
		return rng.Pos(), end
	}
	return rng.Pos(), rng.Pos()
}

// at returns the place of a position in the package under analysis.
func (a *analysisState) at(pos token.Pos) place.Place {
	p := place.Of(a.pass.Fset, a.pass.Pkg, pos)
	// One string for each file: labels are compared often.
	if file, ok := a.files[p.File]; ok {
		p.File = file
	} else {
		a.files[p.File] = p.File
	}
	return p
}
