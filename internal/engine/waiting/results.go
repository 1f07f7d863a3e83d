package waiting

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/reads"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// call evaluates the results of a call. The first of these that knows the callee
// decides: the library's records of functions about contexts and errors, the library's
// records of waits, the summaries of this package's functions, and the facts of other
// packages' functions. If none does, and the callee is given a context that is done,
// its error is assumed to be the context's: most functions do that, and the assumption
// keeps the analysis silent.
func (f *execution) call(instr *ssa.Call) Values {
	call := instr.Common()
	n := call.Signature().Results().Len()
	if n == 0 {
		return nil
	}
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return nil
	}
	fn := callee.Static(call)
	args := callee.Args(call)
	if v, ok := f.known(fn, call, args); ok {
		return v
	}
	if vs, ok := f.restyResults(instr); ok {
		return vs
	}
	if wait := f.p.WaitOf(fn); wait != nil {
		return f.waitResults(call, wait)
	}
	if param, ok := call.Value.(*ssa.Parameter); ok {
		if vs, ok := f.callbacks[param]; ok {
			return vs
		}
	}
	given, takes := f.contextGiven(args)
	targets := f.p.Resolver.Call(call)
	var vs Values
	for _, own := range targets.Own {
		if takes && !given {
			return nil // runs on a context that is not done
		}
		vs = vs.join(f.p.results(own, f.world), n)
	}
	for _, foreign := range targets.Foreign {
		fact := f.p.fact(foreign)
		summary := f.summarized(fact)
		switch {
		case takes && !given:
			return nil
		case summary != nil:
			vs = vs.join(summary, n)
		case fact != nil && fact.Ignores:
			return nil
		default:
			vs = vs.join(f.assumed(instr, args, given), n)
		}
	}
	if targets.Open {
		if len(targets.Own) > 0 && vs.informative() {
			return vs // an interface with implementations here
		}
		vs = vs.join(f.assumed(instr, args, given), n)
	}
	return vs
}

// builtWith reports whether the receiver is the result of a chain of calls, and one of
// them was given a context that is done: service.Get(name).Context(ctx).Do().
func (f *execution) builtWith(recv ssa.Value) bool {
	for range maxChain {
		o := origin.Of(recv)
		if o.Kind != origin.Result || o.Call != recv {
			return false
		}
		args := callee.Args(o.Call.Common())
		if given, _ := f.contextGiven(args); given {
			return true
		}
		if len(args) == 0 || o.Call.Call.Signature().Recv() == nil {
			return false
		}
		recv = args[0]
	}
	return false
}

// maxChain bounds the length of a chain of calls.
const maxChain = 24

// contextGiven reports whether one of the arguments is a context that is done in this
// world, and whether one is a context at all.
func (f *execution) contextGiven(args []ssa.Value) (done, takes bool) {
	for _, arg := range args {
		var s contexts.Signal
		switch {
		case contexts.IsContext(arg.Type()):
			s = f.p.Signal(arg)
		case library.TypeOf(arg.Type()).Is == library.HTTPRequest:
			s = f.p.Carried(arg)
		default:
			continue
		}
		takes = true
		done = done || f.gives(s)
	}
	return done, takes
}

// assumed returns the results that are assumed of an unknown function.
func (f *execution) assumed(instr *ssa.Call, args []ssa.Value, given bool) Values {
	call := instr.Common()
	results := call.Signature().Results()
	vs := make(Values, results.Len())
	for i := range vs {
		vs[i] = Unknown
	}
	last := results.Len() - 1
	if !library.IsError(results.At(last).Type()) {
		return vs
	}
	if given || call.Signature().Recv() != nil && f.builtWith(args[0]) {
		vs[last] = Cancelled
		return vs
	}
	// The function may wrap the error that it is given.
	for _, arg := range args {
		if !library.IsError(arg.Type()) {
			continue
		}
		if v := f.At(arg, instr.Block()); v == Cancelled || v == NonNil && library.Of(callee.Static(call)).Meaning == library.WrapsError {
			vs[last] = v
		}
	}
	return vs
}

// known evaluates functions about contexts and errors by the library's records.
func (f *execution) known(fn *types.Func, call *ssa.CallCommon, args []ssa.Value) (Values, bool) {
	if fn == nil {
		return nil, false
	}
	if len(args) == 1 && contexts.IsContext(args[0].Type()) && fn.Name() == "Err" {
		if f.gives(f.p.Signal(args[0])) {
			return Values{Cancelled}, true
		}
		return Values{Unknown}, true
	}
	about := library.Of(fn)
	switch about.Meaning {
	case library.Cause:
		if f.gives(f.p.Signal(args[0])) {
			return Values{Cancelled}, true
		}
		return nil, true
	case library.AsksIs:
		return Values{f.isError(args[0], args[1])}, true
	case library.AsksAs:
		if f.Value(args[0]) == Cancelled && isConcrete(args[1]) {
			return Values{False}, true
		}
		return nil, true
	case library.AsksText:
		return Values{f.says(args[0], args[1])}, true
	case library.AsksInterrupted:
		if f.Value(args[0]) == Cancelled {
			return Values{True}, true
		}
		return nil, true
	case library.NewError:
		return Values{NonNil}, true
	case library.MarksError:
		if f.Value(args[0]) == Cancelled {
			return Values{Cancelled}, true
		}
		return Values{NonNil}, true
	case library.FormatsError, library.JoinsErrors:
		return Values{f.formatted(args)}, true
	case library.TakesKey:
		if f.allDone() {
			return Values{Unknown, True}, true
		}
		return nil, true
	}
	if fn.Name() == "WaitForCacheSync" && fn.Signature().Recv() != nil {
		if given, _ := f.contextGiven(args); given {
			return Values{False}, true
		}
		return nil, true
	}
	if about.Permanent {
		return Values{Permanent}, true
	}
	if about.IgnoresContext && !f.p.readsLive(args) {
		return nil, true
	}
	if about.ReadsShared && f.allDone() {
		return Values{Flag}, true
	}
	// apierrors.IsNotFound and the like are false for a context's error.
	if len(args) == 1 && deniesCancellation(fn) && f.Value(args[0]) == Cancelled {
		return Values{False}, true
	}
	return nil, false
}

// deniesCancellation reports whether fn tests for a kind of error that only the API
// server returns. A context's error is none of them.
func deniesCancellation(fn *types.Func) bool {
	params := fn.Signature().Params()
	return strings.HasPrefix(fn.Name(), "Is") && params.Len() == 1 && library.IsError(params.At(0).Type()) &&
		fn.Pkg() != nil && library.IsKubernetes(fn.Pkg().Path())
}

// isError evaluates errors.Is.
func (f *execution) isError(err, target ssa.Value) Value {
	v := f.Value(err)
	switch {
	case v == Unreached:
		return Unreached
	case v == Nil:
		return False
	case v == Cancelled && f.Value(target) == Cancelled:
		return True
	case v == Cancelled && isSentinel(target):
		return False
	}
	return Unknown
}

// isConcrete reports whether the target of errors.As is of a concrete type that no
// context's error is or is wrapped by. The types of packages net and net/url wrap it.
func isConcrete(target ssa.Value) bool {
	boxed := origin.Of(target)
	if boxed.Kind != origin.Boxed {
		return false
	}
	ptr, ok := boxed.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	named := library.NamedOf(ptr.Elem())
	if named == nil || named.Obj().Pkg() == nil || types.IsInterface(named) {
		return false
	}
	return !library.TraitsOfPackage(named.Obj().Pkg()).Has(library.WrapsContext)
}

// says evaluates whether the text of an error contains the part. The text of a
// context's error contains only words about contexts.
func (f *execution) says(text, part ssa.Value) Value {
	o := origin.Of(text)
	if o.Kind != origin.Result || !o.Call.Call.IsInvoke() || o.Call.Call.Method.Name() != "Error" || f.Value(o.Call.Call.Value) != Cancelled {
		return Unknown
	}
	s, ok := constants.String(part)
	if !ok {
		return Unknown
	}
	for _, word := range []string{"context", "cancel", "deadline", "timeout", "timed out", "exceeded"} {
		if strings.Contains(strings.ToLower(s), word) {
			return Unknown
		}
	}
	return False
}

// isSentinel reports whether v is a package-level error variable.
func isSentinel(v ssa.Value) bool {
	o := origin.Of(v)
	return o.Kind == origin.Loaded && origin.Of(o.X).Kind == origin.Global
}

// formatted evaluates an error made from variadic arguments. It is the context's error
// if one of them is.
func (f *execution) formatted(args []ssa.Value) Value {
	list := origin.Of(args[len(args)-1])
	if list.Kind != origin.Sliced {
		return NonNil
	}
	array, ok := list.X.(*ssa.Alloc)
	if ok && slices.ContainsFunc(origin.Elements(array), func(v ssa.Value) bool { return f.Value(v) == Cancelled }) {
		return Cancelled
	}
	return NonNil
}

// readsLive reports whether a read may bypass the cache. By default, unstructured objects
// are not cached.
func (p *pkg) readsLive(args []ssa.Value) bool {
	return p.isHandedOn(args[0]) || slices.ContainsFunc(args[1:], func(arg ssa.Value) bool {
		o := origin.Of(arg)
		return reads.Of(p.View, args[0], arg) == reads.Server ||
			o.Kind == origin.Boxed && library.TypeOf(o.X.Type()).Is == library.Unstructured
	})
}

// isHandedOn reports whether the client is in a field that a function fills with what it gets, in a module
// that has clients of several kinds. It may be any of them.
func (p *pkg) isHandedOn(client ssa.Value) bool {
	field, _ := origin.FieldOf(client)
	return field != nil && library.IsClient(client.Type()) && (p.View.MixesClients() || p.View.PassesClients()) &&
		slices.ContainsFunc(p.Index.Field(field), func(s *ssa.Store) bool { return origin.Of(s.Val).Kind == origin.Parameter })
}

// waitResults evaluates the results of a library's wait. A wait that its context ends
// returns the context's error, or false. A wait that its callback ends returns the
// callback's error. Nothing is known of any other.
func (f *execution) waitResults(call *ssa.CallCommon, wait *library.Wait) Values {
	results := call.Signature().Results()
	vs := make(Values, results.Len())
	for i := range vs {
		vs[i] = Unknown
	}
	end := Unknown
	if s, ok := f.p.waitSignal(call, wait); ok && f.gives(s) {
		end = Cancelled
	}
	if how, result := f.p.endedByCallback(call, wait, f.world); how {
		end = result
	}
	for i := range vs {
		switch {
		case library.IsError(results.At(i).Type()):
			vs[i] = end
		case end == Cancelled && library.IsBool(results.At(i).Type()):
			vs[i] = False
		}
	}
	return vs
}
