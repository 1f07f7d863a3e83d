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

// isMeantFor reports whether the watch is there to see the object, be it that it lets nothing pass: that
// is the mistake of its controller, and said of that one only.
func (w Watch) isMeantFor(written Write) bool {
	return w.MaySelect(written) || w.Reach > Nothing && w.Kind.MayBe(written.Kind) && selection.IsNever(w.needs())
}

// Selects reports whether the watch needs something of the objects.
func (w Watch) Selects() bool { return len(w.needs()) > 0 }

// SeesDeletions reports whether the reconciler may learn from the watch that an object is gone.
func (w Watch) SeesDeletions() bool {
	return w.Reach > Nothing && !w.skipsDeletions && w.DropsDeletions() == nil
}

// DropsDeletions returns the first filter that no deletion passes, or nil.
func (w Watch) DropsDeletions() *Filter {
	i := slices.IndexFunc(w.Filters, func(f Filter) bool { return f.dropsDeletions })
	if i < 0 {
		return nil
	}
	return &w.Filters[i]
}

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
	case selection.Never:
		return true
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

// events are the events of objects, by the names of the methods for them. Those that come
// from elsewhere, the generic ones, do not count.
var events = []string{"Create", "Update", "Delete"}

// deletions are the events of objects that are gone.
var deletions = []string{"Delete"}

// A selector answers what an object of a type must have, so that some of its events pass.
type selector struct {
	of     *selection.Package
	typ    string // TypeName of the object
	events []string
}

// handler returns what is needed so that the handler makes requests. A handler that may be one
// of several needs nothing that is known.
func (s selector) handler(t *tree, handler flow.Arg) []selection.Need {
	if handler.Unknown || len(handler.Objects) != 1 || len(handler.Funcs) > 0 {
		return nil
	}
	obj := handler.Objects[0]
	if ev, call := t.maker(obj); ev != nil {
		switch call.Role {
		case library.WrapHandler:
			return s.handler(t, arg(ev, call.Args, library.HandlerArg))
		case library.EnqueueMapped:
			return s.function(arg(ev, call.Args, library.MutateArg))
		}
		return nil
	}
	switch {
	case obj.Param >= 0 || library.TypeNamed(obj.Type).Is == library.OwnerHandler:
		return nil
	case library.TypeNamed(obj.Type).Is == library.FuncsHandler:
		if obj.From != "" || !obj.Path.IsRoot() {
			return s.functions(obj, nil)
		}
		return s.functions(obj, []selection.Need{{Part: selection.Never}})
	}
	return s.methods(obj)
}

// function returns what the function needs that the argument is.
func (s selector) function(fn flow.Arg) []selection.Need {
	if fn.Unknown || len(fn.Funcs) != 1 || len(fn.Objects) > 0 {
		return nil
	}
	return s.of.NeedsOf(fn.Funcs[0], s.typ)
}

// methods returns what the methods of a handler or predicate need.
func (s selector) methods(obj flow.Object) []selection.Need {
	return s.each(func(event string) []selection.Need { return s.of.MethodNeeds(obj.Type, event, s.typ) })
}

// functions returns what the functions of a handler or predicate need, and without one
// what absent says.
func (s selector) functions(obj flow.Object, absent []selection.Need) []selection.Need {
	return s.each(func(event string) []selection.Need {
		if fn, ok := field(obj, event+"Func"); ok {
			return s.function(fn)
		}
		return absent
	})
}

// each returns what each of the events needs.
func (s selector) each(needs func(event string) []selection.Need) []selection.Need {
	all := needs(s.events[0])
	for _, event := range s.events[1:] {
		all = selection.Either(all, needs(event))
	}
	return all
}

// predicates returns what is needed to pass predicates.
func (s selector) predicates(predicates flow.Arg) []selection.Need {
	var all []selection.Need
	for _, o := range predicates.Objects {
		if o.Sure {
			all = append(all, s.predicate(o)...)
		}
	}
	return all
}

// predicate returns what is needed to pass one predicate.
func (s selector) predicate(o flow.Object) []selection.Need {
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
			needs := s.predicate(part)
			if i == 0 || how == library.AllOf {
				all = append(all, needs...)
			} else {
				all = selection.Either(all, needs)
			}
		}
		return all
	}
	switch typ := library.TypeNamed(o.Type); {
	case typ.Passes != 0 || o.Param >= 0:
		return nil
	case typ.Is == library.FuncsPredicate:
		return s.functions(o, nil)
	}
	return s.methods(o)
}
