package origin

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// FieldAt returns what a field of the struct that v is, or points to, certainly is at an
// instruction. That is a value, or, as of, the struct that has the same in the field. Both are nil
// if there are several possibilities.
//
//	return answer{done: done}, nil // the variable
//
//	a, err := check(ctx)
//	if err != nil || a.done { // the result of the call
func FieldAt(v ssa.Value, field string, at ssa.Instruction) (val, of ssa.Value) {
	return fieldAt(v, field, at, maxStructs)
}

// maxStructs bounds the structs of which one is a copy of the next, or is made by the next function.
const maxStructs = 8

func fieldAt(v ssa.Value, field string, at ssa.Instruction, depth int) (val, of ssa.Value) {
	if depth == 0 {
		return nil, nil
	}
	switch v := v.(type) {
	case *ssa.Const:
		return zeroField(v.Type(), field), nil
	case *ssa.Alloc:
		return fieldOfLocal(v, field, at, depth)
	case *ssa.UnOp:
		if cell, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return fieldOfLocal(cell, field, v, depth)
		}
	case *ssa.Call:
		if val := fieldOfMade(v, field, depth); val != nil {
			return val, nil
		}
	}
	return nil, v
}

// fieldOfLocal is fieldAt for a local variable.
func fieldOfLocal(cell *ssa.Alloc, field string, at ssa.Instruction, depth int) (val, of ssa.Value) {
	sets, ok := setsOf(cell, field)
	if !ok {
		return nil, nil
	}
	reach := reaching(cell, at, func(store *ssa.Store) bool { return store.Addr == cell || slices.Contains(sets, store) })
	if len(reach) != 1 {
		return nil, nil
	}
	switch store := reach[0]; {
	case store == nil:
		return zeroField(cell.Type().Underlying().(*types.Pointer).Elem(), field), nil
	case store.Addr == cell:
		return fieldAt(store.Val, field, store, depth-1)
	default:
		return store.Val, nil
	}
}

// setsOf returns the stores in a field of a local struct. It is not ok if something else may store
// there.
func setsOf(cell *ssa.Alloc, field string) (sets []*ssa.Store, ok bool) {
	for _, ref := range Users(cell) {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != cell {
				return nil, false
			}
		case *ssa.UnOp, *ssa.Return:
		case *ssa.FieldAddr:
			if Of(ref).FieldName() != field {
				continue
			}
			for _, use := range Users(ref) {
				store, isStore := use.(*ssa.Store)
				if isStore && store.Addr == ref {
					sets = append(sets, store)
				} else if !isLoad(use) {
					return nil, false
				}
			}
		default:
			return nil, false
		}
	}
	return sets, true
}

// fieldOfMade returns what a field is in the struct that a call returns, if that is a constant or
// an argument of the call:
//
//	func newAnswer(done bool) answer { return answer{done: done} }
func fieldOfMade(call *ssa.Call, field string, depth int) ssa.Value {
	fn, ok := call.Call.Value.(*ssa.Function)
	if !ok || len(fn.Blocks) != 1 {
		return nil
	}
	ret, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	val, _ := fieldAt(ret.Results[0], field, ret, depth-1)
	switch val := val.(type) {
	case *ssa.Const:
		return val
	case *ssa.Parameter:
		return call.Call.Args[slices.Index(fn.Params, val)]
	}
	return nil
}

// zeroField returns the zero value of a field of the type, or nil if that is no struct with such a
// field.
func zeroField(t types.Type, field string) ssa.Value {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		if f.Name() != field {
			continue
		}
		if b, ok := f.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
			return ssa.NewConst(constant.MakeBool(false), f.Type())
		}
		return ssa.NewConst(nil, f.Type())
	}
	return nil
}
