package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// The API server gives an object another resource version with each change, and another generation
// with each change of its spec. What an object has of its own version is never that of now:
//
//	thing.Annotations["observed"] = thing.ResourceVersion
//	deployment.Spec.Template.Annotations["generation"] = strconv.FormatInt(deployment.Generation, 10)
//
// The label is that of a list that grows.
//
// Source: https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions

// ownResourceVersion and ownGeneration are what such a value is.
const (
	ownResourceVersion = "the object's own resource version"
	ownGeneration      = "the object's own generation"
)

// OfVersion reports whether the label is that of the version of an object that was read, and whether
// the object has another one when what is at the path has changed.
func (l Label) OfVersion(at access.Path) (is, changes bool) {
	switch l.What {
	case ownResourceVersion:
		return l.Kind == Grown, true
	case ownGeneration:
		return l.Kind == Grown, at.FirstField() == "Spec"
	}
	return false, false
}

// A version is that of an object, which v has read. It is nil if there is none.
type version struct {
	v    ssa.Value
	what string
}

// ownVersion returns the label of val, which the instruction stores in a field of this name, or in
// something else, if it is the version of an object in some form. The generation that a status has
// observed is meant to be one.
func (in *interp) ownVersion(fr *frame, instr ssa.Instruction, val ssa.Value, field string, st *heap) (Label, bool) {
	if val == nil || isConst(val) || !isNumberOrText(val.Type()) || field == "ObservedGeneration" {
		return Label{}, false
	}
	read, known := in.versions[storing{by: instr, val: val}]
	if !known {
		read = in.versionIn(val)
		in.versions[storing{by: instr, val: val}] = read
	}
	if read.v == nil {
		return Label{}, false
	}
	refs := in.reg(fr, read.v).refs
	if len(refs) != 1 || !st.isOld(refs[0].obj) {
		return Label{}, false
	}
	l := Label{Kind: Grown, What: read.what}.grownAt(refs[0], st)
	if call, ok := instr.(ssa.CallInstruction); ok {
		l.Pos, l.End = in.callSpan(call)
	} else {
		l.Pos, l.End = instr.Pos(), instr.Pos()+1
	}
	l.At = in.at(l.Pos)
	return leftUnder(fr.guards, l)
}

// versionIn returns the version that val is, in some form.
func (a *analysisState) versionIn(val ssa.Value) (read version) {
	read.v, _ = a.sumOf(val, func(v ssa.Value) bool {
		switch metadataRead(v) {
		case "ResourceVersion":
			read.what = ownResourceVersion
		case "Generation":
			read.what = ownGeneration
		default:
			return false
		}
		return true
	})
	return read
}

// metadataRead returns the name of the field of an object's metadata that v is read from, also by its
// accessor.
func metadataRead(v ssa.Value) string {
	if field, of := origin.FieldOf(v); field != nil && isMetadata(of.Type()) {
		return field.Name()
	}
	if call := origin.Of(v).Call; call != nil {
		if known := library.Of(callee.Static(&call.Call)); known.Effect == library.GetsMetadata {
			return known.Field
		}
	}
	return ""
}
