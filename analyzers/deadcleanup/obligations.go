package deadcleanup

import (
	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// mustBeDone must be established before a call with an effect outside of the process is
// reported.
const mustBeDone rule.Obligation = "the context of the call is done there"

// explain records in the trace, if there is one, which calls are not reported.
func explain(pass *rule.Pass, found *cleanup.Result) {
	if !pass.Traced() {
		return
	}
	for _, u := range found.Acts() {
		pass.Silent(u.Pos, mustBeDone, "%s: no place before it is known to end the context, or to find it done", u.What)
	}
}
