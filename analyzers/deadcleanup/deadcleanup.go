package deadcleanup

import (
	_ "embed"
	"fmt"

	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/engine/way"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

//go:embed doc.go
var doc string

// Analyzer reports clean-up that runs on a cancelled context.
var Analyzer = rule.New("deadcleanup", doc, run, wiring.Analyzer, ssair.Analyzer, cleanup.Analyzer)

func run(pass *rule.Pass) error {
	found := pass.ResultOf[cleanup.Analyzer].(*cleanup.Result)
	explain(pass, found)
	ways := way.NewFinder(pass.Pass)
	for _, c := range found.Cleanups {
		pass.ReportFinding(rule.Finding{
			Range: rule.Span{From: c.Pos, To: c.End}, Message: message(c), Fix: detach(pass, c), Steps: steps(ways, c),
			Remedy: remedy(c),
		})
	}
	return nil
}

// remedy says what to do about a finding.
func remedy(c cleanup.Cleanup) string {
	if c.Reason == cleanup.NotCalled {
		return "defer " + c.Other + ", on context.WithoutCancel(" + c.Context + ") with a timeout"
	}
	return "run " + c.Name + " on context.WithoutCancel(" + c.Context + ") with a timeout"
}

// steps shows how a reconcile comes to the call, if one does, what ends its context, and
// what then has no effect.
func steps(ways *way.Finder, c cleanup.Cleanup) []rule.Step {
	all := ways.FromReconciler(c.Pos)
	ends := c.Context + " ends here"
	if c.Reason == cleanup.NotCalled {
		ends = c.Context + " may end this wait"
	}
	if !c.OtherAt.IsZero() && c.Reason != cleanup.NotCalled {
		all = append(all, ways.Reach(nil, c.OtherAt, c.Other+" is to be undone")...)
	}
	all = append(all, ways.Reach(nil, c.By, ends)...)
	name := c.Name + " then has no effect"
	if c.Reason == cleanup.NotCalled {
		name = c.Name + " then stays"
	}
	return append(all, ways.To(c.Pos, c.End, c.At, name)...)
}

// message returns the message of a finding: which call has no effect, and why its
// context is done.
func message(c cleanup.Cleanup) string {
	name := c.Name
	if !c.At.IsZero() {
		name += fmt.Sprintf(" (%s, %s)", c.What, c.At.Full())
	}
	remedy := "; run it on context.WithoutCancel with a timeout"
	switch c.Reason {
	case cleanup.CancelledLater:
		return fmt.Sprintf("%s runs after %s is cancelled by the later defer at %s%s", name, c.Context, c.By.Full(), remedy)
	case cleanup.CancelledBefore:
		return fmt.Sprintf("%s runs on %s, which is cancelled at %s%s", name, c.Context, c.By.Full(), remedy)
	case cleanup.FoundDone:
		return fmt.Sprintf("%s runs on %s, which is done here (%s)%s", name, c.Context, c.By.Full(), remedy)
	case cleanup.NotCalled:
		return fmt.Sprintf("%s is taken back by %s (%s) only after a wait (%s); where %s ends that wait, it stays",
			c.Name, c.Other, c.OtherAt.Full(), c.By.Full(), c.Context)
	}
	return fmt.Sprintf("%s has no effect once %s has ended the wait at %s%s", name, c.Context, c.By.Full(), remedy)
}
