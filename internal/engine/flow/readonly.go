package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A reconciler may ask how another object is that it never writes. What that says lasts, whatever
// the reconciler writes:
//
//	if !isReady(database) { return nil } // a Backup's reconciler

// isOfOther reports whether nothing decides but one object of the module that no code writes in the
// reconciles in which the condition is tested.
func (in *interp) isOfOther(fr *frame, c cfg.Condition) bool {
	c = c.Stripped()
	at, ok := c.Value.(ssa.Instruction)
	if !ok {
		return false
	}
	object := in.onlyAsked(fr, c)
	if object == nil {
		return false
	}
	name := library.TypeName(object)
	return in.isNeverWrittenWith(at.Parent(), writes{object: name, subresources: true}) && !in.affects(regionOf(c), name, make(map[*ssa.Function]bool))
}

// writes are those of objects of a TypeName.
type writes struct {
	object       string
	subresources bool // whether those of sub-resources, such as the status, are among them
	existence    bool // whether only those count that may create or delete an object
}

// isNeverWrittenWith reports whether it is certain that no code makes the writes in the reconciles
// in which the function runs.
func (in *interp) isNeverWrittenWith(fn *ssa.Function, ws writes) bool {
	program := in.programOf(fn)
	if program == nil {
		return false
	}
	key := writtenKey{ws, fn}
	written, known := in.writtenWith[key]
	if !known {
		for fn := range program {
			written = written || in.writesObject(fn, ws)
		}
		in.writtenWith[key] = written
	}
	return !written
}

// A writtenKey asks whether such a write is made where a function runs.
type writtenKey struct {
	writes
	fn *ssa.Function
}

// onlyAsked returns the type of the only object that decides the condition, one of the module's
// own, or nil.
func (in *interp) onlyAsked(fr *frame, c cfg.Condition) types.Type {
	v := in.reg(fr, c.Value)
	ls := v.labels
	if o, ok := fr.verdict(c.Value, c.Holds); ok {
		ls = ls.union(o.Labels)
	} else if v.unknown {
		return nil
	}
	passed := in.onlyPassed(origin.Held(c.Value))
	params := fr.outermost().fn.Params
	var only types.Type
	for _, l := range ls.withoutKeys() {
		var t types.Type
		switch {
		case l.Path.IsRoot():
		case l.Kind == Content && l.Param < len(params) && in.isOwnObject(params[l.Param].Type()):
			t = library.Deref(params[l.Param].Type())
		case l.Kind == State && l.What == "" && passed != nil:
			t = passed
		}
		if t == nil || only != nil && !types.Identical(t, only) {
			return nil
		}
		only = t
	}
	return only
}

// onlyPassed returns the type of the object of the module's own that a function gets of which v is
// the result, if it gets nothing else that it could read from: no client, no other object.
func (in *interp) onlyPassed(v ssa.Value) (object types.Type) {
	o := origin.Of(v)
	if o.Kind != origin.Result {
		return nil
	}
	for _, arg := range callee.Args(&o.Call.Call) {
		t := library.Deref(arg.Type())
		switch {
		case isBasic(t), onlyTells(t):
		case in.isOwnObject(t) && object == nil:
			object = t
		default:
			return nil
		}
	}
	return object
}

// onlyTells reports whether t is of a package that tells people something, such as a logger.
func onlyTells(t types.Type) bool {
	named := library.NamedOf(t)
	return named != nil && library.TraitsOfPackage(named.Obj().Pkg()).Has(library.Tells)
}

// isOwnObject reports whether t is a pointer to an object of the API that the module declares.
func (in *interp) isOwnObject(t types.Type) bool {
	named := library.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil || !in.isOwnPackage(named.Obj().Pkg().Path()) {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	return ok && isObject(s)
}

// writesObject reports whether the function itself, or one of another package that it calls, may make
// such a write.
func (in *interp) writesObject(fn *ssa.Function, ws writes) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && in.callWrites(call.Common(), ws) {
				return true
			}
		}
	}
	return false
}

func (in *interp) callWrites(call *ssa.CallCommon, ws writes) bool {
	args := callee.Args(call)
	fn := callee.Static(call)
	if fn == nil {
		return false
	}
	if w := library.Of(fn).Write; w != nil {
		i, ok := w.Args.Of(library.ObjectArg, len(args))
		return ws.include(w) && (!ok || in.mayPass(args[i], ws.object, maxHandedOn))
	}
	sum := in.imported(fn)
	return sum != nil && slices.ContainsFunc(sum.Events, func(ev Event) bool { return in.eventWrites(ev, args, ws) })
}

// include reports whether the write of an object may be one of these.
func (ws writes) include(w *library.Write) bool {
	return (ws.subresources || w.Sub == "") && !(ws.existence && (w.Verb == library.Update || w.Verb == library.Patch || w.Sub != ""))
}

// eventWrites reports whether the event, in a function that gets the arguments, may be such a write.
func (in *interp) eventWrites(ev Event, args []ssa.Value, ws writes) bool {
	w := library.Named(ev.Callee).Write
	if w == nil || !ws.include(w) {
		return false
	}
	i, ok := w.Args.Of(library.ObjectArg, len(ev.Args))
	if !ok || len(ev.Args[i].Objects) == 0 {
		return true // unknown
	}
	return slices.ContainsFunc(ev.Args[i].Objects, func(o Object) bool {
		at := ParamPath{o.Param, o.Path}
		if o.Copy != nil {
			at = *o.Copy
		}
		if o.Type == "" && 0 <= at.Param && at.Param < len(args) && at.Path.IsRoot() {
			return in.mayPass(args[at.Param], ws.object, maxHandedOn)
		}
		return in.contains(o.Type, ws.object)
	})
}

// maxHandedOn bounds the functions, one the caller of the other, that hand an object on.
const maxHandedOn = 4

// mayPass reports whether v may be an object of the type, or one that contains its spec. What a
// function of the package gets from its callers is one of what these pass:
//
//	func (r *Reconciler) createOrUpdate(ctx context.Context, obj client.Object) error
func (in *interp) mayPass(v ssa.Value, object string, depth int) bool {
	v = origin.Through(v, origin.Boxed, origin.Renamed)
	if p, ok := v.(*ssa.Parameter); ok && types.IsInterface(p.Type()) && depth > 0 {
		passed := in.ssa.Index.Passed(p)
		return len(passed) == 0 || slices.ContainsFunc(passed, func(v ssa.Value) bool { return in.mayPass(v, object, depth-1) })
	}
	return in.contains(passedType(v), object)
}
