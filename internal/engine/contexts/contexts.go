// Package contexts finds out where the contexts and the channels of a package
// come from, and who reaches its functions with one.
//
// [Package.Signal] says what ends a context or a channel: whether it is derived
// from one that the function was given, belongs to other code, or is never done.
// [Package.ReachOf] says whether anybody with a context gets to a function. The
// engines that ask what happens once a context is done, waiting and cleanup, share
// this.
package contexts

import (
	"go/types"
	"reflect"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer looks at the contexts of a package. Its result is a *[Package].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorcontexts",
	Doc:        "find out where contexts come from and who has one",
	Run:        func(pass *analysis.Pass) (any, error) { return newPackage(pass), nil },
	Requires:   []*analysis.Analyzer{ssair.Analyzer, constants.Analyzer, rule.Options},
	ResultType: reflect.TypeFor[*Package](),
})

// Package is what is known about the contexts of a package. It is safe for
// concurrent use.
type Package struct {
	*ssair.Package // its SSA is nil if the package is not looked at

	Types    *types.Package
	Options  *config.Options
	Resolver *callee.Resolver
	// Constants computes values; a random number counts as the greatest that it
	// can be.
	Constants constants.Evaluator

	pass   *analysis.Pass // of this analyzer: it has no facts
	scopes map[*ssa.Function]string
	edges  map[*ssa.Function][]Edge
	reach  map[*ssa.Function]Reaching
}

func newPackage(pass *analysis.Pass) *Package {
	p := &Package{Package: pass.ResultOf[ssair.Analyzer].(*ssair.Package), pass: pass, Types: pass.Pkg, Options: rule.OptionsOf(pass)}
	if p.SSA == nil {
		return p
	}
	p.Constants = constants.Evaluator{Vars: pass.ResultOf[constants.Analyzer].(*constants.Vars), Call: greatest}
	p.Resolver = callee.NewResolver(p.SSA, p.Index, func(name *types.TypeName) bool { return ssair.InTest(pass.Fset, name.Pos()) })
	p.findScopes()
	p.edges = p.callGraph()
	p.reach = p.reachAll()
	return p
}

// WaitOf returns how fn waits, as the options or the library's records say; nil if
// it is not known to.
func (p *Package) WaitOf(fn *types.Func) *library.Wait {
	if len(p.Options.Waits) > 0 && p.Options.Waits[library.Name(fn)] {
		return library.WaitLike(fn)
	}
	return library.Of(fn).Wait
}

// Duration returns the duration that v is, as far as it is constant.
func (p *Package) Duration(v ssa.Value) (time.Duration, bool) { return p.Constants.Duration(v) }

// Loaded returns the variable in this package that v is loaded from, nil if it is
// none, or one of several.
func (p *Package) Loaded(v ssa.Value) *ssa.Alloc {
	if o := origin.Of(v); o.Kind == origin.Loaded {
		return p.Index.Cell(o.X)
	}
	return nil
}
