package contexts

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Signal says what ends a context, or what closes a channel or sends on it. The
// values are ordered and their join is the maximum: where a variable may hold one of
// two contexts, the greater signal can end a loop that receives from it.
type Signal uint8

const (
	// Never: nothing, as with context.Background, wait.NeverStop, or a channel that
	// nobody closes.
	Never Signal = iota
	// Timed: only a timeout of the context itself.
	Timed
	// Detached: nothing, on purpose, as with context.WithoutCancel.
	Detached
	// Other: other code, through a stop channel or through a cancel function that it
	// keeps. It is also assumed where the analysis does not find out.
	Other
	// Scope: a context that the function was given, and that this one is derived
	// from.
	Scope
)

// maxSignal bounds the values that the backward walk from a context visits.
const maxSignal = 96

// Signal returns what ends the context or the channel v, or the context that v
// carries.
func (p *Package) Signal(v ssa.Value) Signal {
	return p.signalOf(v, make(map[ssa.Value]bool))
}

func (p *Package) signalOf(v ssa.Value, seen map[ssa.Value]bool) Signal {
	if v == nil || len(seen) > maxSignal {
		return Other
	}
	if seen[v] {
		return Never // a cycle: the other values decide
	}
	seen[v] = true
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return Never // a nil channel or context
	case origin.Parameter:
		return p.paramSignal(v.(*ssa.Parameter), seen)
	case origin.Captured:
		if isAddress(v) {
			return Other
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
	return Other
}

func (p *Package) joinSignals(vs []ssa.Value, seen map[ssa.Value]bool) Signal {
	if len(vs) == 0 {
		return Other
	}
	s := Never
	for _, v := range vs {
		s = max(s, p.signalOf(v, seen))
	}
	return s
}

// paramSignal returns the signal of a parameter. A context is the context in scope,
// except in a callback: there it is the context that the poll was given.
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

// loadSignal joins the signals of all values that are stored at the address.
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
	return Other
}

// fieldSignal returns the signal of a struct field. A context in a field is the
// context in scope, unless this package declares the field and stores to it: then it
// is the join of what it stores.
func (p *Package) fieldSignal(field *types.Var, seen map[ssa.Value]bool) Signal {
	if field == nil || !IsContext(field.Type()) {
		return Other
	}
	stored := p.Index.Field(field)
	if len(stored) == 0 || field.Pkg() != p.Types {
		return Scope
	}
	return p.joinSignals(origin.Values(stored), seen)
}

// callSignal returns the signal of a call's result, by what the call derives it from.
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
			return Other
		}
		return s
	case library.Expires:
		s := p.signalOf(args[0], seen)
		if s >= Detached {
			return s
		}
		if cancelledElsewhere(o.Call) {
			return Other
		}
		if d, ok := p.Duration(args[1]); ok && d <= p.Options.MaxWait {
			return Other // it ends within the bound that the options allow
		}
		return Timed
	case library.OfChannel, library.ContextOf:
		return p.signalOf(args[0], seen)
	}
	if fn != nil && fn.Name() == "Done" && len(args) == 1 && IsContext(args[0].Type()) {
		return p.signalOf(args[0], seen)
	}
	// Any other function of contexts derives its result from them: WithValue, or one
	// that adds a logger or a span.
	if contexts := Of(common); len(contexts) > 0 {
		return p.joinSignals(contexts, seen)
	}
	if own := p.Index.Own(common.StaticCallee()); own != nil {
		return p.joinSignals(origin.Returned(own, o.Index), seen)
	}
	if IsContext(result) {
		return Scope // cmd.Context(), ctrl.SetupSignalHandler()
	}
	return Other
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

// cancelledElsewhere reports whether the cancel function of a derived context has a
// use other than a defer statement. A deferred cancel comes after all waits of the
// function.
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

// IsCanceled reports whether the value is context.Canceled.
func IsCanceled(v ssa.Value) bool {
	o := origin.Of(v)
	g, ok := o.X.(*ssa.Global)
	return ok && o.Kind == origin.Loaded && library.VarOf(g.Object()).Is == library.Canceled
}

func isChannel(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// isAddress reports whether v is the address of a context or a channel.
func isAddress(v ssa.Value) bool {
	ptr, ok := types.Unalias(v.Type()).(*types.Pointer)
	return ok && IsSignal(ptr.Elem())
}
