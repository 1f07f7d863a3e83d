package ctxloop

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// passContext passes the context to the call that does not observe it, in the way that
// the callee takes one:
//
//	f(context.Background(), …)  →  f(ctx, …)
//	wait.Until(f, d, wait.NeverStop)  →  wait.Until(f, d, ctx.Done())
//	wait.Poll(d, time.Minute, func() (bool, error) {  →
//	        wait.PollUntilContextTimeout(ctx, d, time.Minute, false, func(ctx context.Context) (bool, error) {
//	req, err := retryablehttp.NewRequest(…)  →  req, err := retryablehttp.NewRequestWithContext(ctx, …)
//	client.R().Get(url)  →  client.R().SetContext(ctx).Get(url)
func passContext(pass *rule.Pass, f waiting.Finding) edit.Proposal {
	fix := pass.Fix(f.Pos)
	message := "Pass " + f.Context
	if len(f.Waits) > 0 {
		for _, pos := range f.Waits {
			setContext(pass, fix, fix.Path(pos, pos+1), f.Context)
		}
		return fix.Done(message)
	}
	path := fix.Path(f.Pos, f.End)
	call := callIn(path)
	if !atHand(pass, fix, path, f.Context) {
		return edit.None(outOfScope(f.Context))
	}
	if call == nil {
		return edit.None(noCall)
	}
	fn, ok := pass.TypesInfo.Uses[calledName(call)].(*types.Func)
	if !ok {
		return edit.None(noCall)
	}
	switch arg, with := uselessArgument(pass, call, f.Context); {
	case arg != nil:
		fix.Replace(arg.Pos(), arg.End(), with)
	case f.Kind == waiting.Poll:
		if s := library.Of(fn).Successor; s != nil {
			succeed(pass, fix, path, call, fn, s, f.Context)
			message = "Call " + s.Name + " with " + f.Context
		} else {
			requestWithContext(pass, fix, path, call, f.Context)
		}
	}
	return fix.Done(message)
}

// callIn returns the innermost call that encloses path[0], its callee's name.
func callIn(path []ast.Node) *ast.CallExpr {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.CallExpr:
			return n
		case ast.Stmt:
			return nil
		}
	}
	return nil
}

// uselessArgument returns the only argument that is a context which is never done, or a
// channel which is never closed. It also returns what to pass instead.
func uselessArgument(pass *rule.Pass, call *ast.CallExpr, context string) (arg ast.Expr, with string) {
	for _, a := range call.Args {
		instead := ""
		switch x := ast.Unparen(a).(type) {
		case *ast.CallExpr:
			if name := calledName(x); name != nil {
				switch fn, _ := pass.TypesInfo.Uses[name].(*types.Func); {
				case fn == nil:
				case library.Of(fn).Meaning == library.NeverDone:
					instead = context
				}
			}
		case *ast.Ident:
			if library.VarOf(pass.TypesInfo.Uses[x]).Is == library.NeverStop {
				instead = context + ".Done()"
			}
		case *ast.SelectorExpr:
			if library.VarOf(pass.TypesInfo.Uses[x.Sel]).Is == library.NeverStop {
				instead = context + ".Done()"
			}
		}
		if instead != "" {
			if arg != nil {
				return nil, ""
			}
			arg, with = a, instead
		}
	}
	return arg, with
}

// succeed replaces the callee with its successor that takes a context, and the condition
// with one that takes a context.
func succeed(pass *rule.Pass, fix *edit.Fix, path []ast.Node, call *ast.CallExpr, fn *types.Func, s *library.Successor, context string) {
	switch {
	case fn.Pkg().Scope().Lookup(s.Name) == nil, // an old version of the library
		len(call.Args) <= s.Condition,
		// The successor returns another error than the one that the code compares with.
		usesErrWaitTimeout(pass),
		// A timeout of zero means forever to the callee, and no time to its successor.
		s.Timeout >= 0 && !isPositive(pass, call.Args[s.Timeout]),
		s.Endless && !isLast(path):
		fix.GiveUp("it is not certain that " + s.Name + " ends as " + fn.Name() + " does here")
		return
	}
	name := calledName(call)
	fix.Replace(name.Pos(), name.End(), s.Name)
	before := s.Immediate
	if before != "" {
		before += ", "
	}
	cond := call.Args[s.Condition]
	if s.Condition == 0 {
		before = context + ", " + before
	} else {
		fix.Insert(call.Args[0].Pos(), context+", ")
	}
	if lit, ok := ast.Unparen(cond).(*ast.FuncLit); ok {
		if before != "" {
			fix.Insert(cond.Pos(), before)
		}
		param := fix.Name(cond.Pos(), "context", "Context")
		if token.IsIdentifier(context) && pass.TypesInfo.Scopes[lit.Type].Lookup(context) == nil {
			param = context + " " + param
		}
		fix.Insert(lit.Type.Params.Opening+1, param)
		return
	}
	if library.TypeOf(pass.TypesInfo.TypeOf(cond)).Is != library.PollCondition {
		fix.GiveUp("the condition is a function of another type")
		return
	}
	fix.Insert(cond.Pos(), before)
	fix.Insert(cond.End(), ".WithContext()")
}

// usesErrWaitTimeout reports whether the package uses the error that polls without a
// context return when they give up.
func usesErrWaitTimeout(pass *rule.Pass) bool {
	for _, obj := range pass.TypesInfo.Uses {
		if library.VarOf(obj).Is == library.WaitTimeout {
			return true
		}
	}
	return false
}

// isPositive reports whether the expression is a constant above zero.
func isPositive(pass *rule.Pass, e ast.Expr) bool {
	v := pass.TypesInfo.Types[e].Value
	return v != nil && constant.Sign(v) > 0
}

// isLast reports whether nothing comes after the call: a go statement runs it, or it is
// the last statement of a function without results.
func isLast(path []ast.Node) bool {
	for i, n := range path {
		switch n := n.(type) {
		case *ast.GoStmt:
			return true
		case *ast.ExprStmt:
			body, ok := path[i+1].(*ast.BlockStmt)
			if !ok || body.List[len(body.List)-1] != n {
				return false
			}
			results, outer := function(path)
			return outer == body && results.NumFields() == 0
		case ast.Stmt:
			return false
		}
	}
	return false
}

// requestWithContext passes the context to the function that makes the request. It gives
// up if the request's variable is assigned more than once.
func requestWithContext(pass *rule.Pass, fix *edit.Fix, path []ast.Node, call *ast.CallExpr, context string) {
	if len(call.Args) != 1 {
		fix.GiveUp("the request is not made in this function by a call that takes a context")
		return
	}
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		fix.GiveUp("the request is not made in this function by a call that takes a context")
		return
	}
	req := pass.TypesInfo.Uses[id]
	var made []*ast.CallExpr
	assigned := 0
	_, body := function(path)
	ast.Inspect(body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 {
			return true
		}
		for _, lhs := range assign.Lhs {
			if id, ok := lhs.(*ast.Ident); ok && pass.TypesInfo.ObjectOf(id) == req {
				assigned++
				if c, ok := assign.Rhs[0].(*ast.CallExpr); ok {
					made = append(made, c)
				}
			}
		}
		return true
	})
	if assigned != 1 || len(made) != 1 || len(made[0].Args) == 0 {
		fix.GiveUp("the request is not made in this function by a call that takes a context")
		return
	}
	name := calledName(made[0])
	if name == nil {
		fix.GiveUp("the request is not made in this function by a call that takes a context")
		return
	}
	fn, ok := pass.TypesInfo.Uses[name].(*types.Func)
	if !ok {
		fix.GiveUp("the request is not made in this function by a call that takes a context")
		return
	}
	s := library.Of(fn).Successor
	if s == nil || s.Condition >= 0 || !atHand(pass, fix, fix.Path(name.Pos(), name.End()), context) {
		fix.GiveUp("the request is not made in this function by a call that takes a context")
		return
	}
	fix.Replace(name.Pos(), name.End(), s.Name)
	fix.Insert(made[0].Args[0].Pos(), context+", ")
}

// setContext sets the context of a resty request that a chain of calls makes and
// executes.
func setContext(pass *rule.Pass, fix *edit.Fix, path []ast.Node, context string) {
	call := callIn(path)
	if call == nil || !atHand(pass, fix, path, context) {
		fix.GiveUp(outOfScope(context))
		return
	}
	for {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			break
		}
		switch fn, _ := pass.TypesInfo.Uses[sel.Sel].(*types.Func); {
		case fn == nil, slices.Contains([]string{"SetContext", "WithContext"}, fn.Name()):
			fix.GiveUp("the request is not made where it is executed, or has a context")
			return
		case fn.Name() == "R", fn.Name() == "NewRequest":
			if library.RestyMethod(fn) <= library.RestyV1 {
				fix.GiveUp("this version of the library sleeps all the same")
				return
			}
			fix.Insert(call.End(), ".SetContext("+context+")")
			return
		}
		if call, ok = ast.Unparen(sel.X).(*ast.CallExpr); !ok {
			break
		}
	}
	fix.GiveUp("the request is not made where it is executed, or has a context")
}
