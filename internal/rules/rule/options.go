package rule

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
)

// Options finds the options that hold for a package; see [OptionsOf]. They are
// for what the user develops: a package of another module has the defaults.
var Options = options(new(config.Overrides), false)

// optionsResult is the result of [Options]. The err says in one line what is
// wrong with the file of options.
type optionsResult struct {
	*config.Options
	err    error
	traced bool // see [IsTraced]
}

// OptionsOf returns the options for the package of the pass, whose analyzer
// requires [Options].
func OptionsOf(pass *analysis.Pass) *config.Options {
	return pass.ResultOf[Options].(*optionsResult).Options
}

func options(overrides *config.Overrides, traced bool) *analysis.Analyzer {
	return Guard(&analysis.Analyzer{
		Name:       "operatoroptions",
		Doc:        "find the options that hold for a package",
		ResultType: reflect.TypeFor[*optionsResult](),
		Run: func(pass *analysis.Pass) (any, error) {
			if !developed(pass) || len(pass.Files) == 0 {
				return &optionsResult{Options: config.Default(), traced: traced}, nil
			}
			// The adjusted position: what cgo makes of a file is elsewhere.
			at := pass.Fset.Position(pass.Files[0].Package)
			opts, err := overrides.For(filepath.Dir(at.Filename))
			return &optionsResult{opts, err, traced}, nil
		},
	})
}

// developed reports whether the user develops the package, as far as the driver
// knows modules. The standard library is told by a path without a dot in its
// first element; to package files that are named one by one, the go command
// gives a path like that, too.
func developed(pass *analysis.Pass) bool {
	if m := pass.Module; m != nil && m.Path != "" {
		return m.Version == ""
	}
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return strings.Contains(first, ".") || first == "command-line-arguments"
}

// With returns rules that do what the given ones do, under overrides: copies of
// them, and of all that they require, with another [Options] at the bottom. The
// originals stay as they are; another driver may be running them in the same
// process.
func With(overrides *config.Overrides, rules []*analysis.Analyzer) []*analysis.Analyzer {
	copies := map[*analysis.Analyzer]*analysis.Analyzer{Options: options(overrides, false)}
	return copiesOf(rules, copies)
}

// Keyed is [With] for a driver that stores results and facts under the names of
// analyzers, and so shows old ones when nothing but a file with options has
// changed. The names of all analyzers but the rules end in the key. As a driver
// need not look at the names of what a rule requires, there is one analyzer more
// than there are rules: [Options], which finds nothing.
func Keyed(overrides *config.Overrides, key string, rules []*analysis.Analyzer) []*analysis.Analyzer {
	copies := map[*analysis.Analyzer]*analysis.Analyzer{Options: options(overrides, false)}
	all := append(copiesOf(rules, copies), copies[Options])
	for original, c := range copies {
		if !slices.Contains(rules, original) {
			c.Name += "_" + key
		}
	}
	return all
}

// copiesOf returns copies of analyzers, adding to those that there are.
func copiesOf(analyzers []*analysis.Analyzer, copies map[*analysis.Analyzer]*analysis.Analyzer) []*analysis.Analyzer {
	all := make([]*analysis.Analyzer, len(analyzers))
	for i, a := range analyzers {
		if copies[a] == nil {
			copies[a] = copyOf(a, copiesOf(a.Requires, copies))
		}
		all[i] = copies[a]
	}
	return all
}

// copyOf returns an analyzer that does what a does, given the results of copies
// of what a requires. One copy may stand for several.
func copyOf(a *analysis.Analyzer, requires []*analysis.Analyzer) *analysis.Analyzer {
	c := *a
	c.Requires = nil
	of := make(map[*analysis.Analyzer]*analysis.Analyzer)
	for i, req := range requires {
		of[a.Requires[i]] = req
		if !slices.Contains(c.Requires, req) {
			c.Requires = append(c.Requires, req)
		}
	}
	c.Run = func(pass *analysis.Pass) (any, error) {
		return runAs(a, pass, func(req *analysis.Analyzer) any {
			res := pass.ResultOf[of[req]]
			if all, ok := res.(results); ok {
				return all[req]
			}
			return res
		})
	}
	return &c
}

// runAs runs an analyzer in the pass of another one.
func runAs(a *analysis.Analyzer, pass *analysis.Pass, resultOf func(*analysis.Analyzer) any) (any, error) {
	as := *pass
	as.Analyzer = a
	as.ResultOf = make(map[*analysis.Analyzer]any)
	for _, req := range a.Requires {
		as.ResultOf[req] = resultOf(req)
	}
	return a.Run(&as)
}
