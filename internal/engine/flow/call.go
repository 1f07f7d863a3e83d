package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A target is one of the functions that a call may reach.
type target struct {
	name  string        // library.Name, or "" for function literals
	obj   *types.Func   // nil for function literals and functions in variables
	fn    *ssa.Function // with a body in this package, or nil
	f     *fval         // for function values
	lit   *fval         // of another package's function literal
	param *FuncRef      // a function, or a method of an object, that the caller passed in
	recv  []value       // a bound receiver
	typ   string        // TypeName of the receiver, if an interface is called
	maybe bool
	targs []types.Type // type arguments of a generic function
	// through is set if the call goes through an interface of the module, to a
	// library's method unless the caller passes in another one.
	through *FuncRef
}

// A callSite is a call with its arguments, the receiver first.
type callSite struct {
	instr ssa.CallInstruction
	args  []value
	vals  []ssa.Value // the arguments' registers; nil where there is none
	sig   *types.Signature
	st    *heap
	via   int // number of the callback, if the call is one
	// inner is set for a function that the callee runs. Its answer is not that of the call.
	inner bool
	// answers is set if the caller wants to know what decides about the one result.
	answers bool
}

// firstParam returns the index of the argument for the first parameter, which is behind
// the receiver. It is negative if there are fewer arguments than parameters.
func (s *callSite) firstParam() int { return len(s.args) - s.sig.Params().Len() }

// call interprets a call and returns its results.
func (in *interp) call(fr *frame, instr ssa.CallInstruction, st *heap) []value {
	common := instr.Common()
	site := &callSite{instr: instr, sig: common.Signature(), st: st}
	if common.IsInvoke() {
		site.args = append(site.args, in.reg(fr, common.Value))
		site.vals = append(site.vals, common.Value)
	}
	for _, a := range common.Args {
		site.args = append(site.args, in.reg(fr, a))
		site.vals = append(site.vals, a)
	}
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return []value{in.builtin(fr, b.Name(), site)}
	}
	if isIterator(common.Value.Type()) && !common.IsInvoke() && common.StaticCallee() == nil {
		in.iterate(fr, in.reg(fr, common.Value), site)
		return nil
	}
	callees := in.callees(fr, common, site)
	if len(callees) == 0 {
		if isClock(site.sig) {
			return in.source(fr, target{name: clockField(common.Value)}, library.Clock, site)
		}
		return in.opaque(fr, target{}, site)
	}
	var items labels
	if common.IsInvoke() {
		// The results depend on which element of a sequence the receiver is.
		items = site.args[0].labels.items()
	}
	var results []value
	if v, ok := instr.(ssa.Value); ok {
		delete(fr.verdicts, v)
	}
	in.noteAsked(fr, instr, callees)
	several := hasSeveralTypes(callees)
	guards := fr.guards
	defer func() { fr.guards = guards }()
	for i, c := range callees {
		fr.guards = append(slices.Clip(guards), in.chosenUnder(fr, common.Value, c.f)...)
		got := in.applyTo(fr, c, in.withReceiver(c, site), several)
		for j := range got {
			if len(items) > 0 {
				got[j] = got[j].withLabels(items)
			}
		}
		if i == 0 {
			results = slices.Clone(got)
			continue
		}
		for j := range results {
			if j < len(got) {
				results[j] = results[j].join(got[j])
			}
		}
	}
	return results
}

// noteAsked notes a call of a function that the caller passed in and that answers yes or
// no; see Decision.
func (in *interp) noteAsked(fr *frame, instr ssa.CallInstruction, callees []target) {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return
	}
	delete(fr.asked, call)
	if len(callees) == 1 && callees[0].param != nil && answers(call.Call.Signature()) {
		fr.asked[call] = callbackKey{ctx: fr.ctx, at: instr, ref: *callees[0].param}
	}
}

// answers reports whether one of the results is a boolean.
func answers(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if library.IsBool(v.Type()) {
			return true
		}
	}
	return false
}

// clockField names the field that holds a clock function.
func clockField(v ssa.Value) string {
	if field, _ := origin.FieldOf(v); field != nil {
		return field.Name()
	}
	return "the clock"
}

// known returns the record of the library function that the callee is.
func (c target) known() *library.Func {
	if c.obj != nil {
		return library.Of(c.obj)
	}
	return library.Named(c.name)
}

// ask returns what a call of the callee asks of the API server apart from a write, or nil.
func (c target) ask() *library.Ask {
	if c.obj != nil {
		return library.AskOf(c.obj)
	}
	return library.AskNamed(c.name)
}

// callees returns the functions that a call may reach, as far as they are known.
func (in *interp) callees(fr *frame, common *ssa.CallCommon, site *callSite) []target {
	if common.IsInvoke() {
		c := target{name: library.Name(common.Method), obj: common.Method}
		if name := library.Mirrored(common.Method); name != "" {
			return in.mirrored(fr, name, in.methods(c, common.Value, site))
		}
		if in.isModelled(c.name, c.obj) {
			return []target{c}
		}
		return in.methods(c, common.Value, site)
	}
	if fn := common.StaticCallee(); fn != nil {
		if _, bound := common.Value.(*ssa.MakeClosure); bound || fn.Parent() != nil {
			var cs []target
			for _, f := range in.reg(fr, common.Value).funcs {
				cs = append(cs, in.ofValue(f))
			}
			return cs
		}
		return []target{in.ofFunction(fn)}
	}
	v := in.reg(fr, common.Value)
	if len(v.funcs) == maxFuncs && v.unknown {
		in.limits |= limitCandidates
	}
	var cs []target
	for _, f := range v.funcs {
		cs = append(cs, in.ofValue(f))
	}
	if len(v.funcs) == 0 {
		if fns, ok := in.view.Functions(structFieldOf(common.Value)); ok && len(fns) == 1 {
			return []target{in.ofObject(fns[0])} // whoever the caller is
		}
	}
	for _, r := range v.refs {
		if r.obj.param >= 0 && !r.path.IsOrder() {
			cs = append(cs, target{param: &FuncRef{Param: r.obj.param, Path: r.path}})
		}
	}
	if len(v.funcs) == 0 && !in.areOptions(fr, v.refs) {
		cs = append(cs, in.stored(fr, common.Value)...)
	}
	if len(cs) > 1 {
		for i := range cs {
			cs[i].maybe = true
		}
	}
	return cs
}

// areOptions reports whether all the functions are in parameters other than the receiver: the
// caller has set them, and not whoever has made the receiver.
func (in *interp) areOptions(fr *frame, functions []loc) bool {
	params := fr.outermost().fn.Params
	return len(functions) > 0 && !slices.ContainsFunc(functions, func(r loc) bool {
		i := r.obj.param
		return i < 0 || i >= len(params) || isReceiver(params[i])
	})
}

// ofFunction returns the callee for a declared function.
func (in *interp) ofFunction(fn *ssa.Function) target {
	c := target{}
	if len(fn.TypeArgs()) > 0 {
		c.targs = fn.TypeArgs()
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	c.obj, _ = fn.Object().(*types.Func)
	c.name = library.Name(c.obj)
	if fn.Pkg == in.ssa.SSA && len(fn.Blocks) > 0 && fn.Synthetic == "" {
		c.fn = fn
	} else if c.obj != nil && c.obj.Pkg() == in.pass.Pkg {
		if own := in.ssa.SSA.Prog.FuncValue(c.obj.Origin()); own != nil && len(own.Blocks) > 0 {
			c.fn = own
		}
	}
	return c
}

// ofValue returns the callee for a function value.
func (in *interp) ofValue(f *fval) target {
	if f.ref != nil {
		if f.ref.Name != "" {
			if in.literal(f.ref.Name) != nil {
				return target{name: f.ref.Name, lit: f}
			}
			return target{name: f.ref.Name}
		}
		return target{param: f.ref}
	}
	if isMethodValue(f.fn) {
		c := in.ofFunction(f.fn)
		c.fn = nil
		if obj, ok := f.fn.Object().(*types.Func); ok {
			if types.IsInterface(obj.Signature().Recv().Type()) {
				return target{} // method value of an interface
			}
			if own := in.ssa.SSA.Prog.FuncValue(obj.Origin()); own != nil && own.Pkg == in.ssa.SSA && len(own.Blocks) > 0 {
				c.fn = own
			}
		}
		c.recv = f.bindings
		return c
	}
	if f.fn.Parent() != nil {
		return target{fn: f.fn, f: f}
	}
	return in.ofFunction(f.fn)
}

// isMethodValue reports whether the function is a wrapper: r.m as a value, or
// (*T).m.
func isMethodValue(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && fn.Synthetic != "" && fn.Origin() == nil && obj.Signature().Recv() != nil
}

// unknownOf returns a value of which only the type t is known.
func (in *interp) unknownOf(t types.Type, at ssa.Value) value {
	o := in.object(site{at: unknownKey{at}}, t)
	o.symbolic = true
	return refTo(loc{obj: o})
}

func (in *interp) ofObject(fn *types.Func) target {
	c := target{name: library.Name(fn), obj: fn}
	if fn.Pkg() == in.pass.Pkg {
		if own := in.ssa.SSA.Prog.FuncValue(fn.Origin()); own != nil && len(own.Blocks) > 0 {
			c.fn = own
		}
	}
	return c
}

// stored returns the functions that the package stores anywhere in the struct
// field that v is read from, or that the module stores there.
func (in *interp) stored(fr *frame, v ssa.Value) []target {
	var cs []target
	if fns, ok := in.view.Functions(structFieldOf(v)); ok {
		for _, fn := range fns {
			cs = append(cs, in.ofObject(fn))
		}
		return cs
	}
	return in.targetsOf(fr, in.fields.get(structFieldOf(v)))
}

// targetsOf returns the callees for functions that are stored in a field.
func (in *interp) targetsOf(fr *frame, stored []ssa.Value) (cs []target) {
	for _, v := range stored {
		switch o := origin.Of(v); o.Kind {
		case origin.Func:
			cs = append(cs, in.ofFunction(v.(*ssa.Function)))
		case origin.Closure:
			fn := o.X.(*ssa.Function)
			if !isMethodValue(fn) {
				cs = append(cs, target{fn: fn, f: &fval{fn: fn, bindings: make([]value, len(fn.FreeVars))}})
				continue
			}
			cs = append(cs, in.ofValue(&fval{fn: fn, bindings: []value{in.receiverLike(fr, o.Edges[0])}}))
		}
	}
	return cs
}

// receiverLike returns a receiver for a method value that was stored in a field.
// It is the receiver of the method being interpreted, if that has the same type.
func (in *interp) receiverLike(fr *frame, bound ssa.Value) value {
	for f := fr; f != nil; f = f.up {
		if f.fn.Signature.Recv() != nil && types.Identical(f.fn.Params[0].Type(), bound.Type()) {
			return f.regs[f.fn.Params[0]]
		}
	}
	return in.unknownOf(library.Deref(bound.Type()), bound)
}

// calleeName returns the name of the function that a call certainly reaches.
func (in *interp) calleeName(fr *frame, common *ssa.CallCommon) string {
	if common.IsInvoke() {
		return library.Name(common.Method)
	}
	if fn := common.StaticCallee(); fn != nil {
		return in.ofFunction(fn).name
	}
	if v := in.reg(fr, common.Value); len(v.funcs) == 1 {
		return in.ofValue(v.funcs[0]).name
	}
	return ""
}

// apply interprets a call of c.
func (in *interp) apply(fr *frame, c target, s *callSite) []value {
	if len(c.recv) > 0 {
		bound := *s
		if s.instr.Common().IsInvoke() {
			bound.args = append(slices.Clone(c.recv), s.args[1:]...)
		} else {
			bound.args = append(slices.Clone(c.recv), s.args...)
			bound.vals = append([]ssa.Value{nil}, s.vals...)
		}
		s = &bound
	}
	was := fr.maybe
	fr.maybe = fr.maybe || c.maybe
	defer func() { fr.maybe = was }()
	switch {
	case c.param != nil:
		return in.callback(fr, c.param, s, resultTypes(s.sig))
	case c.lit != nil:
		return in.literalCall(fr, c, s)
	case c.f != nil:
		return in.inline(fr, c.f, s.args, s)
	}
	if c.fn == nil && c.obj != nil && c.obj.Pkg() != nil && !in.isOwnPackage(c.obj.Pkg().Path()) {
		expose(s.args)
	}
	if goesRound(c) {
		was := fr.rounds
		fr.rounds = fr.startRounds()
		defer func() { fr.rounds = was }()
	}
	if isOnce(c, s) {
		guards := fr.guards
		fr.guards = append(slices.Clip(guards), guard{}) // nothing makes it true again
		defer func() { fr.guards = guards }()
	}
	if results, ok := in.model(fr, c, s); ok {
		return results
	}
	if sum := in.summaries[c.fn]; c.fn != nil && (sum != nil || !takesReflection(s.sig)) {
		return in.instantiate(fr, sum, c, s, false)
	}
	if c.obj != nil {
		if sum := in.imported(c.obj); sum != nil {
			return in.instantiate(fr, sum, c, s, true)
		}
	}
	return in.opaque(fr, c, s)
}

// expose notes that a library's function gets the arguments. It may decode something into
// them.
func expose(args []value) {
	for _, a := range args {
		for _, r := range a.refs {
			r.obj.exposed = true
		}
		a.exposeCaptured()
	}
}

// exposeCaptured notes that functions that v may be, which capture objects, are passed on.
func (v value) exposeCaptured() {
	for _, f := range v.funcs {
		for _, b := range f.bindings {
			for _, r := range b.refs {
				r.obj.exposed = true
			}
		}
	}
}

// isOnce reports whether the callee calls a function once in the lifetime of the
// process: what remembers the call is no local variable.
func isOnce(c target, s *callSite) bool {
	if c.known().Meaning != library.RunsOnce || len(s.args) == 0 {
		return false
	}
	return !slices.ContainsFunc(s.args[0].refs, func(r loc) bool { return r.obj.param < 0 && r.obj.id >= 0 && !r.obj.symbolic })
}

// literalCall applies the summary of a function literal of another package.
func (in *interp) literalCall(fr *frame, c target, s *callSite) []value {
	lit := in.literal(c.name)
	whole := *s
	whole.args = slices.Clone(s.args[:min(len(s.args), lit.Params)])
	for len(whole.args) < lit.Params {
		whole.args = append(whole.args, value{unknown: true})
	}
	whole.args = append(whole.args, in.captured(c.lit.bindings, s.st)...)
	whole.vals = make([]ssa.Value, len(whole.args))
	copy(whole.vals, s.vals[:min(len(s.vals), lit.Params)])
	return in.instantiate(fr, &lit.Sum, c, &whole, true)
}

// captured returns what the variables hold that a function literal captures: its
// parameters behind the others.
func (in *interp) captured(bindings []value, st *heap) []value {
	var contents []value
	for _, b := range bindings {
		held := in.load(b, st, structType)
		if !slices.ContainsFunc(b.refs, func(r loc) bool { return !st.get(r).copy }) {
			held.refs = b.refs // a struct, and not what it was copied from
		}
		contents = append(contents, held)
	}
	return contents
}

// inline interprets a function literal in place.
func (in *interp) inline(fr *frame, f *fval, args []value, s *callSite) []value {
	for up := fr; up != nil; up = up.up {
		if up.fn == f.fn {
			return in.unknownResults(target{}, s)
		}
	}
	if fr.depth >= maxInline {
		in.limits |= limitNesting
	}
	if fr.depth >= maxInline || len(f.fn.Blocks) == 0 {
		return in.unknownResults(target{}, s)
	}
	key := ctxKey{fr.ctx, s.instr, s.via, f.fn}
	ctx, ok := in.ctxs[key]
	if !ok {
		ctx = len(in.ctxs) + 1
		in.ctxs[key] = ctx
	}
	sub := in.frame(f.fn)
	sub.up, sub.call, sub.ctx, sub.depth = fr, s.instr.Block(), ctx, fr.depth+1
	sub.outer, sub.inGo, sub.maybe = fr.guards, fr.inGo, fr.maybe
	for i, p := range f.fn.Params {
		if i < len(args) {
			sub.regs[p] = args[i]
		} else {
			sub.regs[p] = in.unknownParam(p)
		}
	}
	for i, fv := range f.fn.FreeVars {
		if i < len(f.bindings) {
			sub.regs[fv] = f.bindings[i]
		}
	}
	if exit := in.run(sub, s.st.clone()); exit != nil {
		s.st.objs, s.st.memo = exit.objs, exit.memo
	}
	if s.answers && len(sub.result) == 1 && library.IsBool(f.fn.Signature.Results().At(0).Type()) {
		return []value{sub.result[0].withLabels(in.answered(sub))}
	}
	return sub.result
}

// callback records a call of a function that the caller passes in. The summary
// has an object for each result. It stands for the result until a caller knows
// the function.
func (in *interp) callback(fr *frame, ref *FuncRef, s *callSite, results []types.Type) []value {
	key := callbackKey{ctx: fr.ctx, at: s.instr, via: s.via, ref: *ref}
	cb := in.calls[key]
	if cb == nil {
		if len(in.calls) >= maxCallbacks {
			in.limits |= limitCallbacks
			return in.unknownResults(target{}, s)
		}
		cb = &Callback{Func: *ref, Results: make([]int, len(results)), seq: len(in.calls)}
		in.calls[key] = cb
	}
	cb.args = s.args
	for i, a := range s.args {
		isPointed := ref.Method == "" && (s.vals[i] == nil || !isAggregate(s.vals[i].Type()))
		for _, r := range a.refs {
			r.obj.handedOn = true
			r.obj.completed = r.obj.completed || isPointed
		}
		a.exposeCaptured()
	}
	cb.heap = s.st.clone()
	cb.maybe = fr.maybe
	cb.inGo = fr.inGo
	cb.Rounds = fr.inRounds()
	cb.Guards = nil
	for _, g := range fr.guards {
		fed := g.fed()
		if !slices.ContainsFunc(cb.Guards, func(ls []Label) bool { return fed.equal(ls) }) {
			cb.Guards = append(cb.Guards, fed)
		}
	}

	// What is returned for an item is another one for each item.
	var items labels
	for _, a := range s.args {
		items = items.union(in.allLabels(a, s.st).items())
	}
	vals := make([]value, len(results))
	defer func() {
		for i := range vals {
			vals[i] = vals[i].withLabels(items)
		}
	}()
	for i, t := range results {
		if i >= len(cb.Results) || t != nil && library.IsBool(t) {
			vals[i] = value{unknown: true}
			continue
		}
		if t != nil {
			t = library.Deref(t)
		}
		o := in.object(site{at: key, nth: int32(i)}, t)
		o.symbolic, o.opaque, o.from = true, true, ofCaller
		cb.Results[i] = o.id + 1
		if t != nil && library.IsError(t) {
			vals[i] = value{labels: labels{returned(o)}, unknown: true}
			continue
		}
		vals[i] = refTo(loc{obj: o})
		vals[i].unknown = t != nil && isBasic(t)
		if t != nil && library.IsString(t) {
			vals[i].labels = labels{returned(o)}
		}
		if at, ok := orderIn(t); ok {
			s.st.put(loc{o, at}, value{labels: labels{returnedOrder(o, at)}}, true)
		}
	}
	return vals
}

// orderIn returns the path of the order of a list, or of the items of a list of API objects.
func orderIn(t types.Type) (access.Path, bool) {
	if t == nil {
		return access.Path{}, false
	}
	if isSliceType(t) {
		return access.Ordering(), true
	}
	if items, _, _ := types.LookupFieldOrMethod(t, true, nil, "Items"); items != nil && isSliceType(items.Type()) {
		return access.Fields("Items").Join(access.Ordering()), true
	}
	return access.Path{}, false
}

// resultTypes returns the types of a function's results.
func resultTypes(sig *types.Signature) []types.Type {
	ts := make([]types.Type, sig.Results().Len())
	for i := range ts {
		ts[i] = sig.Results().At(i).Type()
	}
	return ts
}

func (in *interp) nameOf(s *callSite) string {
	common := s.instr.Common()
	if common.IsInvoke() {
		return library.Name(common.Method)
	}
	if fn := common.StaticCallee(); fn != nil {
		return in.ofFunction(fn).name
	}
	return ""
}
