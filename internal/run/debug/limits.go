package debug

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// Limits returns an analyzer that reports each function that the rules' engines
// have analysed only in part because they reached a bound.
func Limits(rules []*analysis.Analyzer) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: LimitsName, Doc: "find the functions that are analysed in part"}
	a.Run = func(pass *analysis.Pass) (any, error) {
		if len(a.Requires) == 0 {
			return nil, nil
		}
		for _, fn := range pass.ResultOf[flow.Analyzer].(*flow.Package).Bounded() {
			pass.Report(analysis.Diagnostic{Pos: fn.Func.Pos(), Message: text.Func(fn.Func) + ": " + fn.Bounds})
		}
		return nil, nil
	}
	if requires(rules, flow.Analyzer) {
		a.Requires = []*analysis.Analyzer{flow.Analyzer}
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
