package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// callback runs callback number i of the callee: it interprets the function that
// this call passes for it.
func (im *importer) callback(i int) {
	in, fr, cb := im.in, im.fr, &im.sum.Callbacks[i]
	im.via = in.via(im.s, im.number, i)
	var args []value
	for _, a := range cb.Args {
		args = append(args, im.value(a))
	}
	guards, possible := im.guardsOf(cb)
	if !possible {
		return
	}
	wasGo, wasMaybe, outer := fr.inGo, fr.maybe, fr.guards
	fr.inGo = fr.inGo || cb.Go
	fr.maybe = fr.maybe || cb.maybe
	fr.guards = append(slices.Clip(outer), guards...)
	wasRounds := fr.rounds
	if cb.Rounds {
		fr.rounds = fr.startRounds()
	}
	defer func() { fr.inGo, fr.maybe, fr.guards, fr.rounds = wasGo, wasMaybe, outer, wasRounds }()

	f := cb.Func
	if f.Param >= len(im.s.args) {
		return
	}
	if f.Method != "" {
		im.callMethods(cb, args, outer)
		return
	}
	if list := im.s.args[f.Param]; list.isEmptyList() && f.Path.HasElem() {
		return // there is no function in the list
	}
	v := im.value(Val{Funcs: []FuncRef{f}})
	found := false
	for _, g := range v.funcs {
		found = true
		if g.ref != nil && g.ref.Name == "" {
			im.forward(cb, g.ref, args)
			continue
		}
		sub := im.site(args)
		was := fr.guards
		if f.Path.IsRoot() {
			fr.guards = append(slices.Clip(was), in.chosenUnder(fr, im.s.vals[f.Param], g)...)
		}
		im.addResults(cb, in.invoke(fr, in.ofValue(g), g, sub))
		fr.guards = was
	}
	for _, p := range im.places(f.Param, f.Path) {
		if p.obj.param < 0 {
			continue
		}
		found = true
		stored := im.storedAt(p)
		for _, c := range stored {
			im.addResults(cb, in.invoke(fr, c, c.f, im.site(args)))
		}
		if len(stored) == 0 {
			im.forward(cb, &FuncRef{Param: p.obj.param, Path: p.path}, args)
		}
	}
	if !found || v.unknown {
		in.escape(im.s.st, args)
	}
}

// storedAt returns the functions that the package stores at a place in the receiver of the caller.
func (im *importer) storedAt(p loc) []target {
	if p.obj.param != 0 || im.fr.outermost().fn.Signature.Recv() == nil {
		return nil
	}
	return im.in.targetsOf(im.fr, im.in.fields.at(p.obj.typ, p.path))
}

// guardsOf translates the guards of the callee's callback. The callback is not
// possible if this call passes the constant with which the callee does not make it.
func (im *importer) guardsOf(cb *Callback) (guards []guard, possible bool) {
	for _, g := range cb.Guards {
		im.in.stepsLeft -= 1 + len(g)
		h, is, possible := im.guard(g)
		if !possible {
			return nil, false
		}
		if is {
			guards = append(guards, h)
		}
	}
	return guards, true
}

// guard translates a guard of the callee, which has the labels fed. It is none if a
// boolean parameter, or a decision of the caller, decides, and what this call passes for
// it is none. It is none, either, if it asks of what the caller has made, and that has
// nothing of the cluster but configuration: the answer is always the same.
//
//	if toBeDeleted(desired) { return c.Delete(ctx, desired) }
func (im *importer) guard(fed []Label) (g guard, is, possible bool) {
	decided := slices.IndexFunc(fed, func(l Label) bool { return l.Given != 0 })
	if decided < 0 {
		g = guard{labels: im.guardLabels(fed)}
		return g, !im.in.areConfiguration(g.labels) || !im.areOwn(fed), true
	}
	passed := im.passed(fed[decided].Given)
	g = passed.guard
	if either := im.guardLabels(labels(fed).unconditional()); len(either) > 0 {
		switch g.labels = g.labels.union(either); {
		case passed.excluded:
			return guard{labels: either}, true, true
		case g.given != 0:
			g.either = g.either.union(either)
		}
	}
	return g, passed.is, !passed.excluded
}

// guardLabels translates the labels of a guard. What an argument had that the callee asks of is
// what it had at the call, and not what the callee stored there, perhaps on another way:
//
//	if thing.Status.CheckedAt != nil { return advance(thing, now) }
//	thing.Status.CheckedAt = now
func (im *importer) guardLabels(fed []Label) labels {
	if im.atCall == nil {
		return im.labels(fed)
	}
	isOfCall := func(l Label) bool { return l.Kind == Content && !im.sum.handsOn(l.Param) }
	others := im.labels(slices.DeleteFunc(slices.Clone(fed), isOfCall))
	return others.union(im.atCall.labels(slices.DeleteFunc(slices.Clone(fed), func(l Label) bool { return !isOfCall(l) })))
}

// areOwn reports whether the labels of the callee are of the content of objects that are
// made for it. What would be behind a pointer that is nil has no content.
func (im *importer) areOwn(fed []Label) bool {
	own := func(l loc) bool {
		o := l.obj
		return !o.symbolic && !o.opaque && !o.handedOn && o.from == "" && !im.s.st.live(o) && !im.s.st.get(l).unknown && !isBehindNil(im.s.st, l)
	}
	return len(fed) > 0 && !slices.ContainsFunc(fed, func(l Label) bool {
		if l.Kind != Content || l.Path.IsRoot() {
			return true
		}
		places := im.places(l.Param, l.Path.Unordered())
		return len(places) == 0 || slices.ContainsFunc(places, func(l loc) bool { return !own(l) })
	})
}

// isBehindNil reports whether the place is reached through a pointer in a struct that is made here, in
// which nothing is stored.
func isBehindNil(st *heap, l loc) bool {
	c := st.cells(l.obj)
	if c == nil || c.m[access.Path{}].copy {
		return false
	}
	var at access.Path
	for step := range l.path.Parent().Steps() {
		if step.Kind != access.Field {
			return false
		}
		at = at.Field(step.Name)
		t, _ := staticAlong(l.obj.typ, at)
		if _, stored := c.m[at]; t != nil && (isPointer(t) || types.IsInterface(t)) && !stored {
			return true
		}
	}
	return false
}

// via returns the number of a callback at the call s.
func (in *interp) via(s *callSite, callee, callback int) int {
	key := viaKey{s.via, callee, callback}
	n, ok := in.vias[key]
	if !ok {
		n = len(in.vias) + 1
		in.vias[key] = n
	}
	return n
}

// site returns the callback being run as a call.
func (im *importer) site(args []value) *callSite {
	return &callSite{instr: im.s.instr, args: args, vals: make([]ssa.Value, len(args)), st: im.s.st, via: im.via, inner: true}
}

// escape notes that the arguments escape to code that the analysis does not see.
func (in *interp) escape(st *heap, args []value) {
	for _, a := range args {
		for _, r := range a.refs {
			if r.obj.param < 0 || r.path.IsRoot() {
				st.put(r.under(access.Marked(access.Opaque)), value{unknown: true}, false)
			}
		}
	}
}

// forward records the callback as one of the caller's own: its function comes
// from a parameter of the caller.
func (im *importer) forward(cb *Callback, ref *FuncRef, args []value) {
	s := im.site(args)
	s.sig = types.NewSignatureType(nil, nil, nil, nil, nil, false)
	im.addResults(cb, im.in.callback(im.fr, ref, s, make([]types.Type, len(cb.Results))))
}

// addResults notes the results of a callback.
func (im *importer) addResults(cb *Callback, results []value) {
	for i, id := range cb.Results {
		if id == 0 || i >= len(results) {
			continue
		}
		im.translations = nil // they had the results before
		if v, ok := im.results[id]; ok {
			im.results[id] = v.join(results[i])
		} else {
			im.results[id] = results[i]
		}
	}
}

// putResults applies what the callee did with the results of callbacks, now that
// they are known: what it wrote into them, and where it stored them.
func (im *importer) putResults() {
	if len(im.results) == 0 {
		return
	}
	for _, o := range im.sum.Objects {
		v, isResult := im.results[o.ID]
		for _, cell := range o.Cells {
			switch {
			case isResult:
				for _, r := range v.refs {
					im.put(r.under(cell.Path), cell.Val, false)
				}
			case im.refersToResult(cell.Val):
				im.put(loc{im.object(o.ID), cell.Path}, cell.Val, false)
			}
		}
	}
	for _, ch := range im.sum.Changes {
		if im.refersToResult(ch.Val) {
			for _, d := range im.places(ch.Param, ch.Path) {
				im.put(d, ch.Val, false)
			}
		}
	}
}

func (im *importer) refersToResult(v Val) bool {
	isResult := func(id int) bool { _, ok := im.results[id]; return ok }
	return slices.ContainsFunc(v.Refs, func(r Ref) bool { return r.Param < 0 && isResult(r.Obj) }) ||
		slices.ContainsFunc(v.Labels, func(l Label) bool { return l.Kind == Returned && isResult(l.Param) })
}

// ofCaller is where the results of callbacks come from.
const ofCaller = "a function of the caller"

// returned returns the label of a string that stands at o for the result of a callback.
func returned(o *object) Label { return Label{Kind: Returned, Param: o.summaryID()} }

// returnedOrder returns the label of an order at a path of o likewise.
func returnedOrder(o *object, at access.Path) Label {
	l := returned(o)
	l.Path = at
	return l
}

// isCompleted reports whether a function of the caller may complete the object, one that this function
// made:
//
//	desired := thing.Status.DeepCopy()
//	mutate(desired)
//	if equality.Semantic.DeepEqual(thing.Status, *desired) { return nil }
//	thing.Status = *desired
func (o *object) isCompleted() bool { return o.completed && o.param < 0 && o.from == "" && !o.symbolic }

// completed returns the label of what a function of the caller puts at r.
func completed(r loc) Label {
	l := returned(r.obj)
	l.Path = r.path
	return l
}

// isCompleted reports whether the label is that of what a function of the caller puts into an object
// of the callee.
func (im *importer) isCompleted(l Label) bool {
	_, isResult := im.results[l.Param]
	return l.Kind == Returned && !isResult && im.isHandedOn(l.Param)
}

// returned translates the label of a string that a function returned, which this call
// passes in, or of the order of a list. It may be a function of the caller's caller.
func (im *importer) returned(l Label) labels {
	in, st := im.in, im.s.st
	v := im.results[l.Param]
	if im.isCompleted(l) {
		v = refTo(loc{im.object(l.Param), l.Path})
	}
	var found labels
	if !l.isReturnedOrder() {
		found = in.allLabels(v, st)
	}
	for _, r := range v.refs {
		later := r.obj.from == ofCaller && r.path.IsRoot()
		switch {
		case l.isReturnedOrder() && later:
			found = found.union(labels{returnedOrder(r.obj, l.Path)})
		case l.isReturnedOrder():
			found = found.union(in.order(st, r.under(l.Path.Unordered())))
		case later: // a caller knows
			found = found.union(labels{returned(r.obj)})
		}
	}
	if l.Fixed {
		found = found.fixed()
	}
	return found
}

// callMethods runs a callback that is a method. It calls the method of each object
// that may be at the callback's path.
//
// A method that is being called on an object is not called on it again. The object
// stands for all of a type, such as a wrapper of the client of which the module has
// one type only. In it is a client of a library in the end:
//
//	func (w traced) Create(ctx context.Context, obj client.Object) error {
//		return w.Client.Create(ctx, obj) // traced.Create, or the library's
//	}
func (im *importer) callMethods(cb *Callback, args []value, outer []guard) {
	in, fr, f := im.in, im.fr, cb.Func
	v := im.value(Val{Refs: []Ref{{Param: f.Param, Path: f.Path}}})
	if f.Method == "Error" && len(cb.Args) == 1 && len(cb.Results) == 1 { // see textOfError
		im.addResults(cb, []value{{labels: v.labels.fixed()}})
	}
	for _, r := range v.refs {
		sub := func(recv loc) *callSite {
			s := im.site(slices.Clone(args))
			if len(s.args) > 0 {
				s.args[0] = refTo(recv)
			}
			return s
		}
		run := func(typeName string, recv loc) bool {
			m, ok := in.method(typeName, f.Method, recv)
			if !ok {
				return false
			}
			s := sub(recv)
			if len(m.recv) > 0 && len(s.args) > 0 {
				s.args[0], m.recv = m.recv[0], nil
			}
			call := methodKey{recv, f.Method}
			if in.calling[call] {
				return true
			}
			in.calling[call] = true
			defer delete(in.calling, call)
			if len(v.refs) > 1 {
				im.receiver, im.translations = recv, nil
				defer func() { im.receiver, im.translations = loc{}, nil }()
				guards, possible := im.guardsOf(cb)
				if !possible {
					return true
				}
				was := fr.guards
				fr.guards = append(slices.Clip(outer), guards...)
				defer func() { fr.guards = was }()
			}
			im.addResults(cb, in.invoke(fr, m, nil, s))
			if m.isOfModule() {
				im.followed[methodKey{r, f.Method}] = true
			} else if im.repeats(f) {
				im.addResults(cb, make([]value, len(cb.Results)))
			}
			return true
		}
		if run(in.typeNameOf(r), r) {
			continue
		}
		t, field := staticAt(r)
		if t != nil && types.IsInterface(t) {
			for _, name := range in.candidates(field, t) {
				run(name, in.standIn(im.s.instr, name))
			}
		}
		if r.obj.param >= 0 && !isLibrary(r) { // the caller may know another type
			im.forward(cb, &FuncRef{Param: r.obj.param, Path: r.path, Method: f.Method}, sub(r).args)
		}
	}
}

// repeats reports whether the callback's method repeats that of a library, whose
// results the callee knows.
func (im *importer) repeats(f FuncRef) bool {
	return slices.ContainsFunc(im.sum.Events, func(ev Event) bool { return ev.Through != nil && *ev.Through == f })
}

// invoke interprets the call of a callback c. The results are nil if nothing is
// known of the function.
func (in *interp) invoke(fr *frame, c target, f *fval, s *callSite) []value {
	if len(c.recv) > 0 {
		s.args = append(slices.Clone(c.recv), s.args...)
		s.vals = append([]ssa.Value{nil}, s.vals...)
	}
	switch {
	case c.param != nil || c.name == "" && c.fn == nil:
		return nil
	case c.lit != nil:
		s.sig = types.NewSignatureType(nil, nil, nil, nil, nil, false)
		return in.literalCall(fr, c, s)
	case c.f != nil:
		s.sig = f.fn.Signature
		return in.inline(fr, f, s.args, s)
	case c.fn != nil:
		s.sig = c.fn.Signature
		return in.instantiate(fr, in.summaries[c.fn], c, s, false)
	case c.obj != nil:
		s.sig = c.obj.Signature()
		if library.Of(c.obj).Effect == library.SetsConditionOf {
			results, _ := in.model(fr, c, s)
			return results
		}
		if sum := in.imported(c.obj); sum != nil {
			return in.instantiate(fr, sum, c, s, true)
		}
	}
	return nil
}
