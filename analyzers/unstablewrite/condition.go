package unstablewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// setCondition leaves the transition time of a condition to
// meta.SetStatusCondition, which renews it only when the status changes. There
// are two shapes. The condition is appended to those of an object, once more in
// each reconcile:
//
//	X = append(X, metav1.Condition{…, LastTransitionTime: metav1.Now()})
//
// or there is code that does what SetStatusCondition does, but for the time:
//
//	c := metav1.Condition{…, LastTransitionTime: metav1.Now()}
//	for i := range X {
//		if X[i].Type == c.Type {
//			X[i] = c
//			return
//		}
//	}
//	X = append(X, c)
//
// A slice that is made anew in each reconcile is neither: it has no old times.
func setCondition(pass *rule.Pass, fix *edit.Fix, path []ast.Node) {
	i := slices.IndexFunc(path, func(n ast.Node) bool {
		_, ok := n.(*ast.CompositeLit)
		return ok && isCondition(pass.TypesInfo.TypeOf(n.(ast.Expr)))
	})
	if i < 0 || i+3 > len(path) {
		fix.GiveUp("what to write instead depends on what the time is for")
		return
	}
	lit := path[i].(*ast.CompositeLit)
	condition := withoutTime(pass, fix, lit)
	if _, ok := path[i+1].(*ast.CallExpr); ok {
		stmt, _ := path[i+2].(ast.Stmt)
		if x, c := appends(pass, stmt); x != nil && c == lit && fix.Alone(stmt) && isObjects(pass, x) && onlyGrows(pass, x) {
			fix.ReplaceStmt(stmt, set(fix, stmt, x, condition))
			return
		}
	} else if stmt, ok := path[i+1].(*ast.AssignStmt); ok && stmt.Tok == token.DEFINE && len(stmt.Lhs) == 1 && fix.Alone(stmt) {
		c := stmt.Lhs[0].(*ast.Ident)
		if loop, last := upsert(pass, path[i+2:], stmt, lit); loop != nil {
			x, _ := appends(pass, last)
			fix.ReplaceStmt(stmt, c.Name+" := "+condition)
			fix.Replace(loop.Pos(), last.End(), set(fix, loop, x, c.Name))
			return
		}
	}
	fix.GiveUp("it is not certain that meta.SetStatusCondition does the same here")
}

// set returns the call that sets a condition in x.
func set(fix *edit.Fix, at ast.Node, x ast.Expr, condition string) string {
	ptr := "&" + types.ExprString(x)
	if star, ok := x.(*ast.StarExpr); ok {
		ptr = types.ExprString(star.X)
	}
	return fix.Name(at.Pos(), library.ConditionsPackage, "SetStatusCondition") + "(" + ptr + ", " + condition + ")"
}

// withoutTime returns the text of a condition without its transition time. The
// time must be that of now, and must not be the condition's only field.
func withoutTime(pass *rule.Pass, fix *edit.Fix, lit *ast.CompositeLit) string {
	i := slices.IndexFunc(lit.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		return ok && types.ExprString(kv.Key) == "LastTransitionTime" && isClock(pass, kv.Value)
	})
	switch {
	case i < 0 || len(lit.Elts) == 1 || lit.Type == nil:
		fix.GiveUp("it is not certain that meta.SetStatusCondition does the same here")
		return ""
	case i == 0:
		return fix.Source(lit.Pos(), lit.Elts[0].Pos()) + fix.Source(lit.Elts[1].Pos(), lit.End())
	}
	return fix.Source(lit.Pos(), lit.Elts[i-1].End()) + fix.Source(lit.Elts[i].End(), lit.End())
}

// isClock reports whether the expression is the current time and has no other
// effect.
func isClock(pass *rule.Pass, e ast.Expr) bool {
	clock := true
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			clock = clock && library.TraitsOf(calleePath(pass, call)).Has(library.TellsTime)
		}
		return clock
	})
	return clock
}

// appends returns x and c of x = append(x, c), where c is a condition and x can
// be evaluated twice.
func appends(pass *rule.Pass, stmt ast.Stmt) (x, c ast.Expr) {
	assign, ok := stmt.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return nil, nil
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	if !ok || builtin(pass, call) != "append" || len(call.Args) != 2 || call.Ellipsis.IsValid() {
		return nil, nil
	}
	x = assign.Lhs[0]
	place := x
	if star, ok := x.(*ast.StarExpr); ok {
		place = star.X
	}
	slice, ok := types.Unalias(pass.TypesInfo.TypeOf(x)).(*types.Slice)
	if !ok || !isCondition(slice.Elem()) || !isPlain(place) || !same(x, call.Args[0]) {
		return nil, nil
	}
	return x, call.Args[1]
}

// upsert returns the loop and the statement that follow the declaration of a
// condition. They replace the condition of its type in a list, or append it.
// They must be the last statements of the function whose body is the first of
// the nodes.
func upsert(pass *rule.Pass, around []ast.Node, decl *ast.AssignStmt, lit *ast.CompositeLit) (ast.Stmt, ast.Stmt) {
	body, ok := around[0].(*ast.BlockStmt)
	if !ok || len(body.List) < 3 || body.List[len(body.List)-3] != decl {
		return nil, nil
	}
	switch around[1].(type) {
	case *ast.FuncDecl, *ast.FuncLit:
	default:
		return nil, nil
	}
	last := body.List[len(body.List)-1]
	x, c := appends(pass, last)
	loop, ok := body.List[len(body.List)-2].(*ast.RangeStmt)
	if !ok || x == nil || !same(c, decl.Lhs[0]) || loop.Tok != token.DEFINE || blank(loop.Key) == "" || !same(loop.X, x) || len(loop.Body.List) != 1 {
		return nil, nil
	}
	test, ok := loop.Body.List[0].(*ast.IfStmt)
	if !ok || test.Init != nil || test.Else != nil || len(test.Body.List) != 2 {
		return nil, nil
	}
	assign, ok := test.Body.List[0].(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || !isElement(assign.Lhs[0], loop) || !same(assign.Rhs[0], c) {
		return nil, nil
	}
	if ret, ok := test.Body.List[1].(*ast.ReturnStmt); !ok || len(ret.Results) > 0 {
		return nil, nil
	}
	equal, ok := test.Cond.(*ast.BinaryExpr)
	if !ok || equal.Op != token.EQL {
		return nil, nil
	}
	ofOld := func(e ast.Expr) bool {
		of := typeOf(e)
		return of != nil && (isElement(of, loop) || loop.Value != nil && same(of, loop.Value))
	}
	ofNew := func(e ast.Expr) bool {
		of := typeOf(e)
		return of != nil && same(of, c) || slices.ContainsFunc(lit.Elts, func(elt ast.Expr) bool {
			kv, ok := elt.(*ast.KeyValueExpr)
			return ok && types.ExprString(kv.Key) == "Type" && (isPlain(e) || pass.TypesInfo.Types[e].Value != nil) && same(kv.Value, e)
		})
	}
	if !(ofOld(equal.X) && ofNew(equal.Y) || ofOld(equal.Y) && ofNew(equal.X)) {
		return nil, nil
	}
	return loop, last
}

// typeOf returns c for c.Type.
func typeOf(e ast.Expr) ast.Expr {
	if sel, ok := e.(*ast.SelectorExpr); ok && sel.Sel.Name == "Type" {
		return sel.X
	}
	return nil
}

// isElement reports whether the expression is the current element of the loop.
func isElement(e ast.Expr, loop *ast.RangeStmt) bool {
	index, ok := e.(*ast.IndexExpr)
	return ok && same(ast.Unparen(index.X), loop.X) && same(index.Index, loop.Key)
}

// same reports whether two expressions read the same value.
func same(a, b ast.Expr) bool { return types.ExprString(a) == types.ExprString(b) }

// isCondition reports whether the type is the library's condition, not a pointer
// to it.
func isCondition(t types.Type) bool {
	_, ptr := types.Unalias(t).(*types.Pointer)
	return !ptr && library.TypeOf(t).Is == library.StatusCondition
}

// isObjects reports whether the expression is in the status of an API object. A
// struct on its own may be a new one in each reconcile.
func isObjects(pass *rule.Pass, x ast.Expr) bool {
	for {
		sel, ok := x.(*ast.SelectorExpr)
		if !ok {
			obj, _, _ := types.LookupFieldOrMethod(pass.TypesInfo.TypeOf(x), true, pass.Pkg, "ObjectMeta")
			return obj != nil
		}
		x = sel.X
	}
}

// onlyGrows reports whether the package only appends to the field x, ranges over
// it, and looks up conditions in it by type. Then nobody empties the list first
// or treats it as a history.
func onlyGrows(pass *rule.Pass, x ast.Expr) bool {
	parts := make(map[types.Object]bool) // Status and Conditions
	for sel, ok := x.(*ast.SelectorExpr); ok; sel, ok = sel.X.(*ast.SelectorExpr) {
		parts[pass.TypesInfo.Uses[sel.Sel]] = true
	}
	field := pass.TypesInfo.Uses[lastName(x)]
	grows := true
	for _, file := range pass.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, lhs := range n.Lhs {
					name := lastName(lhs)
					grows = grows && (name == nil || !parts[pass.TypesInfo.Uses[name]] || pass.TypesInfo.Uses[name] == field && isAppend(pass, n))
				}
			case *ast.Ident:
				grows = grows && (pass.TypesInfo.Uses[n] != field || isHarmless(pass, stack))
			}
			return grows
		})
	}
	return grows
}

// isAppend reports whether the statement appends one condition.
func isAppend(pass *rule.Pass, stmt *ast.AssignStmt) bool {
	x, _ := appends(pass, stmt)
	return x != nil
}

// isHarmless reports whether a use of the field only appends to it, ranges over
// it, counts it, or passes it to the library's functions for conditions. The
// nodes are those around the field's name.
func isHarmless(pass *rule.Pass, stack []ast.Node) bool {
	stack = slices.Clone(stack)
	slices.Reverse(stack)
	if len(stack) < 3 {
		return false
	}
	sel, ok := stack[0].(*ast.SelectorExpr)
	if !ok {
		return false // a key of a literal
	}
	around := stack[1]
	if ptr, ok := around.(*ast.UnaryExpr); ok && ptr.Op == token.AND {
		around = stack[2]
	}
	switch n := around.(type) {
	case *ast.RangeStmt:
		return n.X == sel
	case *ast.AssignStmt:
		return slices.Contains(n.Lhs, ast.Expr(sel)) // looked at as such
	case *ast.CallExpr:
		switch builtin(pass, n) {
		case "len":
			return true
		case "append":
			stmt, ok := stack[2].(*ast.AssignStmt)
			return ok && isAppend(pass, stmt)
		}
		return calleePath(pass, n) == library.ConditionsPackage
	}
	return false
}

// calleePath returns the path of the package whose function is called, or "".
func calleePath(pass *rule.Pass, call *ast.CallExpr) string {
	if fn := typeutil.StaticCallee(pass.TypesInfo, call); fn != nil && fn.Pkg() != nil {
		return fn.Pkg().Path()
	}
	return ""
}
