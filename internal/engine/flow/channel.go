package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// What is sent to a channel is stored among its elements. What is received is any of them.

// send interprets that v is sent to ch.
func (in *interp) send(fr *frame, ch, v ssa.Value, st *heap) {
	sent := in.filter(fr, in.reg(fr, v), v.Type())
	for _, r := range in.reg(fr, ch).refs {
		in.assign(st, r.under(access.Elems()), sent, v.Type(), false, fr.guards)
	}
}

// receive returns what the instruction receives from ch.
func (in *interp) receive(fr *frame, instr ssa.Instruction, ch ssa.Value, st *heap) value {
	at := in.reg(fr, ch).under(access.Elems(), nil)
	c, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return in.load(at, st, nil)
	}
	arrived := in.arrived(fr, instr, ch, c.Elem())
	if isAggregate(c.Elem()) {
		return in.place(at, st).withLabels(arrived)
	}
	return in.load(at, st, c.Elem()).withLabels(arrived)
}

// selectCase interprets a select statement and returns its results: which case, whether a value was
// received, and what each of the cases that receive has received.
func (in *interp) selectCase(fr *frame, sel *ssa.Select, st *heap) []value {
	results := []value{{unknown: true}, {unknown: true}} // others decide that
	for _, s := range sel.States {
		if s.Dir == types.SendOnly {
			in.send(fr, s.Chan, s.Send, st)
			continue
		}
		results = append(results, in.receive(fr, sel, s.Chan, st))
	}
	return results
}
