// Package sccp propagates the values of a lattice through a function, along the
// edges that control may take given these values. It is sparse conditional
// constant propagation, generic over the lattice.
//
// (M. Wegman, K. Zadeck: Constant Propagation with Conditional Branches. TOPLAS
// 13, 1991.)
package sccp

import (
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Transfer is a lattice of finite height with transfer functions for
// instructions. The zero V is the bottom of the lattice: nothing is computed
// yet.
type Transfer[V comparable] interface {
	// Join returns the least upper bound.
	Join(v, w V) V
	// Top is the top of the lattice: nothing is known.
	Top() V
	// Constant is the value of an operand that is the same everywhere: a
	// constant, a function, or the address of a package variable.
	Constant(v ssa.Value) V
	// Zero is the value of a new variable of the type.
	Zero(t types.Type) V
	// Eval is the transfer function of an instruction with one result. The
	// solver itself handles phis, changes of type, and loads of tracked
	// variables.
	Eval(v ssa.Value, o origin.Origin) V
	// Tuple is the transfer function of an instruction with several results.
	Tuple(v ssa.Value) []V
	// Branch reports which successors control may take if the condition has the
	// value cond.
	Branch(branch *ssa.If, cond V) (yes, no bool)
	// Refine returns the value of v at the end of the block. val is its value
	// without the conditions that lead to the block, which may make it more
	// precise.
	Refine(v ssa.Value, val V, b *ssa.BasicBlock) V
	// Tracks reports whether the solver follows the content of the local
	// variable at the address. Escapes reports whether a call may change it.
	Tracks(addr ssa.Value) bool
	Escapes(addr ssa.Value) bool
}

// A Solver propagates values through a function, or a part of it.
type Solver[V comparable] struct {
	Fn *ssa.Function
	// Region is a loop, or nil. If it is set the solver executes one round of
	// the loop, and values from outside it are those in Given.
	Region *cfg.Loop
	// Start is the block where execution begins. If it is nil that is the entry
	// of the function or of the region.
	Start *ssa.BasicBlock
	// Barrier is a block that the solver does not execute, or nil.
	Barrier *ssa.BasicBlock
	// Given has the values of parameters, of variables by their address, and of
	// instructions that were executed before. Those without an entry are
	// unknown.
	Given map[ssa.Value]V

	transfer Transfer[V]
	values   map[ssa.Value]V
	tuples   map[ssa.Value][]V
	memory   map[*ssa.BasicBlock]map[ssa.Value]V // at the end of the block
	current  map[ssa.Value]V                     // before the instruction that is being evaluated
	live     map[cfg.Edge]bool
	reached  map[*ssa.BasicBlock]bool
	changed  bool
}

// maxRounds bounds the passes over a function. A lattice of small height needs
// one or two passes more than the nesting depth of the loops.
const maxRounds = 50

// Solve iterates over the reached blocks to a fixpoint. It reports whether it
// found one within maxRounds passes.
func (s *Solver[V]) Solve(t Transfer[V]) bool {
	s.transfer = t
	s.values = make(map[ssa.Value]V)
	s.tuples = make(map[ssa.Value][]V)
	s.memory = make(map[*ssa.BasicBlock]map[ssa.Value]V)
	s.live = make(map[cfg.Edge]bool)
	s.reached = make(map[*ssa.BasicBlock]bool)

	order := cfg.ReversePostorder(s.Fn)
	cyclic := cfg.HasCycle(order)
	s.reached[s.entry()] = true
	for range maxRounds {
		s.changed = false
		for _, b := range order {
			if s.reached[b] {
				s.block(b)
			}
		}
		if !s.changed || !cyclic {
			return true
		}
	}
	return false
}

// entry returns the block where execution begins.
func (s *Solver[V]) entry() *ssa.BasicBlock {
	switch {
	case s.Region != nil:
		return s.Region.Header
	case s.Start != nil:
		return s.Start
	}
	return s.Fn.Blocks[0]
}

// Live reports whether control may take the edge. Reached reports whether
// control may reach the block.
func (s *Solver[V]) Live(e cfg.Edge) bool           { return s.live[e] }
func (s *Solver[V]) Reached(b *ssa.BasicBlock) bool { return s.reached[b] }

// Memory returns the values of the tracked variables at the end of a block, by
// their address. The caller must not change the map.
func (s *Solver[V]) Memory(b *ssa.BasicBlock) map[ssa.Value]V { return s.memory[b] }

// Content returns the value of the variable at the address before the
// instruction that is being evaluated. For an untracked variable it is Top.
func (s *Solver[V]) Content(addr ssa.Value) V {
	if val, ok := s.current[addr]; ok {
		return val
	}
	return s.transfer.Top()
}

// Values calls visit for each computed value, in no particular order.
func (s *Solver[V]) Values(visit func(v ssa.Value, val V)) {
	for v, val := range s.values {
		visit(v, val)
	}
}

// inside reports whether the solver executes the block's part of the function.
func (s *Solver[V]) inside(b *ssa.BasicBlock) bool { return s.Region == nil || s.Region.Blocks[b] }

func (s *Solver[V]) block(b *ssa.BasicBlock) {
	mem := s.memoryAt(b)
	s.current = mem
	for _, instr := range b.Instrs {
		switch instr := instr.(type) {
		case *ssa.Phi:
			s.set(instr, s.phi(instr))
		case *ssa.Store:
			if s.transfer.Tracks(instr.Addr) {
				mem[instr.Addr] = s.Value(instr.Val)
			}
		case *ssa.If:
			yes, no := s.transfer.Branch(instr, s.Value(instr.Cond))
			if yes {
				s.follow(cfg.Edge{From: b, To: b.Succs[0]})
			}
			if no {
				s.follow(cfg.Edge{From: b, To: b.Succs[1]})
			}
		case *ssa.Jump:
			s.follow(cfg.Edge{From: b, To: b.Succs[0]})
		case ssa.Value:
			s.eval(instr, mem)
		}
	}
	if old, ok := s.memory[b]; !ok || !maps.Equal(old, mem) {
		s.memory[b] = mem
		s.changed = true
	}
}

func (s *Solver[V]) eval(v ssa.Value, mem map[ssa.Value]V) {
	o := origin.Of(v)
	switch {
	case o.Kind == origin.Local && s.transfer.Tracks(v):
		mem[v] = s.transfer.Zero(types.Unalias(v.Type()).(*types.Pointer).Elem())
	case o.Kind == origin.Loaded && s.transfer.Tracks(o.X):
		s.set(v, s.Content(o.X))
		return
	case o.Kind == origin.Renamed:
		s.set(v, s.Value(o.X))
		return
	}
	if ext, ok := v.(*ssa.Extract); ok {
		s.set(v, s.component(ext))
		return
	}
	if _, several := v.Type().(*types.Tuple); several {
		s.setTuple(v, s.transfer.Tuple(v))
	} else {
		s.set(v, s.transfer.Eval(v, o))
	}
	if o.Kind == origin.Result && o.Call == v {
		for addr := range mem {
			if s.transfer.Escapes(addr) {
				mem[addr] = s.transfer.Top()
			}
		}
	}
}

// component returns a component of a tuple, or bottom while the tuple is not
// computed yet.
func (s *Solver[V]) component(ext *ssa.Extract) V {
	var none V
	vals, ok := s.tuples[ext.Tuple]
	switch {
	case ok && ext.Index < len(vals):
		return vals[ext.Index]
	case !ok && s.inside(ext.Tuple.(ssa.Instruction).Block()):
		return none
	}
	return s.transfer.Top()
}

// memoryAt joins the memories at the ends of the predecessors.
func (s *Solver[V]) memoryAt(b *ssa.BasicBlock) map[ssa.Value]V {
	mem := make(map[ssa.Value]V)
	if b == s.entry() {
		for addr, v := range s.Given {
			if s.transfer.Tracks(addr) {
				mem[addr] = v
			}
		}
		return mem
	}
	first := true
	for _, pred := range b.Preds {
		if !s.live[cfg.Edge{From: pred, To: b}] {
			continue
		}
		if first {
			mem, first = maps.Clone(s.memory[pred]), false
			continue
		}
		mem = s.JoinMemory(mem, s.memory[pred])
	}
	return mem
}

// JoinMemory joins the values of variables. A variable that is in only one of
// the maps is unknown.
func (s *Solver[V]) JoinMemory(m, n map[ssa.Value]V) map[ssa.Value]V {
	out := make(map[ssa.Value]V)
	for addr, v := range m {
		if w, ok := n[addr]; ok {
			out[addr] = s.transfer.Join(v, w)
		}
	}
	return out
}

func (s *Solver[V]) set(v ssa.Value, val V) {
	old := s.values[v]
	if joined := s.transfer.Join(old, val); joined != old {
		s.values[v] = joined
		s.changed = true
	}
}

func (s *Solver[V]) setTuple(v ssa.Value, vals []V) {
	old, ok := s.tuples[v]
	if !ok {
		s.tuples[v] = vals
		s.changed = true
		return
	}
	for i := range old {
		val := s.transfer.Top()
		if i < len(vals) {
			val = vals[i]
		}
		if joined := s.transfer.Join(old[i], val); joined != old[i] {
			old[i] = joined
			s.changed = true
		}
	}
}

// Value returns the value of an operand.
func (s *Solver[V]) Value(v ssa.Value) V {
	switch o := origin.Of(v); o.Kind {
	case origin.Constant, origin.Func, origin.Builtin, origin.Global:
		return s.transfer.Constant(v)
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		if val, ok := s.Given[v]; ok {
			return val
		}
		return s.transfer.Top()
	}
	var none V
	if val, ok := s.values[v]; ok || s.inside(instr.Block()) && s.Start == nil {
		return val
	}
	if val, ok := s.Given[v]; ok {
		return val
	}
	if s.Start != nil && s.reached[instr.Block()] {
		return none
	}
	return s.transfer.Top()
}

func (s *Solver[V]) phi(phi *ssa.Phi) V {
	b := phi.Block()
	if b == s.entry() {
		if v, ok := s.Given[phi]; ok {
			return v
		}
		return s.transfer.Top()
	}
	var joined V
	for i, pred := range b.Preds {
		if s.live[cfg.Edge{From: pred, To: b}] {
			joined = s.transfer.Join(joined, s.At(phi.Edges[i], pred))
		}
	}
	return joined
}

// At returns the value of an operand at the end of a block.
func (s *Solver[V]) At(v ssa.Value, b *ssa.BasicBlock) V {
	return s.transfer.Refine(v, s.Value(v), b)
}

func (s *Solver[V]) follow(e cfg.Edge) {
	if s.live[e] {
		return
	}
	s.live[e] = true
	s.changed = true
	if s.inside(e.To) && e.To != s.Barrier && !(s.Region != nil && e.To == s.Region.Header) {
		s.reached[e.To] = true
	}
}
