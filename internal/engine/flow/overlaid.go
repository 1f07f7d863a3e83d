package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Code may lay what an object has over what it would get, and store that. Then a generated value is
// stored once:
//
//	desired := map[string][]byte{"password": generate()}
//	for key, value := range secret.Data {
//		if len(value) > 0 { desired[key] = value }
//	}
//	secret.Data = desired

// isOverlaid reports whether the instruction stores a map in a field, over whose entries the function has
// laid all those that the field had. None is set later.
func (in *interp) isOverlaid(s *ssa.Store) bool {
	m, ok := s.Val.(*ssa.MakeMap)
	if !ok || origin.Of(s.Addr).Kind != origin.Field {
		return false
	}
	var over *ssa.MapUpdate
	for _, ref := range *m.Referrers() {
		if set, ok := ref.(*ssa.MapUpdate); ok && set.Map == ssa.Value(m) && in.laysOver(set, s) {
			over = set
		}
	}
	if over == nil {
		return false
	}
	header := in.innermost(over.Block()).Loop.Header
	return !slices.ContainsFunc(*m.Referrers(), func(ref ssa.Instruction) bool {
		set, ok := ref.(*ssa.MapUpdate)
		return ok && set != over && !(set.Block() != header && set.Block().Dominates(header))
	})
}

// laysOver reports whether the instruction sets each entry that the field has in which the other one
// stores the map, unless it is empty.
func (in *interp) laysOver(set *ssa.MapUpdate, s *ssa.Store) bool {
	src, loop := rangedBy(set), in.innermost(set.Block())
	if src == nil || loop == nil || loop.Loop == nil || !loop.Loop.Header.Dominates(s.Block()) {
		return false
	}
	if old := origin.Of(src); old.Kind != origin.Loaded || !sameValue(old.X, s.Addr) {
		return false
	}
	for br := range cfg.Branches(ownGroups(in.control.Of(set.Block()), in.control.Of(loop.Loop.Header))...) {
		cmp, ok := br.Comparison()
		if origin.Of(br.Value).Kind == origin.OK || ok && constants.IsZero(cmp.Y) && origin.Of(measured(cmp.X)).Kind == origin.Item {
			continue
		}
		return false
	}
	return true
}
