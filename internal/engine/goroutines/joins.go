package goroutines

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A goroutine is waited for if it gives a signal that a function outside of it waits
// for: it sends on a channel or closes it, or it is done for a WaitGroup. What it
// signals with, and what others wait for, is compared by its key: the variable, the
// field, or the instruction that makes it.

// collectShared notes what a function puts into maps and channels, and what it waits
// for.
func (p *Package) collectShared(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MapUpdate:
				p.puts(instr.Map, instr.Value)
			case *ssa.Send:
				p.puts(instr.Chan, instr.X)
				p.waitsFor(fn, instr.Chan, p.sends)
			case *ssa.Select:
				for _, state := range instr.States {
					if state.Dir == types.SendOnly {
						p.puts(state.Chan, state.Send)
					} else if instr.Blocking {
						p.waitsFor(fn, state.Chan, p.waits)
					}
				}
			case ssa.CallInstruction:
				if known := library.Of(callee.Static(instr.Common())); known.Meaning == library.Joins || known.Group == library.WaitsForGroup {
					p.waitsFor(fn, callee.Args(instr.Common())[0], p.waits)
				}
			default:
				if ch := origin.ReceivedFrom(instr); ch != nil {
					p.waitsFor(fn, ch, p.waits)
				}
			}
		}
	}
}

// puts notes that v is put into a map or sent on a channel.
func (p *Package) puts(into, v ssa.Value) {
	for _, key := range p.keys(into) {
		p.put[key] = append(p.put[key], v)
	}
}

// waitsFor notes that fn waits at v, a channel or a WaitGroup.
func (p *Package) waitsFor(fn *ssa.Function, v ssa.Value, in map[any][]*ssa.Function) {
	for _, key := range p.keys(v) {
		in[key] = append(in[key], fn)
	}
}

// waiters returns the functions that wait for the end of a goroutine with this body, or
// for a signal that it gives before.
func (p *Package) waiters(body *ssa.Function) []*ssa.Function {
	j := &join{p: p, body: body, seen: make(map[*ssa.Function]bool)}
	j.visit(body, 0)
	return j.waiters
}

// groupWaiters returns the functions that wait for the group of an errgroup that the call
// adds its argument to, if there are any in the package.
func (p *Package) groupWaiters(call *ssa.CallCommon) []*ssa.Function {
	if library.Of(callee.Static(call)).Group != library.StartsInGroup {
		return nil
	}
	var waiters []*ssa.Function
	for _, key := range p.keys(callee.Args(call)[0]) {
		waiters = append(waiters, p.waits[key]...)
	}
	return waiters
}

// A join looks for the signals of a goroutine, and for those who wait for them.
type join struct {
	p       *Package
	body    *ssa.Function
	seen    map[*ssa.Function]bool
	waiters []*ssa.Function
}

// signals notes that the goroutine signals with v to those outside of it.
func (j *join) signals(v ssa.Value, to map[any][]*ssa.Function) {
	for _, key := range j.p.keys(v) {
		for _, w := range to[key] {
			if !encloses(j.body, w) {
				j.waiters = append(j.waiters, w)
			}
		}
	}
}

// visit looks for signals in a function that the goroutine runs.
func (j *join) visit(fn *ssa.Function, depth int) {
	if j.seen[fn] || depth > maxDepth {
		return
	}
	j.seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Send:
				j.signals(instr.Chan, j.p.waits)
			case *ssa.Select:
				for _, state := range instr.States {
					if state.Dir == types.SendOnly {
						j.signals(state.Chan, j.p.waits)
					}
				}
			case ssa.CallInstruction:
				j.call(instr.Common(), depth)
			case ssa.Value:
				if ch := origin.ReceivedFrom(instr.(ssa.Instruction)); ch != nil && len(*instr.Referrers()) == 0 {
					j.signals(ch, j.p.sends) // it makes room
				}
			}
		}
	}
}

// call looks at a call that the goroutine makes. If that cancels a context, whoever
// waits for the context is not known; the parent is taken to do so.
func (j *join) call(call *ssa.CallCommon, depth int) {
	if library.Of(callee.Static(call)).Meaning == library.Signals {
		j.signals(callee.Args(call)[0], j.p.waits)
	}
	if callee.IsBuiltin(call, "close") {
		j.signals(call.Args[0], j.p.waits)
	}
	if parent := j.body.Parent(); parent != nil && library.TypeOf(call.Value.Type()).Is == library.CancelFunc {
		j.waiters = append(j.waiters, parent)
	}
	if own := j.p.Index.Own(call.StaticCallee()); own != nil {
		j.visit(own, depth+1)
	}
}

// maxDepth bounds how many calls below a goroutine its signal is looked for.
const maxDepth = 3

// encloses reports whether inner is outer or a function literal in it.
func encloses(outer, inner *ssa.Function) bool {
	for ; inner != nil; inner = inner.Parent() {
		if inner == outer {
			return true
		}
	}
	return false
}

// keys returns what identifies the map, the channel or the WaitGroup v in the package.
func (p *Package) keys(v ssa.Value) []any {
	var found []any
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	all := func(vs []ssa.Value) {
		for _, w := range vs {
			visit(w)
		}
	}
	visit = func(v ssa.Value) {
		if seen[v] || len(seen) > origin.MaxWalk {
			return
		}
		seen[v] = true
		switch o := origin.Of(v); o.Kind {
		case origin.Field:
			found = append(found, o.Field)
		case origin.Loaded, origin.Renamed, origin.Boxed, origin.Asserted, origin.Element, origin.Sliced, origin.Iterator, origin.Item:
			visit(o.X)
		case origin.Choice:
			all(o.Edges)
		case origin.Captured:
			all(p.Index.Bindings(v.(*ssa.FreeVar)))
		case origin.Local:
			found = append(found, v)
			all(origin.StoredAt(v))
		case origin.Global, origin.Made:
			found = append(found, v)
		case origin.Parameter:
			all(p.Index.Arguments(v.(*ssa.Parameter)))
		case origin.Result:
			if own := p.Index.Own(o.Call.Call.StaticCallee()); own != nil {
				all(origin.Returned(own, o.Index))
			}
		}
	}
	visit(v)
	return found
}
