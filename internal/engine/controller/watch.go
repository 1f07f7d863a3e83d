package controller

import (
	"go/token"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/library"
)

// A Reach says which of a kind's events become requests. A greater Reach lets
// more through.
type Reach int

const (
	// Nothing: the handler enqueues nothing.
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
	Kind  library.GroupKind
	Reach Reach
	// Name is the name of the kind in messages.
	Name string
	// Owners are the kinds that a Controlled or Owned watch maps objects to.
	Owners []library.GroupKind
	// ByFor and ByOwns are set for a watch that For or Owns of a builder adds.
	ByFor, ByOwns bool
	// Metadata is set when only metadata is watched.
	Metadata bool
	// Needs are what objects must have so that the handler makes requests of their
	// events; see [Watch.Unmet].
	Needs []selection.Need
	// Filters are the predicates. An event must pass all of them. Those of the whole
	// builder come last.
	Filters []Filter
	// Poll says when the reconciler looks again at objects of the kind. It is only
	// set if there are Filters.
	Poll Poll

	typ     string // TypeName of the object
	builder bool   // whether the filters of the builder apply
	// skipsDeletions is set if the handler makes no request of an object that is gone.
	skipsDeletions bool
}

// IsByOwners reports whether a watch goes by owner references.
func (w Watch) IsByOwners() bool { return w.Reach < Everything && len(w.Owners) > 0 }

// Passes returns the parts of an object whose change may reach the controller.
func (w Watch) Passes() library.Changes {
	passes := library.AnyChange
	for _, f := range w.Filters {
		passes &= f.Passes
	}
	return passes
}

// A Filter is a list of predicates. An event must pass all of them.
type Filter struct {
	// Pos and End are the range of the list, an option or an argument. If that is not
	// in the package, they are the range of the callee's name.
	Pos, End token.Pos
	// Whole is set if the list is for all watches of a builder.
	Whole bool
	// Passes is the parts of an object whose change may pass.
	Passes library.Changes
	// Needs are what objects must have so that their events pass.
	Needs []selection.Need

	dropsResyncs   bool // an update that changes nothing certainly does not pass
	dropsDeletions bool // no deletion of an object passes
}

// watches collects the watches of one builder or controller.
type watches struct {
	primary []library.GroupKind
	types   []string // the TypeNames of primary, as far as they are known
	list    []Watch
	// open is set if there are watches of unknown kinds, and unknown says why.
	open    bool
	unknown []string
	at      place.Place // of the call that is being added
	// pending is set if a watch or a reconciler depends on the caller.
	pending bool
	// filtered is set if predicates of a watch depend on the caller.
	filtered bool
	// filters are the calls of WithEventFilter.
	filters []*flow.Event
}

// handlers answers what the functions do that handlers and predicates are made from.
type handlers interface {
	// returnsNothing reports whether the function certainly returns no
	// requests.
	returnsNothing(fn flow.Func) bool
	// leavesQueue reports whether a handler of the type certainly puts nothing into the
	// queue of the controller.
	leavesQueue(typeName string) bool
	// startsItself reports whether the type has the method of a source, and is no object.
	startsItself(typeName string) bool
	// needs returns what an object of a type must have so that the handler makes
	// requests of some of these events.
	needs(t *tree, handler flow.Arg, typeName string, events []string) []selection.Need
	// filter returns what the predicates of a call let through, for objects of a
	// type.
	filter(ev *flow.Event, predicates flow.Arg, typeName string) Filter
}

// add adds the watches of the call ev, a step of a builder or a watch of a controller.
func (w *watches) add(t *tree, ev *flow.Event, call *library.Watch, h handlers) {
	object := arg(ev, call.Args, library.ObjectArg)
	options := arg(ev, call.Args, library.OptionsArg)
	n := len(w.list)
	w.at = ev.At
	defer func() {
		for i := range w.list[n:] {
			added := &w.list[n+i]
			switch call.Role {
			case library.For, library.Owns, library.Watches, library.WatchesMetadata:
				added.ByFor, added.ByOwns = call.Role == library.For, call.Role == library.Owns
				added.Metadata = call.Role == library.WatchesMetadata || has(options, library.OnlyMetadata)
				added.builder = true
				w.filter(added, ev, predicatesOf(options), h)
			case library.ControllerWatch:
				w.filter(added, ev, arg(ev, call.Args, library.PredicateArg), h)
			}
		}
	}()
	switch call.Role {
	case library.For:
		w.note(object)
		kinds, all := kindsOf(object)
		if !all {
			w.leaveOpen("For of an object of unknown kind")
		}
		w.primary = append(w.primary, kinds...)
		for _, obj := range object.Objects {
			w.types = append(w.types, obj.Type)
		}
		w.watch(object, Everything, nil)

	case library.Owns:
		// The owners are what For says; it may come after Owns.
		reach := Controlled
		if has(options, library.EveryOwner) {
			reach = Owned
		}
		w.watch(object, reach, nil)

	case library.Watches:
		if isSource(t, object) || slices.ContainsFunc(object.Objects, func(obj flow.Object) bool { return h.startsItself(obj.Type) }) {
			w.source(t, object, arg(ev, call.Args, library.HandlerArg), h)
			return
		}
		w.handled(t, object, arg(ev, call.Args, library.HandlerArg), h)

	case library.WatchesMetadata:
		w.handled(t, object, arg(ev, call.Args, library.HandlerArg), h)

	case library.WatchesSource, library.ControllerWatch:
		w.source(t, arg(ev, call.Args, library.SourceArg), arg(ev, call.Args, library.HandlerArg), h)

	case library.InformerOf:
		if gvk := arg(ev, call.Args, library.GVKArg); !isNothing(gvk) {
			object = gvk
		}
		w.watch(object, Everything, nil)

	case library.DynamicWatch:
		w.leaveOpen("a watch that is started while the controller runs")

	case library.WithEventFilter:
		w.filters = append(w.filters, ev)
	}
}

// finish adds to the watches what the whole builder says: the owners from For, and the
// filters of WithEventFilter.
func (w *watches) finish(h handlers) {
	for i := range w.list {
		added := &w.list[i]
		if added.ByOwns {
			added.Owners = w.primary
		}
		for _, ev := range w.filters {
			if call := library.Named(ev.Callee).Watch; call != nil && added.builder {
				w.filter(added, ev, arg(ev, call.Args, library.PredicateArg), h)
			}
		}
	}
}

// filter adds the predicates of the call ev to a watch.
func (w *watches) filter(added *Watch, ev *flow.Event, predicates flow.Arg, h handlers) {
	if h == nil || len(predicates.Objects) == 0 {
		return
	}
	w.filtered = w.filtered || slices.ContainsFunc(predicates.Objects, isUndecided)
	filter := h.filter(ev, predicates, added.typ)
	filter.Whole = library.Named(ev.Callee).Role() == library.WithEventFilter
	added.Filters = append(added.Filters, filter)
}

// isUndecided reports whether a predicate, or one that it is combined from, depends on
// the caller.
func isUndecided(predicate flow.Object) bool {
	parts, _ := predicate.Part(access.Marked(access.Combined))
	return isOpen(predicate) || slices.ContainsFunc(parts.Objects, isUndecided)
}

// predicatesOf returns the option among those of a watch that holds predicates. It
// returns none if there are several: the last one counts, and their order is not known.
func predicatesOf(options flow.Arg) flow.Arg {
	isFilter := func(o flow.Object) bool { return library.Named(o.From).Combination == library.AllOf }
	var filters flow.Arg
	for _, o := range options.Objects {
		if isFilter(o) {
			filters.Objects = append(filters.Objects, o)
		}
	}
	if len(filters.Objects) > 1 {
		return flow.Arg{}
	}
	return filters
}

// note records whether the argument depends on the caller.
func (w *watches) note(a flow.Arg) {
	for _, obj := range a.Objects {
		if isOpen(obj) {
			w.pending = true
		}
	}
}

// watch adds the kinds of an object.
func (w *watches) watch(object flow.Arg, reach Reach, owners []library.GroupKind) {
	w.note(object)
	if object.Unknown || len(object.Objects) == 0 {
		w.leaveOpen("the object watched is not known")
	}
	for _, obj := range object.Objects {
		kind, ok := kindOf(obj)
		if !ok {
			w.leaveOpen("the kind of an object watched is not known")
			continue
		}
		w.list = append(w.list, Watch{Kind: kind, Name: nameOf(obj), Reach: reach, Owners: owners, typ: obj.Type})
	}
}

// handled adds the kinds of an object whose events go to a handler.
func (w *watches) handled(t *tree, object, handler flow.Arg, h handlers) {
	reach, owners := reachOf(t, handler, h)
	n := len(w.list)
	w.watch(object, reach, owners)
	for i := range w.list[n:] {
		added := &w.list[n+i]
		added.Needs = h.needs(t, handler, added.typ, events)
		added.skipsDeletions = selection.IsNever(h.needs(t, handler, added.typ, deletions))
	}
}

// isSource reports whether the first argument of Watches is a source, as it was
// up to controller-runtime 0.14, rather than an object.
func isSource(t *tree, a flow.Arg) bool {
	for _, obj := range a.Objects {
		switch library.TypeNamed(obj.Type).Is {
		case library.SourceOfKind, library.OtherSource:
			return true
		}
		if _, call := t.maker(obj); call.Role == library.KindSourceOf || call.Role == library.OpaqueSource {
			return true
		}
	}
	return false
}

// source adds the kinds that a source watches. A source that is not understood may watch
// any kind.
func (w *watches) source(t *tree, source, handler flow.Arg, h handlers) {
	w.note(source)
	if source.Unknown || len(source.Objects) == 0 {
		w.leaveOpen("the source is not known")
	}
	for _, obj := range source.Objects {
		if ev, call := t.maker(obj); call.Role == library.KindSourceOf {
			if own := arg(ev, call.Args, library.HandlerArg); !isNothing(own) {
				handler = own
			}
			n := len(w.list)
			w.handled(t, arg(ev, call.Args, library.ObjectArg), handler, h)
			for i := range w.list[n:] {
				w.filter(&w.list[n+i], ev, arg(ev, call.Args, library.PredicateArg), h)
			}
			continue
		}
		if typ, ok := field(obj, "Type"); ok && library.TypeNamed(obj.Type).Is == library.SourceOfKind {
			w.handled(t, typ, handler, h)
			continue
		}
		if informer, ok := field(obj, "Informer"); ok {
			w.informer(t, informer)
			continue
		}
		w.leaveOpen("the source may watch anything")
	}
}

// leaveOpen records that the call being added watches kinds that are not known.
func (w *watches) leaveOpen(why string) {
	w.open = true
	if why = w.at.String() + ": " + why; !slices.Contains(w.unknown, why) {
		w.unknown = append(w.unknown, why)
	}
}

// informer adds the kinds of informers that come from a cache.
func (w *watches) informer(t *tree, informer flow.Arg) {
	if informer.Unknown || len(informer.Objects) == 0 {
		w.leaveOpen("the informer is not known")
	}
	for _, obj := range informer.Objects {
		ev, call := t.maker(obj)
		if call.Role != library.InformerOf {
			w.leaveOpen("the informer's origin is not known")
			continue
		}
		w.add(t, ev, call, nil)
	}
}

// reachOf returns what a handler lets through, and the kinds of the owners that it maps
// to. A handler that is not a library's lets everything through.
func reachOf(t *tree, handler flow.Arg, h handlers) (Reach, []library.GroupKind) {
	if handler.Unknown || len(handler.Objects) == 0 || len(handler.Funcs) > 0 {
		return Everything, nil
	}
	reach := Nothing
	var owners []library.GroupKind
	for _, obj := range handler.Objects {
		r, o := reachOfHandler(t, obj, h)
		reach = max(reach, r)
		owners = append(owners, o...)
	}
	return reach, owners
}

func reachOfHandler(t *tree, obj flow.Object, h handlers) (Reach, []library.GroupKind) {
	if ev, call := t.maker(obj); ev != nil {
		switch call.Role {
		case library.WrapHandler:
			return reachOf(t, arg(ev, call.Args, library.HandlerArg), h)
		case library.EnqueueOwner:
			owners, all := kindsOf(arg(ev, call.Args, library.OwnerArg))
			if !all {
				return Everything, nil
			}
			for _, option := range arg(ev, call.Args, library.OptionsArg).Objects {
				if _, call := t.maker(option); call.Role == library.ControllerOnly {
					return Controlled, owners
				}
			}
			return Owned, owners
		case library.EnqueueMapped:
			fn := arg(ev, call.Args, library.MutateArg)
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

	switch library.TypeNamed(obj.Type).Is {
	case library.OwnerHandler: // up to controller-runtime 0.14
		owner, ok := field(obj, "OwnerType")
		owners, all := kindsOf(owner)
		if !ok || !all {
			return Everything, nil
		}
		if only, ok := field(obj, "IsController"); ok && only.Const == "true" {
			return Controlled, owners
		} else if ok && only.Const != "false" {
			return Everything, nil
		}
		return Owned, owners
	case library.FuncsHandler:
		if obj.Param < 0 && obj.From == "" && obj.Path.IsRoot() && len(obj.Parts) == 0 {
			return Nothing, nil
		}
	}
	if h != nil && obj.Param < 0 && h.leavesQueue(obj.Type) {
		return Nothing, nil
	}
	return Everything, nil
}

// has reports whether an element of the argument is of the type that is meant.
func has(a flow.Arg, is library.Meant) bool {
	for _, obj := range a.Objects {
		if library.TypeNamed(obj.Type).Is == is {
			return true
		}
	}
	return false
}
