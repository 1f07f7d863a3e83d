package waiting

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A World says which signals have been given.
type World uint8

const (
	// ScopeDone: the contexts in scope are done, and nothing else happened.
	ScopeDone World = iota
	// Alive: none.
	Alive
	// AllDone: every signal that may stop a loop has been given: stop channels
	// are closed, flags set, queues shut down.
	AllDone
	worlds
)

// gives reports whether the signal has been given in this world.
func (w World) gives(s Signal) bool {
	switch w {
	case ScopeDone:
		return s == Scope
	case AllDone:
		return s == Scope || s == Own || s == Detached
	}
	return false
}

// A flow is the execution of a function, or of one round of a loop, in a world
// where the signals have been given: a sparse conditional propagation of
// [Value]s. A branch is followed only to where it may go in that world, so what
// it reaches is what still happens after cancellation.
//
//	for {
//		err := step(ctx)      // Cancelled
//		if err == nil {       // False: this edge is never live
//			return nil
//		}
//		time.Sleep(d)         // reached
//	}                             // and back: nothing ends this loop
type flow struct {
	p     *pkg
	fn    *ssa.Function
	world World

	// region is the loop of which a round is executed, nil for the whole
	// function. Values from outside of it are unknown.
	region *loop
	// start is where execution begins, nil for the function's entry.
	start *ssa.BasicBlock
	// barrier is a block that is not executed.
	barrier *ssa.BasicBlock
	// carriedOver are the values of parameters, or of the variables at the
	// beginning of the round; those not in it are unknown.
	carriedOver map[ssa.Value]Value

	// callbacks are assumed results of calls of function parameters.
	callbacks map[*ssa.Parameter]Values

	values  map[ssa.Value]Value
	tuples  map[ssa.Value]Values
	memory  map[*ssa.BasicBlock]memory // at the end of the block
	live    map[edge]bool
	reached map[*ssa.BasicBlock]bool
	changed bool
}

// gives reports whether the signal has been given.
func (f *flow) gives(s Signal) bool { return f.p.given(s, f.world) }

// given reports whether the signal has been given in this world.
func (p *pkg) given(s Signal, w World) bool {
	if AllDone.gives(s) {
		p.asked++
	}
	return w.gives(s)
}

// allDone reports whether every signal has been given.
func (f *flow) allDone() bool {
	f.p.asked++
	return f.world == AllDone
}

// told returns what the fact of a callee says of its results.
func (f *flow) told(fact *WaitFact) Values {
	switch {
	case fact == nil:
		return nil
	case fact.Stopped != nil && f.allDone():
		return fact.Stopped
	}
	return fact.Done
}

type edge struct{ from, to *ssa.BasicBlock }

// A memory holds the values of local variables that have an address; what is
// not in it is unknown.
type memory map[ssa.Value]Value

func (m memory) join(n memory) memory {
	out := make(memory)
	for addr, v := range m {
		if w, ok := n[addr]; ok {
			out[addr] = v.join(w)
		}
	}
	return out
}

// maxRounds bounds the passes over a function. The lattice is flat, so a pass
// or two beyond the nesting depth of its loops suffice.
const maxRounds = 50

// execute runs a whole function, or a round of a loop.
func (p *pkg) execute(fn *ssa.Function, region *loop, world World, carriedOver map[ssa.Value]Value, callbacks map[*ssa.Parameter]Values) *flow {
	f := p.newFlow(fn, region, world, carriedOver, callbacks)
	f.run()
	return f
}

func (p *pkg) newFlow(fn *ssa.Function, region *loop, world World, carriedOver map[ssa.Value]Value, callbacks map[*ssa.Parameter]Values) *flow {
	return &flow{
		p: p, fn: fn, region: region, world: world,
		carriedOver: carriedOver,
		callbacks:   callbacks,
		values:      make(map[ssa.Value]Value),
		tuples:      make(map[ssa.Value]Values),
		memory:      make(map[*ssa.BasicBlock]memory),
		live:        make(map[edge]bool),
		reached:     make(map[*ssa.BasicBlock]bool),
	}
}

// run iterates over the blocks that are reached, to a fixpoint. Without a loop,
// one pass is enough.
func (f *flow) run() {
	order := ssair.ReversePostorder(f.fn)
	loops := goesBack(order)
	f.reached[f.entry()] = true
	for range maxRounds {
		f.changed = false
		for _, b := range order {
			if f.reached[b] {
				f.block(b)
			}
		}
		if !f.changed || !loops {
			break
		}
	}
}

// goesBack reports whether control goes from a block to one that is not after it.
func goesBack(order []*ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool, len(order))
	for _, b := range order {
		seen[b] = true
		if slices.ContainsFunc(b.Succs, func(succ *ssa.BasicBlock) bool { return seen[succ] }) {
			return true
		}
	}
	return false
}

func (f *flow) entry() *ssa.BasicBlock {
	switch {
	case f.region != nil:
		return f.region.header
	case f.start != nil:
		return f.start
	}
	return f.fn.Blocks[0]
}

// inside reports whether the block belongs to what is executed.
func (f *flow) inside(b *ssa.BasicBlock) bool { return f.region == nil || f.region.blocks[b] }

// block is the transfer function of a block.
func (f *flow) block(b *ssa.BasicBlock) {
	mem := f.memoryAt(b)
	for _, instr := range b.Instrs {
		switch instr := instr.(type) {
		case *ssa.Phi:
			f.set(instr, f.phi(instr))
		case *ssa.Alloc:
			mem[instr] = zero(instr.Type().Underlying().(*types.Pointer).Elem())
			f.set(instr, NonNil)
		case *ssa.Store:
			if isVariable(instr.Addr) {
				mem[instr.Addr] = f.value(instr.Val)
			}
		case *ssa.UnOp:
			if instr.Op == token.MUL && isVariable(instr.X) {
				v, ok := mem[instr.X]
				if !ok {
					v = Unknown
				}
				f.set(instr, v)
			} else {
				f.set(instr, f.unary(instr))
			}
		case *ssa.Call:
			f.tuple(instr, f.call(instr))
			f.forget(mem)
		case *ssa.If:
			f.branch(instr)
		case *ssa.Jump:
			f.follow(b, b.Succs[0])
		case ssa.Value:
			f.set(instr, f.operation(instr))
		}
	}
	if old, ok := f.memory[b]; !ok || !maps.Equal(old, mem) {
		f.memory[b] = mem
		f.changed = true
	}
}

// isVariable reports whether the address is that of a local variable whose
// contents are tracked.
func isVariable(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return true
	}
	return false
}

// zero is the value of a new variable.
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

// memoryAt joins the memories of the predecessors.
func (f *flow) memoryAt(b *ssa.BasicBlock) memory {
	mem := make(memory)
	if b == f.entry() {
		for addr, v := range f.carriedOver {
			if isVariable(addr) {
				mem[addr] = v
			}
		}
		return mem
	}
	first := true
	for _, pred := range b.Preds {
		if !f.live[edge{pred, b}] {
			continue
		}
		other := f.memory[pred]
		if first {
			mem = maps.Clone(other)
			first = false
			continue
		}
		mem = mem.join(other)
	}
	return mem
}

// forget drops what is known of variables that a call may change, because a
// closure stores in them.
func (f *flow) forget(mem memory) {
	for addr := range mem {
		if _, ok := addr.(*ssa.FreeVar); ok || f.p.capturedForWriting(addr) {
			mem[addr] = Unknown
		}
	}
}

func (p *pkg) capturedForWriting(addr ssa.Value) bool {
	written, ok := p.captured[addr]
	if !ok {
		written = capturedForWriting(addr)
		p.captured[addr] = written
	}
	return written
}

func capturedForWriting(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for i, b := range mc.Bindings {
			if b == addr && len(storesTo(mc.Fn.(*ssa.Function).FreeVars[i])) > 0 {
				return true
			}
		}
	}
	return false
}

func (f *flow) set(v ssa.Value, val Value) {
	old := f.values[v]
	if joined := old.join(val); joined != old {
		f.values[v] = joined
		f.changed = true
	}
}

func (f *flow) tuple(call ssa.Value, vs Values) {
	if _, isTuple := call.Type().(*types.Tuple); !isTuple {
		f.set(call, vs.at(0))
		return
	}
	old := f.tuples[call]
	if old == nil {
		f.tuples[call] = vs
		f.changed = true
		return
	}
	for i := range old {
		if joined := old[i].join(vs.at(i)); joined != old[i] {
			old[i] = joined
			f.changed = true
		}
	}
}

// value returns what is known of an operand.
func (f *flow) value(v ssa.Value) Value {
	switch v := v.(type) {
	case *ssa.Const:
		switch {
		case v.IsNil():
			return Nil
		case v.Value == nil:
			return Unknown // zero value of a struct
		case v.Value.Kind() == constant.Bool:
			return boolean(constant.BoolVal(v.Value))
		}
		return Unknown
	case *ssa.Function, *ssa.Global:
		return NonNil
	case *ssa.Parameter:
		if val, ok := f.carriedOver[v]; ok {
			return val
		}
	case ssa.Instruction:
		if val, ok := f.values[v.(ssa.Value)]; ok || f.inside(v.Block()) && f.start == nil {
			return val
		}
		if val, ok := f.carriedOver[v.(ssa.Value)]; ok {
			return val
		}
		if f.start != nil && f.reached[v.Block()] {
			return Unreached
		}
	}
	return Unknown
}

func (f *flow) phi(phi *ssa.Phi) Value {
	b := phi.Block()
	if b == f.entry() {
		if v, ok := f.carriedOver[phi]; ok {
			return v
		}
		return Unknown
	}
	v := Unreached
	for i, pred := range b.Preds {
		if f.live[edge{pred, b}] {
			v = v.join(f.at(phi.Edges[i], pred))
		}
	}
	return v
}

// at returns what is known of v at the end of b, where a branch on the way may
// have found out whether it is nil.
func (f *flow) at(v ssa.Value, b *ssa.BasicBlock) Value {
	val := f.value(v)
	if val != Unknown || zero(v.Type()) != Nil {
		return val
	}
	for range maxDominators {
		if b == nil {
			break
		}
		if len(b.Preds) != 1 {
			b = b.Idom()
			continue
		}
		if branch, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If); ok {
			if test, ok := branch.Cond.(*ssa.BinOp); ok && test.X == v && f.value(test.Y) == Nil {
				if (test.Op == token.NEQ) == (b == b.Preds[0].Succs[0]) {
					return NonNil
				}
				return Nil
			}
		}
		b = b.Idom()
	}
	return val
}

// maxDominators bounds the search for branches about a value.
const maxDominators = 32

func (f *flow) follow(from, to *ssa.BasicBlock) {
	e := edge{from, to}
	if f.live[e] {
		return
	}
	f.live[e] = true
	f.changed = true
	if f.inside(to) && to != f.barrier && !(f.region != nil && to == f.region.header) {
		f.reached[to] = true
	}
}

func (f *flow) branch(instr *ssa.If) {
	b := instr.Block()
	yes, no := b.Succs[0], b.Succs[1]
	switch f.value(instr.Cond) {
	case Unreached:
	case True:
		f.follow(b, yes)
	case False:
		f.follow(b, no)
	case Flag:
		stay := func(to *ssa.BasicBlock) bool {
			l := f.p.nest(f.fn).of[b]
			return l == nil || l.blocks[to] && l.continues(to)
		}
		if stay(yes) || !stay(no) {
			f.follow(b, no)
		}
		if stay(no) || !stay(yes) {
			f.follow(b, yes)
		}
	default:
		f.follow(b, yes)
		f.follow(b, no)
	}
}

// operation evaluates the instructions other than calls, loads and phis.
func (f *flow) operation(v ssa.Value) Value {
	switch v := v.(type) {
	case *ssa.BinOp:
		return f.comparison(v)
	case *ssa.Extract:
		return f.extract(v)
	case *ssa.MakeInterface:
		if x := f.value(v.X); x == Cancelled || x == Permanent {
			return x
		}
		return NonNil
	case *ssa.ChangeInterface:
		return f.value(v.X)
	case *ssa.ChangeType:
		return f.value(v.X)
	case *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.FieldAddr, *ssa.IndexAddr:
		return NonNil
	}
	return Unknown
}

func (f *flow) unary(v *ssa.UnOp) Value {
	switch v.Op {
	case token.NOT:
		return f.value(v.X).not()
	case token.MUL:
		if g, ok := v.X.(*ssa.Global); ok && isCanceled(g) {
			return Cancelled
		}
		if field, ok := v.X.(*ssa.FieldAddr); ok && f.p.isStopFlag(field, f.fn) && f.allDone() {
			return Flag
		}
		return Unknown
	}
	return Unknown
}

func isCanceled(g *ssa.Global) bool {
	return g.Pkg != nil && g.Pkg.Pkg.Path() == "context" && g.Name() == "Canceled"
}

func (f *flow) comparison(v *ssa.BinOp) Value {
	if v.Op != token.EQL && v.Op != token.NEQ {
		x, y := f.value(v.X), f.value(v.Y)
		if x == Flag || y == Flag {
			return Flag
		}
		return Unknown
	}
	equal := f.equal(v.X, v.Y)
	if v.Op == token.NEQ {
		return equal.not()
	}
	return equal
}

func (f *flow) equal(x, y ssa.Value) Value {
	if v, ok := f.selectedCase(x, y); ok {
		return v
	}
	a, b := f.value(x), f.value(y)
	if a == Unknown && b == Nil && isSignalType(x.Type()) && f.gives(f.p.signal(x)) {
		a = NonNil // what has been given is there
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

func (f *flow) extract(v *ssa.Extract) Value {
	switch tuple := v.Tuple.(type) {
	case *ssa.Call:
		vs, ok := f.tuples[tuple]
		switch {
		case ok:
			return vs.at(v.Index)
		case f.inside(tuple.Block()):
			return Unreached
		}
	case *ssa.UnOp: // v, ok := <-ch
		if v.Index == 1 {
			return f.open(tuple.X)
		}
	case *ssa.Select:
		if v.Index == 1 {
			return f.selectOpen(tuple)
		}
	case *ssa.Lookup: // v, ok := m[key]
		if v.Index == 1 && f.p.isStopEntry(tuple, f.fn) && f.allDone() {
			return Flag
		}
	}
	return Unknown
}

// open says whether a receive from the channel finds it open.
func (f *flow) open(ch ssa.Value) Value {
	switch {
	case isTimer(ch.Type()) && !isForeignTicker(ch):
		return True // stopping a timer does not close its channel
	case f.gives(f.p.signal(ch)):
		return False
	}
	return Unknown
}

// isForeignTicker reports whether the channel is a field of a type outside
// package time, whose channel may be closed.
func isForeignTicker(ch ssa.Value) bool {
	load, ok := ch.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	owner := library.NamedOf(field.X.Type())
	return owner != nil && owner.Obj().Pkg() != nil && owner.Obj().Pkg().Path() != "time" && owner.Obj().Pkg() != field.Parent().Pkg.Pkg
}
