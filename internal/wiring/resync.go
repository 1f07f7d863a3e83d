package wiring

import (
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
	resyncs []ast.Expr            // given to managers
	values  map[string][]ast.Expr // assigned
	flags   map[string][]ast.Expr // defaults of flags
}

// resyncsIn notes the resync periods in a file: in literals of a manager's options,
// and in assignments to their field. It also notes the values of variables.
func (c *collector) resyncsIn(file *ast.File) {
	options := false // whether the file can name them
	for _, p := range c.imports {
		options = options || library.HasSyncPeriod(p, "Options")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			sel, ok := n.Type.(*ast.SelectorExpr)
			if !ok {
				break
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok || !library.HasSyncPeriod(c.imports[pkg.Name], sel.Sel.Name) {
				break
			}
			for _, elt := range n.Elts {
				if kv, ok := elt.(*ast.KeyValueExpr); ok && isIdent(kv.Key, library.SyncPeriod) {
					c.durations.resyncs = append(c.durations.resyncs, kv.Value)
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				break
			}
			for i, to := range n.Lhs {
				if name := nameOf(to); name != "" {
					c.durations.values[name] = append(c.durations.values[name], n.Rhs[i])
					if options && name == "."+library.SyncPeriod {
						c.durations.resyncs = append(c.durations.resyncs, n.Rhs[i])
					}
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, name := range n.Names {
					c.durations.values[name.Name] = append(c.durations.values[name.Name], n.Values[i])
				}
			}
		case *ast.CallExpr:
			c.durations.flag(n)
		}
		return true
	})
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

// flag notes the default of a flag that a call declares for a variable or a field:
//
//	flags.DurationVar(&period, "sync-period", 10*time.Minute, "…")
func (d *durations) flag(call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(sel.Sel.Name, "DurationVar") || len(call.Args) < 3 {
		return
	}
	if to, ok := call.Args[0].(*ast.UnaryExpr); ok && to.Op == token.AND {
		if name := nameOf(to.X); name != "" {
			i := 1 + slices.IndexFunc(call.Args[1:], func(arg ast.Expr) bool { return !isString(arg) })
			d.flags[name] = append(d.flags[name], call.Args[i])
		}
	}
}

func isString(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// given returns the resync periods that the package gives to managers, 0 for one that
// is not known.
func (d *durations) given() []time.Duration {
	var all []time.Duration
	for _, e := range d.resyncs {
		if !isIdent(e, "nil") {
			all = append(all, time.Duration(d.value(e, 0)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
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

// Resync returns the resync period of the managers in the programs with a package:
// the longest that is set, 0 if one is not known. It is not ok if none is set.
func (m *Module) Resync(path string) (every time.Duration, ok bool) {
	for _, program := range m.mains {
		if !m.sees[program][path] {
			continue
		}
		for p := range m.sees[program] {
			if s := m.surveys[p]; s != nil {
				for _, d := range s.Resyncs {
					if d == 0 {
						return 0, true
					}
					every, ok = max(every, d), true
				}
			}
		}
	}
	return every, ok
}

// Resync returns the resync period that the module gives to the package's manager, 0
// if it is not known. It is not ok if the module gives none.
func (v *View) Resync() (every time.Duration, ok bool) {
	if v == nil {
		return 0, false
	}
	return v.resync, v.resyncs
}
