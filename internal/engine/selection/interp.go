package selection

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/decision"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// The sides of values: the event, the object and the parts of its metadata, the queue, and
// what other objects have in their specs.
const (
	event = decision.Other + iota // the event that holds the object
	whole                         // the object, or a part of it
	queue                         // the queue for requests
	given                         // a part of the spec of another object, or what is made
	made                          // a text of which the endings are known, those in the path
)

// empty is the empty string, and none is the number zero. An empty list is [decision.Nil].
var (
	empty = decision.Value{Side: decision.Known, Path: `""`}
	none  = decision.Value{Side: decision.Known, Path: "0"}
)

// isPart reports whether v is the part of the object at the path.
func isPart(v decision.Value, path string) bool { return v.Side == whole && v.Path == path }

// field returns the value of a field of v.
func field(v decision.Value, name string) decision.Value {
	switch {
	case v.Side == event && (name == "Object" || name == "ObjectOld" || name == "ObjectNew"):
		return decision.Value{Side: whole}
	case isPart(v, "") && name == "ObjectMeta":
		return v // embedded: its fields and methods are promoted
	case isPart(v, "") && (name == "Name" || name == "Labels" || name == "Annotations" || name == "OwnerReferences"):
		return decision.Value{Side: whole, Path: name}
	case v.Side == given, v.Side == decision.Bottom:
		return v
	}
	return decision.Unknown
}

// An interp interprets functions for an object that lacks something. It is a conditional
// constant propagation.
type interp struct {
	p     *Package
	typ   string // TypeName of the object, "" for any that no type assertion names
	lacks Need
	depth int
	used  bool // the queue may have got a request

	asked []Need   // what the object's metadata is asked for, other than the name
	named bool     // the object's name is compared with something
	names []string // constants that the name is compared with
	given bool     // the name is compared with one in a spec
	// endings are those of texts that the name is compared with
	endings []string
	// indexes are asked for the name
	indexes []Index
}

// candidates returns what the function may need, by what it has asked for.
func (in *interp) candidates() []Need {
	all := slices.Clone(in.asked)
	if in.named {
		all = append(all, Need{Part: Name})
	}
	return all
}

// need returns the need that the function has turned out to have.
func (in *interp) need() Need {
	need := in.lacks
	if need.Part == Name {
		slices.Sort(in.names)
		slices.Sort(in.endings)
		need.Names, need.Given, need.Indexes = slices.Compact(in.names), in.given, in.indexes
		need.Endings = slices.Compact(in.endings)
	}
	return need
}

// selects reports whether the function may select the object.
func (in *interp) selects(fn *ssa.Function, args []decision.Value) bool {
	results, ok := in.call(fn, args)
	switch {
	case !ok:
		return true
	case len(results) == 0:
		return in.used
	}
	for i, no := range nothing(fn.Signature) {
		if no.Side == decision.Known && results[i] != no {
			return true
		}
	}
	return false
}

// A frame is the interpretation of one function: the transfer functions of its
// instructions.
type frame struct {
	*interp
	decision.Frame
	filled map[*ssa.MakeMap]bool // maps that get an entry
}

// call interprets a function and returns its results.
func (in *interp) call(fn *ssa.Function, args []decision.Value) (results []decision.Value, ok bool) {
	f, ok := decision.NewFrame(fn, args)
	if !ok || in.depth >= decision.MaxCalls {
		in.used = in.used || slices.ContainsFunc(args, isQueued)
		return nil, false
	}
	in.depth++
	defer func() { in.depth-- }()
	fr := &frame{interp: in, Frame: f, filled: make(map[*ssa.MakeMap]bool)}
	for again := true; again; again = fr.fills() {
		if !fr.Solve(fr) {
			in.used = true
			return nil, false
		}
	}
	in.used = in.used || fr.hands()
	return fr.returned(), true
}

// fills reports whether a map may get an entry that was thought to stay empty: where
// control gets, something is done with it that does more than read.
func (fr *frame) fills() bool {
	found := false
	for _, b := range fr.Fn.Blocks {
		if !fr.Reached(b) {
			continue
		}
		for _, instr := range b.Instrs {
			if reads(instr) {
				continue
			}
			for _, op := range instr.Operands(nil) {
				if m, ok := (*op).(*ssa.MakeMap); ok && !fr.filled[m] {
					fr.filled[m], found = true, true
				}
			}
		}
	}
	return found
}

// reads reports whether an instruction only reads a map.
func reads(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
		return true
	case *ssa.Call:
		return callee.IsBuiltin(&instr.Call, "len")
	}
	return false
}

func isQueued(v decision.Value) bool { return v.Side == queue }

// hands reports whether the queue is used by something other than a call.
func (fr *frame) hands() bool {
	for _, b := range fr.Fn.Blocks {
		if !fr.Reached(b) {
			continue
		}
		for _, instr := range b.Instrs {
			switch instr.(type) {
			case *ssa.Call, *ssa.Phi, *ssa.DebugRef:
				continue
			}
			for _, op := range instr.Operands(nil) {
				if *op != nil && fr.Value(*op).Side == queue {
					return true
				}
			}
		}
	}
	return false
}

// Zero implements [sccp.Transfer].
func (fr *frame) Zero(t types.Type) decision.Value {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsBoolean != 0:
			return decision.No
		case t.Info()&types.IsString != 0:
			return empty
		}
	case *types.Slice:
		return decision.Nil
	}
	return decision.Unknown
}

// Tracks implements [sccp.Transfer]. What a list has is known by the calls that fill it.
func (fr *frame) Tracks(addr ssa.Value) bool {
	return fr.Frame.Tracks(addr) && !(isListed(addr) && len(listing(addr, 0)) > 0)
}

// Eval implements [sccp.Transfer].
func (fr *frame) Eval(v ssa.Value, o origin.Origin) decision.Value {
	if n, made := constants.Length(v); made && n == 0 {
		return decision.Nil
	}
	if list, ok := v.(*ssa.MakeSlice); ok && fr.At(list.Len) == none {
		return decision.Nil
	}
	if m, ok := v.(*ssa.MakeMap); ok && !fr.filled[m] {
		return decision.Nil
	}
	switch o.Kind {
	case origin.Boxed, origin.Converted, origin.Asserted:
		return fr.At(o.X)
	case origin.Field:
		return fr.field(o)
	case origin.Element:
		return fr.element(o)
	case origin.Loaded:
		if isListed(o.X) && fr.isEmpty(o.X) {
			return decision.Nil
		}
		return fr.At(o.X)
	case origin.Computed:
		switch {
		case o.Op == token.ADD:
			return fr.sum(v, o)
		case o.Y != nil:
			return fr.compare(o)
		}
		if o.Op == token.NOT {
			return fr.At(o.X).Not()
		}
	case origin.Result:
		if results := fr.results(o.Call); len(results) == 1 {
			return results[0]
		}
	}
	return decision.Unknown
}

// Tuple implements [sccp.Transfer].
func (fr *frame) Tuple(v ssa.Value) []decision.Value {
	switch o := origin.Of(v); o.Kind {
	case origin.Element:
		elem, ok := fr.element(o), decision.Unknown
		switch {
		case elem == empty && fr.isLacking(o):
			ok = decision.No
		case elem.Side == decision.Bottom:
			ok = elem
		}
		return []decision.Value{elem, ok}
	case origin.Asserted:
		x := fr.At(o.X)
		return []decision.Value{x, fr.is(x, v.(*ssa.TypeAssert).AssertedType)}
	case origin.Result:
		return fr.results(o.Call)
	}
	return nil
}

// field returns the value of a field. What users write into the spec of an object has no
// value that is known.
func (fr *frame) field(o origin.Origin) decision.Value {
	x := fr.At(o.X)
	if o.FieldName() == "Items" && isListed(o.X) {
		if x == decision.Nil || fr.isEmpty(o.X) {
			return decision.Nil
		}
		return decision.Unknown
	}
	if o.FieldName() == "Spec" && x.Side == decision.Top && isObject(types.NewPointer(library.Deref(o.X.Type()))) {
		return decision.Value{Side: given}
	}
	return fr.references(field(x, o.FieldName()))
}

// element returns the element of a value at an index or under a key.
func (fr *frame) element(o origin.Origin) decision.Value {
	v := fr.At(o.X)
	switch {
	case v.Side == given, v.Side == decision.Bottom:
		return v
	case !isPart(v, "Labels") && !isPart(v, "Annotations"):
		return decision.Unknown
	}
	need, ok := fr.asks(o)
	if !ok {
		return decision.Unknown
	}
	if fr.isLackingOf(need) {
		return empty
	}
	return decision.Unknown
}

// isLackingOf notes that the object is asked for something, and reports whether it lacks it.
// Without owner references it has no controller reference, too.
func (in *interp) isLackingOf(need Need) bool {
	if !slices.ContainsFunc(in.asked, need.Equal) {
		in.asked = append(in.asked, need)
	}
	return need.Equal(in.lacks) || need.Part == Controller && in.lacks.Part == Owner
}

// references returns the value of the owner references of the object.
func (in *interp) references(v decision.Value) decision.Value {
	if isPart(v, "OwnerReferences") && in.isLackingOf(Need{Part: Owner}) {
		return decision.Nil
	}
	return v
}

// asks returns what of the object's metadata a lookup asks for.
func (fr *frame) asks(o origin.Origin) (Need, bool) {
	key := fr.At(o.Key)
	text, quoted := strings.CutPrefix(key.Path, `"`)
	if key.Side != decision.Known || !quoted || text == `"` {
		return Need{}, false
	}
	part := Labels
	if isPart(fr.At(o.X), "Annotations") {
		part = Annotations
	}
	return Need{Part: part, Key: strings.TrimSuffix(text, `"`)}, true
}

// isLacking reports whether the lookup asks for what the object lacks.
func (fr *frame) isLacking(o origin.Origin) bool {
	need, ok := fr.asks(o)
	return ok && need.Equal(fr.lacks)
}

// is evaluates whether x is an object of the type.
func (fr *frame) is(x decision.Value, t types.Type) decision.Value {
	if isPart(x, "") && !types.IsInterface(t) {
		if name := library.TypeName(t); name != "" {
			return decision.Bool(name == fr.typ)
		}
	}
	return decision.Unknown
}

// sum interprets an addition. Of a text it knows what it ends in.
func (fr *frame) sum(v ssa.Value, o origin.Origin) decision.Value {
	if fr.At(o.X).Side == decision.Bottom || fr.At(o.Y).Side == decision.Bottom {
		return decision.Value{}
	}
	if text, ok := fr.p.textOf(v, 0); ok {
		return text.value()
	}
	return decision.Unknown
}

// compare interprets a comparison.
func (fr *frame) compare(o origin.Origin) decision.Value {
	x, y := fr.At(o.X), fr.At(o.Y)
	if x.Side == decision.Bottom || y.Side == decision.Bottom {
		return decision.Value{}
	}
	switch o.Op {
	case token.EQL, token.NEQ:
		equal := fr.equal(x, y)
		if equal == decision.Unknown && fr.isNeverNamed(o) {
			equal = decision.No
		}
		if o.Op == token.NEQ {
			return equal.Not()
		}
		return equal
	case token.GTR:
		if x == none || x == decision.Nil {
			return decision.No
		}
	case token.LSS: // the index of an element
		if y == none && origin.Of(o.Y).Builtin() == "len" {
			return decision.No
		}
	}
	return decision.Unknown
}

// equal evaluates whether two values are equal.
func (fr *frame) equal(x, y decision.Value) decision.Value {
	if isPart(y, "Name") {
		x, y = y, x
	}
	switch {
	case isPart(x, "Name") && (y.Side == decision.Known || y.Side == given || y.Side == made):
		return fr.hasName(y)
	case x.Side == decision.Known && y.Side == decision.Known:
		return decision.Bool(x == y)
	case x == decision.Nil && (isPart(y, "") || y.Side == event), y == decision.Nil && (isPart(x, "") || x.Side == event):
		return decision.No
	}
	return decision.Unknown
}

// hasName evaluates whether the object has a name, a constant or one that a spec gives.
func (fr *frame) hasName(name decision.Value) decision.Value {
	fr.named = true
	switch {
	case name == empty:
		return decision.No
	case fr.lacks.Part != Name:
		return decision.Unknown
	case name.Side == given, name.Side == made:
		fr.given = fr.given || name.Side == given
		if name.Path != "" {
			fr.endings = append(fr.endings, strings.Split(name.Path, "\n")...)
		}
	default:
		fr.names = append(fr.names, strings.Trim(name.Path, `"`))
	}
	return decision.No
}

// results interprets a call and returns its results.
func (fr *frame) results(call *ssa.Call) []decision.Value {
	common := call.Common()
	args, ok := fr.Args(common)
	if !ok {
		return []decision.Value{{}}
	}
	switch {
	case callee.IsBuiltin(common, "len"):
		if args[0] == decision.Nil || args[0] == empty {
			return []decision.Value{none}
		}
		return []decision.Value{decision.Unknown}
	case callee.IsBuiltin(common, "append"):
		if args[0] == decision.Nil && args[1] == decision.Nil {
			return []decision.Value{decision.Nil}
		}
		return []decision.Value{decision.Unknown}
	}
	obj := callee.Static(common)
	if obj != nil && len(args) > 0 && isPart(args[0], "") {
		if v, ok := accessor(obj, args[0]); ok {
			return []decision.Value{fr.references(v)}
		}
		if v, ok := fr.controller(obj); ok {
			return []decision.Value{v}
		}
	}
	if !slices.ContainsFunc(args, func(v decision.Value) bool { return v.Side == whole || v.Side == event }) {
		if text, ok := fr.p.textOf(call, 0); ok {
			return []decision.Value{text.value()}
		}
	}
	if fn := callee.Body(common); fn != nil {
		if results, ok := fr.call(fn, args); ok {
			return results
		}
		return []decision.Value{decision.Unknown}
	}
	fr.used = fr.used || slices.ContainsFunc(args, isQueued)
	if known := library.Of(obj); known.Effect == library.ListsItems {
		list, _ := known.Args.Of(library.ObjectArg, len(args))
		if fr.isEmpty(callee.Args(common)[list]) {
			return []decision.Value{decision.Nil, decision.Unknown}
		}
	}
	if results := fr.foreign(obj, args); results != nil {
		return results
	}
	return []decision.Value{decision.Unknown}
}

// accessor interprets the methods that read the metadata. It is not ok for other
// functions.
func accessor(obj *types.Func, recv decision.Value) (decision.Value, bool) {
	if obj.Signature().Recv() == nil || obj.Signature().Params().Len() > 0 {
		return decision.Value{}, false
	}
	switch name, _ := strings.CutPrefix(obj.Name(), "Get"); name {
	case "Name", "Labels", "Annotations", "OwnerReferences":
		return field(recv, name), true
	}
	return decision.Value{}, false
}

// controller interprets the functions that look for the controller reference of the object.
// It is not ok for other functions.
func (in *interp) controller(obj *types.Func) (v decision.Value, ok bool) {
	switch known := library.Of(obj); {
	case known.Condition == library.OwnerCondition:
		v = decision.No
	case known.Effect == library.GetsMetadata && known.Field == "OwnerReferences":
		v = decision.Nil
	default:
		return decision.Value{}, false
	}
	if !in.isLackingOf(Need{Part: Controller}) {
		v = decision.Unknown
	}
	return v, true
}

// foreign interprets a call of another package's function that selects objects, if its
// fact says that it needs what the object lacks.
func (fr *frame) foreign(obj *types.Func, args []decision.Value) []decision.Value {
	f := fr.p.imported[library.Name(obj)]
	if obj == nil || f == nil || !slices.ContainsFunc(args, func(v decision.Value) bool { return isPart(v, "") || v.Side == event }) {
		return nil
	}
	for _, need := range f.of(fr.typ) {
		switch {
		case need.Part == Never:
		case need.Part != Name:
			if !fr.isLackingOf(need) {
				continue
			}
		default:
			fr.named = true
			if fr.lacks.Part != Name {
				continue
			}
			fr.names, fr.given = append(fr.names, need.Names...), fr.given || need.Given
			fr.endings = append(fr.endings, need.Endings...)
			fr.ask(need.Indexes)
		}
		return nothing(obj.Signature())
	}
	return nil
}

// nothing returns the results of a function that does not select the object.
func nothing(sig *types.Signature) []decision.Value {
	results := make([]decision.Value, sig.Results().Len())
	for i := range results {
		results[i] = negative(sig.Results().At(i).Type())
	}
	if n := len(results) - 1; n > 0 && results[n] == decision.No {
		for i := range n {
			results[i] = decision.Unknown // only the boolean tells
		}
	}
	return results
}

// negative returns the value of the type that says no. It is unknown for a type that has none.
func negative(t types.Type) decision.Value {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Slice, *types.Pointer:
		return decision.Nil
	case *types.Basic:
		switch {
		case library.IsBool(t):
			return decision.No
		case library.IsString(t):
			return empty
		}
	}
	return decision.Unknown
}
