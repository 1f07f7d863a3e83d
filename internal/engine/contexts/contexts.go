// Package contexts answers two questions about the contexts of a package.
//
// [Package.Signal] says what ends a context or a channel: a context that the function
// was given, other code, time alone, or nothing. It walks backward from the value to
// where it was made. [Package.ReachOf] says whether a function with a context reaches
// a function. It propagates reach along the package's call graph.
//
// Packages waiting and cleanup build on both: they ask what happens once a context is
// done.
package contexts

import (
	"go/types"
	"reflect"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/reconcilers"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Analyzer finds the signals of contexts and the reach of functions. Its result is a
// *[Package].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorcontexts",
	Doc:        "find out where contexts come from and who has one",
	Run:        func(pass *analysis.Pass) (any, error) { return newPackage(pass), nil },
	Requires:   []*analysis.Analyzer{wiring.Analyzer, ssair.Analyzer, reconcilers.Analyzer, constants.Analyzer, rule.Options},
	ResultType: reflect.TypeFor[*Package](),
})

// Package is what is known about the contexts of a package. It is safe for
// concurrent use.
type Package struct {
	*ssair.Package // its SSA is nil if the package is not analyzed

	Types    *types.Package
	Options  *config.Options
	View     *wiring.View
	Resolver *callee.Resolver
	// Constants evaluates constants. A random number counts as its upper bound.
	Constants constants.Evaluator

	pass   *analysis.Pass // that of this analyzer, which has no facts
	starts *reconcilers.Package
	scopes map[*ssa.Function]string
	edges  map[*ssa.Function][]Edge
	reach  map[*ssa.Function]Reaching
}

func newPackage(pass *analysis.Pass) *Package {
	p := &Package{Package: pass.ResultOf[ssair.Analyzer].(*ssair.Package), pass: pass, Types: pass.Pkg, Options: rule.OptionsOf(pass), View: wiring.Of(pass)}
	if p.SSA == nil {
		return p
	}
	p.Constants = constants.Evaluator{Vars: pass.ResultOf[constants.Analyzer].(*constants.Vars), Call: greatest}
	p.Resolver = callee.NewResolver(p.SSA, p.Index, p.View, func(name *types.TypeName) bool { return ssair.InTest(pass.Fset, name.Pos()) })
	p.starts = pass.ResultOf[reconcilers.Analyzer].(*reconcilers.Package)
	p.findScopes()
	p.edges = p.callGraph()
	p.reach = p.reachAll()
	return p
}

// WaitOf returns how fn waits according to the options or to the library's records,
// nil if neither says that it does.
func (p *Package) WaitOf(fn *types.Func) *library.Wait {
	if len(p.Options.Waits) > 0 && p.Options.Waits[library.Name(fn)] {
		return library.WaitLike(fn)
	}
	return library.Of(fn).Wait
}

// Duration returns the value of v, a duration. It is not ok if v is no constant.
func (p *Package) Duration(v ssa.Value) (time.Duration, bool) { return p.Constants.Duration(v) }

// Loaded returns the local variable that v is loaded from, nil if v is no load or may
// come from several variables.
func (p *Package) Loaded(v ssa.Value) *ssa.Alloc {
	if o := origin.Of(v); o.Kind == origin.Loaded {
		return p.Index.Cell(o.X)
	}
	return nil
}
