package controller

import (
	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/library"
)

// A tree holds the events of a function's call tree. It traces objects back to the calls
// that made them.
type tree struct {
	events []flow.Event
	made   map[int]*flow.Event // by the ID of the object
}

func newTree(events []flow.Event) *tree {
	t := &tree{events: events, made: make(map[int]*flow.Event)}
	for i := range events {
		if ev := &events[i]; ev.Made != 0 {
			t.made[ev.Made] = ev
		}
	}
	return t
}

// maker returns the call that made the object, nil if it is not known, and the library's
// record of the function. The record is never nil, but may be empty.
func (t *tree) maker(obj flow.Object) (*flow.Event, *library.Watch) {
	if !obj.Path.IsRoot() {
		return nil, new(library.Watch) // part of what was made
	}
	ev := t.made[obj.ID]
	if ev == nil {
		return nil, new(library.Watch)
	}
	call := library.Named(ev.Callee).Watch
	if call == nil {
		call = new(library.Watch)
	}
	return ev, call
}

// arg returns the event's argument in the slot s, or the zero Arg if there is none.
func arg(ev *flow.Event, slots library.Slots, s library.Slot) flow.Arg {
	i, ok := slots.Of(s, len(ev.Args))
	if !ok {
		return flow.Arg{}
	}
	return ev.Args[i]
}

// field returns the value of a field of the object, and whether it was set. Several
// names are a path of nested fields.
func field(obj flow.Object, names ...string) (flow.Arg, bool) {
	return obj.Part(access.Fields(names...))
}

// isNothing reports whether the argument is absent or nil.
func isNothing(a flow.Arg) bool {
	return len(a.Objects) == 0 && len(a.Funcs) == 0 && !a.Unknown && a.Const == ""
}

// isOpen reports whether the kind of the object depends on the caller of the function
// whose events these are.
func isOpen(obj flow.Object) bool {
	return obj.Param >= 0 && obj.GVK == "" && (obj.Type == "" || obj.Type[0] == '$')
}

// kindOf returns the kind of an object, and whether it is known.
func kindOf(obj flow.Object) (library.GroupKind, bool) {
	if kind, ok := library.KindOfType(obj.Type); ok {
		return kind, true
	}
	return library.KindOfGVK(obj.GVK)
}

// kindsOf returns the kinds of the objects that the argument may be, and whether these
// are all.
func kindsOf(a flow.Arg) (kinds []library.GroupKind, all bool) {
	all = !a.Unknown && len(a.Objects) > 0
	for _, obj := range a.Objects {
		if kind, ok := kindOf(obj); ok {
			kinds = append(kinds, kind)
		} else {
			all = false
		}
	}
	return kinds, all
}
