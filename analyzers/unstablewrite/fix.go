package unstablewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// fix returns the change that makes a value stable, if one certainly fits.
func fix(pass *rule.Pass, source flow.Label) edit.Proposal {
	switch {
	case !isOwn(pass, source):
		return edit.None("the value comes from another package")
	case source.Kind != flow.MapOrder && source.Kind != flow.Clock:
		return edit.None("what to write instead depends on what the value is for")
	}
	fix := pass.Fix(source.Pos)
	path := fix.Path(source.Pos, source.Pos)
	if source.Kind == flow.Clock {
		setCondition(pass, fix, path)
		return fix.Done("Leave the transition time to meta.SetStatusCondition")
	}
	for _, n := range path {
		if loop, ok := n.(*ast.RangeStmt); ok {
			if source.Pos < loop.Body.Lbrace {
				sortKeys(pass, fix, loop)
				return fix.Done("Range over the sorted keys of the map")
			}
			break
		}
	}
	return edit.None("no range over a map makes the order")
}

// sortKeys has a loop over a map go through it in the order of its keys:
//
//	for k, v := range m {  →  for _, k := range slices.Sorted(maps.Keys(m)) {
//	                                  v := m[k]
//
// That evaluates m anew for each key, and reads what the map holds by then: m must
// be the same throughout, and nothing be deleted on the way.
func sortKeys(pass *rule.Pass, fix *edit.Fix, loop *ast.RangeStmt) {
	m, ok := types.Unalias(pass.TypesInfo.TypeOf(loop.X)).Underlying().(*types.Map)
	switch {
	case !ok || !isOrdered(m.Key()):
		fix.GiveUp("the keys of the map have no order")
		return
	case !hasMaps(pass, fix):
		fix.GiveUp("slices.Sorted and maps.Keys need go 1.23 in go.mod")
		return
	case !isPlain(loop.X) || changes(pass, loop):
		fix.GiveUp("the map may change while the loop runs")
		return
	case loop.Tok == token.ASSIGN || !fix.Alone(headerOf(loop)):
		fix.GiveUp("the head of the loop does not stand alone, or declares no variables")
		return
	}
	key, value := blank(loop.Key), blank(loop.Value)
	text := fix.Text(loop.X)
	if mentions(loop.X, key) || pass.TypesInfo.Scopes[loop.Body].Lookup(value) != nil {
		fix.GiveUp("the body declares a variable of the name again") // or m[m]
		return
	}
	if key == "" {
		if value == "" {
			fix.GiveUp("the loop has no variables")
			return
		}
		key = fix.Fresh(loop.Body, "k", "key", "mapKey")
	}
	start := loop.Range
	if loop.Key != nil {
		start = loop.Key.Pos()
	}
	sorted := "_, " + key + " := range " + fix.Name(loop.For, "slices", "Sorted") + "(" + fix.Name(loop.For, "maps", "Keys") + "("
	fix.Replace(start, loop.X.Pos(), sorted)
	fix.Insert(loop.X.End(), "))")
	if value != "" {
		fix.InsertLineAfter(loop.Body.Lbrace, fix.Indent(loop.For)+"\t"+value+" := "+text+"["+key+"]")
	}
}

// headerOf returns the loop with its body reduced to the opening brace.
func headerOf(loop *ast.RangeStmt) ast.Node {
	header := *loop
	header.Body = &ast.BlockStmt{Lbrace: loop.Body.Lbrace, Rbrace: loop.Body.Lbrace}
	return &header
}

// blank returns the name of a loop variable, or "" if there is none.
func blank(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
		return id.Name
	}
	return ""
}

// isOrdered reports whether keys of the type can be sorted and looked up again.
// A float that is NaN cannot.
func isOrdered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// hasMaps reports whether the file's language version is one whose standard
// library can sort the keys of a map.
func hasMaps(pass *rule.Pass, fix *edit.Fix) bool {
	v := fix.GoVersion()
	return v != "" && version.Compare(v, "go1.23") >= 0
}

// isPlain reports whether the expression is a variable, or a field of one.
func isPlain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPlain(e.X)
	}
	return false
}

// mentions reports whether the name occurs in the expression.
func mentions(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// changes reports whether the map, or the expression that yields it, may change
// while the loop runs.
func changes(pass *rule.Pass, loop *ast.RangeStmt) bool {
	last, _ := pass.TypesInfo.Uses[lastName(loop.X)].(*types.Var)
	return last == nil || assigned(pass, loop, last) || deleted(pass, last)
}

// assigned reports whether the loop's body assigns to the expression of the map
// or to an element, takes the address of one, or passes the map on.
func assigned(pass *rule.Pass, loop *ast.RangeStmt, last *types.Var) bool {
	parts := make(map[types.Object]bool) // m, or r and m in r.m
	ast.Inspect(loop.X, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			parts[pass.TypesInfo.Uses[id]] = true
		}
		return true
	})
	part := func(e ast.Expr) bool {
		if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
			name := lastName(x.X)
			return name != nil && pass.TypesInfo.Uses[name] == last
		}
		name := lastName(e)
		return name != nil && parts[pass.TypesInfo.Uses[name]]
	}
	whole := types.ExprString(loop.X)
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				found = found || part(lhs)
			}
			for _, rhs := range n.Rhs {
				found = found || types.ExprString(rhs) == whole // another name for it
			}
		case *ast.IncDecStmt:
			found = found || part(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && part(n.X)
		case *ast.CallExpr:
			for _, arg := range n.Args {
				found = found || types.ExprString(arg) == whole && builtin(pass, n) != "len"
			}
		}
		return !found
	})
	return found
}

// deleted reports whether code that the loop may call deletes from the map. For
// a local variable that can only be a function literal, otherwise any function
// of the package.
func deleted(pass *rule.Pass, last *types.Var) bool {
	local := !last.IsField() && last.Parent() != pass.Pkg.Scope()
	found := false
	for _, file := range pass.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return !found
			}
			switch builtin(pass, call) {
			case "delete", "clear":
			default:
				return !found
			}
			inLiteral := slices.ContainsFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok })
			name := lastName(call.Args[0])
			found = found || name != nil && pass.TypesInfo.Uses[name] == last && (!local || inLiteral)
			return !found
		})
	}
	return found
}

// lastName returns m for m and r.m, else nil.
func lastName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// builtin returns the name of the built-in function that is called, or "".
func builtin(pass *rule.Pass, call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if _, ok := pass.TypesInfo.Uses[id].(*types.Builtin); !ok {
		return ""
	}
	return id.Name
}
