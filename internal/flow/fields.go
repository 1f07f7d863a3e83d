package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
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
	s, ok := types.Unalias(deref(t)).Underlying().(*types.Struct)
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
		return []ssa.Value{v.(ssa.Value)}
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

// of returns what was stored in the field that v is read from, directly or as
// an element.
func (fs *fieldStores) of(v ssa.Value) []ssa.Value {
	for range 8 {
		switch w := v.(type) {
		case *ssa.UnOp:
			v = w.X
		case *ssa.IndexAddr:
			v = w.X
		case *ssa.Index:
			v = w.X
		case *ssa.Lookup:
			v = w.X
		case *ssa.Extract:
			v = w.Tuple
		case *ssa.Next:
			v = w.Iter
		case *ssa.Range:
			v = w.X
		case *ssa.ChangeInterface:
			v = w.X
		case *ssa.FieldAddr:
			return fs.get(structField(w.X.Type(), w.Field))
		case *ssa.Field:
			return fs.get(structField(w.X.Type(), w.Field))
		default:
			return nil
		}
	}
	return nil
}

func (fs *fieldStores) get(f *types.Var) []ssa.Value {
	if f == nil || len(fs.stored[f]) > maxStored {
		return nil
	}
	return fs.stored[f]
}
