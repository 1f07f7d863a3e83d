package goroutines

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A node is what may be run: an *ssa.Function of the package, the function value in
// an *ssa.Parameter, or that in a [Slot].
type node any

// A how says how a node is run.
type how uint8

const (
	// called: it is called in a function, or waited for there.
	called how = iota
	// looped: it is called in a loop that handles one thing after the other, and that
	// it holds up.
	looped
	// unawaited: it is started in a goroutine that nobody waits for.
	unawaited
	// becomes: it is handed over.
	becomes
	// unknown: it is used in a way that the package does not show.
	unknown
)

// aRun is one way in which a node is run.
type aRun struct {
	how how
	in  *ssa.Function // called and looped
	to  node          // becomes
}

// add notes a run of a node.
func (p *Package) addRun(n node, r aRun) {
	if !slices.Contains(p.runs[n], r) {
		p.runs[n] = append(p.runs[n], r)
	}
}

// collectRuns notes what a function of the package calls, starts and hands over.
func (p *Package) collectRuns(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				p.collectCall(fn, instr)
			case *ssa.Return:
				for i, v := range instr.Results {
					p.handOver(v, aRun{how: becomes, to: slotOf(fn, i, true)})
				}
			case *ssa.Store:
				if field, _ := origin.FieldOf(instr.Addr); field != nil && field.Pkg() != p.Types {
					p.handOver(instr.Val, aRun{how: unknown})
				}
			case ssa.Value:
				if o := origin.Of(instr); o.Kind == origin.Boxed {
					p.handOver(o.X, aRun{how: unknown})
				}
			}
		}
	}
}

// handOver notes a run of all that v may be, if v is a function.
func (p *Package) handOver(v ssa.Value, r aRun) {
	if !isFunc(v.Type()) {
		return
	}
	for _, n := range p.sources(v) {
		if n != r.to {
			p.addRun(n, r)
		}
	}
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// collectCall notes what a call runs, and what happens to the functions among its
// arguments.
func (p *Package) collectCall(fn *ssa.Function, call ssa.CallInstruction) {
	common := call.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return
	}
	targets := p.targets(common)
	for _, n := range targets {
		for _, r := range p.runsOf(fn, call, n) {
			p.addRun(n, r)
		}
	}
	args := callee.Args(common)
	for i, arg := range args {
		if !isFunc(arg.Type()) {
			continue
		}
		known := false
		for _, n := range targets {
			if own, ok := n.(*ssa.Function); ok && i < len(own.Params) && len(args) == len(own.Params) {
				p.handOver(arg, aRun{how: becomes, to: own.Params[i]})
				known = true
			}
		}
		if !known {
			p.passedOn(fn, common, i, arg)
		}
	}
}

// targets returns what a call may run.
func (p *Package) targets(call *ssa.CallCommon) []node {
	var ns []node
	if !call.IsInvoke() && call.StaticCallee() == nil {
		return p.sources(call.Value)
	}
	for _, own := range p.Resolver.Call(call).Own {
		ns = append(ns, own)
	}
	return ns
}

// passedOn notes that a function of another package gets the function value arg as its
// argument number i. Without a fact it is taken to call it, as most functions do. In
// an initialiser it rather keeps it.
func (p *Package) passedOn(fn *ssa.Function, call *ssa.CallCommon, i int, arg ssa.Value) {
	if waiters := p.groupWaiters(call); len(waiters) > 0 {
		for _, w := range waiters {
			p.handOver(arg, aRun{how: called, in: w})
		}
		return
	}
	fate, ok := p.fates[Slot{Func: library.Name(callee.Static(call)), Index: i}]
	switch {
	case !ok && isInit(fn):
		p.handOver(arg, aRun{how: unknown})
	case !ok:
		p.handOver(arg, aRun{how: called, in: fn})
	}
	if fate.Unawaited {
		p.handOver(arg, aRun{how: unawaited})
	}
	for _, slot := range fate.Becomes {
		p.handOver(arg, aRun{how: becomes, to: slot})
	}
}

func isInit(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Signature.Recv() == nil && (fn.Name() == "init" || fn.Object() != nil && fn.Object().Name() == "init")
}

// runsOf returns how a call in fn runs the node.
func (p *Package) runsOf(fn *ssa.Function, call ssa.CallInstruction, n node) []aRun {
	if _, async := call.(*ssa.Go); !async {
		if p.inControlLoop(call) {
			return []aRun{{how: looped, in: fn}}
		}
		return []aRun{{how: called, in: fn}}
	}
	body, ok := n.(*ssa.Function)
	if !ok {
		return []aRun{{how: unawaited}}
	}
	waiters := p.waiters(body)
	if len(waiters) == 0 {
		return []aRun{{how: unawaited}}
	}
	var runs []aRun
	for _, w := range waiters {
		runs = append(runs, aRun{how: called, in: w})
	}
	return runs
}

// inControlLoop reports whether the call is in a control loop that it holds up. A loop
// that calls the functions that it receives is none, but a pool.
func (p *Package) inControlLoop(call ssa.CallInstruction) bool {
	if o := origin.Of(call.Common().Value); o.Kind == origin.Received || o.Kind == origin.Selected {
		return false
	}
	return InControlLoop(p.nest(call.Parent()).Innermost(call.Block()))
}

// InControlLoop reports whether the loop, which may be nil, or one around it handles what
// it receives, or never ends. Such a loop is a controller of its own: it waits for what
// is done in a round before it handles anything else.
//
//	for {
//		select {
//		case req := <-requests:
//			handle(req)
//		case <-ctx.Done():
//			return
//		}
//	}
func InControlLoop(l *cfg.Loop) bool {
	for ; l != nil; l = l.Parent {
		if !l.Leaves(l.Header) {
			return true
		}
		for b := range l.Blocks {
			for _, instr := range b.Instrs {
				if sel, ok := instr.(*ssa.Select); ok && sel.Blocking || origin.ReceivedFrom(instr) != nil {
					return true
				}
			}
		}
	}
	return false
}

// valueSteps are the steps from a function value to the functions that it may be.
const valueSteps = origin.Types | origin.Choices | origin.Slices | origin.Contents | origin.Variables | origin.Globals | origin.Fields | origin.Results

// sources returns what a function value may be: functions of the package, parameters,
// and results of functions elsewhere. It also looks into the maps, slices and channels
// that the package keeps functions in.
func (p *Package) sources(v ssa.Value) []node {
	var found []node
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if seen[v] || len(seen) > origin.MaxWalk {
			return
		}
		seen[v] = true
		from, _ := p.Index.Back(v, valueSteps)
		if len(from) == 0 {
			if n := p.sourceOf(v); n != nil {
				found = append(found, n)
				return
			}
		}
		if kept := container(v); kept != nil {
			from = append(slices.Clone(from), kept)
			for _, key := range p.keys(kept) {
				from = append(from, p.put[key]...)
			}
		}
		for _, w := range from {
			visit(w)
		}
	}
	visit(v)
	return found
}

// sourceOf returns the node that a value is, or nil.
func (p *Package) sourceOf(v ssa.Value) node {
	switch o := origin.Of(v); o.Kind {
	case origin.Func:
		if own := p.Index.Own(v.(*ssa.Function)); own != nil {
			return own
		}
	case origin.Closure:
		if own := p.Index.Own(o.X.(*ssa.Function)); own != nil {
			return own
		}
	case origin.Parameter:
		return v.(*ssa.Parameter)
	case origin.Result:
		if name := library.Name(callee.Static(o.Call.Common())); name != "" {
			return Slot{name, o.Index, true}
		}
	}
	return nil
}

// container returns the map, slice or channel that v was taken out of, or nil.
func container(v ssa.Value) ssa.Value {
	o := origin.Of(v)
	if o.Kind == origin.Loaded {
		o = origin.Of(o.X)
	}
	switch o.Kind {
	case origin.Element, origin.Received:
		return o.X
	case origin.Item:
		return origin.Of(o.X).X
	}
	return nil
}

// leaves returns the runs of a node, with those of what it becomes.
func (p *Package) leaves(n node) []aRun {
	var found []aRun
	seen := map[node]bool{n: true}
	for work := []node{n}; len(work) > 0; work = work[1:] {
		for _, r := range p.runs[work[0]] {
			switch {
			case r.how != becomes:
				if r.how == unknown {
					r = aRun{how: looped}
				}
				found = append(found, r)
			case !seen[r.to]:
				seen[r.to] = true
				work = append(work, r.to)
			}
		}
	}
	return found
}

// slotOf returns the slot of a parameter or a result of a function of the package.
// That of a function literal is no one else's.
func slotOf(fn *ssa.Function, i int, result bool) node {
	if obj, ok := fn.Object().(*types.Func); ok {
		return Slot{library.Name(obj), i, result}
	}
	return nameless{fn, i}
}

// nameless is a result of a function literal.
type nameless struct {
	fn    *ssa.Function
	index int
}
