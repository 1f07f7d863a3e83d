package contexts

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
)

// Place returns the place of a position in the package.
func (p *Package) Place(pos token.Pos) place.Place { return place.Of(p.pass.Fset, p.Types, pos) }

// Body returns the syntax of fn's body, nil if fn has no syntax.
func Body(fn *ssa.Function) *ast.BlockStmt {
	switch n := fn.Syntax().(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// CallExpr returns the syntax of a call in fn, nil if it has none.
func CallExpr(fn *ssa.Function, call ssa.CallInstruction) *ast.CallExpr {
	body := Body(fn)
	if body == nil {
		return nil
	}
	var found *ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen == call.Common().Pos() {
			found = c
		}
		return found == nil
	})
	return found
}

// NameRange returns the range of the callee's name in a call.
func NameRange(fn *ssa.Function, call ssa.CallInstruction) (pos, end token.Pos) {
	if c := CallExpr(fn, call); c != nil {
		switch f := ast.Unparen(c.Fun).(type) {
		case *ast.SelectorExpr, *ast.Ident:
			return nameRange(f)
		case *ast.IndexExpr:
			return nameRange(f.X)
		case *ast.IndexListExpr:
			return nameRange(f.X)
		}
	}
	pos = call.Common().Pos()
	return pos, pos + 1
}

func nameRange(e ast.Expr) (pos, end token.Pos) {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return sel.Sel.Pos(), sel.Sel.End()
	}
	return e.Pos(), e.End()
}
