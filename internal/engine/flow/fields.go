package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
)

// fieldStores knows which functions and which concrete types behind interfaces
// the package stores in struct fields. It resolves calls through a field of a
// receiver (r.steps, r.builder) whose content another function assembled.
type fieldStores struct {
	stored map[*types.Var][]ssa.Value
	found  map[search][]ssa.Value // what targets has returned
}

// A search is a call of targets.
type search struct {
	v     ssa.Value
	depth int
}

const (
	// maxStored bounds the candidates of a field; a field with more is unknown.
	maxStored = 32
	// maxTargets bounds how many phis, calls and literals a value is followed
	// through to where it comes from.
	maxTargets = 8
)

func newFieldStores(funcs []*ssa.Function) *fieldStores {
	fs := &fieldStores{stored: make(map[*types.Var][]ssa.Value), found: make(map[search][]ssa.Value)}
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
				fs.stored[f] = append(fs.stored[f], fs.targets(store.Val, 0)...)
			}
		}
	}
	fs.found = nil
	return fs
}

func structField(t types.Type, i int) *types.Var {
	s, ok := types.Unalias(library.Deref(t)).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(i).Origin()
}

// targets returns the functions and interface values that v certainly is, or
// holds as elements of a slice literal. If they are more than maxStored, some
// may be missing.
//
// What was found is kept: the ways through variables that loops assign to each
// other are exponentially many.
func (fs *fieldStores) targets(v ssa.Value, depth int) []ssa.Value {
	if depth > maxTargets {
		return nil
	}
	found, from := origins(v)
	if len(from) == 0 {
		return found
	}
	key := search{v, depth}
	if found, ok := fs.found[key]; ok {
		return found
	}
	for _, w := range from {
		if len(found) > maxStored {
			break
		}
		found = append(found, fs.targets(w, depth+1)...)
	}
	fs.found[key] = found
	return found
}

// origins returns v as a target, if it is one, or the values that it is, or
// holds, one of.
func origins(v ssa.Value) (found, from []ssa.Value) {
	switch v := v.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.MakeInterface:
		if mi, ok := v.(*ssa.MakeInterface); ok && types.IsInterface(mi.X.Type()) {
			return nil, nil
		}
		return []ssa.Value{v}, nil
	case *ssa.ChangeType:
		return nil, []ssa.Value{v.X}
	case *ssa.Slice:
		return nil, []ssa.Value{v.X}
	case *ssa.Phi:
		return nil, v.Edges
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return nil, v.Call.Args
		}
		return returned(v, 0)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return returned(call, v.Index)
		}
	case *ssa.MakeMap:
		for _, ref := range *v.Referrers() {
			if m, ok := ref.(*ssa.MapUpdate); ok && m.Map == v {
				from = append(from, m.Value)
			}
		}
	case *ssa.Alloc:
		for _, ref := range *v.Referrers() {
			ia, ok := ref.(*ssa.IndexAddr)
			if !ok {
				continue
			}
			for _, r := range *ia.Referrers() {
				if s, ok := r.(*ssa.Store); ok && s.Addr == ia {
					from = append(from, s.Val)
				}
			}
		}
	}
	return nil, from
}

// returned returns the origins of a call's result: what a function of the
// package returns, else the call itself, if it returns an interface.
func returned(call *ssa.Call, result int) (found, from []ssa.Value) {
	fn := call.Call.StaticCallee()
	if fn == nil || result >= fn.Signature.Results().Len() {
		return nil, nil
	}
	if len(fn.Blocks) == 0 {
		if !types.IsInterface(fn.Signature.Results().At(result).Type()) {
			return nil, nil
		}
		for _, ref := range *call.Referrers() {
			if ex, ok := ref.(*ssa.Extract); ok && ex.Index == result {
				return []ssa.Value{ex}, nil
			}
		}
		return []ssa.Value{call}, nil
	}
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			from = append(from, ret.Results[result])
		}
	}
	return nil, from
}

// get returns what was stored in the field.
func (fs *fieldStores) get(f *types.Var) []ssa.Value {
	if f == nil || len(fs.stored[f]) > maxStored {
		return nil
	}
	return fs.stored[f]
}
