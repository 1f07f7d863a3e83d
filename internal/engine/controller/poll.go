package controller

import (
	"fmt"
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

// A Poll says whether a reconciler asks to be called again after some time, once it has
// dealt with objects of some kind.
type Poll struct {
	// Polls is set if it does so on all paths.
	Polls bool
	// Perhaps is set if it does so on some paths.
	Perhaps bool
	// Every is the longest of the known intervals, 0 if none is known.
	Every time.Duration
	// Due is set if the interval may be the time until something is due.
	Due bool
	// Resyncs is set if the manager reconciles all objects from time to time, by a
	// setting of the module, and Resync is the period, 0 if it is not known.
	Resyncs bool
	Resync  time.Duration
	// ResyncsByDefault is set if the manager would reconcile all objects from time to
	// time by controller-runtime's default, which is ten hours. That is too rare to do
	// without watches, but it repairs.
	ResyncsByDefault bool
	// Unknown is set if nothing shows that it is not called again by itself: the
	// Result is not known on some paths, and it is not empty on any.
	Unknown bool
	// Waits is set if it asks for any time at all on some path, however short: it
	// looks again at work in progress.
	Waits bool
	// Lapses is set if all times that it asks for are zero at times.
	Lapses bool
}

// often is the longest interval at which a reconciler polls often enough to do without
// watches.
const often = 2 * time.Minute

// oftenAll is the longest resync period that lets a controller do without watches.
const oftenAll = 5 * time.Minute

// Often reports whether the reconciler looks again on all paths, and often enough to do
// without a watch. An interval that is not known, because the operator's settings
// contain it, counts as short enough.
func (p Poll) Often() bool {
	return p.Polls && !p.Due && p.Every <= often || p.Resyncs && p.Resync <= oftenAll
}

// Repair says when the reconciler repairs what no event tells it about.
func (p Poll) Repair() string {
	if next := p.next(); next != "" {
		return "drift waits for " + next
	}
	return "drift is never repaired"
}

// Progress says when the reconciler sees a status that no event tells it about.
func (p Poll) Progress() string {
	if next := p.next(); next != "" {
		return "it sees progress only at " + next
	}
	return "it never sees progress"
}

// next says what makes the reconciler look again, "" if nothing does.
func (p Poll) next() string {
	switch {
	case p.Resyncs && (!p.Polls || p.Resync < p.Every):
		return fmt.Sprintf("the next resync (every %s)", p.Resync)
	case p.Due, p.Polls && p.Every == 0:
		return "the next poll"
	case p.Polls:
		return fmt.Sprintf("the next poll (every %s)", p.Every)
	case p.Perhaps:
		return "the next poll, if any"
	case p.ResyncsByDefault:
		return "the next resync (10 hours by default)"
	}
	return ""
}

// pollOf derives the Poll from what the reconciler returns on paths through a call that
// concerns the kind. Other paths do not count. On them the reconciler does not keep
// objects of the kind at all, because its own object is suspended or not valid. The same
// is true of those on which there is nothing to look after, if all others ask for a
// poll: the write of the status that ends this wakes it, unless the watches drop that.
func (f *finder) pollOf(rec *reconciler, ws *watches, kind library.GroupKind) Poll {
	var outcomes requeue.Outcomes
	switch obj, _ := rec.key.(*types.Func); {
	case rec.fn != nil:
		c := &concern{f: f, kind: kind, calls: make(map[*ssa.Function]bool)}
		if !c.madeIn(rec.fn) {
			// The kind is reached through an interface, so it is not known where.
			c.kind = library.GroupKind{}
		}
		outcomes = f.requeue.After(rec.fn, c)
	case obj != nil:
		outcomes = f.requeue.Of(obj)
	}
	if rec.wrapper != nil {
		// The wrapper may change the inner Result. If it has an interval of its own,
		// it may ask for that on every path.
		if own := f.requeue.Of(rec.wrapper); own.RateLimited || own.UnknownInterval || own.Lapses || own.Due || own.Longest > 0 {
			return Poll{Polls: true, Waits: true}
		}
	}
	waits := outcomes.Waits()
	if outcomes.Idle && (!waits || dropsStatus(ws.list)) {
		outcomes.Empty = true
	}
	if outcomes.Empty || outcomes.Unknown {
		// Short intervals are those of work in progress.
		return Poll{
			Unknown: !outcomes.Empty,
			Perhaps: outcomes.UnknownInterval || outcomes.Lapses || outcomes.Due || outcomes.Longest > often,
			Waits:   waits,
			Lapses:  outcomes.OnlyLapses(),
		}
	}
	return Poll{
		Waits: waits,
		Polls: outcomes.RateLimited || outcomes.UnknownInterval || outcomes.Due || outcomes.Longest > 0,
		Every: outcomes.Longest,
		Due:   outcomes.Due,
	}
}

// DropsStatus reports whether no change of the status of the objects that the controller
// is for wakes it.
func (c *Controller) DropsStatus() bool { return dropsStatus(c.Watches) }

func dropsStatus(watches []Watch) bool {
	return slices.ContainsFunc(watches, func(w Watch) bool { return w.ByFor && w.Passes()&library.Status == 0 })
}

// A concern decides what calls do with objects of a kind: which create them, or look
// whether they must be created. The zero kind stands for all kinds that are
// created.
type concern struct {
	f     *finder
	kind  library.GroupKind
	calls map[*ssa.Function]bool // whether a function makes such calls
}

// madeIn reports whether the function makes a call that matters.
func (c *concern) madeIn(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && c.Role(call).Matters() {
				return true
			}
		}
	}
	return false
}

// Role implements [requeue.Concern]. The call is in the reconciler, or in a function that
// makes its Result. A call of an unknown function value may concern the kind.
func (c *concern) Role(call ssa.CallInstruction) requeue.Role {
	common := call.Common()
	if _, deferred := call.(*ssa.Defer); deferred {
		return requeue.Apart
	}
	if !common.IsInvoke() && common.StaticCallee() == nil {
		if isStep(common.Value) && len(common.Args) > 0 {
			return requeue.Makes
		}
		return requeue.Apart
	}
	return c.roleOf(common)
}

// isStep reports whether a function value may be one of the reconciler's steps. A
// function in a package variable is none: libraries have such variables, for example
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

// roleOf returns the role of a call of a known function or of a method.
func (c *concern) roleOf(call *ssa.CallCommon) requeue.Role {
	obj := callee.Static(call)
	if write := library.Of(obj).Write; write != nil {
		return c.roleOfWrite(call, write)
	}
	for _, arg := range call.Args {
		if fn := literal(arg); fn != nil && c.creates(c.f.flow.Events(fn), nil, false) {
			return requeue.Makes
		}
	}
	fn := call.StaticCallee()
	if fn == nil {
		return c.roleOfMention(call, false)
	}
	var events []flow.Event
	own := len(fn.Blocks) > 0
	if own {
		events = c.f.flow.Events(fn)
	} else {
		events = c.f.flow.EventsOf(obj)
	}
	switch {
	case c.creates(events, call.Args, false):
		return requeue.Makes
	case c.deletes(events):
		return c.removes()
	case c.creates(events, call.Args, true):
		return requeue.Apart // it cleans up
	}
	if role := c.roleOfMention(call, own); role != requeue.Apart {
		return role
	}
	if own && !c.kind.IsZero() && c.calledBy(fn) {
		return requeue.Looks
	}
	return requeue.Apart
}

// roleOfWrite returns the role of a call of the library that writes.
func (c *concern) roleOfWrite(call *ssa.CallCommon, write *library.Write) requeue.Role {
	concerned := c.mentioned(call)
	switch {
	case write.Sub != "":
	case write.Verb == library.Delete, write.Verb == library.DeleteAllOf:
		if concerned {
			return c.removes()
		}
	case concerned, c.kind.IsZero() && write.Verb != library.Update && write.Verb != library.Patch:
		return requeue.Makes
	}
	return requeue.Apart
}

// removes returns the role of a call that deletes objects of the kind, and creates none.
func (c *concern) removes() requeue.Role {
	if c.kind.IsZero() {
		return requeue.Apart // it may delete objects of another kind
	}
	return requeue.Removes
}

// roleOfMention returns the role of a call that gets or returns objects of the kind. It is
// read if it is known what it does, or that it only reads.
func (c *concern) roleOfMention(call *ssa.CallCommon, known bool) requeue.Role {
	effect := library.Of(callee.Static(call)).Effect
	switch {
	case !c.mentioned(call):
		return requeue.Apart
	case known, effect == library.ReadsObject, effect == library.ReadsList:
		return requeue.Looks
	}
	return requeue.Makes
}

// calledBy reports whether the function makes a call that concerns the kind.
func (c *concern) calledBy(fn *ssa.Function) bool {
	found, ok := c.calls[fn]
	if ok {
		return found
	}
	c.calls[fn] = false // for a recursive call
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && c.roleOf(call.Common()).Matters() {
				c.calls[fn] = true
				return true
			}
		}
	}
	return false
}

// creates reports whether the events of a function that is called with args create
// objects of the kind, or do so only while their owner is deleted.
func (c *concern) creates(events []flow.Event, args []ssa.Value, deleting bool) bool {
	t := newTree(events)
	for i := range events {
		ev := &events[i]
		call := library.Named(ev.Callee).Write
		if call == nil || call.Sub != "" || ev.Deleting != deleting || !t.creates(ev, call) {
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

// deletes reports whether an event deletes objects of the kind.
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

// mentioned reports whether an argument or a result of the call is an object of the
// kind, or a list of such objects.
func (c *concern) mentioned(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	for i := range results.Len() {
		if c.IsOf(results.At(i).Type()) {
			return true
		}
	}
	return slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return c.IsOf(dynamicType(v)) })
}

// IsOf implements [requeue.Concern].
func (c *concern) IsOf(t types.Type) bool {
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

// dynamicType returns the dynamic type of an interface value if it is known, else the
// static type.
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

// literal returns the function if v is certainly one function, else nil.
func literal(v ssa.Value) *ssa.Function {
	fn, _ := origin.Through(v, origin.Renamed, origin.Closure).(*ssa.Function)
	return fn
}
