package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Signal says when a context is done, or a channel is closed or sent on. The
// values are ordered: of two that meet in a variable, the greater wins, for
// then a loop that receives from the variable can be ended by it.
type Signal uint8

const (
	// Never: context.Background, wait.NeverStop, a channel that nobody closes.
	Never Signal = iota
	// Timed: done after a time of its own, whatever happens elsewhere.
	Timed
	// Detached on purpose, by context.WithoutCancel.
	Detached
	// Own: given by other code: a stop channel, a cancel function kept
	// somewhere. It is also what is assumed of anything not understood.
	Own
	// Scope: derived from a context that the function was given.
	Scope
)

// maxSignal bounds the values that are looked at to find where a context comes
// from.
const maxSignal = 96

// Signal finds out where the context, the channel or the value carrying a
// context comes from.
func (p *Package) Signal(v ssa.Value) Signal {
	return p.signalOf(v, make(map[ssa.Value]bool))
}

func (p *Package) signalOf(v ssa.Value, seen map[ssa.Value]bool) Signal {
	if v == nil || len(seen) > maxSignal {
		return Own
	}
	if seen[v] {
		return Never // the other ways into the cycle decide
	}
	seen[v] = true
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return Never // a nil channel or context
	case origin.Parameter:
		return p.paramSignal(v.(*ssa.Parameter), seen)
	case origin.Captured:
		if isAddress(v) {
			return Own
		}
		return p.joinSignals(p.Index.Bindings(v.(*ssa.FreeVar)), seen)
	case origin.Loaded:
		return p.loadSignal(o.X, seen)
	case origin.Choice:
		return p.joinSignals(o.Edges, seen)
	case origin.Boxed:
		if named := library.NamedOf(o.X.Type()); named != nil && !IsSignal(o.X.Type()) {
			return Scope
		}
		return p.signalOf(o.X, seen)
	case origin.Renamed, origin.Asserted:
		return p.signalOf(o.X, seen)
	case origin.Result:
		return p.callSignal(o, v.Type(), seen)
	case origin.Made:
		if isChannel(v.Type()) {
			return p.madeChannel(v)
		}
	case origin.Field:
		if IsContext(v.Type()) {
			return p.fieldSignal(o.Field, seen)
		}
	}
	return Own
}

func (p *Package) joinSignals(vs []ssa.Value, seen map[ssa.Value]bool) Signal {
	if len(vs) == 0 {
		return Own
	}
	s := Never
	for _, v := range vs {
		s = max(s, p.signalOf(v, seen))
	}
	return s
}

// paramSignal: a context parameter is the context in scope, except that of a
// callback to which a poll passes on its own context.
func (p *Package) paramSignal(v *ssa.Parameter, seen map[ssa.Value]bool) Signal {
	if !IsContext(v.Type()) {
		if library.TypeOf(v.Type()).Is == library.HTTPRequest {
			return Scope
		}
		return p.joinSignals(p.Index.Passed(v), seen)
	}
	if call := p.Index.PassedTo(v.Parent()); call != nil {
		for _, arg := range callee.Args(call) {
			if IsContext(arg.Type()) {
				return p.signalOf(arg, seen)
			}
		}
	}
	return Scope
}

// loadSignal follows a load to all that is stored there.
func (p *Package) loadSignal(addr ssa.Value, seen map[ssa.Value]bool) Signal {
	switch at := origin.Of(addr); at.Kind {
	case origin.Local, origin.Captured:
		return p.joinSignals(p.Index.Stored(addr), seen)
	case origin.Field:
		return p.fieldSignal(at.Field, seen)
	case origin.Global:
		g := addr.(*ssa.Global)
		if library.VarOf(g.Object()).Is == library.NeverStop {
			return Never
		}
		from, _ := p.Index.Contents(addr, origin.Globals)
		return p.joinSignals(from, seen)
	}
	return Own
}

// fieldSignal: a context field holds the context in scope unless this package
// only ever stores contexts there that are never done.
func (p *Package) fieldSignal(field *types.Var, seen map[ssa.Value]bool) Signal {
	if field == nil || !IsContext(field.Type()) {
		return Own
	}
	stored := p.Index.Field(field)
	if len(stored) == 0 || field.Pkg() != p.Types {
		return Scope
	}
	return p.joinSignals(origin.Values(stored), seen)
}

// callSignal: what the call derives the context from.
func (p *Package) callSignal(o origin.Origin, result types.Type, seen map[ssa.Value]bool) Signal {
	common := o.Call.Common()
	fn := callee.Static(common)
	args := callee.Args(common)
	switch library.Of(fn).Meaning {
	case library.NeverDone:
		return Never
	case library.Detaches:
		return Detached
	case library.Cancels:
		s := p.signalOf(args[0], seen)
		if s <= Detached && cancelledElsewhere(o.Call) {
			return Own
		}
		return s
	case library.Expires:
		s := p.signalOf(args[0], seen)
		if s >= Detached {
			return s
		}
		if cancelledElsewhere(o.Call) {
			return Own
		}
		if d, ok := p.Duration(args[1]); ok && d <= p.Options.MaxWait {
			return Own // over within the bound that the options let pass
		}
		return Timed
	case library.OfChannel, library.ContextOf:
		return p.signalOf(args[0], seen)
	}
	if fn != nil && fn.Name() == "Done" && len(args) == 1 && IsContext(args[0].Type()) {
		return p.signalOf(args[0], seen)
	}
	// Any other function that makes a context from contexts: WithValue, a
	// logger's or a tracer's.
	if contexts := Of(common); len(contexts) > 0 {
		return p.joinSignals(contexts, seen)
	}
	if own := p.Index.Own(common.StaticCallee()); own != nil {
		return p.joinSignals(origin.Returned(own, o.Index), seen)
	}
	if IsContext(result) {
		return Scope // cmd.Context(), ctrl.SetupSignalHandler()
	}
	return Own
}

// Of returns the arguments of a call that are contexts.
func Of(call *ssa.CallCommon) []ssa.Value {
	var contexts []ssa.Value
	for _, arg := range callee.Args(call) {
		if IsContext(arg.Type()) {
			contexts = append(contexts, arg)
		}
	}
	return contexts
}

// cancelledElsewhere reports whether the cancel function of a derived context
// is used other than in a defer statement, after which nobody waits any more.
func cancelledElsewhere(call *ssa.Call) bool {
	for _, ref := range *call.Referrers() {
		ext, ok := ref.(*ssa.Extract)
		if !ok || ext.Index != 1 {
			continue
		}
		for _, use := range *ext.Referrers() {
			switch use.(type) {
			case *ssa.Defer, *ssa.DebugRef:
			default:
				return true
			}
		}
	}
	return false
}

// IsContext reports whether t is context.Context or another type with its
// methods.
func IsContext(t types.Type) bool {
	if library.TypeOf(t).Is == library.Context {
		return true
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() < 4 {
		return false
	}
	found := 0
	for m := range iface.Methods() {
		switch m.Name() {
		case "Deadline", "Done", "Err", "Value":
			found++
		}
	}
	return found == 4
}

// IsSignal reports whether values of the type are contexts or channels.
func IsSignal(t types.Type) bool { return IsContext(t) || isChannel(t) }

func isChannel(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// isAddress reports whether v is the address of a context or a channel.
func isAddress(v ssa.Value) bool {
	ptr, ok := types.Unalias(v.Type()).(*types.Pointer)
	return ok && IsSignal(ptr.Elem())
}
