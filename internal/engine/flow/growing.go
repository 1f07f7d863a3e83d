package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A list in a package variable to which a reconcile appends gets longer with each reconcile, of
// whichever object:
//
//	var excluded = []string{".svc"}
//
//	func (r *Reconciler) noProxy(thing *Thing) string {
//		excluded = append(excluded, thing.Spec.Hosts...)
//		return strings.Join(excluded, ",")
//	}
//
// What is made of the list differs each time. It does not if what the process knows decides
// whether something is appended: the list itself, or another variable.

// growing returns the label of a package variable that gets longer, none of another one, where it is
// loaded. A function that appends to it, and then makes something of it, does so wherever it runs.
func (in *interp) growing(g *ssa.Global, load ssa.Instruction) labels {
	ls, ok := in.growingVars[g]
	if !ok {
		for _, s := range in.ssa.Index.Global(g) {
			if in.runsInReconcile(s.Parent()) {
				ls = ls.union(in.lengthens(s, g))
			}
		}
		in.growingVars[g] = ls
	}
	if len(ls) > 0 {
		return ls
	}
	for _, s := range in.ssa.Index.Global(g) {
		if s.Parent() == load.Parent() && precedes(s, load) {
			ls = ls.union(in.lengthens(s, g))
		}
	}
	return ls
}

// lengthens returns the label of the package variable, if the store makes it longer by a call of append
// each time.
func (in *interp) lengthens(s *ssa.Store, g *ssa.Global) labels {
	stored := origin.Of(origin.Through(s.Val, origin.Renamed))
	if stored.Builtin() != "append" {
		return nil
	}
	list := origin.Of(origin.Through(stored.Call.Call.Args[0], origin.Renamed))
	if list.Kind != origin.Loaded || list.X != g || in.processDecides(s.Block()) {
		return nil
	}
	l := Label{Kind: Random, What: "append to " + g.Name()}
	l.Pos, l.End = in.callSpan(stored.Call)
	l.At = in.at(l.Pos)
	return labels{l}
}

// precedes reports whether control gets to the second instruction of a function only after the first.
func precedes(first, second ssa.Instruction) bool {
	b := first.Block()
	if b != second.Block() {
		return b.Dominates(second.Block())
	}
	return slices.Index(b.Instrs, first) < slices.Index(b.Instrs, second)
}

// runsInReconcile reports whether the package shows that a reconcile runs the function.
func (in *interp) runsInReconcile(fn *ssa.Function) bool {
	for caller := range reachable([]*ssa.Function{fn}, in.callGraph().callers) {
		if ssair.Reconciles(caller) {
			return true
		}
	}
	return false
}

// processDecides reports whether the function gets to the block only if a package variable has
// some value.
func (in *interp) processDecides(b *ssa.BasicBlock) bool {
	for br := range cfg.Branches(in.control.Of(b)...) {
		if in.readsVariable(br.Value) {
			return true
		}
	}
	return false
}

// readsVariable reports whether v is made of the value of a package variable, also by a function of
// the package.
func (in *interp) readsVariable(v ssa.Value) bool {
	seen := map[ssa.Value]bool{v: true}
	for work := []ssa.Value{v}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if _, ok := v.(*ssa.Global); ok || len(seen) > maxTests {
			return true
		}
		instr, ok := v.(ssa.Instruction)
		if !ok {
			continue
		}
		if slices.ContainsFunc(in.runBy(instr), mentionsVariable) {
			return true
		}
		for _, op := range instr.Operands(nil) {
			if *op != nil && !seen[*op] {
				seen[*op] = true
				work = append(work, *op)
			}
		}
	}
	return false
}

// mentionsVariable reports whether the function itself uses a package variable.
func mentionsVariable(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool {
				_, ok := (*op).(*ssa.Global)
				return ok
			})
		})
	})
}
