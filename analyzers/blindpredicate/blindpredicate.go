package blindpredicate

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/way"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

//go:embed doc.go
var doc string

// Analyzer reports predicates that drop the updates that a controller needs.
var Analyzer = rule.New("blindpredicate", doc, run, wiring.Analyzer, ssair.Analyzer, controller.Analyzer)

func run(pass *rule.Pass) error {
	all := pass.ResultOf[controller.Analyzer].([]*controller.Controller)
	ways := way.NewFinder(pass.Pass)
	for _, c := range all {
		for _, f := range findings(pass, c, all) {
			because := f.cause()
			because.Key = place.Of(pass.Fset, pass.Pkg, c.Pos).ID()
			pass.ReportFinding(rule.Finding{Range: f.span, Message: f.message(), Fix: drop(pass, f), Cause: because, Steps: f.steps(ways, c), Remedy: f.remedy()})
		}
	}
	return nil
}

// A finding is a list of predicates that hides changes of some kinds.
type finding struct {
	span   rule.Span
	hidden library.Changes
	kinds  []string
	at     place.Place // where the status is read
	poll   controller.Poll
}

// findings returns the findings about a controller, which is one of all.
func findings(pass *rule.Pass, c *controller.Controller, controllers []*controller.Controller) []finding {
	var all []finding
	for _, w := range c.Watches {
		hidden, at, failed := hides(pass, c, w)
		if hidden == library.Content && madeByOthers(c, w.Kind, controllers) {
			failed = mustBeAlone
		}
		i := slices.IndexFunc(w.Filters, func(f controller.Filter) bool { return f.Passes&hidden == 0 })
		if failed == "" && i < 0 {
			failed = mustHideAlone // only all filters together
		}
		if failed != "" {
			explain(pass, c, w, failed)
			continue
		}
		span := rule.Span{From: w.Filters[i].Pos, To: w.Filters[i].End}
		same := slices.IndexFunc(all, func(f finding) bool { return f.span == span && f.hidden == hidden })
		if same < 0 {
			all = append(all, finding{span: span, hidden: hidden, at: at, poll: w.Poll})
			same = len(all) - 1
		}
		if f := &all[same]; !slices.Contains(f.kinds, w.Name) {
			f.kinds = append(f.kinds, w.Name)
		}
	}
	return all
}

// hides returns which changes the predicates of a watch hide although the
// reconciler needs them, and where it reads the data. Otherwise it returns the
// obligation that is not established.
func hides(pass *rule.Pass, c *controller.Controller, w controller.Watch) (hidden library.Changes, at place.Place, failed rule.Obligation) {
	passes := w.Passes()
	switch {
	case passes&library.Generation == 0:
		return 0, place.Place{}, mustPassEdits // drops all edits: on purpose
	case w.Reach == controller.Nothing || unowned(c, w) || neverMade(c, w):
		return 0, place.Place{}, mustArrive
	case w.Poll.Often():
		return 0, place.Place{}, mustNotPoll
	case seesMore(c, w):
		return 0, place.Place{}, mustBeOnly // another watch of the kind may see it
	case w.Kind.HasNoGeneration() && len(w.Owners) > 0 && !mayWrite(c, w.Kind):
		return 0, place.Place{}, mustWrite // nothing drifts, and what is read has another owner
	case w.Kind.HasNoGeneration():
		if passes&library.Content == 0 && !(passes&(library.Labels|library.Annotations) != 0 && onlyMetadata(c, w)) {
			return library.Content, place.Place{}, ""
		}
		return 0, place.Place{}, mustHideContent
	case passes&library.Status != 0:
		return 0, place.Place{}, mustHideStatus
	case !hasStatusSubresource(w.Kind, pass.Pkg.Path()):
		return 0, place.Place{}, mustBeSeparate
	case w.Reach < controller.Everything && !w.Metadata && !writesStatus(c, w.Kind):
		if at, ok := needsStatus(c, w); ok {
			return library.Status, at, ""
		}
	}
	return 0, place.Place{}, mustNeedStatus
}

// hasStatusSubresource reports whether a write of a status certainly leaves the generation
// of its object alone: it does where the status is a subresource. Custom resources of other
// projects may have none (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#status-subresource).
func hasStatusSubresource(kind library.GroupKind, user string) bool {
	dir, ok := kind.Package()
	return !ok || library.SameProjectPath(dir, user)
}

// needsStatus returns where the reconciler reads the status of the objects of a watch, and
// whether nothing but their events tells it that the status has changed. It may wait for
// something else, at times, if it only shows a part of that status in another one.
func needsStatus(c *controller.Controller, w controller.Watch) (at place.Place, ok bool) {
	switch {
	case !w.Poll.Waits:
		return c.ReadsStatus(w.Kind)
	case w.Poll.Lapses:
		return c.ShowsStatus(w.Kind)
	}
	return place.Place{}, false
}

// seesMore reports whether other watches of the kind, which do not go by owner references,
// may see changes that the predicates of a watch hide: of each object that the controller
// writes and that may have such a reference.
func seesMore(c *controller.Controller, w controller.Watch) bool {
	others := slices.DeleteFunc(slices.Clone(c.Watches), func(v controller.Watch) bool {
		return v.Reach != controller.Everything || !v.Kind.Same(w.Kind) || v.Passes()&^w.Passes() == 0
	})
	onlyHere := func(o controller.Write) bool {
		return o.Creates && !o.Elsewhere && o.Kind.Same(w.Kind) && len(w.Owners) > 0 && o.MayOwn(w.Owners, w.Reach == controller.Controlled) &&
			!slices.ContainsFunc(others, func(v controller.Watch) bool { return v.MaySelect(o) })
	}
	return len(others) > 0 && !slices.ContainsFunc(c.Writes, onlyHere)
}

// unowned reports whether no event of a watch by owner references can arrive,
// because the objects have no owner. Either the controller creates some, and
// certainly none with an owner; or the objects have no namespace while the owner
// has one, which Kubernetes does not allow.
func unowned(c *controller.Controller, w controller.Watch) bool {
	if len(w.Owners) == 0 {
		return false
	}
	if w.Kind.HasNoNamespace() && !slices.ContainsFunc(w.Owners, library.GroupKind.HasNoNamespace) {
		return true
	}
	controllers := w.Reach == controller.Controlled
	made := c.Unowned(w.Kind, w.Owners, controllers)
	return slices.ContainsFunc(made, func(o controller.Write) bool { return !o.Elsewhere }) &&
		!slices.ContainsFunc(c.Writes, func(o controller.Write) bool {
			return o.Creates && (o.Kind.IsZero() || o.Kind.MayBe(w.Kind)) && o.MayOwn(w.Owners, controllers)
		})
}

// mayWrite reports whether the controller may write objects of a kind.
func mayWrite(c *controller.Controller, kind library.GroupKind) bool {
	return slices.ContainsFunc(c.Writes, func(o controller.Write) bool { return o.Kind.IsZero() || o.Kind.MayBe(kind) })
}

// neverMade reports whether a watch by owner references is for a kind that the
// controller does not use: its code has objects of other owned kinds, but none
// of this one. If all its writes are of known kinds, and create objects of an owned
// kind, one of this kind must be among them: a function that several controllers
// share, or the template of a claim, is not enough.
func neverMade(c *controller.Controller, w controller.Watch) bool {
	writes := func(kind library.GroupKind) bool {
		return slices.ContainsFunc(c.Writes, func(o controller.Write) bool { return o.Kind.Same(kind) })
	}
	has := func(kind library.GroupKind) bool {
		return writes(kind) || slices.ContainsFunc(c.Reads, func(r flow.Read) bool {
			k, ok := library.KindOfType(r.Type)
			return ok && r.Field == "" && k.Same(kind)
		})
	}
	uses := has
	if !slices.ContainsFunc(c.Writes, func(o controller.Write) bool { return o.Kind.IsZero() || o.Event.Cut }) {
		uses = writes
	}
	others := func(has func(library.GroupKind) bool) bool {
		return slices.ContainsFunc(c.Watches, func(v controller.Watch) bool { return len(v.Owners) > 0 && has(v.Kind) })
	}
	return len(w.Owners) > 0 && (!has(w.Kind) && others(has) || !uses(w.Kind) && others(uses))
}

// madeByOthers reports whether other controllers of the package, which poll
// often, create the same objects of a kind: by the same calls.
func madeByOthers(c *controller.Controller, kind library.GroupKind, controllers []*controller.Controller) bool {
	makes := func(o controller.Write) bool { return o.Creates && o.Kind.Same(kind) }
	return slices.ContainsFunc(c.Writes, makes) && !slices.ContainsFunc(c.Writes, func(own controller.Write) bool {
		return makes(own) && !slices.ContainsFunc(controllers, func(other *controller.Controller) bool {
			return other != c && slices.ContainsFunc(other.Writes, func(o controller.Write) bool {
				return makes(o) && o.Poll.Often() && o.Event.At == own.Event.At
			})
		})
	})
}

// onlyMetadata reports whether only the labels and annotations of the watched
// objects may matter. Either people edit nothing else in them, or the reconciler
// neither creates them nor reads anything else.
func onlyMetadata(c *controller.Controller, w controller.Watch) bool {
	if (w.Kind == library.GroupKind{Kind: "Namespace"}) {
		return true
	}
	return w.Reach == controller.Everything && !slices.ContainsFunc(c.Reads, func(r flow.Read) bool {
		kind, ok := library.KindOfType(r.Type)
		return ok && r.Field != "" && kind.Same(w.Kind)
	})
}

// writesStatus reports whether the controller itself maintains the status of
// objects of a kind: it reads the status in order to write it.
func writesStatus(c *controller.Controller, kind library.GroupKind) bool {
	return slices.ContainsFunc(c.Writes, func(w controller.Write) bool { return w.Sub && w.Kind.Same(kind) })
}

// cause returns what the findings about a controller have in common, without the key:
// its builder gives the predicates.
func (f finding) cause() cause.Cause {
	c := cause.Cause{Claim: "edits, " + f.poll.Repair(), Kind: strings.Join(f.kinds, ", "), Place: "predicate"}
	if f.hidden == library.Status {
		c.Claim = "status, " + f.poll.Progress()
	}
	return c
}

// remedy says what to do about the finding.
func (f finding) remedy() string {
	if f.hidden == library.Status {
		return "let updates of the status pass: give these predicates to For only, or leave them out"
	}
	return "leave these predicates out for " + strings.Join(f.kinds, ", ") + ": give them to For only"
}

// steps shows the builder, the predicate, and what depends on the events: the status that
// is read, or the write that makes what drifts.
func (f finding) steps(ways *way.Finder, c *controller.Controller) []rule.Step {
	kinds := strings.Join(f.kinds, ", ")
	all := []rule.Step{
		{Pos: c.Pos, End: c.End, Text: "the controller is built"},
		{Pos: f.span.From, End: f.span.To, Text: "its watch of " + kinds + " has these predicates"},
	}
	fn := c.Reconciler()
	if f.hidden == library.Status {
		return append(all, ways.Reach(fn, f.at, "reads the status of "+kinds)...)
	}
	for _, w := range c.Writes {
		if w.Creates && slices.Contains(f.kinds, w.Name) {
			if fn != nil {
				all = append(all, ways.From(fn, w.Event.Pos)...)
			}
			return append(all, ways.To(w.Event.Pos, w.Event.End, w.Event.At, "writes "+w.Name)...)
		}
	}
	return all
}

func (f finding) message() string {
	kinds := strings.Join(f.kinds, ", ")
	if f.hidden == library.Status {
		return fmt.Sprintf("predicate hides the status of %s, which Reconcile reads (%s); %s", kinds, f.at.Full(), f.poll.Progress())
	}
	return fmt.Sprintf("predicate hides edits of %s, which has no metadata.generation; %s", kinds, f.poll.Repair())
}
