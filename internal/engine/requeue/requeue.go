// Package requeue answers when a reconciler is called again by its own wish:
// what the reconcile.Results ask for that it returns without an error.
//
// Results are followed through variables, helpers that make one, and functions
// that pass on what another one returned; intervals through constants and
// parameters.
package requeue

import (
	"go/types"
	"reflect"
	"slices"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer finds out what the functions of a package ask for that return a
// reconcile.Result. Its result is a *[Package]; its facts are *[Again] on
// functions.
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorrequeue",
	Doc:        "find out when reconcilers are called again by their own wish",
	Requires:   []*analysis.Analyzer{ssair.Analyzer, constants.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Again)},
})

// An Again is what the Results of a function ask for on those of its paths that
// return no error: each field is something that one of them may ask for. The
// zero Again is that of a function without such paths.
//
// Paths on which the object is not there any more, or is being deleted, are left
// out.
type Again struct {
	// Never: the Result is empty.
	Never bool
	// Lost: it is not known what the Result is.
	Lost bool
	// Backoff: the Result asks for the time of the rate limiter, or is known
	// not to be empty and nothing else. Either is what a reconciler returns in
	// the midst of its work.
	Backoff bool
	// After: an interval that is not known. Due: one that ends when something
	// is due.
	After, Due bool
	// Longest of the intervals that are known.
	Longest time.Duration
	// Params: the interval is the parameter of this index, receiver first.
	Params []int
	// Results: the Result is the parameter of this index.
	Results []int
	// Errors are the parameters that make the function return an error if they
	// are one.
	Errors []int
}

// AFact marks Again as a fact.
func (*Again) AFact() {}

func (a Again) isZero() bool { return reflect.DeepEqual(a, Again{}) }

// join returns what a or b may ask for.
func (a Again) join(b Again) Again {
	return Again{
		Never:   a.Never || b.Never,
		Lost:    a.Lost || b.Lost,
		Backoff: a.Backoff || b.Backoff,
		After:   a.After || b.After,
		Due:     a.Due || b.Due,
		Longest: max(a.Longest, b.Longest),
		Params:  union(a.Params, b.Params),
		Results: union(a.Results, b.Results),
	}
}

func union(a, b []int) []int {
	both := slices.Concat(a, b)
	slices.Sort(both)
	return slices.Compact(both)
}

// notEmpty returns what a Result asks for that is a, but not empty.
func (a Again) notEmpty() Again {
	a.Backoff = a.Backoff || a.Lost || len(a.Results) > 0
	a.Never, a.Lost, a.Results = false, false, nil
	return a
}

// Package answers questions about the functions of a package.
type Package struct {
	pass   *analysis.Pass
	vars   *constants.Vars
	again  map[*ssa.Function]Again
	active map[*ssa.Function]bool // being looked at
}

func run(pass *analysis.Pass) (any, error) {
	p := &Package{
		pass:   pass,
		vars:   pass.ResultOf[constants.Analyzer].(*constants.Vars),
		again:  make(map[*ssa.Function]Again),
		active: make(map[*ssa.Function]bool),
	}
	for _, fn := range pass.ResultOf[ssair.Analyzer].(*ssair.Package).Funcs {
		a := p.of(fn)
		obj, ok := fn.Object().(*types.Func)
		if ok && fn.Parent() == nil && !a.isZero() && ssair.Referable(obj) {
			pass.ExportObjectFact(obj, &a)
		}
	}
	return p, nil
}

// of returns what a function of the package asks for.
func (p *Package) of(fn *ssa.Function) Again {
	a, ok := p.again[fn]
	res, _ := results(fn.Signature)
	switch {
	case ok, res < 0:
		return a
	case p.active[fn]:
		return Again{Lost: true}
	}
	p.active[fn] = true
	a = p.After(fn, nil)
	a.Errors = p.errors(fn)
	delete(p.active, fn)
	p.again[fn] = a
	return a
}

// Of returns what a function asks for that this package or one that it imports
// declares.
func (p *Package) Of(fn *types.Func) Again {
	var a Again
	if !p.pass.ImportObjectFact(fn.Origin(), &a) {
		a.Lost = true
	}
	return a
}

// After returns what a function of the package asks for behind the calls that
// matter, or on all paths if it makes none or matters is nil.
func (p *Package) After(fn *ssa.Function, matters func(ssa.CallInstruction) bool) Again {
	res, err := results(fn.Signature)
	if res < 0 {
		return Again{}
	}
	e := &evaluator{pkg: p, matters: matters, active: make(map[ssa.Value]bool), before: make(map[*ssa.FreeVar]Again)}
	behind := e.behind(fn)
	var a Again
	for _, ret := range cfg.Returns(fn) {
		for _, w := range p.waysTo(ret.Block()) {
			switch {
			case !behind(w):
			case err >= 0 && w.fails(ret.Results[err]):
			case w.isGone(ret.Results, err, matters):
			default:
				a = a.join(e.result(w, ret.Results[res]))
			}
		}
	}
	return a
}

// errors returns the parameters that make the function return an error if they
// are one.
func (p *Package) errors(fn *ssa.Function) []int {
	var all []int
	for i, param := range fn.Params {
		if library.IsError(param.Type()) && p.passesOn(fn, param) {
			all = append(all, i)
		}
	}
	return all
}

// passesOn reports whether the function returns an error if fault is one.
func (p *Package) passesOn(fn *ssa.Function, fault ssa.Value) bool {
	_, err := results(fn.Signature)
	if err < 0 {
		return false
	}
	for _, ret := range cfg.Returns(fn) {
		for _, w := range p.waysTo(ret.Block()) {
			w.fault = fault
			if !w.isGone(ret.Results, err, nil) && !w.isSound(fault) && !w.fails(ret.Results[err]) {
				return false
			}
		}
	}
	return true
}

// results returns the indices of the Result and the error among the results of a
// function, or -1.
func results(sig *types.Signature) (result, err int) {
	result, err = -1, -1
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		switch {
		case result < 0 && isResult(t):
			result = i
		case library.IsError(t):
			err = i
		}
	}
	return result, err
}

// isResult reports whether values of the type are what a reconcile returns.
func isResult(t types.Type) bool { return library.TypeOf(t).Is == library.Result }

// behind returns which ways lead through a call that matters; all do if there is
// no such call.
func (e *evaluator) behind(fn *ssa.Function) func(way) bool {
	sites := make(map[*ssa.BasicBlock]bool)
	if e.matters != nil {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok && e.matters(call) {
					sites[b] = true
				}
			}
		}
	}
	if len(sites) == 0 {
		return func(way) bool { return true }
	}
	reached := make(map[*ssa.BasicBlock]bool)
	var reach func(b *ssa.BasicBlock)
	reach = func(b *ssa.BasicBlock) {
		if !reached[b] {
			reached[b] = true
			for _, next := range b.Succs {
				reach(next)
			}
		}
	}
	for b := range sites {
		reach(b)
	}
	return func(w way) bool { return sites[w.block] || reached[w.last()] }
}
