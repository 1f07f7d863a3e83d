package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A step often says itself whether it runs:
//
//	for _, s := range []step{service{}, secret{}, ready{}} {
//		if s.due(thing) {
//			if err := s.run(ctx, thing); err != nil { return err }
//		}
//	}
//
// What another step answers does not decide whether this one runs.

// A receiver is the value of an interface type of which a method is called, and the TypeName of
// one of the types that it may have.
type receiver struct {
	of  ssa.Value
	typ string
}

// applyTo interprets a call of one of the methods that the call of an interface's method may
// reach, with the answers that the receiver of this one gives.
func (in *interp) applyTo(fr *frame, c target, s *callSite, several bool) []value {
	common := s.instr.Common()
	if !several || !common.IsInvoke() || c.typ == "" {
		return in.apply(fr, c, s)
	}
	fr.receiver = receiver{common.Value, c.typ}
	defer func() { fr.receiver = receiver{} }()
	if !in.asksReceiver(fr.block, common.Value) {
		return in.apply(fr, c, s)
	}
	was, groups := fr.guards, fr.groups
	fr.groups = make(map[groupKey]groupGuard)
	in.enter(fr, fr.block)
	fr.guards = in.guardsFor(fr, s.instr)
	results := in.apply(fr, c, s)
	fr.receiver, fr.groups = receiver{}, groups
	in.enter(fr, fr.block)
	fr.guards = was
	return results
}

// hasSeveralTypes reports whether the receiver of the call may have more than one known type.
func hasSeveralTypes(callees []target) bool {
	first := ""
	return slices.ContainsFunc(callees, func(c target) bool {
		if first == "" {
			first = c.typ
		}
		return c.typ != first && c.typ != ""
	})
}

// asksReceiver reports whether a method of the value answers whether control gets to the block.
func (in *interp) asksReceiver(b *ssa.BasicBlock, of ssa.Value) bool {
	return b != nil && slices.ContainsFunc(slices.Collect(cfg.Branches(in.control.Of(b)...)), func(br cfg.Branch) bool {
		call := origin.Of(br.Stripped().Value).Call
		return call != nil && call.Call.IsInvoke() && call.Call.Value == of
	})
}

// noteVerdicts notes what the callee of a call decides.
func (fr *frame) noteVerdicts(call ssa.Value, vs []Verdict) {
	if fr.verdicts[call] == nil {
		fr.verdicts[call] = make(map[string][]Verdict)
	}
	fr.verdicts[call][fr.receiver.typ] = vs
}

// verdictsOf returns what the callee of a call decides, or nil if that is not known.
func (fr *frame) verdictsOf(call *ssa.Call) []Verdict {
	typ := ""
	if call.Call.IsInvoke() && call.Call.Value == fr.receiver.of {
		typ = fr.receiver.typ
	}
	if vs, ok := fr.verdicts[call][typ]; ok {
		return vs
	}
	return fr.verdicts[call][""]
}
