package ctxloop

import (
	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// What must be established, in this order, before a loop that waits is reported.
const (
	mustRun         rule.Obligation = "the package does not serve tests"
	mustBeLong      rule.Obligation = "the loop may wait longer than the bound"
	mustIgnore      rule.Obligation = "the loop goes on when the context is done"
	mustBeEndless   rule.Obligation = "no other signal ends the loop"
	mustNotCleanUp  rule.Obligation = "the loop is no clean-up"
	mustBeReached   rule.Obligation = "a function with a context reaches the loop"
	mustBeByItself  rule.Obligation = "the wait is not judged elsewhere"
	mustNotWatchEnd rule.Obligation = "the loop does not watch what its parent ends"
)

var obligations = map[waiting.Reason]rule.Obligation{
	waiting.InTests:    mustRun,
	waiting.AsPoll:     mustBeByItself,
	waiting.Short:      mustBeLong,
	waiting.Bounded:    mustIgnore,
	waiting.ByContext:  mustIgnore,
	waiting.Soon:       mustIgnore,
	waiting.AtCalls:    mustIgnore,
	waiting.ByCallback: mustIgnore,
	waiting.BySignal:   mustBeEndless,
	waiting.InCleanup:  mustNotCleanUp,
	waiting.Monitored:  mustNotWatchEnd,
	waiting.NotReached: mustBeReached,
}

// explain says, if somebody wants to know, of each loop that waits why it is not
// reported.
func explain(pass *rule.Pass, found *waiting.Result) {
	if !pass.Traced() {
		return
	}
	for _, u := range found.Waits() {
		pass.Silent(u.Pos, obligations[u.Reason], "%s: %s", u.What, u.Reason)
	}
}
