package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

const (
	// maxSteps bounds the instructions interpreted and the places read and joined
	// for one function, function literals included. What needs more is cut. A
	// package that has nothing to do with Kubernetes gets less: it is a helper,
	// or an algorithm that nobody wants to follow.
	maxSteps       = 1_000_000
	maxStepsHelper = 100_000
	// Without an event, a function may take so many steps, and so many for each
	// of its instructions: a small one that takes more works on large structures
	// in memory, such as a scheduler's.
	maxStepsEventless   = 10_000
	maxStepsInstruction = 300
	// maxRounds bounds how often a function's blocks are interpreted. A state
	// that has not settled by then is taken as it is.
	maxRounds = 8
	// maxInline bounds how deeply calls of function literals, and summaries
	// that call back, are nested.
	maxInline = 8
)

// An interp interprets one function abstractly, together with the function
// literals that it calls.
type interp struct {
	*analysisState
	objects       map[site]*object
	closures      map[closureKey]*fval
	bound         map[boundKey]*fval
	idBase        int
	events        map[eventKey]*Event
	reads         map[readKey]place.Place // where it is first read
	calls         map[callbackKey]*Callback
	boxedTypes    map[loc]string // dynamic types of places that interfaces refer to
	ctxs          map[ctxKey]int // contexts are numbered
	vias          map[viaKey]int // and so are callbacks of callees
	numbers       map[calleeKey]int
	iterLoops     map[*ssa.Function]*loop
	refreshed     map[loc]bool // places under parameters whose content was read from the API
	sorted        map[loc]bool // places under parameters that were sorted
	sorts         bool
	sortedInLoop  map[*object]bool // sequences that a loop over them sorted
	callerDecides bool             // the caller will say what is a setting, or which element is selected
	sawSetting    bool             // something looked like a setting
	nested        int              // calls being applied within calls, through functions of ours that callees call
	stepsLeft     int              // steps
	reserve       int              // of steps, for a function that turns out to have events
	limits        limits
	drops         map[drop]bool
}

// A site names an object by what it stems from.
type site struct {
	at    any    // an instruction or parameter, or a key of its own type
	name  string // of the library function that returns it, of those that a call may reach
	nth   int32  // of the results of the instruction
	elems bool   // it stands for the elements of the result
	// callee, if not 0, is the number of the function that allocates the object,
	// as its object id: of those that a call may reach.
	callee, id int32
}

// A variableKey names the variable that a literal captures, apart from what that
// holds.
type variableKey struct{ captured *ssa.FreeVar }

// An unknownKey names what a register holds of which nothing is known.
type unknownKey struct{ at ssa.Value }

type closureKey struct {
	at  *ssa.MakeClosure
	ctx int
}

// A ctxKey is a call of a function literal that is interpreted in place: in the
// context parent, at a call, which may come by it through callbacks.
type ctxKey struct {
	parent int
	at     ssa.Instruction
	via    int
	fn     *ssa.Function
}

// A viaKey is a call that a callee makes of a function of ours, while its own call
// is interpreted, which may itself be such a call.
type viaKey struct {
	parent   int
	callee   int
	callback int
}

// An eventKey is an event: of a library function that is called here, or of the
// summary of another function that is.
type eventKey struct {
	ctx    int
	at     ssa.Instruction
	name   string // of the library function
	callee int    // number of the other function
	event  int    // of its summary
}

// A callbackKey is a call of a function of the caller's, which we make, or which
// one that we call does.
type callbackKey struct {
	ctx int
	at  ssa.Instruction
	via int
	ref FuncRef
}

// A frame is one activation of a function or function literal.
type frame struct {
	fn     *ssa.Function
	up     *frame
	call   *ssa.BasicBlock // where up calls it
	ctx    int
	depth  int
	regs   map[ssa.Value]value
	tuples map[ssa.Value][]value
	// decided are the verdicts of calls.
	verdicts map[ssa.Value][]Verdict
	// others are the labels of the entries of a map that are looked up by a key
	// which is compared with constants, without the entries under these.
	otherEntries map[*ssa.Lookup]labels
	outer        []guard    // conditions of the call
	guards       []guard    // conditions of the block being interpreted
	deleting     bool       // the block only runs while an object is being deleted
	tests        []TypeTest // what types of arguments the block needs to run
	phases       []string   // what must be in one phase for the block to run
	inGo         bool
	maybe        bool
	result       []value
	exit         *heap
	defers       []*ssa.Defer
}

// allot gives the interpretation of a function its steps.
func (in *interp) startBudget(fn *ssa.Function) {
	in.stepsLeft = min(in.steps, maxStepsEventless+maxStepsInstruction*size(fn))
	in.reserve = in.steps - in.stepsLeft
}

// grant gives it the rest of them.
func (in *interp) extendBudget() {
	in.stepsLeft += in.reserve
	in.reserve = 0
}

// size returns how many instructions a function and its literals have.
func size(fn *ssa.Function) int {
	n := 0
	for _, b := range fn.Blocks {
		n += len(b.Instrs)
	}
	for _, lit := range fn.AnonFuncs {
		n += size(lit)
	}
	return n
}

// exhausted reports whether the function has used up its steps.
func (in *interp) exhausted() bool { return in.stepsLeft < 0 }

// object returns the object of a site, made on first use.
func (in *interp) object(s site, typ types.Type) *object {
	o := in.objects[s]
	if o == nil {
		o = &object{id: in.idBase + len(in.objects), param: -1, typ: typ}
		if instr, ok := s.at.(ssa.Instruction); ok {
			o.block = instr.Block()
		}
		in.objects[s] = o
	}
	return o
}

// result returns the object that result number i of a call of the library
// function c is, or points to.
func (in *interp) result(c target, call ssa.Value, i int, typ types.Type) *object {
	return in.object(site{at: call, nth: int32(i), name: c.name}, library.Deref(typ))
}

// run interprets the function of fr from the heap st and returns the heap at
// its end, or nil if it never returns.
func (in *interp) run(fr *frame, st *heap) *heap {
	if len(fr.fn.Blocks) == 0 {
		return st
	}
	st.stepsLeft = &in.stepsLeft
	order := cfg.ReversePostorder(fr.fn)
	outs := make(map[*ssa.BasicBlock]*heap, len(order))
	visits := make(map[*ssa.BasicBlock]int)
	dirty := map[*ssa.BasicBlock]bool{order[0]: true}
	for round := 0; round < maxRounds && len(dirty) > 0; round++ {
		for _, b := range order {
			if !dirty[b] {
				continue
			}
			delete(dirty, b)
			visits[b]++
			out := in.entering(fr, b, st, outs)
			old := outs[b]
			var before []value
			if old != nil {
				before = fr.snapshot(b)
			}
			if !in.block(fr, b, out) {
				continue // ends in a return or a panic
			}
			outs[b] = out
			if old != nil && !out.clone().joinInto(old) && !old.clone().joinInto(out) && !fr.differs(b, before) {
				continue
			}
			for _, succ := range b.Succs {
				dirty[succ] = true
			}
		}
	}
	if len(dirty) > 0 {
		in.limits |= limitRounds
	}
	return fr.exit
}

// entering returns the heap at the start of b: the join of what its
// predecessors leave.
//
// What differs on an edge that is only taken while something changes, and was
// replaced on another edge, is the shape of a value that is kept:
//
//	if old.Status == new.Status {
//		new.LastTransitionTime = old.LastTransitionTime
//	}
func (in *interp) entering(fr *frame, b *ssa.BasicBlock, st *heap, outs map[*ssa.BasicBlock]*heap) *heap {
	var heaps []*heap
	var preds []*ssa.BasicBlock
	for _, p := range b.Preds {
		if outs[p] != nil {
			heaps = append(heaps, outs[p].clone())
			preds = append(preds, p)
		}
	}
	if b.Index == 0 {
		heaps = append(heaps, st.clone())
		preds = append(preds, nil)
	}
	if len(heaps) == 1 {
		return heaps[0]
	}
	base := in.guardsOf(fr, b)
	filtered := make([]*heap, len(heaps))
	for i, h := range heaps {
		filtered[i] = h
		if preds[i] == nil || b.Dominates(preds[i]) {
			continue
		}
		if own := ownGuards(in.edgeGuards(fr, preds[i], b), base); len(own) > 0 {
			filtered[i] = h.clone()
			for k, other := range heaps {
				if k != i {
					filtered[i].dropReplaced(other, own)
				}
			}
			in.traceHeapDrops(h, filtered[i], own)
		}
	}
	out := filtered[0]
	for _, h := range filtered[1:] {
		out.joinInto(h)
	}
	return out
}

// snapshot and differs tell whether interpreting b changed a register.
func (fr *frame) snapshot(b *ssa.BasicBlock) []value {
	var vals []value
	for _, instr := range b.Instrs {
		if v, ok := instr.(ssa.Value); ok {
			vals = append(vals, fr.regs[v])
		}
	}
	return vals
}

func (fr *frame) differs(b *ssa.BasicBlock, before []value) bool {
	return !slices.EqualFunc(fr.snapshot(b), before, value.equal)
}

// block interprets b on st and reports whether control goes on to a successor.
func (in *interp) block(fr *frame, b *ssa.BasicBlock, st *heap) bool {
	fr.guards = append(slices.Clip(fr.outer), in.guardsOf(fr, b)...)
	fr.deleting = fr.up != nil && fr.up.deleting || in.whileDeleted(fr, b)
	fr.phases, fr.tests = in.phasesOf(b), in.typeTests(fr, b)
	if fr.up != nil {
		fr.phases, fr.tests = addNames(fr.phases, fr.up.phases), addTests(fr.tests, fr.up.tests)
	}
	for _, instr := range b.Instrs {
		if in.stepsLeft--; in.exhausted() {
			return false
		}
		switch instr := instr.(type) {
		case *ssa.Return:
			in.ret(fr, instr, st)
			return false
		case *ssa.Panic:
			return false
		case *ssa.If, *ssa.Jump:
			return true
		case *ssa.Store:
			in.store(fr, instr, st)
		case *ssa.MapUpdate:
			in.mapUpdate(fr, instr, st)
		case *ssa.Defer:
			if !slices.Contains(fr.defers, instr) {
				fr.defers = append(fr.defers, instr)
			}
		case *ssa.RunDefers:
			for _, d := range slices.Backward(fr.defers) {
				in.call(fr, d, st)
			}
		case *ssa.Go:
			was := fr.inGo
			fr.inGo = true
			in.call(fr, instr, st)
			fr.inGo = was
		case *ssa.Send, *ssa.DebugRef:
		case *ssa.Alloc:
			v := in.eval(fr, instr, st)
			for _, r := range v.refs {
				r.obj.madeUnder(fr.tests, true)
			}
			fr.regs[instr] = v
		case ssa.Value:
			fr.regs[instr] = in.eval(fr, instr, st)
		}
	}
	return len(b.Succs) > 0
}

func (in *interp) ret(fr *frame, instr *ssa.Return, st *heap) {
	vals := make([]value, len(instr.Results))
	for i, r := range instr.Results {
		vals[i] = in.reg(fr, r)
	}
	if fr.up == nil {
		// The rest of the heap is lost with this return, whatever another one
		// makes of the same objects.
		st = st.reachable(vals)
	}
	if fr.exit == nil {
		fr.result, fr.exit = vals, st.clone()
		return
	}
	for i, v := range vals {
		fr.result[i] = fr.result[i].join(v)
	}
	fr.exit.joinInto(st)
}

// reg returns what the operand v may hold.
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

// fval returns the function value of a function without free variables.
func (in *interp) fval(fn *ssa.Function) *fval {
	f := in.fvals[fn]
	if f == nil {
		f = &fval{fn: fn}
		in.fvals[fn] = f
	}
	return f
}

func constValue(c *ssa.Const) value {
	if str, ok := constants.String(c); ok {
		return value{constant: str}
	}
	if set, ok := constants.Bool(c); ok {
		return value{constant: strconv.FormatBool(set)}
	}
	return value{}
}

// global returns the object of a package variable.
func (in *interp) global(g *ssa.Global) *object {
	o := in.globals[g]
	if o == nil {
		elem := types.Unalias(g.Type()).(*types.Pointer).Elem()
		o = &object{id: -1 - len(in.globals), param: -1, typ: elem, symbolic: true}
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

// eval interprets an instruction that yields a value.
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
		picked := in.indexLabels(fr, o.Key)
		if o.Addr {
			return x.under(access.Elems(), x.labels.union(in.itemLabels(fr, x, o.Key, instr.(ssa.Instruction).Block(), st)).union(picked))
		}
		return in.load(x.under(access.Elems(), nil), st, instr.Type()).withLabels(x.labels).withLabels(picked)

	case origin.Loaded:
		if g, ok := o.X.(*ssa.Global); ok {
			if f := in.globalFunc(g); f != nil {
				return value{funcs: []*fval{f}}
			}
		}
		if isAggregate(instr.Type()) {
			return in.place(x, st)
		}
		return in.load(x, st, instr.Type())
	case origin.Received:
		elem := in.load(x.under(access.Elems(), nil), st, instr.Type())
		fr.orOK(instr, elem)
		return elem

	case origin.Computed:
		if o.Y != nil {
			return in.binop(fr, instr.(*ssa.BinOp), st)
		}
		return value{labels: x.labels}
	case origin.Choice:
		return in.phi(fr, instr.(*ssa.Phi))

	case origin.Renamed, origin.Sliced, origin.Iterator:
		return x
	case origin.Converted:
		if isBasic(instr.Type()) || isBasic(o.X.Type()) {
			return value{labels: in.deep(x, st).fixed(), constant: x.constant}
		}
		return x
	case origin.Boxed:
		return in.boxed(instr, o.X.Type(), x)
	case origin.Asserted:
		kept := in.assert(x, instr.(*ssa.TypeAssert).AssertedType)
		fr.orOK(instr, kept)
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

// orOK notes v as the first component of a comma-ok form, if the instruction is
// one.
func (fr *frame) orOK(instr ssa.Value, v value) {
	if _, several := instr.Type().(*types.Tuple); several {
		fr.tuples[instr] = []value{v, {}}
	}
}

// closure interprets a function literal with what it captures. There is one
// function value per literal and frame: what its free variables hold only grows.
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
	key, known := constants.String(v.Index)
	if keys := comparedWith(v.Index); len(keys) > 0 {
		fr.otherEntries[v] = in.otherEntries(x, keys, st)
	}
	for i, r := range x.refs {
		e := st.entry(r, key, known)
		if i == 0 {
			elem = e.withLabels(elem.labels)
		} else {
			elem = elem.join(e)
		}
	}
	if m, ok := types.Unalias(v.X.Type()).Underlying().(*types.Map); ok {
		elem = withoutContents(elem, m.Elem())
	}
	elem = elem.withLabels(in.indexLabels(fr, v.Index))
	if v.CommaOk {
		fr.tuples[v] = []value{elem, {labels: elem.labels}}
	}
	return elem
}

// boxed interprets the conversion of x, of type t, to an interface: what it refers
// to has a dynamic type.
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
		// A pointer that is nil, or a value of a named basic type: it has a
		// dynamic type all the same.
		x.refs = []loc{{obj: in.object(site{at: v}, library.Deref(t))}}
	}
	return x
}

// picked returns the labels of an element that a value picks which differs from
// call to call.
func (in *interp) indexLabels(fr *frame, index ssa.Value) labels {
	return in.reg(fr, index).labels.transform(func(l Label) (Label, bool) { return l, l.IsSource() })
}

// fresh returns a reference to the new object that instr makes.
func (in *interp) fresh(instr ssa.Value, t types.Type, st *heap) value {
	o := in.object(site{at: instr}, t)
	st.reset(o)
	return refTo(loc{obj: o})
}

// sub returns the places suffix below those that v refers to.
func (v value) under(suffix access.Path, ls labels) value {
	out := value{labels: ls, unknown: v.unknown}
	for _, r := range v.refs {
		out.refs = append(out.refs, r.under(suffix))
	}
	slices.SortFunc(out.refs, compareLocs)
	out.refs = slices.Compact(out.refs)
	return out
}

func (v value) withLabels(ls labels) value {
	v.labels = v.labels.union(ls)
	return v
}

// load reads through a pointer. An element of an unordered sequence stays one.
func (in *interp) load(ptr value, st *heap, t types.Type) value {

	var out value
	for i, r := range ptr.refs {
		v := st.get(r)
		if t != nil && types.IsInterface(t) && !r.obj.symbolic && !st.live(r.obj) {
			// An interface that nobody set is nil, not the place itself.
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
	return out
}

// plain drops from a reference the labels of what it leads to: that speaks for
// itself, and may be sorted later.
func withoutContents(v value, t types.Type) value {
	if len(v.refs) == 0 || t == nil || isBasic(t) {
		return v
	}
	v.labels = v.labels.transform(func(l Label) (Label, bool) {
		return l, l.Kind != State && (l.Kind != Content || l.Fixed || l.Appended || l.Item || l.Path.IsOrder())
	})
	return v
}

// place is load for a struct or an array: its value is the place it lies at,
// from which a store copies it.
func (in *interp) place(ptr value, st *heap) value {
	out := in.load(ptr, st, structType)
	out.refs = ptr.refs
	return out
}

func (in *interp) store(fr *frame, s *ssa.Store, st *heap) {
	addr := in.reg(fr, s.Addr)
	v := in.filter(fr, in.reg(fr, s.Val), s.Val.Type())
	if ia, ok := s.Addr.(*ssa.IndexAddr); ok {
		in.orderByCounter(fr, ia, v, st)
	}
	if isString(s.Val.Type()) {
		v.labels = in.accumulated(fr, s.Addr, addr, s.Val, v.labels)
	}
	strong := len(addr.refs) == 1 && !addr.unknown
	for _, r := range addr.refs {
		in.assign(st, r, v, s.Val.Type(), strong, fr.guards)
	}
}

// copied is the site of the copy of the struct at from that an element is.
type copyKey struct{ to, from loc }

// assign puts v, a value of type t, at r. A struct is copied: what lies under
// the place that it was read from now lies under r as well, as far as it feeds
// the guards of the assignment.
func (in *interp) assign(st *heap, r loc, v value, t types.Type, strong bool, guards []guard) {
	if !isAggregate(t) {
		st.put(r, v, strong)
		return
	}
	if r.path.HasElem() && len(v.refs) > 0 {
		// One of several elements: a copy of its own keeps what is known of
		// this one apart from the others.
		o := in.object(site{at: copyKey{r, v.refs[0]}}, t)
		st.reset(o)
		in.assign(st, loc{obj: o}, v, t, true, guards)
		st.put(r, value{refs: []loc{{obj: o}}, labels: v.labels}, false)
		return
	}
	kept := value{labels: v.labels, unknown: v.unknown, copy: true}
	type copy struct {
		path access.Path
		val  value
	}
	var copies []copy
	for _, src := range v.refs {
		if src == r {
			continue
		}
		if src.obj.symbolic || st.live(src.obj) {
			kept.refs = append(kept.refs, src)
		}
		cells := st.objs[src.obj]
		if cells == nil {
			continue
		}
		for _, p := range st.sortedPaths(src.obj) {
			if rest, ok := p.Below(src.path); ok {
				v := cells.m[p]
				if len(guards) > 0 {
					weak := v.weak
					v = feedingPart(v, guards)
					v.weak = weak
				}
				copies = append(copies, copy{rest, v})
			}
		}
	}
	st.put(r, kept, strong)
	for _, c := range copies {
		if c.path.IsRoot() {
			cell := c.val
			cell.labels = cell.labels.union(kept.labels)
			st.put(r, kept.join(cell), strong)
			continue
		}
		st.put(r.under(c.path), c.val, strong && len(v.refs) == 1 && !c.val.weak)
	}
}

func (in *interp) mapUpdate(fr *frame, m *ssa.MapUpdate, st *heap) {
	dest := in.reg(fr, m.Map)
	key, elem := in.reg(fr, m.Key), in.reg(fr, m.Value)
	v := in.filter(fr, elem, m.Value.Type())
	v.labels = v.labels.union(in.filter(fr, value{labels: in.deep(key, st).fixed()}, m.Key.Type()).labels)
	name, known := constants.String(m.Key)
	all := v.labels
	for _, r := range dest.refs {
		// A map has no order: which element of the sequence this is does not
		// matter any more, unless there is one map per element.
		v.labels = all.transform(func(l Label) (Label, bool) { return l, !l.Item || l.loop.contains(r.obj.block) })
		if known {
			in.assign(st, r.under(access.Entry(name)), v, m.Value.Type(), len(dest.refs) == 1, fr.guards)
			continue
		}
		in.assign(st, r.under(access.Elems()), v, m.Value.Type(), false, fr.guards)
	}
}

func (in *interp) phi(fr *frame, phi *ssa.Phi) value {
	var out value
	first := true
	base := in.guardsOf(fr, phi.Block())
	for i, e := range phi.Edges {
		v := in.reg(fr, e)
		if _, isConst := e.(*ssa.Const); !isConst && v.isZero() {
			continue // not reached yet
		}
		// What comes from a branch that is only taken while something is
		// absent does not differ once it is there.
		own := in.edgeGuards(fr, phi.Block().Preds[i], phi.Block())
		v = in.filterUnder(v, e.Type(), ownGuards(own, base))
		if first {
			out, first = v, false
		} else {
			out = out.join(v)
		}
	}
	return out
}

func (in *interp) binop(fr *frame, b *ssa.BinOp, st *heap) value {
	x, y := in.reg(fr, b.X), in.reg(fr, b.Y)
	ls := in.deep(x, st).union(in.deep(y, st)).fixed()
	if b.Op == token.ADD && isString(b.Type()) {
		return value{labels: fixOrder(ls, func(item Label) bool {
			return accumulates(b.X, item.loop) || accumulates(b.Y, item.loop)
		})}
	}
	if b.Op == token.EQL || b.Op == token.NEQ {
		for _, r := range append(slices.Clone(x.refs), y.refs...) {
			if st.live(r.obj) || r.obj.symbolic && r.obj.param < 0 {
				ls = ls.union(labels{{Kind: State, Path: shortPath(r.path)}})
			}
		}
	}
	// Sums do not depend on the order of their parts.
	return value{labels: ls.transform(func(l Label) (Label, bool) { return l, !l.Item })}
}

// assert keeps of x what may have the asserted type.
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

// typeNameOf returns the dynamic type of what lies at r, or "".
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
