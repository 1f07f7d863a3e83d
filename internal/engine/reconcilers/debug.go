package reconcilers

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Debug writes why fn, a function of the package, reconciles.
func (p *Package) Debug(w *text.Writer, fn *ssa.Function) {
	switch {
	case p.called[fn]:
		w.Linef("reconciles: a workqueue loop calls it with a key")
	case ssair.TakesKeys(fn):
		w.Linef("reconciles: it takes keys from a workqueue")
	case ssair.Reconciles(fn):
		w.Linef("reconciles: it returns a result")
	}
}
