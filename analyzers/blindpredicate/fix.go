package blindpredicate

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// drop returns the change that lets all events of a kind through, or nil where
// the predicate serves others, too:
//
//	Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{}))  →  Owns(&corev1.Secret{})
func drop(pass *rule.Pass, f finding) *analysis.SuggestedFix {
	if len(f.kinds) != 1 {
		return nil
	}
	fix := pass.Fix(f.span.From)
	path := fix.Path(f.span.From, f.span.To)
	for i, n := range path {
		option, ok := n.(*ast.CallExpr)
		if !ok || called(pass, option) != "WithPredicates" || len(option.Args) != 1 {
			continue
		}
		step, ok := path[i+1].(*ast.CallExpr)
		if !ok {
			return nil
		}
		switch called(pass, step) {
		case "Owns", "Watches", "For":
		default:
			return nil
		}
		at := slices.Index(step.Args, ast.Expr(option))
		if at < 1 || option.Ellipsis.IsValid() || !foreign(pass, option) {
			return nil
		}
		fix.Replace(step.Args[at-1].End(), option.End(), "")
		return fix.Done("Drop the predicate for " + f.kinds[0])
	}
	return nil
}

// called returns the name of the function of controller-runtime's builder that is
// called, or "".
func called(pass *rule.Pass, call *ast.CallExpr) string {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return ""
	}
	fn, ok := pass.TypesInfo.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sigs.k8s.io/controller-runtime/pkg/builder" {
		return ""
	}
	return fn.Name()
}

// foreign reports whether all that the expression uses is of other packages:
// nothing here is without use once it is gone.
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
