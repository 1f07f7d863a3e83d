package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A reconciler may note in its process that it is at work on an object. When it is done it takes
// the note away, so that the next reconcile is not kept out:
//
//	if inFlight.Has(key) { return nil }
//	inFlight.Add(key)
//	defer inFlight.Remove(key)
//
//	if !r.mu.TryLock() { return nil }
//	defer r.mu.Unlock()

// isInFlight reports whether the condition is the answer of a method of something that lasts, and
// the function calls another method of the same thing when it ends.
func isInFlight(c cfg.Condition) bool {
	asked := origin.Of(c.Stripped().Value).Call
	if asked == nil {
		return false
	}
	of := lasting(&asked.Call)
	if of == nil {
		return false
	}
	isSame := func(call *ssa.CallCommon) bool {
		other := lasting(call)
		return other != nil && sameValue(of, other) && callee.Static(call) != callee.Static(&asked.Call)
	}
	for _, b := range asked.Parent().Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if !ok {
				continue
			}
			if isSame(&d.Call) || slices.ContainsFunc(deferredCalls(d), isSame) {
				return true
			}
		}
	}
	return false
}

// lasting returns the receiver of the method that is called, if it is a package variable, or a
// field of what the function's own receiver points to.
func lasting(call *ssa.CallCommon) ssa.Value {
	fn := callee.Static(call)
	if fn == nil || fn.Signature().Recv() == nil || call.IsInvoke() || len(call.Args) == 0 {
		return nil
	}
	of := origin.Through(call.Args[0], origin.Loaded)
	switch o := origin.Of(of); o.Kind {
	case origin.Global:
		return of
	case origin.Field:
		if p, ok := origin.Through(o.X, origin.Loaded).(*ssa.Parameter); ok && isReceiver(p) {
			return of
		}
	}
	return nil
}

// deferredCalls returns the calls in the literal that is deferred.
func deferredCalls(d *ssa.Defer) (calls []*ssa.CallCommon) {
	fn := d.Call.StaticCallee()
	if fn == nil || fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				calls = append(calls, &call.Call)
			}
		}
	}
	return calls
}
