package mutant

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"github.com/operatorvet/operatorvet/internal/library"
)

// cancel looks for code that observes the end of a context, or goes on in spite
// of it.
func (s *search) cancel(n ast.Node) {
	switch n := n.(type) {
	case *ast.SelectStmt:
		if s.inLoop() && len(n.Body.List) > 1 {
			s.done(n)
		}
	case *ast.CallExpr:
		fn, f := s.callee(n)
		switch {
		case f.Wait != nil && f.Wait.Loop:
			ctx := arg(n, fn, f.Wait.Args, library.ContextArg)
			if ctx == nil || library.TypeOf(s.info.TypeOf(ctx)).Is != library.Context || s.neverDone(ctx) {
				return
			}
			name, edits := s.named("context", n)
			s.add("poll", n, s.text(n.Fun)+"("+s.text(ctx)+")", append(edits, s.replace(ctx, name+".Background()"))...)
		case f.Meaning == library.Detaches && len(n.Args) == 1:
			s.add("detach", n, s.text(n), s.replace(n, s.text(n.Args[0])))
		case f.Meaning == library.NeverDone:
			if ctx := cmp.Or(s.contextOutside(n), s.contextEnded(n)); ctx != "" {
				s.add("detach", n, s.text(n), s.replace(n, ctx))
			}
		}
	}
}

// inLoop reports whether the node being looked at is in a loop of its function.
func (s *search) inLoop() bool {
	for _, n := range slices.Backward(s.stack) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// done takes out the cases that wait for the end of a context.
func (s *search) done(sel *ast.SelectStmt) {
	for _, stmt := range sel.Body.List {
		clause := stmt.(*ast.CommClause)
		if s.waitedFor(clause.Comm) != nil {
			s.add("done", clause, "case "+s.text(clause.Comm), s.drop(clause))
		}
	}
}

// waitedFor returns the context of which the statement waits for the end, or nil.
func (s *search) waitedFor(stmt ast.Stmt) ast.Expr {
	recv, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	un, ok := ast.Unparen(recv.X).(*ast.UnaryExpr)
	if !ok {
		return nil
	}
	call := called(un.X)
	if call == nil || receiver(call) == nil {
		return nil
	}
	fn, _ := s.callee(call)
	if fn == nil || fn.Name() != "Done" || library.TypeOf(s.info.TypeOf(receiver(call))).Is != library.Context {
		return nil
	}
	return receiver(call)
}

// contextEnded returns the text of a context that is done in the place of the node: the
// case around it, or a statement before it, has waited for that. It returns "" if there is
// none.
func (s *search) contextEnded(at ast.Node) string {
	for _, n := range slices.Backward(s.stack) {
		var before []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return ""
		case *ast.CommClause:
			before = append([]ast.Stmt{n.Comm}, n.Body...)
		case *ast.CaseClause:
			before = n.Body
		case *ast.BlockStmt:
			before = n.List
		}
		for _, stmt := range before {
			if stmt == nil { // the default case of a select
				continue
			}
			if stmt.End() > at.Pos() {
				break
			}
			ctx := s.waitedFor(stmt)
			id, isName := ctx.(*ast.Ident)
			if v, _ := s.info.Uses[id].(*types.Var); ctx != nil && (!isName || v != nil && s.sees(v, at)) {
				return s.text(ctx)
			}
		}
	}
	return ""
}

// neverDone reports whether a context is one that never ends, such as
// context.Background().
func (s *search) neverDone(ctx ast.Expr) bool {
	call := called(ctx)
	if call == nil {
		return false
	}
	_, f := s.callee(call)
	return f.Meaning == library.NeverDone
}

// contextOutside returns the name of the context that a deferred function could
// use in the place of one that never ends: a parameter of the function around
// it. It returns "" if there is none, or if the node is not in a deferred
// function.
func (s *search) contextOutside(at ast.Node) string {
	deferred := false
	for _, n := range slices.Backward(s.stack) {
		var typ *ast.FuncType
		switch n := n.(type) {
		case *ast.DeferStmt:
			deferred = true
		case *ast.FuncLit:
			typ = n.Type
		case *ast.FuncDecl:
			typ = n.Type
		}
		if typ == nil || !deferred {
			continue
		}
		for _, field := range typ.Params.List {
			for _, id := range field.Names {
				if v, ok := s.info.Defs[id].(*types.Var); ok && library.TypeOf(v.Type()).Is == library.Context && s.sees(v, at) {
					return v.Name()
				}
			}
		}
	}
	return ""
}

// sees reports whether a name means the variable in the place of a node.
func (s *search) sees(v *types.Var, at ast.Node) bool {
	scope := s.pkg.Types.Scope().Innermost(at.Pos())
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(v.Name(), at.Pos())
	return obj == v
}
