package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// eval is the transfer function of an instruction that yields a value.
func (in *interp) eval(fr *frame, instr ssa.Value, st *heap) value {
	if ext, ok := instr.(*ssa.Extract); ok {
		if vals := fr.tuples[ext.Tuple]; ext.Index < len(vals) {
			return vals[ext.Index]
		}
		return value{unknown: true}
	}
	o := origin.Of(instr)
	var x value
	if o.X != nil && o.Kind != origin.Closure {
		x = in.reg(fr, o.X)
	}
	switch o.Kind {
	case origin.Local:
		alloc := instr.(*ssa.Alloc)
		in.noteAlloc(alloc)
		return in.fresh(alloc, types.Unalias(alloc.Type()).(*types.Pointer).Elem(), st)
	case origin.Made:
		return in.fresh(instr, instr.Type(), st)
	case origin.Closure:
		return in.closure(fr, instr.(*ssa.MakeClosure))

	case origin.Field:
		in.noteRead(instr, o)
		in.noteShowing(instr, o)
		name := "?" // of a type parameter
		if o.Field != nil {
			name = o.Field.Name()
		}
		field := x.under(access.Fields(name), x.labels)
		switch {
		case o.Addr:
			return field
		case isAggregate(instr.Type()):
			return in.place(field, st).withLabels(x.labels)
		}
		return in.load(field, st, instr.Type()).withLabels(x.labels)
	case origin.Element:
		if lookup, ok := instr.(*ssa.Lookup); ok {
			return in.lookup(fr, lookup, x, st)
		}
		picked := in.indexLabels(fr, o)
		if o.Addr {
			return x.under(access.Elems(), x.labels.union(in.itemLabels(fr, x, o.Key, instr.(ssa.Instruction).Block(), st)).union(picked))
		}
		return in.load(x.under(access.Elems(), nil), st, instr.Type()).withLabels(x.labels).withLabels(picked)

	case origin.Loaded:
		if g, ok := o.X.(*ssa.Global); ok {
			if f := in.globalFunc(g); f != nil {
				return value{funcs: []*fval{f}}
			}
			if text, ok := in.text(instr); ok {
				return value{constant: text}
			}
			if ls := in.growing(g, instr.(ssa.Instruction)); len(ls) > 0 {
				return in.load(x, st, instr.Type()).withLabels(ls)
			}
		}
		if isAggregate(instr.Type()) {
			return in.place(x, st)
		}
		return in.wired(instr, in.load(x, st, instr.Type()))
	case origin.Received:
		elem := in.receive(fr, instr.(ssa.Instruction), o.X, st)
		fr.setCommaOK(instr, elem)
		return elem
	case origin.Selected:
		fr.tuples[instr] = in.selectCase(fr, instr.(*ssa.Select), st)
		return value{}

	case origin.Computed:
		if o.Y != nil {
			return in.binop(fr, instr.(*ssa.BinOp), st)
		}
		return value{labels: x.labels}
	case origin.Choice:
		return in.phi(fr, instr.(*ssa.Phi), st)

	case origin.Sliced:
		if isEmptySlice(instr) {
			x.constant = emptyList
		}
		return x
	case origin.Renamed, origin.Iterator:
		return x
	case origin.Converted:
		if isBasic(instr.Type()) || isBasic(o.X.Type()) {
			return value{labels: in.allLabels(x, st).fixed(), constant: x.constant, ending: x.ending}
		}
		return x
	case origin.Boxed:
		return in.boxed(instr, o.X.Type(), x)
	case origin.Asserted:
		kept := in.assert(x, instr.(*ssa.TypeAssert).AssertedType)
		fr.setCommaOK(instr, kept)
		return kept

	case origin.Item:
		return in.next(fr, instr.(*ssa.Next), st)
	case origin.Result:
		results := in.call(fr, o.Call, st)
		fr.tuples[instr] = results
		if len(results) == 1 {
			return results[0]
		}
		return value{}
	}
	return value{unknown: true}
}

// setCommaOK sets the components of a comma-ok form, if the instruction is one. The
// first is v.
func (fr *frame) setCommaOK(instr ssa.Value, v value) {
	if _, several := instr.Type().(*types.Tuple); several {
		fr.tuples[instr] = []value{v, {}}
	}
}

// reg returns the value of the operand v.
func (in *interp) reg(fr *frame, v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		return constValue(v)
	case *ssa.Function:
		return value{funcs: []*fval{in.fval(v)}}
	case *ssa.Global:
		return refTo(loc{obj: in.global(v)})
	case *ssa.Builtin:
		return value{}
	}
	return fr.regs[v]
}

func constValue(c *ssa.Const) value {
	if str, ok := constants.String(c); ok {
		return value{constant: str}
	}
	if set, ok := constants.Bool(c); ok {
		return value{constant: strconv.FormatBool(set)}
	}
	return value{null: c.IsNil()}
}

// fval returns the function value of a function without free variables.
func (in *interp) fval(fn *ssa.Function) *fval {
	f := in.fvals[fn]
	if f == nil {
		f = &fval{fn: fn}
		in.fvals[fn] = f
	}
	return f
}

// global returns the object of a package variable.
func (in *interp) global(g *ssa.Global) *object {
	o := in.globals[g]
	if o == nil {
		elem := types.Unalias(g.Type()).(*types.Pointer).Elem()
		o = &object{id: -1 - len(in.globals), param: -1, typ: elem, symbolic: true, cached: in.holdsCached(g)}
		in.globals[g] = o
	}
	if g.Pkg != nil && g.Pkg.Pkg != nil {
		name := g.Pkg.Pkg.Path() + "." + g.Name()
		known := library.VarNamed(name)
		o.name = known.Type
		if known.Is == library.RandomReader || g.Pkg != in.ssa.SSA && library.IsPredicate(o.typ) {
			o.from = name
		}
	}
	return o
}

// closure interprets the making of a closure. There is one function value for
// each literal and context, so the values of its free variables are joined.
func (in *interp) closure(fr *frame, v *ssa.MakeClosure) value {
	bindings := make([]value, len(v.Bindings))
	for i, b := range v.Bindings {
		bindings[i] = in.reg(fr, b)
	}
	key := closureKey{v, fr.ctx}
	f := in.closures[key]
	if f == nil {
		f = &fval{fn: v.Fn.(*ssa.Function), bindings: bindings}
		in.closures[key] = f
	} else {
		for i := range bindings {
			f.bindings[i] = f.bindings[i].join(bindings[i])
		}
	}
	return value{funcs: []*fval{f}}
}

// lookup interprets reading from a map or a string.
func (in *interp) lookup(fr *frame, v *ssa.Lookup, x value, st *heap) value {
	elem := value{labels: x.labels, unknown: x.unknown}
	entry := access.Elems()
	if key, ok := in.text(v.Index); ok {
		entry = access.Entry(key)
	}
	if keys := comparedWith(v.Index); len(keys) > 0 {
		fr.otherEntries[v] = in.otherEntries(x, keys, st)
	}
	for i, r := range x.refs {
		e := st.get(r.under(entry))
		if i == 0 {
			elem = e.withLabels(elem.labels)
		} else {
			elem = elem.join(e)
		}
	}
	of := elem.labels.transform(func(l Label) (Label, bool) { return l, l.Kind == State })
	isSet := false
	if m, ok := types.Unalias(v.X.Type()).Underlying().(*types.Map); ok {
		if entry == access.Elems() && isInterface(m.Elem()) && !isKeyOf(v.Index, v.X) && in.haveTypes(elem.refs) {
			elem.refs, elem.unknown = nil, true
		}
		elem = withoutContents(elem, m.Elem())
		isSet = library.IsBool(m.Elem())
	}
	// Whether a key is there, or in a set, does not depend on the order of the keys. It
	// depends on the state that the keys are from, also if the entries are references.
	found := value{labels: elem.labels.union(of).union(in.sourcesOf(fr, v.Index)), unknown: in.escaped(x, st)}
	if isSet {
		elem.labels, elem.unknown = found.labels, elem.unknown || found.unknown
	} else {
		elem = elem.withLabels(in.indexLabels(fr, origin.Of(v)))
	}
	if v.CommaOk {
		fr.tuples[v] = []value{elem, found}
	}
	return elem
}

// isKeyOf reports whether the key is that of a loop over the map.
func isKeyOf(key, m ssa.Value) bool {
	return isRangedKey(key) && sameValue(origin.Of(origin.Of(key).X).X, m)
}

// haveTypes reports whether the places have several types. Of a table of objects, by the names of
// their kinds, it is not known which one an unknown name is for.
func (in *interp) haveTypes(refs []loc) bool {
	return slices.ContainsFunc(refs, func(r loc) bool {
		name := in.typeNameOf(r)
		return name != "" && name != in.typeNameOf(refs[0])
	})
}

// escaped reports whether something that v refers to escaped to code that the
// analysis does not see.
func (in *interp) escaped(v value, st *heap) bool {
	return slices.ContainsFunc(v.refs, func(r loc) bool { return in.written(st, r.under(access.Marked(access.Opaque))) })
}

// indexLabels returns the labels that an element has from its index or key: if
// that is random, the element is, too. If it is an item, the element comes in the
// order of the items. A byte of an alphabet stands for its index:
//
//	text = append(text, "0123456789abcdef"[sum%16])
func (in *interp) indexLabels(fr *frame, elem origin.Origin) labels {
	isText := library.IsString(elem.X.Type())
	return in.reg(fr, elem.Key).labels.transform(func(l Label) (Label, bool) {
		return l, l.IsSource() || l.Item || isText && l.Kind == Content
	})
}

// sourcesOf returns the labels of v that differ from reconcile to reconcile.
func (in *interp) sourcesOf(fr *frame, v ssa.Value) labels {
	return in.reg(fr, v).labels.transform(func(l Label) (Label, bool) { return l, l.IsSource() })
}

// boxed interprets the conversion of x, of type t, to an interface: t becomes the
// dynamic type of what x refers to.
func (in *interp) boxed(v ssa.Value, t types.Type, x value) value {
	name := library.TypeName(t)
	if name == "" {
		return x
	}
	for _, r := range x.refs {
		if !r.path.IsRoot() || r.obj.typ == nil {
			in.boxedTypes[r] = name
		}
	}
	if len(x.refs) == 0 && len(x.funcs) == 0 {
		// A nil pointer, or a value of a named basic type, has a dynamic type,
		// too. An interface that holds one is not nil.
		x.null = false
		x.refs = []loc{{obj: in.object(site{at: v}, library.Deref(t))}}
	}
	return x
}

// assert returns the part of x that may have the asserted type.
func (in *interp) assert(x value, t types.Type) value {
	want := library.TypeName(t)
	if types.IsInterface(t) || want == "" {
		return x
	}
	out := x
	out.refs = nil
	for _, r := range x.refs {
		if name := in.typeNameOf(r); name != "" && name != want {
			continue
		}
		out.refs = append(out.refs, r)
	}
	return out
}

// typeNameOf returns the TypeName of the dynamic type at r, or "".
func (in *interp) typeNameOf(r loc) string {
	if name, ok := in.boxedTypes[r]; ok {
		return name
	}
	if !r.path.IsRoot() {
		return ""
	}
	if r.obj.name != "" {
		return r.obj.name
	}
	if r.obj.typ == nil {
		return ""
	}
	if tp, ok := types.Unalias(library.Deref(r.obj.typ)).(*types.TypeParam); ok {
		return "$" + tp.Obj().Name()
	}
	if types.IsInterface(r.obj.typ) {
		return ""
	}
	return library.TypeName(r.obj.typ)
}

func (in *interp) phi(fr *frame, phi *ssa.Phi, st *heap) value {
	var out value
	first := true
	base := in.guardsOf(fr, phi.Block())
	loop, unmatched := in.replacedByFound(fr, phi)
	for i, e := range phi.Edges {
		v := in.reg(fr, e)
		if _, isConst := e.(*ssa.Const); !isConst && v.isZero() {
			continue // not reached yet
		}
		// A value from a guarded edge is stable once the guard stays false,
		// unless it feeds the guard.
		own := in.edgeGuards(fr, phi.Block().Preds[i], phi.Block())
		guards := ownGuards(own, base)
		if loop != nil && !loop.contains(phi.Block().Preds[i]) {
			guards = append(guards, unmatched...)
		}
		v = in.filterUnder(v, e.Type(), guards)
		if stable, ok := in.stable(st, v, guards); ok {
			v = stable
		}
		if first {
			out, first = v, false
		} else {
			out = out.join(v)
		}
	}
	return out.folded()
}

func (in *interp) binop(fr *frame, b *ssa.BinOp, st *heap) value {
	x, y := in.reg(fr, b.X), in.reg(fr, b.Y)
	ls := in.allLabels(x, st).union(in.allLabels(y, st)).fixed()
	if b.Op == token.ADD && library.IsString(b.Type()) {
		ls = in.fixOrder(fr, b.Block(), ls, func(item Label) bool {
			return accumulates(b.X, item.loop) || accumulates(b.Y, item.loop)
		})
		first, _ := addend(b)
		return value{labels: ls.union(appendedContent(ls, baseParams(in.reg(fr, first)))), dropped: x.dropped || y.dropped, ending: endingOf(y)}
	}
	switch b.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		ls = ls.compared()
	case token.EQL, token.NEQ:
		ls = in.apart(x, y, b.X.Type(), st).fixed()
		for _, r := range append(slices.Clone(x.refs), y.refs...) {
			if st.live(r.obj) || r.obj.symbolic && r.obj.param < 0 {
				ls = ls.union(labels{{Kind: State, Path: shortPath(r.path)}})
			}
		}
	}
	if comparesWithName(b) {
		return value{labels: ls} // which items are taken does not fix their order
	}
	// Sums do not depend on the order of their parts.
	return value{labels: ls.transform(func(l Label) (Label, bool) { return l, !l.Item })}
}

// comparesWithName reports whether b compares with a constant that is not zero:
//
//	for name, value := range m {
//		if name == "rule" {
//			…
//
// A comparison with zero may ask whether something has been set yet.
func comparesWithName(b *ssa.BinOp) bool {
	if b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	return slices.ContainsFunc([]ssa.Value{b.X, b.Y}, func(v ssa.Value) bool {
		return origin.Of(v).Kind == origin.Constant && !constants.IsZero(v)
	})
}

// fresh returns a reference to the new object that instr makes.
func (in *interp) fresh(instr ssa.Value, t types.Type, st *heap) value {
	o := in.object(site{at: instr}, t)
	st.reset(o)
	return refTo(loc{obj: o})
}

// load reads through a pointer. An item stays an item.
func (in *interp) load(ptr value, st *heap, t types.Type) value {

	var out value
	for i, r := range ptr.refs {
		v := st.get(r)
		if t != nil && types.IsInterface(t) && !r.obj.symbolic && !st.live(r.obj) {
			// An interface that has not been set is nil, not the place itself.
			v.refs = slices.DeleteFunc(slices.Clone(v.refs), func(self loc) bool { return self == r })
		}
		if i == 0 {
			out = v
		} else {
			out = out.join(v)
		}
	}
	out = withoutContents(out, t)
	items := ptr.labels.transform(func(l Label) (Label, bool) { return l, l.Item || l.IsSource() })
	out.labels = out.labels.union(items)
	out.unknown = out.unknown || ptr.unknown || len(ptr.refs) == 0
	out.entries = false // it is one of them
	return out
}

// withoutContents drops from a reference the labels of the content that it refers
// to. The heap has them at their own places, where a sort may still remove them.
func withoutContents(v value, t types.Type) value {
	if len(v.refs) == 0 || t == nil || isBasic(t) {
		return v
	}
	v.labels = v.labels.transform(func(l Label) (Label, bool) {
		return l, l.Kind != State && (l.Kind != Content || l.Fixed || l.Appended || l.Item || l.Path.IsOrder())
	})
	return v
}

// place is load for a struct or an array: the value is a reference to the place,
// from which a store copies.
func (in *interp) place(ptr value, st *heap) value {
	out := in.load(ptr, st, structType)
	out.refs = ptr.refs
	return out
}
