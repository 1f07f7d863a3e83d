package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// phasesOf returns the TypeNames of the objects that must be in a certain phase
// for b to be reached: a field of their status equals a constant.
//
//	switch thing.Status.Phase {
//	case v1.Starting, v1.Restarting:
func (in *interp) phasesOf(b *ssa.BasicBlock) []string {
	var names []string
	for _, g := range in.control.Of(b) {
		if name := phaseOf(g); name != "" {
			names = addName(names, name)
		}
	}
	return names
}

// phaseOf returns the TypeName of the object that is in a certain phase in each
// alternative of the group, or "".
func phaseOf(g cfg.Group) string {
	name := ""
	for i, way := range g {
		found := slices.IndexFunc(way, func(br cfg.Branch) bool { return inPhase(br) != "" })
		if found < 0 || i > 0 && inPhase(way[found]) != name {
			return ""
		}
		name = inPhase(way[found])
	}
	return name
}

// inPhase returns the TypeName of an object if the branch is taken when a field of
// the object's status equals a constant string, else "".
func inPhase(br cfg.Branch) string {
	cmp, ok := br.Comparison()
	if !ok || cmp.Op != token.EQL {
		return ""
	}
	if _, ok := constants.String(cmp.Y); !ok {
		return ""
	}
	return statusOwner(cmp.X)
}

// statusOwner returns the TypeName of the object whose status v is read from, or
// "".
func statusOwner(v ssa.Value) string {
	for {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Renamed, origin.Converted, origin.Loaded:
		case origin.Field:
			if o.FieldName() == "Status" {
				return library.TypeName(o.X.Type())
			}
		default:
			return ""
		}
		v = o.X
	}
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
