package debug

import (
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/reconcilers"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
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

// Partial returns an analyzer that reports each reconciler whose call tree has a
// function that the rules' engines have analysed only in part. It reports a part of
// a reconcile only if no reconciler of the package calls it.
func Partial(rules []*analysis.Analyzer) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: PartialName, Doc: "find the reconcilers that are analysed in part"}
	a.Run = func(pass *analysis.Pass) (any, error) {
		pkg, ok := pass.ResultOf[flow.Analyzer].(*flow.Package)
		if !ok {
			return nil, nil
		}
		starts := reconcilersOf(pass)
		called := make(map[*ssa.Function]bool)
		for _, fn := range starts {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					if call, ok := instr.(ssa.CallInstruction); ok && call.Common().StaticCallee() != fn {
						called[call.Common().StaticCallee()] = true
					}
				}
			}
		}
		for _, fn := range starts {
			if gaps := pkg.Gaps(fn); len(gaps) > 0 && !called[fn] {
				pass.Report(analysis.Diagnostic{Pos: fn.Pos(), Message: partial(pass, fn, gaps[0])})
			}
		}
		return nil, nil
	}
	a.Requires = []*analysis.Analyzer{ssair.Analyzer}
	for _, engine := range []*analysis.Analyzer{flow.Analyzer, reconcilers.Analyzer} {
		if requires(rules, engine) {
			a.Requires = append(a.Requires, engine)
		}
	}
	return a
}

// PartialName is the name of the analyzer that [Partial] returns.
const PartialName = "operatorpartial"

// reconcilersOf returns the functions of the package that reconcile, in source
// order.
func reconcilersOf(pass *analysis.Pass) []*ssa.Function {
	reconciles := ssair.Reconciles
	if pkg, ok := pass.ResultOf[reconcilers.Analyzer].(*reconcilers.Package); ok {
		reconciles = pkg.Reconciles
	}
	var found []*ssa.Function
	for _, fn := range pass.ResultOf[ssair.Analyzer].(*ssair.Package).Funcs {
		if reconciles(fn) {
			found = append(found, fn)
		}
	}
	return found
}

// partial says that fn is analysed in part, and what is missing.
func partial(pass *analysis.Pass, fn *ssa.Function, gap flow.Gap) string {
	at := pass.Fset.Position(fn.Pos())
	file := filepath.Base(at.Filename)
	msg := fmt.Sprintf("%s in %s:%d is analysed in part, for lack of %s", fn.Name(), file, at.Line, gap.Bounds)
	if gap.Func != fn.Name() {
		msg += fmt.Sprintf(" in %s (%s)", gap.Func, gap.At)
	}
	return msg
}

// LimitsName is the name of the analyzer that [Limits] returns.
const LimitsName = "operatorlimits"

// requires reports whether the analyzer what is among the analyzers or those
// that they require, directly or not.
func requires(analyzers []*analysis.Analyzer, what *analysis.Analyzer) bool {
	return slices.ContainsFunc(analyzers, func(a *analysis.Analyzer) bool { return a == what || requires(a.Requires, what) })
}
