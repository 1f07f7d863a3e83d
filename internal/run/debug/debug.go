// Package debug prints what the engines know about the functions and controllers
// of packages. It is for people who work on rules.
package debug

import (
	"bytes"
	"fmt"
	"go/ast"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/predicate"
	"github.com/operatorvet/operatorvet/internal/engine/reconcilers"
	"github.com/operatorvet/operatorvet/internal/engine/requeue"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// A Query says what to print: everything about the packages, everything about
// some of their functions, or the decisions of a rule.
type Query struct {
	Func string             // name, as "Reconcile" or "(*Reconciler).Reconcile", or ""
	At   *Place             // in the function, or nil
	Rule *analysis.Analyzer // or nil
}

// A Place is a line of a file.
type Place struct {
	File string // the last elements of its path
	Line int
}

func (p *Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// isIn reports whether the place is in the file with this name. p.File may be
// only the last elements of the file's path.
func (p *Place) isIn(file string) bool {
	return file == p.File || strings.HasSuffix(filepath.ToSlash(file), "/"+filepath.ToSlash(p.File))
}

// Text is the debug text of packages, by their paths.
type Text struct {
	mu    sync.Mutex
	about map[string]*about
}

type about struct {
	text    []byte
	matches bool // the query names something in the package
	file    bool // the package has the file that the query names
}

// Analyzer returns an analyzer that adds the answer to the query to the text. It
// is for one run of a driver that passes on the facts of dependencies.
func Analyzer(q Query, t *Text) *analysis.Analyzer {
	t.about = make(map[string]*about)
	requires := []*analysis.Analyzer{
		wiring.Analyzer, ssair.Analyzer, reconcilers.Analyzer, flow.Analyzer, waiting.Analyzer, cleanup.Analyzer, requeue.Analyzer, predicate.Analyzer, selection.Analyzer, controller.Analyzer,
	}
	if q.Rule != nil {
		requires = []*analysis.Analyzer{ssair.Analyzer, q.Rule}
	}
	return &analysis.Analyzer{
		Name:       "operatordebug",
		Doc:        "print what the engines know",
		Requires:   requires,
		ResultType: reflect.TypeFor[*Text](),
		Run: func(pass *analysis.Pass) (any, error) {
			found := q.ask(pass)
			t.mu.Lock()
			defer t.mu.Unlock()
			t.about[pass.Pkg.Path()] = found
			return t, nil
		},
	}
}

// Write writes the text of the packages. It returns an error if the query names
// something that they do not have.
func (t *Text) Write(w io.Writer, q Query, packages []string) error {
	matches, file := false, false
	for _, path := range packages {
		if a := t.about[path]; a != nil {
			matches, file = matches || a.matches, file || a.file
		}
	}
	switch {
	case matches, q.Func == "" && q.At == nil:
	case q.Rule != nil && q.At != nil && file:
		return fmt.Errorf("%s has no candidate at %s", q.Rule.Name, q.At)
	case q.Func != "":
		return fmt.Errorf("no function %s in the packages", q.Func)
	case !file:
		return fmt.Errorf("no file %s in the packages", q.At.File)
	default:
		return fmt.Errorf("no function at %s", q.At)
	}
	for _, path := range packages {
		if a := t.about[path]; a != nil {
			if _, err := w.Write(a.text); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask answers the query for a package.
func (q Query) ask(pass *analysis.Pass) *about {
	ir := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	found := &about{matches: q.Func == "" && q.At == nil, file: q.At != nil && slices.ContainsFunc(pass.Files, func(f *ast.File) bool {
		return q.At.isIn(pass.Fset.File(f.FileStart).Name())
	})}
	var b bytes.Buffer
	w := text.NewWriter(&b).Headingf("package %s", pass.Pkg.Path())
	if q.Rule != nil {
		q.explain(w, pass, found)
		found.text = b.Bytes()
		return found
	}
	var picked []*ssa.Function
	funcs := ir.Funcs
	if !found.matches {
		picked = q.pick(pass, funcs)
		if len(picked) == 0 {
			return found
		}
		found.matches, funcs = true, picked
	}
	for _, fn := range funcs {
		function(w.Func(pass.Fset, fn), pass, fn)
	}
	if picked == nil {
		for _, line := range wiring.Of(pass).Debug() {
			w.Linef("wiring: %s", line)
		}
		pass.ResultOf[predicate.Analyzer].(*predicate.Package).DebugVariables(w)
	}
	controller.Debug(w, pass, picked)
	found.text = b.Bytes()
	return found
}

// function writes what each engine knows about a function.
func function(w *text.Writer, pass *analysis.Pass, fn *ssa.Function) {
	pass.ResultOf[reconcilers.Analyzer].(*reconcilers.Package).Debug(w.Headingf("reconcilers"), fn)
	pass.ResultOf[flow.Analyzer].(*flow.Package).Debug(w.Headingf("flow"), fn)
	pass.ResultOf[waiting.Analyzer].(*waiting.Result).Debug(w.Headingf("waiting"), fn)
	pass.ResultOf[cleanup.Analyzer].(*cleanup.Result).Debug(w.Headingf("cleanup"), fn)
	pass.ResultOf[requeue.Analyzer].(*requeue.Package).Debug(w.Headingf("requeue"), fn)
	pass.ResultOf[predicate.Analyzer].(*predicate.Package).Debug(w.Headingf("predicate"), fn)
	pass.ResultOf[selection.Analyzer].(*selection.Package).Debug(w.Headingf("selection"), fn)
}

// pick returns the functions that the query names. A function that is picked by
// its name brings the literals in it.
func (q Query) pick(pass *analysis.Pass, funcs []*ssa.Function) []*ssa.Function {
	if q.At != nil {
		if fn := q.At.function(pass, funcs); fn != nil {
			return []*ssa.Function{fn}
		}
		return nil
	}
	named := func(fn *ssa.Function) bool {
		name := fn.RelString(pass.Pkg)
		return fn.Name() == q.Func || name == q.Func || strings.NewReplacer("(", "", ")", "", "*", "").Replace(name) == q.Func
	}
	var picked []*ssa.Function
	for _, fn := range funcs {
		if named(fn) || fn.Parent() != nil && slices.Contains(picked, fn.Parent()) {
			picked = append(picked, fn)
		}
	}
	return picked
}

// function returns the innermost of the functions that contain the place, or
// nil.
func (p *Place) function(pass *analysis.Pass, funcs []*ssa.Function) *ssa.Function {
	var found *ssa.Function
	for _, fn := range funcs {
		syntax := fn.Syntax()
		if syntax == nil {
			continue
		}
		from, to := pass.Fset.Position(syntax.Pos()), pass.Fset.Position(syntax.End())
		if !p.isIn(from.Filename) || p.Line < from.Line || p.Line > to.Line {
			continue
		}
		if found == nil || syntax.Pos() >= found.Syntax().Pos() && syntax.End() <= found.Syntax().End() {
			found = fn
		}
	}
	return found
}
