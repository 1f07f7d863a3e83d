package flow_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestCases compares what the engine knows about small programs with the debug
// text in testdata. A case is named after its area, so that a behaviour is found
// by name. If the answer should be another one, the comment of the case says so
// after "Not yet:".
func TestCases(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, flow.Analyzer, func(w *text.Writer, p *enginetest.Package) {
		result := p.ResultOf[flow.Analyzer].(*flow.Package)
		for _, fn := range p.Funcs() {
			result.Debug(w.Func(p.Fset, fn), fn)
		}
	})
}
