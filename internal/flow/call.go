package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// A callee is one function that a call may reach.
type callee struct {
	name  string        // kubeapi.Name, or "" for function literals
	obj   *types.Func   // nil for function literals and variables' functions
	fn    *ssa.Function // with a body in this package, or nil
	f     *fval         // for function values
	lit   *fval         // of another package's function literal
	param *FuncRef      // a function, or a method of an object, of the caller
	recv  []value       // a bound receiver
	maybe bool
	targs []types.Type // type arguments of a generic function
}

// A callSite is a call with its arguments, the receiver first.
type callSite struct {
	instr ssa.CallInstruction
	args  []value
	vals  []ssa.Value // the arguments' registers; nil where there is none
	sig   *types.Signature
	st    *heap
}

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
			return in.source(fr, callee{name: clockField(common.Value)}, kubeapi.Clock, site)
		}
		return in.opaque(fr, callee{}, site)
	}
	var items labels
	if common.IsInvoke() {
		// What the method of one of several does depends on which one it is.
		items = site.args[0].labels.transform(func(l Label) (Label, bool) { return l, l.Item })
	}
	var results []value
	for i, c := range callees {
		got := in.apply(fr, c, site)
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

// isClock reports whether a function of this signature can only tell the time.
func isClock(sig *types.Signature) bool {
	if sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return false
	}
	switch kubeapi.TypeName(sig.Results().At(0).Type()) {
	case "time.Time", "k8s.io/apimachinery/pkg/apis/meta/v1.Time":
		return true
	}
	return false
}

// clockField names the field that holds a clock function.
func clockField(v ssa.Value) string {
	if load, ok := v.(*ssa.UnOp); ok {
		if fa, ok := load.X.(*ssa.FieldAddr); ok {
			return fieldName(fa.X.Type(), fa.Field)
		}
	}
	return "the clock"
}

// callees returns the functions that a call may reach, as far as known.
func (in *interp) callees(fr *frame, common *ssa.CallCommon, site *callSite) []callee {
	if common.IsInvoke() {
		c := callee{name: kubeapi.Name(common.Method), obj: common.Method}
		if in.isModelled(c.name, c.obj) {
			return []callee{c}
		}
		return in.methods(c, common.Value, site)
	}
	if fn := common.StaticCallee(); fn != nil {
		if mc, ok := common.Value.(*ssa.MakeClosure); ok {
			var cs []callee
			for _, f := range in.reg(fr, mc).funcs {
				cs = append(cs, in.ofValue(f))
			}
			return cs
		}
		return []callee{in.ofFunction(fn)}
	}
	v := in.reg(fr, common.Value)
	var cs []callee
	for _, f := range v.funcs {
		cs = append(cs, in.ofValue(f))
	}
	for _, r := range v.refs {
		if r.obj.param >= 0 && !strings.Contains(r.path, "#") {
			cs = append(cs, callee{param: &FuncRef{Param: r.obj.param, Path: r.path}})
		}
	}
	if len(v.funcs) == 0 {
		cs = append(cs, in.stored(fr, common.Value)...)
	}
	if len(cs) > 1 {
		for i := range cs {
			cs[i].maybe = true
		}
	}
	return cs
}

// ofFunction returns the callee for a function known by name.
func (in *interp) ofFunction(fn *ssa.Function) callee {
	c := callee{}
	if len(fn.TypeArgs()) > 0 {
		c.targs = fn.TypeArgs()
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	c.obj, _ = fn.Object().(*types.Func)
	c.name = kubeapi.Name(c.obj)
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
func (in *interp) ofValue(f *fval) callee {
	if f.ref != nil {
		if f.ref.Name != "" {
			if in.literal(f.ref.Name) != nil {
				return callee{name: f.ref.Name, lit: f}
			}
			return callee{name: f.ref.Name}
		}
		return callee{param: f.ref}
	}
	if isMethodValue(f.fn) {
		c := in.ofFunction(f.fn)
		c.fn = nil
		if obj, ok := f.fn.Object().(*types.Func); ok {
			if types.IsInterface(obj.Signature().Recv().Type()) {
				return callee{} // method value of an interface
			}
			if own := in.ssa.SSA.Prog.FuncValue(obj.Origin()); own != nil && own.Pkg == in.ssa.SSA && len(own.Blocks) > 0 {
				c.fn = own
			}
		}
		c.recv = f.bindings
		return c
	}
	if f.fn.Parent() != nil {
		return callee{fn: f.fn, f: f}
	}
	return in.ofFunction(f.fn)
}

// isMethodValue reports whether the function is a wrapper: r.m as a value, or
// (*T).m.
func isMethodValue(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && fn.Synthetic != "" && fn.Origin() == nil && obj.Signature().Recv() != nil
}

// unknownOf returns a value of type t of which nothing else is known.
func (in *interp) unknownOf(t types.Type, at ssa.Value) value {
	o := in.object(site{at, 0}, 0, t)
	o.symbolic = true
	return refTo(loc{o, ""})
}

func (in *interp) ofObject(fn *types.Func) callee {
	c := callee{name: kubeapi.Name(fn), obj: fn}
	if fn.Pkg() == in.pass.Pkg {
		if own := in.ssa.SSA.Prog.FuncValue(fn.Origin()); own != nil && len(own.Blocks) > 0 {
			c.fn = own
		}
	}
	return c
}

// stored returns the functions stored in the struct field that v is read from,
// anywhere in the package.
func (in *interp) stored(fr *frame, v ssa.Value) []callee {
	var cs []callee
	for _, s := range in.fields.get(structFieldOf(v)) {
		switch s := s.(type) {
		case *ssa.Function:
			cs = append(cs, in.ofFunction(s))
		case *ssa.MakeClosure:
			fn := s.Fn.(*ssa.Function)
			if !isMethodValue(fn) {
				cs = append(cs, callee{fn: fn, f: &fval{fn: fn, bindings: make([]value, len(fn.FreeVars))}})
				continue
			}
			c := in.ofValue(&fval{fn: fn, bindings: []value{in.receiverLike(fr, s.Bindings[0])}})
			cs = append(cs, c)
		}
	}
	return cs
}

// receiverLike stands for the receiver of a method value that was stored in a
// field: that of the method being interpreted if it has the same type.
func (in *interp) receiverLike(fr *frame, bound ssa.Value) value {
	for f := fr; f != nil; f = f.up {
		if f.fn.Signature.Recv() != nil && types.Identical(f.fn.Params[0].Type(), bound.Type()) {
			return f.regs[f.fn.Params[0]]
		}
	}
	return in.unknownOf(deref(bound.Type()), bound)
}

// calleeName returns the name of the function that a call certainly reaches.
func (in *interp) calleeName(fr *frame, common *ssa.CallCommon) string {
	if common.IsInvoke() {
		return kubeapi.Name(common.Method)
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
func (in *interp) apply(fr *frame, c callee, s *callSite) []value {
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
	if results, ok := in.model(fr, c, s); ok {
		return results
	}
	if c.fn != nil {
		return in.instantiate(fr, in.summaries[c.fn], c, s, false)
	}
	if c.obj != nil {
		if sum := in.imported(c.obj); sum != nil {
			return in.instantiate(fr, sum, c, s, true)
		}
	}
	return in.opaque(fr, c, s)
}

// literalCall applies the summary of a function literal of another package.
func (in *interp) literalCall(fr *frame, c callee, s *callSite) []value {
	lit := in.literal(c.name)
	whole := *s
	whole.args = slices.Clone(s.args[:min(len(s.args), lit.Params)])
	for len(whole.args) < lit.Params {
		whole.args = append(whole.args, value{lost: true})
	}
	for _, b := range c.lit.bindings {
		whole.args = append(whole.args, in.load(b, s.st, structType)) // what the captured variable holds
	}
	whole.vals = make([]ssa.Value, len(whole.args))
	copy(whole.vals, s.vals[:min(len(s.vals), lit.Params)])
	return in.instantiate(fr, &lit.Sum, c, &whole, true)
}

// inline interprets a function literal in place.
func (in *interp) inline(fr *frame, f *fval, args []value, s *callSite) []value {
	for up := fr; up != nil; up = up.up {
		if up.fn == f.fn {
			return in.unknownResults(callee{}, s)
		}
	}
	if fr.depth >= maxInline || len(f.fn.Blocks) == 0 {
		return in.unknownResults(callee{}, s)
	}
	key := ctxKey{fr.ctx, s.instr.(ssa.Instruction), f.fn}
	ctx, ok := in.ctxs[key]
	if !ok {
		ctx = len(in.ctxs) + 1
		in.ctxs[key] = ctx
	}
	sub := &frame{
		fn: f.fn, up: fr, call: s.instr.Block(), ctx: ctx, depth: fr.depth + 1,
		regs:   make(map[ssa.Value]value),
		tuples: make(map[ssa.Value][]value),
		loops:  in.loops(f.fn),
		outer:  fr.guards,
		inGo:   fr.inGo,
		maybe:  fr.maybe,
	}
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
		s.st.objs = exit.objs
	}
	return sub.result
}

// iterate interprets range over an iterator: the loop's body, a function
// literal, is called with the elements.
func (in *interp) iterate(fr *frame, seq value, s *callSite) {
	var order labels
	for _, r := range seq.refs {
		order = order.union(in.order(s.st, r))
	}
	in.iterateItems(fr, s.args[0], in.load(seq.sub("[]", nil), s.st, nil), order, s)
}

// iterateItems calls the function literal body with elem, an element of a
// sequence of the given order.
func (in *interp) iterateItems(fr *frame, body, elem value, order labels, s *callSite) {
	for _, f := range body.funcs {
		if f.fn == nil {
			continue
		}
		l := in.iters[f.fn]
		if l == nil {
			l = &loop{body: f.fn, id: -1 - len(in.iters)}
			in.iters[f.fn] = l
		}
		v := elem
		for _, item := range order {
			item.Item, item.loop, item.Row = true, l, false
			v.labels = v.labels.union(labels{item})
		}
		args := make([]value, len(f.fn.Params))
		for i := range args {
			args[i] = v
		}
		in.inline(fr, f, args, s)
	}
}

// unknownParam is what a library passes to a function literal.
func (in *interp) unknownParam(p *ssa.Parameter) value {
	if isBasic(p.Type()) {
		return value{lost: true}
	}
	o := in.object(p, 0, deref(p.Type()))
	o.symbolic = true
	return refTo(loc{o, ""})
}

// runArgs interprets the function literals among the arguments, which a library
// function calls, and returns what they return.
func (in *interp) runArgs(fr *frame, s *callSite, pass func(f *fval) []value) []value {
	var results []value
	for _, a := range s.args {
		for _, f := range a.funcs {
			if f.ref != nil && f.ref.Name == "" {
				in.callback(fr, f.ref, &callSite{instr: s.instr, st: s.st, sig: s.sig}, nil)
				continue
			}
			if f.fn == nil {
				if c := in.ofValue(f); c.lit != nil {
					results = append(results, in.literalCall(fr, c, &callSite{instr: s.instr, st: s.st, sig: s.sig})...)
				}
				continue
			}
			var args []value
			if pass != nil {
				args = pass(f)
			}
			c := in.ofValue(f)
			inner := &callSite{instr: s.instr, args: args, vals: make([]ssa.Value, len(args)), sig: f.fn.Signature, st: s.st}
			for i := len(args); i < f.fn.Signature.Params().Len(); i++ {
				inner.args = append(inner.args, value{lost: true})
				inner.vals = append(inner.vals, nil)
			}
			if c.f != nil {
				results = append(results, in.inline(fr, f, args, inner)...)
				continue
			}
			if len(c.recv) > 0 {
				inner.args = append(slices.Clone(c.recv), inner.args...)
				inner.vals = append([]ssa.Value{nil}, inner.vals...)
			}
			switch {
			case c.fn != nil:
				results = append(results, in.instantiate(fr, in.summaries[c.fn], c, inner, false)...)
			case c.obj != nil:
				if sum := in.imported(c.obj); sum != nil {
					results = append(results, in.instantiate(fr, sum, c, inner, true)...)
				}
			}
		}
	}
	return results
}

// callback records that the function calls one of its caller's functions. What
// that returns is known once it is: until then, each result is an object that
// stands for it.
func (in *interp) callback(fr *frame, ref *FuncRef, s *callSite, results []types.Type) []value {
	key := eventKey{ctx: fr.ctx, at: s.instr.(ssa.Instruction), idx: len(ref.Path)*64 + ref.Param}
	cb := in.calls[key]
	if cb == nil {
		if len(in.calls) >= maxCallbacks {
			return in.unknownResults(callee{}, s)
		}
		cb = &Callback{Func: *ref, Results: make([]int, len(results))}
		in.calls[key] = cb
	}
	cb.args = s.args
	cb.heap = s.st.clone()
	cb.guards = fr.guards
	cb.maybe = fr.maybe
	cb.inGo = fr.inGo

	vals := make([]value, len(results))
	for i, t := range results {
		if i >= len(cb.Results) || t != nil && (isBasic(t) || isError(t)) {
			vals[i] = value{lost: true}
			continue
		}
		if t != nil {
			t = deref(t)
		}
		o := in.object(key, i, t)
		o.symbolic, o.opaque, o.from = true, true, "a function of the caller"
		cb.Results[i] = o.id + 1
		vals[i] = refTo(loc{o, ""})
	}
	return vals
}

// resultTypes returns the types of a function's results.
func resultTypes(sig *types.Signature) []types.Type {
	ts := make([]types.Type, sig.Results().Len())
	for i := range ts {
		ts[i] = sig.Results().At(i).Type()
	}
	return ts
}

// unknownResults returns results of which only the types are known.
func (in *interp) unknownResults(c callee, s *callSite) []value {
	res := s.sig.Results()
	vals := make([]value, res.Len())
	instr, ok := s.instr.(ssa.Value)
	if !ok {
		return vals
	}
	for i := range vals {
		t := res.At(i).Type()
		if isBasic(t) || isError(t) {
			vals[i] = value{lost: true}
			continue
		}
		o := in.object(instr, i, deref(t))
		o.symbolic, o.opaque, o.from = true, true, c.name
		vals[i] = value{refs: []loc{{o, ""}}, lost: types.IsInterface(t)}
	}
	return vals
}

// opaque interprets a call of a function that the analysis does not see into.
func (in *interp) opaque(fr *frame, c callee, s *callSite) []value {
	if c.obj != nil && c.obj.Pkg() != nil && isPure(c.obj.Pkg().Path()) {
		return in.pure(fr, c, s)
	}
	if !registers(c) {
		in.runArgs(fr, s, nil)
	}
	for _, a := range s.args {
		for _, r := range a.refs {
			in.killOrder(s.st, r, 0)
			if r.obj.param < 0 || r.path == "" {
				s.st.put(r.under("~opaque"), value{lost: true}, false)
			}
		}
	}
	return in.unknownResults(c, s)
}

// registers reports whether the function keeps the functions that it is given
// for later, instead of calling them.
func registers(c callee) bool {
	if c.obj == nil || c.obj.Pkg() == nil {
		return false
	}
	path := c.obj.Pkg().Path()
	return strings.HasPrefix(path, "sigs.k8s.io/controller-runtime/pkg/") && !strings.HasSuffix(path, "/controllerutil") ||
		strings.HasPrefix(path, "net/http") || strings.Contains(path, "spf13/") || strings.Contains(path, "/cron")
}

// isPure reports whether the functions of the package have no effect that
// matters here beyond computing their results from their arguments.
func isPure(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return true // standard library
	}
	for _, p := range []string{"k8s.io/api", "k8s.io/utils", "k8s.io/klog", "sigs.k8s.io/yaml", "sigs.k8s.io/controller-runtime",
		"golang.org/x/", "github.com/samber/lo", "github.com/google/", "gopkg.in/yaml", "github.com/ghodss/yaml",
		"github.com/mitchellh/hashstructure", "github.com/go-logr/", "github.com/Masterminds/", "k8s.io/client-go/"} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// pure interprets a library function whose results depend on nothing but its
// arguments. Sequences made from sequences keep their order.
func (in *interp) pure(fr *frame, c callee, s *callSite) []value {
	var all labels
	hasSeq := false
	for i, a := range s.args {
		all = all.union(in.deep(a, s.st))
		hasSeq = hasSeq || i < s.sig.Params().Len() && isSequence(s.vals[i])
	}
	unordered := kubeapi.Unordered(c.name)
	if unordered {
		all = all.transform(func(l Label) (Label, bool) { return l, !l.isOrder() || l.Fixed })
	}
	var made []value
	if !registers(c) {
		made = in.runArgs(fr, s, func(f *fval) []value { return in.elements(fr, s, f) })
	}
	if a := in.printedAddress(c, s); a != nil && !in.guarded(fr) {
		all = all.union(a)
	}
	// A method's receiver takes in what it is given, and a writer what is
	// written to it: a builder, a hash.
	for _, into := range absorbers(c, s) {
		var rest labels
		for i, a := range s.args {
			if i != into {
				rest = rest.union(in.deep(a, s.st))
			}
		}
		rest = in.admit(fr, value{labels: rest.fixed()}, types.Typ[types.String]).labels
		for _, r := range s.args[into].refs {
			ls := rest
			if isMap(s.vals[into]) {
				ls = ls.transform(func(l Label) (Label, bool) { return l, !l.Item })
			} else {
				ls = rowed(ls, func(item Label) bool {
					return !item.loop.contains(r.obj.block) && fr.within(item.loop, s.instr.Block())
				})
			}
			if len(ls) > 0 {
				s.st.put(r, value{labels: ls}, false)
			}
		}
	}
	res := s.sig.Results()
	vals := make([]value, res.Len())
	instr, isValue := s.instr.(ssa.Value)
	for i := range vals {
		t := res.At(i).Type()
		if isBasic(t) || isError(t) || !isValue {
			vals[i] = value{labels: all.fixed(), konst: ""}
			continue
		}
		o := in.object(instr, i, deref(t))
		o.from = c.name
		s.st.reset(o)
		dst := loc{o, ""}
		if hasSeq && (isSliceType(t) || isIterator(t)) {
			in.gather(fr, s.st, dst, s, made)
			vals[i] = refTo(dst)
			continue
		}
		vals[i] = value{refs: []loc{dst}, labels: all.fixed()}
	}
	return vals
}

// absorbers returns the arguments that take in the others: the receiver of a
// method that changes it, and writers.
func absorbers(c callee, s *callSite) []int {
	var into []int
	if recv := c.obj.Signature().Recv(); recv != nil && len(s.args) > 1 && !s.instr.Common().IsInvoke() {
		switch types.Unalias(recv.Type()).Underlying().(type) {
		case *types.Pointer, *types.Map:
			into = append(into, 0)
		}
	}
	first := len(s.args) - s.sig.Params().Len() // behind the receiver
	for i := range s.sig.Params().Len() {
		if first >= 0 && kubeapi.TypeName(s.sig.Params().At(i).Type()) == "io.Writer" {
			into = append(into, first+i)
		}
	}
	switch c.name {
	case "(io.Writer).Write", "(io.StringWriter).WriteString", "(io.ByteWriter).WriteByte", "maps.Copy",
		"k8s.io/apimachinery/pkg/util/dump.DeepHashObject":
		into = append(into, 0)
	}
	return into
}

// elements returns what a library function that walks a sequence passes to the
// function f: the sequence's elements.
func (in *interp) elements(fr *frame, s *callSite, f *fval) []value {
	params := f.fn.Signature.Params()
	args := make([]value, params.Len())
	for i := range args {
		args[i] = value{lost: true}
		for j, a := range s.args {
			if s.vals[j] == nil {
				continue
			}
			elem := elemType(s.vals[j].Type())
			if elem == nil || !types.Identical(elem, params.At(i).Type()) {
				continue
			}
			args[i] = in.load(a.sub("[]", nil), s.st, params.At(i).Type())
			break
		}
	}
	return args
}

// gather makes the new sequence at dst of the sequences among the arguments,
// in their order.
func (in *interp) gather(fr *frame, st *heap, dst loc, s *callSite, made []value) {
	var order labels
	var elems value
	for i, a := range s.args {
		if !isSequence(s.vals[i]) {
			elems.labels = elems.labels.union(in.deep(a, st).fixed())
			continue
		}
		for _, r := range a.refs {
			order = order.union(in.order(st, r))
		}
		copyElements(st, st, dst, a, nil)
	}
	if kubeapi.OrdersResult(in.nameOf(s)) {
		order = nil
	}
	for _, m := range made {
		elems = elems.join(m)
	}
	st.put(dst.under("[]"), elems, false)
	st.set(dst.under("#"), value{labels: order})
}

func (in *interp) nameOf(s *callSite) string {
	common := s.instr.Common()
	if common.IsInvoke() {
		return kubeapi.Name(common.Method)
	}
	if fn := common.StaticCallee(); fn != nil {
		return in.ofFunction(fn).name
	}
	return ""
}

// copyElements copies the elements of the sequence src, as they are in the heap
// from, below dst. keep says which labels stay.
func copyElements(from, to *heap, dst loc, src value, keep func(Label) bool) {
	filtered := func(v value) value {
		if keep != nil {
			v.labels = v.labels.transform(func(l Label) (Label, bool) { return l, keep(l) })
		}
		return v
	}
	for _, r := range src.refs {
		if r == dst && from == to {
			continue
		}
		if r.obj.symbolic || from.live(r.obj) {
			to.put(dst.under("[]"), refTo(r.under("[]")), false)
		}
		c := from.objs[r.obj]
		if c == nil {
			continue
		}
		for _, p := range from.sortedPaths(r.obj) {
			if rest := p[min(len(r.path), len(p)):]; within(p, r.path) && strings.HasPrefix(rest, "[") {
				if strings.HasPrefix(rest, "[=") {
					rest = "[]" + rest[strings.IndexByte(rest, ']')+1:]
				}
				to.put(dst.under(rest), filtered(c.m[p]), false)
			}
		}
		if v, ok := c.m[r.path]; ok && len(v.labels) > 0 {
			to.put(dst.under("[]"), filtered(value{labels: v.labels}), false)
		}
	}
	if len(src.labels) > 0 {
		to.put(dst.under("[]"), filtered(value{labels: src.labels}), false)
	}
}

// order returns the labels of the order of the sequence at r.
func (in *interp) order(st *heap, r loc) labels {
	if in.tidy[r.obj] {
		return nil
	}
	return st.get(r.under("#")).labels
}

// tidied notes that a loop sorts each of the sequences that it walks: those
// made elsewhere are in order once it is done, even if there were none.
func (in *interp) tidied(fr *frame, s *callSite, seqs value) {
	l := innermost(fr.loops, s.instr.Block())
	if l == nil {
		return
	}
	for _, r := range seqs.refs {
		if r.obj.param < 0 && !l.contains(r.obj.block) {
			in.tidy[r.obj] = true
		}
	}
}

// killOrder forgets that sequences at or just below r have an unstable order.
func (in *interp) killOrder(st *heap, r loc, depth int) {
	if r.obj.param >= 0 {
		in.sorted[r] = true
	}
	st.set(r.under("#"), value{})
	if depth > 1 {
		return
	}
	c := st.objs[r.obj]
	if c == nil {
		return
	}
	for _, p := range st.sortedPaths(r.obj) {
		if !within(p, r.path) || p == r.path+"#" {
			continue
		}
		v := st.objs[r.obj].m[p]
		if strings.HasSuffix(p, "#") {
			st.set(loc{r.obj, p}, value{})
			continue
		}
		if strings.Contains(p[len(r.path):], "[]") {
			continue
		}
		for _, ref := range v.refs {
			if ref.obj != r.obj {
				in.killOrder(st, ref, depth+1)
			}
		}
	}
}

// builtin interprets a builtin function.
func (in *interp) builtin(fr *frame, name string, s *callSite) value {
	switch name {
	case "append":
		return in.appended(fr, s)
	case "copy":
		for _, r := range s.args[0].refs {
			copyElements(s.st, s.st, r, s.args[1], nil)
			for _, src := range s.args[1].refs {
				if o := in.order(s.st, src); len(o) > 0 {
					s.st.put(r.under("#"), value{labels: o}, false)
				}
			}
		}
		return value{}
	case "len", "cap":
		// Conditions read it; nothing else is made of it.
		return value{labels: in.deep(s.args[0], s.st).transform(func(l Label) (Label, bool) {
			// No order, and of a caller's content only that it decides.
			if l.Kind == Content {
				l = Label{Kind: State, Path: shortPath(strings.TrimSuffix(l.Path, "#"))}
			}
			return l, l.Kind == State
		})}
	case "min", "max":
		var out value
		for _, a := range s.args {
			out.labels = out.labels.union(a.labels)
		}
		return out
	case "ssa:wrapnilchk":
		return s.args[0]
	}
	return value{}
}

// appended interprets append: the result is a new sequence of the elements of
// both arguments. Elements that a loop takes from an unordered sequence, put
// in a row that the loop carries on, make the row's order unstable.
func (in *interp) appended(fr *frame, s *callSite) value {
	call, ok := s.instr.(*ssa.Call)
	if !ok {
		return value{}
	}
	base, more := s.args[0], value{}
	if len(s.args) > 1 {
		more = s.args[1]
	}
	if isString(s.vals[len(s.vals)-1].Type()) { // append([]byte, string...)
		more.labels = more.labels.fixed()
	}
	st := s.st
	o := in.object(call, 0, call.Type())
	dst := loc{o, ""}

	var order labels
	for _, seq := range []value{base, more} {
		for _, r := range seq.refs {
			order = order.union(in.order(st, r))
		}
	}
	// What is in a row so far, before the object is made anew.
	before := st.clone()
	st.reset(o)
	// Items of a loop that carries base on become a row in that loop's order.
	inRow := func(l Label) bool {
		return l.Item && fr.within(l.loop, call.Block()) && in.carried(fr, s.vals[0], l.loop)
	}
	copyElements(before, st, dst, base, nil)
	copyElements(before, st, dst, more, func(l Label) bool { return !inRow(l) })
	elems := in.admit(fr, value{labels: in.deep(more, before)}, types.Typ[types.String]).labels
	params := baseParams(base)
	for _, l := range elems {
		switch {
		case inRow(l):
			l.Item, l.loop = false, nil
			order = order.union(labels{l})
		case l.Kind == Content && !strings.HasSuffix(l.Path, "#"):
			for _, p := range params {
				if p != l.Param {
					order = order.union(labels{{Kind: Content, Param: l.Param, Path: l.Path, Row: true, Base: p}})
				}
			}
		}
	}
	st.set(dst.under("#"), value{labels: order})
	return value{refs: []loc{dst}, lost: base.lost}
}

// baseParams returns the parameters that a sequence belongs to.
func baseParams(v value) []int {
	var ps []int
	for _, r := range v.refs {
		if r.obj.param >= 0 && !slices.Contains(ps, r.obj.param) {
			ps = append(ps, r.obj.param)
		}
	}
	return ps
}

func isSequence(v ssa.Value) bool {
	if v == nil {
		return false
	}
	return isSliceType(v.Type()) || isIterator(v.Type())
}

func isSliceType(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok
}

func isIterator(t types.Type) bool {
	sig, ok := types.Unalias(t).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := types.Unalias(sig.Params().At(0).Type()).Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

func isMap(v ssa.Value) bool {
	if v == nil {
		return false
	}
	_, ok := types.Unalias(deref(v.Type())).Underlying().(*types.Map)
	return ok
}

func elemType(t types.Type) types.Type {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}
