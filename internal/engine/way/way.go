// Package way finds the calls through which control gets from a function to a place in
// the same package. Rules show them as the steps of a finding.
package way

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// A Finder finds ways in one package.
type Finder struct {
	pass     *analysis.Pass
	pkg      *ssair.Package
	resolver *callee.Resolver
}

// NewFinder returns a finder for the package of the pass, whose analyzer requires those
// of packages ssair and wiring.
func NewFinder(pass *analysis.Pass) *Finder {
	return &Finder{pass: pass, pkg: pass.ResultOf[ssair.Analyzer].(*ssair.Package)}
}

// Into returns the step into a function: its name.
func (f *Finder) Into(fn *ssa.Function, text string) rule.Step {
	pos, end := fn.Pos(), fn.Pos()
	if decl, ok := fn.Syntax().(*ast.FuncDecl); ok {
		pos, end = decl.Name.Pos(), decl.Name.End()
	}
	return rule.Step{Pos: pos, End: end, Text: text}
}

// FromReconciler returns the step into a reconciler of the package from which control gets
// to the place, and the calls to there. It returns nothing if there is none.
func (f *Finder) FromReconciler(to token.Pos) []rule.Step {
	var best []rule.Step
	for _, fn := range f.pkg.Funcs {
		if !ssair.Reconciles(fn) {
			continue
		}
		calls, ok := f.calls(fn, to)
		if ok && (best == nil || len(calls) < len(best)) {
			best = append([]rule.Step{f.Into(fn, "a reconcile begins in "+fn.Name())}, calls...)
		}
	}
	return best
}

// Below returns the step into the function of the package with this name, and the calls
// from there to the place. It returns nothing if there is no such function, or no way.
func (f *Finder) Below(function string, to token.Pos) []rule.Step {
	for _, fn := range f.pkg.Funcs {
		if fn.Name() == function && fn.Parent() == nil {
			if calls, ok := f.calls(fn, to); ok {
				return append([]rule.Step{f.Into(fn, "the context is that of "+function)}, calls...)
			}
		}
	}
	return nil
}

// Here returns a step in the package. If a call has its parenthesis at the position, the
// step is the name of the function called.
func (f *Finder) Here(pos token.Pos, text string) rule.Step {
	from, to := f.span(pos)
	if from > pos || pos > to+1 {
		from, to = pos, pos
	}
	return rule.Step{Pos: from, End: to, Text: text}
}

// From returns the calls through which control gets from a function to the place: the
// shortest way. It returns nothing if the place is in the function itself.
func (f *Finder) From(fn *ssa.Function, to token.Pos) []rule.Step {
	calls, _ := f.calls(fn, to)
	return calls
}

// To returns the steps to a place at which something happens. The place is at pos, or in
// another package that the call at pos leads to.
func (f *Finder) To(pos, end token.Pos, at place.Place, text string) []rule.Step {
	here := place.Of(f.pass.Fset, f.pass.Pkg, pos)
	if at.IsZero() || here.File == at.File && here.Line == at.Line {
		return []rule.Step{{Pos: pos, End: end, Text: text}}
	}
	last := rule.Step{At: at, Text: text}
	if at.Package() == f.pass.Pkg.Path() {
		last = f.Here(f.posOf(at), text)
	}
	if !pos.IsValid() {
		return []rule.Step{last}
	}
	call := "what follows is below this call"
	if fn := f.around(pos); fn != nil {
		call = name(fn) + " calls " + f.callee(pos)
	}
	return []rule.Step{{Pos: pos, End: end, Text: call}, last}
}

// Ends reports whether the last of the steps is in the line of a position.
func (f *Finder) Ends(steps []rule.Step, pos token.Pos) bool {
	if len(steps) == 0 || !pos.IsValid() {
		return false
	}
	line := func(pos token.Pos) string { p := f.pass.Fset.Position(pos); return fmt.Sprint(p.Filename, ":", p.Line) }
	return line(steps[len(steps)-1].Pos) == line(pos)
}

// Reach returns the calls from a function, which may be nil, to a place in any package, and
// the place.
func (f *Finder) Reach(fn *ssa.Function, at place.Place, text string) []rule.Step {
	if at.IsZero() {
		return nil
	}
	if at.Package() != f.pass.Pkg.Path() {
		return []rule.Step{{At: at, Text: text}}
	}
	pos := f.posOf(at)
	if fn == nil {
		return []rule.Step{f.Here(pos, text)}
	}
	return append(f.From(fn, pos), f.Here(pos, text))
}

// posOf returns the position of a place in the package.
func (f *Finder) posOf(at place.Place) token.Pos {
	for _, file := range f.pass.Files {
		tok := f.pass.Fset.File(file.FileStart)
		if filepath.Base(tok.Name()) == path.Base(at.File) && int(at.Line) <= tok.LineCount() {
			return tok.LineStart(int(at.Line)) + token.Pos(at.Column-1)
		}
	}
	return token.NoPos
}

// An edge is how the search has come to a function.
type edge struct {
	from *ssa.Function
	call ssa.CallInstruction // nil if a literal is made here
}

// calls is [Finder.From]. It reports whether there is a way.
func (f *Finder) calls(from *ssa.Function, to token.Pos) (steps []rule.Step, ok bool) {
	goal := f.around(to)
	if goal == nil {
		return nil, false
	}
	came := map[*ssa.Function]edge{from: {}}
	for queue := []*ssa.Function{from}; len(queue) > 0 && came[goal] == (edge{}) && goal != from; queue = queue[1:] {
		for _, e := range f.edges(queue[0]) {
			if _, seen := came[e.to]; !seen {
				came[e.to] = edge{queue[0], e.call}
				queue = append(queue, e.to)
			}
		}
	}
	if _, ok := came[goal]; !ok {
		return nil, false
	}
	for fn := goal; fn != from; fn = came[fn].from {
		if e := came[fn]; e.call != nil {
			steps = append(steps, f.step(e.call, e.from, fn))
		}
	}
	slices.Reverse(steps)
	return steps, true
}

// Reached returns the functions of the package that a function may reach, and itself.
func (f *Finder) Reached(from *ssa.Function) []*ssa.Function {
	all := []*ssa.Function{from}
	seen := map[*ssa.Function]bool{from: true}
	for i := 0; i < len(all); i++ {
		for _, e := range f.edges(all[i]) {
			if !seen[e.to] {
				seen[e.to] = true
				all = append(all, e.to)
			}
		}
	}
	return all
}

// A next is a function that another one calls or makes.
type next struct {
	to   *ssa.Function
	call ssa.CallInstruction
}

// edges returns the functions of the package that fn may call, and its literals.
func (f *Finder) edges(fn *ssa.Function) []next {
	if f.resolver == nil {
		f.resolver = callee.NewResolver(f.pkg.SSA, f.pkg.Index, wiring.Of(f.pass), nil)
	}
	var all []next
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				for _, to := range f.resolver.Call(call.Common()).Own {
					all = append(all, next{to, call})
				}
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		all = append(all, next{to: lit})
	}
	return all
}

// around returns the innermost function around a position.
func (f *Finder) around(pos token.Pos) *ssa.Function {
	var best *ssa.Function
	for _, fn := range f.pkg.Funcs {
		if n := fn.Syntax(); n != nil && n.Pos() <= pos && pos <= n.End() {
			best = fn // literals come after the functions around them
		}
	}
	return best
}

// step returns the step of a call.
func (f *Finder) step(call ssa.CallInstruction, from, to *ssa.Function) rule.Step {
	pos, end := f.span(call.Pos())
	text := fmt.Sprintf("%s calls %s", name(from), name(to))
	if to.Parent() != nil {
		text = name(from) + " calls a function literal"
	}
	return rule.Step{Pos: pos, End: end, Text: text}
}

// name returns the name of the declared function that fn is or is written in.
func name(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Name()
}

// callee returns the name of the function that is called at a position.
func (f *Finder) callee(pos token.Pos) string {
	if id := f.called(pos); id != nil {
		return id.Name
	}
	return "a function"
}

// span returns the range of the name of the function that is called at a position.
func (f *Finder) span(pos token.Pos) (from, to token.Pos) {
	if id := f.called(pos); id != nil {
		return id.Pos(), id.End()
	}
	return pos, pos
}

// called returns the name of the function in the innermost call around a position, or nil.
func (f *Finder) called(pos token.Pos) *ast.Ident {
	for _, file := range f.pass.Files {
		if pos < file.FileStart || file.FileEnd < pos {
			continue
		}
		around, _ := astutil.PathEnclosingInterval(file, pos, pos)
		for _, n := range around {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				continue
			}
			switch fun := ast.Unparen(call.Fun).(type) {
			case *ast.SelectorExpr:
				return fun.Sel
			case *ast.Ident:
				return fun
			}
			return nil
		}
	}
	return nil
}
