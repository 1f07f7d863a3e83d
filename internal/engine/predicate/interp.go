package predicate

import (
	"fmt"
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

// nothing is the change in an update that a resync sends.
const nothing library.Changes = 0

// An update is what a function is interpreted for: at most one part of an object has
// changed, and the object is not being deleted.
type update struct {
	change library.Changes
	typ    string // TypeName of the object, "" for any that no type assertion names
}

// equal evaluates whether the old and the new object are equal at a path.
func (u update) equal(path string) value {
	if u.change == nothing {
		return yes
	}
	if part, _, ok := strings.Cut(path, "[digest "); ok {
		if u.equal(part) == yes {
			return yes
		}
		return unknown // what has changed may not count
	}
	field, _, _ := strings.Cut(path, "[")
	field, _, _ = strings.Cut(strings.TrimPrefix(field, "."), ".")
	in := library.Content
	switch field {
	case "", "ResourceVersion":
		return no
	case "Name", "Namespace", "UID", "CreationTimestamp", "DeletionTimestamp", "Finalizers", "OwnerReferences",
		"GenerateName", "SelfLink", "TypeMeta", "Kind", "APIVersion":
		return yes
	case "Generation":
		if u.change == library.Generation {
			return no
		}
		return yes
	case "Spec":
		in = library.Generation | library.Content
	case "Status":
		in = library.Status
	case "Labels":
		in = library.Labels
	case "Annotations":
		in = library.Annotations
	case "ManagedFields", "Object": // of an unstructured object
		return unknown
	default:
		in = library.Generation | library.Content
	}
	if in&u.change != 0 {
		return unknown // it is not known which part of it has changed
	}
	return yes
}

// A value is an element of a flat lattice. Between bottom, the zero value, and top lie
// the parts of the two objects, the event and the constants.
type value struct {
	side side
	path string // the path to a part, such as ".Spec.Replicas", or a constant's text
}

type side uint8

const (
	bottom side = iota // no path that computes the value has been seen yet
	event              // the event that holds both objects
	before             // a part of the old object
	after              // a part of the new object
	known              // a constant
	top                // any value
)

var (
	no      = value{known, "false"}
	yes     = value{known, "true"}
	null    = value{known, "nil"}
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

// isPart reports whether v is one of the objects, or a part of one.
func (v value) isPart() bool { return v.side == before || v.side == after }

// field returns the value of a field of v.
func (v value) field(name string) value {
	switch {
	case v.side == event && (name == "ObjectOld" || name == "MetaOld"): // MetaOld up to 0.6
		return value{side: before}
	case v.side == event && (name == "ObjectNew" || name == "MetaNew"):
		return value{side: after}
	case v.isPart() && v.path == "" && name == "ObjectMeta":
		return v // embedded: its fields and methods are promoted
	case v.isPart():
		return value{v.side, v.path + "." + name}
	case v.side == bottom:
		return v
	}
	return unknown
}

// maxCalls bounds the depth of calls that are interpreted.
const maxCalls = 6

// An interp interprets functions for an update. It is a conditional constant
// propagation that treats the parts of the two objects as constants.
type interp struct {
	p      *Package
	update update
	depth  int
}

// A frame is the interpretation of one function: the transfer functions of its
// instructions.
type frame struct {
	*interp
	sccp.Solver[value]
}

// call interprets a function and returns its results.
func (in *interp) call(fn *ssa.Function, args []value) []value {
	if in.depth >= maxCalls || len(fn.Blocks) == 0 || len(args) != len(fn.Params) {
		return nil
	}
	in.depth++
	defer func() { in.depth-- }()
	fr := &frame{interp: in, Solver: sccp.Solver[value]{Fn: fn, Given: make(map[ssa.Value]value)}}
	for i, p := range fn.Params {
		fr.Given[p] = args[i]
	}
	if !fr.Solve(fr) {
		return nil
	}
	results := make([]value, fn.Signature.Results().Len())
	for _, ret := range cfg.Returns(fn) {
		if fr.Reached(ret.Block()) {
			for i, r := range ret.Results {
				results[i] = results[i].join(fr.Value(r))
			}
		}
	}
	return results
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
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsBoolean != 0 {
		return no
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
	switch o.Kind {
	case origin.Boxed, origin.Converted, origin.Asserted:
		return fr.at(o.X)
	case origin.Field:
		return fr.at(o.X).field(o.FieldName())
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
		if elem.isPart() {
			ok = value{elem.side, elem.path + "[ok]"}
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

// element returns the element of a value at an index or under a key.
func (fr *frame) element(o origin.Origin) value {
	v := fr.at(o.X)
	if !v.isPart() {
		return unknown
	}
	key := "?"
	if k := fr.at(o.Key); k.side == known {
		key = k.path
	}
	return value{v.side, v.path + "[" + key + "]"}
}

// is evaluates whether x is an object of the type.
func (fr *frame) is(x value, t types.Type) value {
	if x.isPart() && x.path == "" && !types.IsInterface(t) {
		if name := library.TypeName(t); name != "" {
			return boolean(name == fr.update.typ)
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
	equal := fr.equal(x, y)
	switch o.Op {
	case token.EQL:
		return equal
	case token.NEQ:
		return equal.not()
	case token.LSS, token.GTR:
		if equal == yes {
			return no
		}
	case token.LEQ, token.GEQ:
		if equal == yes {
			return yes
		}
	}
	return unknown
}

// equal evaluates whether two values are equal.
func (fr *frame) equal(x, y value) value {
	switch {
	case x.side == known && y.side == known:
		return boolean(x == y)
	case x.isPart() && y.isPart() && x.side != y.side && x.path == y.path:
		return fr.update.equal(x.path)
	case x == null:
		return fr.isNil(y)
	case y == null:
		return fr.isNil(x)
	}
	return unknown
}

// isNil evaluates whether v is nil. An object is not, its deletion timestamp is.
func (fr *frame) isNil(v value) value {
	switch {
	case v.side == event, v.isPart() && v.path == "":
		return no
	case v.isPart() && strings.HasSuffix(v.path, ".DeletionTimestamp"):
		return yes
	}
	return unknown
}

// results interprets a call and returns its results.
func (fr *frame) results(call *ssa.Call) []value {
	common := call.Common()
	operands := callee.Args(common)
	args := make([]value, len(operands))
	for i, a := range operands {
		args[i] = fr.at(a)
	}
	for _, a := range args {
		if a.side == bottom {
			return []value{{}}
		}
	}
	if callee.IsBuiltin(common, "len") && args[0].isPart() {
		return []value{{args[0].side, args[0].path + "[len]"}}
	}
	obj := callee.Static(common)
	name := library.Name(obj)
	if library.Of(obj).Equality && len(args) >= 2 {
		if obj.Signature().Recv() != nil {
			args = args[1:]
		}
		return []value{fr.equal(args[0], args[1])}
	}
	if obj != nil && len(args) > 0 && args[0].isPart() {
		if v, ok := accessor(obj, args[0]); ok {
			return []value{v}
		}
	}
	var results []value
	fn := callee.Body(common)
	if fn != nil {
		name = fn.String()
		results = fr.call(fn, args)
	} else {
		results = []value{fr.foreign(obj, name, args)}
	}
	if name == "" {
		return results
	}
	return fr.digests(name, common, args, results)
}

// digests replaces the results of a call that are not known by digests of a part, if
// the function is given one part, and else only constants and what the function that
// decides is given itself: equal parts have equal digests.
//
//	hash.Of(&old.Spec) != hash.Of(&new.Spec)
func (fr *frame) digests(name string, call *ssa.CallCommon, args, results []value) []value {
	part, of := value{}, "[digest "+name
	for i, a := range args {
		switch param, isParam := callee.Args(call)[i].(*ssa.Parameter); {
		case a.isPart() && part.side == bottom:
			part = a
			of += " _"
		case a.side == known:
			of += " " + a.path
		case isParam && !a.isPart() && fr.depth == 1:
			of += " " + param.Name()
		default:
			return results
		}
	}
	if part.side == bottom {
		return results
	}
	sig := call.Signature().Results()
	digests := make([]value, sig.Len())
	for i := range digests {
		digests[i] = unknown
		if i < len(results) {
			digests[i] = results[i]
		}
		if _, isBasic := sig.At(i).Type().Underlying().(*types.Basic); isBasic && digests[i] == unknown {
			digests[i] = value{part.side, fmt.Sprintf("%s%s #%d]", part.path, of, i)}
		}
	}
	return digests
}

// accessor interprets the methods that read objects and their metadata. It is not ok for
// other functions.
func accessor(obj *types.Func, recv value) (value, bool) {
	if obj.Signature().Recv() == nil {
		return value{}, false
	}
	name, params := obj.Name(), obj.Signature().Params().Len()
	switch {
	case params > 0:
		return value{}, false
	case name == "IsZero" && strings.HasSuffix(recv.path, ".DeletionTimestamp"):
		return yes, true
	case name == "DeepCopyObject":
		return unknown, true
	}
	field, ok := strings.CutPrefix(name, "Get")
	if !ok || recv.path != "" || !metadata[field] {
		return value{}, false
	}
	return recv.field(field), true
}

// metadata are the fields of metav1.ObjectMeta that have accessors.
var metadata = map[string]bool{
	"Name": true, "GenerateName": true, "Namespace": true, "UID": true, "ResourceVersion": true, "Generation": true,
	"CreationTimestamp": true, "DeletionTimestamp": true, "Labels": true, "Annotations": true, "Finalizers": true,
	"OwnerReferences": true, "ManagedFields": true,
}

// foreign interprets a call of another package's function: the Update of a library's
// predicate, or a function that the other package's fact describes.
func (fr *frame) foreign(obj *types.Func, name string, args []value) value {
	if obj == nil {
		return unknown
	}
	if recv := obj.Signature().Recv(); recv != nil && obj.Name() == "Update" && len(args) == 2 && args[1].side == event {
		if passes := library.TypeOf(recv.Type()).Passes; passes != 0 {
			return boolean(passes&fr.update.change != 0)
		}
	}
	f := fr.p.imported[name]
	if f == nil {
		return unknown
	}
	switch n := len(args); {
	case n >= 1 && args[n-1].side == event,
		n >= 2 && args[n-2] == value{side: before} && args[n-1] == value{side: after}:
		switch a := f.of(fr.update.typ); {
		case fr.update.change == nothing && a.DropsResync:
			return no
		case fr.update.change == nothing && a.PassesResync:
			return yes
		case fr.update.change == nothing:
			return unknown
		case a.Yes&fr.update.change == 0:
			return no
		case a.No&fr.update.change == 0:
			return yes
		}
	}
	return unknown
}
