package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// fieldStores finds the functions, and the concrete types behind interfaces, that
// the package stores in struct fields. It resolves a call through a field of a
// receiver (r.steps, r.builder) that another function sets.
type fieldStores struct {
	index *origin.Index
	found map[*types.Var][]ssa.Value
}

// maxStored bounds the candidates of a field. A field with more is unknown.
const maxStored = 32

// toTargets are the backward steps from a stored value to the functions and
// interface values that it is, or has as elements.
const toTargets = origin.Renames | origin.Choices | origin.Slices | origin.Contents | origin.Results

// get returns the functions and interface values that are stored in the field, or
// are elements of a stored sequence.
func (fs *fieldStores) get(f *types.Var) []ssa.Value {
	if f == nil || fs.index == nil {
		return nil
	}
	found, ok := fs.found[f]
	if ok {
		return found
	}
	var stored []ssa.Value
	for _, store := range fs.index.Field(f) {
		stored = append(stored, store.Val)
	}
	fs.found[f] = fs.targets(stored)
	return fs.found[f]
}

// at returns the functions and interface values that the package stores at the path of structs of the
// type, if that leads through nothing but fields of structs that it makes:
//
//	r.steps = &Steps{Create: r.create, Update: r.update}
func (fs *fieldStores) at(t types.Type, path access.Path) []ssa.Value {
	if fs.index == nil {
		return nil
	}
	var last *types.Var // the field that the path has led to, and what is stored there
	var stored []ssa.Value
	for step := range path.Steps() {
		s, ok := library.Deref(t).Underlying().(*types.Struct)
		if !ok || step.Kind != access.Field {
			return nil
		}
		f := fieldNamed(s, step.Name)
		if f == nil {
			return nil
		}
		f = f.Origin()
		made := fs.sources(stored)
		stored = nil
		for _, store := range fs.index.Field(f) {
			holder := origin.Of(store.Addr).X
			if last == nil || slices.Contains(made, holder) || origin.Of(holder).Field == last {
				stored = append(stored, store.Val)
			}
		}
		t, last = f.Type(), f
	}
	return fs.targets(stored)
}

// sources returns the structs that the values are, or are copies of.
func (fs *fieldStores) sources(vs []ssa.Value) (from []ssa.Value) {
	for _, v := range vs {
		fs.index.Walk(v, origin.Renames|origin.Choices|origin.Results, origin.MaxWalk, func(v ssa.Value) {
			from = append(from, origin.Through(v, origin.Loaded))
		})
	}
	return from
}

// targets returns the functions and interface values that the values are, or have as elements.
func (fs *fieldStores) targets(stored []ssa.Value) (found []ssa.Value) {
	seen := make(map[ssa.Value]bool)
	for _, v := range stored {
		fs.index.Walk(v, toTargets, origin.MaxWalk, func(v ssa.Value) {
			if isTarget(v) && !seen[v] {
				seen[v] = true
				found = append(found, v)
			}
		})
	}
	if len(found) > maxStored {
		return nil
	}
	return found
}

// isTarget reports whether v is a function, a value of a concrete type that is
// converted to an interface, or an interface that a function of another package
// returns.
func isTarget(v ssa.Value) bool {
	switch o := origin.Of(v); o.Kind {
	case origin.Func, origin.Closure:
		return true
	case origin.Boxed:
		return !types.IsInterface(o.X.Type())
	case origin.Result:
		fn := o.Call.Call.StaticCallee()
		return fn != nil && len(fn.Blocks) == 0 && types.IsInterface(v.Type())
	}
	return false
}
