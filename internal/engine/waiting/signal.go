package waiting

import (
	"go/constant"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A Signal says what a context or a channel tells its receiver, and when. The
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

// signalDepth bounds how far the origin of a context is followed.
const signalDepth = 24

// signal finds out where the context, the channel or the value carrying a
// context comes from.
func (p *pkg) signal(v ssa.Value) Signal {
	return p.signalOf(v, make(map[ssa.Value]bool))
}

func (p *pkg) signalOf(v ssa.Value, seen map[ssa.Value]bool) Signal {
	if v == nil || len(seen) > signalDepth*4 {
		return Own
	}
	if seen[v] {
		return Never // the other ways into the cycle decide
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Const:
		return Never // a nil channel or context
	case *ssa.Parameter:
		return p.paramSignal(v, seen)
	case *ssa.FreeVar:
		if isPointerTo(v.Type(), isSignalType) {
			return Own // address; loads are handled below
		}
		return p.joinSignals(p.bindings(v), seen)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return p.loadSignal(v, seen)
		}
	case *ssa.Phi:
		return p.joinSignals(v.Edges, seen)
	case *ssa.MakeInterface:
		if named := library.NamedOf(v.X.Type()); named != nil && !isSignalType(v.X.Type()) {
			return Scope
		}
		return p.signalOf(v.X, seen)
	case *ssa.ChangeInterface:
		return p.signalOf(v.X, seen)
	case *ssa.ChangeType:
		return p.signalOf(v.X, seen)
	case *ssa.TypeAssert:
		return p.signalOf(v.X, seen)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return p.callSignal(call, v, seen)
		}
	case *ssa.Call:
		return p.callSignal(v, nil, seen)
	case *ssa.MakeChan:
		return p.madeChannel(v)
	case *ssa.Field:
		if isContext(v.Type()) {
			return p.fieldSignal(fieldOf(v.X.Type(), v.Field), seen)
		}
	}
	return Own
}

func (p *pkg) joinSignals(vs []ssa.Value, seen map[ssa.Value]bool) Signal {
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
func (p *pkg) paramSignal(v *ssa.Parameter, seen map[ssa.Value]bool) Signal {
	if !isContext(v.Type()) {
		if library.IsType(v.Type(), "net/http", "Request") {
			return Scope
		}
		if args := p.passed(v); len(args) > 0 {
			return p.joinSignals(args, seen)
		}
		return Own
	}
	if call := p.calledBackBy(v.Parent()); call != nil {
		for _, arg := range arguments(call) {
			if isContext(arg.Type()) {
				return p.signalOf(arg, seen)
			}
		}
	}
	return Scope
}

// passed returns what this package passes for a parameter, if no other package
// can call the function: it is not exported and only ever called.
func (p *pkg) passed(param *ssa.Parameter) []ssa.Value {
	fn := param.Parent()
	if obj := fn.Object(); obj == nil || obj.Exported() || len(p.uses[fn]) > 0 || fn.Signature.Recv() != nil && p.satisfies(fn) {
		return nil
	}
	var args []ssa.Value
	for _, call := range p.calls[fn] {
		for i, other := range fn.Params {
			if other == param && i < len(call.Args) {
				args = append(args, call.Args[i])
			}
		}
	}
	return args
}

// satisfies reports whether some interface of the package has a method of that
// name.
func (p *pkg) satisfies(fn *ssa.Function) bool {
	scope := p.types.Scope()
	for _, name := range scope.Names() {
		if iface, ok := scope.Lookup(name).Type().Underlying().(*types.Interface); ok {
			for i := range iface.NumMethods() {
				if iface.Method(i).Name() == fn.Name() {
					return true
				}
			}
		}
	}
	return false
}

// loadSignal follows a load to all that is stored there.
func (p *pkg) loadSignal(load *ssa.UnOp, seen map[ssa.Value]bool) Signal {
	switch addr := load.X.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return p.joinSignals(p.stored(addr), seen)
	case *ssa.FieldAddr:
		return p.fieldSignal(fieldOf(addr.X.Type(), addr.Field), seen)
	case *ssa.Global:
		if library.NeverCloses(addr.Object()) {
			return Never
		}
		if vs := p.globals[addr]; len(vs) > 0 {
			return p.joinSignals(vs, seen)
		}
	}
	return Own
}

// fieldSignal: a context field holds the context in scope unless this package
// only ever stores contexts there that are never done.
func (p *pkg) fieldSignal(field *types.Var, seen map[ssa.Value]bool) Signal {
	if field == nil || !isContext(field.Type()) {
		return Own
	}
	stored := p.fields[field]
	if len(stored) == 0 || field.Pkg() != p.types {
		return Scope
	}
	return p.joinSignals(stored, seen)
}

// callSignal: what the call derives the context from.
func (p *pkg) callSignal(call *ssa.Call, ext *ssa.Extract, seen map[ssa.Value]bool) Signal {
	common := call.Common()
	fn := ssair.Callee(common)
	args := arguments(common)
	switch p.known(fn).meaning {
	case library.NeverDone:
		return Never
	case library.Detaches:
		return Detached
	case library.Cancels:
		s := p.signalOf(args[0], seen)
		if s <= Detached && cancelledElsewhere(call) {
			return Own
		}
		return s
	case library.Expires:
		s := p.signalOf(args[0], seen)
		if s >= Detached {
			return s
		}
		if cancelledElsewhere(call) {
			return Own
		}
		if d, ok := constDuration(args[1]); ok && d <= p.opts.MaxWait {
			return Own // over before anybody minds
		}
		return Timed
	case library.OfChannel:
		return p.signalOf(args[0], seen)
	}
	if library.Name(fn) == "(net/http.Request).Context" {
		return p.signalOf(args[0], seen)
	}
	if fn != nil && fn.Name() == "Done" && len(args) == 1 && isContext(args[0].Type()) {
		return p.signalOf(args[0], seen)
	}
	// Any other function that makes a context from contexts: WithValue, a
	// logger's or a tracer's.
	var contexts []ssa.Value
	for _, arg := range args {
		if isContext(arg.Type()) {
			contexts = append(contexts, arg)
		}
	}
	if len(contexts) > 0 {
		return p.joinSignals(contexts, seen)
	}
	if callee := p.own(common.StaticCallee()); callee != nil {
		return p.joinSignals(returned(callee, extractIndex(ext)), seen)
	}
	result := call.Type()
	if ext != nil {
		result = ext.Type()
	}
	if isContext(result) {
		return Scope // cmd.Context(), ctrl.SetupSignalHandler()
	}
	return Own
}

func extractIndex(ext *ssa.Extract) int {
	if ext == nil {
		return 0
	}
	return ext.Index
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

// madeChannel looks for whoever might close the channel or send on it. One that
// is only closed by a defer statement, after the wait, and handed to nobody
// else is never closed for the waiting function itself.
func (p *pkg) madeChannel(ch *ssa.MakeChan) Signal {
	for _, ref := range *ch.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			for _, use := range *ref.Referrers() {
				if !p.waitsOn(use) {
					return Own
				}
			}
		case *ssa.Defer:
			if b, ok := ref.Call.Value.(*ssa.Builtin); !ok || b.Name() != "close" {
				return Own
			}
		default:
			if !p.waitsOn(ref) {
				return Own
			}
		}
	}
	return Never
}

// waitsOn reports whether the instruction is a wait in this goroutine that only
// receives from the channels it is given.
func (p *pkg) waitsOn(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		_, ok := p.waitOf(ssair.Callee(instr.Common()))
		return ok
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Select:
		return true
	case *ssa.DebugRef:
		return true
	}
	return false
}

// isTimer reports whether values of the type arrive on the channel because time
// has passed.
func isTimer(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return ok && ch.Dir() == types.RecvOnly && library.TypeName(ch.Elem()) == "time.Time"
}

// isContext reports whether t is context.Context or another type with its
// methods.
func isContext(t types.Type) bool {
	if library.IsType(t, "context", "Context") {
		return true
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() < 4 {
		return false
	}
	found := 0
	for i := range iface.NumMethods() {
		switch iface.Method(i).Name() {
		case "Deadline", "Done", "Err", "Value":
			found++
		}
	}
	return found == 4
}

func isSignalType(t types.Type) bool {
	if isContext(t) {
		return true
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

func isPointerTo(t types.Type, is func(types.Type) bool) bool {
	ptr, ok := types.Unalias(t).(*types.Pointer)
	return ok && is(ptr.Elem())
}

// soon reports whether a loop that notices cancellation only after such an
// interval is nobody's concern: a manager that is told to stop gives its runnables
// half a minute.
func (p *pkg) soon(d time.Duration) bool { return d <= max(5*time.Second, p.opts.MaxWait) }

// constDuration returns the duration that is a constant.
func constDuration(v ssa.Value) (time.Duration, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	i, ok := constant.Int64Val(constant.ToInt(c.Value))
	return time.Duration(i), ok
}
