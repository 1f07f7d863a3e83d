package requeue

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// An interval in a field of a structure that a function returns is zero where the function
// does not set it. A Result with it is empty then.
//
//	func (r *Reconciler) order(ctx context.Context) (state, error) {
//		if idle {
//			return state{}, nil
//		}
//		return state{again: time.Second}, nil
//	}
//
// Where the caller compares the field with something, it may have dealt with that.

// mayLack reports whether the field of a structure, of which v is a read, is certainly not
// set on some way on which the function that returned the structure has not failed.
func (p *Package) mayLack(v ssa.Value) bool {
	load, ok := v.(ssa.Instruction)
	field, of := origin.FieldOf(v)
	if !ok || field == nil {
		return false
	}
	cell, ok := of.(*ssa.Alloc)
	if !ok {
		return !comparesField(load.Parent(), field) && p.lacks(of, field, maxHelpers)
	}
	stores, captured := origin.StoresIn(cell)
	if captured > 0 || comparesField(load.Parent(), field) {
		return false
	}
	for _, store := range stores {
		sets := func(instr ssa.Instruction) bool {
			return instr != store && (storesIn(instr, cell) || setsField(instr, cell, field))
		}
		if store.Addr == ssa.Value(cell) && cfg.Leads(store, load, sets) && p.lacks(store.Val, field, maxHelpers) {
			return true
		}
	}
	return false
}

// lacks reports whether a structure is what a function returns that may not have set the
// field. It looks into depth functions, one inside the other.
func (p *Package) lacks(v ssa.Value, field *types.Var, depth int) bool {
	o := origin.Of(v)
	if _, isStruct := v.Type().Underlying().(*types.Struct); !isStruct || o.Kind != origin.Result || depth == 0 {
		return false
	}
	fn := callee.Body(o.Call.Common())
	if fn == nil || !returnsOnly(fn.Signature, o.Index) {
		return false
	}
	_, err := results(fn.Signature)
	for _, ret := range cfg.Returns(fn) {
		for _, on := range p.pathsTo(ret.Block()) {
			if on.leftOut(ret, err, nil) == "" && (isZeroAt(ret.Results[o.Index], field) || p.lacks(ret.Results[o.Index], field, depth-1)) {
				return true
			}
		}
	}
	return false
}

// returnsOnly reports whether a function returns its i-th result and perhaps an error.
// Another result may tell which of the structures are meant.
func returnsOnly(sig *types.Signature, i int) bool {
	_, err := results(sig)
	return i == 0 && (sig.Results().Len() == 1 || sig.Results().Len() == 2 && err == 1)
}

// isZeroAt reports whether the field of a structure is certainly zero: it is in a literal
// that leaves it out.
func isZeroAt(v ssa.Value, field *types.Var) bool {
	o := origin.Of(v)
	if o.Kind == origin.Constant {
		return true
	}
	lit, ok := o.X.(*ssa.Alloc)
	if o.Kind != origin.Loaded || !ok {
		return false
	}
	for _, ref := range *lit.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.FieldAddr:
			if f, _ := origin.FieldOf(ref); f == field || !onlyStored(ref) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyStored reports whether an address is only stored at.
func onlyStored(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if ref.Addr != addr {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func storesIn(instr ssa.Instruction, cell *ssa.Alloc) bool {
	store, ok := instr.(*ssa.Store)
	return ok && store.Addr == ssa.Value(cell)
}

func setsField(instr ssa.Instruction, cell *ssa.Alloc, field *types.Var) bool {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	f, of := origin.FieldOf(store.Addr)
	return f == field && of == ssa.Value(cell)
}

// comparesField reports whether the function compares the field of a structure.
func comparesField(fn *ssa.Function, field *types.Var) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			cmp, ok := instr.(*ssa.BinOp)
			if !ok || !isComparison(cmp.Op) {
				continue
			}
			for _, v := range []ssa.Value{cmp.X, cmp.Y} {
				if f, _ := origin.FieldOf(v); f == field {
					return true
				}
			}
		}
	}
	return false
}

func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}
