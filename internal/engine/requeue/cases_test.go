package requeue_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/requeue"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestCases compares what the engine knows about small programs with the debug
// text in testdata.
func TestCases(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, requeue.Analyzer, func(w *text.Writer, p *enginetest.Package) {
		result := p.ResultOf[requeue.Analyzer].(*requeue.Package)
		for _, fn := range p.Funcs() {
			result.Debug(w.Func(p.Fset, fn), fn)
		}
	})
}
