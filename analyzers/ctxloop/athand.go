package ctxloop

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// atHand reports whether the expression, such as ctx or req.Context(), means at path[0]
// a context that an enclosing function was given, or one derived from it.
func atHand(pass *rule.Pass, fix *edit.Fix, path []ast.Node, expr string) bool {
	if len(path) == 0 {
		return false
	}
	name, ofRequest := strings.CutSuffix(expr, ".Context()")
	_, obj := fix.Scope(path[0].Pos()).LookupParent(name, path[0].Pos())
	v, ok := obj.(*types.Var)
	if !ok {
		return false
	}
	want := library.Context
	if ofRequest {
		want = library.HTTPRequest
	}
	return library.TypeOf(v.Type()).Is == want && given(pass, path[len(path)-2], v, make(map[*types.Var]bool))
}

// given reports whether a variable is a parameter of a function in the declaration, or
// all its values are derived from such a parameter.
func given(pass *rule.Pass, decl ast.Node, v *types.Var, seen map[*types.Var]bool) bool {
	if seen[v] {
		return true // ctx = trace(ctx)
	}
	seen[v] = true
	isParam, derived, other := false, false, false
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			for _, field := range n.Params.List {
				for _, id := range field.Names {
					isParam = isParam || pass.TypesInfo.Defs[id] == v
				}
			}
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				id, ok := lhs.(*ast.Ident)
				if !ok || pass.TypesInfo.ObjectOf(id) != v {
					continue
				}
				if derives(pass, decl, n.Rhs[min(i, len(n.Rhs)-1)], seen) {
					derived = true
				} else {
					other = true
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				if pass.TypesInfo.Defs[id] == v {
					other = true // rare
				}
			}
		case *ast.UnaryExpr:
			if id, ok := n.X.(*ast.Ident); ok && pass.TypesInfo.Uses[id] == v {
				other = true // its address is taken
			}
		case *ast.BinaryExpr:
			if id, ok := n.X.(*ast.Ident); ok && pass.TypesInfo.Uses[id] == v {
				other = true // compared with nil, so it may be nil
			}
		}
		return true
	})
	return (isParam || derived) && !other
}

// derives reports whether the expression is a call that derives a context from another
// one at hand: context.WithTimeout(ctx, d), log.IntoContext(ctx, l).
func derives(pass *rule.Pass, decl ast.Node, expr ast.Expr, seen map[*types.Var]bool) bool {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok {
		return false
	}
	if fn, ok := pass.TypesInfo.Uses[calledName(call)].(*types.Func); ok && library.Of(fn).Meaning == library.Detaches {
		return false
	}
	for _, arg := range call.Args {
		id, ok := ast.Unparen(arg).(*ast.Ident)
		if !ok {
			continue
		}
		from, ok := pass.TypesInfo.Uses[id].(*types.Var)
		if ok && library.TypeOf(from.Type()).Is == library.Context {
			return given(pass, decl, from, seen)
		}
	}
	return false
}
