package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// isModelled reports whether model interprets the function. A call of it through
// an interface needs no implementations.
func (in *interp) isModelled(name string, obj *types.Func) bool {
	if in.isEvent(obj) || in.options.Writes[name] || in.options.Owners[name] {
		return true
	}
	known := library.Of(obj)
	switch known.Effect {
	case library.SetsMetadata, library.SetsConditionOf, library.AsksConditionOf, library.ReadsClientset, library.Computes:
		return true
	}
	if known.Source != 0 {
		return true
	}
	switch obj.Name() {
	case "DeepCopyObject", "GetObjectKind":
		return true
	case "Now":
		return isClock(obj.Signature())
	case "Reconcile":
		return false // a reconciler within another one
	}
	return library.TraitsOfPackage(obj.Pkg()).Has(library.Pure)
}

// isEvent reports whether calls of the function are events.
func (a *analysisState) isEvent(fn *types.Func) bool {
	return makesEvent(library.Of(fn)) || a.asks && library.AskOf(fn) != nil
}

// makesEvent reports whether calls of a function with this record are always events.
func makesEvent(known *library.Func) bool { return known.Write != nil || known.Watch != nil }

// model interprets a call of a function by its record in package library, or by
// the options. It returns false for other functions.
func (in *interp) model(fr *frame, c target, s *callSite) ([]value, bool) {
	if results, ok := in.configured(fr, c, s); ok {
		return results, true
	}
	method := ""
	if c.obj != nil {
		method = c.obj.Name()
	}
	switch method {
	case "DeepCopy", "DeepCopyObject":
		if len(s.args) == 1 {
			return []value{in.deepCopy(c, s)}, true
		}
	case "DeepCopyInto":
		if len(s.args) == 2 {
			for _, r := range s.args[1].refs {
				in.copyUnder(s.st, r, s.args[0])
			}
			return nil, true
		}
	}
	if isTextOfError(c) {
		return in.textOfError(c, s), true
	}
	known := c.known()
	if known.Role() == library.RawPatch {
		if i, ok := known.Watch.Args.Of(library.BodyArg, len(s.args)); ok {
			if patch := patchOf(s.vals[i]); patch != nil {
				return []value{in.reg(fr, patch)}, true
			}
		}
	}
	if makesEvent(known) {
		return in.libraryEvent(fr, c, known, s), true
	}
	if in.asks && c.ask() != nil {
		in.record(fr, c, s)
	}
	if known.Source != 0 {
		return in.source(fr, c, known.Source, s), true
	}
	if method == "Now" && c.fn == nil && isClock(c.obj.Signature()) {
		return in.source(fr, c, library.Clock, s), true
	}
	if i, ok := known.Args.Of(library.RandomArg, len(s.args)); ok && in.readsRandom(known, s) {
		l := in.newSource(Random, in.sourceName(c), s)
		for _, r := range s.args[i].refs {
			s.st.put(r.under(access.Elems()), in.filter(fr, value{labels: labels{l}}, types.Typ[types.String]), false)
		}
		return in.unknownResults(c, s), true
	}
	if i, ok := known.Args.Of(library.SortedArg, len(s.args)); ok {
		in.sorts = true
		in.noteSortedInLoop(fr, s, s.args[i])
		for _, r := range s.args[i].refs {
			in.traceSorted(s.st, r, s)
			elems := s.st.elementsKept(r)
			in.killOrder(s.st, r, 0)
			s.st.put(r.under(access.Ordering()), value{labels: elems}, false)
		}
		return nil, true
	}
	if known.Owner != nil {
		return in.owner(known.Owner, c, s), true
	}
	if results, ok := in.accessor(fr, known, s); ok {
		return results, true
	}
	if i, ok := known.Args.Of(library.ReturnedArg, len(s.args)); ok {
		return []value{s.args[i]}, true
	}
	if known.Combination != 0 {
		return in.combine(fr, c, known.Combination, s), true
	}
	switch known.Effect {
	case library.ReadsObject:
		in.refresh(s.st, s.args[3])
		in.lookedUp(s.st, s.args[3], s.args[2])
		in.noteGet(fr, s, s.args[3])
		return []value{{unknown: true}}, true
	case library.ReadsList:
		in.list(fr, s)
		return []value{{unknown: true}}, true
	case library.SetsCondition:
		in.setCondition(fr, c, s)
		return []value{{labels: in.allLabels(s.args[1], s.st).fixed()}}, true
	case library.SetsConditionOf:
		in.setConditionOf(fr, known, s)
		return []value{{}}, true
	case library.SetsMetadataEntry:
		key := access.Elems()
		if k, known := in.text(s.vals[1]); known {
			key = access.Entry(k)
		}
		v := in.filter(fr, s.args[2], types.Typ[types.String])
		var at []loc
		for _, r := range s.args[0].refs {
			at = append(at, r.under(access.Fields(known.Field)).under(key))
		}
		if l, ok := in.addedToMetadata(fr, s, at); ok {
			v = v.withLabels(labels{l})
		}
		if l, ok := in.ownVersion(fr, s.instr, s.vals[2], "", s.st); ok {
			v = v.withLabels(labels{l})
		}
		for _, r := range at {
			s.st.put(r, v, len(at) == 1)
		}
		return nil, true
	case library.FindsCondition:
		found := s.args[0].under(access.Elems(), nil)
		found.unknown = true
		return []value{found}, true
	case library.RangesMap:
		l := in.newSource(MapOrder, "map order", s)
		in.iterateItems(fr, s.args[1], in.load(s.args[0], s.st, structType).withLabels(in.allLabels(s.args[0], s.st)), labels{l}, s)
		return nil, true
	case library.Shuffles:
		in.shuffle(fr, c, s)
		return nil, true
	case library.SetsNested:
		if len(s.args) == 3 {
			in.setNested(fr, s)
			return []value{{unknown: true}}, true
		}
	case library.Merges:
		if mergesOver(s) {
			in.merge(fr, s)
			return []value{{unknown: true}}, true
		}
	case library.ClonesMap:
		if instr, ok := s.instr.(ssa.Value); ok && len(s.args[0].refs) > 0 {
			return []value{in.cloneMap(c, instr, s)}, true
		}
	case library.CopiesEntries:
		in.copyEntries(fr, s)
		return nil, true
	case library.Decodes:
		decoded := in.allLabels(s.args[0], s.st).fixed()
		if isWritten(s.vals[0]) {
			decoded = decoded.transform(func(l Label) (Label, bool) { return l, !l.IsOrder() })
		}
		for _, r := range s.args[1].refs {
			s.st.put(r, value{labels: decoded}, false)
			s.st.put(r.under(access.Marked(access.UnknownOwners)), value{unknown: true}, false)
		}
		return []value{{unknown: true}}, true
	case library.PointsTo:
		if instr, ok := s.instr.(ssa.Value); ok && len(s.args) == 1 {
			o := in.object(site{at: instr, name: c.name}, s.instr.Common().Signature().Params().At(0).Type())
			s.st.reset(o)
			in.assign(s.st, loc{obj: o}, s.args[0], s.vals[0].Type(), true, nil)
			return []value{refTo(loc{obj: o})}, true
		}
	case library.PointedTo:
		if instr, ok := s.instr.(ssa.Value); ok && len(s.args) == 2 {
			return []value{in.load(s.args[0], s.st, instr.Type()).join(s.args[1])}, true
		}
	case library.MakesFuncs:
		results := in.unknownResults(c, s)
		for _, r := range results[0].refs {
			r.obj.symbolic, r.obj.opaque = false, false
			for _, part := range in.partPaths(in.typeNameOf(r)) {
				s.st.put(r.under(part), s.args[0], true)
			}
		}
		return results, true
	case library.MakesZero:
		if instr, ok := s.instr.(ssa.Value); ok && len(s.args) == 1 && len(s.args[0].refs) > 0 {
			return []value{in.zeroLike(c, instr, s)}, true
		}
	case library.NamesType:
		if instr, ok := s.instr.(ssa.Value); ok && len(c.targs) == 1 {
			o := in.object(site{at: instr, name: c.name}, c.targs[0])
			s.st.reset(o)
			return []value{refTo(loc{obj: o})}, true
		}
	case library.UnwrapsValue:
		if isZeroLike(s.args[0]) {
			return []value{s.args[0]}, true
		}
	case library.Converts:
		results := in.unknownResults(c, s)
		for _, m := range results[0].refs {
			s.st.put(m.under(access.Marked(access.Converted)), s.args[1], true)
		}
		results[0] = results[0].withLabels(in.allLabels(s.args[1], s.st).fixed())
		return results, true
	case library.AddsKind:
		return []value{in.withKind(c, s)}, true
	case library.ParsesKind:
		return []value{in.gvkOf(c, s, s.args[0].constant, s.args[1].constant)}, true
	case library.SetsField:
		if c.fn == nil {
			return []value{in.withMethod(fr, c, s)}, true
		}
	case library.Counts:
		return []value{in.count(s)}, true
	case library.ReadsClientset:
		return in.clientsetRead(c, s)
	case library.Computes, library.AsksConditionOf:
		return in.pure(fr, c, s), true
	case library.Compares:
		return in.compare(fr, c, s), true
	}
	return nil, false
}

// isTextOfError reports whether the callee is the method of the interface error. The error
// may be of any type.
func isTextOfError(c target) bool {
	return c.obj != nil && c.obj.Pkg() == nil && c.obj.Name() == "Error"
}

// textOfError interprets a call of err.Error(). The text depends on what the error was made
// from, as errors.Join and fmt.Errorf do. Of an error with fields it is not known which of
// them it prints.
func (in *interp) textOfError(c target, s *callSite) []value {
	results := in.unknownResults(c, s)
	if len(results) == 1 && len(s.args) == 1 {
		results[0] = results[0].withLabels(s.args[0].labels.fixed())
	}
	return results
}

// isWritten reports whether encoded bytes were a string before, which may have been put
// together by hand. It may have its keys in any order:
//
//	for key, val := range data { text += key + ": " + val + "\n" }
//	err := yaml.Unmarshal([]byte(text), &config)
func isWritten(encoded ssa.Value) bool {
	o := origin.Of(encoded)
	return o.Kind == origin.Converted && library.IsString(o.X.Type())
}

// configured interprets a call of a function that the options name. They may name
// it as one that sets an owner, as one that writes, or as both.
func (in *interp) configured(fr *frame, c target, s *callSite) (results []value, ok bool) {
	if c.obj == nil {
		return nil, false
	}
	if in.options.Owners[c.name] {
		results, ok = in.owner(library.OwnerLike(c.obj), c, s), true
	}
	if in.options.Writes[c.name] {
		if i, typ := library.WrittenBy(c.obj); typ != nil && i < len(s.args) {
			object := *s
			object.args, object.vals = s.args[i:i+1], s.vals[i:i+1]
			params := types.NewTuple(types.NewVar(token.NoPos, nil, "", typ))
			_, several := typ.Underlying().(*types.Slice)
			object.sig = types.NewSignatureType(nil, nil, nil, params, s.sig.Results(), several)
			in.record(fr, target{name: library.OwnWrite(c.name)}, &object)
		}
		results, ok = in.unknownResults(c, s), true
	}
	return results, ok
}

// libraryEvent interprets a call that is an event. First comes what a write does
// to its arguments: CreateOrUpdate reads the object and calls its function.
func (in *interp) libraryEvent(fr *frame, c target, known *library.Func, s *callSite) []value {
	if w := known.Write; w != nil {
		if w.Verb == library.CreateOrUpdate || w.Verb == library.CreateOrPatch {
			if i, ok := w.Args.Of(library.ObjectArg, len(s.args)); ok {
				in.keepFound(s.st, s.args[i])
			}
			in.runArgs(fr, s, nil)
		}
		in.record(fr, c, s)
		if i, ok := w.Args.Of(library.ObjectArg, len(s.args)); ok && w.Verb == library.Delete {
			in.forgetFound(s.st, s.args[i])
		}
		return in.unknownResults(c, s)
	}
	w := known.Watch
	in.record(fr, c, s)
	if w.Role.ReturnsReceiver() && len(s.args) > 0 {
		return []value{s.args[0]}
	}
	results := in.unknownResults(c, s)
	for i, r := range results {
		results[i].unknown = false
		for _, ref := range r.refs {
			ref.obj.symbolic, ref.obj.opaque = false, false
			if i, ok := w.Args.Of(library.BodyArg, len(s.args)); ok {
				s.st.put(ref, value{labels: in.allLabels(s.args[i], s.st).fixed()}, true)
			}
		}
	}
	return results
}

// combine interprets a call that makes one predicate of others. It notes the
// parts that are certain. If any of the parts may let an event through, the
// combination is known only if all parts are.
func (in *interp) combine(fr *frame, c target, how library.Combination, s *callSite) []value {
	results := in.unknownResults(c, s)
	parts := value{refs: s.args[0].refs}
	var chosen value
	if s.sig.Variadic() {
		parts.refs = in.sure(fr, s.vals[0])
		if how == library.AllOf {
			chosen.refs = in.choice(fr, s.vals[0])
		}
		all, listed := s.vals[0].(*ssa.Slice)
		if how != library.AllOf && (!listed || len(parts.refs) != len(elements(all))) {
			return results
		}
	}
	slices.SortFunc(parts.refs, compareLocs)
	if len(parts.refs)+len(chosen.refs) == 0 || !s.sig.Variadic() && len(parts.refs) > 1 {
		return results
	}
	for i, r := range results[0].refs {
		r.obj.symbolic, r.obj.opaque = false, false
		results[i].unknown = false
		s.st.put(r.under(access.Marked(access.Combiner)), value{constant: c.name}, true)
		s.st.put(r.under(access.Marked(access.Combined)), parts, true)
		if len(chosen.refs) > 0 {
			s.st.put(r.under(access.Marked(access.Chosen)), chosen, true)
		}
	}
	return results
}

// choice returns the places of the first certain element of the slice v that is one of
// several things, all of them known.
func (in *interp) choice(fr *frame, v ssa.Value) []loc {
	for _, elem := range elements(v) {
		if v := in.reg(fr, elem); len(v.refs) > 1 && len(v.funcs) == 0 && !v.unknown && !v.dropped {
			return slices.SortedFunc(slices.Values(v.refs), compareLocs)
		}
	}
	return nil
}

// setNested interprets unstructured.SetNestedField and its siblings.
func (in *interp) setNested(fr *frame, s *callSite) {
	v := in.filter(fr, s.args[1], s.vals[1].Type())
	path := access.Elems()
	for _, r := range s.args[2].refs {
		for _, p := range s.st.sortedPaths(r.obj) {
			if k := s.st.get(loc{r.obj, p}).constant; k != "" && path == access.Elems() {
				path = access.Entry(k)
			}
		}
	}
	for _, r := range s.args[0].refs {
		s.st.put(r.under(path), v, false)
	}
}

// patchOf returns the patch of which the bytes are, or nil: a raw patch with them does the same.
func patchOf(bytes ssa.Value) ssa.Value {
	o := origin.Of(bytes)
	if o.Kind != origin.Result || library.Of(callee.Static(&o.Call.Call)).Effect != library.ReadsPatch {
		return nil
	}
	return callee.Args(&o.Call.Call)[0]
}
