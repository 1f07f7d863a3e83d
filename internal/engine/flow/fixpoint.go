package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A fixpoint interprets the blocks of a function again until none leaves anything that
// it has not left before.
type fixpoint struct {
	*interp
	fr     *frame
	start  *heap // at the start of the function
	outs   map[*ssa.BasicBlock]*heap
	visits map[*ssa.BasicBlock]int
	dirty  map[*ssa.BasicBlock]bool // the blocks to interpret, for the first time or again
}

// run interprets the function of fr from the heap st and returns the heap at
// its end, or nil if it never returns.
func (in *interp) run(fr *frame, st *heap) *heap {
	if len(fr.fn.Blocks) == 0 {
		return st
	}
	st.stepsLeft = &in.stepsLeft
	newFixpoint(in, fr, st).search()
	in.leave(fr)
	return fr.exit
}

func newFixpoint(in *interp, fr *frame, start *heap) *fixpoint {
	return &fixpoint{
		interp: in,
		fr:     fr,
		start:  start,
		outs:   make(map[*ssa.BasicBlock]*heap, len(fr.fn.Blocks)),
		visits: make(map[*ssa.BasicBlock]int),
		dirty:  map[*ssa.BasicBlock]bool{fr.fn.Blocks[0]: true},
	}
}

// search interprets the blocks until nothing changes.
func (fp *fixpoint) search() {
	stretches := fp.control.Nest(fp.fr.fn).Stretches()
	for round := 0; round < maxRounds && len(fp.dirty) > 0; round++ {
		for _, stretch := range stretches {
			fp.settle(stretch)
		}
		if len(fp.dirty) == 0 && !fp.fr.settled {
			fp.fr.settled = true
			for _, b := range fp.fr.deferred {
				fp.dirty[b] = true
			}
		}
	}
	if len(fp.dirty) > 0 {
		fp.limits |= limitRounds
	}
}

// settle interprets the blocks of an outermost loop, or a single block, until nothing
// changes there. What is behind the loop needs no round for each round of the loop.
func (fp *fixpoint) settle(blocks []*ssa.BasicBlock) {
	isDirty := func(b *ssa.BasicBlock) bool { return fp.dirty[b] }
	for round := 0; round < maxRounds && slices.ContainsFunc(blocks, isDirty); round++ {
		for _, b := range blocks {
			if fp.dirty[b] {
				fp.interpret(b, len(blocks) > 1)
			}
		}
	}
}

// interpret interprets a block, and marks its successors if it leaves anything new. Registers
// may have changed if the block is in a loop, or is interpreted again.
func (fp *fixpoint) interpret(b *ssa.BasicBlock, inLoop bool) {
	delete(fp.dirty, b)
	if fp.visits[b] >= maxRounds {
		fp.limits |= limitRounds
		return
	}
	if fp.visits[b] > 0 || inLoop {
		clear(fp.fr.groups)
	}
	fp.fr.block = b
	fp.visits[b]++
	out := fp.entryHeap(b)
	old := fp.outs[b]
	var before []value
	if old != nil {
		before = fp.fr.snapshot(b)
	}
	if !fp.block(fp.fr, b, out) {
		return // ends in a return or a panic
	}
	if old != nil && fp.visits[b] > widenAfter {
		out.joinInto(old)
		fp.fr.joinRegisters(b, before)
	}
	fp.outs[b] = out
	if old != nil && out.equal(old) && !fp.fr.differs(b, before) {
		return
	}
	for _, succ := range b.Succs {
		fp.dirty[succ] = true
	}
}

// entryHeap returns the heap at the start of b: the join of what its
// predecessors leave.
//
// An edge under a guard is taken only while something changes. A value that
// another edge replaces is stable once nothing changes, so its labels on the
// guarded edge are dropped unless they feed the guard:
//
//	if old.Status == new.Status {
//		new.LastTransitionTime = old.LastTransitionTime
//	}
func (fp *fixpoint) entryHeap(b *ssa.BasicBlock) *heap {
	var heaps []*heap
	var preds []*ssa.BasicBlock
	for _, p := range b.Preds {
		if fp.outs[p] != nil {
			heaps = append(heaps, fp.outs[p].clone())
			preds = append(preds, p)
		}
	}
	if b.Index == 0 {
		heaps = append(heaps, fp.start.clone())
		preds = append(preds, nil)
	}
	for i, p := range preds {
		if l := fp.loopLeft(p, b); l != nil {
			fp.dropFound(fp.fr, heaps[i], l, fp.outs)
		}
	}
	if len(heaps) == 1 {
		fp.noteFound(fp.fr, b, heaps[0])
		return heaps[0]
	}
	base := fp.guardsOf(fp.fr, b)
	filtered := make([]*heap, len(heaps))
	for i, h := range heaps {
		filtered[i] = h
		if preds[i] == nil || b.Dominates(preds[i]) {
			continue
		}
		if own := ownGuards(fp.edgeGuards(fp.fr, preds[i], b), base); len(own) > 0 {
			filtered[i] = h.clone()
			for k, other := range heaps {
				if k != i {
					fp.dropReplaced(filtered[i], other, own)
				}
			}
			fp.traceHeapDrops(h, filtered[i], own)
		}
	}
	out := filtered[0]
	for _, h := range filtered[1:] {
		out.joinInto(h)
	}
	return out
}

// snapshot and differs tell whether interpreting b changed a register. joinRegisters
// adds what the registers had before.
func (fr *frame) snapshot(b *ssa.BasicBlock) []value {
	var vals []value
	for _, instr := range b.Instrs {
		if v, ok := instr.(ssa.Value); ok {
			vals = append(vals, fr.regs[v])
		}
	}
	return vals
}

func (fr *frame) joinRegisters(b *ssa.BasicBlock, before []value) {
	for _, instr := range b.Instrs {
		if v, ok := instr.(ssa.Value); ok {
			fr.regs[v] = fr.regs[v].join(before[0])
			before = before[1:]
		}
	}
}

func (fr *frame) differs(b *ssa.BasicBlock, before []value) bool {
	return !slices.EqualFunc(fr.snapshot(b), before, value.equal)
}
