package waiting

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/sccp"
)

// A World is an assumption about which signals have been given.
type World uint8

const (
	// ScopeDone: the contexts in scope are done. No other signal has been given.
	ScopeDone World = iota
	// Alive: no signal has been given.
	Alive
	// AllDone: every signal that may stop a loop has been given. Contexts are done,
	// stop channels are closed, flags are set, queues are shut down.
	AllDone
	worlds
)

// gives reports whether the signal has been given in this world.
func (w World) gives(s contexts.Signal) bool {
	switch w {
	case ScopeDone:
		return s == contexts.Scope
	case AllDone:
		return s == contexts.Scope || s == contexts.Other || s == contexts.Detached
	}
	return false
}

// An execution is a sparse conditional propagation through a function, or through one
// round of a loop, in a world. [Value] is the lattice, and the methods are the transfer
// functions. The propagation follows only the edges that a branch may take in that
// world, so what it reaches is what still happens after cancellation.
//
//	for {
//		err := step(ctx)      // Cancelled
//		if err == nil {       // False: this edge is never live
//			return nil
//		}
//		time.Sleep(d)         // reached
//	}                             // and back: nothing ends this loop
type execution struct {
	sccp.Solver[Value]
	p     *pkg
	world World
	// callbacks are the results that are assumed of calls of function parameters.
	callbacks map[*ssa.Parameter]Values
	// fired are the selects of which a timer's case is taken, with its number.
	fired map[*ssa.Select]int
	// left are loops within the region that have something to range over, and of which the
	// first round leaves the region.
	left []*cfg.Loop
}

// execute runs a whole function.
func (p *pkg) execute(fn *ssa.Function, world World, given map[ssa.Value]Value) *execution {
	f := &execution{Solver: sccp.Solver[Value]{Fn: fn, Given: given}, p: p, world: world}
	f.Solve(f)
	return f
}

// executeRound runs a round of a loop. Of the loops within, those that are left get to their first
// round.
func (p *pkg) executeRound(l *cfg.Loop, world World, given map[ssa.Value]Value, callbacks map[*ssa.Parameter]Values, left []*cfg.Loop) *execution {
	f := &execution{Solver: sccp.Solver[Value]{Fn: l.Func(), Region: l, Given: given}, p: p, world: world, callbacks: callbacks, left: left}
	f.Solve(f)
	return f
}

// leftBelow returns the loops within the loop that range over something, and of which the first
// round leaves both in this world:
//
//	for !gone {
//		for _, ns := range namespaces {
//			if err := c.List(ctx, …); err != nil { return err }
//		}
//		time.Sleep(d)
//	}
func (p *pkg) leftBelow(l *cfg.Loop, world World) (left []*cfg.Loop) {
	if world == Alive {
		return nil
	}
	for _, inner := range p.nest(l.Func()).Loops {
		if inner == l || !l.Blocks[inner.Header] || !finite(inner) {
			continue
		}
		f := p.executeRound(inner, world, nil, nil, p.leftBelow(inner, world))
		goesOn := func(branch *ssa.If) bool {
			b := branch.Block()
			return b != inner.Header && slices.ContainsFunc(b.Succs, func(succ *ssa.BasicBlock) bool {
				return !inner.Blocks[succ] && l.Blocks[succ] && f.Live(cfg.Edge{From: b, To: succ})
			})
		}
		if !f.comesBack(inner, inner.Header) && !slices.ContainsFunc(inner.Exits(), goesOn) {
			left = append(left, inner)
		}
	}
	return left
}

// executeFrom executes what follows the start of a block, up to the barrier. The
// barrier may be nil.
func (p *pkg) executeFrom(start, barrier *ssa.BasicBlock, world World, given map[ssa.Value]Value) *execution {
	f := &execution{Solver: sccp.Solver[Value]{Fn: start.Parent(), Start: start, Barrier: barrier, Given: given}, p: p, world: world}
	f.Solve(f)
	return f
}

// gives reports whether the signal has been given.
func (f *execution) gives(s contexts.Signal) bool { return f.p.given(s, f.world) }

// given reports whether the signal has been given in this world. It counts a query if
// the answer depends on the world.
func (p *pkg) given(s contexts.Signal, w World) bool {
	if AllDone.gives(s) {
		p.queries++
	}
	return w.gives(s)
}

// allDone reports whether every signal has been given. It counts a query.
func (f *execution) allDone() bool {
	f.p.queries++
	return f.world == AllDone
}

// summarized returns the results of a callee in this world, according to its fact.
func (f *execution) summarized(fact *WaitFact) Values {
	switch {
	case fact == nil:
		return nil
	case fact.Stopped != nil && f.allDone():
		return fact.Stopped
	}
	return fact.Done
}

// Join, Top, Constant and Zero make [Value] the lattice.
func (*execution) Join(v, w Value) Value { return v.join(w) }
func (*execution) Top() Value            { return Unknown }

func (*execution) Constant(v ssa.Value) Value {
	switch origin.Of(v).Kind {
	case origin.Func, origin.Global:
		return NonNil
	case origin.Constant:
		if constants.IsNil(v) {
			return Nil
		}
		if b, ok := constants.Bool(v); ok {
			return boolean(b)
		}
	}
	return Unknown
}

func (*execution) Zero(t types.Type) Value { return zero(t) }

// zero returns the value of a zeroed variable.
func zero(t types.Type) Value {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.Bool {
			return False
		}
	case *types.Interface, *types.Pointer:
		return Nil
	}
	return Unknown
}

// Tracks reports whether the address is that of a local variable.
func (*execution) Tracks(addr ssa.Value) bool {
	kind := origin.Of(addr).Kind
	return kind == origin.Local || kind == origin.Captured
}

// Escapes reports whether a call may change the variable: a closure stores in it.
func (f *execution) Escapes(addr ssa.Value) bool {
	alloc, ok := addr.(*ssa.Alloc)
	return !ok || f.p.assignedInClosure(alloc)
}

func (p *pkg) assignedInClosure(alloc *ssa.Alloc) bool {
	assigned, ok := p.captured[alloc]
	if !ok {
		_, n := origin.StoresIn(alloc)
		assigned = n > 0
		p.captured[alloc] = assigned
	}
	return assigned
}

// Branch says which edges of a branch are live. A branch on a [Flag] takes the edge
// that ends the loop.
func (f *execution) Branch(branch *ssa.If, cond Value) (yes, no bool) {
	for _, l := range f.left {
		if b := branch.Block(); b == l.Header {
			return l.Blocks[b.Succs[0]], l.Blocks[b.Succs[1]]
		}
	}
	switch cond {
	case Unreached:
		return false, false
	case True:
		return true, false
	case False:
		return false, true
	case Flag:
		b := branch.Block()
		l := f.p.nest(f.Fn).Innermost(b)
		stays := func(to *ssa.BasicBlock) bool { return l == nil || l.Blocks[to] && l.Continues(to) }
		yesStays, noStays := stays(b.Succs[0]), stays(b.Succs[1])
		return noStays || !yesStays, yesStays || !noStays
	}
	return true, true
}

// Refine returns the value of v at the end of b. A dominating branch may have compared
// it with nil.
func (f *execution) Refine(v ssa.Value, val Value, b *ssa.BasicBlock) Value {
	if val != Unknown || zero(v.Type()) != Nil {
		return val
	}
	v = origin.Held(v) // a result is a variable, if the function defers something
	for range maxDominators {
		if b == nil {
			break
		}
		if len(b.Preds) != 1 {
			b = b.Idom()
			continue
		}
		if c, ok := cfg.ConditionOf(cfg.Edge{From: b.Preds[0], To: b}); ok {
			if cmp, ok := c.Comparison(); ok && cmp.X == v && f.Value(cmp.Y) == Nil {
				if cmp.Op == token.EQL {
					return Nil
				}
				return NonNil
			}
		}
		b = b.Idom()
	}
	return val
}

// maxDominators bounds the walk up the dominator tree for such a branch.
const maxDominators = 32

// Eval is the transfer function of instructions with one result.
func (f *execution) Eval(v ssa.Value, o origin.Origin) Value {
	switch o.Kind {
	case origin.Result:
		return f.call(o.Call).at(0)
	case origin.Computed:
		switch {
		case o.Y != nil:
			return f.comparison(o)
		case o.Op == token.NOT:
			return f.Value(o.X).not()
		}
	case origin.Boxed:
		if x := f.Value(o.X); x == Cancelled || x == Permanent {
			return x
		}
		return NonNil
	case origin.Closure, origin.Made, origin.Local:
		return NonNil
	case origin.Field, origin.Element:
		if o.Addr {
			return NonNil
		}
	case origin.Loaded:
		if contexts.IsCanceled(v) {
			return Cancelled
		}
		if f.p.isStopFlag(v, f.Fn) && f.allDone() {
			return Flag
		}
	}
	return Unknown
}

// Tuple is the transfer function of instructions with several results.
func (f *execution) Tuple(v ssa.Value) []Value {
	switch o := origin.Of(v); o.Kind {
	case origin.Result:
		return f.call(o.Call)
	case origin.Received: // v, ok := <-ch
		return Values{Unknown, f.open(o.X)}
	case origin.Selected:
		return Values{Unknown, f.selectOpen(v.(*ssa.Select))}
	case origin.Element: // v, ok := m[key]
		if f.p.isStopEntry(o.X, f.Fn) && f.allDone() {
			return Values{Unknown, Flag}
		}
	}
	return nil
}

func (f *execution) comparison(o origin.Origin) Value {
	switch o.Op {
	case token.EQL:
		return f.equal(o.X, o.Y)
	case token.NEQ:
		return f.equal(o.X, o.Y).not()
	}
	if f.Value(o.X) == Flag || f.Value(o.Y) == Flag {
		return Flag
	}
	return Unknown
}

func (f *execution) equal(x, y ssa.Value) Value {
	if v, ok := f.selectedCase(x, y); ok {
		return v
	}
	a, b := f.Value(x), f.Value(y)
	if a == Unknown && b == Nil && contexts.IsSignal(x.Type()) && f.gives(f.p.Signal(x)) {
		a = NonNil // a signal that has been given is not nil
	}
	switch {
	case a == Unreached || b == Unreached:
		return Unreached
	case a == Flag || b == Flag:
		return Flag
	case a == Nil && b == Nil, a == Cancelled && b == Cancelled:
		return True
	case a.nonNil() && b == Nil, a == Nil && b.nonNil():
		return False
	case a == True || a == False:
		if b == True || b == False {
			return boolean(a == b)
		}
	}
	return Unknown
}

// open is the second result of a receive: false if the channel is closed.
func (f *execution) open(ch ssa.Value) Value {
	switch {
	case contexts.IsTimer(ch) && !contexts.IsForeignTicker(ch):
		return True // stopping a timer does not close its channel
	case f.gives(f.p.Signal(ch)):
		return False
	}
	return Unknown
}
