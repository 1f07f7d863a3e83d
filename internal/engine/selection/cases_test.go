package selection_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestCases compares what the engine knows about small programs with the debug text in
// testdata.
func TestCases(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, selection.Analyzer, func(w *text.Writer, p *enginetest.Package) {
		result := p.ResultOf[selection.Analyzer].(*selection.Package)
		for _, fn := range p.Funcs() {
			result.Debug(w.Func(p.Fset, fn), fn)
		}
	})
}
