package selection

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/sccp"
)

// A value is an element of a flat lattice. Between bottom, the zero value, and top lie the
// event, the object and the parts of its metadata, the queue, what other objects have in
// their specs, and the constants.
type value struct {
	side side
	path string // the path to a part of the object, or a constant's text
}

type side uint8

const (
	bottom side = iota // no path that computes the value has been seen yet
	event              // the event that holds the object
	whole              // the object, or a part of it
	queue              // the queue for requests
	given              // a part of the spec of another object
	known              // a constant, or an empty list
	top                // any value
)

var (
	no      = value{known, "false"}
	yes     = value{known, "true"}
	null    = value{known, "nil"} // also an empty list
	empty   = value{known, `""`}
	unknown = value{side: top}
)

func boolean(b bool) value {
	if b {
		return yes
	}
	return no
}

func (v value) not() value {
	switch {
	case v == no:
		return yes
	case v == yes:
		return no
	case v.side == bottom:
		return v
	}
	return unknown
}

// join is the least upper bound.
func (v value) join(w value) value {
	switch {
	case v.side == bottom:
		return w
	case w.side == bottom || v == w:
		return v
	}
	return unknown
}

// isPart reports whether v is the part of the object at the path.
func (v value) isPart(path string) bool { return v.side == whole && v.path == path }

// field returns the value of a field of v.
func (v value) field(name string) value {
	switch {
	case v.side == event && (name == "Object" || name == "ObjectOld" || name == "ObjectNew"):
		return value{side: whole}
	case v.isPart("") && name == "ObjectMeta":
		return v // embedded: its fields and methods are promoted
	case v.isPart("") && (name == "Name" || name == "Labels" || name == "Annotations"):
		return value{whole, name}
	case v.side == given, v.side == bottom:
		return v
	}
	return unknown
}

// maxCalls bounds the depth of calls that are interpreted.
const maxCalls = 6

// An interp interprets functions for an object that lacks something. It is a conditional
// constant propagation.
type interp struct {
	p      *Package
	typ    string // TypeName of the object, "" for any that no type assertion names
	object int    // index of the argument that is the object or the event
	lacks  Need
	depth  int
	used   bool // the queue may have got a request

	asked []Need   // keys that the object's metadata is asked for
	named bool     // the object's name is compared with something
	names []string // constants that the name is compared with
	given bool     // the name is compared with one in a spec
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
		need.Names, need.Given = slices.Compact(in.names), in.given
	}
	return need
}

// selects reports whether the function may select the object.
func (in *interp) selects(fn *ssa.Function, args []value) bool {
	results, ok := in.call(fn, args)
	switch {
	case !ok:
		return true
	case len(results) == 0:
		return in.used
	}
	return results[0] != no && results[0] != null
}

// A frame is the interpretation of one function: the transfer functions of its
// instructions.
type frame struct {
	*interp
	sccp.Solver[value]
}

// call interprets a function and returns its results.
func (in *interp) call(fn *ssa.Function, args []value) (results []value, ok bool) {
	if in.depth >= maxCalls || len(fn.Blocks) == 0 || len(args) != len(fn.Params) {
		in.used = in.used || slices.ContainsFunc(args, isQueued)
		return nil, false
	}
	in.depth++
	defer func() { in.depth-- }()
	fr := &frame{interp: in, Solver: sccp.Solver[value]{Fn: fn, Given: make(map[ssa.Value]value)}}
	for i, p := range fn.Params {
		fr.Given[p] = args[i]
	}
	if !fr.Solve(fr) {
		in.used = true
		return nil, false
	}
	in.used = in.used || fr.hands()
	results = make([]value, fn.Signature.Results().Len())
	for _, ret := range cfg.Returns(fn) {
		if fr.Reached(ret.Block()) {
			for i, r := range ret.Results {
				results[i] = results[i].join(fr.at(r))
			}
		}
	}
	return results, true
}

func isQueued(v value) bool { return v.side == queue }

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
				if *op != nil && fr.Value(*op).side == queue {
					return true
				}
			}
		}
	}
	return false
}

// Join implements [sccp.Transfer].
func (fr *frame) Join(v, w value) value { return v.join(w) }

// Top implements [sccp.Transfer].
func (fr *frame) Top() value { return unknown }

// Constant implements [sccp.Transfer].
func (fr *frame) Constant(v ssa.Value) value {
	if origin.Of(v).Kind != origin.Constant {
		return unknown
	}
	c := constants.Of(v)
	switch {
	case c == nil:
		return null
	case c.Kind() == constant.Bool:
		return boolean(constant.BoolVal(c))
	}
	return value{known, c.ExactString()}
}

// Zero implements [sccp.Transfer].
func (fr *frame) Zero(t types.Type) value {
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		switch {
		case t.Info()&types.IsBoolean != 0:
			return no
		case t.Info()&types.IsString != 0:
			return empty
		}
	case *types.Slice:
		return null
	}
	return unknown
}

// Branch implements [sccp.Transfer].
func (fr *frame) Branch(_ *ssa.If, cond value) (then, otherwise bool) {
	decided := cond.side != bottom
	return decided && cond != no, decided && cond != yes
}

// Refine implements [sccp.Transfer].
func (fr *frame) Refine(_ ssa.Value, val value, _ *ssa.BasicBlock) value { return val }

// Tracks implements [sccp.Transfer]. It tracks the variables that are only assigned to
// as a whole.
func (fr *frame) Tracks(addr ssa.Value) bool {
	return origin.Of(addr).Kind == origin.Local && !origin.StoredBelow(addr)
}

// Escapes implements [sccp.Transfer]. A variable escapes if its address, or that of a
// part of it, is passed to a call, captured or stored.
func (fr *frame) Escapes(addr ssa.Value) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case ssa.CallInstruction, *ssa.MakeClosure:
			return true
		case *ssa.Store:
			return ref.Val == addr
		case ssa.Value:
			return origin.Of(ref).Addr && fr.Escapes(ref)
		}
		return false
	})
}

// Eval implements [sccp.Transfer].
func (fr *frame) Eval(v ssa.Value, o origin.Origin) value {
	if n, made := constants.Length(v); made && n == 0 {
		return null
	}
	if list, ok := v.(*ssa.MakeSlice); ok && fr.at(list.Len) == (value{known, "0"}) {
		return null
	}
	switch o.Kind {
	case origin.Boxed, origin.Converted, origin.Asserted:
		return fr.at(o.X)
	case origin.Field:
		return fr.field(o)
	case origin.Element:
		return fr.element(o)
	case origin.Loaded:
		return fr.at(o.X)
	case origin.Computed:
		if o.Y != nil {
			return fr.compare(o)
		}
		if o.Op == token.NOT {
			return fr.at(o.X).not()
		}
	case origin.Result:
		if results := fr.results(o.Call); len(results) == 1 {
			return results[0]
		}
	}
	return unknown
}

// Tuple implements [sccp.Transfer].
func (fr *frame) Tuple(v ssa.Value) []value {
	switch o := origin.Of(v); o.Kind {
	case origin.Element:
		elem, ok := fr.element(o), unknown
		switch {
		case elem == empty && fr.isLacking(o):
			ok = no
		case elem.side == bottom:
			ok = elem
		}
		return []value{elem, ok}
	case origin.Asserted:
		x := fr.at(o.X)
		return []value{x, fr.is(x, v.(*ssa.TypeAssert).AssertedType)}
	case origin.Result:
		return fr.results(o.Call)
	}
	return nil
}

// at returns the value of v. If v is the address of a tracked variable, it returns the
// value of the variable.
func (fr *frame) at(v ssa.Value) value {
	if fr.Tracks(v) {
		return fr.Content(v)
	}
	return fr.Value(v)
}

// field returns the value of a field. What users write into the spec of an object has no
// value that is known.
func (fr *frame) field(o origin.Origin) value {
	x := fr.at(o.X)
	if o.FieldName() == "Spec" && x.side == top && isObject(types.NewPointer(library.Deref(o.X.Type()))) {
		return value{side: given}
	}
	return x.field(o.FieldName())
}

// element returns the element of a value at an index or under a key.
func (fr *frame) element(o origin.Origin) value {
	v := fr.at(o.X)
	switch {
	case v.side == given, v.side == bottom:
		return v
	case !v.isPart("Labels") && !v.isPart("Annotations"):
		return unknown
	}
	need, ok := fr.asks(o)
	if !ok {
		return unknown
	}
	if !slices.ContainsFunc(fr.asked, need.Equal) {
		fr.asked = append(fr.asked, need)
	}
	if need.Equal(fr.lacks) {
		return empty
	}
	return unknown
}

// asks returns what of the object's metadata a lookup asks for.
func (fr *frame) asks(o origin.Origin) (Need, bool) {
	key := fr.at(o.Key)
	text, quoted := strings.CutPrefix(key.path, `"`)
	if key.side != known || !quoted || text == `"` {
		return Need{}, false
	}
	part := Labels
	if fr.at(o.X).isPart("Annotations") {
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
func (fr *frame) is(x value, t types.Type) value {
	if x.isPart("") && !types.IsInterface(t) {
		if name := library.TypeName(t); name != "" {
			return boolean(name == fr.typ)
		}
	}
	return unknown
}

// compare interprets a comparison.
func (fr *frame) compare(o origin.Origin) value {
	x, y := fr.at(o.X), fr.at(o.Y)
	if x.side == bottom || y.side == bottom {
		return value{}
	}
	switch o.Op {
	case token.EQL:
		return fr.equal(x, y)
	case token.NEQ:
		return fr.equal(x, y).not()
	case token.GTR:
		if x == (value{known, "0"}) || x == null {
			return boolean(false)
		}
	}
	return unknown
}

// equal evaluates whether two values are equal.
func (fr *frame) equal(x, y value) value {
	if y.isPart("Name") {
		x, y = y, x
	}
	switch {
	case x.isPart("Name") && (y.side == known || y.side == given):
		return fr.hasName(y)
	case x.side == known && y.side == known:
		return boolean(x == y)
	case x == null && (y.isPart("") || y.side == event), y == null && (x.isPart("") || x.side == event):
		return no
	}
	return unknown
}

// hasName evaluates whether the object has a name, a constant or one that a spec gives.
func (fr *frame) hasName(name value) value {
	fr.named = true
	switch {
	case name == empty:
		return no
	case fr.lacks.Part != Name:
		return unknown
	case name.side == given:
		fr.given = true
	default:
		fr.names = append(fr.names, strings.Trim(name.path, `"`))
	}
	return no
}

// results interprets a call and returns its results.
func (fr *frame) results(call *ssa.Call) []value {
	common := call.Common()
	operands := callee.Args(common)
	args := make([]value, len(operands))
	for i, a := range operands {
		args[i] = fr.at(a)
		if args[i].side == bottom {
			return []value{{}}
		}
	}
	switch {
	case callee.IsBuiltin(common, "len"):
		if args[0] == null || args[0] == empty {
			return []value{{known, "0"}}
		}
		return []value{unknown}
	case callee.IsBuiltin(common, "append"):
		if args[0] == null && args[1] == null {
			return []value{null}
		}
		return []value{unknown}
	}
	obj := callee.Static(common)
	if obj != nil && len(args) > 0 && args[0].isPart("") {
		if v, ok := accessor(obj, args[0]); ok {
			return []value{v}
		}
	}
	if fn := callee.Body(common); fn != nil {
		if results, ok := fr.call(fn, args); ok {
			return results
		}
		return []value{unknown}
	}
	fr.used = fr.used || slices.ContainsFunc(args, isQueued)
	return []value{fr.foreign(obj, args)}
}

// accessor interprets the methods that read the metadata. It is not ok for other
// functions.
func accessor(obj *types.Func, recv value) (value, bool) {
	if obj.Signature().Recv() == nil || obj.Signature().Params().Len() > 0 {
		return value{}, false
	}
	switch field, _ := strings.CutPrefix(obj.Name(), "Get"); field {
	case "Name", "Labels", "Annotations":
		return recv.field(field), true
	}
	return value{}, false
}

// foreign interprets a call of another package's function that selects objects, if its
// fact says that it needs what the object lacks.
func (fr *frame) foreign(obj *types.Func, args []value) value {
	f := fr.p.imported[library.Name(obj)]
	if obj == nil || f == nil || !slices.ContainsFunc(args, func(v value) bool { return v.isPart("") || v.side == event }) {
		return unknown
	}
	for _, need := range f.of(fr.typ) {
		switch {
		case need.Part != Name:
			if !slices.ContainsFunc(fr.asked, need.Equal) {
				fr.asked = append(fr.asked, need)
			}
			if !need.Equal(fr.lacks) {
				continue
			}
		default:
			fr.named = true
			if fr.lacks.Part != Name {
				continue
			}
			fr.names, fr.given = append(fr.names, need.Names...), fr.given || need.Given
		}
		if library.IsBool(obj.Signature().Results().At(0).Type()) {
			return no
		}
		return null
	}
	return unknown
}
