package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// flag classifies a boolean variable that branches set.
//
//	changed := false; if … { changed = true }
//	success := true; if err != nil || dep.Status.Phase != "Ready" { success = false }
//
// It is a guard if a guard decides whether it is set. It is none if it only says
// that something failed or is not ready.
func (in *interp) flag(fr *frame, phi *ssa.Phi, then bool, depth int) (labels, bool) {
	if ways := alternatives(phi, then); len(ways) > 0 {
		return in.eachGuards(fr, ways)
	}
	var settings []setting
	base := in.control.Of(phi.Block())
	for i, e := range phi.Edges {
		if e != ssa.Value(phi) {
			settings = append(settings, settingUnder(e, in.control.OfEdge(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}), base))
		}
	}
	return in.setBy(fr, phi, in.reg(fr, phi).labels, settings, then, depth)
}

// alternatives returns the conditions of which one holds, if v is a || b and it is true, or
// a && b and it is false:
//
//	deferred := window != nil && !window.isOver()
//	if !deferred { … }
func alternatives(v *ssa.Phi, then bool) []cfg.Condition {
	if v.Comment != "||" && v.Comment != "&&" || (v.Comment == "||") != then {
		return nil
	}
	var ways []cfg.Condition
	for i, e := range v.Edges {
		way := cfg.Condition{Value: e, Holds: then}
		if isConst(e) {
			var ok bool
			if way, ok = cfg.ConditionOf(cfg.Edge{From: v.Block().Preds[i], To: v.Block()}); !ok {
				return nil
			}
		}
		if !isFailure(cfg.Branch{Condition: way}) {
			ways = append(ways, way)
		}
	}
	return ways
}

// eachGuards reports whether each of the alternatives is a guard. One that cannot hold does
// not count, nor does a flag that is being classified: the loop has set it before.
func (in *interp) eachGuards(fr *frame, ways []cfg.Condition) (ls labels, is bool) {
	is = true
	for _, way := range ways {
		if set, known := constants.Bool(way.Value); known && set != way.Holds || in.flags[way.Value] {
			continue
		}
		more, guards := in.isGuard(fr, cfg.Branch{Condition: way})
		ls, is = ls.union(more), is && guards
	}
	return ls, is
}

// storedFlag classifies the value that is loaded from a local boolean variable. Function
// literals may set it, too: the body of a range over a function is one. What they set it
// under is not known, so that this is a guard.
func (in *interp) storedFlag(fr *frame, load *ssa.UnOp, then bool, depth int) (ls labels, is, known bool) {
	cell, ok := load.X.(*ssa.Alloc)
	if !ok || !library.IsBool(load.Type()) || !origin.IsVariable(cell) {
		return nil, false, false
	}
	stores, _ := origin.StoresIn(cell)
	captured := origin.StoredByLiterals(cell)
	if slices.ContainsFunc(captured, func(v ssa.Value) bool { set, known := constants.Bool(v); return !known || set != then }) {
		return nil, false, false
	}
	var settings []setting
	base := in.control.Of(load.Block())
	for _, store := range stores {
		settings = append(settings, settingUnder(store.Val, in.control.Of(store.Block()), base))
	}
	ls, is = in.setBy(fr, cell, in.reg(fr, load).labels, settings, then, depth)
	if len(captured) == 0 {
		return ls, is, true
	}
	if isSelection(ls) {
		ls = nil // the function literals may ask for more
	}
	return ls, true, true
}

// A setting is a value of a boolean variable, with the conditions under which it has that.
type setting struct {
	val    ssa.Value
	groups []cfg.Group
}

// settingUnder returns the setting of a value under the groups that are not among base.
func settingUnder(val ssa.Value, groups, base []cfg.Group) setting {
	return setting{val, ownGroups(groups, base)}
}

// ownGroups returns the groups that are not among base.
func ownGroups(groups, base []cfg.Group) []cfg.Group {
	return slices.DeleteFunc(slices.Clone(groups), func(g cfg.Group) bool { return cfg.Contains(base, g) })
}

// setBy classifies a boolean variable with the labels ls and these settings.
func (in *interp) setBy(fr *frame, flag ssa.Value, ls labels, settings []setting, then bool, depth int) (labels, bool) {
	is := false
	if in.flags[flag] {
		return ls, false // a cycle
	}
	in.flags[flag] = true
	defer delete(in.flags, flag)
	var fed, optional labels
	for _, setting := range settings {
		e, groups := setting.val, setting.groups
		set, known := constants.Bool(e)
		if !known {
			more, guards := in.setUnder(fr, cfg.Condition{Value: e, Holds: then}, depth)
			is = is || guards
			if askForOption(groups) {
				optional = optional.union(more)
			} else {
				ls, fed = ls.union(more), fed.union(more)
			}
			continue
		}
		fails := set != then
		if fails && failsIn(groups) {
			continue
		}
		excluded := excludedKeys(groups)
		for br := range cfg.Branches(groups...) {
			if fails && testsConst(br.Value) {
				continue // not ready yet
			}
			// A branch that sets the other value must not be taken.
			more, guards := in.setUnder(fr, cfg.Condition{Value: br.Value, Holds: br.Holds != fails}, depth)
			if isSelection(more) && !testsZero(br.Value) {
				continue // it skips an element
			}
			if guards && len(excluded) > 0 {
				more = in.withoutEntries(fr, br.Value, excluded, more)
			}
			ls, is, fed = ls.union(more), is || guards, fed.union(more)
		}
	}
	return ls.transform(func(l Label) (Label, bool) { return l, slices.Contains(fed, l) || !slices.Contains(optional, l) }), is
}

// setUnder reports whether the condition under which a boolean variable is set is a guard, and returns
// the labels that feed it.
func (in *interp) setUnder(fr *frame, c cfg.Condition, depth int) (labels, bool) {
	ls, guards := in.classify(fr, c.Value, c.Holds, depth+1)
	return ls, guards && (in.callerDecides || !in.isMode(fr, c))
}

// askForOption reports whether one of the conditions is that an option of the caller has a value:
//
//	for _, opt := range options {
//		if opt == CompareLabels { labelsAreEqual = reflect.DeepEqual(actual.Labels, desired.Labels) }
//	}
//
// Whether the caller has set it is not known.
func askForOption(groups []cfg.Group) bool {
	for br := range cfg.Branches(groups...) {
		cmp, ok := br.Comparison()
		if !ok || cmp.Op != token.EQL || !isConst(cmp.Y) {
			continue
		}
		options := origin.Through(cmp.X, origin.Loaded, origin.Renamed, origin.Element, origin.Item, origin.Iterator)
		list, isList := options.Type().Underlying().(*types.Slice)
		if origin.Of(options).Kind == origin.Parameter && isList && isBasic(list.Elem()) {
			return true
		}
	}
	return false
}
