package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// fieldStores knows which functions and which concrete types behind interfaces
// the package stores in struct fields. It resolves calls through a field of a
// receiver (r.steps, r.builder) whose content another function assembled.
type fieldStores struct {
	stored map[*types.Var][]ssa.Value
}

// maxStored bounds the candidates of a field; a field with more is unknown.
const maxStored = 32

func newFieldStores(funcs []*ssa.Function) *fieldStores {
	fs := &fieldStores{stored: make(map[*types.Var][]ssa.Value)}
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				fa, ok := store.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				f := structField(fa.X.Type(), fa.Field)
				if f == nil {
					continue
				}
				fs.stored[f] = append(fs.stored[f], targets(store.Val, 0)...)
			}
		}
	}
	return fs
}

func structField(t types.Type, i int) *types.Var {
	s, ok := types.Unalias(kubeapi.Deref(t)).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(i).Origin()
}

// targets returns the functions and interface values that v certainly is, or
// holds as elements of a slice literal.
func targets(v ssa.Value, depth int) []ssa.Value {
	if depth > 8 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.MakeInterface:
		if mi, ok := v.(*ssa.MakeInterface); ok && types.IsInterface(mi.X.Type()) {
			return nil
		}
		return []ssa.Value{v}
	case *ssa.ChangeType:
		return targets(v.X, depth+1)
	case *ssa.Slice:
		return targets(v.X, depth+1)
	case *ssa.Phi:
		var out []ssa.Value
		for _, e := range v.Edges {
			out = append(out, targets(e, depth+1)...)
		}
		return out
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			var out []ssa.Value
			for _, a := range v.Call.Args {
				out = append(out, targets(a, depth+1)...)
			}
			return out
		}
		return returned(v, 0, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return returned(call, v.Index, depth)
		}
	case *ssa.MakeMap:
		var out []ssa.Value
		for _, ref := range *v.Referrers() {
			if m, ok := ref.(*ssa.MapUpdate); ok && m.Map == v {
				out = append(out, targets(m.Value, depth+1)...)
			}
		}
		return out
	case *ssa.Alloc:
		var out []ssa.Value
		for _, ref := range *v.Referrers() {
			ia, ok := ref.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			for _, r := range *ia.Referrers() {
				if s, ok := r.(*ssa.Store); ok && s.Addr == ia {
					out = append(out, targets(s.Val, depth+1)...)
				}
			}
		}
		return out
	}
	return nil
}

// returned returns the targets of a call's result: what a function of the
// package returns, else the call itself, if it returns an interface.
func returned(call *ssa.Call, result, depth int) []ssa.Value {
	fn := call.Call.StaticCallee()
	if fn == nil || result >= fn.Signature.Results().Len() {
		return nil
	}
	if len(fn.Blocks) == 0 {
		if !types.IsInterface(fn.Signature.Results().At(result).Type()) {
			return nil
		}
		for _, ref := range *call.Referrers() {
			if ex, ok := ref.(*ssa.Extract); ok && ex.Index == result {
				return []ssa.Value{ex}
			}
		}
		return []ssa.Value{call}
	}
	var out []ssa.Value
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			out = append(out, targets(ret.Results[result], depth+1)...)
		}
	}
	return out
}

// get returns what was stored in the field.
func (fs *fieldStores) get(f *types.Var) []ssa.Value {
	if f == nil || len(fs.stored[f]) > maxStored {
		return nil
	}
	return fs.stored[f]
}
