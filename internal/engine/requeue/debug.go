package requeue

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// Debug writes what fn, a function of the package, asks for if it returns a
// Result: in all, and on each way to a return.
func (p *Package) Debug(w *text.Writer, fn *ssa.Function) {
	res, err := results(fn.Signature)
	if res < 0 {
		return
	}
	asks := p.of(fn)
	w = w.Linef("asks for %s", asks.debug(fn))
	for _, i := range asks.Errors {
		w.Linef("fails if %s is an error", param(fn, i))
	}
	e := &evaluator{pkg: p, active: make(map[ssa.Value]bool), before: make(map[*ssa.FreeVar]Again)}
	for _, ret := range cfg.Returns(fn) {
		for _, way := range p.waysTo(ret.Block()) {
			asks := "left out: the object is gone or being deleted"
			switch {
			case err >= 0 && way.fails(ret.Results[err]):
				asks = "left out: it returns an error"
			case !way.isGone(ret.Results, err, nil):
				asks = e.result(way, ret.Results[res]).debug(fn)
			}
			w := w.Linef("return  %s: %s", text.Place(p.pass.Fset, ret.Pos()), asks)
			for _, c := range way.conds {
				w.Linef("if %s", text.CondOf(p.pass.Fset, p.pass.Files, c.Value, c.Holds))
			}
		}
	}
}

// debug returns what the text about fn says of a.
func (a Again) debug(fn *ssa.Function) string {
	var all []string
	add := func(what string, holds bool) {
		if holds {
			all = append(all, what)
		}
	}
	add("nothing", a.Never)
	add("what is not known", a.Lost)
	add("the time of the rate limiter", a.Backoff)
	add("an interval that is not known", a.After)
	add("when something is due", a.Due)
	add(fmt.Sprintf("up to %v", a.Longest), a.Longest > 0)
	for _, i := range a.Params {
		add("the interval "+param(fn, i), true)
	}
	for _, i := range a.Results {
		add("what "+param(fn, i)+" asks for", true)
	}
	if len(all) == 0 {
		return "nothing on any way without an error"
	}
	return strings.Join(all, ", or ")
}

func param(fn *ssa.Function, i int) string {
	if i < len(fn.Params) {
		return fn.Params[i].Name()
	}
	return fmt.Sprintf("param %d", i)
}
