package cleanup

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// Debug writes what is known about fn, a function or function literal of the
// package: its acts, the waits that contexts end, where it ends contexts or finds
// them done, and its fact.
func (r *Result) Debug(w *text.Writer, fn *ssa.Function) {
	if r.a == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.a
	for _, act := range a.actsOf(fn) {
		name := contexts.CalleeName(act.call.Common())
		if act.what != name {
			name += " (" + act.what
			if !act.at.IsZero() {
				name += " at " + act.at.String()
			}
			name += ")"
		}
		if act.persists {
			name += ", which persists"
		}
		w.Linef("acts by %s  %s", name, a.Place(act.call.Pos()))
	}
	for _, p := range a.pausesOf(fn) {
		how := ""
		if p.limited {
			how += " limited"
		}
		if p.request {
			how += " request"
		}
		w.Linef("waits until a context is done  %s%s", a.Place(p.instr.Pos()), how)
	}
	for _, end := range a.endings(fn) {
		if end.canceller.call != nil {
			w.Linef("cancels the context of %s  %s", a.Place(end.canceller.call.Pos()), a.Place(end.instr.Pos()))
			continue
		}
		pos := token.NoPos
		if end.instr != nil {
			pos = end.instr.Pos()
		} else {
			pos = askedAt(end.edge)
		}
		how := ""
		if end.told {
			how = " told by an error"
		}
		if end.mayFail {
			how = " unless it fails"
		}
		w.Linef("finds a context done  %s%s", a.Place(pos), how)
	}
	if slices.Contains(a.bounded, fn) {
		w.Linef("in part, for lack of pairs of calls")
	}
	if f := a.factOf(fn); f != nil {
		w.Linef("fact %s", f)
	}
	for _, c := range a.found {
		if text.Inside(fn, c.Pos) {
			w.Linef("finding: "+reasons[c.Reason]+"  %s", c.Name, c.Context, c.By, a.Place(c.Pos))
		}
	}
}

// reasons are formats for the function called, its context, and where that is done.
var reasons = [...]string{
	CancelledLater:  "%s on %s, which a later defer at %s cancels",
	CancelledBefore: "%s on %s, which is cancelled at %s",
	FoundDone:       "%s on %s, which is done at %s",
	Interrupted:     "%s on %s, which may have ended the wait at %s",
	NotCalled:       "%s is not undone if %s ends the wait at %s",
}
