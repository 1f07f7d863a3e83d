package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A function may have options: functions that set fields of a struct which it makes.
//
//	func Patch(ctx context.Context, c client.Client, obj client.Object, options ...Option) error {
//		opts := &Options{}
//		for _, option := range options { option(opts) }
//		if opts.Retries { … }
//	}
//
// Whoever writes a call chooses them, so that a condition on one is the same each time.

// isOption reports whether the condition is a boolean that options set.
func (a *analysisState) isOption(c cfg.Condition) bool {
	field, of := origin.FieldOf(c.Stripped().Value)
	if field == nil {
		return false
	}
	named := library.NamedOf(of.Type())
	return named != nil && a.optionTypes()[named.Obj()]
}

// optionTypes returns the types of structs to which a function of the package gives what it gets as a
// list of functions.
func (a *analysisState) optionTypes() map[*types.TypeName]bool {
	if a.optionStructs != nil {
		return a.optionStructs
	}
	a.optionStructs = make(map[*types.TypeName]bool)
	for _, fn := range a.ssa.Funcs {
		if !fn.Signature.Variadic() {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || call.Call.IsInvoke() || len(call.Call.Args) != 1 || !isItemOf(call.Call.Value, fn.Params[len(fn.Params)-1]) {
					continue
				}
				if named := library.NamedOf(call.Call.Args[0].Type()); named != nil && isStructPointer(call.Call.Args[0].Type()) {
					a.optionStructs[named.Obj()] = true
				}
			}
		}
	}
	return a.optionStructs
}

// isItemOf reports whether v is an item of the list.
func isItemOf(v, list ssa.Value) bool {
	load := origin.Of(v)
	if load.Kind != origin.Loaded {
		return false
	}
	item := origin.Of(load.X)
	return item.Kind == origin.Element && origin.Held(item.X) == list
}
