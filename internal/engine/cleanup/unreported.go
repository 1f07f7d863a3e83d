package cleanup

import (
	"fmt"
	"go/token"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
)

// An Unreported is an act about which nothing is reported.
type Unreported struct {
	Pos  token.Pos
	What string // "Writer.Update at a.go:12"
}

// Acts returns the acts of the package that are not reported, by function.
func (r *Result) Acts() []Unreported {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Unreported
	if r.a == nil {
		return nil
	}
	for _, fn := range r.a.Funcs {
		for _, act := range r.a.actsOf(fn) {
			if !r.a.reported[act.call] {
				what := fmt.Sprintf("%s at %s", contexts.CalleeName(act.call.Common()), r.a.Place(act.call.Pos()))
				all = append(all, Unreported{act.call.Pos(), what})
			}
		}
	}
	return all
}
