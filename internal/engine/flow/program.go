package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A package may have several reconcilers. What one of them tests, and only another one sets, is
// set by others:
//
//	func (r *ThingReconciler) Reconcile(…)  { …; thing.Status.Phase = phase }
//	func (r *BackupReconciler) Reconcile(…) { if thing.Status.Phase != "Ready" { return } … }

// A callGraph has the functions of the package that each of them calls, or has the value of. A
// method value has a function of its own, which calls the method.
type callGraph struct {
	callees, callers map[*ssa.Function][]*ssa.Function
	programs         map[*ssa.Function]map[*ssa.Function]bool // see programOf
}

// callGraph returns the call graph of the package.
func (a *analysisState) callGraph() *callGraph {
	if a.graph != nil {
		return a.graph
	}
	a.graph = &callGraph{
		callees:  make(map[*ssa.Function][]*ssa.Function),
		callers:  make(map[*ssa.Function][]*ssa.Function),
		programs: make(map[*ssa.Function]map[*ssa.Function]bool),
	}
	seen := make(map[*ssa.Function]bool)
	for todo := slices.Clone(a.ssa.Funcs); len(todo) > 0; todo = todo[1:] {
		fn := todo[0]
		if seen[fn] {
			continue
		}
		seen[fn] = true
		for _, callee := range a.mentionedBy(fn) {
			a.graph.callees[fn] = append(a.graph.callees[fn], callee)
			a.graph.callers[callee] = append(a.graph.callers[callee], fn)
			if callee.Synthetic != "" {
				todo = append(todo, callee)
			}
		}
	}
	return a.graph
}

// mentionedBy returns the functions of the package that the function calls, or has the value of.
func (a *analysisState) mentionedBy(fn *ssa.Function) (all []*ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			all = append(all, a.mentionedAt(instr)...)
		}
	}
	return all
}

// mentionedAt is mentionedBy for an instruction.
func (a *analysisState) mentionedAt(instr ssa.Instruction) []*ssa.Function {
	all := a.runBy(instr)
	for _, op := range instr.Operands(nil) {
		if value, ok := (*op).(*ssa.Function); ok {
			all = append(slices.Clip(all), value)
		}
	}
	return all
}

// programOf returns the functions of the package that run in the reconciles in which fn runs. It
// returns nil if the package does not show all of them.
func (in *interp) programOf(fn *ssa.Function) map[*ssa.Function]bool {
	g := in.callGraph()
	if runs, ok := g.programs[fn]; ok {
		return runs
	}
	above := []*ssa.Function{fn}
	seen := map[*ssa.Function]bool{fn: true}
	var roots []*ssa.Function
	for ; len(above) > 0; above = above[1:] {
		switch caller := above[0]; {
		case in.beginsWithKey(caller):
			roots = append(roots, caller)
		case len(g.callers[caller]) > 0 && (caller.Parent() != nil || caller.Synthetic != "" || in.ssa.Index.HasAllCalls(caller)):
			for _, next := range g.callers[caller] {
				if !seen[next] {
					seen[next] = true
					above = append(above, next)
				}
			}
		case ssair.Reconciles(caller) && caller.Name() == "Reconcile":
			roots = append(roots, caller)
		default:
			g.programs[fn] = nil
			return nil
		}
	}
	runs := reachable(roots, g.callees)
	g.programs[fn] = runs
	return runs
}

// beginsWithKey reports whether the function takes keys from a workqueue, or gets one from the loop of
// another package, or through a function value or an interface.
func (a *analysisState) beginsWithKey(fn *ssa.Function) bool {
	return ssair.TakesKeys(fn) || a.begins.IsCalledWithKey(fn)
}

// reachable returns the functions that the edges lead to, with the first ones.
func reachable(from []*ssa.Function, edges map[*ssa.Function][]*ssa.Function) map[*ssa.Function]bool {
	seen := make(map[*ssa.Function]bool)
	for len(from) > 0 {
		fn := from[0]
		from = from[1:]
		if !seen[fn] {
			seen[fn] = true
			from = append(from, edges[fn]...)
		}
	}
	return seen
}
