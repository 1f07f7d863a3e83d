package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// An annotation or label may be a mark that a step is done:
//
//	if thing.Annotations["migrated"] != "" { return nil }
//	migrate(thing)
//	thing.Annotations["migrated"] = "true"
//
// The step, or what runs after it, sets such an entry. If the entry is only set elsewhere,
// it is a mode for the step.

// keysSet returns the constant strings in the instruction under which it may set an entry:
// it does not only look them up, compare them or tell of them.
func (a *analysisState) keysSet(instr ssa.Instruction) (keys []string) {
	switch instr := instr.(type) {
	case *ssa.Lookup, *ssa.BinOp:
		return nil
	case *ssa.Store:
		if a.isOptionOf(instr.Addr) {
			return nil
		}
	}
	for _, op := range instr.Operands(nil) {
		if key, ok := a.text(*op); ok && !a.isSought(instr, *op) {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 && tells(instr) {
		return nil
	}
	return keys
}

// isOptionOf reports whether the address is that of an element of a list which is made for an option, or
// an argument, of a type that a library has:
//
//	patch.WithOwnedConditions{Conditions: []string{Ready, Provisioned}}
func (a *analysisState) isOptionOf(addr ssa.Value) bool {
	elem, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	array, ok := elem.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	isOfLibrary := func(t types.Type) bool {
		named := library.NamedOf(library.Deref(t))
		return named != nil && named.Obj().Pkg() != nil && !a.isOwnPackage(named.Obj().Pkg().Path())
	}
	lists := 0
	for _, ref := range *array.Referrers() {
		list, ok := ref.(*ssa.Slice)
		if !ok {
			continue
		}
		lists++
		if slices.ContainsFunc(*list.Referrers(), func(use ssa.Instruction) bool {
			switch use := use.(type) {
			case *ssa.ChangeType:
				return !isOfLibrary(use.Type())
			case *ssa.Store:
				field, of := origin.FieldOf(use.Addr)
				return field == nil || !isOfLibrary(of.Type())
			case *ssa.DebugRef:
				return false
			}
			return true
		}) {
			return false
		}
	}
	return lists > 0
}

// isSought reports whether the instruction calls a function that looks the string up, and does not
// use it otherwise.
func (a *analysisState) isSought(instr ssa.Instruction, key ssa.Value) bool {
	call, ok := instr.(*ssa.Call)
	return ok && a.seeks(&call.Call, key, maxCallers)
}

func (a *analysisState) seeks(call *ssa.CallCommon, key ssa.Value, depth int) bool {
	fn := callee.Static(call)
	i := slices.Index(callee.Args(call), key)
	if fn == nil || i < 0 || depth == 0 {
		return false
	}
	if body := callee.Body(call); body != nil {
		return i < len(body.Params) && a.isOnlyKey(body.Params[i], depth)
	}
	isKey := func(t Tested) bool { return t.KeyParam == i+1 }
	sum := a.imported(fn)
	return sum != nil && slices.ContainsFunc(sum.Verdicts, func(v Verdict) bool {
		return slices.ContainsFunc(slices.Concat(v.Tested, v.Yes.Tested, v.No.Tested), isKey)
	})
}

// isOnlyKey reports whether the function only looks the parameter up, or compares it.
func (a *analysisState) isOnlyKey(p *ssa.Parameter, depth int) bool {
	return !slices.ContainsFunc(*p.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Lookup, *ssa.BinOp, *ssa.DebugRef:
			return false
		case *ssa.Call:
			return !a.seeks(&use.Call, p, depth-1) && !tells(use)
		}
		return true
	})
}

// builds reports whether the instruction, which has a key, may set an entry of an object that
// the function makes. If it does not, it changes an object that it got.
func builds(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return !isGot(instr.Map) && !isForGot(instr.Map)
	case *ssa.Store:
		_, variadic := instr.Addr.(*ssa.IndexAddr)
		return !variadic
	case ssa.CallInstruction:
		return slices.ContainsFunc(callee.Args(instr.Common()), func(arg ssa.Value) bool { return mayHaveEntries(arg) && !isGot(arg) })
	}
	return true
}

// mayHaveEntries reports whether v is an object or its metadata, or a map.
func mayHaveEntries(v ssa.Value) bool {
	v = origin.Through(v, origin.Boxed, origin.Renamed)
	s, ok := library.Deref(v.Type()).Underlying().(*types.Struct)
	return isMapType(v.Type()) || ok && (isObject(s) || library.TypeOf(v.Type()).Is == library.ObjectMeta)
}

// isGot reports whether v is an object that the function got, or copied, or is a part of
// one.
func isGot(v ssa.Value) bool {
	for range maxDepth {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Parameter, origin.Captured:
			return true
		case origin.Renamed, origin.Boxed, origin.Loaded, origin.Field, origin.Element:
			v = o.X
		case origin.Result:
			called := &o.Call.Call
			fn := called.StaticCallee()
			if !(fn != nil && isCopier(fn)) && library.Of(callee.Static(called)).Effect != library.GetsMetadata {
				return false
			}
			v = callee.Args(called)[0]
		default:
			return false
		}
	}
	return false
}

// isForGot reports whether v is a map that the function makes, and only fills, looks things up
// in and passes on with an object that it got:
//
//	annotate(pod, map[string]string{"migrated": "true"})
func isForGot(v ssa.Value) bool {
	return origin.Of(v).Kind == origin.Made && !slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.MapUpdate, *ssa.Lookup, *ssa.DebugRef:
			return false
		case ssa.CallInstruction:
			with := slices.DeleteFunc(slices.Clone(callee.Args(use.Common())), func(arg ssa.Value) bool { return arg == v || !mayHaveEntries(arg) })
			return len(with) == 0 || slices.ContainsFunc(with, func(arg ssa.Value) bool { return !isGot(arg) })
		}
		return true
	})
}

// setsEntryUnder reports whether code that runs in the blocks, apart from the function but,
// may set an entry under the key.
func (in *interp) setsEntryUnder(blocks []*ssa.BasicBlock, but *ssa.Function, key string) bool {
	inPackage := in.setInPackage().keys[key]
	return in.anyRuns(blocks, func(instr ssa.Instruction) bool {
		return inPackage && slices.Contains(in.keysSet(instr), key) || in.othersSetEntry(instr, key)
	}, map[*ssa.Function]bool{but: true})
}

// othersSetEntry reports whether the instruction calls a function of another package that sets an
// entry under the key.
func (in *interp) othersSetEntry(instr ssa.Instruction, key string) bool {
	return in.othersChange(instr, func(_ *types.Func, ch Change) bool {
		last := ch.Path.Last()
		return last.Kind == access.Key && last.Name == key
	})
}

// addText notes the entry that the instruction sets or removes, for isLabelled.
func (a *analysisState) addText(instr ssa.Instruction) {
	var key, val ssa.Value
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		key, val = instr.Key, instr.Value
	case *ssa.Call:
		args := callee.Args(&instr.Call)
		switch {
		case origin.Of(instr).Builtin() == "delete":
			key = args[1]
		case library.Of(callee.Static(&instr.Call)).Effect == library.SetsMetadataEntry:
			key, val = args[1], args[2]
		}
	}
	if key == nil || !library.IsString(key.Type()) {
		return
	}
	name, known := a.text(key)
	if !known {
		return
	}
	text := ""
	if val != nil {
		text, _ = constants.String(val)
	}
	if old, ok := a.setIndex.texts[name]; ok && old != text {
		text = ""
	}
	a.setIndex.texts[name] = text
}

// isLabelled reports whether the condition is that an object has a label which the package sets,
// always to this text, and never removes. The operator's objects have it, before a write and
// after it:
//
//	if secret.Labels["managed"] != "true" { return false }
//	return secret.Annotations["hash"] == hashOf(secret.Data)
//
// An annotation may tell of a step.
func (in *interp) isLabelled(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL {
		return false
	}
	want, _ := constants.String(cmp.Y)
	entry := origin.Of(cmp.X)
	if want == "" || entry.Kind != origin.Element || entry.Key == nil || metadataRead(entry.X) != "Labels" {
		return false
	}
	name, known := in.text(entry.Key)
	return known && in.setInPackage().texts[name] == want
}

// maxCallers bounds how far up is looked for the code that marks a step as done.
const maxCallers = 2

// isEntrySet reports whether an entry under the key may be set where the condition was found, or
// by code that runs later: the rest of the function, or of those that call it. Where not all
// of these are known, any code of the package may. Objects that the package makes may have the
// entry wherever they are made.
func (in *interp) isEntrySet(key string, c cfg.Condition) bool {
	if in.setInPackage().built[key] {
		return true
	}
	at, ok := c.Stripped().Value.(ssa.Instruction)
	return !ok || in.setsEntryUnder(cfg.From(at.Block()), nil, key) || in.callersSet(at.Parent(), key, maxCallers)
}

// callersSet reports whether code that runs after a call of fn may set an entry under the key.
func (in *interp) callersSet(fn *ssa.Function, key string, depth int) bool {
	if depth == 0 {
		return false
	}
	calls, all := in.callsOf(fn)
	if !all {
		return in.setInPackage().keys[key]
	}
	return slices.ContainsFunc(calls, func(call ssa.Instruction) bool {
		return !isDeferred(call) && in.setsEntryUnder(cfg.From(call.Block()), fn, key) || in.callersSet(call.Parent(), key, depth-1)
	})
}

// callsOf returns the calls of fn, or the instructions that make a closure of it, and whether
// these are all. A reconcile is called by the library.
func (in *interp) callsOf(fn *ssa.Function) (calls []ssa.Instruction, all bool) {
	for _, mc := range in.ssa.Index.Closures(fn) {
		calls = append(calls, mc)
	}
	for _, call := range in.ssa.Index.Calls(fn) {
		calls = append(calls, call)
	}
	return calls, ssair.Reconciles(fn) || len(calls) > 0 && (fn.Parent() != nil || in.ssa.Index.HasAllCalls(fn))
}

// isDeferred reports whether the call is deferred, or the function literal is.
func isDeferred(call ssa.Instruction) bool {
	if lit, ok := call.(*ssa.MakeClosure); ok {
		return origin.IsDeferred(lit)
	}
	_, deferred := call.(*ssa.Defer)
	return deferred
}
