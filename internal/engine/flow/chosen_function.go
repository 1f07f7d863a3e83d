package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Conditions may choose the function that is called later:
//
//	certificate := r.newCertificate
//	if !expires(stored) {
//		certificate = func() []byte { return stored.Data["tls.crt"] }
//	}
//	secret.Data["tls.crt"] = certificate()
//
// What the function does is under them.

// chosenUnder returns the guards under which v, a value of a function type, is the function f.
func (in *interp) chosenUnder(fr *frame, v ssa.Value, f *fval) []guard {
	if v == nil || f == nil {
		return nil
	}
	phi, ok := origin.Through(v, origin.Renamed).(*ssa.Phi)
	if !ok || phi.Parent() != fr.fn {
		return nil
	}
	var ways [][]guard
	base := in.guardsOf(fr, phi.Block())
	for i, e := range phi.Edges {
		if !slices.ContainsFunc(in.reg(fr, e).funcs, f.isSame) {
			continue
		}
		own := ownGuards(in.edgeGuards(fr, phi.Block().Preds[i], phi.Block()), base)
		if len(own) == 0 {
			return nil
		}
		ways = append(ways, own)
	}
	switch len(ways) {
	case 0:
		return nil
	case 1:
		return ways[0]
	}
	return []guard{{}} // of each way, there is one
}

// isSame reports whether both are one function.
func (f *fval) isSame(g *fval) bool {
	return f == g || f.ref != nil && g.ref != nil && *f.ref == *g.ref
}
