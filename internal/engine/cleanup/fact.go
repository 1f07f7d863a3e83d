package cleanup

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
)

// A Fact summarizes the acts of a function for callers in other packages. It includes
// what the function's callees contribute, so the facts of direct imports are enough. A
// function without acts, pauses and runs that detaches nothing has no fact.
type Fact struct {
	Acts []Act
	// Pauses are the parameters, by index, that are contexts and end a wait of the
	// function.
	Pauses []int
	// Detaches says that the function takes a context and returns one that is not
	// derived from it.
	Detaches bool
	// Runs are the parameters that the function calls when something has failed.
	Runs []Run
}

// An Act is an act of a function whose context is a parameter.
type Act struct {
	// Param is the index of the parameter.
	Param int
	// What is the function that has the effect, At where it is called.
	What string
	At   place.Place
	// Persists says that the act undoes and releases nothing.
	Persists bool
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	s := "cleanup:"
	for _, a := range f.Acts {
		s += fmt.Sprintf(" acts by %s at %s on argument %d;", a.What, a.At, a.Param)
	}
	for _, param := range f.Pauses {
		s += fmt.Sprintf(" waits until argument %d is done;", param)
	}
	if f.Detaches {
		s += " detaches;"
	}
	for _, run := range f.Runs {
		s += fmt.Sprintf(" calls argument %d on failure", run.Param)
		if run.Context >= 0 {
			s += fmt.Sprintf(" with argument %d", run.Context)
		}
		s += ";"
	}
	return strings.TrimSuffix(s, ";")
}

// fact returns the fact of a function of another package, nil if it has none.
func (p *pkg) fact(fn *types.Func) *Fact {
	if f, ok := p.imported[fn]; ok {
		return f
	}
	f := new(Fact)
	if !p.pass.ImportObjectFact(fn, f) {
		f = nil
	}
	p.imported[fn] = f
	return f
}

// exportFacts exports the fact of each function that has one.
func (a *analyzer) exportFacts() {
	for _, fn := range a.Funcs {
		if f := a.factOf(fn); f != nil {
			a.pass.ExportObjectFact(fn.Object(), f)
		}
	}
}

// factOf returns the fact of a function, nil if it would be empty or if no other package
// can call the function.
func (p *pkg) factOf(fn *ssa.Function) *Fact {
	if fn.Parent() != nil || fn.Object() == nil || !fn.Object().Exported() {
		return nil
	}
	f := &Fact{Acts: p.factActs(fn), Pauses: p.factPauses(fn), Detaches: p.detaches(fn)}
	for _, run := range p.runsOf(fn) {
		if run.OnFailure {
			f.Runs = append(f.Runs, run)
		}
	}
	if f.Acts == nil && f.Pauses == nil && !f.Detaches && f.Runs == nil {
		return nil
	}
	return f
}

// factActs returns the acts of fn whose contexts are parameters, one for each.
func (p *pkg) factActs(fn *ssa.Function) []Act {
	var facts []Act
	for _, a := range p.actsOf(fn) {
		i := p.parameterBehind(a.ctx, fn)
		if i < 0 {
			continue
		}
		at := slices.IndexFunc(facts, func(f Act) bool { return f.Param == i })
		if at < 0 {
			facts = append(facts, Act{i, a.what, p.placeOf(a), a.persists})
		} else if facts[at].Persists && !a.persists {
			facts[at] = Act{i, a.what, p.placeOf(a), false}
		}
	}
	return facts
}

// factPauses returns the parameters that end waits of the function.
func (p *pkg) factPauses(fn *ssa.Function) []int {
	var params []int
	for _, pause := range p.pausesOf(fn) {
		if i := p.parameterBehind(pause.ctx, fn); i >= 0 && !pause.request && !slices.Contains(params, i) {
			params = append(params, i)
		}
	}
	slices.Sort(params)
	return params
}
