package wiring

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/internal/library"
)

// durations has what a package says about durations, by the names of variables and
// constants, or of fields with a dot in front.
type durations struct {
	resyncs []given               // to managers
	values  map[string][]ast.Expr // assigned
	flags   map[string][]ast.Expr // defaults of flags
}

// A given resync period is an expression, and what it is to the rest of the module.
type given struct {
	expr   ast.Expr
	val    ValueID
	assign ValueID // see Resync.In
}

// durationsIn notes the values of variables in a file, and the defaults of flags.
func (c *collector) durationsIn(file *ast.File) {
	c.options = false
	for _, p := range c.imports {
		c.options = c.options || library.HasSyncPeriod(p, "Options")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			for i, to := range n.Lhs {
				if name := nameOf(to); name != "" {
					c.durations.values[name] = append(c.durations.values[name], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, name := range n.Names {
					c.durations.values[name.Name] = append(c.durations.values[name.Name], n.Values[i])
				}
			}
		case *ast.CallExpr:
			if to, val := flagOf(n); to != nil && nameOf(to) != "" {
				c.durations.flags[nameOf(to)] = append(c.durations.flags[nameOf(to)], val)
			}
		}
		return true
	})
}

// resyncIn notes the resync period in a literal of a manager's options.
func (s *scope) resyncIn(options *ast.CompositeLit) {
	for _, elt := range options.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok && isIdent(kv.Key, library.SyncPeriod) {
			s.resync(kv.Value, 0)
		}
	}
}

// resync notes a resync period in a field of options, which are 0 in a literal.
func (s *scope) resync(e ast.Expr, options ValueID) {
	if !isIdent(e, "nil") {
		s.durations.resyncs = append(s.durations.resyncs, given{e, s.id(s.period(e)), options})
	}
}

// period returns the value of a duration or of a pointer to one, in a variable of its
// own or converted:
//
//	period := settings.Period
//	ctrl.Options{SyncPeriod: &period}
func (s *scope) period(e ast.Expr) Value {
	for range maxSteps {
		switch x := ast.Unparen(e).(type) {
		case *ast.UnaryExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			if len(x.Args) == 1 && !isString(x.Args[0]) {
				e = x.Args[0]
				continue
			}
		case *ast.Ident:
			if l := s.locals[x.Name]; l != nil && l.n == 1 && l.expr != nil && l.index == 0 {
				e = l.expr
				continue
			}
		}
		break
	}
	return s.value(e)
}

// nameOf returns the name of a variable, or of a field with a dot in front, or "".
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return "." + e.Sel.Name
	}
	return ""
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// flagOf returns the variable or the field that a call makes a flag, and its default. It
// returns nil for other calls.
//
//	flags.DurationVar(&period, "sync-period", 10*time.Minute, "…")
func flagOf(call *ast.CallExpr) (to, val ast.Expr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(sel.Sel.Name, "DurationVar") || len(call.Args) < 3 {
		return nil, nil
	}
	if to, ok := call.Args[0].(*ast.UnaryExpr); ok && to.Op == token.AND {
		return to.X, call.Args[1+slices.IndexFunc(call.Args[1:], func(arg ast.Expr) bool { return !isString(arg) })]
	}
	return nil, nil
}

func isString(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// given returns the resync periods that the package gives to managers.
func (d *durations) given() []Resync {
	var all []Resync
	for _, r := range d.resyncs {
		if every := d.value(r.expr, 0); every != 0 {
			all = append(all, Resync{Every: time.Duration(every), In: r.assign})
		} else {
			all = append(all, Resync{Of: r.val, In: r.assign})
		}
	}
	slices.SortFunc(all, func(a, b Resync) int {
		return cmp.Or(cmp.Compare(a.Every, b.Every), cmp.Compare(a.Of, b.Of), cmp.Compare(a.In, b.In))
	})
	return slices.Compact(all)
}

// product returns the duration that literals and units of package time make.
func product(e ast.Expr) (num int64, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		num, err := strconv.ParseInt(e.Value, 0, 64)
		return num, err == nil
	case *ast.BinaryExpr:
		x, okX := product(e.X)
		y, okY := product(e.Y)
		return x * y, okX && okY && e.Op == token.MUL
	case *ast.SelectorExpr:
		unit := units[e.Sel.Name]
		return int64(unit), isIdent(e.X, "time") && unit != 0
	}
	return 0, false
}

// units are the constants of package time.
var units = map[string]time.Duration{
	"Nanosecond": time.Nanosecond, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond,
	"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// value returns the value of a duration or of a pointer to one, 0 if it is not known.
// A variable has one if there is just one assignment; that of a flag has its default.
func (d *durations) value(e ast.Expr, depth int) int64 {
	if depth > maxDepth {
		return 0
	}
	depth++
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		n, _ := strconv.ParseInt(e.Value, 0, 64)
		return n
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return d.value(e.X, depth)
		}
	case *ast.BinaryExpr:
		if e.Op == token.MUL {
			return d.value(e.X, depth) * d.value(e.Y, depth)
		}
	case *ast.SelectorExpr:
		if isIdent(e.X, "time") {
			return int64(units[e.Sel.Name])
		}
		return d.named(nameOf(e), depth)
	case *ast.Ident:
		return d.named(e.Name, depth)
	case *ast.CallExpr:
		switch { // ptr.To(d), time.Duration(n), flag.Duration("sync-period", d, "…")
		case len(e.Args) == 1:
			return d.value(e.Args[0], depth)
		case len(e.Args) == 3 && isString(e.Args[0]):
			return d.value(e.Args[1], depth)
		}
	}
	return 0
}

// named returns the value of the variable or field of this name, 0 if it is not known.
func (d *durations) named(name string, depth int) int64 {
	if flags := d.flags[name]; len(flags) == 1 {
		return d.value(flags[0], depth)
	}
	if values := d.values[name]; len(values) == 1 {
		return d.value(values[0], depth)
	}
	return 0
}

// Resync returns the resync period that the module gives to the package's manager, 0
// if it is not known. It is not ok if the module gives none.
func (v *View) Resync() (every time.Duration, ok bool) {
	if v == nil {
		return 0, false
	}
	return v.resync, v.resyncs
}
