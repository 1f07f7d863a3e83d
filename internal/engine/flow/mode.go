package flow

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A mode is a condition that the code under it does not turn off: it compares
// what others set with constants.
//
//	if deployment.Status.ReadyReplicas == 0 { return nil }
//	if thing.Annotations["paused"] != "" { return nil }
//	if !routesAvailable { return nil }
//
// While the mode lasts, the code runs on each reconcile, so a mode is no guard. A
// condition is a mode if all that it tests is known, and nothing that runs under
// it sets any of that.

// A Tested is what a condition tests: a package variable, a field of an object,
// one entry of an object's labels or annotations, or what the caller passes.
type Tested struct {
	Object string // library.TypeName of the object whose status it is, or ""
	Type   string // library.TypeName of the struct that has the field, or ""
	Field  string // name of the field, or of the variable with its package
	Key    string // constant key of the entry, or ""
	// Param is 1 plus the index of a parameter, or 0. The parameter is of a basic type, or a map of
	// which Key is the entry.
	Param int
	// KeyParam is 1 plus the index of the parameter that is the key, or 0.
	KeyParam int
}

func (t Tested) compare(u Tested) int {
	return cmp.Or(strings.Compare(t.Object, u.Object), strings.Compare(t.Type, u.Type), strings.Compare(t.Field, u.Field), strings.Compare(t.Key, u.Key), t.Param-u.Param, t.KeyParam-u.KeyParam)
}

// environment is the Field of what is tested in the process's environment.
const environment = "environment"

// String returns "apps/v1.DeploymentStatus.ReadyReplicas".
func (t Tested) String() string {
	s := t.Field
	if t.Param > 0 {
		s = fmt.Sprintf("argument %d", t.Param)
	}
	if t.Type != "" {
		s = text.Name(t.Type) + "." + s
	}
	if t.Key != "" {
		s += "[" + t.Key + "]"
	}
	if t.KeyParam > 0 {
		s += fmt.Sprintf("[argument %d]", t.KeyParam)
	}
	return s
}

const (
	// maxTested bounds what one condition tests. A condition that tests more is
	// no mode.
	maxTested = 8
	// maxTests bounds the steps back from a condition.
	maxTests = 64
)

// isMode reports whether the condition is a mode for the code under it.
func (in *interp) isMode(fr *frame, c cfg.Condition) bool {
	if in.isOfSpec(fr, c) || in.isOfOther(fr, c) || in.asksOthers(fr, c) {
		return true
	}
	tested, ok := in.testedBy(fr, c)
	return ok && !in.isAnySet(tested, c) && !(len(tested) == 1 && in.comparesStates(fr, c))
}

// comparesStates reports whether the condition compares one field of two states of
// an object, such as an old phase and a new one.
func (in *interp) comparesStates(fr *frame, c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok {
		return false
	}
	for _, v := range []ssa.Value{cmp.X, cmp.Y} {
		tests := &tests{in: in, fr: fr, seen: make(map[ssa.Value]bool)}
		if !tests.value(v) || len(tests.found) == 0 {
			return false
		}
	}
	return true
}

// testedBy returns what the condition tests. It returns false if it does not know
// all of that.
func (in *interp) testedBy(fr *frame, c cfg.Condition) ([]Tested, bool) {
	tests := &tests{in: in, fr: fr, seen: make(map[ssa.Value]bool)}
	if !tests.condition(c) {
		return nil, false
	}
	slices.SortFunc(tests.found, Tested.compare)
	found := slices.Compact(tests.found)
	return found, 0 < len(found) && len(found) <= maxTested
}

// tests collects what a condition tests.
type tests struct {
	in    *interp
	fr    *frame
	seen  map[ssa.Value]bool
	found []Tested
}

// condition collects what c tests and reports whether it knows all of that.
func (ts *tests) condition(c cfg.Condition) bool {
	c = c.Stripped()
	if step, ok := ts.fr.goesOn(c); ok {
		o, _ := ts.fr.verdict(step, false)
		return ts.outcome(o, step)
	}
	if o, ok := ts.fr.verdict(c.Value, c.Holds); ok {
		return ts.outcome(o, c.Value)
	}
	phi, ok := c.Value.(*ssa.Phi)
	if !ok {
		return ts.value(c.Value)
	}
	if ts.seen[phi] {
		return true
	}
	ts.seen[phi] = true
	base := ts.in.control.Of(phi.Block())
	for i, e := range phi.Edges {
		if !isConst(e) && !ts.condition(cfg.Condition{Value: e, Holds: c.Holds}) {
			return false
		}
		for _, g := range ts.in.control.OfEdge(cfg.Edge{From: phi.Block().Preds[i], To: phi.Block()}) {
			if cfg.Contains(base, g) {
				continue
			}
			for br := range cfg.Branches(g) {
				if !isFailure(br) && !ts.condition(br.Condition) {
					return false
				}
			}
		}
	}
	return true
}

// outcome collects what the callee tests that returns v, and reports whether it knows all
// of that.
func (ts *tests) outcome(o Outcome, v ssa.Value) bool {
	return len(o.Tested) > 0 && !slices.ContainsFunc(o.Tested, func(t Tested) bool { return !ts.ofCallee(t, v) })
}

// ofCallee collects what the function tests that returns v, and reports whether it knows
// what that is for the caller.
func (ts *tests) ofCallee(t Tested, v ssa.Value) bool {
	if t.Param == 0 && t.KeyParam == 0 {
		ts.found = append(ts.found, t)
		return true
	}
	call := answering(v).Common()
	if call.StaticCallee() == nil || max(t.Param, t.KeyParam) > len(call.Args) {
		return false
	}
	key := entryKey{text: t.Key}
	if t.KeyParam > 0 {
		key = ts.keyOf(call.Args[t.KeyParam-1])
	}
	switch {
	case t.Param == 0:
		return ts.metadata(t.Field, key)
	case key.isKnown():
		return ts.entry(call.Args[t.Param-1], key)
	}
	return t.KeyParam == 0 && ts.value(call.Args[t.Param-1])
}

// An entryKey is the key of an entry: a constant text, or a parameter.
type entryKey struct {
	text  string
	param int // 1 plus the index of the parameter, or 0
}

func (k entryKey) isKnown() bool { return k != entryKey{} }

// keyOf returns the key that v is, or an empty one if that is not known.
func (ts *tests) keyOf(v ssa.Value) entryKey {
	if v == nil {
		return entryKey{}
	}
	if text, ok := ts.in.text(v); ok {
		return entryKey{text: text}
	}
	if p, ok := v.(*ssa.Parameter); ok && library.IsString(p.Type()) && ts.isGiven(p) {
		return entryKey{param: paramNumber(p)}
	}
	return entryKey{}
}

// paramNumber returns 1 plus the index of the parameter.
func paramNumber(p *ssa.Parameter) int { return slices.Index(p.Parent().Params, p) + 1 }

// value collects what v is made of and reports whether it knows all of that.
func (ts *tests) value(v ssa.Value) bool {
	if ts.seen[v] {
		return true
	}
	ts.seen[v] = true
	if len(ts.seen) > maxTests {
		return false
	}
	o := origin.Of(v)
	switch o.Kind {
	case origin.Constant:
		return true
	case origin.Computed:
		return ts.value(o.X) && (o.Y == nil || ts.value(o.Y))
	case origin.Renamed, origin.Converted, origin.Sliced, origin.OK, origin.Item, origin.Iterator:
		return ts.value(o.X)
	case origin.Choice:
		return !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return !ts.value(e) })
	case origin.Field:
		return ts.field(o, entryKey{})
	case origin.Element:
		return ts.element(o)
	case origin.Parameter:
		return ts.parameter(v.(*ssa.Parameter))
	case origin.Result:
		if d := ts.fr.verdictOf(v); d != nil && len(d.Tested) > 0 {
			return !slices.ContainsFunc(d.Tested, func(t Tested) bool { return !ts.ofCallee(t, v) })
		}
		return ts.result(o.Call) || ts.marks(v, o.Call)
	case origin.Loaded:
		at := origin.Of(o.X)
		switch at.Kind {
		case origin.Field:
			return ts.field(at, entryKey{})
		case origin.Element:
			return ts.element(at)
		case origin.Loaded:
			return ts.value(o.X) // a pointer to a basic value
		case origin.Global:
			return ts.variable(o.X.(*ssa.Global), v.Type())
		}
	}
	return false
}

// marks collects the entries of labels and annotations in which a function finds the text v, under a
// key that it gets, or one of its own:
//
//	if auto, _ := annotationOf(thing, "auto"); auto != "true" { return nil }
func (ts *tests) marks(v ssa.Value, call *ssa.Call) bool {
	found := ts.in.reg(ts.fr, v)
	if !library.IsString(v.Type()) || found.unknown || len(found.labels) == 0 {
		return false
	}
	var keys []entryKey
	for _, arg := range callee.Args(&call.Call) {
		if key := ts.keyOf(arg); key.isKnown() {
			keys = append(keys, key)
		}
	}
	return !slices.ContainsFunc(found.labels, func(l Label) bool {
		entries, entry := l.Path.Parent(), l.Path.Last()
		key := entryKey{text: entry.Name}
		if entry.Kind == access.Elem && len(keys) == 1 {
			key = keys[0]
		} else if entry.Kind != access.Key {
			return true
		}
		isOther := l.Kind != Content && l.Kind != State || entries.Parent().LastField() != "ObjectMeta"
		return isOther || !ts.metadata(entries.LastField(), key)
	})
}

// parameter collects a parameter of a basic type. Only a caller knows what that is.
func (ts *tests) parameter(p *ssa.Parameter) bool {
	return isBasic(p.Type()) && ts.given(p, entryKey{})
}

// given collects a parameter, or an entry of it.
func (ts *tests) given(p *ssa.Parameter, key entryKey) bool {
	if !ts.isGiven(p) {
		return false
	}
	ts.found = append(ts.found, Tested{Param: paramNumber(p), Key: key.text, KeyParam: key.param})
	return true
}

// isGiven reports whether the caller of the function decides what the parameter is.
func (ts *tests) isGiven(p *ssa.Parameter) bool { return ts.in.callerDecides && p.Parent() == ts.fr.fn }

// variable collects a package variable of a basic type, or of a struct of which such a
// field is read.
func (ts *tests) variable(g *ssa.Global, t types.Type) bool {
	if !isBasic(t) || ts.in.ssa.Index.Shared(g) {
		return false
	}
	ts.found = append(ts.found, Tested{Field: variableName(g)})
	return true
}

// variableOf returns the package variable at the address, or that has the field at the
// address, or nil.
func variableOf(addr ssa.Value) *ssa.Global {
	for range maxDepth {
		if g, ok := addr.(*ssa.Global); ok {
			return g
		}
		o := origin.Of(addr)
		if o.Kind != origin.Field {
			return nil
		}
		addr = o.X
	}
	return nil
}

func variableName(g *ssa.Global) string { return g.Pkg.Pkg.Path() + "." + g.Name() }

// element collects an element of a map or a sequence. That is in a field.
func (ts *tests) element(o origin.Origin) bool {
	return ts.entry(o.X, ts.keyOf(o.Key))
}

// entry collects an entry of a map, or elements of a sequence if the key is not known.
func (ts *tests) entry(in ssa.Value, key entryKey) bool {
	of := origin.Of(in)
	if of.Kind == origin.Loaded {
		of = origin.Of(of.X)
	}
	switch of.Kind {
	case origin.Field:
		return ts.field(of, key)
	case origin.Parameter:
		p, isMap := in.(*ssa.Parameter) // and no pointer to one
		return isMap && key.isKnown() && isMapType(p.Type()) && ts.given(p, key)
	case origin.Result:
		known := library.Named(ts.in.calleeName(ts.fr, &of.Call.Call))
		if known.Effect == library.GetsMetadata {
			return ts.metadata(known.Field, key)
		}
	}
	return false
}

// metadata collects an entry of the labels or annotations.
func (ts *tests) metadata(field string, key entryKey) bool {
	if !key.isKnown() || field != "Labels" && field != "Annotations" {
		return false
	}
	ts.found = append(ts.found, Tested{Field: field, Key: key.text, KeyParam: key.param})
	return true
}

// field collects a field of an object: one that the object's own controller sets
// in its status, or an entry of its metadata. It also collects a field of a package
// variable.
func (ts *tests) field(o origin.Origin, key entryKey) bool {
	if g := variableOf(o.X); g != nil && !key.isKnown() && o.Field != nil {
		return ts.variable(g, o.Field.Type())
	}
	named := library.NamedOf(o.X.Type())
	if named == nil || o.Field == nil {
		return false
	}
	if library.TypeOf(named).Is == library.ObjectMeta {
		return ts.metadata(o.Field.Name(), key)
	}
	object := ts.statusOf(o)
	if object == "" {
		return false
	}
	ts.found = append(ts.found, Tested{Object: object, Type: library.TypeName(named), Field: o.Field.Name()})
	return true
}

// statusOf returns the TypeName of the object whose status the field is part of,
// if another module declares it.
func (ts *tests) statusOf(o origin.Origin) string {
	for range maxDepth {
		named := library.NamedOf(o.X.Type())
		if named == nil || named.Obj().Pkg() == nil || ts.in.isOwnPackage(named.Obj().Pkg().Path()) {
			return ""
		}
		if s, ok := named.Underlying().(*types.Struct); ok && isObject(s) {
			if o.FieldName() != "Status" {
				return ""
			}
			return library.TypeName(named)
		}
		next, ok := ts.enclosing(o.X)
		if !ok {
			return ""
		}
		o = next
	}
	return ""
}

// enclosing returns the field that holds the struct v, or of which v is an element.
func (ts *tests) enclosing(v ssa.Value) (origin.Origin, bool) {
	for range maxDepth {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Field:
			return o, true
		case origin.Loaded, origin.Element, origin.Sliced:
			v = o.X
		case origin.Local: // a copy of the loop's element
			if v = origin.StoredOnce(v); v == nil {
				return origin.Origin{}, false
			}
		default:
			return origin.Origin{}, false
		}
	}
	return origin.Origin{}, false
}

// result collects what a library function computes its result from, or what a
// callee tests.
func (ts *tests) result(call *ssa.Call) bool {
	if name := origin.Of(call).Builtin(); name == "len" {
		return ts.value(call.Call.Args[0])
	}
	known := library.Named(ts.in.calleeName(ts.fr, &call.Call))
	if known.ReadsEnvironment {
		ts.found = append(ts.found, Tested{Field: environment})
		return true
	}
	if known.Effect == library.PointedTo { // ptr.Deref(status.Provisioned, false)
		return !slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool { return !ts.value(arg) })
	}
	fn := callee.Static(&call.Call)
	if fn == nil || fn.Pkg() == nil || known.Condition == library.EqualityCondition || !library.IsStandard(fn.Pkg().Path()) {
		return false
	}
	return !slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool { return !isBasic(arg.Type()) || !ts.value(arg) })
}

// regionOf returns the blocks that control only reaches if the condition holds.
// None are returned for a condition on which no branch depends.
func regionOf(c cfg.Condition) []*ssa.BasicBlock {
	var region []*ssa.BasicBlock
	for _, first := range entriesOf(c) {
		region = append(region, dominatedBy(first)...)
	}
	return region
}

// dominatedBy returns the blocks that control only reaches through the first one, which is among them,
// in their order.
func dominatedBy(first *ssa.BasicBlock) []*ssa.BasicBlock {
	blocks := []*ssa.BasicBlock{first}
	for i := 0; i < len(blocks); i++ {
		blocks = append(blocks, blocks[i].Dominees()...)
	}
	slices.SortFunc(blocks, func(a, b *ssa.BasicBlock) int { return a.Index - b.Index })
	return blocks
}

// entriesOf returns the blocks to which branches lead if the condition holds.
func entriesOf(c cfg.Condition) (first []*ssa.BasicBlock) {
	refs := c.Value.Referrers()
	if refs == nil {
		return nil // a constant has none
	}
	for _, ref := range *refs {
		if test, ok := ref.(*ssa.If); ok && c.Holds {
			first = append(first, test.Block().Succs[0])
		} else if ok {
			first = append(first, test.Block().Succs[1])
		}
	}
	return first
}

// isAnySet reports whether code may set what c tests: a field anywhere in the
// package, an entry later, a variable in the region.
func (in *interp) isAnySet(tested []Tested, c cfg.Condition) bool {
	return slices.ContainsFunc(tested, func(t Tested) bool {
		key := setKey{t, c}
		set, ok := in.sets[key]
		if !ok {
			if t.Key != "" {
				set = in.isEntrySet(t.Key, c)
			} else {
				set = in.isSet(t, c.Value.Parent(), regionOf(c))
			}
			in.sets[key] = set
		}
		return set
	})
}

// A setKey identifies the question whether the code under a condition sets
// something.
type setKey struct {
	tested Tested
	under  cfg.Condition
}

// isSet reports whether code may set what fn tests, before the blocks run.
func (in *interp) isSet(t Tested, fn *ssa.Function, region []*ssa.BasicBlock) bool {
	switch {
	case t.KeyParam > 0:
		return in.anyRuns(region, setsAnyKey, make(map[*ssa.Function]bool))
	case t.Param > 0:
		return false // the caller knows
	case t.Key != "":
		return in.setInPackage().built[t.Key] || in.setsEntryUnder(region, nil, t.Key)
	case t.Object != "":
		return in.isSetWith(fn, in.setInPackage().fields[fieldKey{t.Type, t.Field}]) || in.affects(region, t.Object, make(map[*ssa.Function]bool))
	}
	return in.assigns(region, t.Field)
}

// setsAnyKey reports whether the instruction sets an entry of a map of strings under a key that is
// no constant.
func setsAnyKey(instr ssa.Instruction) bool {
	update, ok := instr.(*ssa.MapUpdate)
	return ok && library.IsString(update.Key.Type()) && !isConst(update.Key)
}

// isSetWith reports whether one of the instructions may run in a reconcile in which fn runs.
func (in *interp) isSetWith(fn *ssa.Function, stores []*ssa.Store) bool {
	if len(stores) == 0 || fn == nil {
		return len(stores) > 0
	}
	program := in.programOf(fn)
	return program == nil || slices.ContainsFunc(stores, func(s *ssa.Store) bool { return program[s.Parent()] })
}

// A setIndex has what the functions of the package set.
type setIndex struct {
	fields map[fieldKey][]*ssa.Store
	whole  []types.Type        // structs that are stored as a whole, or by a pointer, apart from objects and local variables
	behind map[types.Type]bool // structs that are stored as a whole where a pointer leads, or in an element
	keys   map[string]bool     // constant strings that are not only looked up, compared and told
	built  map[string]bool     // those of them that objects may have which the package makes
	texts  map[string]string   // what the entries under constant keys are set to, or "" if that is not always the same constant
}

type fieldKey struct{ typ, field string }

func (a *analysisState) setInPackage() *setIndex {
	if a.setIndex != nil {
		return a.setIndex
	}
	a.setIndex = &setIndex{fields: make(map[fieldKey][]*ssa.Store), behind: make(map[types.Type]bool), keys: make(map[string]bool), built: make(map[string]bool), texts: make(map[string]string)}
	for _, fn := range a.ssa.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				a.setIndex.add(instr, a.keysSet(instr))
				a.addText(instr)
			}
		}
	}
	return a.setIndex
}

// add adds what the instruction sets, and the keys under which it may set entries.
func (s *setIndex) add(instr ssa.Instruction, keys []string) {
	if instr, ok := instr.(*ssa.Store); ok {
		at := origin.Of(instr.Addr)
		if at.Kind == origin.Field {
			key := fieldKey{library.TypeName(library.Deref(at.X.Type())), at.FieldName()}
			s.fields[key] = append(s.fields[key], instr)
		}
		t := library.Deref(instr.Val.Type())
		if st, ok := t.Underlying().(*types.Struct); ok && at.Kind != origin.Local && !isObject(st) && !slices.Contains(s.whole, t) {
			s.whole = append(s.whole, t)
		}
		if at.Kind != origin.Field && at.Kind != origin.Local {
			s.behind[instr.Val.Type()] = true
		}
	}
	if len(keys) == 0 {
		return
	}
	builds := builds(instr)
	for _, key := range keys {
		s.keys[key] = true
		s.built[key] = s.built[key] || builds
	}
}

// assigns reports whether code that runs in the blocks may assign to the package
// variable. A function of another package may assign to the variables of that package.
func (in *interp) assigns(blocks []*ssa.BasicBlock, variable string) bool {
	declaring := variable[:max(0, strings.LastIndexByte(variable, '.'))]
	return in.anyRuns(blocks, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			g := variableOf(instr.Addr)
			return g != nil && variableName(g) == variable
		case ssa.CallInstruction:
			fn := callee.Static(instr.Common())
			return fn != nil && fn.Pkg() != nil && fn.Pkg() != in.pass.Pkg && fn.Pkg().Path() == declaring
		}
		return false
	}, make(map[*ssa.Function]bool))
}

// runBy returns the functions of the package that the instruction calls, or for
// which it makes a closure.
func (a *analysisState) runBy(instr ssa.Instruction) []*ssa.Function {
	switch instr := instr.(type) {
	case *ssa.MakeClosure:
		return []*ssa.Function{instr.Fn.(*ssa.Function)}
	case ssa.CallInstruction:
		return a.resolver.Call(instr.Common()).Own
	}
	return nil
}

// affects reports whether code that runs in the blocks may have an effect on the
// status of objects of the type: it writes one, or an object that has the spec of
// one within its own.
func (in *interp) affects(blocks []*ssa.BasicBlock, object string, seen map[*ssa.Function]bool) bool {
	for _, b := range blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.MakeClosure:
				if fn := instr.Fn.(*ssa.Function); !seen[fn] {
					seen[fn] = true
					if in.affects(fn.Blocks, object, seen) {
						return true
					}
				}
			case ssa.CallInstruction:
				if in.callAffects(instr.Common(), blocks, object) {
					return true
				}
			}
		}
	}
	return false
}

// callAffects is affects for a call in the blocks.
func (in *interp) callAffects(call *ssa.CallCommon, blocks []*ssa.BasicBlock, object string) bool {
	args := callee.Args(call)
	return in.mayWrite(call, func(w *library.Write) bool {
		i, ok := w.Args.Of(library.ObjectArg, len(args))
		switch {
		case w.Sub != "":
			return false
		case !ok:
			body, known := w.Args.Of(library.BodyArg, len(args))
			return !known || patchedType(call) != object || usesSpec(blocks, object) || !isWithoutSpec(args[body], blocks[0].Parent())
		}
		written := passedType(args[i])
		changes := w.Verb == library.Update || w.Verb == library.Patch
		return in.contains(written, object) && !(changes && written == object && !usesSpec(blocks, object))
	}, func(events []Event) bool { return in.anyAffects(events, args, object) })
}

// usesSpec reports whether code in the blocks reads or sets the spec of an object
// of the type. If it does not, an update has no effect on the object's status.
func usesSpec(blocks []*ssa.BasicBlock, object string) bool {
	return slices.ContainsFunc(blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			field, ok := instr.(*ssa.FieldAddr)
			return ok && origin.Of(field).FieldName() == "Spec" && library.TypeName(library.Deref(field.X.Type())) == object
		})
	})
}

// patchedType returns the TypeName of the object that a call of a clientset patches by its name: it
// returns one.
func patchedType(call *ssa.CallCommon) string {
	results := call.Signature().Results()
	if results.Len() == 0 {
		return ""
	}
	return library.TypeName(library.Deref(results.At(0).Type()))
}

// isWithoutSpec reports whether the body of a patch is marshalled or written in the function, which
// names no spec.
func isWithoutSpec(body ssa.Value, fn *ssa.Function) bool {
	switch o := origin.Of(origin.Through(body, origin.Renamed, origin.Converted)); o.Kind {
	case origin.Constant:
	case origin.Result:
		if library.Of(callee.Static(&o.Call.Call)).Meaning != library.Encodes {
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool {
				text, ok := constants.String(*op)
				return ok && strings.Contains(text, "spec")
			})
		})
	})
}

// anyAffects reports whether one of the events, of a callee with the arguments,
// may have an effect on the status of objects of the type.
func (in *interp) anyAffects(events []Event, args []ssa.Value, object string) bool {
	return slices.ContainsFunc(events, func(ev Event) bool {
		return in.eventWrites(ev, args, writes{object: object})
	})
}

// passedType returns the TypeName of the object that is passed as v, or "".
func passedType(v ssa.Value) string {
	t := library.Deref(origin.Through(v, origin.Boxed, origin.Renamed).Type())
	if types.IsInterface(t) {
		return ""
	}
	return library.TypeName(t)
}

// contains reports whether the type name may be that of the object, or of one
// that contains its spec.
func (in *interp) contains(name, object string) bool {
	outer, inner := in.typeOf(name), in.typeOf(object)
	if name == object || outer == nil || inner == nil {
		return true
	}
	spec, _, _ := types.LookupFieldOrMethod(inner, true, nil, "Spec")
	return spec == nil || holds(outer, spec.Type(), make(map[types.Type]bool))
}

// holds reports whether a value of type t contains one of type part.
func holds(t, part types.Type, seen map[types.Type]bool) bool {
	return holdsUpTo(t, part, seen, func(*types.Struct) bool { return false })
}

// holdsUpTo is holds without what is in the structs that stop chooses.
func holdsUpTo(t, part types.Type, seen map[types.Type]bool, stop func(*types.Struct) bool) bool {
	if types.Identical(t, part) {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Struct:
		if stop(u) {
			return false
		}
		for field := range u.Fields() {
			if holdsUpTo(field.Type(), part, seen, stop) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // a pointer, a sequence or a map
		return holdsUpTo(u.Elem(), part, seen, stop)
	}
	return false
}
