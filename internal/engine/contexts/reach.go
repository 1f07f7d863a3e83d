package contexts

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A Reach says with which context a function is reached, if with any. The values are
// ordered, and the greatest of them counts.
type Reach uint8

const (
	// Nobody: no function of the package that has a context reaches it.
	Nobody Reach = iota
	// Startup: a function with a context reaches it, but only before the
	// controllers run. A goroutine started there outlives that function.
	Startup
	// Given: a function with a context reaches it. When that one is called is not
	// known.
	Given
	// Running: a function with a context reaches it while the controllers run.
	Running
)

// Reaching is the reach of a function, with the name of the context for messages.
type Reaching struct {
	Reach
	// Context is "ctx" if the function has it at hand, else "the context of F".
	Context string
}

// ReachOf returns the reach of a function of the package.
func (p *Package) ReachOf(fn *ssa.Function) Reaching { return p.reach[fn] }

// An Edge of the call graph leads from a function to one that it calls, starts in a
// goroutine or passes on.
type Edge struct {
	To *ssa.Function
	// Async says that it runs in a goroutine of its own.
	Async bool
	// Makes says that the function makes a closure. Whether it also calls it is not
	// known: the closure may be stored or returned.
	Makes bool
	// Passed says that the function is an argument of a call, and that the callee, which
	// is in the package, does not call it. It may keep it for later.
	Passed bool
}

// Edges returns the edges of the call graph that leave a function of the package, in
// source order.
func (p *Package) Edges(fn *ssa.Function) []Edge { return p.edges[fn] }

// reachAll propagates reach along the call graph of the package to a fixpoint:
// from the functions that have a context, through calls, closures, method
// values, stored function values and interfaces. Functions that certainly do not run
// with the controllers of a program are left out.
func (p *Package) reachAll() map[*ssa.Function]Reaching {
	out := make(map[*ssa.Function]Reaching)
	var work []*ssa.Function
	raise := func(fn *ssa.Function, r Reaching) {
		if old := out[fn]; r.Reach > old.Reach {
			out[fn] = r
			work = append(work, fn)
		}
	}
	for _, fn := range p.Funcs {
		raise(fn, p.rootReach(fn))
	}
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		from := out[fn]
		for _, e := range p.edges[fn] {
			r := Reaching{from.Reach, p.contextFor(e.To, from, fn)}
			if e.Async && (from.Reach != Given || !p.idle(fn)) {
				r.Reach = Running
			}
			raise(e.To, r)
		}
	}
	maps.DeleteFunc(out, func(fn *ssa.Function, r Reaching) bool { return r.Reach == Given && p.idle(fn) })
	return out
}

// idle reports whether the function, or the one that encloses it, certainly does not run
// with the controllers of a program.
func (p *Package) idle(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	obj, ok := fn.Object().(*types.Func)
	return ok && p.View.Idle(obj)
}

// contextFor names the context for messages about a callee: as the callee has it at
// hand, else as the caller's.
func (p *Package) contextFor(to *ssa.Function, from Reaching, caller *ssa.Function) string {
	if s := p.Scope(to); s != "" {
		return s
	}
	if p.Scope(caller) == "" {
		return from.Context
	}
	for caller.Parent() != nil {
		caller = caller.Parent()
	}
	return "the context of " + caller.Name()
}

// rootReach is the reach that a function has by its own signature and package,
// before the propagation.
func (p *Package) rootReach(fn *ssa.Function) Reaching {
	top := fn
	for top.Parent() != nil {
		top = top.Parent()
	}
	scope := p.Scope(fn)
	switch {
	case ssair.TakesKeys(fn) && scope == "":
		return Reaching{Running, "its worker"}
	case p.starts.Reconciles(fn) && scope == "":
		return Reaching{Running, "the reconcile"}
	case scope == "":
		return Reaching{}
	case p.commandLine() && !p.entryPoint(top):
		return Reaching{}
	case setsUp(top) && !hasOwnContext(fn, top):
		return Reaching{Startup, scope}
	case fn != top && !hasOwnContext(fn, top):
		return Reaching{} // reached through its parent
	case p.entryPoint(top) || takesRequest(fn):
		return Reaching{Running, scope}
	case fn == top && p.getsEndless(fn):
		return Reaching{} // its callers may have another one
	}
	return Reaching{Given, scope}
}

// getsEndless reports whether no caller of the function gives it a context that ends, and it
// makes none itself.
func (p *Package) getsEndless(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && p.View.Endless(obj) && !p.HasOwnEnd(fn, 0)
}

// takesRequest reports whether the function handles HTTP requests.
func takesRequest(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(param *ssa.Parameter) bool {
		return library.TypeOf(param.Type()).Is == library.HTTPRequest
	})
}

// hasOwnContext reports whether a closure, or an enclosing one below top, has a
// context among its own parameters.
func hasOwnContext(fn, top *ssa.Function) bool {
	for ; fn != top; fn = fn.Parent() {
		if takesContext(fn) {
			return true
		}
	}
	return false
}

// takesContext reports whether the function has a context, or a request that carries one,
// among its parameters.
func takesContext(fn *ssa.Function) bool {
	return takesRequest(fn) || slices.ContainsFunc(fn.Params, func(param *ssa.Parameter) bool { return IsContext(param.Type()) })
}

// callGraph lists the edges of each function, in source order.
func (p *Package) callGraph() map[*ssa.Function][]Edge {
	edges := make(map[*ssa.Function][]Edge)
	bySignature := p.functionValues()
	for _, fn := range p.Funcs {
		add := func(e Edge) { edges[fn] = append(edges[fn], e) }
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				p.edgesOf(instr, bySignature, add)
			}
		}
	}
	return edges
}

func (p *Package) edgesOf(instr ssa.Instruction, bySignature map[string][]*ssa.Function, add func(Edge)) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		if v, ok := instr.(ssa.Value); ok && origin.Of(v).Kind == origin.Closure && !(passedToOnce(v) && isGivenContext(instr.Parent())) {
			if lit := p.Index.Own(origin.Of(v).X.(*ssa.Function)); lit != nil {
				add(Edge{To: lit, Async: started(v), Makes: true})
			}
		}
		return
	}
	common := call.Common()
	_, async := instr.(*ssa.Go)
	targets := p.Resolver.Call(common)
	for _, to := range targets.Own {
		add(Edge{To: to, Async: async})
	}
	if len(targets.Own) == 0 && targets.Open && isElement(common.Value) {
		if sig, ok := common.Value.Type().Underlying().(*types.Signature); ok {
			for _, to := range bySignature[signatureKey(sig)] {
				add(Edge{To: to, Async: async})
			}
		}
	}
	async = async || StartsGoroutine(common)
	if runsOnce(common) {
		return
	}
	for i, arg := range common.Args {
		if _, ok := arg.Type().Underlying().(*types.Signature); ok {
			for _, to := range p.Resolver.Value(arg).Own {
				add(Edge{To: to, Async: async, Passed: p.keeps(common, i)})
			}
		}
	}
}

// keeps reports whether the call is of a function of the package that does not call its
// i-th argument, a function, nor hands it to one that may.
func (p *Package) keeps(call *ssa.CallCommon, i int) bool {
	seen := make(map[*ssa.Parameter]bool)
	var keeps func(call *ssa.CallCommon, i int) bool
	keeps = func(call *ssa.CallCommon, i int) bool {
		to := p.Index.Own(call.StaticCallee())
		if to == nil || i >= len(to.Params) {
			return false
		}
		param := to.Params[i]
		if seen[param] {
			return true
		}
		seen[param] = true
		return !slices.ContainsFunc(*param.Referrers(), func(ref ssa.Instruction) bool {
			use, ok := ref.(ssa.CallInstruction)
			if !ok {
				return false
			}
			j := slices.Index(use.Common().Args, ssa.Value(param))
			return j < 0 || !keeps(use.Common(), j)
		})
	}
	return keeps(call, i)
}

// isElement reports whether the function value was loaded from a slice, a map or a
// struct. It may then be any function that is used as a value.
func isElement(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind == origin.Loaded {
		o = origin.Of(o.X)
	}
	switch o.Kind {
	case origin.Element, origin.Field, origin.Item:
		return true
	}
	return false
}

// isGivenContext reports whether the function, or one that encloses it, has a context
// among its parameters. What runs once in the life of the process outlives that context,
// but not one that a field of the receiver holds.
func isGivenContext(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if takesContext(fn) {
			return true
		}
	}
	return false
}

// passedToOnce reports whether the closure is only used as the argument of a call that
// runs it once in the life of the process.
func passedToOnce(closure ssa.Value) bool {
	once := false
	for _, ref := range *closure.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if !runsOnce(ref.Common()) {
				return false
			}
			once = true
		default:
			return false
		}
	}
	return once
}

// started reports whether the closure is only used in go statements.
func started(closure ssa.Value) bool {
	for _, ref := range *closure.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Go:
		case *ssa.Call:
			if !StartsGoroutine(ref.Common()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// functionValues groups the functions that are used as values by signature. They are
// the candidates for calls whose callee cannot be resolved.
func (p *Package) functionValues() map[string][]*ssa.Function {
	m := make(map[string][]*ssa.Function)
	for _, fn := range p.Funcs {
		if len(p.Index.Uses(fn)) > 0 || len(p.Index.Closures(fn)) > 0 {
			key := signatureKey(fn.Signature)
			m[key] = append(m[key], fn)
		}
	}
	return m
}

// signatureKey returns a text that is the same for the same types of parameters and
// results, whatever their names.
func signatureKey(sig *types.Signature) string {
	return types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic()), nil)
}

func unnamed(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}
