// Package enginetest tests what an engine finds out about small programs.
//
// A case is a file testdata/NAME.txtar beside the engine. Its comment says what
// the case shows. Its files are the program and the engine's debug text:
//
//	A write under a condition that the write itself turns off.
//	-- flags --
//	func=Reconcile
//	-- a/a.go --
//	package a
//	…
//	-- want --
//	func Reconcile a.go:9
//	…
//
// With the flag module the case also has a file "want of the module": the debug text
// with the view that the command gives each package, where a package is a program.
//
// Each folder is a package with the import path example.com/FOLDER. A file
// go.mod can name another module. Nothing is compiled. Of the standard library
// and of other libraries only declarations are read; those of other libraries
// are in [stubs], which declare no more than the cases use. Rules identify
// functions and types by path and name, so a stub stands for the library.
//
// With the flag -update the test writes the debug text into the cases.
package enginetest

import (
	"bytes"
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

var update = flag.Bool("update", false, "write the debug text into the cases")

// A Package is a package of a case, analysed by the engine.
type Package struct {
	*analysis.Pass // ResultOf has the engine's result

	IR    *ssair.Package
	funcs []string // that the case is about
}

// Funcs returns the functions of the package that the flags of the case name, or
// all functions if there are no flags.
func (p *Package) Funcs() []*ssa.Function {
	if len(p.funcs) == 0 {
		return p.IR.Funcs
	}
	return slices.DeleteFunc(slices.Clone(p.IR.Funcs), func(fn *ssa.Function) bool {
		return !slices.ContainsFunc(p.funcs, func(name string) bool {
			return fn.Name() == name || fn.RelString(p.Pkg) == name
		})
	})
}

// Update reports whether the flag -update is set.
func Update() bool { return *update }

// Picked returns the functions that the flags of the case name, or nil if there
// are no flags.
func (p *Package) Picked() []*ssa.Function {
	if len(p.funcs) == 0 {
		return nil
	}
	return p.Funcs()
}

// Run tests the engine with the cases in testdata. It calls print for each
// package of a case, in import order, to write the debug text. The package has
// the results of the engine and of the other analyzers.
func Run(t *testing.T, engine *analysis.Analyzer, print func(w *text.Writer, p *Package), others ...*analysis.Analyzer) {
	t.Helper()
	libs := newLibraries()
	for _, file := range cases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			arc, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := debugText(libs, arc, print, append([]*analysis.Analyzer{ssair.Analyzer, engine}, others...))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{wantFile, wantOfModuleFile} {
				text, ok := got[name]
				want := fileOf(arc, name)
				switch {
				case !ok || bytes.Equal(text, want):
				case *update:
					setFile(arc, name, text)
					if err := os.WriteFile(file, txtar.Format(arc), 0o666); err != nil {
						t.Fatal(err)
					}
				default:
					t.Errorf("%s (-want +got):\n%s", name, Diff(want, text))
				}
			}
		})
	}
}

// Text returns the debug text of a program of one file, which a test has made. See Run.
func Text(t *testing.T, source string, engine *analysis.Analyzer, print func(w *text.Writer, p *Package)) string {
	t.Helper()
	arc := &txtar.Archive{Files: []txtar.File{{Name: "a/a.go", Data: []byte(source)}}}
	got, err := debugText(newLibraries(), arc, print, []*analysis.Analyzer{ssair.Analyzer, engine})
	if err != nil {
		t.Fatal(err)
	}
	return string(got[wantFile])
}

// Analyze runs an analyzer over the programs of the cases in testdata. It is for
// tests that check something other than the debug text.
func Analyze(t *testing.T, analyzer *analysis.Analyzer) {
	t.Helper()
	libs := newLibraries()
	for _, file := range cases(t) {
		arc, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pkgs, err := libs.load(arc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := analyse(pkgs, analyzer, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// cases returns the files of the cases.
func cases(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no cases")
	}
	return files
}

const (
	flagsFile        = "flags"
	wantFile         = "want"
	wantOfModuleFile = "want of the module"
)

// debugText returns the debug texts of a case, by the names of the files that want
// them.
func debugText(libs *libraries, arc *txtar.Archive, print func(*text.Writer, *Package), engines []*analysis.Analyzer) (map[string][]byte, error) {
	pkgs, err := libs.load(arc)
	if err != nil {
		return nil, err
	}
	var funcs []string
	module := false
	for _, flag := range strings.Fields(string(fileOf(arc, flagsFile))) {
		if flag == "module" {
			module = true
			continue
		}
		name, ok := strings.CutPrefix(flag, "func=")
		if !ok {
			return nil, fmt.Errorf("unknown flag %q", flag)
		}
		funcs = append(funcs, name)
	}
	printer := &analysis.Analyzer{
		Name:       "debugtext",
		Doc:        "print what an engine knows",
		Requires:   engines,
		ResultType: reflect.TypeFor[*bytes.Buffer](),
		Run: func(pass *analysis.Pass) (any, error) {
			var b bytes.Buffer
			print(text.NewWriter(&b), &Package{Pass: pass, IR: pass.ResultOf[ssair.Analyzer].(*ssair.Package), funcs: funcs})
			return &b, nil
		},
	}
	texts := make(map[string][]byte)
	run := func(name string, views func(*analysis.Pass) *wiring.View) error {
		roots, err := analyse(pkgs, printer, views)
		for _, act := range roots {
			texts[name] = append(texts[name], act.Result.(*bytes.Buffer).Bytes()...)
		}
		return err
	}
	if err := run(wantFile, nil); err != nil || !module {
		return texts, err
	}
	return texts, run(wantOfModuleFile, views(pkgs))
}

// views returns the views of a case's packages. It makes the packages import what
// their views tell of, so that the checker analyses this before.
func views(pkgs []*packages.Package) func(*analysis.Pass) *wiring.View {
	byPath := make(map[string]*packages.Package)
	for _, pkg := range pkgs {
		byPath[pkg.PkgPath] = pkg
	}
	var surveys []*wiring.Survey
	for _, pkg := range pkgs {
		surveys = append(surveys, wiring.Collect(&wiring.Package{
			Path: pkg.PkgPath, Name: pkg.Name, Files: pkg.Syntax,
			NameOf: func(path string) string {
				for _, imp := range pkg.Types.Imports() {
					if imp.Path() == path {
						return imp.Name()
					}
				}
				return ""
			},
			InModule: func(path string) bool { return byPath[path] != nil },
		}))
	}
	m := wiring.NewModule(surveys)
	for _, pkg := range pkgs {
		for _, need := range m.Needs(pkg.PkgPath) {
			pkg.Imports[need] = byPath[need]
		}
	}
	return func(pass *analysis.Pass) *wiring.View {
		var needs []*types.Package
		for _, need := range m.Needs(pass.Pkg.Path()) {
			needs = append(needs, byPath[need].Types)
		}
		return m.View(pass.Pkg, needs)
	}
}

// analyse runs an analyzer, and the engines that it requires, over packages, with
// views if there are any.
func analyse(pkgs []*packages.Package, analyzer *analysis.Analyzer, views func(*analysis.Pass) *wiring.View) ([]*checker.Action, error) {
	copies := rule.With(new(config.Overrides), rule.Mode{Traced: true}, []*analysis.Analyzer{analyzer})
	if views != nil {
		provide(copies, views)
	}
	// The sanity check encodes and decodes facts.
	graph, err := checker.Analyze(copies, pkgs, &checker.Options{Sequential: true, SanityCheck: true})
	if err != nil {
		return nil, err
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return nil, act.Err
		}
	}
	return graph.Roots, nil
}

// provide gives the analyzers the views, as a driver does that sees the module.
func provide(analyzers []*analysis.Analyzer, views func(*analysis.Pass) *wiring.View) {
	for _, a := range analyzers {
		if wiring.IsAnalyzer(a) {
			run := a.Run
			a.Run = func(pass *analysis.Pass) (any, error) {
				if view := views(pass); view != nil {
					return view, nil
				}
				return run(pass)
			}
		}
		provide(a.Requires, views)
	}
}

func fileOf(arc *txtar.Archive, name string) []byte {
	for _, f := range arc.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func setFile(arc *txtar.Archive, name string, data []byte) {
	for i := range arc.Files {
		if arc.Files[i].Name == name {
			arc.Files[i].Data = data
			return
		}
	}
	arc.Files = append(arc.Files, txtar.File{Name: name, Data: data})
}

// Diff returns the lines of both texts and marks those that are in only one. It
// computes a longest common subsequence, which suits texts of some hundred
// lines.
func Diff(want, got []byte) string {
	x, y := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	common := make([][]int, len(x)+1) // of x[i:] and y[j:]
	for i := range common {
		common[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var b strings.Builder
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			fmt.Fprintf(&b, "  %s\n", x[i])
			i++
			j++
		case j == len(y) || i < len(x) && common[i+1][j] >= common[i][j+1]:
			fmt.Fprintf(&b, "- %s\n", x[i])
			i++
		default:
			fmt.Fprintf(&b, "+ %s\n", y[j])
			j++
		}
	}
	return b.String()
}
