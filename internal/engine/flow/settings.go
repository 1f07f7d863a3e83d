package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// isSetting reports whether only configuration feeds a condition: the spec,
// names, flags. Such a condition does not change until somebody changes the spec.
//
// With callerDecides it only notes that there may be a setting: the caller knows
// what its arguments are.
func (in *interp) isSetting(ls labels) bool {
	if in.callerDecides && ls.areScalars() {
		in.sawSetting = true // the caller may pass a setting
	}
	if !ls.mayBeSettings() {
		return false
	}
	if in.callerDecides {
		in.sawSetting = true
		return false
	}
	return !in.remembers(ls)
}

// areScalars reports whether nothing but parameters that are no objects feed a
// condition: a boolean, a string, a pointer to one.
func (s labels) areScalars() bool {
	s = s.withoutItems()
	return len(s) > 0 && !slices.ContainsFunc(s, func(l Label) bool {
		return l.Kind != Content || l.Fixed || l.Appended || !l.Path.IsRoot()
	})
}

// areSettings reports whether there are labels, and only of configuration.
func (in *interp) areSettings(ls labels) bool {
	return ls.mayBeSettings() && !in.remembers(ls)
}

// remembers reports whether one of the labels is of what a reconcile stores.
func (in *interp) remembers(ls labels) bool {
	return slices.ContainsFunc(ls.withoutItems(), in.isRemembered)
}

// mayBeSettings reports whether they are configuration by the names of the fields.
func (s labels) mayBeSettings() bool {
	s = s.withoutItems()
	if len(s) == 0 {
		return false
	}
	for _, l := range s {
		if l.Kind != Content && l.Kind != State || l.Fixed && l.Path.IsRoot() {
			return false
		}
		if !isSettingPath(l) {
			return false
		}
	}
	return true
}

// areConfiguration reports whether nothing but settings, and names of objects, feed what
// this function or a caller made.
func (in *interp) areConfiguration(s labels) bool {
	s = s.transform(func(l Label) (Label, bool) { return l, !isName(l.Path) })
	return len(s) == 0 || in.areSettings(s)
}

func isSettingPath(l Label) bool {
	if l.Path.IsRoot() {
		return false
	}
	for step := range l.Path.Steps() {
		if step.Kind != access.Field {
			continue
		}
		switch step.Name {
		case "Spec", "DeletionTimestamp":
			return true
		case "Status", "Labels", "Annotations", "Data", "StringData", "ObjectMeta", "OwnerReferences",
			"ResourceVersion", "Generation", "Finalizers", "Object":
			return false
		}
	}
	// Content is a field of the reconciler or of its options. State is a field of
	// a live object beside spec and status.
	return l.Kind == Content
}

// isName reports whether the path is that of an object's own name or namespace, which
// never change. Those of elements tell which objects there are.
func isName(path access.Path) bool {
	switch path {
	case access.Fields("ObjectMeta", "Name"), access.Fields("ObjectMeta", "Namespace"):
		return true
	}
	return false
}

// isDeletion reports whether the condition is about deletion alone.
func isDeletion(ls labels) bool {
	ls = ls.withoutItems()
	for _, l := range ls {
		if l.Path.LastField() != "DeletionTimestamp" {
			return false
		}
	}
	return len(ls) > 0
}

// isDeletionTime reports whether v is the time at which an object was deleted, if it was. The
// labels of an item say nothing of that.
func isDeletionTime(v ssa.Value) bool {
	o := origin.Of(origin.Through(v, origin.Loaded, origin.Renamed))
	return o.Kind == origin.Field && o.FieldName() == "DeletionTimestamp" ||
		o.Kind == origin.Result && library.Of(callee.Static(&o.Call.Call)).Field == "DeletionTimestamp"
}

// measured returns the argument if v is a call of len, or the set of which v is the number
// of members, else v.
func measured(v ssa.Value) ssa.Value {
	if isLen(v) {
		return v.(*ssa.Call).Call.Args[0]
	}
	return v
}

// isReturned reports whether v is a pointer that a callee returns, or something behind an
// interface that it may have found in the cluster:
//
//	key := parseKey(secret) // nil if there is none, or if it does not fit
func (in *interp) isReturned(fr *frame, v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind != origin.Result {
		return false
	}
	return isStructPointer(v.Type()) || isInterface(v.Type()) && slices.ContainsFunc(callee.Args(&o.Call.Call), func(arg ssa.Value) bool {
		return in.mayHold(fr, arg)
	})
}

// mayHold reports whether v may hold what is in the cluster, or lead to it: a context, an
// API object or a part of one that is no setting.
func (in *interp) mayHold(fr *frame, v ssa.Value) bool {
	if library.TypeOf(v.Type()).Is == library.Context {
		return true
	}
	if s, ok := library.Deref(v.Type()).Underlying().(*types.Struct); ok && isObject(s) {
		return true
	}
	return slices.ContainsFunc(in.reg(fr, v).labels, func(l Label) bool { return !l.Path.IsRoot() && !isSettingPath(l) })
}

// isOfAnyType reports whether t is an interface without methods. What a library parsed or
// decoded is behind one.
func isOfAnyType(t types.Type) bool {
	iface, ok := types.Unalias(t).Underlying().(*types.Interface)
	return ok && iface.Empty() // a type parameter is none
}

func isStructPointer(t types.Type) bool {
	ptr, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = ptr.Elem().Underlying().(*types.Struct)
	return ok
}

// isLen reports whether v is the length of a sequence or map, or the number of members of a
// set.
func isLen(v ssa.Value) bool {
	o := origin.Of(v)
	if o.Kind != origin.Result {
		return false
	}
	if fn := callee.Static(&o.Call.Call); fn != nil {
		return library.Of(fn).Effect == library.Counts
	}
	return o.Builtin() == "len"
}
