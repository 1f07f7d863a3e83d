package controller

import (
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/library"
)

// A watch does not see all objects of its kind if its handler, or a predicate, selects
// some by their metadata:
//
//	func (r *Reconciler) ofTrust(ctx context.Context, obj client.Object) []reconcile.Request {
//		if obj.GetName() != "trusted-certificates" {
//			return nil
//		}
//		…
//	}

// Unmet returns what the handler or a predicate of the watch needs and the object that is
// written certainly lacks, so that no event of it becomes a request.
func (w Watch) Unmet(written Write) (need selection.Need, lacks bool) {
	for _, need := range w.needs() {
		if written.lacks(need) {
			return need, true
		}
	}
	return selection.Need{}, false
}

// MaySelect reports whether events of the object that is written may become requests.
func (w Watch) MaySelect(written Write) bool {
	_, lacks := w.Unmet(written)
	return w.Reach > Nothing && w.Kind.MayBe(written.Kind) && !lacks
}

// Selects reports whether the watch needs something of the objects.
func (w Watch) Selects() bool { return len(w.needs()) > 0 }

// needs returns what the handler and the predicates need.
func (w Watch) needs() []selection.Need {
	all := slices.Clone(w.Needs)
	for _, f := range w.Filters {
		all = append(all, f.Needs...)
	}
	return all
}

// lacks reports whether the object written certainly does not have what a handler needs.
// Of the names, a constant one is known, what one ends in, and one that is made of metadata.
// Of annotations nothing is known.
func (w Write) lacks(need selection.Need) bool {
	switch need.Part {
	case selection.Labels:
		return w.Object.Labels.Lack(need.Key)
	case selection.Name:
		return w.isNotNamed(need)
	case selection.Owner:
		return w.unowned
	case selection.Controller:
		return w.uncontrolled
	}
	return false
}

// isNotNamed reports whether the object certainly has none of the names that a handler
// needs.
func (w Write) isNotNamed(need selection.Need) bool {
	name, ending := w.Object.Name, w.Object.Ending
	if name != "" {
		return !slices.Contains(need.Names, name) &&
			!slices.ContainsFunc(need.Endings, func(e string) bool { return strings.HasSuffix(name, e) })
	}
	if ending == "" && len(need.Names)+len(need.Endings) > 0 {
		return false
	}
	isOne := func(other string) bool { return strings.HasSuffix(other, ending) }
	mayEnd := func(other string) bool { return isOne(other) || strings.HasSuffix(ending, other) }
	if slices.ContainsFunc(need.Names, isOne) || slices.ContainsFunc(need.Endings, mayEnd) {
		return false
	}
	return w.isNamedByMetadata() || !need.Given && len(need.Names)+len(need.Endings) > 0
}

// isNamedByMetadata reports whether the name of the object is made of the names of other
// objects, and of nothing that a user writes into a spec.
func (w Write) isNamedByMetadata() bool {
	return w.Object.NamedBy && len(w.Object.Named) > 0 && !slices.ContainsFunc(w.Object.Named, func(l flow.Label) bool {
		return !flow.IsOfName(l.Path)
	})
}

// needsOf returns what an object of a type must have so that the handler makes requests of
// all its events. A handler that may be one of several needs nothing that is known.
func needsOf(t *tree, handler flow.Arg, typeName string, s *selection.Package) []selection.Need {
	if handler.Unknown || len(handler.Objects) != 1 || len(handler.Funcs) > 0 {
		return nil
	}
	obj := handler.Objects[0]
	if ev, call := t.maker(obj); ev != nil {
		switch call.Role {
		case library.WrapHandler:
			return needsOf(t, arg(ev, call.Args, library.HandlerArg), typeName, s)
		case library.EnqueueMapped:
			return needsOfFunc(arg(ev, call.Args, library.MutateArg), typeName, s)
		}
		return nil
	}
	switch {
	case obj.Param >= 0 || library.TypeNamed(obj.Type).Is == library.OwnerHandler:
		return nil
	case library.TypeNamed(obj.Type).Is == library.FuncsHandler:
		return needsOfFuncs(obj, typeName, s)
	}
	return needsOfMethods(obj, typeName, s)
}

// needsOfFunc returns what the function needs that the argument is.
func needsOfFunc(fn flow.Arg, typeName string, s *selection.Package) []selection.Need {
	if fn.Unknown || len(fn.Funcs) != 1 || len(fn.Objects) > 0 {
		return nil
	}
	return s.NeedsOf(fn.Funcs[0], typeName)
}

// events are the events of objects, by the names of the methods for them. Those that come
// from elsewhere, the generic ones, do not count.
var events = []string{"Create", "Update", "Delete"}

// needsOfMethods returns what the methods of a handler or predicate need for all events.
func needsOfMethods(obj flow.Object, typeName string, s *selection.Package) []selection.Need {
	all := s.MethodNeeds(obj.Type, events[0], typeName)
	for _, event := range events[1:] {
		all = selection.Both(all, s.MethodNeeds(obj.Type, event, typeName))
	}
	return all
}

// needsOfFuncs returns what the functions of a handler or predicate need for all events.
func needsOfFuncs(obj flow.Object, typeName string, s *selection.Package) []selection.Need {
	var all []selection.Need
	for i, event := range events {
		fn, ok := field(obj, event+"Func")
		if !ok {
			return nil
		}
		needs := needsOfFunc(fn, typeName, s)
		if i == 0 {
			all = needs
		}
		all = selection.Both(all, needs)
	}
	return all
}

// needsOfPredicates returns what an object of a type must have to pass predicates.
func needsOfPredicates(predicates flow.Arg, typeName string, s *selection.Package) []selection.Need {
	var all []selection.Need
	for _, o := range predicates.Objects {
		if o.Sure {
			all = append(all, needsOfPredicate(o, typeName, s)...)
		}
	}
	return all
}

// needsOfPredicate returns what an object of a type must have to pass one predicate.
func needsOfPredicate(o flow.Object, typeName string, s *selection.Package) []selection.Need {
	switch how := library.Named(o.From).Combination; how {
	case library.NoneOf:
		return nil
	case library.AllOf, library.AnyOf:
		parts, ok := o.Part(access.Marked(access.Combined))
		if !ok || parts.Unknown {
			return nil
		}
		var all []selection.Need
		for i, part := range parts.Objects {
			needs := needsOfPredicate(part, typeName, s)
			if i == 0 || how == library.AllOf {
				all = append(all, needs...)
			} else {
				all = selection.Both(all, needs)
			}
		}
		return all
	}
	switch typ := library.TypeNamed(o.Type); {
	case typ.Passes != 0 || o.Param >= 0:
		return nil
	case typ.Is == library.FuncsPredicate:
		return needsOfFuncs(o, typeName, s)
	}
	return needsOfMethods(o, typeName, s)
}
