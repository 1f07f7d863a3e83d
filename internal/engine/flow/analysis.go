package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/reconcilers"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// analysisState is the state that the interpretations of a package's functions
// share.
type analysisState struct {
	pass            *analysis.Pass
	options         *config.Options
	traced          bool
	asks            bool // whether reads are events, too
	steps           int  // budget for one function
	ssa             *ssair.Package
	summaries       map[*ssa.Function]*Summary
	ownLiterals     map[*ssa.Function]*Summary // see ofLiteral
	facts           map[*types.Func]*Summary
	fields          *fieldStores
	fvals           map[*ssa.Function]*fval
	byName          map[string]*fval
	resolver        *callee.Resolver
	view            *wiring.View
	begins          *reconcilers.Package // what workqueue loops call
	constants       constants.Evaluator
	control         *cfg.Control
	loops           map[*cfg.Loop]*loop
	errorTypes      map[*types.Named]bool // whether they are errors
	packages        map[string]*types.Package
	parted          map[string][]access.Path // by the name of a type: see partPaths
	files           map[string]string        // the files of places, one string for each
	callFuns        map[token.Pos]ast.Expr
	ranges          map[token.Pos]token.Pos
	globals         map[*ssa.Global]*object
	growingVars     map[*ssa.Global]labels // of package variables, see growing
	comparedFields  map[*types.Var]bool    // see isFieldCompared
	sums            map[storing]ssa.Value  // see sumStored
	versions        map[storing]version    // see ownVersion
	assigned        map[*ssa.Function]map[string][]*ssa.Store
	started         map[*ssa.Function]int    // see startsOf
	optionStructs   map[*types.TypeName]bool // see optionTypes
	startedParams   map[*ssa.Parameter]int   // see startsOfParameter
	sets            map[setKey]bool
	anyway          map[anywayKey]bool
	sides           map[cfg.Condition]*side
	statusModes     map[cfg.Condition]*statusMode
	awaited         map[cfg.Condition]bool          // see awaitsMade
	askedIn         map[*ssa.Function][]Asked       // see askedBy
	statusSets      map[*ssa.Function][]StatusField // see statusFieldsSet
	setIndex        *setIndex                       // of setInPackage
	graph           *callGraph                      // of callGraph
	remembered      map[*types.Var]bool             // of rememberedFields
	writtenWith     map[writtenKey]bool             // see isOfOther
	flags           map[ssa.Value]bool              // being classified
	foreignLiterals map[string]*Literal
	eventful        map[*ssa.Function]bool // functions that may make events
	eventfulMethods map[string]bool        // names of the methods among them
	base            *heap                  // package variables after initialisation
	texts           []templateText         // of templates
}

func newAnalysis(pass *analysis.Pass, pkg *ssair.Package) *analysisState {
	view := wiring.Of(pass)
	begins, _ := pass.ResultOf[reconcilers.Analyzer].(*reconcilers.Package)
	a := &analysisState{
		begins:        begins,
		view:          view,
		pass:          pass,
		options:       rule.OptionsOf(pass),
		traced:        rule.IsTraced(pass),
		asks:          rule.Asks(pass),
		steps:         stepsFor(pass.Pkg),
		constants:     constants.Evaluator{Vars: pass.ResultOf[constants.Analyzer].(*constants.Vars)},
		ssa:           pkg,
		summaries:     make(map[*ssa.Function]*Summary),
		facts:         make(map[*types.Func]*Summary),
		ownLiterals:   make(map[*ssa.Function]*Summary),
		fvals:         make(map[*ssa.Function]*fval),
		byName:        make(map[string]*fval),
		resolver:      callee.NewResolver(pkg.SSA, pkg.Index, view, func(tn *types.TypeName) bool { return ssair.InTest(pass.Fset, tn.Pos()) }),
		control:       cfg.NewControl(isFailure, failing),
		loops:         make(map[*cfg.Loop]*loop),
		errorTypes:    make(map[*types.Named]bool),
		packages:      make(map[string]*types.Package),
		parted:        make(map[string][]access.Path),
		files:         make(map[string]string),
		callFuns:      make(map[token.Pos]ast.Expr),
		ranges:        make(map[token.Pos]token.Pos),
		globals:       make(map[*ssa.Global]*object),
		growingVars:   make(map[*ssa.Global]labels),
		sums:          make(map[storing]ssa.Value),
		versions:      make(map[storing]version),
		assigned:      make(map[*ssa.Function]map[string][]*ssa.Store),
		started:       make(map[*ssa.Function]int),
		startedParams: make(map[*ssa.Parameter]int),
		sets:          make(map[setKey]bool),
		writtenWith:   make(map[writtenKey]bool),
		anyway:        make(map[anywayKey]bool),
		sides:         make(map[cfg.Condition]*side),
		statusModes:   make(map[cfg.Condition]*statusMode),
		awaited:       make(map[cfg.Condition]bool),
		askedIn:       make(map[*ssa.Function][]Asked),
		statusSets:    make(map[*ssa.Function][]StatusField),
		flags:         make(map[ssa.Value]bool),
		eventful:      make(map[*ssa.Function]bool),
		base:          newHeap(),

		eventfulMethods: make(map[string]bool),
	}
	a.fields = &fieldStores{index: pkg.Index, found: make(map[*types.Var][]ssa.Value)}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				a.callFuns[n.Lparen] = n.Fun
			case *ast.GoStmt:
				a.callFuns[n.Go] = n.Call.Fun
			case *ast.DeferStmt:
				a.callFuns[n.Defer] = n.Call.Fun
			case *ast.RangeStmt:
				a.ranges[n.For] = n.Body.Lbrace
			}
			return true
		})
	}
	var addImports func(p *types.Package)
	addImports = func(p *types.Package) {
		if a.packages[p.Path()] != nil {
			return
		}
		a.packages[p.Path()] = p
		for _, imp := range p.Imports() {
			addImports(imp)
		}
	}
	addImports(pass.Pkg)
	for _, p := range view.Needs() {
		addImports(p)
	}
	return a
}

// initialise interprets the package's initialisation. Functions then see the
// values of the package variables that no function assigns to. What differs from
// call to call elsewhere is made once there, and stays the same in the process.
func (a *analysisState) initialise() {
	init := a.ssa.SSA.Func("init")
	if init == nil {
		return
	}
	in := a.newInterp()
	in.idBase = 1 << 20
	fr := in.frame(init)
	exit := in.run(fr, newHeap())
	if exit == nil {
		return
	}
	exit.dropSources()
	assigned := make(map[*object]bool)
	for _, fn := range a.ssa.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Store); ok {
					if g, ok := s.Addr.(*ssa.Global); ok {
						assigned[a.globals[g]] = true
					}
				}
			}
		}
	}
	exit.objs = exit.objs.filter(func(o *object) bool { return !assigned[o] })
	a.base = exit
}

// imported returns the summary of a function of another package, or nil.
func (a *analysisState) imported(fn *types.Func) *Summary {
	fn = fn.Origin()
	sum, ok := a.facts[fn]
	if !ok {
		fact := new(Summary)
		if fn.Pkg() != a.pass.Pkg && a.pass.ImportObjectFact(fn, fact) {
			sum = fact
		}
		a.facts[fn] = sum
	}
	return sum
}

// summaryOf returns the summary of a function that this package or one that it
// imports declares, or nil.
func (a *analysisState) summaryOf(fn *types.Func) *Summary {
	if fn.Pkg() == a.pass.Pkg {
		return a.summaries[a.ssa.SSA.Prog.FuncValue(fn.Origin())]
	}
	return a.imported(fn)
}

// funcNamed returns the function value of a function known by name.
func (a *analysisState) funcNamed(name string) *fval {
	f := a.byName[name]
	if f == nil {
		f = &fval{ref: &FuncRef{Name: name, Param: -1}}
		a.byName[name] = f
	}
	return f
}

// globalFunc returns the library function that a package variable holds, or nil.
func (a *analysisState) globalFunc(g *ssa.Global) *fval {
	if g.Pkg == nil || g.Pkg.Pkg == nil {
		return nil
	}
	name := library.VarNamed(g.Pkg.Pkg.Path() + "." + g.Name()).Func
	if name == "" {
		return nil
	}
	return a.funcNamed(name)
}

// typeOf returns the type with this TypeName, or nil.
func (a *analysisState) typeOf(name string) types.Type {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil
	}
	pkg := a.packages[name[:i]]
	if pkg == nil {
		return nil
	}
	if tn, ok := pkg.Scope().Lookup(name[i+1:]).(*types.TypeName); ok {
		return tn.Type()
	}
	return nil
}

// onlyImplementation returns the only type that implements the interface t, in the
// module or in the package, if that also declares t.
func (a *analysisState) onlyImplementation(t types.Type) types.Type {
	named := library.NamedOf(t)
	if named != nil {
		if impls, ok := a.view.Implementations(named); ok {
			if len(impls) != 1 {
				return nil
			}
			return impls[0]
		}
	}
	if named == nil || !types.IsInterface(named) || named.Obj().Pkg() != a.pass.Pkg || named.TypeParams().Len() > 0 {
		return nil
	}
	impls := a.resolver.Implementations(named.Underlying().(*types.Interface))
	if len(impls) != 1 {
		return nil
	}
	return impls[0]
}

// stepsFor returns the budget for each function of the package.
func stepsFor(pkg *types.Package) int {
	for _, imp := range pkg.Imports() {
		if library.IsKubernetesProject(imp.Path()) {
			return maxSteps
		}
	}
	return maxStepsHelper
}
