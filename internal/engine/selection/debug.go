package selection

import (
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// Debug writes what the function, if it selects objects, needs of them.
func (p *Package) Debug(w *text.Writer, fn *ssa.Function) {
	f := p.own[fn]
	if f == nil {
		return
	}
	for _, a := range f.Answers {
		article, typ := "an ", "object"
		switch {
		case a.Type != "":
			article, typ = "a ", text.Name(a.Type)
		case len(f.Answers) > 1:
			article, typ = "any ", "other object"
		}
		if IsNever(a.Needs) {
			w.Linef("selects no %s", typ)
			continue
		}
		for _, need := range a.Needs {
			w.Linef("selects %s%s only with %s", article, typ, need)
		}
	}
}
