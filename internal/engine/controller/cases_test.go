package controller_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/predicate"
	"github.com/operatorvet/operatorvet/internal/engine/requeue"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// TestCases compares what the engine knows about small programs with the debug
// text in testdata.
func TestCases(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, controller.Analyzer, func(w *text.Writer, p *enginetest.Package) {
		controller.Debug(w, p.Pass, p.Picked())
	}, wiring.Analyzer, flow.Analyzer, requeue.Analyzer, predicate.Analyzer, selection.Analyzer)
}
