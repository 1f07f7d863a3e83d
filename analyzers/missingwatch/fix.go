package missingwatch

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// own returns the change that has the controller watch the objects of a kind that
// it controls, if it is certain that this is how to watch them:
//
//	For(&v1.Thing{}).  →  For(&v1.Thing{}).
//	Complete(r)           Owns(&appsv1.Deployment{}).
//	                      Complete(r)
func own(pass *rule.Pass, c *controller.Controller, kind library.GroupKind) edit.Proposal {
	pkgPath, name := library.ObjectType(c.Writes[firstWrite(c, kind)].Object.Type)
	switch {
	case name == "":
		return edit.None("no Go type of the kind is known")
	case !importable(pass.Pkg, pkgPath):
		return edit.None("the package does not import " + pkgPath)
	case !controls(c, kind):
		return edit.None("Owns sees nothing of objects without a controller reference to what For names; write a map function")
	}
	fix := pass.Fix(c.Pos)
	step, why := insertionPoint(pass, fix.Path(c.Pos, c.End))
	if why != "" {
		return edit.None(why)
	}
	owns := "Owns(&" + fix.Name(c.Pos, pkgPath, name) + "{})."
	dot := step.X.End()
	if pass.Fset.Position(dot).Line < pass.Fset.Position(step.Sel.Pos()).Line {
		owns += "\n" + fix.Indent(step.Sel.Pos())
	}
	fix.Insert(step.Sel.Pos(), owns)
	return fix.Done("Watch each " + name + " that it owns, which needs permission to list and watch")
}

// importable reports whether the package certainly can import the path: it
// already does, or every operator can.
func importable(pkg *types.Package, pkgPath string) bool {
	return pkgPath == pkg.Path() || library.IsAPI(pkgPath) ||
		slices.ContainsFunc(pkg.Imports(), func(imp *types.Package) bool { return imp.Path() == pkgPath })
}

// controls reports whether each object of the kind that the controller creates
// gets a controller reference to an object of the controller's own kind. It
// returns false if the kind is watched already, even by a watch without effect.
func controls(c *controller.Controller, kind library.GroupKind) bool {
	if len(c.Primary) != 1 || slices.ContainsFunc(c.Watches, func(w controller.Watch) bool { return w.Kind.MayBe(kind) }) {
		return false
	}
	return !slices.ContainsFunc(c.Writes, func(w controller.Write) bool {
		return isOutput(c, w) && w.Kind == kind && !w.MustBeControlledBy(c.Primary[0])
	})
}

// insertionPoint returns the step of the builder chain before which a further
// step can be inserted: the one after the last Owns, or after For, or the one
// that completes the controller. There is none if the builder filters events,
// because the filter might drop those of the new watch.
func insertionPoint(pass *rule.Pass, path []ast.Node) (step *ast.SelectorExpr, why string) {
	for _, n := range path {
		if sel, ok := n.(*ast.SelectorExpr); ok && isBuilder(pass.TypesInfo.TypeOf(sel.X)) {
			if filters(path) {
				return nil, "the builder's event filter may drop the events of a new watch"
			}
			return afterOwns(sel), ""
		}
	}
	return nil, "the controller is not built by a chain of calls here"
}

// afterOwns looks for the insertion point from the end of a chain.
func afterOwns(last *ast.SelectorExpr) *ast.SelectorExpr {
	var afterFor *ast.SelectorExpr
	for next := last; ; {
		call, ok := ast.Unparen(next.X).(*ast.CallExpr)
		if !ok {
			break
		}
		step, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			break
		}
		switch {
		case step.Sel.Name == "Owns":
			return next
		case step.Sel.Name == "For":
			afterFor = next
		}
		next = step
	}
	if afterFor != nil {
		return afterFor
	}
	return last
}

// isBuilder reports whether the type is a builder of controllers.
func isBuilder(t types.Type) bool {
	return library.TypeOf(t).Is == library.Builder
}

// filters reports whether the enclosing declaration sets an event filter.
func filters(path []ast.Node) bool {
	found := false
	ast.Inspect(path[len(path)-2], func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "WithEventFilter" {
			found = true
		}
		return true
	})
	return found
}
