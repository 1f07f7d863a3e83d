package controller

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
)

// A Write is a write of one object by a call in a reconciler's call tree.
type Write struct {
	// Event is the call.
	Event *flow.Event
	// Object is the object that it writes.
	Object flow.Object

	// Kind is the kind of the object, zero if it is not known.
	Kind library.GroupKind
	// Name is the name of the kind in messages.
	Name string

	Verb library.Verb
	// Creates is set if the write creates a missing object.
	Creates bool
	// Sub is set for a write of a sub-resource.
	Sub bool
	// Elsewhere is set if the client may be one of another cluster.
	Elsewhere bool
	// Ephemeral is set if no reconcile creates the object again after somebody has
	// deleted it. It deletes itself, or it has a new name each time and nobody counts the
	// objects that are there, or it is created at a scheduled time or while its owner is
	// deleted.
	Ephemeral bool
	// Phases are the kinds of objects that must be in a certain phase for the write
	// to happen.
	Phases []library.GroupKind
	// Until and While are the kinds of objects whose status decides that the write
	// happens once, as in [flow.Once]. A zero kind stands for an object of which
	// the type is not known.
	Until, While []library.GroupKind
	// Metadata is set if only metadata is written.
	Metadata bool
	// OfOther is set if the object is an output of another controller, or may be one:
	// its controller reference is to that controller's own kind, and that one creates
	// such objects too, or is not seen; or its owners are not known, and that one creates
	// such objects by the same call.
	OfOther bool
	// Relayed is set if another controller sees events of the object, whoever owns it, and
	// may tell this one of them by the status of a child.
	Relayed bool
	// Poll says when the reconciler looks again at objects of the kind. It is only
	// set if the write creates them.
	Poll Poll

	// unowned and uncontrolled are set if the object certainly gets no owner reference, no
	// controller reference, by this write or by another one.
	unowned, uncontrolled bool
}

// Scope is the scope in which the write happens.
func (w Write) Scope() flow.Scope {
	if w.Object.Scope == flow.AnyScope {
		return w.Event.Scope
	}
	return w.Object.Scope
}

// At returns where the write is to be looked for: the call at which its kind is known,
// if it is passed on to a function that writes objects of any kind.
func (w Write) At() place.Place {
	if w.Object.Passed.IsZero() {
		return w.Event.At
	}
	return w.Object.Passed
}

// byJob reports whether a goroutine creates the object again, in each round of a loop.
func (w Write) byJob() bool { return w.Creates && w.Event.Go && w.Event.Rounds }

// Span is the range of that call in the package under analysis, or of the call there
// that leads to it.
func (w Write) Span() (from, to token.Pos) {
	if w.Object.PassedPos.IsValid() {
		return w.Object.PassedPos, w.Object.PassedEnd
	}
	return w.Event.Pos, w.Event.End
}

// writesOf returns the writes among the events of a reconciler's call tree. It leaves
// out those of a dry run.
func writesOf(t *tree, trusted func(param int, path access.Path) bool) []Write {
	foreign := t.makesClients()
	var writes []Write
	abroad := make(map[place.Place]bool)   // calls that may write to another cluster
	anywhere := make(map[*flow.Event]bool) // nothing is known of the client, but perhaps the type that holds it
	for i := range t.events {
		ev := &t.events[i]
		call := library.Named(ev.Callee).Write
		if call == nil || t.isDry(ev, call) {
			continue
		}
		w := Write{
			Event:   ev,
			Verb:    call.Verb,
			Creates: t.creates(ev, call),
			Sub:     call.Sub != "" || t.isSubresource(ev, call),
		}
		w.Phases = kindsNamed(ev.Phases)
		w.Until, w.While = kindsNamed(ev.Once.Until), kindsNamed(ev.Once.While)
		client := arg(ev, call.Args, library.ClientArg)
		w.Elsewhere = !call.Own && !t.sameCluster(client, trusted, foreign, 0)
		abroad[ev.At] = abroad[ev.At] || w.Elsewhere
		anywhere[ev] = client.Unknown && !slices.ContainsFunc(client.Objects, func(o flow.Object) bool { return o.Param >= 0 })

		object := arg(ev, call.Args, library.ObjectArg)
		if call.Kind == library.OfResult {
			object = flow.Arg{Objects: []flow.Object{{Param: -1, Type: ev.Result, OwnersUnknown: true}}}
		}
		for _, obj := range object.Objects {
			w := w
			w.Object = obj
			w.Creates = w.Creates && !(obj.Found && createsWhole(w.Verb))
			w.Kind, _ = kindOf(obj)
			w.Name = nameOf(obj)
			w.Ephemeral = isEphemeral(obj) || ev.Deleting || call.Verb == library.Create && isScheduled(ev)
			w.Metadata = isMetadata(obj)
			w.Object.OwnersUnknown = obj.OwnersUnknown || len(obj.OwnersOf) > 0 || ev.Cut || call.Own || obj.Existed && w.Verb == library.Create
			if ev.Cut || call.Own {
				w.Object.Labels = flow.Keys{}
			}
			if w.Kind.IsZero() && call.Kind == library.OfResource {
				w.Kind, w.Name = t.kindOfResource(client)
			}
			writes = append(writes, w)
		}
		if object.Unknown || len(object.Objects) == 0 {
			w.Object = flow.Object{Param: -1, OwnersUnknown: true}
			if call.Kind == library.OfResource {
				w.Kind, w.Name = t.kindOfResource(client)
			}
			writes = append(writes, w)
		}
	}
	for i := range writes {
		w := &writes[i]
		w.Elsewhere = w.Elsewhere || anywhere[w.Event] && abroad[w.Event.At]
	}
	return writes
}

// createsWhole reports whether a write of the verb creates the object that it gets only if
// there is none. An apply is made of what it wants to own.
func createsWhole(verb library.Verb) bool {
	return verb == library.Create || verb == library.CreateOrUpdate || verb == library.CreateOrPatch
}

// kindsNamed returns the kinds of the types with these names, zero for "".
func kindsNamed(names []string) []library.GroupKind {
	var kinds []library.GroupKind
	for _, name := range names {
		if kind, ok := library.KindOfType(name); ok || name == "" {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// creates reports whether the call creates a missing object.
func (t *tree) creates(ev *flow.Event, call *library.Write) bool {
	switch call.Verb {
	case library.Create, library.Apply, library.CreateOrUpdate, library.CreateOrPatch:
		return true
	case library.Patch:
		patch := arg(ev, call.Args, library.PatchArg)
		if isApplyType(patch.Const) {
			return true
		}
		for _, obj := range patch.Objects {
			if library.TypeNamed(obj.Type).Is == library.ServerSideApply {
				return true
			}
			if raw, call := t.maker(obj); call.Role == library.RawPatch &&
				isApplyType(arg(raw, call.Args, library.PatchArg).Const) {
				return true
			}
		}
	}
	return false
}

func isApplyType(patchType string) bool {
	return patchType == library.ApplyPatchType || patchType == library.ApplyPatchTypeCBOR
}

// isDry reports whether the call is a dry run, by its options or its client.
func (t *tree) isDry(ev *flow.Event, call *library.Write) bool {
	if ev.IsDryRun(call) {
		return true
	}
	for _, obj := range arg(ev, call.Args, library.ClientArg).Objects {
		if _, call := t.maker(obj); call.Role == library.DryClient {
			return true
		}
	}
	return false
}

// isSubresource reports whether the call names a sub-resource in its last
// argument, as the methods of clientsets do.
func (t *tree) isSubresource(ev *flow.Event, call *library.Write) bool {
	i, ok := call.Args.Of(library.OptionsArg, len(ev.Args))
	if !ok || i+1 >= len(ev.Args) {
		return false
	}
	last := ev.Args[i+1]
	return last.Const != "" || len(last.Objects) > 0
}

// isEphemeral reports whether the object is a Job that deletes itself or that has a new
// name each time. No reconcile keeps such an object in a desired state.
func isEphemeral(obj flow.Object) bool {
	kind, _ := kindOf(obj)
	if kind.Kind != "Job" {
		return false
	}
	_, ttl := field(obj, "Spec", "TTLSecondsAfterFinished")
	_, generated := field(obj, "ObjectMeta", "GenerateName")
	return ttl || generated
}

// isScheduled reports whether a guard of the call depends on the current time and on
// something that changes as time goes by, like the time of the last run. A guard that
// compares the time with what the user has asked for in a spec, or with the age of the
// object, lets each reconcile pass until then, or from then on.
func isScheduled(ev *flow.Event) bool {
	return slices.ContainsFunc(ev.Guards, func(guard []flow.Label) bool {
		return slices.ContainsFunc(guard, flow.Label.IsTime) && !isDeadline(guard)
	})
}

// isDeadline reports whether the guard depends on nothing but the current time and what
// objects have in their specs, or the times of their creation, and one of these is a
// time. A time that comes from elsewhere, and feeds nothing, may be that of the next run,
// which a duration of the spec only delays.
func isDeadline(guard []flow.Label) bool {
	set := false
	for _, l := range guard {
		if l.IsTime() {
			continue
		}
		if l.Kind != flow.State || l.Path.FirstField() != "Spec" && !l.Path.Within(creationTimestamp) {
			return false
		}
		set = set || isTimeField(l.Path.LastField())
	}
	return set
}

// isTimeField reports whether a field of this name has a time, by the API conventions. See
// https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#primitive-types.
func isTimeField(name string) bool {
	return strings.HasSuffix(name, "Time") || strings.HasSuffix(name, "Timestamp")
}

var creationTimestamp = access.Fields("ObjectMeta", "CreationTimestamp")

// isMetadata reports whether the object is an apply configuration that sets only
// metadata, though its kind has other content.
func isMetadata(obj flow.Object) bool {
	if obj.Param >= 0 || !obj.Path.IsRoot() || obj.From == "" || !strings.HasSuffix(obj.Type, "ApplyConfiguration") {
		return false
	}
	content := library.Parts(obj.Type)
	return len(content) > 0 && len(obj.Parts) == 0
}

// makesClients reports whether the call tree makes clients of its own. They are assumed
// to be those of other clusters.
func (t *tree) makesClients() bool {
	for _, ev := range t.events {
		switch library.Named(ev.Callee).Role() {
		case library.NewClient, library.NewCluster:
			return true
		}
	}
	return false
}

// sameCluster reports whether a client is one of the cluster that the controller
// watches, as far as the code shows. Clients that set-up code stores in the reconciler,
// or that a manager returns, are. Clients that a reconcile makes, that an unknown function
// returns, or of which a map has one for each cluster, are not.
func (t *tree) sameCluster(client flow.Arg, trusted func(param int, path access.Path) bool, foreign bool, depth int) bool {
	if len(client.Objects) == 0 || depth > 8 {
		return false
	}
	for _, obj := range client.Objects {
		ev, call := t.maker(obj)
		switch {
		case obj.Path.HasIndex():
			return false
		case ev != nil:
			switch call.Role {
			case library.WrapClient, library.SubClient, library.ResourceClient, library.ManagerClient:
				if !t.sameCluster(arg(ev, call.Args, library.ClientArg), trusted, foreign, depth+1) {
					return false
				}
			default:
				return false
			}
		case obj.Param >= 0:
			if !trusted(obj.Param, obj.Path) {
				return false
			}
		case library.IsClientsetGetter(obj.From):
			if foreign {
				return false
			}
		case obj.From != "":
			return false
		}
	}
	return true
}

// kindOfResource returns the kind that a dynamic client was made for.
func (t *tree) kindOfResource(client flow.Arg) (library.GroupKind, string) {
	for range 4 {
		if len(client.Objects) != 1 || client.Unknown {
			break
		}
		ev, call := t.maker(client.Objects[0])
		if call.Role != library.ResourceClient {
			break
		}
		resource := arg(ev, call.Args, library.ResourceArg)
		if len(resource.Objects) == 1 && !resource.Unknown {
			group, _ := field(resource.Objects[0], "Group")
			name, ok := field(resource.Objects[0], "Resource")
			kind, known := library.KindOfResource(group.Const, name.Const)
			if !ok || !known {
				break
			}
			return kind, nameOf(flow.Object{GVK: kind.Group + "//" + kind.Kind})
		}
		client = arg(ev, call.Args, library.ClientArg)
	}
	return library.GroupKind{}, ""
}

// nameOf returns the name of an object's kind for messages. That is the qualified name
// of the Go type, as code usually spells it, or the version and the kind.
func nameOf(obj flow.Object) string {
	if _, typed := library.KindOfType(obj.Type); !typed && obj.GVK != "" {
		i := strings.LastIndexByte(obj.GVK, '/')
		kind := obj.GVK[i+1:]
		version := strings.Trim(obj.GVK[:max(i, 0)], "/")
		if version == "" {
			return kind
		}
		return version + " " + kind
	}
	i := strings.LastIndexByte(obj.Type, '.')
	if i < 0 {
		return obj.Type
	}
	pkg, name := obj.Type[:i], strings.TrimSuffix(obj.Type[i+1:], "ApplyConfiguration")
	qualifier := path.Base(pkg)
	if group := path.Base(path.Dir(pkg)); library.IsVersion(qualifier) && isIdentifier(group) {
		qualifier = group + qualifier
	}
	return qualifier + "." + name
}

// isIdentifier reports whether import names are usually made from the directory's name.
// That is not so for "api" and the like, or for a name with a hyphen.
func isIdentifier(dir string) bool {
	switch dir {
	case "api", "apis", "types", "pkg":
		return false
	}
	return strings.Trim(dir, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// MayOwn reports whether the object written may have an owner reference to an object of
// one of the kinds. With controllers, only references with Controller set count.
func (w Write) MayOwn(owners []library.GroupKind, controllers bool) bool {
	return w.Object.OwnersUnknown || w.addsOwner(owners, controllers)
}

// addsOwner reports whether the code adds such an owner reference, as far as it is seen.
func (w Write) addsOwner(owners []library.GroupKind, controllers bool) bool {
	for _, ref := range w.Object.Owners {
		if controllers && !ref.Controller {
			continue
		}
		kind, ok := library.KindOfType(ref.Type)
		if !ok || slices.ContainsFunc(owners, kind.MayBe) {
			return true
		}
	}
	return false
}

// Unowned returns the writes that create objects of the kind and certainly set no owner
// reference to one of the owners. It returns none if another write may add one to an
// object that exists, or a controller of the kind does. With controllers, only references
// with Controller set count.
//
// A write that creates nothing keeps the references that the object has, also if code
// that is not seen has got the object in between. Only a reference that it adds counts.
func (c *Controller) Unowned(kind library.GroupKind, owners []library.GroupKind, controllers bool) []Write {
	if c.mayAdopt(kind, owners, controllers) {
		return nil
	}
	var unowned []Write
	for _, w := range c.Writes {
		if w.Creates && !w.Sub && !w.Kind.IsZero() && w.Kind.MayBe(kind) && !w.MayOwn(owners, controllers) {
			unowned = append(unowned, w)
		}
	}
	return unowned
}

// mayAdopt reports whether a write may add a reference to one of the owners to an object of the
// kind that exists.
func (c *Controller) mayAdopt(kind library.GroupKind, owners []library.GroupKind, controllers bool) bool {
	adopts := func(other *Controller) bool {
		return slices.ContainsFunc(other.Primary, kind.MayBe) && slices.ContainsFunc(other.Writes, func(w Write) bool {
			return w.Kind.MayBe(kind) && w.addsOwner(owners, controllers)
		})
	}
	return slices.ContainsFunc(c.others, adopts) || slices.ContainsFunc(c.Writes, func(w Write) bool {
		switch {
		case w.Sub, w.Verb == library.Delete, w.Verb == library.DeleteAllOf, w.Creates, !w.Kind.IsZero() && !w.Kind.MayBe(kind):
			return false
		}
		return w.addsOwner(owners, controllers) && !c.createsOwned(w, owners, controllers) || w.Event.Cut
	})
}

// anyOwner is an owner of any kind.
var anyOwner = []library.GroupKind{{}}

// markUnowned sets unowned and uncontrolled of the writes.
func (c *Controller) markUnowned() {
	for i := range c.Writes {
		w := &c.Writes[i]
		if !w.Creates || w.Kind.IsZero() {
			continue
		}
		w.unowned = !w.MayOwn(anyOwner, false) && !c.mayAdopt(w.Kind, anyOwner, false)
		w.uncontrolled = w.unowned || !w.MayOwn(anyOwner, true) && !c.mayAdopt(w.Kind, anyOwner, true)
	}
}

// createsOwned reports whether another write creates the very object that w writes, with
// an owner reference to one of the owners. Then w adds none to what others create.
func (c *Controller) createsOwned(w Write, owners []library.GroupKind, controllers bool) bool {
	return w.Object.Param < 0 && w.Object.ID != 0 && slices.ContainsFunc(c.Writes, func(made Write) bool {
		return made.Creates && made.Object.Param < 0 && made.Object.ID == w.Object.ID && made.addsOwner(owners, controllers)
	})
}

// IsShared reports whether the objects that are written for several owners have the same
// name: it is a constant, or a setting of the reconciler. Several owners would fight over an
// object that CreateOrUpdate keeps as each of them wants it, so that there is one.
func (w Write) IsShared() bool {
	return !w.Object.Asked && (w.Object.Constant || len(w.Object.Named) > 0 && !w.isOfRequest())
}

// isOfRequest reports whether the name of the object comes from the request, or from an
// object: each request has its own.
func (w Write) isOfRequest() bool {
	return slices.ContainsFunc(w.Object.Named, func(l flow.Label) bool { return l.Kind != flow.Content || l.Param != 0 })
}

// MustBeControlledBy reports whether the object written certainly has a
// controller reference to an object of the kind.
func (w Write) MustBeControlledBy(owner library.GroupKind) bool {
	return !w.Object.OwnersUnknown && slices.ContainsFunc(w.Object.Owners, func(ref flow.Owner) bool {
		kind, ok := library.KindOfType(ref.Type)
		return ref.Controller && ok && kind.Same(owner)
	})
}

// OtherControllers returns the TypeNames of the objects to which the write sets a
// controller reference and that are certainly of none of these kinds.
func (w Write) OtherControllers(own []library.GroupKind) []string {
	var others []string
	for _, ref := range w.Object.Owners {
		kind, ok := library.KindOfType(ref.Type)
		if ref.Controller && ok && !slices.ContainsFunc(own, kind.MayBe) {
			others = append(others, ref.Type)
		}
	}
	return others
}

// markOfOthers sets OfOther of the writes of the controllers of a package. The facts have
// what controllers of imported packages see.
func markOfOthers(all []*Controller, imported []*Fact) {
	var foreign []Output
	for _, fact := range imported {
		foreign = append(foreign, fact.Outputs...)
	}
	for _, c := range all {
		c.others = slices.DeleteFunc(slices.Clone(all), func(other *Controller) bool { return other == c })
		var others []*Controller
		elsewhere := slices.Clone(foreign)
		for _, other := range c.others {
			elsewhere = append(elsewhere, other.seen...)
			if !slices.ContainsFunc(other.Primary, c.Reconciles) {
				others = append(others, other)
			}
		}
		for i := range c.Writes {
			w := &c.Writes[i]
			if !w.Creates || w.Kind.IsZero() {
				continue
			}
			isOwn := func(out Output) bool { return out.isSame(*w) }
			isOther := func(out Output) bool { return c.isSeenAs(*w, out) }
			w.OfOther = slices.ContainsFunc(elsewhere, isOther) && !slices.ContainsFunc(c.seen, isOwn) ||
				len(c.Primary) > 0 && w.isOfOthers(c, others)
		}
	}
}

// isOfOthers reports whether the object that the controller writes is an output of
// others. Each controller reference that is seen must be to an object of one of the
// others, which creates objects of the kind too, or whose controller is not seen. If there
// is none, and owners are not known, the same call must be one by which another creates
// objects that may be its own, and that one must see when they change: then the call does
// not show whose they are.
func (w Write) isOfOthers(c *Controller, others []*Controller) bool {
	found := false
	for _, ref := range w.Object.Owners {
		if !ref.Controller {
			continue
		}
		owner, ok := library.KindOfType(ref.Type)
		if !ok || c.Reconciles(owner) || !w.isOutputOf(owner, c, others) {
			return false
		}
		found = true
	}
	return found || w.Object.OwnersUnknown && slices.ContainsFunc(others, func(other *Controller) bool {
		return slices.ContainsFunc(other.Writes, func(v Write) bool {
			return v.Creates && v.Event.At == w.Event.At && v.Kind.Same(w.Kind) && v.MayOwn(other.Primary, true) &&
				(v.Poll.Polls || v.Poll.Perhaps || other.mayBeWokenBy(w.Kind))
		})
	})
}

// isOutputOf reports whether a controller of the owner's kind keeps the object. If it is one
// of the others, it must create objects of the kind. It may be one that is not seen, if the
// owner is a custom resource that c does not make, and c asks for no events of the object.
func (w Write) isOutputOf(owner library.GroupKind, c *Controller, others []*Controller) bool {
	seen := false
	for _, other := range others {
		if !slices.ContainsFunc(other.Primary, owner.Same) {
			continue
		}
		seen = true
		if slices.ContainsFunc(other.Writes, func(v Write) bool {
			return v.Creates && v.Kind.Same(w.Kind) && v.MayOwn(other.Primary, true)
		}) {
			return true
		}
	}
	return !seen && owner.IsCustom() && !c.creates(owner) && !c.watches(w.Kind)
}

// mayBeWokenBy reports whether events of a kind may reach the controller.
func (c *Controller) mayBeWokenBy(kind library.GroupKind) bool {
	return len(c.unknown) > 0 || slices.ContainsFunc(c.Watches, func(w Watch) bool { return w.Reach > Nothing && w.Kind.MayBe(kind) })
}
