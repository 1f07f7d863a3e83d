package origin

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Row is a struct in a table: the values of its fields, by their names. Fields that are
// not set are left out.
type Row map[string]ssa.Value

// Rows returns the rows of a table: a slice literal of struct literals that is only read
// by index.
//
//	checks := []check{{objects, filter}, {others, another}}
//	for _, c := range checks {
func Rows(table ssa.Value) (rows []Row, ok bool) {
	slice, ok := table.(*ssa.Slice)
	if !ok || slice.Low != nil || slice.High != nil {
		return nil, false
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	byIndex := make(map[string]Row)
	for _, ref := range Users(array) {
		at, isElem := ref.(*ssa.IndexAddr)
		if !isElem {
			if ref != slice {
				return nil, false
			}
			continue
		}
		i, known := at.Index.(*ssa.Const)
		if !known || i.Value.Kind() != constant.Int || byIndex[i.Value.ExactString()] != nil {
			return nil, false
		}
		row, ok := rowAt(at)
		if !ok {
			return nil, false
		}
		byIndex[i.Value.ExactString()] = row
		rows = append(rows, row)
	}
	return rows, len(rows) > 0
}

// rowAt returns the struct that is stored at an address, field by field and each at most
// once. Newer versions of package ssa make the struct in a local variable first.
func rowAt(addr ssa.Value) (Row, bool) {
	row := make(Row)
	for _, ref := range Users(addr) {
		if lit := wholeLiteral(ref, addr); lit != nil && len(Users(addr)) == 1 {
			return rowAt(lit)
		}
		field, ok := ref.(*ssa.FieldAddr)
		if !ok {
			if isLoad(ref) {
				continue
			}
			return nil, false
		}
		name := Of(field).FieldName()
		stored := StoredAt(field)
		if len(stored) != 1 || len(Users(field)) != 1 || row[name] != nil {
			return nil, false
		}
		row[name] = stored[0]
	}
	return row, true
}

// wholeLiteral returns the local variable of which the instruction stores the value at
// addr, or nil.
func wholeLiteral(instr ssa.Instruction, addr ssa.Value) *ssa.Alloc {
	store, ok := instr.(*ssa.Store)
	if !ok || store.Addr != addr {
		return nil
	}
	o := Of(store.Val)
	if o.Kind != Loaded {
		return nil
	}
	lit, _ := o.X.(*ssa.Alloc)
	return lit
}

// isLoad reports whether the instruction loads a value.
func isLoad(instr ssa.Instruction) bool {
	v, ok := instr.(ssa.Value)
	return ok && Of(v).Kind == Loaded
}

// Users returns the instructions that use v, other than those for debuggers, which only
// some drivers ask for.
func Users(v ssa.Value) []ssa.Instruction {
	isDebug := func(instr ssa.Instruction) bool { _, ok := instr.(*ssa.DebugRef); return ok }
	return slices.DeleteFunc(slices.Clone(*v.Referrers()), isDebug)
}

// OnlyRead reports whether a function does nothing with a slice but ask for its length
// and read elements.
func OnlyRead(slice ssa.Value) bool {
	for _, ref := range Users(slice) {
		switch ref := ref.(type) {
		case *ssa.IndexAddr:
			if len(StoredAt(ref)) > 0 || StoredBelow(ref) {
				return false
			}
		case *ssa.Call:
			if Of(ref).Builtin() != "len" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// A RowOf identifies a row of a table: by a variable that holds it, or by its index.
type RowOf struct{ Table, Row ssa.Value }

// Cell returns the row of a table and the field that v was read from. It is not ok if v
// is something else.
func Cell(v ssa.Value) (row RowOf, field string, ok bool) {
	o := Of(Through(v, Renamed))
	if o.Kind == Loaded {
		o = Of(o.X)
	}
	if o.Kind != Field {
		return RowOf{}, "", false
	}
	elem := Of(o.X)
	if elem.Kind == Loaded {
		elem = Of(elem.X)
	}
	row.Row = elem.Key
	if elem.Kind == Local && !StoredBelow(o.X) { // the variable of a range loop
		row.Row = o.X
		if stored := StoredOnce(o.X); stored != nil {
			elem = Of(Of(stored).X)
		}
	}
	row.Table = elem.X
	return row, o.FieldName(), elem.Kind == Element
}
