package rule

import (
	"go/types"
	"path/filepath"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/config"
)

// Options finds the options that apply to a package; see [OptionsOf]. Users set
// them for the code they develop: packages of other modules have the defaults.
var Options = options(new(config.Overrides), Mode{})

// optionsResult is the result of [Options]. Its err says in one line what is
// wrong with the options file.
type optionsResult struct {
	*config.Options
	Mode
	err error
}

// A Mode is what a driver wants of rules. The zero Mode reports a finding at each place.
type Mode struct {
	// Traced rules record their decisions, for a driver that shows why there is a
	// finding or none; see [Suppressions.Decisions].
	Traced bool
	// Once reports a cause once in a package. It is for a driver that shows people a
	// list of findings, one line each, and sees one package at a time.
	Once bool
	// Named puts the name of the rule before each message, for a driver that does not
	// show it.
	Named bool
	// Checked makes an option an error that names a function which is not there. It is
	// for a driver that shows the error once.
	Checked bool
	// Related reports the steps of a finding as its related positions. Some drivers
	// make a finding of each.
	Related bool
	// Asks makes reads events, as writes are: all that a program asks of the API server.
	// It is for a driver that reports the rights that the program needs.
	Asks bool
}

// OptionsOf returns the options for the package of the pass, whose analyzer
// requires [Options].
func OptionsOf(pass *analysis.Pass) *config.Options {
	return pass.ResultOf[Options].(*optionsResult).Options
}

func options(overrides *config.Overrides, m Mode) *analysis.Analyzer {
	return Guard(&analysis.Analyzer{
		Name:       "operatoroptions",
		Doc:        "find the options that hold for a package",
		ResultType: reflect.TypeFor[*optionsResult](),
		Run: func(pass *analysis.Pass) (any, error) {
			if !developed(pass) || len(pass.Files) == 0 {
				return &optionsResult{Options: config.Default(), Mode: m}, nil
			}
			// The adjusted position: the files that cgo generates are elsewhere.
			at := pass.Fset.Position(pass.Files[0].Package)
			opts, err := overrides.For(filepath.Dir(at.Filename))
			if err == nil && m.Checked {
				complete := slices.DeleteFunc(slices.Clone(pass.Pkg.Imports()), func(pkg *types.Package) bool { return !pkg.Complete() })
				err = opts.CheckFunctions(pass.Pkg, complete)
			}
			return &optionsResult{opts, m, err}, nil
		},
	})
}

// developed reports whether the user develops the package, as far as the driver
// knows modules.
func developed(pass *analysis.Pass) bool {
	if m := pass.Module; m != nil && m.Path != "" {
		return m.Version == ""
	}
	return !library.IsStandard(pass.Pkg.Path())
}

// With returns rules that do the same as the given ones, under overrides and in a mode.
// They are copies, as are all analyzers that they require, with another [Options] at
// the bottom. The originals do not change, because another driver may be running
// them in the same process.
func With(overrides *config.Overrides, mode Mode, rules []*analysis.Analyzer) []*analysis.Analyzer {
	copies := map[*analysis.Analyzer]*analysis.Analyzer{Options: options(overrides, mode)}
	return copiesOf(rules, copies)
}

// Keyed is like [With] in mode Once, for a driver that caches results and facts under the
// names of analyzers. Such a driver would not notice a change in an options file
// alone. So the names of all analyzers except the rules get the key as a suffix.
// A driver may ignore the names of the analyzers that a rule requires, so Keyed
// also returns [Options], which reports nothing.
func Keyed(overrides *config.Overrides, key string, rules []*analysis.Analyzer) []*analysis.Analyzer {
	copies := map[*analysis.Analyzer]*analysis.Analyzer{Options: options(overrides, Mode{Once: true})}
	all := append(copiesOf(rules, copies), copies[Options])
	for original, c := range copies {
		if !slices.Contains(rules, original) {
			c.Name += "_" + key
		}
	}
	return all
}

// copiesOf returns copies of analyzers. It reuses the copies made so far and
// adds to them.
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

// copyOf returns an analyzer that does the same as a but requires copies of the
// analyzers that a requires. One copy may replace several of them.
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

// runAs runs an analyzer in the pass of another analyzer.
func runAs(a *analysis.Analyzer, pass *analysis.Pass, resultOf func(*analysis.Analyzer) any) (any, error) {
	as := *pass
	as.Analyzer = a
	as.ResultOf = make(map[*analysis.Analyzer]any)
	for _, req := range a.Requires {
		as.ResultOf[req] = resultOf(req)
	}
	return a.Run(&as)
}
