package mutant

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/operatorvet/operatorvet/internal/library"
)

// value looks for code that keeps what an earlier reconcile has written: a time,
// a generated value, a condition.
func (s *search) value(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		if outer, ok := s.parent(1).(*ast.IfStmt); ok && outer.Else == n {
			return // its condition includes those before
		}
		switch {
		case s.copiesTimes(n):
			s.add("oldtime", n, s.condition(n), s.drop(n))
		case n.Else == nil && !s.comparesErrors(n.Cond) && s.setsClock(n.Body):
			s.add("oldtime", n, s.condition(n), s.unguard(n))
		case s.asksAbsent(n.Cond) && s.generates(n.Body):
			s.add("generated", n, s.condition(n), s.unguard(n))
		}
	case *ast.CallExpr:
		if _, f := s.callee(n); f.Effect == library.SetsCondition && len(n.Args) == 2 {
			s.appended(n)
		}
	}
}

// condition returns the head of an if statement.
func (s *search) condition(n *ast.IfStmt) string {
	return string(s.src[s.offset(n.Pos()):s.offset(n.Body.Lbrace)])
}

// unguard returns the edit that always executes the body of an if statement, and
// never its else branch. The if statement becomes a block, for the variables
// that it declares.
func (s *search) unguard(n *ast.IfStmt) edit {
	body := s.text(n.Body)
	if n.Init != nil {
		body = "{ " + s.text(n.Init) + "; " + body[1:]
	}
	return s.replace(n, body)
}

// copiesTimes reports whether an if statement does nothing but copy times of one
// object to another: new.StartTime = old.StartTime.
func (s *search) copiesTimes(n *ast.IfStmt) bool {
	if n.Else != nil || len(n.Body.List) == 0 {
		return false
	}
	for _, stmt := range n.Body.List {
		as, ok := stmt.(*ast.AssignStmt)
		if !ok || as.Tok != token.ASSIGN || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
			return false
		}
		to, ok := as.Lhs[0].(*ast.SelectorExpr)
		if !ok || !isTime(s.info.TypeOf(to)) {
			return false
		}
		from, ok := strip(as.Rhs[0]).(*ast.SelectorExpr)
		if !ok || from.Sel.Name != to.Sel.Name || s.text(from) == s.text(to) {
			return false
		}
	}
	return true
}

// strip returns what an address, a dereference or a DeepCopy is made of.
func strip(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return strip(e.X)
	case *ast.UnaryExpr:
		return strip(e.X)
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && len(e.Args) == 0 && strings.HasPrefix(sel.Sel.Name, "DeepCopy") {
			return strip(sel.X)
		}
	}
	return ast.Unparen(e)
}

func isTime(t types.Type) bool {
	is := library.TypeOf(t).Is
	return is == library.Time || is == library.MetaTime
}

// setsClock reports whether a block sets a field or a map's entry to the time of
// day, in a statement of its own.
func (s *search) setsClock(block *ast.BlockStmt) bool {
	for _, stmt := range block.List {
		as, ok := stmt.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for i, to := range as.Lhs {
			if i < len(as.Rhs) && isStored(to) && holdsTime(s.info.TypeOf(to)) && s.calls(as.Rhs[i], func(_ *types.Func, f *library.Func) bool { return f.Source == library.Clock }) {
				return true
			}
		}
	}
	return false
}

// isStored reports whether an assignment to the expression changes an object.
func isStored(to ast.Expr) bool {
	switch ast.Unparen(to).(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return true
	}
	return false
}

// holdsTime reports whether values of the type are times, also as text.
func holdsTime(t types.Type) bool {
	basic, ok := library.Deref(t).Underlying().(*types.Basic)
	return isTime(t) || ok && basic.Kind() == types.String
}

// calls reports whether a node calls a function with a property, other than in
// functions that it makes.
func (s *search) calls(n ast.Node, is func(*types.Func, *library.Func) bool) bool {
	return anyCall(n, func(call *ast.CallExpr) bool { return is(s.callee(call)) })
}

func anyCall(n ast.Node, is func(*ast.CallExpr) bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || is(n)
		}
		return !found
	})
	return found
}

// comparesErrors reports whether a condition is about an error.
func (s *search) comparesErrors(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && s.info.TypeOf(e) != nil && library.IsError(s.info.TypeOf(e)) {
			found = true
		}
		return !found
	})
	return found
}

// asksAbsent reports whether a condition, or one side of an || or &&, asks
// whether something does not exist: !found, x == "", x == nil, len(x) == 0,
// IsNotFound(err).
func (s *search) asksAbsent(cond ast.Expr) bool {
	switch cond := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return cond.Op == token.NOT
	case *ast.CallExpr:
		_, f := s.callee(cond)
		return f.Meaning == library.AsksNotFound
	case *ast.BinaryExpr:
		switch cond.Op {
		case token.LOR, token.LAND:
			return s.asksAbsent(cond.X) || s.asksAbsent(cond.Y)
		case token.EQL:
			tv := s.info.Types[cond.Y]
			return tv.IsNil() || tv.Value != nil && (tv.Value.ExactString() == `""` || tv.Value.ExactString() == "0")
		}
	}
	return false
}

// generates reports whether a block generates a value.
func (s *search) generates(block *ast.BlockStmt) bool {
	return anyCall(block, func(call *ast.CallExpr) bool { return s.generators.calledBy(s.info, call) })
}

// appended replaces the setting of a condition by an append.
func (s *search) appended(call *ast.CallExpr) {
	list := "*" + s.text(call.Args[0])
	if addr, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); ok && addr.Op == token.AND {
		list = s.text(addr.X)
	}
	grow := list + " = append(" + list + ", " + s.text(call.Args[1]) + ")"
	if _, ok := s.parent(1).(*ast.ExprStmt); !ok {
		grow = "func() bool { " + grow + "; return true }()"
	}
	s.add("condition", call, s.text(call), s.replace(call, grow))
}

// generators are the functions that generate values: those of libraries, and the
// module's functions that return what they generate. Calls may be concurrent.
type generators struct {
	mu  sync.RWMutex
	own map[*types.Func]bool
}

func newGenerators() *generators { return &generators{own: make(map[*types.Func]bool)} }

// add finds the generators that a package declares. Those of the packages that
// it imports are known.
func (g *generators) add(pkg *packages.Package) {
	for changed := true; changed; {
		changed = false
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				decl, ok := decl.(*ast.FuncDecl)
				if !ok || decl.Body == nil {
					continue
				}
				fn, ok := pkg.TypesInfo.Defs[decl.Name].(*types.Func)
				if !ok || g.has(fn) || !returnsValue(fn.Signature()) {
					continue
				}
				if anyCall(decl.Body, func(call *ast.CallExpr) bool { return g.calledBy(pkg.TypesInfo, call) }) {
					g.mu.Lock()
					g.own[fn] = true
					g.mu.Unlock()
					changed = true
				}
			}
		}
	}
}

func (g *generators) has(fn *types.Func) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.own[fn]
}

// calledBy reports whether a call generates a value.
func (g *generators) calledBy(info *types.Info, call *ast.CallExpr) bool {
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok {
		return false
	}
	f := library.Of(fn)
	return f.Source == library.Random || has(f.Args, library.RandomArg) || g.has(fn.Origin())
}

// returnsValue reports whether a function does no more than compute a value: it
// takes no context, which calls of the cluster need, and returns something
// besides an error.
func returnsValue(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if library.TypeOf(v.Type()).Is == library.Context {
			return false
		}
	}
	return sig.Results().Len() > 0 && !library.IsError(sig.Results().At(0).Type())
}
