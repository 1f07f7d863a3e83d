package ctxloop

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// fix returns the fix of a finding, if there is one that keeps the meaning of the code.
func fix(pass *rule.Pass, f waiting.Finding) edit.Proposal {
	switch f.Kind {
	case waiting.Loop:
		return interruptWaits(pass, f)
	case waiting.Poll, waiting.OtherContext:
		return passContext(pass, f)
	case waiting.Call:
		return edit.None("the loop is in another package")
	}
	return edit.None("what to return instead depends on the callers")
}

// noCall says that there is nothing that could take the context.
const noCall = "it is not a call of a function by its name"

// outOfScope says that the context cannot be used where it is needed.
func outOfScope(context string) string {
	if strings.Contains(context, " ") { // "the context of Reconcile"
		return context + " is not in scope here"
	}
	return context + " is not in scope here, or does not come from the caller"
}

// interruptWaits makes the waits of a loop end when the context is done:
//
//	time.Sleep(d)  →  select {
//	                  case <-ctx.Done():
//	                          return ctx.Err()
//	                  case <-time.After(d):
//	                  }
//
// There is no fix if one of the waits has another form, or if the function cannot tell
// its caller that it was interrupted.
func interruptWaits(pass *rule.Pass, f waiting.Finding) edit.Proposal {
	fix := pass.Fix(f.Pos)
	for _, pos := range f.Waits {
		interrupt(pass, fix, pos, f.Context)
	}
	return fix.Done("Wait in a select with " + f.Context + ".Done()")
}

// noStatement says that a wait is no statement that a select could replace.
const noStatement = "the wait is part of another expression or statement"

func interrupt(pass *rule.Pass, fix *edit.Fix, wait token.Pos, context string) {
	path := fix.Path(wait, wait+1)
	at := slices.IndexFunc(path, func(n ast.Node) bool { _, ok := n.(ast.Stmt); return ok })
	if at < 0 {
		fix.GiveUp(noStatement)
		return
	}
	if clause, ok := path[at+1].(*ast.CommClause); ok && clause.Comm == path[at] {
		at += 3 // to the select: clause, block
	}
	if !isListed(path[at+1]) {
		fix.GiveUp(noStatement)
		return
	}
	leave, why := leaving(pass, fix, path[at:], context)
	if why != "" {
		fix.GiveUp(why)
		return
	}
	if sel, ok := path[at].(*ast.SelectStmt); ok {
		if receives(fix, sel, context+".Done()") {
			fix.GiveUp("the select has a case for " + context + ", which does not end the loop")
			return
		}
		indent := fix.Indent(sel.Pos())
		fix.InsertLineAfter(sel.Body.Lbrace, indent+"case <-"+context+".Done():\n"+indent+"\t"+leave)
		return
	}
	stmt, ok := path[at].(*ast.ExprStmt)
	if !ok || !fix.Alone(stmt) {
		fix.GiveUp(noStatement)
		return
	}
	// The code in between stays as it is, and so do comments at the end of the line.
	indent := fix.Indent(stmt.Pos())
	begin := "select {\n" + indent + "case <-" + context + ".Done():\n" + indent + "\t" + leave + "\n" + indent + "case "
	switch x := stmt.X.(type) {
	case *ast.CallExpr:
		fn, ok := pass.TypesInfo.Uses[calledName(x)].(*types.Func)
		if !ok {
			fix.GiveUp(noStatement)
			return
		}
		wait := library.Of(fn).Wait
		if wait == nil || wait.Timer == "" {
			fix.GiveUp(noStatement)
			return
		}
		fix.Replace(x.Fun.Pos(), x.Fun.End(), begin+"<-"+fix.Name(x.Pos(), fn.Pkg().Path(), wait.Timer))
	case *ast.UnaryExpr:
		fix.Insert(stmt.Pos(), begin)
	default:
		fix.GiveUp(noStatement)
		return
	}
	fix.Insert(stmt.End(), ":")
	fix.InsertLineAfter(stmt.End(), indent+"}")
}

// receives reports whether a case of the select receives from the channel.
func receives(fix *edit.Fix, sel *ast.SelectStmt, channel string) bool {
	return slices.ContainsFunc(sel.Body.List, func(clause ast.Stmt) bool {
		recv, ok := clause.(*ast.CommClause).Comm.(*ast.ExprStmt)
		return ok && fix.Text(recv.X) == "<-"+channel
	})
}

// isListed reports whether n holds a list of statements.
func isListed(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// calledName returns the name of the function that is called, or nil.
func calledName(call *ast.CallExpr) *ast.Ident {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// leaving returns the statement that leaves the function enclosing path[0] when the
// context is done. If the context is not at hand there, or if the caller could not tell
// the early return from another one, it says so instead.
func leaving(pass *rule.Pass, fix *edit.Fix, path []ast.Node, context string) (stmt, why string) {
	if !atHand(pass, fix, path, context) {
		return "", outOfScope(context)
	}
	results, body := function(path)
	if body == nil || releases(pass, body, path[0].Pos()) {
		return "", "a return here would skip what the function does after the loop"
	}
	const untold = "the function cannot tell its caller that it was interrupted"
	if results.NumFields() == 0 {
		if isGoroutine(path) || givesUp(path) {
			return "return", ""
		}
		return "", untold
	}
	stmt = "return "
	errors := 0
	for _, field := range results.List {
		for range max(1, len(field.Names)) {
			if stmt != "return " {
				stmt += ", "
			}
			t := pass.TypesInfo.TypeOf(field.Type)
			if library.IsError(t) {
				errors++
				stmt += context + ".Err()"
				continue
			}
			zero, ok := zeroValue(pass, fix, t, field.Type, path[0].Pos())
			if !ok {
				return "", "a result of the function has a type that cannot be named here"
			}
			stmt += zero
		}
	}
	if errors != 1 {
		return "", untold
	}
	return stmt, ""
}

// function returns the results and the body of the innermost function.
func function(path []ast.Node) (*ast.FieldList, *ast.BlockStmt) {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Type.Results, n.Body
		case *ast.FuncDecl:
			return n.Type.Results, n.Body
		}
	}
	return nil, nil
}

// releases reports whether the function releases after pos, without defer, what it has
// acquired before pos. A return at pos would skip that.
func releases(pass *rule.Pass, body *ast.BlockStmt, pos token.Pos) bool {
	found := false
	locks := 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt:
			return false
		case *ast.SendStmt:
			found = found || n.Pos() > pos // another goroutine may wait for it
		case *ast.ExprStmt:
			call, ok := n.X.(*ast.CallExpr)
			if !ok || calledName(call) == nil {
				break
			}
			switch name := calledName(call).Name; name {
			case "Lock", "RLock":
				if n.Pos() < pos {
					locks++
				}
			case "Unlock", "RUnlock":
				if n.Pos() < pos {
					locks--
				} else {
					found = found || locks > 0
				}
			case "Close", "close", "cancel", "Cancel", "Done", "Stop", "Release":
				found = found || n.Pos() > pos && !declaredAfter(pass, call, pos)
			}
		}
		return true
	})
	return found
}

// declaredAfter reports whether the call uses a variable that is declared after pos.
func declaredAfter(pass *rule.Pass, call *ast.CallExpr, pos token.Pos) bool {
	after := false
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := pass.TypesInfo.Uses[id].(*types.Var); ok && !v.IsField() {
				after = after || v.Pos() > pos
			}
		}
		return true
	})
	return after
}

// isGoroutine reports whether the innermost function is a literal that a go
// statement runs: nobody waits for what it returns.
func isGoroutine(path []ast.Node) bool {
	for i, n := range path {
		switch n.(type) {
		case *ast.FuncLit:
			call, ok := path[i+1].(*ast.CallExpr)
			if !ok || call.Fun != n {
				return false
			}
			_, ok = path[i+2].(*ast.GoStmt)
			return ok
		case *ast.FuncDecl:
			return false
		}
	}
	return false
}

// givesUp reports whether the code after the loops that enclose path[0] can rely on
// nothing that they have waited for: they have no end, or they end after a number of
// rounds. After
//
//	for !ready() {
//		time.Sleep(time.Second)
//	}
//
// the caller relies on it being ready. A function without results cannot tell the
// caller that it is not.
func givesUp(path []ast.Node) bool {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return true
		case *ast.RangeStmt:
			continue
		case *ast.ForStmt:
			switch {
			case n.Cond == nil && n.Post == nil && leaves(n.Body):
				return false
			case n.Cond != nil && n.Post == nil:
				return false
			}
		}
	}
	return true
}

// leaves reports whether a statement in the body may end the loop.
func leaves(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK || n.Tok == token.GOTO
		}
		return !found
	})
	return found
}

// zeroValue returns an expression for the zero value of a result. Expr is the syntax of
// its type.
func zeroValue(pass *rule.Pass, fix *edit.Fix, t types.Type, expr ast.Expr, pos token.Pos) (string, bool) {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "*new(" + fix.Text(expr) + ")", sameNames(pass, fix, expr, pos)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		}
		return "nil", true // unsafe.Pointer
	case *types.Struct, *types.Array:
		if _, literal := expr.(*ast.StructType); literal {
			return "", false
		}
		return fix.Text(expr) + "{}", sameNames(pass, fix, expr, pos)
	}
	return "nil", true
}

// sameNames reports whether the names in expr mean the same at pos as they do in expr's
// own place.
func sameNames(pass *rule.Pass, fix *edit.Fix, expr ast.Expr, pos token.Pos) bool {
	same := true
	ast.Inspect(expr, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			n = sel.X
		}
		if id, ok := n.(*ast.Ident); ok {
			_, obj := fix.Scope(pos).LookupParent(id.Name, pos)
			same = same && obj == pass.TypesInfo.Uses[id]
			return false
		}
		return true
	})
	return same
}
