package flow

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// The API server takes some fields and never returns them. What was read does not have them, so
// that a test whether they are there is no guard:
//
//	if secret.StringData["token"] == "" {
//		secret.StringData = map[string]string{"token": newToken()}
//	}

// isNeverThere reports whether the condition is that something in a field is absent which the API
// server never returns, and only that field decides: code may also have copied there what the API
// server does return.
func (in *interp) isNeverThere(fr *frame, cond ssa.Value, then bool) bool {
	field := absentIn(cfg.Condition{Value: cond, Holds: then})
	if field.Kind != origin.Field || field.Field == nil || !library.IsWriteOnly(library.TypeName(library.Deref(field.X.Type())), field.FieldName()) {
		return false
	}
	v := in.reg(fr, cond)
	isWithin := func(l Label) bool {
		return l.Kind == Key || (l.Kind == Content || l.Kind == State) && hasField(l.Path, field.FieldName())
	}
	return !v.unknown && !slices.ContainsFunc(v.labels, func(l Label) bool { return !isWithin(l) })
}

// absentIn returns the field of which the condition is that it is empty, or has no entry under a
// key.
func absentIn(c cfg.Condition) origin.Origin {
	c = c.Stripped()
	tested, absent := c.Value, !c.Holds
	if cmp, ok := c.Comparison(); ok && isConst(cmp.Y) {
		tested, absent = measured(cmp.X), cmp.Op == token.EQL
	}
	if !absent {
		return origin.Origin{}
	}
	o := origin.Of(tested)
	if o.Kind == origin.OK {
		o = origin.Of(o.X)
	}
	if isMapEntry(o) {
		o = origin.Of(o.X)
	}
	if o.Kind == origin.Loaded {
		o = origin.Of(o.X)
	}
	return o
}

// hasField reports whether the path leads through a field of that name.
func hasField(path access.Path, name string) bool {
	for step := range path.Steps() {
		if step.Kind == access.Field && step.Name == name {
			return true
		}
	}
	return false
}
