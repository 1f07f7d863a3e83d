package missingwatch

import (
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// The obligations, in the order in which the rule checks them for each kind that
// a controller writes.
const (
	mustBeOutput    rule.Obligation = "the write brings an object into being that is kept"
	mustBeClosed    rule.Obligation = "the kinds of all watches are known"
	mustBeAnother   rule.Obligation = "the kind is not the controller's own"
	mustMatter      rule.Obligation = "the options do not ignore the kind"
	mustNotPoll     rule.Obligation = "the reconciler does not look again by itself"
	mustBeKnown     rule.Obligation = "what the reconciler returns after the write is known"
	mustNotBeTold   rule.Obligation = "no child tells the controller of the object's events by its status"
	mustStay        rule.Obligation = "the object is not handed on to another controller"
	mustBeInScope   rule.Obligation = "the controller's own objects have the scope in which the kind is written"
	mustRepair      rule.Obligation = "the object is made again, or the reconciler waits for its status and for nothing else"
	mustBeUsed      rule.Obligation = "something needs the object between the runs of Jobs, which are events"
	mustBeUnwatched rule.Obligation = "no watch can receive events of the object"
)

// explain records, if the pass is traced, why a write is not reported.
func explain(pass *rule.Pass, c *controller.Controller, found []finding, silent map[library.GroupKind]rule.Obligation) {
	if !pass.Traced() {
		return
	}
	for _, w := range c.Writes {
		kind := w.Name
		if w.Kind.IsZero() {
			kind = "an unknown kind"
		}
		pos := w.Event.Pos
		if !pos.IsValid() {
			pos = c.Pos
		}
		isOf := func(f finding) bool { return f.write != nil && f.write.Event.At == w.Event.At }
		if isAwaited(c, w) && slices.ContainsFunc(found, isOf) {
			continue // a step that is reported
		}
		if why := whyNoOutput(c, w); why != "" {
			pass.Silent(pos, mustBeOutput, "%s of %s at %s: %s", w.Verb, kind, w.Event.At, why)
			continue
		}
		failed, ok := silent[w.Kind]
		if !ok {
			continue
		}
		why := ""
		if failed == mustBeClosed {
			why = ": " + strings.Join(c.Unknown(), "; ")
		}
		pass.Silent(pos, failed, "%s of %s at %s%s", w.Verb, kind, w.Event.At, why)
	}
}
