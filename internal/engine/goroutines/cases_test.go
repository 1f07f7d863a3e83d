package goroutines_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/goroutines"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestCases compares what the engine knows about small programs with the debug
// text in testdata.
func TestCases(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, goroutines.Analyzer, func(w *text.Writer, p *enginetest.Package) {
		result := p.ResultOf[goroutines.Analyzer].(*goroutines.Package)
		for _, fn := range p.Funcs() {
			result.Debug(w.Func(p.Fset, fn), fn)
		}
		result.DebugFact(w.Headingf("fact"))
	})
}
