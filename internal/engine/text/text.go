// Package text writes the debug text of the engines, so that it looks alike for
// all of them.
package text

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Writer writes lines. Their indentation shows what belongs to what.
type Writer struct {
	w       io.Writer
	indent  string
	above   *Writer // writes the heading; nil if that is done
	heading string
}

// NewWriter returns a Writer of lines that are not indented.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Linef writes a line. It returns a Writer for the lines below that one.
func (w *Writer) Linef(format string, args ...any) *Writer {
	w.begin()
	fmt.Fprintf(w.w, "%s%s\n", w.indent, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	return &Writer{w: w.w, indent: w.indent + "  "}
}

// Headingf returns a Writer for the lines below a heading. The heading is written
// before the first of them, or not at all.
func (w *Writer) Headingf(format string, args ...any) *Writer {
	return &Writer{w: w.w, indent: w.indent + "  ", above: w, heading: fmt.Sprintf(format, args...)}
}

// begin writes the heading, unless that is done.
func (w *Writer) begin() {
	if w.above != nil {
		w.above.Linef("%s", w.heading)
		w.above = nil
	}
}

// Func returns a Writer for the lines about a function.
func (w *Writer) Func(fset *token.FileSet, fn *ssa.Function) *Writer {
	return w.Headingf("func %s  %s", Func(fn), Place(fset, fn.Pos()))
}

// Func returns the name of a function within its package.
func Func(fn *ssa.Function) string {
	if fn.Pkg == nil {
		return Name(fn.String())
	}
	return fn.RelString(fn.Pkg.Pkg)
}

// Place returns a position, "apply.go:41".
func Place(fset *token.FileSet, pos token.Pos) string {
	if !pos.IsValid() {
		return "nowhere"
	}
	p := fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// Name shortens the qualified names in s. It keeps the last element of a package
// path, or the last two if the last one is a version.
//
//	(sigs.k8s.io/controller-runtime/pkg/client.Writer).Update  (client.Writer).Update
//	k8s.io/api/core/v1.ConfigMap                               core/v1.ConfigMap
func Name(s string) string {
	return importPath.ReplaceAllStringFunc(s, func(path string) string {
		parts := strings.Split(path, "/")
		keep := 1
		if version.MatchString(parts[len(parts)-1]) {
			keep = 2
		}
		return strings.Join(parts[max(0, len(parts)-keep):], "/")
	})
}

var (
	importPath = regexp.MustCompile(`[\w.~-]+(/[\w.~-]+)+`)
	version    = regexp.MustCompile(`^v\d\w*\.`)
)

// A Cond is a condition in the source.
type Cond struct {
	Text string // "ready", "not ready"
	At   string
	Pos  token.Pos
}

func (c Cond) String() string {
	switch {
	case c.Text == "":
		return "a condition"
	case c.At == "":
		return c.Text
	}
	return fmt.Sprintf("%s (%s)", c.Text, c.At)
}

// CondOf returns the condition with the value v, and negates it if the outcome is
// false. The files are those of the package.
func CondOf(fset *token.FileSet, files []*ast.File, v ssa.Value, outcome bool) Cond {
	pos := posOf(v, 0)
	if !pos.IsValid() {
		return variable(v, outcome)
	}
	expr := exprAt(files, pos)
	if expr == nil {
		return Cond{}
	}
	c := Cond{Text: types.ExprString(expr), At: Place(fset, expr.Pos()), Pos: expr.Pos()}
	if cmp, ok := expr.(*ast.BinaryExpr); ok && !cmp.OpPos.IsValid() {
		c.Pos = cmp.Y.Pos()
		c.At = Place(fset, c.Pos)
	}
	// The source may have the negation of v, or the operand of the negation v.
	not, isNot := v.(*ssa.UnOp)
	e, isUnary := expr.(*ast.UnaryExpr)
	isUnary = isUnary && e.Op == token.NOT
	if (isNot && not.Op == token.NOT) != isUnary {
		outcome = !outcome
	}
	switch _, isBinary := expr.(*ast.BinaryExpr); {
	case outcome:
	case isUnary:
		c.Text = types.ExprString(e.X)
	case isBinary:
		c.Text = "not (" + c.Text + ")"
	default:
		c.Text = "not " + c.Text
	}
	return c
}

// variable returns the condition if it is only a variable.
func variable(v ssa.Value, outcome bool) Cond {
	switch o := origin.Of(v); o.Kind {
	case origin.Loaded:
		return variable(o.X, outcome)
	case origin.Computed:
		if o.Op == token.NOT {
			return variable(o.X, !outcome)
		}
	case origin.Parameter, origin.Captured:
		if !outcome {
			return Cond{Text: "not " + v.Name()}
		}
		return Cond{Text: v.Name()}
	}
	return Cond{}
}

// posOf returns the position of a value, or of an operand of it.
func posOf(v ssa.Value, depth int) token.Pos {
	if v.Pos().IsValid() && !isVariable(v) {
		return v.Pos()
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || depth > 4 {
		return token.NoPos
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil {
			if pos := posOf(*op, depth+1); pos.IsValid() {
				return pos
			}
		}
	}
	return token.NoPos
}

// isVariable reports whether the position of v is that of a declaration.
func isVariable(v ssa.Value) bool {
	switch origin.Of(v).Kind {
	case origin.Parameter, origin.Captured, origin.Local, origin.Global, origin.Func:
		return true
	}
	return false
}

// exprAt returns the operand of && or || at pos in a condition. Outside of a
// condition, it returns the expression at pos. For a case of a switch, it returns
// the comparison that the case implies.
func exprAt(files []*ast.File, pos token.Pos) ast.Expr {
	for _, file := range files {
		if pos < file.FileStart || pos > file.FileEnd {
			continue
		}
		path, _ := astutil.PathEnclosingInterval(file, pos, pos)
		var found ast.Expr
		for i, n := range path {
			switch n := n.(type) {
			case *ast.ParenExpr:
			case *ast.BinaryExpr:
				if n.Op == token.LAND || n.Op == token.LOR {
					return found
				}
				found = n
			case *ast.CaseClause:
				if i+2 < len(path) && slices.Contains(n.List, found) {
					if sw, ok := path[i+2].(*ast.SwitchStmt); ok && sw.Tag != nil {
						return &ast.BinaryExpr{X: sw.Tag, Op: token.EQL, Y: found}
					}
				}
				return found
			case ast.Expr:
				found = n
			case ast.Stmt:
				return found
			}
		}
	}
	return nil
}

// Inside reports whether a position is in the function, but not in one of its
// function literals.
func Inside(fn *ssa.Function, pos token.Pos) bool {
	syntax := fn.Syntax()
	if syntax == nil || pos < syntax.Pos() || pos >= syntax.End() {
		return false
	}
	return !slices.ContainsFunc(fn.AnonFuncs, func(lit *ssa.Function) bool {
		return lit.Syntax() != nil && lit.Syntax().Pos() <= pos && pos < lit.Syntax().End()
	})
}

// If returns the word if the flag is set, else "".
func If(word string, set bool) string {
	if set {
		return word
	}
	return ""
}

// Flags returns the words that are not empty, each after a space.
func Flags(words ...string) string {
	s := ""
	for _, word := range words {
		if word != "" {
			s += " " + word
		}
	}
	return s
}
