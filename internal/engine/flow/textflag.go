package flow

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
)

// A text may only say whether something has failed, as a boolean does:
//
//	message := ""
//	if err := r.sync(ctx, thing); err != nil {
//		message = err.Error()
//	}
//	if message == "" { … }

// textFlag classifies the condition that a text that branches set is equal to k, or that it is not.
// It is not known unless each of the texts is a constant, or is set because something has failed.
func (in *interp) textFlag(fr *frame, text ssa.Value, k string, equal bool) (ls labels, is, known bool) {
	phi, ok := text.(*ssa.Phi)
	if !ok || !library.IsString(phi.Type()) {
		return nil, false, false
	}
	base := in.control.Of(phi.Block())
	var settings []setting
	var expand func(phi *ssa.Phi, groups []cfg.Group, depth int) bool
	expand = func(phi *ssa.Phi, groups []cfg.Group, depth int) bool {
		if depth == maxPhis || cfg.IsHeader(phi.Block()) {
			return false
		}
		for i, e := range phi.Edges {
			own := append(ownGroups(in.control.OfEdge(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}), base), groups...)
			set, isConst := constants.String(e)
			inner, isPhi := e.(*ssa.Phi)
			switch {
			case isConst:
				val := ssa.NewConst(constant.MakeBool((set == k) == equal), types.Typ[types.Bool])
				settings = append(settings, setting{val, own})
			case isPhi && expand(inner, own, depth+1):
			case !failsIn(own):
				return false
			}
		}
		return true
	}
	if !expand(phi, nil, 0) {
		return nil, false, false
	}
	ls, is = in.setBy(fr, phi, nil, settings, true, 0)
	return ls, is, true
}
