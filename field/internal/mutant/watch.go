package mutant

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
)

// watch looks for what brings the events of written objects to a controller:
// its watches, and the references by which Owns finds the controller's object.
func (s *search) watch(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		fn, f := s.callee(n)
		switch {
		case f.Role() == library.Owns:
			if obj := arg(n, fn, f.Watch.Args, library.ObjectArg); obj != nil {
				s.add("owns", method(n), "Owns("+s.text(obj)+")", s.without(n))
				s.blind(n, obj)
			}
		case f.Role() == library.Watches:
			if obj := arg(n, fn, f.Watch.Args, library.ObjectArg); obj != nil {
				s.add("watches", method(n), "Watches("+s.text(obj)+")", s.without(n))
			}
		case f.Owner != nil && f.Owner.Effect == library.SetsController:
			s.reference(n)
		}
	case *ast.ExprStmt:
		// obj.SetOwnerReferences(…)
		if call := called(n.X); call != nil {
			if _, f := s.callee(call); f.Owner != nil && f.Owner.Effect == library.ReplacesRefs {
				s.add("ownerref", n, s.text(n), s.drop(n))
			}
		}
	case *ast.CompositeLit:
		s.literal(n)
	}
}

// without returns the edit that takes one call out of a chain of a builder.
func (s *search) without(call *ast.CallExpr) edit {
	x := receiver(call)
	if stmt, ok := s.parent(1).(*ast.ExprStmt); ok && called(x) == nil {
		return s.drop(stmt) // b.Owns(x)
	}
	return remove(s.offset(x.End()), s.offset(call.End()))
}

// method returns the name of the method that is called, which stands on its own
// line in many a chain.
func method(call *ast.CallExpr) ast.Node {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel
	}
	return call
}

// blind puts in a predicate that drops all updates of an owned kind.
func (s *search) blind(call *ast.CallExpr, obj ast.Expr) {
	kind, ok := library.KindOfType(library.TypeName(s.info.TypeOf(obj)))
	if !ok || !kind.HasNoGeneration() || len(call.Args) != 1 {
		return
	}
	builder, edits := s.named("sigs.k8s.io/controller-runtime/pkg/builder", call)
	predicate, more := s.named("sigs.k8s.io/controller-runtime/pkg/predicate", call)
	end := s.offset(call.Args[0].End())
	put := edit{end, end, ", " + builder + ".WithPredicates(" + predicate + ".GenerationChangedPredicate{})"}
	s.add("blind", method(call), "Owns("+s.text(obj)+")", append(append(edits, more...), put)...)
}

// reference takes out a call that makes one object the controller of another. It
// returns an error, so that it stands in many forms.
func (s *search) reference(call *ast.CallExpr) {
	gone := s.replace(call, "error(nil)") // return obj, SetControllerReference(…)
	switch parent := s.parent(1).(type) {
	case *ast.ExprStmt:
		gone = s.drop(parent)
	case *ast.AssignStmt:
		ifStmt, ok := s.parent(2).(*ast.IfStmt)
		switch {
		case ok && ifStmt.Init == parent && ifStmt.Else == nil && !isElse(s.parent(3), ifStmt):
			gone = s.drop(ifStmt) // if err := SetControllerReference(…); err != nil { return err }
		case len(parent.Lhs) == 1 && isBlank(parent.Lhs[0]):
			gone = s.drop(parent)
		}
	}
	s.add("ownerref", call, s.text(call), gone)
}

// isElse reports whether a statement is the else branch of the one around it.
func isElse(around ast.Node, stmt *ast.IfStmt) bool {
	outer, ok := around.(*ast.IfStmt)
	return ok && outer.Else == stmt
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// literal takes the owner references out of the metadata of a new object.
func (s *search) literal(lit *ast.CompositeLit) {
	typ := s.info.TypeOf(lit)
	if library.TypeOf(typ).Is != library.ObjectMeta {
		return
	}
	for i, elt := range lit.Elts {
		pair, ok := elt.(*ast.KeyValueExpr)
		if !ok || !s.listsReferences(pair) {
			continue
		}
		to := s.offset(lit.Rbrace)
		if i+1 < len(lit.Elts) {
			to = s.offset(lit.Elts[i+1].Pos())
		} else if j := strings.IndexByte(string(s.src[s.offset(pair.End()):to]), ','); j >= 0 {
			to = s.offset(pair.End()) + j + 1
		} else {
			to = s.offset(pair.End())
		}
		s.add("ownerref", pair, s.text(pair), remove(s.offset(pair.Pos()), to))
	}
}

// listsReferences reports whether a field of a literal is a list of owner
// references that is not empty.
func (s *search) listsReferences(pair *ast.KeyValueExpr) bool {
	slice, ok := s.info.TypeOf(pair.Value).(*types.Slice)
	if !ok {
		return false
	}
	named := library.NamedOf(slice.Elem())
	if named == nil || named.Obj().Name() != "OwnerReference" {
		return false
	}
	lit, ok := ast.Unparen(pair.Value).(*ast.CompositeLit)
	return !ok || len(lit.Elts) > 0
}
