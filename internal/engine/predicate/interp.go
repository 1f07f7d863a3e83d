package predicate

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/decision"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
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
func (u update) equal(path string) decision.Value {
	if u.change == nothing {
		return decision.Yes
	}
	if part, _, ok := strings.Cut(path, "[digest "); ok {
		if u.equal(part) == decision.Yes {
			return decision.Yes
		}
		return decision.Unknown // what has changed may not count
	}
	in := library.Content
	switch firstField(path) {
	case "", "ResourceVersion":
		return decision.No
	case "Name", "Namespace", "UID", "CreationTimestamp", "DeletionTimestamp", "Finalizers", "OwnerReferences",
		"GenerateName", "SelfLink", "TypeMeta", "Kind", "APIVersion":
		return decision.Yes
	case "Generation":
		if u.change == library.Generation {
			return decision.No
		}
		return decision.Yes
	case "Spec":
		in = library.Generation | library.Content
	case "Status":
		in = library.Status
	case "Labels":
		in = library.Labels
	case "Annotations":
		in = library.Annotations
	case "ManagedFields", "Object": // of an unstructured object
		return decision.Unknown
	default:
		in = library.Generation | library.Content
	}
	if in&u.change != 0 {
		return decision.Unknown // it is not known which part of it has changed
	}
	return decision.Yes
}

// firstField returns the field of the object that the path leads through.
func firstField(path string) string {
	field, _, _ := strings.Cut(path, "[")
	field, _, _ = strings.Cut(strings.TrimPrefix(field, "."), ".")
	return field
}

// The sides of values: the event and the two objects. The path of a part is such as
// ".Spec.Replicas".
const (
	event  = decision.Other + iota // the event that holds both objects
	before                         // a part of the old object
	after                          // a part of the new object
)

// isPart reports whether v is one of the objects, or a part of one.
func isPart(v decision.Value) bool { return v.Side == before || v.Side == after }

// field returns the value of a field of v.
func field(v decision.Value, name string) decision.Value {
	switch {
	case v.Side == event && (name == "ObjectOld" || name == "MetaOld"): // MetaOld up to 0.6
		return decision.Value{Side: before}
	case v.Side == event && (name == "ObjectNew" || name == "MetaNew"):
		return decision.Value{Side: after}
	case isPart(v) && v.Path == "" && name == "ObjectMeta":
		return v // embedded: its fields and methods are promoted
	case isPart(v):
		return decision.Value{Side: v.Side, Path: v.Path + "." + name}
	case v.Side == decision.Bottom:
		return v
	}
	return decision.Unknown
}

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
	decision.Frame
}

// call interprets a function and returns its results.
func (in *interp) call(fn *ssa.Function, args []decision.Value) []decision.Value {
	f, ok := decision.NewFrame(fn, args)
	if !ok || in.depth >= decision.MaxCalls {
		return nil
	}
	in.depth++
	defer func() { in.depth-- }()
	fr := &frame{interp: in, Frame: f}
	if !fr.Solve(fr) {
		return nil
	}
	return fr.Returned(fr.Value)
}

// Zero implements [sccp.Transfer].
func (fr *frame) Zero(t types.Type) decision.Value {
	if library.IsBool(t) {
		return decision.No
	}
	return decision.Unknown
}

// Eval implements [sccp.Transfer].
func (fr *frame) Eval(v ssa.Value, o origin.Origin) decision.Value {
	switch o.Kind {
	case origin.Boxed, origin.Converted, origin.Asserted:
		return fr.At(o.X)
	case origin.Field:
		return field(fr.At(o.X), o.FieldName())
	case origin.Element:
		return fr.element(o)
	case origin.Loaded:
		return fr.At(o.X)
	case origin.Computed:
		if o.Y != nil {
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
		if isPart(elem) {
			ok = decision.Value{Side: elem.Side, Path: elem.Path + "[ok]"}
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

// element returns the element of a value at an index or under a key.
func (fr *frame) element(o origin.Origin) decision.Value {
	v := fr.At(o.X)
	if !isPart(v) {
		return decision.Unknown
	}
	key := "?"
	if k := fr.At(o.Key); k.Side == decision.Known {
		key = k.Path
	}
	return decision.Value{Side: v.Side, Path: v.Path + "[" + key + "]"}
}

// is evaluates whether x is an object of the type.
func (fr *frame) is(x decision.Value, t types.Type) decision.Value {
	if isPart(x) && x.Path == "" && !types.IsInterface(t) {
		if name := library.TypeName(t); name != "" {
			return decision.Bool(name == fr.update.typ)
		}
	}
	return decision.Unknown
}

// compare interprets a comparison.
func (fr *frame) compare(o origin.Origin) decision.Value {
	x, y := fr.operand(o.X), fr.operand(o.Y)
	if x.Side == decision.Bottom || y.Side == decision.Bottom {
		return decision.Value{}
	}
	equal := fr.equal(x, y)
	switch o.Op {
	case token.EQL:
		return equal
	case token.NEQ:
		return equal.Not()
	case token.LSS, token.GTR:
		if equal == decision.Yes {
			return decision.No
		}
	case token.LEQ, token.GEQ:
		if equal == decision.Yes {
			return decision.Yes
		}
	}
	return decision.Unknown
}

// operand returns the value of what is compared, which may be chosen by a part.
func (fr *frame) operand(v ssa.Value) decision.Value {
	if val := fr.At(v); val != decision.Unknown {
		return val
	}
	return fr.chosen(v)
}

// chosen returns a digest of the part that v is chosen by and made of:
//
//	mode := ""
//	if annotations := obj.GetAnnotations(); annotations != nil {
//		mode = annotations["mode"]
//	}
//
// What is chosen in the same way from equal parts is equal.
func (fr *frame) chosen(v ssa.Value) decision.Value {
	choice := origin.Of(v)
	if choice.Kind != origin.Choice {
		return decision.Unknown
	}
	b := v.(ssa.Instruction).Block()
	part := decision.Value{}
	ways := make([]string, len(choice.Edges))
	for i, pred := range b.Preds {
		edge := cfg.Edge{From: pred, To: b}
		if pred != b.Idom() {
			if len(pred.Preds) != 1 || pred.Preds[0] != b.Idom() {
				return decision.Unknown
			}
			edge = cfg.Edge{From: pred.Preds[0], To: pred}
		}
		gate, condition := fr.gate(edge)
		val := fr.At(choice.Edges[i])
		for _, of := range []decision.Value{gate, val} {
			if of.Side == decision.Known {
				continue
			}
			of.Path = "." + firstField(of.Path)
			if !isPart(of) || part.Side != decision.Bottom && part != of {
				return decision.Unknown
			}
			part = of
		}
		ways[i] = condition + ": " + val.Path
	}
	if part.Side == decision.Bottom {
		return decision.Unknown
	}
	slices.Sort(ways)
	return decision.Value{Side: part.Side, Path: part.Path + "[digest " + strings.Join(ways, "; ") + "]"}
}

// gate returns the part that decides whether control takes the edge, and the condition.
func (fr *frame) gate(e cfg.Edge) (decision.Value, string) {
	c, ok := cfg.ConditionOf(e)
	if !ok {
		return decision.Unknown, ""
	}
	c = c.Stripped()
	if v := fr.At(c.Value); isPart(v) {
		return v, fmt.Sprintf("%s is %t", v.Path, c.Holds)
	}
	cmp, ok := c.Comparison()
	if !ok {
		return decision.Unknown, ""
	}
	x, y := fr.At(cmp.X), fr.At(cmp.Y)
	if !isPart(x) || y.Side != decision.Known {
		return decision.Unknown, ""
	}
	return x, x.Path + " " + cmp.Op.String() + " " + y.Path
}

// equal evaluates whether two values are equal.
func (fr *frame) equal(x, y decision.Value) decision.Value {
	switch {
	case x.Side == decision.Known && y.Side == decision.Known:
		return decision.Bool(x == y)
	case isPart(x) && isPart(y) && x.Side != y.Side && x.Path == y.Path:
		return fr.update.equal(x.Path)
	case x == decision.Nil:
		return fr.isNil(y)
	case y == decision.Nil:
		return fr.isNil(x)
	}
	return decision.Unknown
}

// isNil evaluates whether v is nil. An object is not, its deletion timestamp is.
func (fr *frame) isNil(v decision.Value) decision.Value {
	switch {
	case v.Side == event, isPart(v) && v.Path == "":
		return decision.No
	case isPart(v) && strings.HasSuffix(v.Path, ".DeletionTimestamp"):
		return decision.Yes
	}
	return decision.Unknown
}

// results interprets a call and returns its results.
func (fr *frame) results(call *ssa.Call) []decision.Value {
	common := call.Common()
	args, ok := fr.Args(common)
	if !ok {
		return []decision.Value{{}}
	}
	if callee.IsBuiltin(common, "len") && isPart(args[0]) {
		return []decision.Value{{Side: args[0].Side, Path: args[0].Path + "[len]"}}
	}
	obj := callee.Static(common)
	name := library.Name(obj)
	switch known := library.Of(obj); {
	case known.Meaning == library.Reflects:
		return args[:1]
	case known.Meaning == library.ReflectsField && args[1].Side == decision.Known:
		if name, err := strconv.Unquote(args[1].Path); err == nil {
			return []decision.Value{field(args[0], name)}
		}
	}
	if library.Of(obj).Equality && len(args) >= 2 {
		if obj.Signature().Recv() != nil {
			args = args[1:]
		}
		return []decision.Value{fr.equal(args[0], args[1])}
	}
	if obj != nil && len(args) > 0 && isPart(args[0]) {
		if v, ok := accessor(obj, args[0]); ok {
			return []decision.Value{v}
		}
	}
	var results []decision.Value
	fn := callee.Body(common)
	switch {
	case fn != nil:
		name = fn.String()
		results = fr.call(fn, args)
	case obj == nil && !common.IsInvoke():
		results = fr.given(common.Value, args)
	default:
		results = []decision.Value{fr.foreign(obj, name, args)}
	}
	if name == "" {
		return results
	}
	return fr.digests(name, common, args, results)
}

// given interprets a call of a function that the function around the one that decides is
// given, whichever of those that the package gives it:
//
//	func changed(get func(client.Object) any) predicate.Funcs {
//		return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
//			return get(e.ObjectOld) != get(e.ObjectNew)
//		}}
//	}
func (fr *frame) given(f ssa.Value, args []decision.Value) []decision.Value {
	var results []decision.Value
	for i, fn := range fr.p.functions(f) {
		if fn == nil {
			return nil
		}
		of := fr.call(fn, args)
		switch {
		case i == 0:
			results = of
		case len(of) != len(results):
			return nil
		default:
			for j := range results {
				results[j] = results[j].Join(of[j])
			}
		}
	}
	return results
}

// functions returns the functions that a value may be. One that is not known is nil.
func (p *Package) functions(v ssa.Value) (all []*ssa.Function) {
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		var from []ssa.Value
		switch o := origin.Of(v); o.Kind {
		case origin.Func:
			all = append(all, p.index.Own(v.(*ssa.Function)))
			return
		case origin.Closure:
			from = []ssa.Value{o.X}
		case origin.Parameter:
			from = p.index.Passed(v.(*ssa.Parameter))
		default:
			from, _ = p.index.Back(v, origin.Types|origin.Choices|origin.Variables)
		}
		if len(from) == 0 {
			all = append(all, nil)
		}
		for _, w := range from {
			visit(w)
		}
	}
	visit(v)
	return all
}

// digests replaces the results of a call that are not known by digests of a part, if
// the function is given one part, and else only constants and what the function that
// decides is given itself: equal parts have equal digests.
//
//	hash.Of(&old.Spec) != hash.Of(&new.Spec)
func (fr *frame) digests(name string, call *ssa.CallCommon, args, results []decision.Value) []decision.Value {
	part, of := decision.Value{}, "[digest "+name
	for i, a := range args {
		switch param, isParam := callee.Args(call)[i].(*ssa.Parameter); {
		case isPart(a) && part.Side == decision.Bottom:
			part = a
			of += " _"
		case a.Side == decision.Known:
			of += " " + a.Path
		case isParam && !isPart(a) && fr.depth == 1:
			of += " " + param.Name()
		default:
			return results
		}
	}
	if part.Side == decision.Bottom {
		return results
	}
	sig := call.Signature().Results()
	digests := make([]decision.Value, sig.Len())
	for i := range digests {
		digests[i] = decision.Unknown
		if i < len(results) {
			digests[i] = results[i]
		}
		if _, isBasic := sig.At(i).Type().Underlying().(*types.Basic); isBasic && digests[i] == decision.Unknown {
			digests[i] = decision.Value{Side: part.Side, Path: fmt.Sprintf("%s%s #%d]", part.Path, of, i)}
		}
	}
	return digests
}

// accessor interprets the methods that read objects and their metadata. It is not ok for
// other functions.
func accessor(obj *types.Func, recv decision.Value) (decision.Value, bool) {
	if obj.Signature().Recv() == nil {
		return decision.Value{}, false
	}
	name, params := obj.Name(), obj.Signature().Params().Len()
	switch {
	case params > 0:
		return decision.Value{}, false
	case name == "IsZero" && strings.HasSuffix(recv.Path, ".DeletionTimestamp"):
		return decision.Yes, true
	case name == "DeepCopyObject":
		return decision.Unknown, true
	}
	part, ok := strings.CutPrefix(name, "Get")
	if !ok || recv.Path != "" || !metadata[part] {
		return decision.Value{}, false
	}
	return field(recv, part), true
}

// metadata are the fields of metav1.ObjectMeta that have accessors.
var metadata = map[string]bool{
	"Name": true, "GenerateName": true, "Namespace": true, "UID": true, "ResourceVersion": true, "Generation": true,
	"CreationTimestamp": true, "DeletionTimestamp": true, "Labels": true, "Annotations": true, "Finalizers": true,
	"OwnerReferences": true, "ManagedFields": true,
}

// foreign interprets a call of another package's function: the Update of a library's
// predicate, or a function that the other package's fact describes.
func (fr *frame) foreign(obj *types.Func, name string, args []decision.Value) decision.Value {
	if obj == nil {
		return decision.Unknown
	}
	if recv := obj.Signature().Recv(); recv != nil && obj.Name() == "Update" && len(args) == 2 && args[1].Side == event {
		if passes := library.TypeOf(recv.Type()).Passes; passes != 0 {
			return decision.Bool(passes&fr.update.change != 0)
		}
	}
	f := fr.p.imported[name]
	if f == nil {
		return decision.Unknown
	}
	switch n := len(args); {
	case n >= 1 && args[n-1].Side == event,
		n >= 2 && args[n-2] == decision.Value{Side: before} && args[n-1] == decision.Value{Side: after}:
		switch a := f.of(fr.update.typ); {
		case fr.update.change == nothing && a.DropsResync:
			return decision.No
		case fr.update.change == nothing && a.PassesResync:
			return decision.Yes
		case fr.update.change == nothing:
			return decision.Unknown
		case a.Yes&fr.update.change == 0:
			return decision.No
		case a.No&fr.update.change == 0:
			return decision.Yes
		}
	}
	return decision.Unknown
}
