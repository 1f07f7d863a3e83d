package wiring

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/internal/library"
)

// namesOptions reports whether a file can name the options of a manager.
func (c *collector) namesOptions() bool {
	for _, p := range c.imports {
		if library.HasSyncPeriod(p, "Options") {
			return true
		}
	}
	return false
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
	given := Resync{Of: s.id(s.period(e)), In: options}
	if !isIdent(e, "nil") && !slices.Contains(s.survey.Resyncs, given) {
		s.survey.Resyncs = append(s.survey.Resyncs, given)
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
			l := s.locals[x.Name]
			if l != nil && l.val.Kind == Typed && l.byUser > 0 && l.n == 1+l.byUser {
				return Value{Kind: Nil}
			}
			if l != nil && l.n == 1 && l.expr != nil && l.index == 0 {
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
	if to := placeOfFlag(call, "DurationVar"); to != nil {
		return to, firstOther(call.Args[1:])
	}
	return nil, nil
}

// unsetFlagOf returns the variable that a call makes a flag, a text which is empty unless the user sets
// it, or nil.
func unsetFlagOf(call *ast.CallExpr) ast.Expr {
	if to := placeOfFlag(call, "StringVar"); to != nil && isEmptyText(call.Args[len(call.Args)-2]) {
		return to
	}
	return nil
}

// placeOfFlag returns the place for which a function of that name, or for one with a letter, makes a flag,
// or nil.
func placeOfFlag(call *ast.CallExpr, function string) ast.Expr {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(sel.Sel.Name, function) || len(call.Args) < 3 {
		return nil
	}
	if to, ok := call.Args[0].(*ast.UnaryExpr); ok && to.Op == token.AND {
		return to.X
	}
	return nil
}

// newFlag returns the default of the flag that a call makes and returns, nil for other
// calls.
//
//	period := flag.Duration("sync-period", 10*time.Minute, "…")
func newFlag(call *ast.CallExpr) ast.Expr {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Duration" && sel.Sel.Name != "DurationP" || len(call.Args) < 3 || !isString(call.Args[0]) {
		return nil
	}
	return firstOther(call.Args)
}

// firstOther returns the first argument that is no string: the others are the names of
// a flag.
func firstOther(args []ast.Expr) ast.Expr {
	if i := slices.IndexFunc(args, func(arg ast.Expr) bool { return !isString(arg) }); i >= 0 {
		return args[i]
	}
	return nil
}

// isEmptyText reports whether the expression is "".
func isEmptyText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Value == `""`
}

func isString(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// defaultTags are the keys of the tags that say what a field of settings holds unless the
// user sets it. They are those of kelseyhightower/envconfig and go-flags, of caarlos0/env
// and of cleanenv.
var defaultTags = []string{"default", "envDefault", "env-default"}

// defaultIn returns the duration that the tag of a field says is its default, or 0.
//
//	Period time.Duration `default:"60s"`
func defaultIn(tag *ast.BasicLit) time.Duration {
	if tag == nil {
		return 0
	}
	text, err := strconv.Unquote(tag.Value)
	if err != nil {
		return 0
	}
	for _, key := range defaultTags {
		if d, err := time.ParseDuration(reflect.StructTag(text).Get(key)); err == nil {
			return d
		}
	}
	return 0
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
	case *ast.CallExpr: // time.Duration(10)
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && isIdent(sel.X, "time") && sel.Sel.Name == "Duration" && len(e.Args) == 1 {
			return product(e.Args[0])
		}
	}
	return 0, false
}

// units are the constants of package time.
var units = map[string]time.Duration{
	"Nanosecond": time.Nanosecond, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond,
	"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// Resync returns the resync period that the module gives to the package's manager, 0
// if it is not known. It is not ok if the module gives none.
func (v *View) Resync() (every time.Duration, ok bool) {
	if v == nil {
		return 0, false
	}
	return v.resync, v.resyncs
}
