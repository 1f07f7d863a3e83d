package waiting

import (
	"slices"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestInvariantResults: results that are computed in one world and reused for the
// others are the same as those computed in each world.
func TestInvariantResults(t *testing.T) {
	t.Parallel()
	var invariant, other atomic.Int64
	compared := *Analyzer
	compared.Run = func(pass *analysis.Pass) (any, error) {
		if all := newPkg(pass); all.SSA != nil {
			for _, fn := range all.Funcs {
				p := newPkg(pass)
				for w := range worlds {
					reused, own := p.results(fn, w), newPkg(pass).results(fn, w)
					if !slices.Equal(reused, own) {
						t.Errorf("%s in world %d: %v, on its own %v", fn, w, reused, own)
					}
				}
				if p.invariant[fn] {
					invariant.Add(1)
				} else {
					other.Add(1)
				}
			}
		}
		return Analyzer.Run(pass)
	}
	enginetest.Analyze(t, &compared)
	if invariant.Load() == 0 || other.Load() == 0 {
		t.Errorf("%d functions have the same results in all worlds, %d do not", invariant.Load(), other.Load())
	}
}
