package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

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
	seen := make(map[ssa.Value]bool)
	for _, store := range fs.index.Field(f) {
		fs.index.Walk(store.Val, toTargets, origin.MaxWalk, func(v ssa.Value) {
			if isTarget(v) && !seen[v] {
				seen[v] = true
				found = append(found, v)
			}
		})
	}
	if len(found) > maxStored {
		found = nil
	}
	fs.found[f] = found
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
