// Package requeue answers when a reconciler asks to be called again. It looks at the
// reconcile.Results that a function returns without an error.
//
// [Outcomes] are the lattice. The analysis evaluates each returned Result on each path
// to a return statement and joins the outcomes. It follows Results through variables
// and through calls, by a [Summary] of each function. It follows intervals through
// constants and parameters.
package requeue

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Analyzer summarizes the functions of a package that return a reconcile.Result. Its
// result is a *[Package]; its facts are *[Summary] on functions.
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorrequeue",
	Doc:        "find out when reconcilers ask to be called again",
	Requires:   []*analysis.Analyzer{wiring.Analyzer, ssair.Analyzer, constants.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Summary)},
})

// Outcomes is the set of what a returned Result may ask for. These sets are the lattice:
// each field adds an alternative, and the join is the union. Of the known intervals, only
// the longest is kept. The zero Outcomes is the empty set, the bottom: no path returns
// without an error.
//
// Paths on which the reconciled object does not exist any more, or is being deleted,
// add nothing, nor do those that the program takes only with other settings than its own.
type Outcomes struct {
	// Empty: the Result is empty, so the reconciler is not called again.
	Empty bool
	// Idle: the Result is empty where an object's status says that there is nothing to
	// look after yet.
	Idle bool
	// Unknown: nothing is known of the Result.
	Unknown bool
	// RateLimited: the Result asks for the delay of the rate limiter; or it is not
	// empty, and no more is known. A reconciler returns either of them in the midst
	// of its work.
	RateLimited bool
	// UnknownInterval: the Result asks for an interval that is not known.
	UnknownInterval bool
	// Lapses: the Result asks for an interval that is not known, and zero at times.
	Lapses bool
	// Due: the Result asks for an interval that ends when something is due.
	Due bool
	// Longest is the longest of the known intervals, 0 if there is none.
	Longest time.Duration
	// IntervalParams are the parameters that may be the interval.
	IntervalParams []Interval
	// ResultParams are the parameters, by index, that may be the Result.
	ResultParams []int
	// FuncParams are the parameters, by index, that are functions and whose Result it
	// may be.
	FuncParams []int
}

// An Interval is a multiple of a parameter: time.Duration(seconds) * time.Second.
type Interval struct {
	Param int   // its index; the receiver is number 0
	Unit  int64 // in nanoseconds
}

func (v Interval) compare(w Interval) int {
	return cmp.Or(cmp.Compare(v.Param, w.Param), cmp.Compare(v.Unit, w.Unit))
}

// A Summary is what callers need to know of a function that returns a Result, or that says
// whether an object is being deleted.
type Summary struct {
	Outcomes Outcomes
	// ErrorParams are the parameters, by index, that are errors and make the function
	// return an error if they are not nil.
	ErrorParams []int
	// IfDeleted and IfKept are set if the function returns true, or false, only if an object
	// is being deleted.
	IfDeleted, IfKept bool
}

// unknown is the summary of a function that nothing is known of.
var unknown = Summary{Outcomes: Outcomes{Unknown: true}}

// AFact marks Summary as a fact.
func (*Summary) AFact() {}

func (s Summary) isZero() bool { return reflect.DeepEqual(s, Summary{}) }

// join is the least upper bound: the union of the two sets.
func (a Outcomes) join(b Outcomes) Outcomes {
	return Outcomes{
		Empty:           a.Empty || b.Empty,
		Idle:            a.Idle || b.Idle,
		Unknown:         a.Unknown || b.Unknown,
		RateLimited:     a.RateLimited || b.RateLimited,
		UnknownInterval: a.UnknownInterval || b.UnknownInterval,
		Lapses:          a.Lapses || b.Lapses,
		Due:             a.Due || b.Due,
		Longest:         max(a.Longest, b.Longest),
		IntervalParams:  union(a.IntervalParams, b.IntervalParams, Interval.compare),
		ResultParams:    union(a.ResultParams, b.ResultParams, cmp.Compare[int]),
		FuncParams:      union(a.FuncParams, b.FuncParams, cmp.Compare[int]),
	}
}

func union[T comparable](a, b []T, compare func(T, T) int) []T {
	both := slices.Concat(a, b)
	slices.SortFunc(both, compare)
	return slices.Compact(both)
}

// notEmpty returns the outcomes of a Result with the outcomes a that is not empty.
func (a Outcomes) notEmpty() Outcomes {
	a.RateLimited = a.RateLimited || a.Unknown || len(a.ResultParams)+len(a.FuncParams) > 0
	a.UnknownInterval = a.UnknownInterval || a.Lapses
	a.Empty, a.Idle, a.Unknown, a.Lapses, a.ResultParams, a.FuncParams = false, false, false, false, nil, nil
	return a
}

// withoutWaits returns the outcomes a without those that ask for any time.
func (a Outcomes) withoutWaits() Outcomes { return Outcomes{Empty: a.Empty, Idle: a.Idle} }

// Waits reports whether a Result may ask for any time at all, however short.
func (a Outcomes) Waits() bool {
	return a.Lapses || a.Unknown || a.waitsOtherwise()
}

// OnlyLapses reports whether a Result asks for no time but intervals that are zero at
// times.
func (a Outcomes) OnlyLapses() bool { return a.Lapses && !a.Unknown && !a.waitsOtherwise() }

func (a Outcomes) waitsOtherwise() bool {
	return a.RateLimited || a.UnknownInterval || a.Due || a.Longest > 0
}

// Package answers questions about the functions of a package.
type Package struct {
	pass      *analysis.Pass
	index     *origin.Index
	vars      *constants.Vars
	resolver  *callee.Resolver
	view      *wiring.View
	summaries map[*ssa.Function]Summary
	active    map[*ssa.Function]bool // being evaluated
}

func run(pass *analysis.Pass) (any, error) {
	pkg := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	p := &Package{
		pass:      pass,
		index:     pkg.Index,
		vars:      pass.ResultOf[constants.Analyzer].(*constants.Vars),
		view:      wiring.Of(pass),
		summaries: make(map[*ssa.Function]Summary),
		active:    make(map[*ssa.Function]bool),
	}
	if pkg.SSA == nil {
		return p, nil // the package does not matter
	}
	inTest := func(name *types.TypeName) bool { return ssair.InTest(pass.Fset, name.Pos()) }
	p.resolver = callee.NewResolver(pkg.SSA, pkg.Index, p.view, inTest)
	for _, fn := range pkg.Funcs {
		s := p.of(fn)
		obj, ok := fn.Object().(*types.Func)
		if ok && fn.Parent() == nil && !s.isZero() && ssair.Referable(obj) {
			pass.ExportObjectFact(obj, &s)
		}
	}
	return p, nil
}

// of returns the summary of a function of the package. A recursive call counts as not
// known.
func (p *Package) of(fn *ssa.Function) Summary {
	s, ok := p.summaries[fn]
	res, _ := results(fn.Signature)
	switch {
	case ok:
		return s
	case res < 0:
		s.IfDeleted, s.IfKept = p.saysGone(fn, true), p.saysGone(fn, false)
		p.summaries[fn] = s
		return s
	case p.active[fn]:
		return unknown
	}
	p.active[fn] = true
	s = Summary{Outcomes: p.After(fn, nil), ErrorParams: p.errorParams(fn)}
	delete(p.active, fn)
	p.summaries[fn] = s
	return s
}

// Of returns the outcomes of a function that this package or an imported one
// declares.
func (p *Package) Of(fn *types.Func) Outcomes { return p.imported(fn).Outcomes }

// imported returns the summary of a function from its fact.
func (p *Package) imported(fn *types.Func) Summary {
	var s Summary
	if !p.pass.ImportObjectFact(fn.Origin(), &s) {
		return unknown
	}
	return s
}

// After returns the outcomes of a function of the package on the paths that lead
// through a call that matters to the concern. If the function makes no such call, or the
// concern is nil, it returns those of all paths. Where objects of the concern are only
// removed, no wait counts, unless all paths are of that kind.
func (p *Package) After(fn *ssa.Function, of Concern) Outcomes {
	res, err := results(fn.Signature)
	if res < 0 {
		return Outcomes{}
	}
	e := p.evaluator(of)
	w := waysOf(fn, of)
	var kept, all Outcomes
	for _, ret := range cfg.Returns(fn) {
		for _, on := range p.pathsTo(ret.Block()) {
			if !w.after(on) || on.leftOut(ret, err, e.matters) != "" {
				continue
			}
			a := e.returns(on, ret.Results[res])
			all = all.join(a)
			if w.onlyRemoves(on) {
				a = a.withoutWaits()
			}
			kept = kept.join(a)
		}
	}
	if reflect.DeepEqual(kept, Outcomes{}) {
		return all
	}
	return kept
}

// errorParams returns the parameters that are errors and make the function return an
// error if they are not nil.
func (p *Package) errorParams(fn *ssa.Function) []int {
	var all []int
	for i, param := range fn.Params {
		if library.IsError(param.Type()) && p.passesOn(fn, param) {
			all = append(all, i)
		}
	}
	return all
}

// passesOn reports whether the function returns an error whenever fault is not nil.
func (p *Package) passesOn(fn *ssa.Function, fault ssa.Value) bool {
	_, err := results(fn.Signature)
	if err < 0 {
		return false
	}
	for _, ret := range cfg.Returns(fn) {
		for _, on := range p.pathsTo(ret.Block()) {
			on.fault = fault
			if !on.isGone(ret.Results, err, nil) && !on.provesNil(fault) && !on.fails(ret.Results[err]) {
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

// isResult reports whether the type is reconcile.Result.
func isResult(t types.Type) bool { return library.TypeOf(t).Is == library.Result }
