// Package goroutines answers which functions of a package run only in goroutines
// that nobody waits for.
//
// What runs there holds up no reconcile. Most often the go statement itself shows it.
// But a reconcile may also hand the work over as a function value, which another
// package runs:
//
//	hub.Register("drain", drain)          // at the start
//	…
//	return hub.Get(name)                  // in the method Task of a handler
//	…
//	pool.Submit(handler.Task(name))       // in the package of the reconcile
//	…
//	func (p *Pool) Submit(f func()) { go run(f) }
//
// The analyzer notes for each function value of the package where it is called, and
// which parameters and results it becomes. A [Fact] says the same of the parameters
// and results of other packages. It is evidence that counts: a function of which the
// package shows no run is not known to run in such a goroutine.
package goroutines

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// Analyzer finds the functions that nobody waits for. Its result is a *[Package].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorgoroutines",
	Doc:        "find the functions that nobody waits for",
	Requires:   []*analysis.Analyzer{contexts.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Fact)},
})

// Package knows the functions of a package that nobody waits for.
type Package struct {
	*contexts.Package

	runs  map[node][]aRun
	fates map[Slot]Fate               // of other packages' parameters and results
	put   map[any][]ssa.Value         // what is put into a map or sent on a channel
	waits map[any][]*ssa.Function     // who waits for a channel or a WaitGroup
	sends map[any][]*ssa.Function     // who sends on a channel
	nests map[*ssa.Function]*cfg.Nest // see nest
	alone map[*ssa.Function]bool      // see Unawaited
	// implements has the names of the interface methods that a method implements.
	implements map[string][]string
}

// Unawaited reports whether the function runs only in goroutines that nobody waits
// for.
func (p *Package) Unawaited(fn *ssa.Function) bool { return p.alone[fn] }

// StartedByProgram reports whether programs of the module start the function once, in a
// goroutine of its own, and nothing outside of the package uses it otherwise.
func (p *Package) StartedByProgram(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && p.View.StartsOnce(obj)
}

func run(pass *analysis.Pass) (any, error) {
	p := &Package{
		Package: pass.ResultOf[contexts.Analyzer].(*contexts.Package),
		runs:    make(map[node][]aRun),
		fates:   make(map[Slot]Fate),
		put:     make(map[any][]ssa.Value),
		waits:   make(map[any][]*ssa.Function),
		sends:   make(map[any][]*ssa.Function),
		nests:   make(map[*ssa.Function]*cfg.Nest),
	}
	if p.SSA == nil {
		return p, nil
	}
	for _, imp := range pass.Pkg.Imports() {
		fact := new(Fact)
		if pass.ImportPackageFact(imp, fact) {
			p.add(fact)
		}
	}
	funcs := p.Funcs
	if init := p.SSA.Func("init"); init != nil {
		funcs = append([]*ssa.Function{init}, funcs...)
	}
	for _, fn := range funcs {
		p.collectShared(fn)
	}
	for _, fn := range funcs {
		p.collectRuns(fn)
	}
	for _, fn := range funcs {
		if p.StartedByProgram(fn) {
			p.addRun(fn, aRun{how: unawaited})
		}
	}
	p.implement(funcs)
	p.findUnawaited()
	if fact := p.fact(); len(fact.Fates) > 0 {
		pass.ExportPackageFact(fact)
	}
	return p, nil
}

// nest returns the loop nest of a function.
func (p *Package) nest(fn *ssa.Function) *cfg.Nest {
	n := p.nests[fn]
	if n == nil {
		n = cfg.Loops(fn)
		p.nests[fn] = n
	}
	return n
}

// findUnawaited finds the functions that an unawaited goroutine reaches, and nothing
// that is waited for.
func (p *Package) findUnawaited() {
	awaited := make(map[*ssa.Function]bool)
	alone := make(map[*ssa.Function]bool)
	leaves := make(map[*ssa.Function][]aRun)
	for _, fn := range p.Funcs {
		leaves[fn] = p.leaves(fn)
		awaited[fn] = p.isRoot(fn, leaves[fn])
	}
	for changed := true; changed; {
		changed = false
		for _, fn := range p.Funcs {
			for _, r := range leaves[fn] {
				if !awaited[fn] && (r.how == looped || r.how == called && awaited[r.in]) {
					awaited[fn], changed = true, true
				}
				if !alone[fn] && (r.how == unawaited || r.how == called && alone[r.in]) {
					alone[fn], changed = true, true
				}
			}
		}
	}
	p.alone = make(map[*ssa.Function]bool)
	for _, fn := range p.Funcs {
		p.alone[fn] = alone[fn] && !awaited[fn]
	}
}

// isRoot reports whether the function is called by what the package does not show: by a
// framework, or by other packages. One of which the package shows runs is expected to be
// called like that elsewhere. There, calls are judged by themselves.
func (p *Package) isRoot(fn *ssa.Function, leaves []aRun) bool {
	return len(leaves) == 0 || p.IsEntryPoint(fn)
}
