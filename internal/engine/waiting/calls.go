package waiting

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// arguments returns the arguments of a call; a method's receiver is the first,
// whether or not it is an interface.
func arguments(call *ssa.CallCommon) []ssa.Value {
	if call.IsInvoke() {
		return append([]ssa.Value{call.Value}, call.Args...)
	}
	return call.Args
}

// target returns the library function that a call reaches, directly or through
// a variable that exists so that tests can replace it:
//
//	var sleep = time.Sleep
func (p *pkg) target(call *ssa.CallCommon) *types.Func {
	if fn := ssair.Callee(call); fn != nil || call.IsInvoke() {
		return fn
	}
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return nil
	}
	if c := p.functions(call.Value, make(map[ssa.Value]bool)); len(c.foreign) == 1 && len(c.own) == 0 {
		return c.foreign[0]
	}
	return nil
}

// callees is the result of resolving a call.
type callees struct {
	// own are the functions of this package that may be called.
	own []*ssa.Function
	// foreign are functions of other packages.
	foreign []*types.Func
	// unknown says that there may be more.
	unknown bool
}

func (c *callees) add(d callees) {
	c.own = append(c.own, d.own...)
	c.foreign = append(c.foreign, d.foreign...)
	c.unknown = c.unknown || d.unknown
}

// resolve finds out what a call may call: statically, through closures and
// function values as far as they can be followed in this package, and through
// interfaces implemented in this package.
func (p *pkg) resolve(call *ssa.CallCommon) callees {
	if call.IsInvoke() {
		return p.implementations(call)
	}
	return p.functions(call.Value, make(map[ssa.Value]bool))
}

// functions returns the functions that v may be.
func (p *pkg) functions(v ssa.Value, seen map[ssa.Value]bool) callees {
	if seen[v] {
		return callees{}
	}
	if len(seen) > signalDepth {
		return callees{unknown: true}
	}
	seen[v] = true
	all := func(vs []ssa.Value) callees {
		if len(vs) == 0 {
			return callees{unknown: true}
		}
		var c callees
		for _, v := range vs {
			c.add(p.functions(v, seen))
		}
		return c
	}
	switch v := v.(type) {
	case *ssa.Function:
		if own := p.own(v); own != nil {
			return callees{own: []*ssa.Function{own}}
		}
		if obj, ok := v.Object().(*types.Func); ok {
			return callees{foreign: []*types.Func{obj.Origin()}}
		}
	case *ssa.MakeClosure:
		return p.functions(v.Fn, seen)
	case *ssa.ChangeType:
		return p.functions(v.X, seen)
	case *ssa.MakeInterface:
		return p.functions(v.X, seen)
	case *ssa.Phi:
		return all(v.Edges)
	case *ssa.Const:
		return callees{} // nil: nothing is called
	case *ssa.FreeVar:
		return all(p.bindings(v))
	case *ssa.UnOp:
		if v.Op != token.MUL {
			break
		}
		switch addr := v.X.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return all(p.stored(addr))
		case *ssa.FieldAddr:
			c := all(p.fields[fieldOf(addr.X.Type(), addr.Field)])
			c.unknown = true // another package may store there
			return c
		case *ssa.Global:
			return all(p.globals[addr])
		}
	case *ssa.Field:
		c := all(p.fields[fieldOf(v.X.Type(), v.Field)])
		c.unknown = true
		return c
	case *ssa.Call:
		if callee := p.own(v.Call.StaticCallee()); callee != nil {
			return all(returned(callee, 0))
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			if callee := p.own(call.Call.StaticCallee()); callee != nil {
				return all(returned(callee, v.Index))
			}
		}
	}
	return callees{unknown: true}
}

// implementations returns the methods of this package's types that a call
// through an interface may reach. Interfaces of the standard library are too
// general for that to mean anything.
func (p *pkg) implementations(call *ssa.CallCommon) callees {
	c := callees{unknown: true}
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok || call.Method.Pkg() == nil || isStandard(call.Method.Pkg().Path()) {
		return c
	}
	c.own = p.methodsOf(iface, call.Method)
	// An interface declared here, with implementations here, is taken to have
	// no others.
	if call.Method.Pkg() == p.types && len(c.own) > 0 {
		c.unknown = false
	}
	return c
}

// An implKey is a method of an interface.
type implKey struct {
	iface  *types.Interface
	method *types.Func
}

// methodsOf returns the methods of this package's types that implement a method
// of an interface.
func (p *pkg) methodsOf(iface *types.Interface, method *types.Func) []*ssa.Function {
	key := implKey{iface, method}
	if fns, ok := p.methods[key]; ok {
		return fns
	}
	var fns []*ssa.Function
	for _, t := range p.named {
		if named, ok := t.(*types.Named); ok && named.TypeParams().Len() > 0 {
			continue
		}
		for _, recv := range []types.Type{t, types.NewPointer(t)} {
			if !types.Implements(recv, iface) {
				continue
			}
			obj, _, _ := types.LookupFieldOrMethod(recv, true, method.Pkg(), method.Name())
			if m, ok := obj.(*types.Func); ok {
				if fn := p.own(p.ssa.Prog.FuncValue(m.Origin())); fn != nil {
					fns = append(fns, fn)
				}
			}
			break
		}
	}
	p.methods[key] = fns
	return fns
}

// isStandard reports whether the import path is one of the standard library:
// its first element has no dot.
func isStandard(path string) bool {
	for i := range len(path) {
		switch path[i] {
		case '.':
			return false
		case '/':
			return true
		}
	}
	return true
}

// calledBackBy returns the call that takes fn, a function literal or a function
// used once, as an argument; nil if there is none or several.
func (p *pkg) calledBackBy(fn *ssa.Function) *ssa.CallCommon {
	var found *ssa.CallCommon
	ok := true
	var follow func(v ssa.Value, refs []ssa.Instruction, depth int)
	follow = func(v ssa.Value, refs []ssa.Instruction, depth int) {
		for _, ref := range refs {
			switch ref := ref.(type) {
			case *ssa.DebugRef:
			case *ssa.ChangeType, *ssa.MakeClosure:
				val := ref.(ssa.Value)
				if depth < 4 {
					follow(val, *val.Referrers(), depth+1)
				}
			case ssa.CallInstruction:
				if ref.Common().Value == v {
					continue // called in place
				}
				if found != nil && found != ref.Common() {
					ok = false
				}
				found = ref.Common()
			default:
				ok = false
			}
		}
	}
	follow(fn, p.uses[fn], 0)
	for _, mc := range p.closures[fn] {
		follow(mc, *mc.Referrers(), 0)
	}
	if !ok {
		return nil
	}
	return found
}
