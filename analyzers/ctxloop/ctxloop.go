package ctxloop

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/engine/way"
	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

//go:embed doc.go
var doc string

// Analyzer reports retry and poll loops that do not observe cancellation.
var Analyzer = rule.New("ctxloop", doc, run, wiring.Analyzer, ssair.Analyzer, waiting.Analyzer)

func run(pass *rule.Pass) error {
	found := pass.ResultOf[waiting.Analyzer].(*waiting.Result)
	explain(pass, found)
	ways := way.NewFinder(pass.Pass)
	for _, f := range found.Findings {
		pass.ReportFinding(rule.Finding{
			Range: rule.Span{From: f.Pos, To: f.End}, Message: message(f), Fix: fix(pass, f), Cause: causeOf(f), Steps: steps(ways, f),
			Remedy: remedy(f),
		})
	}
	return nil
}

// steps shows how a reconcile comes to the loop, if one does, and what waits there.
func steps(ways *way.Finder, f waiting.Finding) []rule.Step {
	all := ways.FromReconciler(f.Pos)
	if of, ok := strings.CutPrefix(f.Context, "the context of "); ok && all == nil {
		all = ways.Below(of, f.Pos)
	}
	if f.Kind == waiting.Call {
		all = append(all, ways.To(f.Pos, f.End, f.At, "loop that never observes "+f.Context)...)
	} else {
		all = append(all, rule.Step{Pos: f.Pos, End: f.End, Text: "waits without " + f.Context})
	}
	for _, pos := range f.Waits {
		if pos != f.Pos {
			all = append(all, ways.Here(pos, "waits here"))
		}
	}
	return all
}

// remedy says what to do about a finding.
func remedy(f waiting.Finding) string {
	done := f.Context
	if strings.Contains(done, " ") { // "the context of Reconcile"
		done = "the context that is passed down"
	}
	switch {
	case f.Kind == waiting.Success:
		return "return the error of " + done + " instead of nil"
	case f.Remedy != "":
		return "use " + f.Remedy
	case f.Kind == waiting.OtherContext:
		return "pass " + f.Context + " on"
	case f.Kind == waiting.Call:
		return "give " + f.Name + " a context, and have its loop end when that is done"
	case f.Kind == waiting.Poll && len(f.Waits) > 0:
		return "give the request " + f.Context + ", and do not retry once that is done"
	case f.Kind == waiting.Poll:
		return "use a function that takes a context, and pass " + f.Context + " on"
	}
	return "wait in a select that has a case for " + done + ".Done()"
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
	bound := ""
	if f.Lasts > 0 {
		bound = ", for up to " + f.Lasts.Round(100*time.Millisecond).String()
	}
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
		return fmt.Sprintf("%s starts an endless loop (%s) that never observes %s; nothing can stop it", f.Name, f.At.Full(), f.Context)
	case f.Kind == waiting.Call:
		return fmt.Sprintf("%s waits in a loop (%s) that never observes %s%s; cancellation cannot end it", f.Name, f.At.Full(), f.Context, bound)
	case f.Remedy != "":
		return fmt.Sprintf("%s never observes %s%s; cancellation cannot end it, %s can", f.Name, f.Context, bound, f.Remedy)
	}
	return fmt.Sprintf("%s never observes %s%s; cancellation cannot end it", f.Name, f.Context, bound)
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
