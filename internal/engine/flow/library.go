package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// unknownParam returns the value of a parameter of a function literal that a
// library function calls.
func (in *interp) unknownParam(p *ssa.Parameter) value {
	if isBasic(p.Type()) {
		return value{unknown: true}
	}
	o := in.object(site{at: p}, library.Deref(p.Type()))
	o.symbolic = true
	return refTo(loc{obj: o})
}

// runArgs interprets the calls that a library function makes of the functions
// among its arguments, and returns their results. If pass is not nil, it returns
// the arguments for a function.
func (in *interp) runArgs(fr *frame, s *callSite, pass func(f *fval) []value) []value {
	var results []value
	for _, a := range s.args {
		for _, f := range a.funcs {
			if f.ref != nil && f.ref.Name == "" {
				in.callback(fr, f.ref, &callSite{instr: s.instr, st: s.st, sig: s.sig, via: s.via, inner: s.inner}, nil)
				continue
			}
			if f.fn == nil {
				if c := in.ofValue(f); c.lit != nil {
					results = append(results, in.literalCall(fr, c, &callSite{instr: s.instr, st: s.st, sig: s.sig, via: s.via, inner: s.inner})...)
				}
				continue
			}
			var args []value
			if pass != nil {
				args = pass(f)
			}
			c := in.ofValue(f)
			inner := &callSite{instr: s.instr, args: args, vals: make([]ssa.Value, len(args)), sig: f.fn.Signature, st: s.st, via: s.via, inner: s.inner}
			for i := len(args); i < f.fn.Signature.Params().Len(); i++ {
				inner.args = append(inner.args, value{unknown: true})
				inner.vals = append(inner.vals, nil)
			}
			if c.f != nil {
				inner.answers = pass != nil
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

// unknownResults returns the results of a call if only their types are known.
func (in *interp) unknownResults(c target, s *callSite) []value {
	res := s.sig.Results()
	vals := make([]value, res.Len())
	instr, ok := s.instr.(ssa.Value)
	if !ok {
		return vals
	}
	for i := range vals {
		t := res.At(i).Type()
		if isBasic(t) || library.IsError(t) {
			vals[i] = value{unknown: true}
			continue
		}
		o := in.result(c, instr, i, t)
		o.symbolic, o.opaque, o.from = true, true, c.name
		vals[i] = value{refs: []loc{{obj: o}}, unknown: types.IsInterface(t)}
	}
	return vals
}

// opaque interprets a call of a function that the analysis does not see into.
func (in *interp) opaque(fr *frame, c target, s *callSite) []value {
	if c.obj != nil && (library.TraitsOfPackage(c.obj.Pkg()).Has(library.Pure) || library.AnswersOfAPI(c.obj)) {
		return in.pure(fr, c, s)
	}
	if !registers(c) {
		in.runArgs(fr, s, nil)
	}
	for i, a := range s.args {
		for _, r := range a.refs {
			if !in.hidesLists(c, s, i) {
				in.traceSorted(s.st, r, s)
				in.killOrder(s.st, r, 0)
			}
			if r.obj.param < 0 || r.path.IsRoot() {
				s.st.put(r.under(access.Marked(access.Opaque)), value{unknown: true}, false)
			}
		}
	}
	return in.unknownResults(c, s)
}

// hidesLists reports whether a library's function gets argument i as an interface
// that tells it nothing of the lists in the object behind it, so that it cannot
// sort them:
//
//	recorder.Event(thing, …)
//
// That is an interface with methods, but none to sort with. A function of the
// module may know which object it gets.
func (in *interp) hidesLists(c target, s *callSite, i int) bool {
	fn := c.obj
	if common := s.instr.Common(); fn == nil && common.IsInvoke() {
		fn = common.Method
	}
	if fn == nil || fn.Pkg() == nil || in.isOwnPackage(fn.Pkg().Path()) {
		return false
	}
	i -= s.firstParam()
	if i < 0 {
		return false
	}
	iface, ok := types.Unalias(s.sig.Params().At(i).Type()).Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return false
	}
	less, _, _ := types.LookupFieldOrMethod(iface, false, nil, "Less")
	return less == nil
}

// registers reports whether the function keeps its function arguments for later,
// instead of calling them.
func registers(c target) bool {
	return c.obj != nil && library.TraitsOfPackage(c.obj.Pkg()).Has(library.Registers)
}

// pure interprets a call of a library function whose results depend only on its
// arguments, or come from outside of the process. A sequence made from a sequence keeps
// its order.
func (in *interp) pure(fr *frame, c target, s *callSite) []value {
	var all labels
	hasSeq := false
	unordered := library.Of(c.obj).Unordered
	for i, a := range s.args {
		if unordered && i < s.sig.Params().Len() && isSequence(s.vals[i]) {
			a = a.under(access.Elems(), a.labels) // without its order
		}
		if library.Of(c.obj).Condition != library.EqualityCondition || !in.leavesOut(s.vals[i]) {
			all = all.union(in.allLabels(a, s.st))
		}
		hasSeq = hasSeq || i < s.sig.Params().Len() && isSequence(s.vals[i])
	}
	hasSeq = hasSeq && !library.TraitsOfPackage(c.obj.Pkg()).Has(library.Prints) // it returns a text
	if n := len(s.args); library.Of(c.obj).Equality && n >= 2 && !s.sig.Variadic() && !unordered && !in.leavesOut(s.vals[n-1]) && !in.leavesOut(s.vals[n-2]) {
		all = in.apart(s.args[n-2], s.args[n-1], origin.Through(s.vals[n-2], origin.Boxed).Type(), s.st)
	}
	if library.Of(c.obj).OfKind {
		all = nil
	}
	if library.Of(c.obj).Condition == library.EqualityCondition {
		all = all.transform(func(l Label) (Label, bool) { return l, !l.Item }) // as in a comparison with ==
	}
	if unordered {
		all = all.transform(func(l Label) (Label, bool) { return l, !l.IsOrder() && !l.isReturnedOrder() || l.Fixed })
	}
	var made []value
	if !registers(c) {
		made = in.runArgs(fr, s, func(f *fval) []value { return in.elements(fr, s, f) })
	}
	var address labels
	if !in.guarded(fr) {
		address = in.printedAddress(fr, c, s)
	}
	all = all.union(address)
	// A receiver or a writer absorbs the other arguments: a builder, a hash.
	for _, into := range absorbers(c, s) {
		var rest labels
		for i, a := range s.args {
			if i != into {
				rest = rest.union(in.allLabels(a, s.st))
			}
		}
		rest = rest.union(in.rendered(fr, c, s)).union(address)
		rest = in.filter(fr, value{labels: rest.fixed()}, types.Typ[types.String]).labels
		for _, r := range s.args[into].refs {
			ls := rest
			if isMap(s.vals[into]) || library.Of(c.obj).Sums {
				ls = ls.transform(func(l Label) (Label, bool) { return l, !l.Item })
			} else {
				ls = in.fixOrder(fr, s.instr.Block(), ls, func(item Label) bool {
					return !item.loop.contains(r.obj.block) && fr.within(item.loop, s.instr.Block())
				})
				ls = ls.union(appendedContent(ls, baseParams(refTo(r))))
			}
			if len(ls) > 0 {
				s.st.put(r, value{labels: ls}, false)
			}
		}
	}
	if library.Of(c.obj).Time.Compares() {
		all = all.compared()
	}
	res := s.sig.Results()
	if res.Len() == 0 || library.IsError(res.At(0).Type()) {
		s.addUnknown()
	}
	if library.TraitsOfPackage(c.obj.Pkg()).Has(library.Outside) {
		return in.unknownResults(c, s)
	}
	vals := make([]value, res.Len())
	instr, isValue := s.instr.(ssa.Value)
	for i := range vals {
		t := res.At(i).Type()
		all := all
		if library.IsError(t) && res.Len() > 1 {
			all = in.whyFailed(s)
		}
		if isBasic(t) || library.IsError(t) || !isValue {
			vals[i] = value{labels: all.fixed(), constant: ""}
			if isValue && hasText(t) {
				vals[i].labels = in.inOrderPrinted(fr, instr, vals[i].labels)
			}
			if isAnswer(t) && in.asksEach(s) {
				vals[i].labels = in.answersOfEach(s, made, all).fixed()
			}
			continue
		}
		o := in.result(c, instr, i, t)
		o.from = c.name
		s.st.reset(o)
		dst := loc{obj: o}
		if hasSeq && (isSliceType(t) || isIterator(t)) {
			in.gather(fr, s.st, dst, s, made)
			vals[i] = refTo(dst)
			continue
		}
		vals[i] = value{refs: []loc{dst}, labels: all.fixed()}
		if isStructPointer(t) && !library.TraitsOfPackage(c.obj.Pkg()).Has(library.UsesCluster) {
			// What it has was computed, too. Which part of it differs is not known.
			if ls := all.transform(func(l Label) (Label, bool) { return l, l.Kind == Content || l.Kind == State }); len(ls) > 0 {
				s.st.put(dst, value{labels: ls.fixed()}, true)
			}
		}
	}
	return vals
}

// leavesOut reports whether v is a map from which the function deletes entries that are not known, so
// that they are not compared:
//
//	annotations := maps.Clone(expected.Annotations)
//	for _, key := range ignored { delete(annotations, key) }
//	return equality.Semantic.DeepEqual(annotations, stored.Annotations)
func (in *interp) leavesOut(v ssa.Value) bool {
	if v == nil {
		return false
	}
	if v = origin.Through(v, origin.Boxed, origin.Renamed); !isMap(v) || isConst(v) {
		return false
	}
	return slices.ContainsFunc(origin.Users(v), func(ref ssa.Instruction) bool {
		call, ok := ref.(*ssa.Call)
		if !ok || !callee.IsBuiltin(&call.Call, "delete") {
			return false
		}
		_, known := in.text(call.Call.Args[1])
		return !known
	})
}

// whyFailed returns the labels of the error of a function that computes something, which tells of texts
// and numbers that it got, and not of the objects, nor of what differs each time.
func (in *interp) whyFailed(s *callSite) labels {
	var all labels
	for i, a := range s.args {
		if s.vals[i] == nil || isBasic(s.vals[i].Type()) {
			all = all.union(in.allLabels(a, s.st))
		}
	}
	return all.transform(func(l Label) (Label, bool) { return l, !l.IsSource() })
}

// A library function may ask another function about each element of a sequence:
//
//	slices.ContainsFunc(thing.Status.Conditions, func(c metav1.Condition) bool { return c.Type == "Ready" })
//
// What it answers depends on what it was told, and not on all that the elements have.

// isAnswer reports whether a result of the type may say whether, where or how often an
// element was found.
func isAnswer(t types.Type) bool {
	return library.IsBool(t) || types.Identical(t, types.Typ[types.Int])
}

// asksEach reports whether the call passes one function literal, which answers yes or no
// about elements of the sequences that are passed with it.
func (in *interp) asksEach(s *callSite) bool {
	var asked *ssa.Function
	for _, a := range s.args {
		if len(a.funcs) == 0 {
			continue
		}
		f := a.funcs[0]
		if len(a.funcs) > 1 || a.unknown || asked != nil || f.fn == nil || in.ofValue(f).f == nil {
			return false
		}
		asked = f.fn
	}
	if asked == nil || asked.Signature.Results().Len() != 1 || !library.IsBool(asked.Signature.Results().At(0).Type()) {
		return false
	}
	for p := range asked.Signature.Params().Variables() {
		if !slices.ContainsFunc(s.vals, func(v ssa.Value) bool { return v != nil && isElementOf(p.Type(), v) }) {
			return false
		}
	}
	return true
}

// isElementOf reports whether t is the type of the elements of the sequence v.
func isElementOf(t types.Type, v ssa.Value) bool {
	elem := elemType(v.Type())
	return elem != nil && types.Identical(elem, t)
}

// answersOfEach returns the labels of what the callee answers: those of the answers that
// it got, and of which elements there are. The labels all are those of its arguments.
func (in *interp) answersOfEach(s *callSite, answers []value, all labels) labels {
	var ls labels
	for _, a := range answers {
		ls = ls.union(a.labels)
	}
	for i, a := range s.args {
		if s.vals[i] == nil || elemType(s.vals[i].Type()) == nil {
			continue
		}
		for _, r := range a.refs {
			ls = ls.union(in.order(s.st, r))
		}
	}
	return ls.union(all.transform(func(l Label) (Label, bool) { return l, l.Kind == State && !l.IsTime() }))
}

// answered returns the labels of what the function that was interpreted answers, with
// those of the conditions that decide about it.
func (in *interp) answered(fr *frame) labels {
	var ls labels
	for _, l := range in.leaves(fr, 0) {
		ls = ls.union(in.decides(fr, l.val))
		for br := range cfg.Branches(l.groups...) {
			ls = ls.union(in.decides(fr, br.Value))
		}
	}
	return ls
}

// decides returns the labels of a condition. If it is what a callee answers, these are
// those of the verdict, too.
func (in *interp) decides(fr *frame, cond ssa.Value) labels {
	ls := in.reg(fr, cond).labels
	cond = cfg.Condition{Value: cond}.Stripped().Value
	for _, yes := range []bool{true, false} {
		o, _ := fr.verdict(cond, yes)
		ls = ls.union(o.Labels)
	}
	return ls
}

// addUnknown notes that the callee, which returns nothing or an error first, may add
// entries to the maps that it gets, and labels and a name to the objects: it may convert or
// decode something.
func (s *callSite) addUnknown() {
	for i, a := range s.args {
		for _, r := range a.refs {
			switch {
			case s.vals[i] == nil:
			case isMap(s.vals[i]):
				s.st.put(r.under(access.Elems()), value{}, false)
			case !r.obj.symbolic && isTyped(r) && r.path.IsRoot():
				s.st.put(metaPath(r, labelsField).under(access.Elems()), value{}, false)
				s.st.put(metaPath(r, "Name"), value{unknown: true}, false)
			}
		}
	}
}

// absorbers returns the indexes of the arguments that absorb the others: the
// receiver of a method that may change it, and writers.
func absorbers(c target, s *callSite) []int {
	var into []int
	if recv := c.obj.Signature().Recv(); recv != nil && !library.Of(c.obj).KeepsReceiver && !library.TraitsOfPackage(c.obj.Pkg()).Has(library.Immutable) && len(s.args) > 1 && !s.instr.Common().IsInvoke() {
		switch types.Unalias(recv.Type()).Underlying().(type) {
		case *types.Pointer, *types.Map:
			into = append(into, 0)
		}
	}
	first := s.firstParam()
	for i := range s.sig.Params().Len() {
		if first >= 0 && library.TypeOf(s.sig.Params().At(i).Type()).Is == library.ByteWriter {
			into = append(into, first+i)
		}
	}
	if i, ok := library.Of(c.obj).Args.Of(library.AbsorberArg, len(s.args)); ok {
		into = append(into, i)
	}
	return into
}

// elements returns the arguments with which a library function that walks a
// sequence calls f: elements of the sequence.
func (in *interp) elements(fr *frame, s *callSite, f *fval) []value {
	params := f.fn.Signature.Params()
	args := make([]value, params.Len())
	for i := range args {
		args[i] = value{unknown: true}
		for j, a := range s.args {
			if s.vals[j] == nil {
				continue
			}
			elem := elemType(s.vals[j].Type())
			if elem == nil || !types.Identical(elem, params.At(i).Type()) {
				continue
			}
			args[i] = in.load(a.under(access.Elems(), nil), s.st, params.At(i).Type())
			break
		}
	}
	return args
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
					s.st.put(r.under(access.Ordering()), value{labels: o}, false)
				}
			}
		}
		return value{}
	case "len", "cap":
		return in.count(s)
	case "delete":
		if name, known := in.text(s.vals[1]); known && len(s.args[0].refs) == 1 && !s.args[0].unknown {
			s.st.put(s.args[0].refs[0].under(access.Entry(name)), value{}, true)
		}
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

// count interprets a call that returns the number of elements of its first argument. That
// only matters in conditions, and does not depend on an order. Content of the caller
// becomes state, which only matters in conditions, too.
func (in *interp) count(s *callSite) value {
	return value{labels: in.allLabels(s.args[0], s.st).transform(func(l Label) (Label, bool) {
		if l.Kind == Content {
			l = Label{Kind: State, Path: shortPath(l.Path.Unordered())}
		}
		return l, l.Kind == State
	})}
}

// isTyped reports whether r is an API object of a type with metadata.
func isTyped(r loc) bool {
	if r.obj.typ == nil {
		return false
	}
	_, ok := library.KindOfType(library.TypeName(r.obj.typ))
	return ok
}
