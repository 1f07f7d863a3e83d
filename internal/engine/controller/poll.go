package controller

import (
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/requeue"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Poll says whether a reconciler that has dealt with objects of some kind asks
// to be called again after some time, whatever it has found.
type Poll struct {
	// Polls is set if it always does, Perhaps if it depends on something.
	Polls, Perhaps bool
	// Every is the longest of the intervals that are known, or 0 if none is.
	Every time.Duration
	// Due is set if it may also come back when something is due, rather than
	// after an interval.
	Due bool
	// Waits is set if it may come back after however short a time: it looks
	// again at what is not as it should be.
	Waits bool
}

// often is how soon a reconciler comes back that needs no watches.
const often = 2 * time.Minute

// Often reports whether the reconciler always comes back, and as far as is known
// so soon that nobody misses a watch. An interval that is only known when the
// operator runs, because its settings say it, is not judged.
func (p Poll) Often() bool { return p.Polls && !p.Due && p.Every <= often }

// pollOf judges by what the reconciler returns behind what it does about the
// kind. What it returns before, because the object is suspended or not valid, is
// for objects whose outputs are not kept at all.
func (f *finder) pollOf(rec *reconciler, kind library.GroupKind) Poll {
	var outcomes requeue.Outcomes
	switch obj, _ := rec.key.(*types.Func); {
	case rec.fn != nil:
		c := &concern{f: f, kind: kind, calls: make(map[*ssa.Function]bool)}
		if !c.madeIn(rec.fn) {
			// The kind is reached through an interface, it is not known where.
			c.kind = library.GroupKind{}
		}
		outcomes = f.requeue.After(rec.fn, c.matters)
	case obj != nil:
		outcomes = f.requeue.Of(obj)
	}
	waits := outcomes.Unknown || outcomes.RateLimited || outcomes.UnknownInterval || outcomes.Due || outcomes.Longest > 0
	if outcomes.Empty || outcomes.Unknown {
		// Short intervals are those of work in progress.
		return Poll{Perhaps: outcomes.UnknownInterval || outcomes.Due || outcomes.Longest > often, Waits: waits}
	}
	return Poll{
		Waits: waits,
		Polls: outcomes.RateLimited || outcomes.UnknownInterval || outcomes.Due || outcomes.Longest > 0,
		Every: outcomes.Longest,
		Due:   outcomes.Due,
	}
}

// A concern tells the calls that have to do with objects of a kind: they create
// them, or look whether they must be created. If the kind is zero, it is any that
// is created.
type concern struct {
	f     *finder
	kind  library.GroupKind
	calls map[*ssa.Function]bool // which functions make such calls
}

// madeIn reports whether the function makes a call that matters.
func (c *concern) madeIn(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && c.matters(call) {
				return true
			}
		}
	}
	return false
}

// matters reports whether a call in the function that reconciles, or in one that
// makes its Result, has to do with the kind.
func (c *concern) matters(call ssa.CallInstruction) bool {
	common := call.Common()
	if _, deferred := call.(*ssa.Defer); deferred {
		return false
	}
	if !common.IsInvoke() && common.StaticCallee() == nil {
		return isStep(common.Value) && len(common.Args) > 0
	}
	return c.concerned(common)
}

// isStep reports whether a function value may be one of the reconciler's steps.
// It is not where a library keeps a function in a variable, as in
// ctrl.LoggerFrom.
func isStep(fn ssa.Value) bool {
	switch o := origin.Of(fn); o.Kind {
	case origin.Builtin:
		return false
	case origin.Loaded:
		return origin.Of(o.X).Kind != origin.Global
	}
	return true
}

// concerned reports whether a call has to do with the kind.
func (c *concern) concerned(call *ssa.CallCommon) bool {
	obj := callee.Static(call)
	if write := library.Of(obj).Write; write != nil {
		return write.Verb != library.Delete && write.Verb != library.DeleteAllOf && write.Sub == "" &&
			(c.mentioned(call) || c.kind.IsZero() && write.Verb != library.Update && write.Verb != library.Patch)
	}
	for _, arg := range call.Args {
		if fn := literal(arg); fn != nil && c.creates(c.f.flow.Events(fn), nil) {
			return true
		}
	}
	fn := call.StaticCallee()
	if fn == nil {
		return c.mentioned(call)
	}
	var events []flow.Event
	own := len(fn.Blocks) > 0
	if own {
		events = c.f.flow.Events(fn)
	} else {
		events = c.f.flow.EventsOf(obj)
	}
	switch {
	case c.creates(events, call.Args):
		return true
	case c.deletes(events):
		return false // looks what there is to be cleaned up
	}
	return c.mentioned(call) || own && !c.kind.IsZero() && c.calledBy(fn)
}

// calledBy reports whether the function makes a call that has to do with the
// kind.
func (c *concern) calledBy(fn *ssa.Function) bool {
	found, ok := c.calls[fn]
	if ok {
		return found
	}
	c.calls[fn] = false // while it is looked at
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && c.concerned(call.Common()) {
				c.calls[fn] = true
				return true
			}
		}
	}
	return false
}

// creates reports whether the events of a function called with args create
// objects of the kind.
func (c *concern) creates(events []flow.Event, args []ssa.Value) bool {
	t := newTree(events)
	for i := range events {
		ev := &events[i]
		call := library.Named(ev.Callee).Write
		if call == nil || call.Sub != "" || !t.creates(ev, call) {
			continue
		}
		objects := arg(ev, call.Args, library.ObjectArg).Objects
		if len(objects) == 0 || slices.ContainsFunc(objects, func(obj flow.Object) bool {
			kind, ok := kindOf(obj)
			if !ok && 0 <= obj.Param && obj.Param < len(args) && obj.Path.IsRoot() {
				kind, _ = library.KindOfType(library.TypeName(dynamicType(args[obj.Param])))
			}
			return kind.MayBe(c.kind)
		}) {
			return true
		}
	}
	return false
}

// deletes reports whether objects of the kind are deleted among the events.
func (c *concern) deletes(events []flow.Event) bool {
	return slices.ContainsFunc(events, func(ev flow.Event) bool {
		call := library.Named(ev.Callee).Write
		if call == nil || call.Verb != library.Delete && call.Verb != library.DeleteAllOf {
			return false
		}
		return slices.ContainsFunc(arg(&ev, call.Args, library.ObjectArg).Objects, func(obj flow.Object) bool {
			kind, _ := kindOf(obj)
			return kind.MayBe(c.kind)
		})
	})
}

// mentioned reports whether an argument or a result of the call is an object of
// the kind, or a list of them.
func (c *concern) mentioned(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	for i := range results.Len() {
		if c.isOf(results.At(i).Type()) {
			return true
		}
	}
	return slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return c.isOf(dynamicType(v)) })
}

func (c *concern) isOf(t types.Type) bool {
	if c.kind.IsZero() {
		return false
	}
	if slice, ok := t.Underlying().(*types.Slice); ok {
		t = slice.Elem()
	}
	kind, ok := library.KindOfType(library.TypeName(t))
	kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	return ok && kind.MayBe(c.kind)
}

// dynamicType returns the type of what is in an interface, if that can be seen.
func dynamicType(v ssa.Value) types.Type {
	for types.IsInterface(v.Type()) {
		o := origin.Of(v)
		if o.Kind != origin.Boxed && o.Kind != origin.Renamed {
			break
		}
		v = o.X
	}
	return v.Type()
}

// literal returns the function that v certainly is, or nil.
func literal(v ssa.Value) *ssa.Function {
	fn, _ := origin.Through(v, origin.Renamed, origin.Closure).(*ssa.Function)
	return fn
}
