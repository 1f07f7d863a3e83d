package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// solve computes the summaries of a strongly connected component: functions that
// call each other.
func (a *analysisState) solve(scc []*ssa.Function) {
	const rounds = 3 // usually a fixpoint; if not, the summaries are taken as they are
	a.noteEventful(scc)
	for round := range rounds {
		for _, fn := range scc {
			if takesReflection(fn.Signature) && !a.eventful[fn] {
				continue
			}
			sum := a.interpret(fn)
			if round > 0 && sum.limits&limitSteps != 0 && a.summaries[fn].limits&limitSteps == 0 {
				continue // another round of the recursion takes too many steps
			}
			a.summaries[fn] = sum
		}
		if len(scc) == 1 && !a.callsItself(scc[0]) {
			return
		}
	}
}

// takesReflection reports whether a function gets an object of any type as a reflect.Value,
// as the methods of a decoder do:
//
//	func (d *decoder) object(v reflect.Value) error
//
// Its body does not tell which object that is, or what becomes of it. So solve leaves the
// function out, and a call of it is opaque, unless it may write.
func takesReflection(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if library.TypeOf(v.Type()).Is == library.Reflection {
			return true
		}
	}
	return false
}

func (a *analysisState) callsItself(fn *ssa.Function) bool {
	return slices.Contains(a.referenced(fn), fn)
}

// components returns the strongly connected components of the package's call
// graph, callees before callers.
func (a *analysisState) components() [][]*ssa.Function {
	var order [][]*ssa.Function
	index := make(map[*ssa.Function]int)
	low := make(map[*ssa.Function]int)
	onStack := make(map[*ssa.Function]bool)
	var stack []*ssa.Function
	methods := make(map[string][]*ssa.Function)
	for _, fn := range a.ssa.Funcs {
		if fn.Parent() == nil && fn.Signature.Recv() != nil {
			methods[fn.Name()] = append(methods[fn.Name()], fn)
		}
	}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		index[fn] = len(index) + 1
		low[fn] = index[fn]
		stack = append(stack, fn)
		onStack[fn] = true
		next := a.referenced(fn)
		for _, name := range a.invoked(fn) {
			next = append(next, methods[name]...)
		}
		for _, callee := range next {
			if callee.Parent() != nil {
				continue
			}
			if index[callee] == 0 {
				visit(callee)
				low[fn] = min(low[fn], low[callee])
			} else if onStack[callee] {
				low[fn] = min(low[fn], index[callee])
			}
		}
		if low[fn] != index[fn] {
			return
		}
		var scc []*ssa.Function
		for {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			onStack[top] = false
			scc = append(scc, top)
			if top == fn {
				break
			}
		}
		slices.SortFunc(scc, func(x, y *ssa.Function) int { return cmp.Compare(index[y], index[x]) })
		order = append(order, scc)
	}
	for _, fn := range a.ssa.Funcs {
		if fn.Parent() == nil && index[fn] == 0 && len(fn.Blocks) > 0 && !isCopier(fn) {
			visit(fn)
		}
	}
	return order
}

// isCopier reports whether the function is generated deep-copy code. The
// interpreter models it.
func isCopier(fn *ssa.Function) bool {
	return copies(fn.Name(), fn.Signature)
}

// copies reports whether a function with the name and the signature makes a deep copy of its
// receiver.
func copies(name string, sig *types.Signature) bool {
	return sig.Recv() != nil && strings.HasPrefix(name, "DeepCopy")
}

// referenced returns the functions of the package that fn, or a function literal in it, calls or uses
// as a value, or that are stored in fields of which it, or a function of another package, calls them.
func (a *analysisState) referenced(fn *ssa.Function) []*ssa.Function {
	var found []*ssa.Function
	add := func(v ssa.Value) {
		if c, ok := v.(*ssa.MakeClosure); ok {
			v = c.Fn
		}
		if named, ok := v.(*ssa.Function); ok && named.Parent() == nil {
			if own := a.ssa.Index.Own(named); own != nil {
				found = append(found, own)
			}
		}
	}
	var ops []*ssa.Value
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				ops = instr.Operands(ops[:0])
				for _, op := range ops {
					add(*op)
				}
				if call, ok := instr.(ssa.CallInstruction); ok {
					for _, v := range a.calledInFields(call.Common()) {
						add(v)
					}
				}
			}
		}
		for _, lit := range fn.AnonFuncs {
			visit(lit)
		}
	}
	visit(fn)
	return found
}

// calledInFields returns the functions that the package stores in the field whose function is called, or
// in those of which a function of another package calls them.
func (a *analysisState) calledInFields(common *ssa.CallCommon) []ssa.Value {
	if common.IsInvoke() {
		return nil
	}
	obj := callee.Static(common)
	if obj == nil {
		return a.fields.get(structFieldOf(common.Value))
	}
	if obj.Pkg() == a.pass.Pkg {
		return nil
	}
	sum := a.imported(obj)
	if sum == nil {
		return nil
	}
	var stored []ssa.Value
	for _, cb := range sum.Callbacks {
		if f := cb.Func; f.Method == "" && f.Param < len(common.Args) {
			_, field := staticAlong(common.Args[f.Param].Type(), f.Path)
			stored = append(stored, a.fields.get(field)...)
		}
	}
	return stored
}

// invoked returns the names of the methods that fn calls through interfaces, or that
// functions of other packages call of what fn passes to them.
func (a *analysisState) invoked(fn *ssa.Function) []string {
	var names []string
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if call.Common().IsInvoke() {
					names = append(names, call.Common().Method.Name())
				} else {
					names = append(names, a.calledBack(call.Common())...)
				}
			}
		}
		for _, lit := range fn.AnonFuncs {
			visit(lit)
		}
	}
	visit(fn)
	slices.Sort(names)
	return slices.Compact(names)
}

// calledBack returns the names of the methods that a function of another package calls
// of its arguments.
func (a *analysisState) calledBack(common *ssa.CallCommon) []string {
	callee := common.StaticCallee()
	if callee == nil {
		return nil
	}
	obj, _ := callee.Object().(*types.Func)
	if obj == nil || obj.Pkg() == a.pass.Pkg {
		return nil
	}
	if _, ok := library.Of(obj).Args[library.RenderedArg]; ok {
		return a.methodsInTemplates()
	}
	sum := a.imported(obj)
	if sum == nil {
		return nil
	}
	var names []string
	for _, cb := range sum.Callbacks {
		if cb.Func.Method != "" {
			names = append(names, cb.Func.Method)
		}
	}
	return names
}

// noteEventful notes which functions of a component may make events.
func (a *analysisState) noteEventful(scc []*ssa.Function) {
	if slices.ContainsFunc(scc, a.leadsToEvents) {
		for _, fn := range scc {
			a.eventful[fn] = true
			if fn.Signature.Recv() != nil {
				a.eventfulMethods[fn.Name()] = true
			}
		}
	}
}

// leadsToEvents reports whether a call of fn may make events, as far as the call
// graph shows, or whether it has what a call that makes events needs: a context
// and a client. The callees of other components are known.
func (a *analysisState) leadsToEvents(fn *ssa.Function) bool {
	return a.takesClient(fn) ||
		slices.ContainsFunc(a.referenced(fn), func(callee *ssa.Function) bool { return a.eventful[callee] }) ||
		a.callsEventful(fn)
}

// takesClient reports whether fn has a parameter that is a context, and one that
// is a client of a cluster or a struct with a client.
func (a *analysisState) takesClient(fn *ssa.Function) bool {
	takesContext, takesClient := false, false
	for _, p := range fn.Params {
		takesContext = takesContext || library.TypeOf(p.Type()).Is == library.Context
		takesClient = takesClient || isClient(p.Type())
		if s, ok := types.Unalias(library.Deref(p.Type())).Underlying().(*types.Struct); ok && !takesClient {
			for f := range s.Fields() {
				takesClient = takesClient || isClient(f.Type())
			}
		}
	}
	return takesContext && takesClient
}

// isClient reports whether the type is an interface of a library's client.
func isClient(t types.Type) bool {
	named := library.NamedOf(t)
	return named != nil && types.IsInterface(named) && library.TraitsOfPackage(named.Obj().Pkg()).Has(library.UsesCluster)
}

// callsEventful reports whether fn, or a function literal in it, calls a function
// that is an event, or one of another package that makes events. A call through an
// interface may reach any method of the package with that name.
func (a *analysisState) callsEventful(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			common := call.Common()
			obj := callee.Static(common)
			if obj == nil {
				continue
			}
			name := library.Name(obj)
			if a.isEvent(obj) || library.Mirrored(obj) != "" || a.options.Writes[name] || common.IsInvoke() && a.eventfulMethods[obj.Name()] {
				return true
			}
			if sum := a.imported(obj); sum != nil && len(sum.Events) > 0 {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, a.callsEventful)
}
