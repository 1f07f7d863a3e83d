package controller

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/library"
)

// A Fact has the outputs of a package's controllers that these see. A controller of
// another package that makes the same objects by the same call need not see them.
type Fact struct {
	Outputs []Output
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	all := make([]string, len(f.Outputs))
	for i, out := range f.Outputs {
		all[i] = fmt.Sprintf("%s at %s", out.Kind.Kind, out.At)
	}
	return "sees " + strings.Join(all, ", ")
}

// An Output is what a controller creates by a call and looks at again: when its events
// arrive, or by itself.
type Output struct {
	Kind library.GroupKind
	// Call is the write, and At is [Write.At].
	Call, At place.Place
	// Owners are the kinds of the owners that an object must have so that the
	// controller sees it. Without, the controller sees every object.
	Owners []library.GroupKind
	// Mapped is set if the controller only sees objects that name, in what they have,
	// the object that it reconciles then. Those of another controller name others.
	Mapped bool
}

// outputsSeen returns the outputs that the controller sees.
func (c *Controller) outputsSeen() []Output {
	var all []Output
	for _, w := range c.Writes {
		if !w.Creates || w.Kind.IsZero() {
			continue
		}
		out := Output{Kind: w.Kind, Call: w.Event.At, At: w.At()}
		if c.Open {
			all = append(all, out)
			continue
		}
		if (w.Poll.Polls || w.Poll.Perhaps) && len(c.Primary) > 0 {
			out.Owners = c.Primary // of others it knows nothing
			all = append(all, out)
		}
		for _, watch := range c.Watches {
			out.Owners, out.Mapped = nil, watch.isMapped()
			if watch.IsByOwners() {
				out.Owners = watch.Owners
			}
			if watch.isMeantFor(w) && (!watch.IsByOwners() || w.MayOwn(watch.Owners, watch.Reach == Controlled)) {
				all = append(all, out)
			}
		}
	}
	return all
}

// isMapped reports whether the handler of the watch goes by labels or annotations of the
// objects: with these they name what is reconciled.
func (w Watch) isMapped() bool {
	return slices.ContainsFunc(w.Needs, func(need selection.Need) bool {
		return need.Part != selection.Name && need.Part != selection.Never
	})
}

// isSame reports whether the write is the one by which the output is made.
func (out Output) isSame(w Write) bool {
	return out.Call == w.Event.At && out.At == w.At() && out.Kind.Same(w.Kind)
}

// isSeenAs reports whether another controller sees what c writes as this output of its
// own. The object certainly has an owner by which that one sees it. Or that one sees all
// objects, and this one is the same for all requests, as far as its name is known; it must
// be known if that one goes by what objects have. No
// controller reference is to another owner, nor to one that c itself reconciles.
func (c *Controller) isSeenAs(w Write, out Output) bool {
	if !out.isSame(w) {
		return false
	}
	owned := false
	for _, ref := range w.Object.Owners {
		kind, ok := library.KindOfType(ref.Type)
		switch {
		case !ok || !ref.Controller:
		case c.Reconciles(kind), len(out.Owners) > 0 && !slices.ContainsFunc(out.Owners, kind.MayBe):
			return false
		default:
			owned = len(out.Owners) > 0
		}
	}
	return owned || len(out.Owners) == 0 && !w.isOfRequest() && (!out.Mapped || w.IsShared())
}

// exportOutputs exports the outputs that the package's own controllers see.
func exportOutputs(pass *analysis.Pass, all []*Controller) {
	fact := new(Fact)
	for _, c := range all {
		for _, out := range c.seen {
			if !slices.ContainsFunc(fact.Outputs, out.equal) {
				fact.Outputs = append(fact.Outputs, out)
			}
		}
	}
	if len(fact.Outputs) > 0 {
		pass.ExportPackageFact(fact)
	}
}

func (out Output) equal(other Output) bool {
	return out.Kind == other.Kind && out.Call == other.Call && out.At == other.At && out.Mapped == other.Mapped && slices.Equal(out.Owners, other.Owners)
}
