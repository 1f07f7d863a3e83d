package rights

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// A helper that takes any object asks for what its callers pass. If all of them are seen,
// nothing else is asked for. This file tells whether they are.

// calls says who calls the functions of a package, or of all.
type calls struct {
	callers map[string]map[string]bool // by the name of the callee
	values  map[string]bool            // functions that are used as values
	invoked map[string]bool            // names of methods that are called through interfaces
}

func newCalls() calls {
	return calls{callers: make(map[string]map[string]bool), values: make(map[string]bool), invoked: make(map[string]bool)}
}

// declaredIn returns the name of a function, or of the one that a function literal is in.
func declaredIn(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	obj, _ := fn.Object().(*types.Func)
	return library.Name(obj)
}

// addCalls adds what a function calls, and the functions that it uses as values.
func (c calls) addCalls(fn *ssa.Function) {
	caller := declaredIn(fn)
	var ops []*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			var called ssa.Value
			if call, ok := instr.(ssa.CallInstruction); ok {
				called = call.Common().Value
				switch obj := callee.Static(call.Common()); {
				case obj == nil:
				case call.Common().IsInvoke():
					c.invoked[obj.Name()] = true
				default:
					name := library.Name(obj)
					if c.callers[name] == nil {
						c.callers[name] = make(map[string]bool)
					}
					c.callers[name][caller] = true
				}
			}
			ops = instr.Operands(ops[:0])
			for _, op := range ops {
				if val, ok := (*op).(*ssa.Function); ok && *op != called {
					obj, _ := val.Object().(*types.Func)
					c.values[library.Name(obj)] = true
				}
			}
		}
	}
}

// join adds the calls of another package.
func (c calls) join(other calls) {
	for name, callers := range other.callers {
		if c.callers[name] == nil {
			c.callers[name] = make(map[string]bool)
		}
		for caller := range callers {
			c.callers[name][caller] = true
		}
	}
	for name := range other.values {
		c.values[name] = true
	}
	for name := range other.invoked {
		c.invoked[name] = true
	}
}

// areSeen reports whether all callers of a function are seen, and the call at the place is
// in the call tree of each.
func (c calls) areSeen(name string, has func(caller string) bool) bool {
	if c.values[name] || c.invoked[library.MethodName(name)] {
		return false
	}
	for caller := range c.callers[name] {
		if caller != name && !has(caller) {
			return false
		}
	}
	return true
}
