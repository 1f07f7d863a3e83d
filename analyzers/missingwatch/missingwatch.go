package missingwatch

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/engine/way"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

//go:embed doc.go
var doc string

// Analyzer reports objects that a controller writes but does not watch.
var Analyzer = rule.New("missingwatch", doc, run, wiring.Analyzer, ssair.Analyzer, controller.Analyzer)

func run(pass *rule.Pass) error {
	opts := rule.OptionsOf(pass.Pass)
	ways := way.NewFinder(pass.Pass)
	for _, c := range pass.ResultOf[controller.Analyzer].([]*controller.Controller) {
		found, silent := findings(c, opts.IgnoreKinds)
		explain(pass, c, found, silent)
		builder := place.Of(pass.Fset, pass.Pkg, c.Pos).ID()
		for _, f := range found {
			fix := edit.None("a watch of the kind is there; what it should select depends on what it is for")
			if f.missing.IsZero() {
				f.cause.Key = builder
			} else {
				fix = own(pass, c, f.missing)
				if slip, ok := opts.SlipOf(f.missing); ok && !slices.ContainsFunc(c.Writes, func(w controller.Write) bool { return w.Kind.MayBe(slip) }) {
					f.message += "; missingwatch.ignore-kinds names " + slip.String() + " instead"
				}
			}
			pass.ReportFinding(rule.Finding{Range: f.span, Message: f.message, Fix: fix, Cause: f.cause, Steps: steps(ways, c, f), Remedy: remedy(f, fix)})
		}
	}
	return nil
}

type finding struct {
	span    rule.Span
	message string
	cause   cause.Cause       // without the key if that is the builder
	missing library.GroupKind // that nothing watches
	write   *controller.Write
	// undeleted is set if the events of the kind arrive, apart from deletions.
	undeleted bool
}

// findings returns the findings about a controller, without the kinds to ignore.
// For each other kind it returns the obligation that is not established.
func findings(c *controller.Controller, ignored []library.GroupKind) (all []finding, silent map[library.GroupKind]rule.Obligation) {
	silent = make(map[library.GroupKind]rule.Obligation)
	for _, kind := range outputs(c) {
		switch poll := pollOf(c, kind); {
		case c.Open:
			silent[kind] = mustBeClosed // a watch of an unknown kind may be one of any kind
		case slices.ContainsFunc(c.Primary, kind.MayBe):
			silent[kind] = mustBeAnother
		case slices.ContainsFunc(ignored, kind.MayBe):
			silent[kind] = mustMatter // the user knows better
		case poll.Often(), poll.Polls && !watchesOutputs(c):
			silent[kind] = mustNotPoll // poll by design
		case poll.Unknown:
			silent[kind] = mustBeKnown
		case !watched(c, kind) && c.Writes[firstWrite(c, kind)].Relayed:
			silent[kind] = mustNotBeTold
		case handedOn(c, kind):
			silent[kind] = mustStay // the other owner's controller looks after it
		case !watched(c, kind) && isOfOtherScope(c, kind):
			silent[kind] = mustBeInScope
		case !watched(c, kind) && kind.MadeOnce() && !isStuck(c, kind, poll):
			silent[kind] = mustRepair
		case !watched(c, kind) && isForRuns(c, kind):
			silent[kind] = mustBeUsed
		case !watched(c, kind):
			all = append(all, missing(c, kind))
		default:
			found := append(unselected(c, kind), dead(c, kind, isOutput)...)
			if len(found) == 0 && !kind.MadeOnce() && !kind.HoldsOthers() {
				found = undeleted(c, kind)
			}
			if len(found) == 0 {
				silent[kind] = mustBeUnwatched
			}
			all = append(all, found...)
		}
	}
	for _, kind := range awaited(c) {
		if !slices.ContainsFunc(ignored, kind.MayBe) {
			all = append(all, dead(c, kind, isAwaited)...)
		}
	}
	return all, silent
}

// awaited returns the kinds of which the controller creates objects only as steps, and which it watches
// to see how these go on: it does not look again by itself.
func awaited(c *controller.Controller) []library.GroupKind {
	var kinds []library.GroupKind
	kept := append(outputs(c), c.Primary...)
	for _, w := range c.Writes {
		comesBack := w.Poll.Often() || w.Poll.Polls || w.Poll.Unknown
		if isAwaited(c, w) && !comesBack && !c.Open && watched(c, w.Kind) && !handedOn(c, w.Kind) &&
			!slices.ContainsFunc(kept, w.Kind.MayBe) && !slices.Contains(kinds, w.Kind) {
			kinds = append(kinds, w.Kind)
		}
	}
	return kinds
}

// isAwaited reports whether the write creates an object and is no output only because it is a step.
func isAwaited(c *controller.Controller, w controller.Write) bool {
	return whyNoOutput(c, w) == isOneStep
}

// isStuck reports whether the reconciler waits for the status of objects of a kind, and
// nothing but their events wakes it.
func isStuck(c *controller.Controller, kind library.GroupKind, poll controller.Poll) bool {
	_, reads := c.ReadsStatus(kind)
	return reads && !poll.Waits && !poll.Perhaps && !poll.Resyncs
}

// isForRuns reports whether the kind is who Pods run as, and of all that the controller
// creates only Jobs and CronJobs may have Pods, which it watches. Between two runs nothing
// needs such an object, and each run is an event.
func isForRuns(c *controller.Controller, kind library.GroupKind) bool {
	runs := false
	for _, w := range c.Writes {
		switch {
		case !w.Creates || w.Sub || !w.Kind.MayRunPods():
		case !w.Kind.Runs() || !watched(c, w.Kind):
			return false
		default:
			runs = true
		}
	}
	return runs && kind.IsAccount()
}

// pollOf returns the interval after which the reconciler looks at a kind that it
// creates again.
func pollOf(c *controller.Controller, kind library.GroupKind) controller.Poll {
	return c.Writes[firstWrite(c, kind)].Poll
}

// firstWrite returns the index of the first write that makes the kind an output.
func firstWrite(c *controller.Controller, kind library.GroupKind) int {
	return slices.IndexFunc(c.Writes, func(w controller.Write) bool { return isOutput(c, w) && w.Kind == kind })
}

// watchesOutputs reports whether the controller watches any kind that it
// creates, apart from its own.
func watchesOutputs(c *controller.Controller) bool {
	return slices.ContainsFunc(outputs(c), func(kind library.GroupKind) bool {
		return !slices.ContainsFunc(c.Primary, kind.MayBe) && watched(c, kind)
	})
}

// outputs returns the kinds that the controller creates and maintains, in the
// order of their first write.
func outputs(c *controller.Controller) []library.GroupKind {
	var kinds []library.GroupKind
	for _, w := range c.Writes {
		if isOutput(c, w) && !slices.Contains(kinds, w.Kind) {
			kinds = append(kinds, w.Kind)
		}
	}
	return kinds
}

// isOutput reports whether the write creates an object that is kept in a desired
// state, in the cluster that the controller watches.
func isOutput(c *controller.Controller, w controller.Write) bool { return whyNoOutput(c, w) == "" }

// isOneStep is why a step is no output; see isStep.
const isOneStep = "it is a step in the life of the controller's own object"

// whyNoOutput returns why the write is not an output, or "" if it is one; see
// isOutput.
func whyNoOutput(c *controller.Controller, w controller.Write) string {
	switch {
	case !w.Creates:
		return "it creates nothing"
	case w.Sub:
		return "it writes a sub-resource"
	case w.Elsewhere:
		return "its client may be one of another cluster"
	case w.Ephemeral:
		return "the object is not kept"
	case w.Metadata:
		return "it writes nothing but metadata"
	case w.Kind.IsZero():
		return "the kind is not known"
	case w.OfOther:
		return "it is an output of another controller"
	case w.Kind.FireAndForget():
		return "nobody keeps objects of the kind"
	case isStep(c, w):
		return isOneStep
	}
	return ""
}

// isStep reports whether the write is a step in the lifecycle of the
// controller's own object: it creates something in one phase and not in the
// next, or until the status records that it has. When an event reports the end of
// such an object, the owner is in another phase.
func isStep(c *controller.Controller, w controller.Write) bool {
	own := func(kind library.GroupKind) bool { return kind.IsZero() || c.Reconciles(kind) }
	return slices.ContainsFunc(w.Until, own) ||
		w.Verb == library.Create && (slices.ContainsFunc(w.Phases, own) || slices.ContainsFunc(w.While, own))
}

// watched reports whether the controller has an effective watch of the kind: one
// whose events reach the reconciler.
func watched(c *controller.Controller, kind library.GroupKind) bool {
	return slices.ContainsFunc(c.Watches, func(w controller.Watch) bool {
		return w.Reach > controller.Nothing && w.Kind.MayBe(kind)
	})
}

// handedOn reports whether the controller later makes another object the
// controller of the objects of a kind. If it creates them with that controller, it
// hands nothing on.
func handedOn(c *controller.Controller, kind library.GroupKind) bool {
	return len(c.Primary) > 0 && slices.ContainsFunc(c.Writes, func(w controller.Write) bool {
		return !w.Creates && w.Kind == kind && slices.ContainsFunc(w.OtherControllers(c.Primary), func(other string) bool {
			return !slices.ContainsFunc(c.Writes, func(made controller.Write) bool {
				return made.Creates && made.Kind == kind && slices.Contains(made.OtherControllers(c.Primary), other)
			})
		})
	})
}

// isOfOtherScope reports whether a reconciler for objects with and without a namespace
// writes the kind for those that are not the controller's own: the controller is for the
// others, or watches a kind of what the reconciler writes for these.
func isOfOtherScope(c *controller.Controller, kind library.GroupKind) bool {
	scope := flow.AnyScope
	for _, w := range c.Writes {
		if !isOutput(c, w) || w.Kind != kind {
			continue
		}
		if w.Scope() == flow.AnyScope || scope != flow.AnyScope && w.Scope() != scope {
			return false
		}
		scope = w.Scope()
	}
	if c.Scope != flow.AnyScope {
		return scope != c.Scope
	}
	return slices.ContainsFunc(c.Writes, func(w controller.Write) bool {
		return isOutput(c, w) && w.Scope() != flow.AnyScope && w.Scope() != scope && watched(c, w.Kind)
	})
}

// missing returns the finding for a kind that is written but not watched.
func missing(c *controller.Controller, kind library.GroupKind) finding {
	w := c.Writes[firstWrite(c, kind)]
	what := fmt.Sprintf("%s (%s)", w.Name, w.At().Full())
	return finding{
		span:    rule.Span{From: c.Pos, To: c.End},
		message: fmt.Sprintf("Reconcile %s %s but the controller does not watch it; %s", verb(w.Verb), what, w.Poll.Repair()),
		cause:   cause.Cause{Key: fmt.Sprint(w.At().ID(), " ", kind), Claim: w.Poll.Repair(), Kind: what, Place: "controller"},
		missing: kind,
		write:   &w,
	}
}

// unselected returns the finding for a kind of which the controller writes objects that no
// watch of the kind selects: for the first of them.
func unselected(c *controller.Controller, kind library.GroupKind) []finding {
	for _, w := range c.Writes {
		if !isOutput(c, w) || w.Kind != kind {
			continue
		}
		if slices.ContainsFunc(c.Watches, func(v controller.Watch) bool { return v.MaySelect(w) }) {
			continue
		}
		owned, unmet := false, ""
		for _, v := range c.Watches {
			need, lacks := v.Unmet(w)
			if !lacks || v.Reach == controller.Nothing || !v.Kind.MayBe(kind) {
				continue
			}
			owned = owned || v.ByOwns
			switch {
			case need.Part == selection.Never:
			case unmet == "":
				unmet = need.String()
			case unmet != need.String():
				unmet = "other names or labels"
			}
		}
		passes := "select only objects with " + unmet
		if unmet == "" {
			passes = "let none of its events pass"
		}
		f := finding{
			span:  rule.Span{From: c.Pos, To: c.End},
			write: &w,
			message: fmt.Sprintf("Reconcile %s %s (%s) but the watches of its kind %s; %s",
				verb(w.Verb), w.Name, w.Event.At.Full(), passes, w.Poll.Repair()),
		}
		if !owned {
			f.missing = kind
		}
		return []finding{f}
	}
	return nil
}

// undeleted returns the finding for a kind of which the controller keeps objects, but does not
// learn that one is gone: a predicate or the handler of each watch that may select it drops that.
func undeleted(c *controller.Controller, kind library.GroupKind) []finding {
	for _, w := range c.Writes {
		if !isOutput(c, w) || w.Kind != kind {
			continue
		}
		selects := func(v controller.Watch) bool { return v.MaySelect(w) }
		sees := func(v controller.Watch) bool { return selects(v) && v.SeesDeletions() }
		i := slices.IndexFunc(c.Watches, selects)
		if i < 0 || slices.ContainsFunc(c.Watches, sees) {
			continue
		}
		f := finding{span: rule.Span{From: c.Pos, To: c.End}, write: &w, undeleted: true}
		by := "handler"
		if filter := c.Watches[i].DropsDeletions(); filter != nil {
			by = "predicate"
			if filter.Pos.IsValid() {
				f.span = rule.Span{From: filter.Pos, To: filter.End}
			}
		}
		f.message = fmt.Sprintf("%s of %s drops its deletions but Reconcile %s it (%s); %s", by, w.Name, verb(w.Verb), w.At().Full(), w.Poll.Repair())
		f.cause = cause.Cause{Claim: "drops deletions of", Kind: w.Name, Place: by}
		return []finding{f}
	}
	return nil
}

func verb(v library.Verb) string {
	switch v {
	case library.Create:
		return "creates"
	case library.CreateOrUpdate, library.CreateOrPatch:
		return "writes"
	}
	return "applies"
}

// dead returns the findings, at the writes that it is about, for a kind that is watched only by
// owner references although the writes set none. If others of its writes do, those
// may set none on purpose: what they create is shared, or has to outlive the owner.
func dead(c *controller.Controller, kind library.GroupKind, about func(*controller.Controller, controller.Write) bool) []finding {
	owners, by, need := ownersOf(c, kind)
	if len(owners) == 0 {
		return nil
	}
	controllers := need == controller.Controlled
	some := slices.ContainsFunc(c.Writes, func(w controller.Write) bool {
		return w.Creates && w.Kind.MayBe(kind) && w.MayOwn(owners, controllers)
	})
	var all []finding
	for _, w := range c.Unowned(kind, owners, controllers) {
		if !about(c, w) || some && (w.Kind.OutlivesOwner() || w.IsShared()) || isMapped(c, w) {
			continue
		}
		f := finding{span: rule.Span{From: c.Pos, To: c.End}, write: &w}
		at := " (" + w.At().Full() + ")"
		if from, to := w.Span(); from.IsValid() {
			f.span, at = rule.Span{From: from, To: to}, ""
		}
		ref := "controller"
		if need == controller.Owned {
			ref = "owner"
		}
		f.message = fmt.Sprintf("%s is watched by %s but this %s%s sets no %s reference to %s; its events never reach Reconcile",
			w.Name, by, w.Verb, at, ref, owners[0].Kind)
		f.cause = cause.Cause{Claim: fmt.Sprintf("%s sets no %s", by, ref), Kind: w.Name + at, Place: "write"}
		said := func(g finding) bool { return g.span == f.span && g.message == f.message }
		if !slices.ContainsFunc(all, said) { // one call may write several objects of a kind
			all = append(all, f)
		}
	}
	return all
}

// ownersOf returns the kinds of owners that the watches of a kind look for, the
// calls that watch so, and whether they look for a controller or for any owner.
// It returns no kinds if one of the watches does not go by owner references and takes all
// objects, or may be of another kind.
func ownersOf(c *controller.Controller, kind library.GroupKind) (owners []library.GroupKind, by string, need controller.Reach) {
	by, need = "Owns", controller.Controlled
	for _, w := range c.Watches {
		if !w.Kind.MayBe(kind) || w.Reach == controller.Nothing {
			continue
		}
		switch {
		case !w.Kind.Same(kind), !w.Selects() && !w.IsByOwners():
			return nil, "", 0
		case !w.IsByOwners():
			continue // see isMapped
		}
		if !w.ByOwns {
			by = "owner"
		}
		need = max(need, w.Reach)
		owners = append(owners, w.Owners...)
	}
	return owners, by, need
}

// isMapped reports whether a watch that does not go by owner references may select the
// object written.
func isMapped(c *controller.Controller, written controller.Write) bool {
	return slices.ContainsFunc(c.Watches, func(w controller.Watch) bool {
		return !w.IsByOwners() && w.MaySelect(written)
	})
}
