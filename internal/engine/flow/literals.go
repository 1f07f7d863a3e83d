package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// addReturned adds to lits the function literals that escape to callers in other
// packages through the results.
func (a *analysisState) addReturned(sum *Summary, lits map[*ssa.Function]bool) {
	add := func(vs ...Val) {
		for _, v := range vs {
			for _, b := range v.Bound {
				if b.fn != nil && b.fn.Parent() != nil {
					lits[b.fn] = true
				}
			}
		}
	}
	add(sum.Results...)
	for _, o := range sum.Objects {
		for _, c := range o.Cells {
			add(c.Val)
		}
	}
}

// literals returns the summaries of the function literals, and of the methods of
// types that other packages cannot name, or nil if there are none.
func (a *analysisState) literals(lits map[*ssa.Function]bool) *Literals {
	fact := new(Literals)
	for fn := range lits {
		if sum := a.interpret(fn); !sum.isEmpty() {
			fact.Funcs = append(fact.Funcs, Literal{Name: fn.String(), Params: len(fn.Params), Sum: *sum.forExport()})
		}
	}
	for _, fn := range a.ssa.Funcs {
		// Methods of unexported types are called through interfaces.
		sum := a.summaries[fn]
		obj, ok := fn.Object().(*types.Func)
		if !ok || fn.Parent() != nil || sum == nil || sum.isEmpty() || !obj.Exported() {
			continue
		}
		if named := library.NamedOf(recvType(obj)); named != nil && !named.Obj().Exported() {
			fact.Funcs = append(fact.Funcs, Literal{Name: library.Name(obj), Params: len(fn.Params), Sum: *sum.forExport()})
		}
	}
	if len(fact.Funcs) == 0 {
		return nil
	}
	slices.SortFunc(fact.Funcs, func(x, y Literal) int { return strings.Compare(x.Name, y.Name) })
	return fact
}

// ofLiteral returns the summary of a function literal of the package, as far as its callees
// have theirs, or nil while it is being made.
func (a *analysisState) ofLiteral(fn *ssa.Function) *Summary {
	sum, ok := a.ownLiterals[fn]
	if !ok {
		a.ownLiterals[fn] = nil
		sum = a.interpret(fn)
		a.ownLiterals[fn] = sum
	}
	return sum
}

// literal returns the fact about a function literal of another package, or nil.
func (a *analysisState) literal(name string) *Literal {
	if a.foreignLiterals == nil {
		a.foreignLiterals = make(map[string]*Literal)
		for _, lits := range rule.FactsOf[*Literals](a.pass) {
			for i := range lits.Funcs {
				a.foreignLiterals[lits.Funcs[i].Name] = &lits.Funcs[i]
			}
		}
	}
	return a.foreignLiterals[name]
}
