package waiting

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A Reach says who gets to a function. The values are ordered.
type Reach uint8

const (
	// Nobody with a context reaches it within the package.
	Nobody Reach = iota
	// Startup: only code that runs before the controllers do. A goroutine
	// started there outlives that code.
	Startup
	// Given: code that has a context. Who calls it is not known.
	Given
	// Running: code with a context while the controllers run.
	Running
)

// reaching is the reach of a function and the context with which it is reached.
type reaching struct {
	reach Reach
	// context is "ctx" where the function has it, else "the context of F".
	context string
}

// minds reports whether a wait that ignores the context is a finding where it
// is. Of one for which processes wait when they start, only callers may know.
func (r reaching) minds(starting bool) bool {
	return r.reach == Running || r.reach == Given && !starting
}

// A callEdge leads from a function to one that it calls, starts or hands on. One
// that it only makes, it may also store or return.
type callEdge struct {
	to    *ssa.Function
	async bool
	makes bool
}

// reachAll propagates reach along the call graph of the package to a fixpoint:
// from the functions that have a context, through calls, closures, method
// values, stored function values and interfaces.
func (p *pkg) reachAll() map[*ssa.Function]reaching {
	out := make(map[*ssa.Function]reaching)
	var work []*ssa.Function
	raise := func(fn *ssa.Function, r reaching) {
		if old := out[fn]; r.reach > old.reach {
			out[fn] = r
			work = append(work, fn)
		}
	}
	for _, fn := range p.funcs {
		raise(fn, p.rootReach(fn))
	}
	edges := p.callGraph()
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		from := out[fn]
		for _, e := range edges[fn] {
			r := reaching{from.reach, p.contextFor(e.to, from, fn)}
			if e.async {
				r.reach = Running
			}
			raise(e.to, r)
		}
	}
	return out
}

// contextFor describes the context to a callee that does not have it.
func (p *pkg) contextFor(to *ssa.Function, from reaching, caller *ssa.Function) string {
	if s := p.scope(to); s != "" {
		return s
	}
	if p.scope(caller) == "" {
		return from.context
	}
	for caller.Parent() != nil {
		caller = caller.Parent()
	}
	return "the context of " + caller.Name()
}

// rootReach is the reach that a function has by itself.
func (p *pkg) rootReach(fn *ssa.Function) reaching {
	top := fn
	for top.Parent() != nil {
		top = top.Parent()
	}
	scope := p.scope(fn)
	switch {
	case ssair.TakesKeys(fn) && scope == "":
		return reaching{Running, "its worker"}
	case ssair.Reconciles(fn) && scope == "":
		return reaching{Running, "the reconcile"}
	case scope == "":
		return reaching{}
	case p.commandLine() && !entryPoint(top):
		return reaching{}
	case setsUp(top) && !hasOwnContext(fn, top):
		return reaching{Startup, scope}
	case fn != top && !hasOwnContext(fn, top):
		return reaching{} // reached through its parent
	case entryPoint(top) || takesRequest(fn):
		return reaching{Running, scope}
	}
	return reaching{Given, scope}
}

// takesRequest reports whether the function handles HTTP requests.
func takesRequest(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(param *ssa.Parameter) bool {
		return library.IsType(param.Type(), "net/http", "Request")
	})
}

// hasOwnContext reports whether a closure, or one around it, has a context as
// its own parameter.
func hasOwnContext(fn, top *ssa.Function) bool {
	for ; fn != top; fn = fn.Parent() {
		if takesRequest(fn) || slices.ContainsFunc(fn.Params, func(param *ssa.Parameter) bool { return isContext(param.Type()) }) {
			return true
		}
	}
	return false
}

// callGraph lists the edges of each function, in source order.
func (p *pkg) callGraph() map[*ssa.Function][]callEdge {
	edges := make(map[*ssa.Function][]callEdge)
	bySignature := p.functionValues()
	for _, fn := range p.funcs {
		add := func(e callEdge) { edges[fn] = append(edges[fn], e) }
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				p.edgesOf(instr, bySignature, add)
			}
		}
	}
	return edges
}

func (p *pkg) edgesOf(instr ssa.Instruction, bySignature map[string][]*ssa.Function, add func(callEdge)) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		if mc, ok := instr.(*ssa.MakeClosure); ok {
			if lit := p.own(mc.Fn.(*ssa.Function)); lit != nil {
				add(callEdge{to: lit, async: startedBy(mc), makes: true})
			}
		}
		return
	}
	common := call.Common()
	_, async := instr.(*ssa.Go)
	targets := p.resolve(common)
	for _, to := range targets.own {
		add(callEdge{to: to, async: async})
	}
	if len(targets.own) == 0 && targets.unknown && isElement(common.Value) {
		if sig, ok := common.Value.Type().Underlying().(*types.Signature); ok {
			for _, to := range bySignature[signatureKey(sig)] {
				add(callEdge{to: to, async: async})
			}
		}
	}
	async = async || startsGoroutine(common)
	if runsOnce(common) {
		return
	}
	for _, arg := range common.Args {
		if _, ok := arg.Type().Underlying().(*types.Signature); ok {
			for _, to := range p.functions(arg, make(map[ssa.Value]bool)).own {
				add(callEdge{to: to, async: async})
			}
		}
	}
}

// isElement reports whether the function called was taken out of a slice, a map
// or a struct: it may be any of those that are used as values.
func isElement(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		switch v.X.(type) {
		case *ssa.IndexAddr, *ssa.FieldAddr:
			return v.Op == token.MUL
		}
	case *ssa.Lookup, *ssa.Index, *ssa.Field:
		return true
	case *ssa.Extract:
		switch v.Tuple.(type) {
		case *ssa.Next, *ssa.Lookup:
			return true
		}
	}
	return false
}

// startedBy reports whether the closure is only used in go statements.
func startedBy(mc *ssa.MakeClosure) bool {
	for _, ref := range *mc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Go:
		case *ssa.Call:
			if !startsGoroutine(ref.Common()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// startsGoroutine reports whether the call runs its argument in a goroutine, as
// the groups of x/sync and of the standard library do.
func startsGoroutine(call *ssa.CallCommon) bool {
	fn := ssair.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "golang.org/x/sync/errgroup", "sync", "k8s.io/apimachinery/pkg/util/wait":
		return fn.Name() == "Go" || fn.Name() == "TryGo" || strings.HasPrefix(fn.Name(), "Start")
	}
	return false
}

// runsOnce reports whether the call runs its argument once in the life of the
// process, on behalf of whoever comes first: the goroutines that it starts
// belong to nobody's context.
func runsOnce(call *ssa.CallCommon) bool {
	return library.MeaningOf(ssair.Callee(call)) == library.RunsOnce
}

// functionValues groups the functions used as values by their signature, for
// calls of values that could not be followed.
func (p *pkg) functionValues() map[string][]*ssa.Function {
	m := make(map[string][]*ssa.Function)
	for _, fn := range p.funcs {
		if len(p.uses[fn]) > 0 || len(p.closures[fn]) > 0 {
			key := signatureKey(fn.Signature)
			m[key] = append(m[key], fn)
		}
	}
	return m
}

func signatureKey(sig *types.Signature) string {
	return types.TypeString(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()), nil)
}
