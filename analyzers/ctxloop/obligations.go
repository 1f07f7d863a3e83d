package ctxloop

import (
	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// A waiting loop is reported only if all of these are established, in this order.
const (
	mustRun          rule.Obligation = "the package does not serve tests"
	mustBeLong       rule.Obligation = "the loop may wait longer than the bound"
	mustIgnore       rule.Obligation = "the loop goes on when the context is done"
	mustBeEndless    rule.Obligation = "no other signal ends the loop"
	mustNotCleanUp   rule.Obligation = "the loop is no clean-up"
	mustBeReached    rule.Obligation = "a function with a context reaches the loop"
	mustRunLater     rule.Obligation = "the controllers run while the loop waits, or it waits for long"
	mustBeJudgedHere rule.Obligation = "the wait is not judged elsewhere"
	mustBeAwaited    rule.Obligation = "something waits for the goroutine of the loop"
	mustNotMonitor   rule.Obligation = "the loop does not watch what its parent ends"
)

// obligations are the ones that are not established for each reason of silence.
var obligations = map[waiting.Reason]rule.Obligation{
	waiting.InTests:    mustRun,
	waiting.AsPoll:     mustBeJudgedHere,
	waiting.Short:      mustBeLong,
	waiting.Bounded:    mustIgnore,
	waiting.ByContext:  mustIgnore,
	waiting.Soon:       mustIgnore,
	waiting.AtCalls:    mustIgnore,
	waiting.ByCallback: mustIgnore,
	waiting.BySignal:   mustBeEndless,
	waiting.InCleanup:  mustNotCleanUp,
	waiting.Monitored:  mustNotMonitor,
	waiting.Unawaited:  mustBeAwaited,
	waiting.NotReached: mustBeReached,
	waiting.NotRunning: mustRunLater,
}

// explain records in the trace, if there is one, why each waiting loop that is not
// reported is not.
func explain(pass *rule.Pass, found *waiting.Result) {
	if !pass.Traced() {
		return
	}
	for _, u := range found.Waits() {
		pass.Silent(u.Pos, obligations[u.Reason], "%s: %s", u.What, u.Reason)
	}
}
