package deadcleanup

import (
	_ "embed"
	"fmt"

	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

//go:embed doc.go
var doc string

// Analyzer reports clean-up that runs on a cancelled context.
var Analyzer = rule.New("deadcleanup", doc, run, cleanup.Analyzer)

func run(pass *rule.Pass) error {
	found := pass.ResultOf[cleanup.Analyzer].(*cleanup.Result)
	explain(pass, found)
	for _, c := range found.Cleanups {
		pass.ReportFix(rule.Span{From: c.Pos, To: c.End}, detach(pass, c), "%s", message(c))
	}
	return nil
}

// message returns the message of a finding: which call has no effect, and why its
// context is done.
func message(c cleanup.Cleanup) string {
	name := c.Name
	if !c.At.IsZero() {
		name += fmt.Sprintf(" (%s, %s)", c.What, c.At)
	}
	remedy := "; run it on context.WithoutCancel with a timeout"
	switch c.Reason {
	case cleanup.CancelledLater:
		return fmt.Sprintf("%s runs after %s is cancelled by the later defer at %s%s", name, c.Context, c.By, remedy)
	case cleanup.CancelledBefore:
		return fmt.Sprintf("%s runs on %s, which is cancelled at %s%s", name, c.Context, c.By, remedy)
	case cleanup.FoundDone:
		return fmt.Sprintf("%s runs on %s, which is done here (%s)%s", name, c.Context, c.By, remedy)
	case cleanup.NotCalled:
		return fmt.Sprintf("%s is taken back by %s (%s) only after a wait (%s); where %s ends that wait, it stays",
			c.Name, c.Other, c.OtherAt, c.By, c.Context)
	}
	return fmt.Sprintf("%s has no effect once %s has ended the wait at %s%s", name, c.Context, c.By, remedy)
}
