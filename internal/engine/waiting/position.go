package waiting

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// loopRange is the loop's statement up to its body; a loop made with goto is
// shown where it waits.
func (a *analyzer) loopRange(v verdict) (pos, end token.Pos) {
	switch s := v.loop.statement().(type) {
	case *ast.ForStmt:
		return s.For, s.Body.Lbrace
	case *ast.RangeStmt:
		return s.For, s.Body.Lbrace
	}
	pos = v.site.instr.Pos()
	return pos, pos + 1
}

// selector returns the range of the name of the called function.
func (a *analyzer) selector(fn *ssa.Function, call ssa.CallInstruction) (pos, end token.Pos) {
	pos = call.Common().Pos()
	end = pos + 1
	body := declaration(fn)
	if body == nil {
		return pos, end
	}
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || c.Lparen != call.Common().Pos() {
			return true
		}
		switch f := ast.Unparen(c.Fun).(type) {
		case *ast.SelectorExpr:
			pos, end = f.Sel.Pos(), f.Sel.End()
		case *ast.Ident:
			pos, end = f.Pos(), f.End()
		case *ast.IndexExpr:
			pos, end = nameRange(f.X)
		case *ast.IndexListExpr:
			pos, end = nameRange(f.X)
		}
		return true
	})
	return pos, end
}

func nameRange(e ast.Expr) (pos, end token.Pos) {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return sel.Sel.Pos(), sel.Sel.End()
	}
	return e.Pos(), e.End()
}

// at returns the position as a short text, the same on every machine.
func (p *pkg) at(pos token.Pos) string {
	posn := p.pass.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(posn.Filename), posn.Line)
}

// argument returns the argument of the act's call that is the context, nil if
// there is none.
func (p *pkg) argument(fn *ssa.Function, act act) ast.Expr {
	i := slices.Index(arguments(act.call.Common()), act.ctx)
	if sig := act.call.Common().Signature(); sig.Recv() != nil {
		i--
	}
	body := declaration(fn)
	if body == nil || i < 0 {
		return nil
	}
	var found ast.Expr
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && c.Lparen == act.call.Common().Pos() && i < len(c.Args) {
			found = c.Args[i]
		}
		return true
	})
	return found
}

// contextName returns how the code calls the context of an act.
func contextName(argument ast.Expr) string {
	switch argument := ast.Unparen(argument).(type) {
	case *ast.Ident:
		return argument.Name
	case *ast.SelectorExpr:
		return types.ExprString(argument)
	}
	return "its context"
}
