package ctxloop

import (
	_ "embed"
	"fmt"

	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

//go:embed doc.go
var doc string

// Analyzer reports retry and poll loops that do not observe cancellation.
var Analyzer = rule.New("ctxloop", doc, run, waiting.Analyzer)

func run(pass *rule.Pass) error {
	found := pass.ResultOf[waiting.Analyzer].(*waiting.Result)
	explain(pass, found)
	for _, f := range found.Findings {
		pass.ReportCause(rule.Span{From: f.Pos, To: f.End}, causeOf(f), fix(pass, f), "%s", message(f))
	}
	return nil
}

// causeOf returns the cause of a call of another package that waits: the loop there.
func causeOf(f waiting.Finding) cause.Cause {
	if f.Kind != waiting.Call || f.At.IsZero() {
		return cause.Cause{}
	}
	claim := "never"
	switch {
	case f.Grade == waiting.Late:
		claim = "late"
	case f.Async:
		claim = "goroutine"
	}
	return cause.Cause{Key: f.At.ID(), Claim: claim, Place: "call"}
}

// message returns the message of a finding. It depends on what ends the loop, if
// anything does.
func message(f waiting.Finding) string {
	switch {
	case f.Kind == waiting.Success:
		return "a wait cut short by " + f.Context + " looks like success here; return its error"
	case f.Grade == waiting.Late:
		return late(f)
	case f.Kind == waiting.Loop:
		return fmt.Sprintf("loop waiting with %s never observes %s; cancellation cannot end it", f.Name, f.Context)
	case f.Kind == waiting.OtherContext:
		return fmt.Sprintf("%s waits on a context that does not end with %s, which it never observes; pass that on", f.Name, f.Context)
	case f.Kind == waiting.Call && f.Async:
		return fmt.Sprintf("%s starts an endless loop (%s) that never observes %s; nothing can stop it", f.Name, f.At, f.Context)
	case f.Kind == waiting.Call:
		return fmt.Sprintf("%s waits in a loop (%s) that never observes %s; cancellation cannot end it", f.Name, f.At, f.Context)
	case f.Remedy != "":
		return fmt.Sprintf("%s never observes %s; cancellation cannot end it, %s can", f.Name, f.Context, f.Remedy)
	}
	return fmt.Sprintf("%s never observes %s; cancellation cannot end it", f.Name, f.Context)
}

func late(f waiting.Finding) string {
	wait := "a wait"
	if f.Interval != "" {
		wait += " of " + f.Interval
	}
	if f.Kind == waiting.Loop {
		return fmt.Sprintf("loop notices that %s is done only after %s (%s); wait in a select with its Done channel", f.Context, wait, f.Name)
	}
	return fmt.Sprintf("%s notices that %s is done only after %s", f.Name, f.Context, wait)
}
