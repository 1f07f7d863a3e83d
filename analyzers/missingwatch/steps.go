package missingwatch

import (
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/way"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// steps shows how a reconcile comes to the write, and what the controller watches.
func steps(ways *way.Finder, c *controller.Controller, f finding) []rule.Step {
	w := f.write
	var all []rule.Step
	if fn := c.Reconciler(); fn != nil {
		all = append(all, ways.Into(fn, "a reconcile begins in "+fn.Name()))
		all = append(all, ways.From(fn, w.Event.Pos)...)
	}
	if at := w.Object.Passed; !at.IsZero() && at != w.Event.At && w.Object.PassedPos != w.Event.Pos && !ways.Ends(all, w.Object.PassedPos) {
		all = append(all, rule.Step{Pos: w.Object.PassedPos, End: w.Object.PassedEnd, At: at, Text: "passes " + w.Name})
	}
	all = append(all, ways.To(w.Event.Pos, w.Event.End, w.Event.At, verb(w.Verb)+" "+w.Name)...)
	return append(all, rule.Step{Pos: c.Pos, End: c.End, Text: "the controller watches " + watches(c)})
}

// remedy says what to do about a finding.
func remedy(f finding, fix edit.Proposal) string {
	switch {
	case fix.Fix != nil:
		return "add Owns for it to the builder"
	case f.undeleted:
		return "let deletions of " + f.write.Name + " pass: give what drops them to For only"
	case f.missing.IsZero():
		return "set a controller reference with controllerutil.SetControllerReference before the write, or watch it with a handler that maps it to its object"
	}
	return "add a watch for it to the builder: Owns if each has a controller reference, else Watches with a handler that maps it to its object"
}

// watches lists what the controller watches.
func watches(c *controller.Controller) string {
	var all []string
	for _, w := range c.Watches {
		name := w.Name
		switch {
		case w.ByFor:
			name += " (For)"
		case w.ByOwns:
			name += " (Owns)"
		}
		all = append(all, name)
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}
