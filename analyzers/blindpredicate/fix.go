package blindpredicate

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// drop returns the change that lets all events of a kind through, unless the predicate
// serves others, too:
//
//	Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{}))  →  Owns(&corev1.Secret{})
func drop(pass *rule.Pass, f finding) edit.Proposal {
	const shared = "the predicate serves other watches, too"
	if len(f.kinds) != 1 {
		return edit.None(shared)
	}
	fix := pass.Fix(f.span.From)
	path := fix.Path(f.span.From, f.span.To)
	for i, n := range path {
		option, ok := n.(*ast.CallExpr)
		if !ok || !isOption(pass, option) || len(option.Args) != 1 {
			continue
		}
		step, ok := path[i+1].(*ast.CallExpr)
		if !ok {
			return edit.None(shared)
		}
		switch called(pass, step).Role() {
		case library.For, library.Owns, library.Watches:
		default:
			return edit.None(shared)
		}
		at := slices.Index(step.Args, ast.Expr(option))
		if at < 1 || option.Ellipsis.IsValid() || !foreign(pass, option) {
			return edit.None("without the predicate, code of this package may be unused")
		}
		fix.Replace(step.Args[at-1].End(), option.End(), "")
		return fix.Done("Drop the predicate for " + f.kinds[0])
	}
	return edit.None("the predicate is not an option of this watch alone")
}

// isOption reports whether the call makes a watch option from predicates.
func isOption(pass *rule.Pass, call *ast.CallExpr) bool {
	return called(pass, call).Combination == library.AllOf && library.TypeOf(pass.TypesInfo.TypeOf(call)).Is == library.PredicateOption
}

// called returns the record of the function that is called.
func called(pass *rule.Pass, call *ast.CallExpr) *library.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	}
	fn, _ := pass.TypesInfo.Uses[id].(*types.Func)
	return library.Of(fn)
}

// foreign reports whether the expression uses only objects of other packages.
// Then removing it leaves nothing unused in this package.
func foreign(pass *rule.Pass, e ast.Expr) bool {
	all := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := pass.TypesInfo.Uses[id]
			_, isPkg := obj.(*types.PkgName)
			all = all && (isPkg || obj == nil || obj.Pkg() != pass.Pkg)
		}
		return all
	})
	return all
}
