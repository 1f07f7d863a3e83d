package requeue

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// Debug writes the outcomes of fn, a function of the package that returns a Result:
// those of the whole function, and those of each path to a return statement.
func (p *Package) Debug(w *text.Writer, fn *ssa.Function) {
	res, err := results(fn.Signature)
	if res < 0 {
		return
	}
	summary := p.of(fn)
	w = w.Linef("asks for %s", summary.Outcomes.debug(fn))
	for _, i := range summary.ErrorParams {
		w.Linef("fails if %s is an error", param(fn, i))
	}
	e := p.evaluator(nil)
	for _, ret := range cfg.Returns(fn) {
		for _, on := range p.pathsTo(ret.Block()) {
			asks := "left out: " + on.leftOut(ret, err, nil)
			if asks == "left out: " {
				asks = e.returns(on, ret.Results[res]).debug(fn)
			}
			w := w.Linef("return  %s: %s", text.Place(p.pass.Fset, ret.Pos()), asks)
			for _, c := range on.conds {
				w.Linef("if %s", text.CondOf(p.pass.Fset, p.pass.Files, c.Value, c.Holds))
			}
		}
	}
}

// debug describes the outcomes of fn in words.
func (a Outcomes) debug(fn *ssa.Function) string {
	var all []string
	add := func(what string, holds bool) {
		if holds {
			all = append(all, what)
		}
	}
	add("nothing", a.Empty)
	add("nothing while there is nothing to look after", a.Idle)
	add("what is not known", a.Unknown)
	add("the time of the rate limiter", a.RateLimited)
	add("an interval that is not known", a.UnknownInterval)
	add("an interval that is not known, and zero at times", a.Lapses)
	add("when something is due", a.Due)
	add(fmt.Sprintf("up to %v", a.Longest), a.Longest > 0)
	for _, v := range a.IntervalParams {
		unit := ""
		if v.Unit != 1 {
			unit = fmt.Sprintf(", each %v", time.Duration(v.Unit))
		}
		add("the interval "+param(fn, v.Param)+unit, true)
	}
	for _, i := range a.ResultParams {
		add("what "+param(fn, i)+" asks for", true)
	}
	for _, i := range a.FuncParams {
		add("what "+param(fn, i)+" returns", true)
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
