package controller

import (
	"strings"

	"github.com/operatorvet/operatorvet/internal/flow"
	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// A Reach says which of a kind's events become requests. A greater Reach lets
// more through.
type Reach int

const (
	// Nothing: the handler enqueues nothing at all.
	Nothing Reach = iota
	// Controlled: events of objects with a controller reference to an owner of
	// the watch's owner kind.
	Controlled
	// Owned: events of objects with any owner reference to such an owner.
	Owned
	// Everything: the handler decides, and may enqueue for any object.
	Everything
)

// A Watch is a kind whose events a controller receives.
type Watch struct {
	Kind  kubeapi.GroupKind
	Reach Reach
	// Owners are the kinds of owners that a Controlled or Owned watch maps to.
	Owners []kubeapi.GroupKind
	// ByOwns is set for a watch that the builder's Owns made.
	ByOwns bool
}

// watches are what the calls on one builder or controller add up to.
type watches struct {
	primary []kubeapi.GroupKind
	list    []Watch
	// open is set when there are watches of unknown kinds.
	open bool
	// pending is set when the caller decides about some of the watches.
	pending bool
}

// handlers tells what function values do. It is asked for the functions that
// handlers are made from.
type handlers interface {
	// returnsNothing reports whether the function certainly returns no
	// requests.
	returnsNothing(fn flow.Func) bool
}

// add takes in the call ev, a step of a builder or a watch of a controller.
func (w *watches) add(t *tree, ev *flow.Event, call kubeapi.Watch, h handlers) {
	object := arg(ev, call.Args, kubeapi.ObjectArg)
	switch call.Role {
	case kubeapi.For:
		w.note(object)
		kinds, all := kindsOf(object)
		w.open = w.open || !all
		w.primary = append(w.primary, kinds...)
		w.watch(object, Everything, nil)

	case kubeapi.Owns:
		// The owners are what For says; it may come after Owns.
		reach := Controlled
		if hasType(arg(ev, call.Args, kubeapi.OptionsArg), kubeapi.EveryOwner) {
			reach = Owned
		}
		n := len(w.list)
		w.watch(object, reach, nil)
		for i := range w.list[n:] {
			w.list[n+i].ByOwns = true
		}

	case kubeapi.Watches:
		if isSource(t, object) {
			w.source(t, object, arg(ev, call.Args, kubeapi.HandlerArg), h)
			return
		}
		w.handled(t, object, arg(ev, call.Args, kubeapi.HandlerArg), h)

	case kubeapi.WatchesMetadata:
		w.handled(t, object, arg(ev, call.Args, kubeapi.HandlerArg), h)

	case kubeapi.WatchesSource, kubeapi.ControllerWatch:
		w.source(t, arg(ev, call.Args, kubeapi.SourceArg), arg(ev, call.Args, kubeapi.HandlerArg), h)

	case kubeapi.InformerOf:
		if gvk := arg(ev, call.Args, kubeapi.GVKArg); !isNothing(gvk) {
			object = gvk
		}
		w.watch(object, Everything, nil)

	case kubeapi.DynamicWatch:
		w.open = true
	}
}

// note remembers when a caller decides what a is.
func (w *watches) note(a flow.Arg) {
	for _, obj := range a.Objects {
		if isOpen(obj) {
			w.pending = true
		}
	}
}

// watch adds the kinds of an object.
func (w *watches) watch(object flow.Arg, reach Reach, owners []kubeapi.GroupKind) {
	w.note(object)
	kinds, all := kindsOf(object)
	w.open = w.open || !all
	for _, kind := range kinds {
		w.list = append(w.list, Watch{Kind: kind, Reach: reach, Owners: owners})
	}
}

// handled adds the kinds of an object whose events go to a handler.
func (w *watches) handled(t *tree, object, handler flow.Arg, h handlers) {
	reach, owners := reachOf(t, handler, h)
	w.watch(object, reach, owners)
}

// isSource reports whether the first argument of Watches is a source, as it was
// up to controller-runtime 0.14, rather than an object.
func isSource(t *tree, a flow.Arg) bool {
	for _, obj := range a.Objects {
		if strings.HasPrefix(obj.Type, sourcePackage) {
			return true
		}
		if _, call := t.maker(obj); call.Role == kubeapi.KindSourceOf || call.Role == kubeapi.OpaqueSource {
			return true
		}
	}
	return false
}

const sourcePackage = "sigs.k8s.io/controller-runtime/pkg/source."

// source adds the kinds that a source watches. A source that is not understood
// may watch anything.
func (w *watches) source(t *tree, source, handler flow.Arg, h handlers) {
	w.note(source)
	if source.Unknown || len(source.Objects) == 0 {
		w.open = true
	}
	for _, obj := range source.Objects {
		if ev, call := t.maker(obj); call.Role == kubeapi.KindSourceOf {
			if own := arg(ev, call.Args, kubeapi.HandlerArg); !isNothing(own) {
				handler = own
			}
			w.handled(t, arg(ev, call.Args, kubeapi.ObjectArg), handler, h)
			continue
		}
		if typ, ok := part(obj, "Type"); ok && obj.Type == sourcePackage+"Kind" {
			w.handled(t, typ, handler, h)
			continue
		}
		if informer, ok := part(obj, "Informer"); ok {
			w.informer(t, informer)
			continue
		}
		w.open = true
	}
}

// informer adds the kinds of informers that came out of a cache.
func (w *watches) informer(t *tree, informer flow.Arg) {
	if informer.Unknown || len(informer.Objects) == 0 {
		w.open = true
	}
	for _, obj := range informer.Objects {
		ev, call := t.maker(obj)
		if call.Role != kubeapi.InformerOf {
			w.open = true
			continue
		}
		w.add(t, ev, call, nil)
	}
}

// reachOf returns what a handler lets through. Handlers of the project's own
// let through everything.
func reachOf(t *tree, handler flow.Arg, h handlers) (Reach, []kubeapi.GroupKind) {
	if handler.Unknown || len(handler.Objects) == 0 || len(handler.Funcs) > 0 {
		return Everything, nil
	}
	reach := Nothing
	var owners []kubeapi.GroupKind
	for _, obj := range handler.Objects {
		r, o := reachOfHandler(t, obj, h)
		reach = max(reach, r)
		owners = append(owners, o...)
	}
	return reach, owners
}

const handlerPackage = "sigs.k8s.io/controller-runtime/pkg/handler."

func reachOfHandler(t *tree, obj flow.Object, h handlers) (Reach, []kubeapi.GroupKind) {
	if ev, call := t.maker(obj); ev != nil {
		switch call.Role {
		case kubeapi.WrapHandler:
			return reachOf(t, arg(ev, call.Args, kubeapi.HandlerArg), h)
		case kubeapi.EnqueueOwner:
			owners, all := kindsOf(arg(ev, call.Args, kubeapi.OwnerArg))
			if !all {
				return Everything, nil
			}
			for _, option := range arg(ev, call.Args, kubeapi.OptionsArg).Objects {
				if _, call := t.maker(option); call.Role == kubeapi.ControllerOnly {
					return Controlled, owners
				}
			}
			return Owned, owners
		case kubeapi.EnqueueMapped:
			fn := arg(ev, call.Args, kubeapi.MutateArg)
			if h == nil || fn.Unknown || len(fn.Funcs) == 0 {
				return Everything, nil
			}
			for _, f := range fn.Funcs {
				if !h.returnsNothing(f) {
					return Everything, nil
				}
			}
			return Nothing, nil
		}
		return Everything, nil
	}

	switch obj.Type {
	case handlerPackage + "EnqueueRequestForOwner": // up to controller-runtime 0.14
		owner, ok := part(obj, "OwnerType")
		owners, all := kindsOf(owner)
		if !ok || !all {
			return Everything, nil
		}
		if only, ok := part(obj, "IsController"); ok && only.Const == "true" {
			return Controlled, owners
		} else if ok && only.Const != "false" {
			return Everything, nil
		}
		return Owned, owners
	case handlerPackage + "Funcs", handlerPackage + "TypedFuncs":
		if obj.Param < 0 && obj.From == "" && obj.Path == "" && len(obj.Parts) == 0 {
			return Nothing, nil
		}
	}
	return Everything, nil
}

// hasType reports whether an element of the argument has the dynamic type.
func hasType(a flow.Arg, typeName string) bool {
	for _, obj := range a.Objects {
		if obj.Type == typeName {
			return true
		}
	}
	return false
}
