package waiting_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestCases compares what the engine knows about small programs with the debug
// text in testdata. A case is named after its area, so that a behaviour is found
// by name: how the code waits (sleep, ticker, select, poll, retry, backoff, http),
// where a context or a stop signal comes from (signal, stop), what a loop calls
// (callee, interface, closure, goroutine, cross_package), how long it takes (bound,
// constant), what ends it (error), what it then returns (success), and when it runs
// (startup). Where the answer should be another one, the comment of the case says
// so after "Not yet:".
func TestCases(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, waiting.Analyzer, func(w *text.Writer, p *enginetest.Package) {
		result := p.ResultOf[waiting.Analyzer].(*waiting.Result)
		for _, fn := range p.Funcs() {
			result.Debug(w.Func(p.Fset, fn), fn)
		}
	})
}
