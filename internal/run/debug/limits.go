package debug

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// Limits returns an analyzer that reports each function that the rules' engines
// have analysed only in part because they reached a bound.
func Limits(rules []*analysis.Analyzer) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: LimitsName, Doc: "find the functions that are analysed in part"}
	a.Run = func(pass *analysis.Pass) (any, error) {
		if pkg, ok := pass.ResultOf[flow.Analyzer].(*flow.Package); ok {
			for _, fn := range pkg.Bounded() {
				pass.Report(analysis.Diagnostic{Pos: fn.Func.Pos(), Message: text.Func(fn.Func) + ": " + fn.Bounds})
			}
		}
		if res, ok := pass.ResultOf[cleanup.Analyzer].(*cleanup.Result); ok {
			for _, fn := range res.Bounded() {
				pass.Report(analysis.Diagnostic{Pos: fn.Pos(), Message: text.Func(fn) + ": pairs of calls"})
			}
		}
		return nil, nil
	}
	for _, engine := range []*analysis.Analyzer{flow.Analyzer, cleanup.Analyzer} {
		if requires(rules, engine) {
			a.Requires = append(a.Requires, engine)
		}
	}
	return a
}

// LimitsName is the name of the analyzer that [Limits] returns.
const LimitsName = "operatorlimits"

// requires reports whether the analyzer what is among the analyzers or those
// that they require, directly or not.
func requires(analyzers []*analysis.Analyzer, what *analysis.Analyzer) bool {
	return slices.ContainsFunc(analyzers, func(a *analysis.Analyzer) bool { return a == what || requires(a.Requires, what) })
}
