package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// isModelled reports whether model knows the function, so that a call through
// an interface need not look for implementations.
func (in *interp) isModelled(name string, obj *types.Func) bool {
	if isEvent(library.Of(obj)) || in.options.Writes[name] || in.options.Owners[name] {
		return true
	}
	if known := library.Of(obj); known.Source != 0 || known.Effect == library.SetsMetadata {
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
func isEvent(known *library.Func) bool { return known.Write != nil || known.Watch != nil }

// model interprets a call of a function that the library knows. It returns false
// for others.
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
	known := c.known()
	if isEvent(known) {
		return in.libraryEvent(fr, c, known, s), true
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
			in.killOrder(s.st, r, 0)
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
		return []value{{unknown: true}}, true
	case library.ReadsList:
		in.list(fr, s)
		return []value{{unknown: true}}, true
	case library.SetsCondition:
		in.setCondition(fr, s)
		return []value{{labels: in.deep(s.args[1], s.st).fixed()}}, true
	case library.SetsMetadataEntry:
		key := access.Elems()
		if k, known := constants.String(s.vals[1]); known {
			key = access.Entry(k)
		}
		for _, r := range s.args[0].refs {
			s.st.put(r.under(access.Fields(known.Field)).under(key), in.filter(fr, s.args[2], types.Typ[types.String]), len(s.args[0].refs) == 1)
		}
		return nil, true
	case library.FindsCondition:
		found := s.args[0].under(access.Elems(), nil)
		found.unknown = true
		return []value{found}, true
	case library.RangesMap:
		l := in.newSource(MapOrder, "map order", s)
		in.iterateItems(fr, s.args[1], in.load(s.args[0], s.st, structType).withLabels(in.deep(s.args[0], s.st)), labels{l}, s)
		return nil, true
	case library.Shuffles:
		in.shuffle(fr, c, s)
		return nil, true
	case library.SetsNested:
		if len(s.args) == 3 {
			in.setNested(fr, s)
			return []value{{unknown: true}}, true
		}
	case library.Decodes:
		for _, r := range s.args[1].refs {
			s.st.put(r, value{labels: in.deep(s.args[0], s.st).fixed()}, false)
		}
		return []value{{unknown: true}}, true
	case library.PointsTo:
		if instr, ok := s.instr.(ssa.Value); ok && len(s.args) == 1 {
			o := in.object(site{at: instr, name: c.name}, s.instr.Common().Signature().Params().At(0).Type())
			s.st.reset(o)
			in.assign(s.st, loc{obj: o}, s.args[0], s.vals[0].Type(), true, nil)
			return []value{refTo(loc{obj: o})}, true
		}
	case library.Converts:
		results := in.unknownResults(c, s)
		for _, m := range results[0].refs {
			s.st.put(m.under(access.Marked(access.Converted)), s.args[1], true)
		}
		results[0] = results[0].withLabels(in.deep(s.args[1], s.st).fixed())
		return results, true
	case library.AddsKind:
		return []value{in.withKind(c, s)}, true
	case library.ParsesKind:
		return []value{in.gvkOf(c, s, s.args[0].constant, s.args[1].constant)}, true
	case library.SetsField:
		if c.fn == nil {
			return []value{in.with(fr, c, s)}, true
		}
	case library.ReadsClientset:
		return in.clientsetRead(c, s)
	}
	return nil, false
}

// chosen interprets a call of a function that the options name. It may be named
// for both, to set an owner and to write.
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

// known interprets a call that is an event. What a write function does to its
// arguments before it writes comes first.
func (in *interp) libraryEvent(fr *frame, c target, known *library.Func, s *callSite) []value {
	if w := known.Write; w != nil {
		if w.Verb == library.CreateOrUpdate || w.Verb == library.CreateOrPatch {
			if i, ok := w.Args.Of(library.ObjectArg, len(s.args)); ok {
				in.refresh(s.st, s.args[i])
			}
			in.runArgs(fr, s, nil)
		}
		in.record(fr, c, s)
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
				s.st.put(ref, value{labels: in.deep(s.args[i], s.st).fixed()}, true)
			}
		}
	}
	return results
}

// combine interprets a call that makes one predicate of others: it remembers
// those that are certain. One of which any may let an event through is only
// known if all of the others are.
func (in *interp) combine(fr *frame, c target, how library.Combination, s *callSite) []value {
	results := in.unknownResults(c, s)
	parts := value{refs: s.args[0].refs}
	if s.sig.Variadic() {
		parts.refs = in.sure(fr, s.vals[0])
		all, listed := s.vals[0].(*ssa.Slice)
		if how != library.AllOf && (!listed || len(parts.refs) != len(elements(all, 0))) {
			return results
		}
	}
	slices.SortFunc(parts.refs, compareLocs)
	if len(parts.refs) == 0 || !s.sig.Variadic() && len(parts.refs) > 1 {
		return results
	}
	for i, r := range results[0].refs {
		r.obj.symbolic, r.obj.opaque = false, false
		results[i].unknown = false
		s.st.put(r.under(access.Marked(access.Combiner)), value{constant: c.name}, true)
		s.st.put(r.under(access.Marked(access.Combined)), parts, true)
	}
	return results
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

// readsRandom reports whether the bytes that a function fills in are random: if it
// takes them from a reader, that is one of random bytes.
func (in *interp) readsRandom(known *library.Func, s *callSite) bool {
	i, ok := known.Args.Of(library.ReaderArg, len(s.args))
	return !ok || slices.ContainsFunc(s.args[i].refs, func(r loc) bool {
		return library.VarNamed(r.obj.from).Is == library.RandomReader
	})
}

// refresh replaces what v refers to by content from the API server.
func (in *interp) refresh(st *heap, v value) {
	for _, r := range v.refs {
		st.clear(r)
		if r.obj.param >= 0 {
			in.refreshed[r] = true
		}
	}
}

// newSource returns the label of a source at the call s.
func (in *interp) newSource(kind Kind, what string, s *callSite) Label {
	l := Label{Kind: kind, What: what}
	l.Pos, l.End = in.span(s.instr)
	l.At = in.at(l.Pos)
	return l
}

// sourceName returns the name of a source as users write it: "time.Now",
// "metav1.Now", "rand.IntN".
func (in *interp) sourceName(c target) string {
	if c.obj == nil || c.obj.Pkg() == nil {
		return c.name
	}
	pkg := library.ShortName(c.obj.Pkg())
	if recv := c.obj.Signature().Recv(); recv != nil {
		if named := library.NamedOf(recv.Type()); named != nil {
			pkg += "." + named.Obj().Name()
		}
	}
	return pkg + "." + c.obj.Name()
}

// source interprets a call whose result differs from call to call.
func (in *interp) source(fr *frame, c target, src library.Source, s *callSite) []value {
	instr, ok := s.instr.(ssa.Value)
	res := s.sig.Results()
	vals := make([]value, res.Len())
	if !ok {
		return vals
	}
	kind, what := Clock, in.sourceName(c)
	switch src {
	case library.Random:
		kind = Random
	case library.MapOrder:
		kind, what = MapOrder, "map order"
	case library.ListOrder:
		kind, what = ListOrder, "list order"
	}
	l := in.newSource(kind, what, s)
	ls := labels{l}
	if in.guarded(fr) {
		ls = ls.transform(Label.guarded)
		in.traceDrops(labels{l}, ls, fr.guards)
	}
	for i := range vals {
		t := res.At(i).Type()
		if library.IsError(t) {
			continue
		}
		if src != library.MapOrder && src != library.ListOrder {
			vals[i] = value{labels: ls}
			if !isBasic(t) {
				o := in.result(c, instr, i, t)
				o.from = c.name
				s.st.reset(o)
				vals[i].refs = []loc{{obj: o}}
			}
			continue
		}
		o := in.result(c, instr, i, t)
		o.from = c.name
		s.st.reset(o)
		dst := loc{obj: o}
		for j, a := range s.args {
			if j > 0 || src == library.ListOrder {
				break
			}
			copyElements(s.st, s.st, dst, a, nil)
		}
		if src == library.ListOrder {
			live := in.object(site{at: instr, nth: int32(i), name: c.name, elems: true}, elemType(t))
			s.st.reset(live)
			s.st.clear(loc{obj: live})
			s.st.put(dst.under(access.Elems()), refTo(loc{obj: live}), false)
		}
		for _, made := range in.runArgs(fr, s, nil) {
			s.st.put(dst.under(access.Elems()), made, false)
		}
		s.st.set(dst.under(access.Ordering()), value{labels: ls})
		vals[i] = refTo(dst)
	}
	return vals
}

// list interprets a controller-runtime client's List. Lists from a manager's
// client come from its cache, which keeps them in a map; those of an API reader
// and of unstructured objects come from the server, sorted by key.
func (in *interp) list(fr *frame, s *callSite) {
	in.refresh(s.st, s.args[2])
	if !in.cached(s.vals[0]) {
		return
	}
	l := in.newSource(ListOrder, "list order", s)
	if in.guarded(fr) {
		in.traceDrops(labels{l}, nil, fr.guards)
		return
	}
	for _, r := range s.args[2].refs {
		if strings.Contains(in.typeNameOf(r), "unstructured.") {
			continue
		}
		s.st.set(r.under(access.Fields("Items")).under(access.Ordering()), value{labels: labels{l}})
	}
}

// cached reports whether the client is one that reads from a cache, as far as
// its type and the name of the field that it comes from tell.
func (in *interp) cached(client ssa.Value) bool {
	if client == nil {
		return false
	}
	switch library.TypeOf(client.Type()).Is {
	case library.Client, library.Cache:
	default:
		return false
	}
	v := client
	if o := origin.Of(v); o.Kind == origin.Loaded {
		v = o.X
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Field:
		return !uncachedName(o.FieldName())
	case origin.Parameter:
		return !uncachedName(v.Name())
	case origin.Result:
		return strings.HasSuffix(in.nameOf(&callSite{instr: o.Call}), ").GetClient")
	}
	return false
}

func uncachedName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"api", "live", "direct", "uncached", "noncached", "nocache", "remote"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// clientsetRead interprets Get and List of typed clientsets and listers.
func (in *interp) clientsetRead(c target, s *callSite) ([]value, bool) {
	if c.obj == nil || !s.instr.Common().IsInvoke() && c.fn != nil {
		return nil, false
	}
	results := in.unknownResults(c, s)
	if len(results) > 0 {
		for _, r := range results[0].refs {
			s.st.reset(r.obj)
			s.st.clear(r)
			r.obj.opaque = false
		}
	}
	return results, true
}

// deepCopy returns a copy of the receiver.
func (in *interp) deepCopy(c target, s *callSite) value {
	instr, ok := s.instr.(ssa.Value)
	if !ok {
		return value{}
	}
	var out value
	for i, r := range s.args[0].refs {
		if i >= 16 {
			out.unknown = true
			break
		}
		t := library.Deref(s.vals[0].Type())
		if types.IsInterface(t) && r.path.IsRoot() {
			t = r.obj.typ
		}
		o := in.object(site{at: instr, nth: int32(i), name: c.name}, t)
		o.name = in.typeNameOf(r)
		o.from = r.obj.from
		switch {
		case o.name != "":
		case r.obj.param >= 0:
			o.copy = r
		case r.path.IsRoot():
			o.copy = r.obj.copy
		}
		s.st.reset(o)
		in.copyUnder(s.st, loc{obj: o}, value{refs: []loc{r}})
		if s.st.live(r.obj) {
			s.st.writable(o).live = true
		}
		out = out.join(refTo(loc{obj: o}))
	}
	if len(s.args[0].refs) == 0 {
		return in.unknownResults(target{}, s)[0]
	}
	out.unknown = out.unknown || s.args[0].unknown
	return out
}

// copyUnder copies all that lies under src to dst.
func (in *interp) copyUnder(st *heap, dst loc, src value) {
	in.assign(st, dst, src, structType, len(src.refs) == 1, nil)
	for _, r := range src.refs {
		c := st.objs[r.obj]
		if c == nil {
			continue
		}
		for _, p := range st.sortedPaths(r.obj) {
			if rest, ok := p.Below(r.path); ok && rest.HasMarker() {
				st.put(dst.under(rest), c.m[p], false)
			}
		}
	}
}

var structType = types.NewStruct(nil, nil)

// accessor interprets the getters and setters of object metadata.
func (in *interp) accessor(fr *frame, known *library.Func, s *callSite) ([]value, bool) {
	if len(s.args) == 0 {
		return nil, false
	}
	field := known.Field
	if known.Effect == library.SetsMetadata && len(s.args) == 2 {
		v := in.filter(fr, s.args[1], s.vals[1].Type())
		for _, r := range s.args[0].refs {
			s.st.put(metaPath(r, field), v, len(s.args[0].refs) == 1)
		}
		return nil, true
	}
	if known.Effect == library.GetsMetadata && len(s.args) == 1 {
		var places value
		for _, r := range s.args[0].refs {
			places.refs = append(places.refs, metaPath(r, field))
		}
		v := in.load(places, s.st, s.sig.Results().At(0).Type())
		for _, r := range s.args[0].refs {
			if r.obj.param < 0 && r.obj.symbolic {
				v.labels = v.labels.union(labels{{Kind: State, Path: objectMeta.Field(field)}})
			}
		}
		return []value{v}, true
	}
	switch known.Effect {
	case library.SetsGVK:
		for _, r := range s.args[0].refs {
			for _, g := range s.args[1].refs {
				s.st.put(r.under(access.Marked(access.ObjectGroup)), s.st.get(g.under(groupField)), true)
				s.st.put(r.under(access.Marked(access.ObjectVersion)), s.st.get(g.under(versionField)), true)
				s.st.put(r.under(access.Marked(access.ObjectKind)), s.st.get(g.under(kindField)), true)
			}
			if len(s.args[1].refs) == 0 {
				s.st.put(r.under(access.Marked(access.ObjectKind)), value{unknown: true}, true)
			}
		}
		return nil, true
	case library.SetsContent:
		for _, r := range s.args[0].refs {
			s.st.put(r.under(untyped), s.args[1], true)
		}
		return nil, true
	case library.SetsKind:
		for _, r := range s.args[0].refs {
			s.st.put(r.under(access.Marked(access.ObjectKind)), s.args[1], true)
		}
		return nil, true
	case library.SetsAPIVersion:
		for _, r := range s.args[0].refs {
			s.st.put(r.under(access.Marked(access.ObjectAPIVersion)), s.args[1], true)
		}
		return nil, true
	}
	return nil, false
}

// isMeta reports whether the metadata of an object lies at r, rather than the
// object.
func isMeta(r loc) bool {
	return r.path.LastField() == "ObjectMeta" ||
		r.path.IsRoot() && library.TypeOf(r.obj.typ).Is == library.ObjectMeta
}

// metaPath returns the place of a metadata field of the object at r, which may
// be its metadata already.
func metaPath(r loc, field string) loc {
	if isMeta(r) {
		return r.under(access.Fields(field))
	}
	return r.under(objectMeta.Field(field))
}

func (in *interp) withKind(c target, s *callSite) value {
	v := in.gvkOf(c, s, "", s.args[1].constant)
	for _, dst := range v.refs {
		for _, g := range s.args[0].refs {
			for _, part := range []access.Path{groupField, versionField} {
				s.st.put(dst.under(part), s.st.get(g.under(part)), true)
			}
		}
	}
	return v
}

func (in *interp) gvkOf(c target, s *callSite, apiVersion, kind string) value {
	instr, ok := s.instr.(ssa.Value)
	if !ok {
		return value{}
	}
	o := in.result(c, instr, 0, s.sig.Results().At(0).Type())
	s.st.reset(o)
	dst := loc{obj: o}
	group, version, found := strings.Cut(apiVersion, "/")
	if !found {
		group, version = "", apiVersion
	}
	s.st.put(dst.under(groupField), value{constant: group}, true)
	s.st.put(dst.under(versionField), value{constant: version}, true)
	s.st.put(dst.under(kindField), value{constant: kind, unknown: kind == ""}, true)
	return refTo(dst)
}

// with interprets a With method of an apply configuration: it sets a field, or
// appends to it, and returns its receiver.
func (in *interp) with(fr *frame, c target, s *callSite) value {
	field := strings.TrimPrefix(c.obj.Name(), "With")
	path := access.Fields(field)
	if library.IsMetadata(field) {
		path = objectMeta.Field(field)
	}
	if len(s.args) < 2 {
		return s.args[0]
	}
	variadic := s.sig.Variadic()
	for _, r := range s.args[0].refs {
		v := in.filter(fr, s.args[1], s.vals[1].Type())
		if !variadic {
			if len(v.labels) == 0 && len(v.refs) == 0 {
				v.labels = in.deep(v, s.st)
			}
			s.st.put(r.under(path), v, !isMap(s.vals[1]))
			continue
		}
		dst := r.under(path)
		copyElements(s.st, s.st, dst, v, nil)
		order := in.orders(s.st, s.args[1])
		for _, l := range in.deep(v, s.st) {
			if l.Item && !l.loop.contains(r.obj.block) && fr.within(l.loop, s.instr.Block()) {
				l.Item, l.loop = false, nil
				order = order.union(labels{l})
			}
		}
		if len(order) > 0 {
			s.st.put(dst.under(access.Ordering()), value{labels: order}, false)
		}
	}
	return s.args[0]
}

// span returns the source range of the function expression of a call.
func (in *interp) span(instr ssa.CallInstruction) (token.Pos, token.Pos) {
	return in.callSpan(instr)
}
