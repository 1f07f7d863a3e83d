package goroutines

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// Debug writes whether anybody waits for fn, a function of the package.
func (p *Package) Debug(w *text.Writer, fn *ssa.Function) {
	if p.Unawaited(fn) {
		w.Linef("runs in a goroutine that nobody waits for")
	}
}

// DebugFact writes the fate of the functions that the package takes and returns.
func (p *Package) DebugFact(w *text.Writer) {
	for _, fate := range p.fact().Fates {
		w.Linef("%s", fate)
	}
}
