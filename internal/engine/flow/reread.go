package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A helper may read the number to which its caller adds something:
//
//	func (s *Scope) attempts() int {
//		n, err := strconv.Atoi(s.Thing.Annotations["attempts"])
//		if err != nil {
//			return 0
//		}
//		return n
//	}
//
//	thing.Annotations["attempts"] = strconv.Itoa(s.attempts() + 1)

// rereadBy returns the results of the function that was just interpreted that are numbers or texts of
// one place under a parameter.
func (in *interp) rereadBy(fr *frame) []Reread {
	var all []Reread
	results := fr.fn.Signature.Results()
	for i := range results.Len() {
		if !isNumberOrText(results.At(i).Type()) {
			continue
		}
		if r, ok := in.rereadOf(fr, origin.Returned(fr.fn, i)); ok {
			r.Result = i
			all = append(all, r)
		}
	}
	return all
}

// rereadOf returns the place of which each of the values is, apart from zeros.
func (in *interp) rereadOf(fr *frame, values []ssa.Value) (r Reread, ok bool) {
	for _, v := range values {
		if constants.IsZero(v) {
			continue
		}
		old, adds := in.sumOf(v, func(v ssa.Value) bool { _, is := in.placeRead(fr, v); return is })
		if old == nil {
			return Reread{}, false
		}
		of, _ := in.placeRead(fr, old)
		if ok && (of != r.Of || adds != r.Adds || in.keyParam(origin.Of(old)) != r.Key) || in.isCompared(fr.fn, func(v ssa.Value) bool { return v == old }) {
			return Reread{}, false
		}
		r, ok = Reread{Of: of, Adds: adds, Key: in.keyParam(origin.Of(old))}, true
	}
	return r, ok
}

// placeRead returns the place under a parameter at which v is: an entry of a map under a constant key,
// or a field, where reconcilers keep what they count.
func (in *interp) placeRead(fr *frame, v ssa.Value) (of ParamPath, ok bool) {
	o := origin.Of(v)
	if o.Kind != origin.Element && o.Kind != origin.Field && o.Kind != origin.Loaded || !isNumberOrText(v.Type()) {
		return ParamPath{}, false
	}
	refs := in.reg(fr, v).refs
	if len(refs) != 1 || refs[0].obj.param < 0 || !isRecord(refs[0].path) || lastStored(refs[0].path).Name == "" && in.keyParam(o) < 0 {
		return ParamPath{}, false
	}
	return ParamPath{refs[0].obj.param, refs[0].path}, true
}

// keyParam returns the index of the parameter that is the key of the element, or -1.
func (a *analysisState) keyParam(elem origin.Origin) int {
	if elem.Kind != origin.Element {
		return -1
	}
	p, ok := elem.Key.(*ssa.Parameter)
	if !ok || !library.IsString(p.Type()) {
		return -1
	}
	return slices.Index(p.Parent().Params, p)
}

// isRecord reports whether the path leads into a status, annotations, labels or data.
func isRecord(p access.Path) bool {
	for step := range p.Steps() {
		switch step.Name {
		case "Status", "Annotations", "Labels", "Data":
			return true
		}
	}
	return false
}

// lastStored returns the last step of a path if that is a field or an entry, or else no step.
func lastStored(p access.Path) access.Step {
	if last := p.Last(); last.Name != "" {
		return last
	}
	return access.Step{}
}

// rereadAt returns what the function says that its result is.
func (a *analysisState) rereadAt(o origin.Origin) (Reread, bool) {
	all := a.calledAt(o).Reread
	i := slices.IndexFunc(all, func(r Reread) bool { return r.Result == o.Index })
	if i < 0 {
		return Reread{}, false
	}
	r, args := all[i], callee.Args(&o.Call.Call)
	if r.Of.Param >= len(args) || r.Key >= len(args) {
		return Reread{}, false
	}
	if r.Key >= 0 {
		name, known := a.text(args[r.Key])
		if !known {
			return Reread{}, false
		}
		r.Of.Path = r.Of.Path.Parent().Join(access.Entry(name))
	}
	return r, true
}

// whereRead returns the places of which the result of the call is.
func (in *interp) whereRead(fr *frame, call *ssa.Call, r Reread) (at []loc) {
	for _, ref := range in.reg(fr, callee.Args(&call.Call)[r.Of.Param]).refs {
		at = append(at, ref.under(r.Of.Path))
	}
	return at
}
