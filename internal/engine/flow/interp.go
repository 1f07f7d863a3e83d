package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
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

// interpret computes the summary of fn from those of its callees.
func (a *analysisState) interpret(fn *ssa.Function) *Summary {
	in := a.newInterp()
	in.startBudget(fn)
	fr := in.frame(fn)
	st := a.base.clone()
	for i, p := range fn.Params {
		fr.regs[p] = in.paramValue(p, i)
	}
	for i, fv := range fn.FreeVars {
		// What a captured variable holds is a parameter behind the parameters.
		held := library.Deref(fv.Type())
		variable := in.object(site{at: variableKey{fv}}, held)
		content := in.object(site{at: fv}, library.Deref(held))
		content.param, content.symbolic = len(fn.Params)+i, true
		v := refTo(loc{obj: content})
		if isBasic(held) {
			v.labels = labels{{Kind: Content, Param: content.param}}
		}
		st.put(loc{obj: variable}, v, true)
		fr.regs[fv] = refTo(loc{obj: variable})
	}
	in.run(fr, st)
	var sum *Summary
	if in.exhausted() {
		sum = in.cutShort()
		in.limits |= limitSteps
	} else {
		sum = in.summarize(fr)
	}
	sum.limits, sum.drops = in.limits, in.sortedDrops()
	return sum
}

// cutShort returns the summary of a function that is too large: the events seen
// so far, and no more.
func (in *interp) cutShort() *Summary {
	sum := &Summary{Reads: in.sortedReads()}
	for _, ev := range sortedEvents(in.events) {
		ev.Cut = true
		sum.Events = append(sum.Events, *ev)
	}
	return sum
}

func (a *analysisState) newInterp() *interp {
	return &interp{
		analysisState: a,
		stepsLeft:     a.steps,
		objects:       make(map[site]*object),
		events:        make(map[eventKey]*Event),
		reads:         make(map[readKey]place.Place),
		calls:         make(map[callbackKey]*Callback),
		closures:      make(map[closureKey]*fval),
		boxedTypes:    make(map[loc]string),
		ctxs:          make(map[ctxKey]int),
		vias:          make(map[viaKey]int),
		numbers:       make(map[calleeKey]int),
		iterLoops:     make(map[*ssa.Function]*loop),
		refreshed:     make(map[loc]bool),
		sorted:        make(map[loc]bool),
		sortedInLoop:  make(map[*object]bool),
		bound:         make(map[boundKey]*fval),
		drops:         make(map[drop]bool),
	}
}

func (in *interp) frame(fn *ssa.Function) *frame {
	return &frame{
		fn:           fn,
		regs:         make(map[ssa.Value]value),
		tuples:       make(map[ssa.Value][]value),
		verdicts:     make(map[ssa.Value][]Verdict),
		otherEntries: make(map[*ssa.Lookup]labels),
	}
}

// paramValue is what a parameter holds: the caller's content.
func (in *interp) paramValue(p *ssa.Parameter, i int) value {
	o := in.object(site{at: p}, library.Deref(p.Type()))
	o.param, o.symbolic = i, true
	if isBasic(p.Type()) {
		return value{labels: labels{{Kind: Content, Param: i}}, refs: []loc{{obj: o}}}
	}
	v := refTo(loc{obj: o})
	if _, ok := types.Unalias(p.Type()).Underlying().(*types.Signature); ok {
		v = value{funcs: []*fval{{ref: &FuncRef{Param: i}}}}
	}
	return v
}

// paramObjects returns the objects of the frame's parameters.
func (in *interp) paramObjects(fr *frame) []*object {
	var objs []*object
	add := func(v ssa.Value) {
		if o := in.objects[site{at: v}]; o != nil && o.param >= 0 {
			objs = append(objs, o)
		}
	}
	for _, p := range fr.fn.Params {
		add(p)
	}
	for _, fv := range fr.fn.FreeVars {
		add(fv)
	}
	return objs
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
