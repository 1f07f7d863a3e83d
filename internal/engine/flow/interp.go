package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
)

const (
	// maxSteps bounds the instructions interpreted and the places read and joined
	// for one function, function literals included, unless it is so long that its
	// instructions give it more. A function that needs more is analysed in part. A
	// package that has nothing to do with Kubernetes gets less: it is a helper, or an
	// algorithm that no rule needs to follow.
	maxSteps       = 2_000_000
	maxStepsHelper = 40_000
	// A function that leads to no events gets maxStepsEventless steps, and
	// maxStepsInstruction more for each of its instructions. A small function that
	// needs more works on large structures in memory, as a scheduler does.
	maxStepsEventless   = 10_000
	maxStepsInstruction = 400
	// maxStepsCell are the further steps for each cell of the summaries that the
	// function's calls bring: a small function may call large ones. Each round over its
	// blocks translates the cells, and their values may have many places.
	maxStepsCell = 250
	// maxRounds bounds the rounds over the blocks of a function, and over those of a
	// loop in it. Without a fixpoint by then, the state is taken as it is. A chain of
	// references that each round makes longer by one ends at maxDepth or maxHops. A
	// block that is interpreted more than widenAfter times adds to what it has left
	// before: without that, what one round drops for lack of room, the next may drop
	// for something else.
	maxRounds  = 32
	widenAfter = 16
	// maxInline bounds the nesting of calls of function literals, and of summaries
	// that call back.
	maxInline = 8
)

// An interp is the abstract interpretation of one function and of the function
// literals that it calls.
type interp struct {
	*analysisState
	objects       map[site]*object
	closures      map[closureKey]*fval
	bound         map[boundKey]*fval
	idBase        int
	events        map[eventKey]*Event
	exit          int                     // index of the block whose deferred calls are interpreted
	reads         map[readKey]place.Place // the first place of each read
	shows         map[showKey]place.Place // the first place of each showing
	calls         map[callbackKey]*Callback
	decisions     []decision
	boxedTypes    map[loc]string // dynamic types of places that interfaces refer to
	ctxs          map[ctxKey]int // numbers of contexts
	vias          map[viaKey]int // numbers of callbacks
	numbers       map[calleeKey]int
	iterLoops     map[*ssa.Function]*loop // bodies that iterators call
	refreshed     map[loc]bool            // places under parameters whose content was read from the API server
	fn            *ssa.Function           // that is interpreted
	earlier       []*object               // further parameters; see Earlier
	sorted        map[loc]bool            // places under parameters that were sorted
	sorts         bool                    // see Summary.Sorts
	sortedInLoop  map[*object]bool        // sequences that a loop over them sorts
	differences   map[*object]labels      // maps and lists into which comparisons put differences
	callerDecides bool                    // leave it to the caller what is a setting, and which element is selected
	sawSetting    bool                    // something may be a setting, which is left to the caller
	nested        int                     // depth of summaries being applied
	calling       map[methodKey]bool      // methods that callbacks are calling
	stepsLeft     int
	granted       map[int]bool // callees; see grant
	reserve       int          // steps for a function that turns out to have events
	limits        limits
	drops         map[drop]bool
	gaps          map[Gap]bool // see Summary.Gaps
}

// A site identifies an object by its origin.
type site struct {
	at    any    // an instruction or parameter, or a key of its own type
	name  string // of the library function that returns the object, where a call may reach several
	nth   int32  // index of the result
	elems bool   // the object stands for the elements of the result
	// If callee is not 0, the callee with this number allocates the object. There
	// the object has this id.
	callee, id int32
}

// A variableKey identifies the variable that a literal captures, as opposed to
// the content of that variable.
type variableKey struct{ captured *ssa.FreeVar }

// An unknownKey identifies the object that stands for a register's unknown value.
type unknownKey struct{ at ssa.Value }

type closureKey struct {
	at  *ssa.MakeClosure
	ctx int
}

// A ctxKey identifies a context: the call, in the context parent, of a function
// literal that is interpreted in place. The callback numbered via leads to it, if
// that is not 0.
type ctxKey struct {
	parent int
	at     ssa.Instruction
	via    int
	fn     *ssa.Function
}

// A viaKey identifies a callback: a callee calls a function that this function
// passed to it. The call of the callee may itself be the callback parent.
type viaKey struct {
	parent   int
	callee   int
	callback int
}

// An eventKey identifies an event at a call: the call of a library function, or
// an event of the callee's summary. A deferred call has events at each exit.
type eventKey struct {
	ctx    int
	at     ssa.Instruction
	name   string // of the library function
	callee int    // number of the callee
	event  int    // index in the callee's summary
	exit   int    // index of the block that ends the function, if the call is deferred
}

// A callbackKey identifies a call of a function that the caller passed in. This
// function makes the call, or one of its callees does.
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
	// verdicts are what the callees of calls decide, by the receiver's type if it may have several.
	verdicts map[ssa.Value]map[string][]Verdict
	receiver receiver // of the call being interpreted, if that may have several types
	// gets are the calls that read an object from the API server.
	gets map[*ssa.Call]loc
	// asked are the calls of functions that the caller passed in, which answer yes or no.
	asked map[*ssa.Call]callbackKey
	// otherEntries has the lookups whose key is compared with constants: the
	// labels of the map's entries that are under none of those constants.
	otherEntries map[*ssa.Lookup]labels
	// groups are the guards that groups of conditions are, as long as no register changes.
	groups map[groupKey]groupGuard
	// lookedAhead is set when a guard depends on registers of blocks behind it.
	lookedAhead bool

	block    *ssa.BasicBlock
	settled  bool              // the fixpoint has been reached, apart from the deferred blocks
	deferred []*ssa.BasicBlock // blocks that ask what only the fixpoint tells
	outer    []guard           // guards of the call
	guards   []guard           // guards of the block being interpreted, with outer
	deleting bool              // the block only runs while an object is being deleted
	tests    []TypeTest        // see Event.When, for the block
	phases   []string          // see Event.Phases, for the block
	scope    Scope             // see Event.Scope, for the block
	once     Once              // see Event.Once, for the block
	inGo     bool
	rounds   rounds // of the block
	maybe    bool
	result   []value
	exit     *heap
	exits    map[*ssa.BasicBlock]exit
	defers   []*ssa.Defer
}

// interpret computes the summary of fn from those of its callees.
func (a *analysisState) interpret(fn *ssa.Function) *Summary {
	in := a.newInterp()
	in.startBudget(fn)
	in.fn = fn
	fr := in.frame(fn)
	st := a.base.clone()
	st.changes() // each function remembers for itself
	for i, p := range fn.Params {
		fr.regs[p] = in.paramValue(p, i)
	}
	for i, fv := range fn.FreeVars {
		// The content of a captured variable is a parameter behind the parameters.
		typ := library.Deref(fv.Type())
		variable := in.object(site{at: variableKey{fv}}, typ)
		content := in.object(site{at: fv}, library.Deref(typ))
		content.param, content.symbolic = len(fn.Params)+i, true
		v := refTo(loc{obj: content})
		if isBasic(typ) {
			v.labels = labels{{Kind: Content, Param: content.param}}
		}
		st.put(loc{obj: variable}, v, true)
		fr.regs[fv] = refTo(loc{obj: variable})
	}
	in.run(fr, st)
	var sum *Summary
	if in.exhausted() {
		sum = in.cutShort(fr)
		in.limits |= limitSteps
	} else {
		sum = in.summarize(fr)
	}
	sum.limits, sum.drops = in.limits, in.sortedDrops()
	sum.Gaps = in.sortedGaps(fn)
	return sum
}

// cutShort returns the summary of a function that exceeded its budget: the events seen so
// far. What the function leaves in what it gets is unknown.
func (in *interp) cutShort(fr *frame) *Summary {
	sum := &Summary{Reads: in.sortedReads(), Shows: in.sortedShows(), Earlier: in.furtherParams()}
	for _, o := range in.paramObjects(fr) {
		if o.typ == nil || !isBasic(o.typ) {
			sum.Changes = append(sum.Changes, Change{Param: o.param, Path: access.Marked(access.Opaque), Val: Val{Unknown: true}, Weak: true})
			sum.Sorted = append(sum.Sorted, ParamPath{Param: o.param})
		}
	}
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
		shows:         make(map[showKey]place.Place),
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
		differences:   make(map[*object]labels),
		bound:         make(map[boundKey]*fval),
		calling:       make(map[methodKey]bool),
		drops:         make(map[drop]bool),
		gaps:          make(map[Gap]bool),
		granted:       make(map[int]bool),
	}
}

// params returns the number of the function's parameters, with captured variables.
func (in *interp) params() int {
	if in.fn == nil {
		return 0
	}
	return len(in.fn.Params) + len(in.fn.FreeVars)
}

func (in *interp) frame(fn *ssa.Function) *frame {
	return &frame{
		fn:           fn,
		regs:         make(map[ssa.Value]value),
		tuples:       make(map[ssa.Value][]value),
		verdicts:     make(map[ssa.Value]map[string][]Verdict),
		gets:         make(map[*ssa.Call]loc),
		asked:        make(map[*ssa.Call]callbackKey),
		otherEntries: make(map[*ssa.Lookup]labels),
		groups:       make(map[groupKey]groupGuard),
	}
}

// outermost returns the frame of the function that is interpreted, if fr is that of a function
// literal in it.
func (fr *frame) outermost() *frame {
	for fr.up != nil {
		fr = fr.up
	}
	return fr
}

// paramValue returns the initial value of a parameter: the caller's content.
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

// paramObjects returns the objects of the frame's parameters, and of the further ones.
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
	return append(objs, in.earlier...)
}

// startBudget sets the steps for a function. One that is not known to lead to
// events gets the rest with its first event.
func (in *interp) startBudget(fn *ssa.Function) {
	own, all := maxStepsEventless+maxStepsInstruction*size(fn), in.steps
	if all == maxSteps {
		all = max(all, own)
	}
	if in.eventful[fn] {
		own = all
	}
	in.stepsLeft = min(own, all)
	in.reserve = all - in.stepsLeft
}

// grant adds, when the callee with a number is applied for the first time, the steps for
// the cells of its summary. A call may have several callees, as what it calls may call
// methods of what it gets.
func (in *interp) grant(callee int, sum *Summary) {
	if in.reserve == 0 || in.granted[callee] {
		return
	}
	in.granted[callee] = true
	cells := len(sum.Changes)
	for _, o := range sum.Objects {
		cells += len(o.Cells)
	}
	steps := min(in.reserve, maxStepsCell*cells)
	in.stepsLeft += steps
	in.reserve -= steps
}

// extendBudget adds the steps that a function with events gets.
func (in *interp) extendBudget() {
	in.stepsLeft += in.reserve
	in.reserve = 0
}

// size returns the number of instructions of a function and its literals.
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

// exhausted reports whether the function has used up its budget.
func (in *interp) exhausted() bool { return in.stepsLeft < 0 }

// object returns the object of a site. It makes the object on first use.
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

// result returns the object of result number i of a call of the library function
// c: the result itself, or what it points to.
func (in *interp) result(c target, call ssa.Value, i int, typ types.Type) *object {
	return in.object(site{at: call, nth: int32(i), name: c.name}, library.Deref(typ))
}

// enter notes under which conditions b runs.
func (in *interp) enter(fr *frame, b *ssa.BasicBlock) {
	fr.guards = append(slices.Clip(fr.outer), in.guardsOf(fr, b)...)
	fr.deleting = in.onlyDeleting(fr, b)
	fr.rounds = in.roundsOf(fr, b)
	fr.phases, fr.tests, fr.once = in.phasesOf(fr, b), in.typeTests(fr, b), in.onceOf(fr, b)
	fr.scope = in.scopeOf(b)
	if fr.up != nil {
		fr.scope = fr.scope.within(fr.up.scope)
		fr.phases, fr.tests = addNames(fr.phases, fr.up.phases), addTests(fr.tests, fr.up.tests)
		fr.once = fr.once.join(fr.up.once)
	}
}

// block interprets b on st and reports whether control goes on to a successor.
func (in *interp) block(fr *frame, b *ssa.BasicBlock, st *heap) bool {
	in.enter(fr, b)
	for _, instr := range b.Instrs {
		if in.stepsLeft--; in.exhausted() {
			return false
		}
		guards := fr.guards
		fr.guards = in.guardsFor(fr, instr)
		switch instr := instr.(type) {
		case *ssa.Return:
			in.returns(fr, instr, st)
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
			was := in.exit
			in.exit = b.Index
			for _, d := range slices.Backward(fr.defers) {
				in.call(fr, d, st)
			}
			in.exit = was
		case *ssa.Go:
			was := fr.inGo
			fr.inGo = true
			in.call(fr, instr, st)
			fr.inGo = was
		case *ssa.Send:
			in.send(fr, instr.Chan, instr.X, st)
		case *ssa.DebugRef:
		case *ssa.Alloc:
			v := in.eval(fr, instr, st)
			for _, r := range v.refs {
				r.obj.madeUnder(fr.tests, true)
				r.obj.madeIn(fr.scope)
			}
			fr.regs[instr] = v
		case ssa.Value:
			fr.regs[instr] = withoutOrderOfErrors(instr, in.eval(fr, instr, st))
		}
		fr.guards = guards
	}
	return len(b.Succs) > 0
}

func (in *interp) returns(fr *frame, instr *ssa.Return, st *heap) {
	vals := make([]value, len(instr.Results))
	for i, r := range instr.Results {
		vals[i] = in.reg(fr, r)
	}
	if fr.up == nil {
		// Only what is reachable counts at this return. At another return the
		// same objects may be reachable, with other content.
		st = st.reachable(vals)
	}
	if fr.exits == nil {
		fr.exits = make(map[*ssa.BasicBlock]exit)
	}
	fr.exits[instr.Block()] = exit{instr, vals, st.clone()}
}
