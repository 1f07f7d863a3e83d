package cleanup

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// An act is a call that has an effect outside of the process, itself or in its callees,
// unless its context is done.
type act struct {
	// call is the call in the function itself.
	call ssa.CallInstruction
	// ctx is the context: an argument of the call, or what a function literal
	// captures.
	ctx ssa.Value
	// what is the function that has the effect. At is where it is called, zero if
	// that is the call itself.
	what string
	at   place.Place
	// persists says that the act writes a status, so it undoes and releases nothing.
	persists bool
	// onFailure says that the callee makes the act only if the error that a pointer
	// leads to is not nil. Deferred, the call undoes what the function did.
	onFailure bool
}

// actsOf returns the acts of the function, in source order. A recursive call has no
// acts.
func (p *pkg) actsOf(fn *ssa.Function) []act {
	if acts, ok := p.acts[fn]; ok {
		return acts
	}
	p.acts[fn] = nil
	var acts []act
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if _, async := instr.(*ssa.Go); async {
				continue
			}
			if call, ok := instr.(ssa.CallInstruction); ok {
				if found := p.callActs(call); len(found) > 0 && !p.hasOtherWay(call) {
					acts = append(acts, found...)
				}
			}
		}
	}
	p.acts[fn] = acts
	return acts
}

// callActs returns the acts of a call, at most one for each context.
func (p *pkg) callActs(call ssa.CallInstruction) []act {
	common := call.Common()
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return nil
	}
	fn := p.Target(common)
	args := callee.Args(common)
	if known, ok := library.ActOf(fn); ok {
		if known.Request && isRead(args[known.Method]) {
			return nil
		}
		if ctx := p.contextOfAct(common); ctx != nil {
			return []act{{call: call, ctx: ctx, what: contexts.ShortName(fn), persists: known.Persists}}
		}
		return nil
	}
	var acts []act
	add := func(ctx ssa.Value, below act) {
		if ctx == nil {
			return
		}
		for i := range acts {
			if acts[i].ctx == ctx {
				acts[i].persists = acts[i].persists && below.persists
				acts[i].onFailure = acts[i].onFailure || below.onFailure
				return
			}
		}
		acts = append(acts, act{call, ctx, below.what, p.placeOf(below), below.persists, below.onFailure})
	}
	for _, own := range p.Resolver.Call(common).Own {
		for _, below := range p.actsOf(own) {
			below.onFailure = below.onFailure || !below.persists && onFailure(below.call.Block())
			add(p.inCaller(below.ctx, own, common), below)
		}
	}
	for _, lit := range p.runInPlace(common) {
		for _, below := range p.actsOf(lit) {
			add(below.ctx, below)
		}
	}
	for _, started := range p.awaited(call) {
		for _, below := range p.actsOf(started) {
			add(below.ctx, below)
		}
	}
	for _, run := range p.runs(common) {
		p.runActs(run, args, add)
	}
	if fn != nil && fn.Pkg() != p.Types {
		if fact := p.fact(fn.Origin()); fact != nil {
			for _, a := range fact.Acts {
				add(argument(common, fn.Signature(), a.Param), act{what: a.What, at: a.At, persists: a.Persists})
			}
		}
	}
	if passed := contexts.Of(common); len(acts) == 0 && len(passed) > 0 && p.removesRemotely(fn) {
		add(passed[0], act{what: contexts.ShortName(fn)})
	}
	return acts
}

// removesRemotely reports whether the name of a function of another module says that it removes something
// in another system, as it gets a context first, and may fail:
//
//	client.LoadBalancers.Delete(ctx, id)
func (p *pkg) removesRemotely(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || ssair.IsOwn(p.pass, fn.Pkg().Path()) || library.IsStandard(fn.Pkg().Path()) {
		return false
	}
	params, results := fn.Signature().Params(), fn.Signature().Results()
	return params.Len() > 1 && contexts.IsContext(params.At(0).Type()) &&
		results.Len() > 0 && library.IsError(results.At(results.Len()-1).Type()) &&
		slices.ContainsFunc(removals, func(verb string) bool { return strings.HasPrefix(fn.Name(), verb) })
}

// removals are verbs with which the names of functions begin that remove something.
var removals = []string{"Delete", "Deregister", "Destroy", "Detach", "Release", "Remove", "Revoke", "Terminate", "Unregister"}

// inCaller returns the context of a call's caller that the context in the callee is, or
// is derived from. It returns nil if that is not known, as for a context of the callee's
// own.
func (p *pkg) inCaller(ctx ssa.Value, own *ssa.Function, call *ssa.CallCommon) ssa.Value {
	for _, from := range p.lineage(ctx, nil) {
		if param, ok := from.(*ssa.Parameter); ok && param.Parent() == own {
			return argument(call, own.Signature, slices.Index(own.Params, param))
		}
		if field, of := p.fieldRead(from); field != nil {
			if param, ok := of.(*ssa.Parameter); ok && param.Parent() == own {
				if arg := argument(call, own.Signature, slices.Index(own.Params, param)); arg != nil {
					return p.contentOfField(from, arg.Parent(), arg, field)
				}
			}
		}
	}
	if own.Parent() == nil {
		return nil
	}
	return ctx
}

// argument returns the argument for a parameter of the callee, nil if there is none. A
// method value has its receiver already.
func argument(call *ssa.CallCommon, callees *types.Signature, param int) ssa.Value {
	if callees.Recv() != nil && !call.IsInvoke() && call.Signature().Recv() == nil && callee.Static(call) == nil {
		param--
	}
	if args := callee.Args(call); 0 <= param && param < len(args) {
		return args[param]
	}
	return nil
}

// placeOf returns the place of an act that a callee makes.
func (p *pkg) placeOf(below act) place.Place {
	if !below.at.IsZero() || below.call == nil {
		return below.at
	}
	return p.Place(below.call.Pos())
}

// parameterBehind returns the index of the parameter that the context is derived
// from, or -1.
func (p *pkg) parameterBehind(ctx ssa.Value, fn *ssa.Function) int {
	for _, from := range p.lineage(ctx, nil) {
		if param, ok := from.(*ssa.Parameter); ok && param.Parent() == fn {
			return slices.Index(fn.Params, param)
		}
	}
	return -1
}

// runInPlace returns the functions that a call runs before it returns: the callback of
// a library's function, such as a poll or a retry, and all literals among the arguments
// of this package's functions.
func (p *pkg) runInPlace(call *ssa.CallCommon) []*ssa.Function {
	args := callee.Args(call)
	known := library.Of(callee.Static(call))
	callback, given := known.Args.Of(library.CallbackArg, len(args))
	if known.Wait != nil {
		callback, given = known.Wait.Args.Of(library.CallbackArg, len(args))
	}
	if !given {
		if p.Index.Own(call.StaticCallee()) == nil {
			return nil
		}
		var lits []*ssa.Function
		for _, arg := range args {
			if o := origin.Of(arg); o.Kind == origin.Closure && o.X.Parent() != nil {
				lits = append(lits, o.X.(*ssa.Function))
			}
		}
		return lits
	}
	return p.Resolver.Value(args[callback]).Own
}

// contextOfAct returns the context of a library's act, nil if it is not known.
func (p *pkg) contextOfAct(call *ssa.CallCommon) ssa.Value {
	if passed := contexts.Of(call); len(passed) > 0 {
		return passed[0]
	}
	args := callee.Args(call)
	if i, ok := library.Of(callee.Static(call)).Args.Of(library.CarrierArg, len(args)); ok {
		return args[i]
	}
	// service.R().SetContext(ctx).Post(url)
	for range maxCanon {
		if len(args) == 0 {
			return nil
		}
		o := origin.Of(args[0])
		if o.Kind != origin.Result {
			return nil
		}
		args = callee.Args(o.Call.Common())
		if i, ok := library.Of(callee.Static(o.Call.Common())).Args.Of(library.CarriedArg, len(args)); ok {
			return args[i]
		}
	}
	return nil
}

// isRead reports whether v is an HTTP method that only reads.
func isRead(v ssa.Value) bool {
	method, ok := constants.String(v)
	return ok && library.Reads(method)
}

// hasOtherWay reports whether the call is only made while a context is not done, and
// the code makes another act where it is done.
func (p *pkg) hasOtherWay(call ssa.CallInstruction) bool {
	done, ok := p.onlyAlive(call.Block())
	if !ok {
		return false
	}
	others, known := p.others[done]
	if !known {
		others = p.actsAfter(done.To)
		p.others[done] = others
	}
	return slices.ContainsFunc(others, func(other ssa.CallInstruction) bool { return other != call })
}

// actsAfter returns the library's acts that are reachable from the block, two at most.
func (p *pkg) actsAfter(b *ssa.BasicBlock) []ssa.CallInstruction {
	var found []ssa.CallInstruction
	cfg.LeadsFrom(b, 0, nil, func(instr ssa.Instruction) bool {
		if call, ok := instr.(*ssa.Call); ok && len(found) < 2 {
			if _, acts := library.ActOf(p.Target(call.Common())); acts {
				found = append(found, call)
			}
		}
		return len(found) == 2
	}, nil)
	return found
}

// onlyAlive reports whether a test which finds that a context is not done dominates the
// block. It returns the edge on which the context is done.
func (p *pkg) onlyAlive(b *ssa.BasicBlock) (done cfg.Edge, ok bool) {
	fn := b.Parent()
	known, ok := p.alive[fn]
	if !ok {
		known = make(map[*ssa.BasicBlock]cfg.Edge)
		p.alive[fn] = known
		if len(p.endings(fn)) > 0 {
			for _, d := range fn.DomPreorder() {
				if e, ok := p.foundAlive(d); ok {
					known[d] = e
				} else if e, ok := known[d.Idom()]; ok {
					known[d] = e
				}
			}
		}
	}
	done, ok = known[b]
	return done, ok
}

// foundAlive reports whether the block's only predecessor tests whether a context is
// done, and the block is where it is not. It returns the edge on which it is.
func (p *pkg) foundAlive(b *ssa.BasicBlock) (done cfg.Edge, ok bool) {
	if len(b.Preds) != 1 {
		return cfg.Edge{}, false
	}
	for _, succ := range b.Preds[0].Succs {
		e := cfg.Edge{From: b.Preds[0], To: succ}
		if succ != b && p.askedDone(e) != nil && decides(e) {
			return e, true
		}
	}
	return cfg.Edge{}, false
}

// decides reports whether the context is certainly not done on the other edge than e.
// That is so if its error is compared with nil, or if a select receives from its Done
// channel.
func decides(e cfg.Edge) bool {
	c, ok := cfg.ConditionOf(e)
	if !ok {
		return false
	}
	test := origin.Of(c.Value)
	if test.Kind != origin.Computed || test.Y == nil {
		return false
	}
	_, selects := cfg.SelectIndex(test.X)
	return selects || constants.IsNil(test.Y)
}
