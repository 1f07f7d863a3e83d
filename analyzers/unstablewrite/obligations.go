package unstablewrite

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// The obligations, in the order in which the rule checks them for each source
// that is written.
const (
	mustRun         rule.Obligation = "a reconciler, or what it calls with a context or a client, makes the write"
	mustBeRead      rule.Obligation = "the function is interpreted to its end"
	mustChange      rule.Obligation = "the call changes an object that exists"
	mustReach       rule.Obligation = "a value that differs each time reaches the write"
	mustBeUnguarded rule.Obligation = "no condition that the value does not feed guards the write"
	mustBeState     rule.Obligation = "the value is no heartbeat"
	mustBeKept      rule.Obligation = "the API server keeps what is written there"
	mustGrow        rule.Obligation = "each reconcile writes the list of an object that was read with one element more"
	mustBeWhole     rule.Obligation = "the function is all of a reconcile"
	mustMeetHere    rule.Obligation = "value and write meet in this package"
	mustBeSeen      rule.Obligation = "the write is none of a status, or is made in the package that a workqueue loop calls"
	mustWake        rule.Obligation = "the write wakes the controller"
	mustMatter      rule.Obligation = "the options do not allow the field to differ"
	mustBeFirst     rule.Obligation = "no other write of the value is reported"
)

// unreached records, if the pass is traced, which sources below fn do not reach
// a write.
func unreached(pass *rule.Pass, ev flow.Event, fn *ssa.Function, events *flow.Package, found []finding) {
	if !pass.Traced() {
		return
	}
	if write := library.Named(ev.Callee).Write; write == nil || !isChange(write) {
		return
	}
	var dropped []string
	for _, d := range events.Drops(fn) {
		dropped = append(dropped, fmt.Sprintf("%s (%s): %s", d.Source.What, d.Source.At, d.Why))
	}
	switch {
	case len(dropped) > 0:
	case len(found) > 0:
		return
	default:
		dropped = []string{"nothing that differs is known in " + fn.Name() + " or below"}
	}
	pass.Silent(ev.Pos, mustReach, "%s at %s: %s", method(ev.Callee), ev.At, strings.Join(dropped, "; "))
}

// unseen records, if the pass is traced, that nothing shows that the function of
// these writes is called more than once.
func unseen(pass *rule.Pass, fn *ssa.Function, events *flow.Package) {
	if !pass.Traced() {
		return
	}
	for _, ev := range events.Events(fn) {
		if write := library.Named(ev.Callee).Write; write != nil && isChange(write) {
			pass.Silent(ev.Pos, mustRun, "%s at %s, in %s", method(ev.Callee), ev.At, fn.Name())
		}
	}
}
