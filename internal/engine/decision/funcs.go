package decision

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
)

// IsObject reports whether t has the methods of an API object.
func IsObject(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "GetResourceVersion")
	_, ok := obj.(*types.Func)
	return ok
}

// NameOf returns the name that package flow uses for the function.
func NameOf(fn *ssa.Function) string {
	if obj, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil {
		return library.Name(obj)
	}
	return fn.String()
}

// TestedTypes returns the names of the concrete types that the function and its callees
// test objects for, sorted. given returns the functions of the package that a function
// value may be; it may be nil. imported returns the types of a function of another package.
func TestedTypes(fn *ssa.Function, given func(ssa.Value) []*ssa.Function, imported func(name string) []string) []string {
	names := make(map[string]bool)
	seen := make(map[*ssa.Function]bool)
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.TypeAssert:
					if !types.IsInterface(instr.AssertedType) {
						names[library.TypeName(instr.AssertedType)] = true
					}
				case *ssa.Call:
					if body := callee.Body(&instr.Call); body != nil {
						visit(body)
						continue
					}
					obj := callee.Static(&instr.Call)
					for _, name := range imported(library.Name(obj)) {
						names[name] = true
					}
					if obj == nil && given != nil && !instr.Call.IsInvoke() {
						for _, fn := range given(instr.Call.Value) {
							visit(fn)
						}
					}
				}
			}
		}
	}
	visit(fn)
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}
