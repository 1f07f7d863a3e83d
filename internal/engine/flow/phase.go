package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// phasesOf returns the TypeNames of the objects that must be in a certain phase
// for b to be reached: a field of their status equals a constant.
//
//	switch thing.Status.Phase {
//	case v1.Starting, v1.Restarting:
func (in *interp) phasesOf(fr *frame, b *ssa.BasicBlock) []string {
	return phasesAmong(in.control.Of(b), fr.inPhase)
}

// phasesAmong returns the TypeNames of the objects that are in a certain phase where the
// groups hold, by what each branch says.
func phasesAmong(groups []cfg.Group, inPhase func(cfg.Branch) []string) []string {
	var names []string
	for _, g := range groups {
		ways := make([][]string, len(g))
		for i, way := range g {
			for _, br := range way {
				ways[i] = addNames(ways[i], inPhase(br))
			}
		}
		names = addNames(names, inEach(ways))
	}
	return names
}

// inPhase returns the TypeNames of the objects that are in a certain phase if the branch
// is taken: a field of the status equals a constant string, or a function of the module
// finds that it does.
func (fr *frame) inPhase(br cfg.Branch) []string {
	names, _ := fr.phase(br)
	return names
}

// phase returns what inPhase does, and whether the phase has a name.
func (fr *frame) phase(br cfg.Branch) (names []string, named bool) {
	if o, ok := fr.verdict(br.Value, br.Holds); ok {
		return o.Phases, true
	}
	cmp, ok := br.Comparison()
	if !ok || cmp.Op != token.EQL {
		return nil, false
	}
	phase, ok := constants.String(cmp.Y)
	if !ok {
		return nil, false
	}
	if name := statusOwner(cmp.X); name != "" {
		return []string{name}, phase != ""
	}
	return nil, false
}

// phaseVerdict returns the TypeNames of the objects that must be in a certain phase for
// the function to return yes, or no. They are those that it was given: others, that it reads,
// may be of the same type. A field that must be empty, and nothing else, may have something
// that the function asks for, and be no phase.
func (in *interp) phaseVerdict(fr *frame, leaves []leaf, yes bool) []string {
	var ways [][]string
	var named []string
	inPhase := func(br cfg.Branch) []string {
		names, has := fr.phase(br)
		if !isAboutGiven(br, names) {
			return nil
		}
		if has {
			named = addNames(named, names)
		}
		return names
	}
	for _, l := range leaves {
		if is, known := isYes(l.val); known && is != yes || l.fails {
			continue
		}
		way := phasesAmong(l.groups, inPhase)
		if !isConst(l.val) {
			way = addNames(way, inPhase(answer(l.val, yes)))
		}
		ways = append(ways, way)
	}
	return inEach([][]string{inEach(ways), named})
}

// isAboutGiven reports whether the branch asks for the phase of an object that the function
// was given, or hands one of these types on to a function that does.
func isAboutGiven(br cfg.Branch, names []string) bool {
	if o := origin.Of(origin.Held(br.Value)); o.Kind == origin.Result {
		return slices.ContainsFunc(callee.Args(&o.Call.Call), func(arg ssa.Value) bool {
			return slices.Contains(names, library.TypeName(arg.Type())) && isGiven(arg)
		})
	}
	cmp, ok := br.Comparison()
	return ok && isGiven(cmp.X)
}

// isGiven reports whether v is a parameter, or a part of one.
func isGiven(v ssa.Value) bool {
	for n := 0; v != nil && n < origin.MaxWalk; n++ {
		if origin.Of(v).Kind == origin.Parameter {
			return true
		}
		v = wholeOf(v)
	}
	return false
}

// inEach returns the names that are in each of the lists.
func inEach(lists [][]string) []string {
	if len(lists) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(lists[0]), func(name string) bool {
		return slices.ContainsFunc(lists[1:], func(list []string) bool { return !slices.Contains(list, name) })
	})
}

// statusOwner returns the TypeName of the object whose status v is read from, or
// "". It may be that of an entry of a list or map in the status.
func statusOwner(v ssa.Value) string {
	for n := 0; v != nil && n < origin.MaxWalk; n++ {
		if o := origin.Of(v); o.Kind == origin.Field && o.FieldName() == "Status" {
			return library.TypeName(o.X.Type())
		}
		v = wholeOf(v)
	}
	return ""
}

// wholeOf returns the value that v is a part or a copy of, or nil.
func wholeOf(v ssa.Value) ssa.Value {
	switch o := origin.Of(v); o.Kind {
	case origin.Renamed, origin.Converted, origin.Loaded, origin.Field, origin.Element, origin.Iterator, origin.Item:
		return o.X
	case origin.Local:
		return origin.StoredOnce(v)
	}
	return nil
}

// addName adds a name to a sorted list.
func addName(names []string, name string) []string {
	i, found := slices.BinarySearch(names, name)
	if found {
		return names
	}
	return slices.Insert(slices.Clone(names), i, name)
}

// addNames returns the union of two sorted lists.
func addNames(names, more []string) []string {
	for _, name := range more {
		names = addName(names, name)
	}
	return names
}
