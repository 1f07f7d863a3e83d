package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// isFailure reports whether the branch is taken because of an error, or of one of
// several: len(errs) > 0.
func isFailure(br cfg.Branch) bool {
	test, ok := br.Value.(*ssa.BinOp)
	if !ok {
		return false
	}
	if reportsErrors(test.X.Type()) {
		return (test.Op == token.NEQ) == br.Holds
	}
	cmp, _ := br.Comparison()
	return countsErrors(test) && (cmp.Op == token.NEQ || cmp.Op == token.GTR || cmp.Op == token.GEQ)
}

// countsErrors reports whether a comparison asks whether there are errors, or texts of which
// the function makes its error:
//
//	if len(errs) > 0 { return errors.Join(errs...) }
//
//	if msgs := validation.IsDNS1123Label(name); len(msgs) > 0 { return errors.New(msgs[0]) }
func countsErrors(test *ssa.BinOp) bool {
	n, k, ok := comparedConst(test)
	if !ok || !isLen(n) || !constants.IsZero(k) {
		return false
	}
	list := measured(n)
	return isErrors(list.Type()) || isTexts(list.Type()) && failsWith(list, regionOf(cfg.Condition{Value: test, Holds: test.Op != token.EQL}))
}

// failsWith reports whether control never leaves the blocks, which use v, other than by a
// return of an error that is made there.
func failsWith(v ssa.Value, region []*ssa.BasicBlock) bool {
	refs := v.Referrers() // a constant has none
	return refs != nil && leavesBy(region, failing) && slices.ContainsFunc(*refs, func(ref ssa.Instruction) bool {
		return slices.Contains(region, ref.Block())
	})
}

// isTexts reports whether the type is a list of strings.
func isTexts(t types.Type) bool {
	s, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok && library.IsString(s.Elem())
}

// reportsErrors reports whether a value of the type is an error, or a list of errors,
// which is nil if there are none.
func reportsErrors(t types.Type) bool { return library.IsError(t) || isErrors(t) }

// isErrors reports whether the type is a list of errors. Their type may be one of their
// own, such as *field.Error.
func isErrors(t types.Type) bool {
	s, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok && library.ImplementsError(s.Elem())
}

// isTooMany reports whether the condition is that there is more than one, or than
// another constant number, and the function then only fails:
//
//	if len(list.Items) > 1 { return errors.New("more than one Thing") }
//
// That there are not too many does not say that there is none yet.
func isTooMany(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || !isLen(cmp.X) || !isConst(cmp.Y) || cmp.Op != token.GTR && cmp.Op != token.GEQ {
		return false
	}
	n, ok := constants.Int(cmp.Y)
	if cmp.Op == token.GEQ {
		n--
	}
	return ok && n > 0 && onlyFails(regionOf(c))
}

// isRequired reports whether the function only fails if the condition, with the
// labels ls, does not hold, and no object of the cluster feeds it, or it is that something
// is not one constant:
//
//	conn, ok := r.connections.Get(thing.Spec.Address)
//	if !ok { return errors.New("no connection") }
//
//	if ownerOf(pod) == somebodyElse { return errors.New("not ours") }
//
//	if len(key) != 32 { return errors.New("no key") }
//
//	if _, ok := visited[key]; ok { return errors.New("a loop") } // a map made here
//
// What follows then happens each time that all is well. That an object was not found is
// nothing that is required, nor is a certain error: there is none when all is well.
func (in *interp) isRequired(fr *frame, c cfg.Condition, ls labels) bool {
	if call := origin.Of(c.Stripped().Value).Call; call != nil {
		isError := func(arg ssa.Value) bool { return library.IsError(arg.Type()) }
		if library.Of(callee.Static(call.Common())).Condition == library.AbsenceCondition || slices.ContainsFunc(callee.Args(call.Common()), isError) {
			return false
		}
	}
	cmp, ok := c.Comparison()
	isOther := ok && cmp.Op == token.NEQ && isConst(cmp.Y) && !constants.IsZero(cmp.Y)
	if ok && cmp.Op == token.EQL && isLen(cmp.X) {
		n, _ := constants.Int(cmp.Y)
		isOther = n > 1 // what has one element has no order
	}
	ofObject := func(l Label) bool { return l.Kind != Content || !isSettingPath(l) }
	return (isOther || in.asksOwnMap(fr, c) || !slices.ContainsFunc(ls, ofObject)) && onlyFails(regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds}))
}

// asksOwnMap reports whether the condition is about an entry of a map that this code makes.
func (in *interp) asksOwnMap(fr *frame, c cfg.Condition) bool {
	entry := origin.Of(c.Stripped().Value)
	if entry.Kind == origin.OK {
		entry = origin.Of(entry.X)
	}
	if !isMapEntry(entry) {
		return false
	}
	m := in.reg(fr, entry.X)
	return len(m.refs) > 0 && !m.unknown && !slices.ContainsFunc(m.refs, func(r loc) bool { return !isMade(r) })
}

// onlyFails reports whether control never leaves the blocks, other than by a return
// of an error that is made there.
func onlyFails(region []*ssa.BasicBlock) bool {
	return leavesBy(region, func(ret *ssa.Return) bool { return failing(ret) || behindFailure(ret.Block()) })
}

// leavesBy reports whether control never leaves the blocks other than by such a return.
func leavesBy(region []*ssa.BasicBlock, is func(*ssa.Return) bool) bool {
	for _, b := range region {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !is(ret) {
			return false
		}
		if slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !slices.Contains(region, s) }) {
			return false
		}
	}
	return len(region) > 0
}

// behindFailure reports whether control only reaches the block because of an error.
func behindFailure(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	c, ok := cfg.ConditionOf(cfg.Edge{From: b.Preds[0], To: b})
	return ok && isFailure(cfg.Branch{Condition: c})
}

// isFailureAlone reports whether the group holds only because of an error.
func isFailureAlone(g cfg.Group) bool { return len(g) == 1 && len(g[0]) == 1 && isFailure(g[0][0]) }

// failsIn reports whether one of the groups holds only because of an error.
func failsIn(groups []cfg.Group) bool { return slices.ContainsFunc(groups, isFailureAlone) }
