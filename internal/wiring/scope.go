package wiring

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A scope has the local variables of one declared function, with those of the
// function literals in it. It knows nothing of blocks: a name that is declared or
// assigned twice in the function is unknown.
type scope struct {
	*collector
	fn     *Func // nil outside functions
	locals map[string]*local
	lits   int // depth of function literals
}

// A local is a local variable, constant or type.
type local struct {
	n   int // how often it is set
	val Value
	// expr is the initial value, if that is the value. It is evaluated on demand.
	expr  ast.Expr
	index int // of the result, if expr is a call with several
	// shared says that its address is taken.
	shared bool
	// flag is the default, if it is a flag.
	flag ast.Expr
	// unset says that it is a flag, a text that is empty unless the user sets it. byUser is how often
	// the variable is set only if the user sets such a flag.
	unset  bool
	byUser int
}

func (s *scope) bind(name *ast.Ident, val Value) {
	if name.Name == "_" {
		return
	}
	l := s.locals[name.Name]
	if l == nil {
		l = new(local)
		s.locals[name.Name] = l
	}
	l.n++
	l.val = val
}

// bindAll binds what the code below a node declares.
func (s *scope) bindAll(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND && s.locals[id.Name] != nil {
				s.locals[id.Name].shared = true
			}
		case *ast.CallExpr:
			if to, val := flagOf(n); to != nil {
				if id, ok := to.(*ast.Ident); ok && s.locals[id.Name] != nil {
					s.locals[id.Name].flag = val
				}
			}
			if to := unsetFlagOf(n); to != nil && s.locals[nameOf(to)] != nil {
				s.locals[nameOf(to)].unset = true
			}
		case *ast.AssignStmt:
			s.bindAssignment(n)
		case *ast.IfStmt:
			s.bindByUser(n)
		case *ast.ValueSpec:
			for i, name := range n.Names {
				switch {
				case len(n.Values) == len(n.Names):
					s.bindTo(name, n.Values[i], 0)
				case len(n.Values) == 0 && n.Type != nil:
					s.bind(name, s.zero(n.Type))
				default:
					s.bind(name, Value{})
				}
			}
		case *ast.TypeSpec:
			s.locals[n.Name.Name] = &local{n: 2}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					s.bind(id, Value{})
				}
			}
		case *ast.FuncLit:
			for _, f := range n.Type.Params.List {
				for _, name := range f.Names {
					s.bind(name, s.typed(f.Type))
				}
			}
			for _, name := range fieldNames(n.Type.Results) {
				s.locals[name.Name] = &local{n: 2}
			}
		}
		return true
	})
}

func (s *scope) bindAssignment(n *ast.AssignStmt) {
	for i, lhs := range n.Lhs {
		id, ok := ast.Unparen(lhs).(*ast.Ident)
		switch {
		case !ok:
		case n.Tok != token.DEFINE:
			if l := s.locals[id.Name]; l != nil {
				l.n++
			}
		case len(n.Rhs) == len(n.Lhs):
			s.bindTo(id, n.Rhs[i], 0)
		case len(n.Rhs) == 1:
			s.bindTo(id, n.Rhs[0], i)
		}
	}
}

// bindByUser notes what is set only if the user sets a flag:
//
//	flag.StringVar(&text, "sync-period", "", "…")
//	var period *time.Duration
//	if text != "" {
//		period = parse(text)
//	}
func (s *scope) bindByUser(n *ast.IfStmt) {
	cmp, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || cmp.Op != token.NEQ || !isEmptyText(cmp.Y) {
		return
	}
	if l := s.locals[nameOf(cmp.X)]; l == nil || !l.unset {
		return
	}
	ast.Inspect(n.Body, func(n ast.Node) bool {
		if set, ok := n.(*ast.AssignStmt); ok && set.Tok == token.ASSIGN {
			for _, lhs := range set.Lhs {
				if l := s.locals[nameOf(lhs)]; l != nil {
					l.byUser++
				}
			}
		}
		return true
	})
}

func (s *scope) bindTo(name *ast.Ident, expr ast.Expr, index int) {
	s.bind(name, Value{})
	if l := s.locals[name.Name]; l != nil {
		l.expr, l.index = expr, index
	}
}

// undeclare takes variables out of the scope, for what is evaluated before they are
// declared. Often they hide packages from there on:
//
//	client, err := client.New(config, client.Options{})
//
// It returns a function that takes that back.
func (s *scope) undeclare(variables ...ast.Expr) (declare func()) {
	hidden := make(map[string]*local)
	for _, e := range variables {
		name := nameOf(ast.Unparen(e))
		if l := s.locals[name]; l != nil && l.n == 1 {
			hidden[name] = l
			delete(s.locals, name)
		}
	}
	return func() { maps.Copy(s.locals, hidden) }
}

// zero returns the zero value of a type.
func (s *scope) zero(typ ast.Expr) Value {
	if ref := s.typeRef(typ); ref.Shape == Plain {
		s.made[ref.Of] = true
		return Value{Kind: Typed, Of: ref.Of}
	}
	return s.typed(typ)
}

// typed returns a value of which only the type is known.
func (s *scope) typed(typ ast.Expr) Value {
	if ref := s.typeRef(typ); ref.Shape == Plain || ref.Shape == Pointer {
		return Value{Kind: Typed, Of: ref.Of}
	}
	return Value{}
}

// name returns the package-level name that an expression is.
func (s *scope) name(e ast.Expr) (Name, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if s.locals[e.Name] == nil && e.Name != "_" {
			return Name{s.pkg.Path, e.Name}, true
		}
	case *ast.SelectorExpr:
		if x, ok := ast.Unparen(e.X).(*ast.Ident); ok && s.locals[x.Name] == nil {
			if p, ok := s.imports[x.Name]; ok {
				return Name{p, e.Sel.Name}, true
			}
		}
	case *ast.IndexExpr:
		return s.name(e.X)
	case *ast.IndexListExpr:
		return s.name(e.X)
	}
	return Name{}, false
}

// typeRef returns what a type expression says.
func (s *scope) typeRef(e ast.Expr) TypeRef {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		if ref := s.typeRef(e.X); ref.Shape == Plain {
			return TypeRef{Pointer, ref.Of}
		}
	case *ast.FuncType:
		return TypeRef{Shape: Function}
	case *ast.ArrayType:
		return s.container(e.Elt)
	case *ast.Ellipsis:
		return s.container(e.Elt)
	case *ast.MapType:
		return s.container(e.Value)
	case *ast.ChanType:
		return s.container(e.Value)
	default:
		if name, ok := s.name(e); ok {
			if name.Pkg == s.pkg.Path && s.types[name.Name] == nil {
				return TypeRef{} // a type of the language
			}
			return TypeRef{Plain, name}
		}
	}
	return TypeRef{}
}

func (s *scope) container(elem ast.Expr) TypeRef {
	if ref := s.typeRef(elem); ref.Shape == Plain || ref.Shape == Pointer {
		return TypeRef{Container, ref.Of}
	}
	return TypeRef{}
}

// maxSteps bounds the steps from an expression to its value.
const maxSteps = 12

// value returns what an expression is.
func (s *scope) value(e ast.Expr) Value { return s.eval(e, 0, maxSteps) }

// eval is like value for a result of an expression with several.
func (s *scope) eval(e ast.Expr, index, steps int) Value {
	if steps == 0 {
		return Value{}
	}
	steps--
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return Value{Kind: Nil}
	case *ast.Ident:
		l := s.locals[e.Name]
		switch {
		case l == nil && (e.Name == "nil" || e.Name == "true" || e.Name == "false"):
			return Value{Kind: Nil}
		case l == nil:
			return Value{Kind: Object, Of: Name{s.pkg.Path, e.Name}}
		case l.n != 1:
			return Value{}
		case l.flag != nil:
			return s.flagged(l.flag, steps)
		}
		val := l.val
		if l.expr != nil {
			declare := s.undeclare(e)
			val = s.eval(l.expr, l.index, steps)
			declare()
		}
		if l.shared && val.Kind != Instance && val.Kind != Typed {
			return Value{}
		}
		return val
	case *ast.SelectorExpr:
		if name, ok := s.name(e); ok {
			return Value{Kind: Object, Of: name}
		}
		return Value{Kind: Member, X: s.id(s.eval(e.X, 0, steps)), Sel: e.Sel.Name}
	case *ast.IndexExpr, *ast.IndexListExpr:
		if name, ok := s.name(e); ok && s.funcs[name.Name] && name.Pkg == s.pkg.Path {
			return Value{Kind: Object, Of: name} // an instance
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return s.eval(e.X, 0, steps)
		}
	case *ast.BinaryExpr:
		if num, ok := product(e); ok {
			return Value{Kind: Number, Num: num}
		}
	case *ast.StarExpr:
		return s.eval(e.X, 0, steps)
	case *ast.TypeAssertExpr:
		if index == 0 {
			return s.eval(e.X, 0, steps)
		}
	case *ast.CompositeLit:
		if e.Type != nil {
			if ref := s.typeRef(e.Type); ref.Shape == Plain {
				return Value{Kind: Instance, Of: ref.Of}
			}
		}
	case *ast.FuncLit:
		if fn := wrapped(e); fn != nil {
			return s.eval(fn, 0, steps)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && id.Name == "new" && len(e.Args) == 1 && s.locals["new"] == nil {
			if ref := s.typeRef(e.Args[0]); ref.Shape == Plain {
				return Value{Kind: Instance, Of: ref.Of}
			}
			return Value{}
		}
		if val := newFlag(e); val != nil {
			return s.flagged(val, steps)
		}
		if name, ok := s.name(e.Fun); ok {
			if name.Pkg == s.pkg.Path && s.types[name.Name] != nil && len(e.Args) == 1 {
				return s.converted(name, e.Args[0], steps)
			}
			return Value{Kind: Result, Of: name, Index: index}
		}
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
			return Value{Kind: Method, X: s.id(s.eval(sel.X, 0, steps)), Sel: sel.Sel.Name, Index: index}
		}
	}
	return Value{}
}

// flagged returns the value of a flag with this default.
func (s *scope) flagged(val ast.Expr, steps int) Value {
	return Value{Kind: Default, X: s.id(s.eval(val, 0, steps))}
}

// converted returns the value of a conversion to a type of the package. A
// conversion to an interface or a function type does not change the value.
func (s *scope) converted(to Name, arg ast.Expr, steps int) Value {
	switch s.types[to.Name].Type.(type) {
	case *ast.InterfaceType, *ast.FuncType:
		return s.eval(arg, 0, steps)
	}
	return Value{Kind: Instance, Of: to}
}

// wrapped returns the function that a function literal calls with its own
// parameters, if it does nothing else:
//
//	func(d time.Duration) { time.Sleep(d) }
func wrapped(lit *ast.FuncLit) ast.Expr {
	if len(lit.Body.List) != 1 {
		return nil
	}
	var call *ast.CallExpr
	switch stmt := lit.Body.List[0].(type) {
	case *ast.ExprStmt:
		call, _ = stmt.X.(*ast.CallExpr)
	case *ast.ReturnStmt:
		if len(stmt.Results) == 1 {
			call, _ = stmt.Results[0].(*ast.CallExpr)
		}
	}
	params := fieldNames(lit.Type.Params)
	if call == nil || len(call.Args) != len(params) || call.Ellipsis.IsValid() {
		return nil
	}
	for i, arg := range call.Args {
		if id, ok := arg.(*ast.Ident); !ok || id.Name != params[i].Name {
			return nil
		}
	}
	if len(params) == 0 && len(lit.Type.Params.List) > 0 {
		return nil // a parameter without a name
	}
	return call.Fun
}

// variables records package variables and constants.
func (s *scope) variables(spec *ast.ValueSpec) {
	if spec.Type != nil {
		if ref := s.typeRef(spec.Type); (ref.Shape == Plain || ref.Shape == Container) && !isBlank(spec) {
			s.made[ref.Of] = true
		}
	}
	for i, name := range spec.Names {
		if name.Name == "_" {
			continue
		}
		to := Value{Kind: Object, Of: Name{s.pkg.Path, name.Name}}
		switch {
		case len(spec.Values) == len(spec.Names):
			s.initial(to, s.value(spec.Values[i]))
		case len(spec.Values) == 1:
			s.initial(to, s.eval(spec.Values[0], i, maxSteps))
		case spec.Type != nil:
			s.initial(to, s.zero(spec.Type))
		default:
			s.initial(to, Value{Kind: Nil}) // a constant of a group
		}
	}
	for _, v := range spec.Values {
		if !isBlank(spec) {
			inner := s.collector.newScope()
			inner.bindAll(v)
			inner.walk(v)
		}
	}
}

// isBlank reports whether a declaration only checks something:
//
//	var _ Service = (*service)(nil)
func isBlank(spec *ast.ValueSpec) bool { return len(spec.Names) == 1 && spec.Names[0].Name == "_" }

// walk records what the code below a node stores, calls and refers to.
func (s *scope) walk(root ast.Node) {
	called := make(map[ast.Expr]bool)
	elems := make(map[*ast.CompositeLit]ast.Expr) // the types of literals that leave them out
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.lits++
			ast.Inspect(n.Body, visit)
			s.lits--
			return false
		case *ast.ReturnStmt:
			s.returns(n)
		case *ast.DeclStmt:
			if gen, ok := n.Decl.(*ast.GenDecl); ok {
				for _, spec := range gen.Specs {
					if spec, ok := spec.(*ast.ValueSpec); ok && spec.Type != nil && !isBlank(spec) {
						if ref := s.typeRef(spec.Type); ref.Shape == Plain || ref.Shape == Container {
							s.made[ref.Of] = true
						}
					}
				}
			}
		case *ast.AssignStmt:
			s.assignment(n)
			if n.Tok == token.DEFINE {
				declare := s.undeclare(n.Lhs...)
				for _, e := range n.Rhs {
					ast.Inspect(e, visit)
				}
				declare()
				return false
			}
		case *ast.IncDecStmt:
			s.storeTo(n.X, Value{})
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				s.storeTo(n.Key, Value{})
				s.storeTo(n.Value, Value{})
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				s.storeTo(n.X, Value{}) // its address is known elsewhere
			}
		case *ast.CompositeLit:
			s.literal(n, elems)
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
			s.callOf(n)
		case *ast.SelectorExpr:
			s.selected[n.Sel.Name] = true
			if name, ok := s.name(n); ok {
				s.survey.Manages = s.survey.Manages || library.MakesManager(name.Pkg+"."+name.Name)
				if !called[n] && s.pkg.InModule(name.Pkg) {
					s.used[name] = true
				}
				return false
			}
			if !called[n] {
				s.methods[n.Sel.Name] = true
			}
			ast.Inspect(n.X, visit)
			return false
		case *ast.KeyValueExpr:
			if _, ok := n.Key.(*ast.Ident); !ok {
				ast.Inspect(n.Key, visit)
			}
			ast.Inspect(n.Value, visit)
			return false
		case *ast.Ident:
			if !called[n] && s.locals[n.Name] == nil && types.Universe.Lookup(n.Name) == nil {
				s.used[Name{s.pkg.Path, n.Name}] = true
			}
		}
		return true
	}
	ast.Inspect(root, visit)
}

// returns records the results of the declared function.
func (s *scope) returns(ret *ast.ReturnStmt) {
	if s.fn == nil || s.lits > 0 {
		return
	}
	for i := range s.fn.Returns {
		val := Value{}
		switch {
		case len(ret.Results) == len(s.fn.Returns):
			val = s.value(ret.Results[i])
		case len(ret.Results) == 1:
			val = s.eval(ret.Results[0], i, maxSteps)
		}
		s.fn.Returns[i] = append(s.fn.Returns[i], s.id(val))
	}
}

func (s *scope) assignment(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		return
	}
	for i, lhs := range n.Lhs {
		val := Value{}
		if n.Tok == token.ASSIGN {
			if len(n.Rhs) == len(n.Lhs) {
				val = s.value(n.Rhs[i])
			} else {
				val = s.eval(n.Rhs[0], i, maxSteps)
			}
		}
		s.storeTo(lhs, val)
		if sel, ok := lhs.(*ast.SelectorExpr); ok && s.options && sel.Sel.Name == library.SyncPeriod && len(n.Rhs) == len(n.Lhs) {
			s.resync(n.Rhs[i], s.id(s.value(sel.X)))
		}
	}
}

// storeTo records a store to a field or a package variable.
func (s *scope) storeTo(lhs ast.Expr, val Value) {
	if lhs == nil {
		return
	}
	switch lhs := ast.Unparen(lhs).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if to := s.place(lhs); to.Kind != Unknown {
			s.store(to, val)
		}
	}
}

// place returns the field or package variable that an expression denotes.
func (s *scope) place(e ast.Expr) Value {
	if name, ok := s.name(e); ok {
		return Value{Kind: Object, Of: name}
	}
	if sel, ok := e.(*ast.SelectorExpr); ok {
		return Value{Kind: Member, X: s.id(s.value(sel.X)), Sel: sel.Sel.Name}
	}
	return Value{}
}

// literal records the elements of a composite literal.
func (s *scope) literal(n *ast.CompositeLit, elems map[*ast.CompositeLit]ast.Expr) {
	typ := n.Type
	if typ == nil {
		typ = elems[n]
	}
	if star, ok := typ.(*ast.StarExpr); ok && n.Type == nil {
		typ = star.X
	}
	if id, ok := typ.(*ast.Ident); ok && s.locals[id.Name] == nil && s.types[id.Name] != nil {
		switch under := s.types[id.Name].Type.(type) {
		case *ast.ArrayType, *ast.MapType:
			typ = under
		}
	}
	var elem ast.Expr
	switch typ := typ.(type) {
	case *ast.ArrayType:
		elem = typ.Elt
	case *ast.MapType:
		elem = typ.Value
		s.elided(n, elems, typ.Key, func(kv *ast.KeyValueExpr) ast.Expr { return kv.Key })
	}
	if elem != nil {
		s.elided(n, elems, elem, func(kv *ast.KeyValueExpr) ast.Expr { return kv.Value })
		if ref := s.typeRef(elem); ref.Shape == Plain {
			s.made[ref.Of] = true
		}
		return
	}
	owner := Value{}
	if typ != nil {
		if ref := s.typeRef(typ); ref.Shape == Plain {
			s.made[ref.Of] = true
			owner = Value{Kind: Instance, Of: ref.Of}
		}
	}
	if !s.pkg.InModule(owner.Of.Pkg) && owner.Kind != Unknown {
		if library.HasSyncPeriod(owner.Of.Pkg, owner.Of.Name) {
			s.resyncIn(n)
		}
		s.uncachedIn(n, owner.Of)
		return // a struct of a library
	}
	x := s.id(owner)
	for i, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			s.initial(Value{Kind: Member, X: x, Index: i}, s.value(e))
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok {
			s.initial(Value{Kind: Member, X: x, Sel: key.Name}, s.value(kv.Value))
		}
	}
}

// elided notes the types of the literals in a literal, where they leave these out.
func (s *scope) elided(n *ast.CompositeLit, elems map[*ast.CompositeLit]ast.Expr, typ ast.Expr, of func(*ast.KeyValueExpr) ast.Expr) {
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = of(kv)
		}
		if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
			elems[lit] = typ
		}
	}
}

// callOf records a call, if a function of the module may be called.
func (s *scope) callOf(n *ast.CallExpr) {
	if len(n.Args) == 0 {
		return
	}
	if to, val := flagOf(n); to != nil {
		if to := s.place(to); to.Kind != Unknown {
			s.survey.Defaults = append(s.survey.Defaults, Store{To: s.id(to), Val: s.id(s.value(val))})
		}
	}
	var fn Value
	if name, ok := s.name(n.Fun); ok {
		if !s.pkg.InModule(name.Pkg) {
			return
		}
		if name.Pkg == s.pkg.Path && types.Universe.Lookup(name.Name) != nil {
			if name.Name == "new" && len(n.Args) == 1 {
				if ref := s.typeRef(n.Args[0]); ref.Shape == Plain {
					s.made[ref.Of] = true
				}
			}
			return
		}
		fn = Value{Kind: Object, Of: name}
	} else if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
		fn = Value{Kind: Member, X: s.id(s.value(sel.X)), Sel: sel.Sel.Name}
	} else {
		return
	}
	args := make([]ValueID, len(n.Args))
	for i, arg := range n.Args {
		if !n.Ellipsis.IsValid() || i < len(n.Args)-1 {
			args[i] = s.id(s.value(arg))
		}
	}
	s.call(fn, args)
}
