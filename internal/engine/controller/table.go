package controller

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// paired returns the predicates of a call that watches objects of a type. Where the
// objects and the predicate come from the rows of a table, it leaves out the predicates
// of other rows:
//
//	for _, row := range []row{{configMaps, generation}, {serviceAccounts, nothing}} {
//		for _, obj := range row.objects {
//			b.Owns(obj, builder.WithPredicates(row.filter))
//		}
//	}
func (f *finder) paired(ev *flow.Event, predicates flow.Arg, typeName string) flow.Arg {
	call := f.callOf(ev)
	if call == nil || !slices.ContainsFunc(predicates.Objects, isChosen) {
		return predicates
	}
	names := predicatesFor(call, typeName)
	if len(names) == 0 {
		return predicates
	}
	predicates.Objects = slices.Clone(predicates.Objects)
	for i := range predicates.Objects {
		o := &predicates.Objects[i]
		o.Parts = slices.Clone(o.Parts)
		for j := range o.Parts {
			if p := &o.Parts[j]; p.Path == access.Marked(access.Chosen) {
				p.Arg.Objects = slices.DeleteFunc(slices.Clone(p.Arg.Objects), func(o flow.Object) bool {
					return o.Type != "" && !slices.Contains(names, o.Type)
				})
			}
		}
	}
	return predicates
}

// isChosen reports whether the predicate is made of one that is chosen.
func isChosen(o flow.Object) bool {
	_, ok := o.Part(access.Marked(access.Chosen))
	return ok
}

// callOf returns the call of the event if it is in the package.
func (f *finder) callOf(ev *flow.Event) *ssa.Call {
	syntax := callAt(f.pass.Files, ev.Pos)
	if syntax == nil || !f.isOwn(ev) {
		return nil
	}
	for _, fn := range f.funcs {
		if call := callIn(fn, syntax.Lparen); call != nil {
			return call
		}
	}
	return nil
}

// callIn returns the call in a function whose arguments begin at pos.
func callIn(fn *ssa.Function, pos token.Pos) *ssa.Call {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && call.Pos() == pos {
				return call
			}
		}
	}
	return nil
}

// predicatesFor returns the types of the predicates in those rows of a table that have
// objects of a type. It returns none unless the call takes its object and its only
// predicate from one row of a table that is known.
func predicatesFor(call *ssa.Call, typeName string) []string {
	var object ssa.Value
	var options []ssa.Value
	for _, arg := range call.Call.Args {
		if elems, ok := origin.Listed(arg); ok {
			options = elems
		} else if object == nil && isObject(arg) {
			object = arg
		}
	}
	if object == nil || len(options) != 1 {
		return nil
	}
	option, ok := origin.Through(options[0], origin.Renamed, origin.Boxed).(*ssa.Call)
	if !ok || len(option.Call.Args) == 0 {
		return nil
	}
	listed, ok := origin.Listed(option.Call.Args[len(option.Call.Args)-1])
	if !ok || len(listed) != 1 {
		return nil
	}
	row, filter, ok := origin.Cell(listed[0])
	of, objects, several := objectCell(object)
	if !ok || of != row {
		return nil
	}
	var names []string
	for _, r := range rowsOf(row.Table) {
		has, known := mayHave(r[objects], several, typeName)
		if !known {
			return nil
		}
		if has {
			if r[filter] == nil || types.IsInterface(dynamicType(r[filter])) {
				return nil
			}
			names = append(names, library.TypeName(dynamicType(r[filter])))
		}
	}
	if slices.Contains(names, "") {
		return nil
	}
	return names
}

// isObject reports whether v is an API object, as an interface.
func isObject(v ssa.Value) bool {
	method, _, _ := types.LookupFieldOrMethod(v.Type(), false, nil, "GetResourceVersion")
	return types.IsInterface(v.Type()) && method != nil
}

// objectCell returns the row and the field of a table that an object was read from, and
// whether the field has several objects.
func objectCell(object ssa.Value) (row origin.RowOf, field string, several bool) {
	if row, field, ok := origin.Cell(object); ok {
		return row, field, false
	}
	o := origin.Of(object)
	if o.Kind == origin.Loaded {
		o = origin.Of(o.X)
	}
	if o.Kind != origin.Element {
		return origin.RowOf{}, "", false
	}
	row, field, _ = origin.Cell(o.X)
	return row, field, true
}

// rowsOf returns the rows of a table: a literal, or what a function returns that does
// nothing else with it.
func rowsOf(table ssa.Value) []origin.Row {
	if !origin.OnlyRead(table) {
		return nil
	}
	if call, ok := table.(*ssa.Call); ok {
		fn := callee.Body(call.Common())
		if fn == nil || fn.Signature.Results().Len() != 1 {
			return nil
		}
		returned := origin.Returned(fn, 0)
		if len(returned) != 1 || len(origin.Users(returned[0])) != 1 {
			return nil
		}
		table = returned[0]
	}
	rows, _ := origin.Rows(table)
	return rows
}

// mayHave reports whether a cell of a table has an object of the type, and whether this
// is known.
func mayHave(cell ssa.Value, several bool, typeName string) (has, known bool) {
	if cell == nil {
		return false, true
	}
	objects := []ssa.Value{cell}
	if several {
		listed, ok := origin.Listed(cell)
		if !ok {
			return false, false
		}
		objects = listed
	}
	for _, obj := range objects {
		dynamic := dynamicType(obj)
		name := library.TypeName(dynamic)
		if name == "" || types.IsInterface(dynamic) {
			return false, false
		}
		has = has || name == typeName
	}
	return has, true
}
