package blindpredicate

import (
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/predicate"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// The obligations, in the order in which the rule checks them for the predicates
// of a watch. Some apply if the kind has no generation, others if its status is
// read.
const (
	mustPassEdits   rule.Obligation = "the predicates do not drop all edits on purpose"
	mustArrive      rule.Obligation = "events of the watch can reach the reconciler"
	mustNotPoll     rule.Obligation = "the reconciler does not look again by itself"
	mustBeOnly      rule.Obligation = "no other watch of the kind sees more"
	mustWrite       rule.Obligation = "the controller writes objects of a kind that it owns"
	mustHideContent rule.Obligation = "the predicates hide the content of a kind without a generation"
	mustHideStatus  rule.Obligation = "the predicates hide the status"
	mustBeSeparate  rule.Obligation = "the status of the kind is a subresource"
	mustNeedStatus  rule.Obligation = "the reconciler reads the status, and neither writes it nor looks again for it"
	mustBeAlone     rule.Obligation = "no other controller that looks again makes the same objects"
	mustHideAlone   rule.Obligation = "one list of predicates alone hides it"
)

// explain records, if the pass is traced, why a watch is not reported: at its
// predicates if it has any there, else at the controller.
func explain(pass *rule.Pass, c *controller.Controller, w controller.Watch, failed rule.Obligation) {
	if !pass.Traced() {
		return
	}
	var passes []string
	pos := c.Pos
	for _, f := range w.Filters {
		pos = f.Pos
		passes = append(passes, predicate.Names(f.Passes))
	}
	if len(passes) == 0 {
		passes = []string{"every change, without predicates"}
	}
	pass.Silent(pos, failed, "watch of %s passes %s", w.Name, strings.Join(passes, "; and "))
}
