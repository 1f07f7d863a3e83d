package waiting

import (
	"slices"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// TestSteadyResults: what is found out in one world and taken over for the others
// is what is found out in them.
func TestSteadyResults(t *testing.T) {
	t.Parallel()
	corpus, err := fixture.Load("../../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	var steady, other atomic.Int64
	compared := *Analyzer
	compared.Run = func(pass *analysis.Pass) (any, error) {
		ir := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
		if ir.SSA != nil {
			for _, fn := range ir.Funcs {
				p := newPkg(pass, ir)
				for w := range worlds {
					taken, own := p.results(fn, w), newPkg(pass, ir).results(fn, w)
					if !slices.Equal(taken, own) {
						t.Errorf("%s in world %d: %v, on its own %v", fn, w, taken, own)
					}
				}
				if p.steady[fn] {
					steady.Add(1)
				} else {
					other.Add(1)
				}
			}
		}
		return Analyzer.Run(pass)
	}
	if _, err := fixture.Analyze([]*analysis.Analyzer{&compared}, corpus.Packages); err != nil {
		t.Fatal(err)
	}
	if steady.Load() == 0 || other.Load() == 0 {
		t.Errorf("%d functions have the same results in all worlds, %d do not", steady.Load(), other.Load())
	}
}
