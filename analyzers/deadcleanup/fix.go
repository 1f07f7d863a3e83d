package deadcleanup

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// detach returns the fix that runs the clean-up on a context of its own, if that is
// enough:
//
//	case <-ctx.Done():  →  case <-ctx.Done():
//	        r.undo(ctx)            cleanupCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
//	                               defer cancel()
//	                               r.undo(cleanupCtx)
//
// A deferred call becomes a deferred function literal, so that the timeout starts when
// it runs.
func detach(pass *rule.Pass, c cleanup.Cleanup) edit.Proposal {
	ctx, ok := c.Argument.(*ast.Ident)
	switch {
	case c.Reason == cleanup.NotCalled:
		return edit.None("the clean-up must be called where the work ends, too")
	case !ok:
		return edit.None("the context is not passed as a variable")
	}
	fix := pass.Fix(c.Pos)
	if v := fix.GoVersion(); v == "" || version.Compare(v, "go1.21") < 0 {
		return edit.None("context.WithoutCancel needs go 1.21 in go.mod")
	}
	path := fix.Path(ctx.Pos(), ctx.End())
	stmt, list := statement(path)
	body := functionBody(path)
	if stmt == nil || body == nil || !fix.Alone(stmt) {
		return edit.None("the call is part of another expression or statement")
	}
	name, cancel := fix.Fresh(body, "cleanupCtx", "detached"), fix.Fresh(body, "cancel", "cancelCleanup")
	indent := fix.Indent(stmt.Pos())
	begin := func(indent string) string {
		return name + ", " + cancel + " := " + fix.Name(stmt.Pos(), "context", "WithTimeout") + "(" +
			fix.Name(stmt.Pos(), "context", "WithoutCancel") + "(" + ctx.Name + "), 10*" + fix.Name(stmt.Pos(), "time", "Second") + ")\n" +
			indent + "defer " + cancel + "()\n" + indent
	}
	if d, ok := stmt.(*ast.DeferStmt); ok {
		if !evaluatesTheSame(pass, d.Call, body) || path[1] != d.Call {
			return edit.None("what the defer statement evaluates may have changed when the call runs")
		}
		fix.Insert(d.Call.Pos(), "func() {\n"+indent+"\t"+begin(indent+"\t"))
		fix.Insert(d.Call.End(), "\n"+indent+"}()")
	} else {
		if inLoop(path) && !returns(list) {
			return edit.None("each round of the loop would defer another cancel")
		}
		fix.Insert(stmt.Pos(), begin(indent))
	}
	fix.Replace(ctx.Pos(), ctx.End(), name)
	return fix.Done("Run it on context.WithoutCancel(" + ctx.Name + ") with a timeout")
}

// statement returns the innermost enclosing statement that is in a list, and the list.
func statement(path []ast.Node) (ast.Stmt, []ast.Stmt) {
	for i, n := range path[:max(0, len(path)-1)] {
		stmt, ok := n.(ast.Stmt)
		if !ok {
			if _, ok := n.(*ast.FuncLit); ok {
				return nil, nil
			}
			continue
		}
		switch outer := path[i+1].(type) {
		case *ast.BlockStmt:
			return stmt, outer.List
		case *ast.CaseClause:
			return stmt, outer.Body
		case *ast.CommClause:
			if outer.Comm != stmt {
				return stmt, outer.Body
			}
		}
	}
	return nil, nil
}

// functionBody returns the body of the innermost function.
func functionBody(path []ast.Node) *ast.BlockStmt {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Body
		case *ast.FuncDecl:
			return n.Body
		}
	}
	return nil
}

// inLoop reports whether a loop of the innermost function encloses path[0].
func inLoop(path []ast.Node) bool {
	for _, n := range path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// returns reports whether a list of statements ends with a return.
func returns(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	return ok
}

// evaluatesTheSame reports whether the callee and the arguments of a deferred call have
// the same values at the defer statement and when the call runs. That is so for
// constants, and for variables and fields that nothing assigns to.
func evaluatesTheSame(pass *rule.Pass, call *ast.CallExpr, body *ast.BlockStmt) bool {
	if pass.Fset.Position(call.Pos()).Line != pass.Fset.Position(call.End()).Line {
		return false // the lines would need another indentation
	}
	unchanged := true
	vars := make(map[types.Object]bool)
	for _, e := range append([]ast.Expr{call.Fun}, call.Args...) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr, *ast.FuncLit, *ast.IndexExpr, *ast.StarExpr:
				unchanged = false
			case *ast.Ident:
				if v, ok := pass.TypesInfo.Uses[n].(*types.Var); ok {
					vars[v] = true
				}
			}
			return unchanged
		})
	}
	changed := func(e ast.Expr) {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			unchanged = unchanged && !vars[pass.TypesInfo.Uses[e]]
		case *ast.SelectorExpr:
			unchanged = unchanged && !vars[pass.TypesInfo.Uses[e.Sel]]
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				changed(lhs)
			}
		case *ast.IncDecStmt:
			changed(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				changed(n.X)
			}
		}
		return unchanged
	})
	return unchanged
}
