package waiting

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// maxSimulated bounds the rounds of a loop that are simulated.
const maxSimulated = 1000

// tolerableWait returns how long a wait may take in all that no reconcile is known to
// make.
func (p *pkg) tolerableWait() time.Duration { return 3 * p.Options.MaxWait }

// brief reports whether the loop certainly waits no longer in all than is tolerable.
func (p *pkg) brief(l *cfg.Loop, s *site) bool {
	if p.short(l, s, p.tolerableWait()) {
		return true
	}
	calls := p.Index.Calls(l.Func())
	return len(calls) > 0 && len(p.Index.Uses(l.Func())) == 0 && !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		return !p.shortWith(l, p.calledWith(l.Func(), call.Common()).Given, s, p.tolerableWait())
	})
}

// short reports whether the loop certainly waits only once, or no longer in all than
// most. Its rounds are simulated with the constants in them.
//
//	for i := 0; i < 3; i++ {
//		...
//		time.Sleep(delay)
//		delay *= 2
//	}
func (p *pkg) short(l *cfg.Loop, s *site, most time.Duration) bool {
	return p.shortDeadline(l, most) || p.shortTimer(l, most) || p.shortWith(l, nil, s, most) || p.shortSteps(l, s, most)
}

// shortWith simulates the rounds with the given values of parameters.
func (p *pkg) shortWith(l *cfg.Loop, given map[ssa.Value]constant.Value, s *site, most time.Duration) bool {
	env := round{p.Constants, l}
	env.Given = make(map[ssa.Value]constant.Value)
	maps.Copy(env.Given, given)
	for _, phi := range l.Phis() {
		if v := env.entering(phi); v != nil {
			env.Given[phi] = v
		}
	}
	// A test in the header comes before the wait, unless the wait is there too.
	before := func(b *ssa.BasicBlock) bool { return b == l.Header && s.block != l.Header }
	after := func(b *ssa.BasicBlock) bool { return !before(b) }
	total, known := time.Duration(0), true
	for n := range maxSimulated {
		if env.ends(before) {
			return n <= 1 || known && total <= most
		}
		d, ok := s.known, s.known > 0
		if s.duration != nil {
			d, ok = env.Duration(s.duration)
		}
		total, known = total+d, known && ok
		if env.ends(after) {
			return n == 0 || known && total <= most
		}
		if n > 0 && (!known || total > most) {
			return false
		}
		env.Given = env.next()
		maps.Copy(env.Given, given)
	}
	return false
}

// shortDeadline reports whether a deadline ends the loop within that time.
func (p *pkg) shortDeadline(l *cfg.Loop, most time.Duration) bool {
	for _, branch := range l.Exits() {
		cond := cfg.Condition{Value: branch.Cond, Holds: true}.Stripped().Value
		switch o := origin.Of(cond); o.Kind {
		case origin.Result: // time.Now().Before(deadline)
			if !library.Of(callee.Static(o.Call.Common())).Time.Compares() {
				continue
			}
			for _, arg := range o.Call.Call.Args {
				if d, ok := p.deadline(arg, l); ok && d <= most {
					return true
				}
			}
		case origin.Computed: // time.Since(start) < limit
			if !computes(origin.Of(o.X), library.TimeSince) {
				continue
			}
			if d, ok := p.Duration(o.Y); ok && d <= most {
				return true
			}
		}
	}
	return false
}

// computes reports whether a value is the result of a function of package time with
// this use.
func computes(o origin.Origin, use library.TimeUse) bool {
	return o.Kind == origin.Result && library.Of(callee.Static(o.Call.Common())).Time == use
}

// deadline returns the duration from the start of the loop to v, a time that is
// computed before the loop.
func (p *pkg) deadline(v ssa.Value, l *cfg.Loop) (time.Duration, bool) {
	o := origin.Of(v)
	if !computes(o, library.AddsDuration) || l.Blocks[o.Call.Block()] {
		return 0, false
	}
	return p.Duration(o.Call.Call.Args[1])
}

// shortTimer reports whether a short timer ends the loop that is started before it.
func (p *pkg) shortTimer(l *cfg.Loop, most time.Duration) bool {
	for b := range l.Blocks {
		for _, instr := range b.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			for i, state := range sel.States {
				if state.Dir != types.RecvOnly || !contexts.IsTimer(state.Chan) {
					continue
				}
				target := cfg.CaseBlock(sel, i)
				if target == nil || l.Blocks[target] && l.Continues(target) {
					continue
				}
				if made, ok := state.Chan.(ssa.Instruction); ok && l.Blocks[made.Block()] {
					continue
				}
				if v := p.TimerDuration(state.Chan); v != nil {
					if d, ok := p.Duration(v); ok && d <= most {
						return true
					}
				}
			}
		}
	}
	return false
}

// shortSteps reports whether the loop sleeps for the steps of a short wait.Backoff
// until no step is left.
//
//	for b.Steps > 0 {
//		time.Sleep(b.Step())
//	}
func (p *pkg) shortSteps(l *cfg.Loop, s *site, most time.Duration) bool {
	if s.duration == nil {
		return false
	}
	step := origin.Of(s.duration)
	if !computes(step, library.NextStep) {
		return false
	}
	cell, ok := step.Call.Call.Args[0].(*ssa.Alloc)
	if !ok || !testsField(l, cell, "Steps") {
		return false
	}
	fields, ok := p.Constants.FieldsAt(cell)
	if !ok {
		return false
	}
	b := backoffOf(fields)
	b.steps++
	total, _ := b.pauses()
	return total <= most
}

// A round of a loop, with the values of the loop's variables in it.
type round struct {
	constants.Evaluator
	loop *cfg.Loop
}

// entering returns the value with which a loop variable enters the loop.
func (r round) entering(phi *ssa.Phi) constant.Value {
	var v constant.Value
	for i, pred := range r.loop.Header.Preds {
		if r.loop.Blocks[pred] {
			continue
		}
		w := r.Eval(phi.Edges[i])
		if w == nil || v != nil && !constant.Compare(v, token.EQL, w) {
			return nil
		}
		v = w
	}
	return v
}

// next returns the loop variables of the next round.
func (r round) next() map[ssa.Value]constant.Value {
	out := make(map[ssa.Value]constant.Value)
	for _, phi := range r.loop.Phis() {
		var v constant.Value
		for i, pred := range r.loop.Header.Preds {
			if !r.loop.Blocks[pred] {
				continue
			}
			w := r.Eval(phi.Edges[i])
			if w == nil || v != nil && !constant.Compare(v, token.EQL, w) {
				v = nil
				break
			}
			v = w
		}
		if v != nil {
			out[phi] = v
		}
	}
	return out
}

// ends reports whether a branch whose condition is constant in this round leaves the
// loop. It looks only at the blocks to consider.
func (r round) ends(consider func(*ssa.BasicBlock) bool) bool {
	for _, branch := range r.loop.Exits() {
		b := branch.Block()
		if !consider(b) {
			continue
		}
		cond := r.Eval(branch.Cond)
		if cond == nil || cond.Kind() != constant.Bool {
			continue
		}
		target := b.Succs[1]
		if constant.BoolVal(cond) {
			target = b.Succs[0]
		}
		if !r.loop.Blocks[target] {
			return true
		}
	}
	return false
}

// usually returns the value of a constant duration, or the default of a setting of the
// program, a field that v is read from.
func (p *pkg) usually(v ssa.Value) (time.Duration, bool) {
	if v == nil {
		return 0, false
	}
	if d, ok := p.Duration(v); ok {
		return d, true
	}
	field, _ := origin.FieldOf(v)
	d := p.View.Setting(field)
	return d, d > 0
}

// soon reports whether a loop may notice cancellation only after such an interval. A
// manager that stops waits half a minute for its runnables.
func (p *pkg) soon(d time.Duration) bool { return d <= max(5*time.Second, p.Options.MaxWait) }
