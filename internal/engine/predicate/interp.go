package predicate

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A world is an update to ask a function about: an object of a type that is not
// being deleted, and in which nothing has changed but one thing.
type world struct {
	change library.Changes
	typ    string // a TypeName, or "" for one that the function does not ask for
}

// equal says whether the old and the new object are equal at a path.
func (w world) equal(path string) value {
	field, _, _ := strings.Cut(strings.TrimPrefix(path, ".ObjectMeta"), "[")
	field, _, _ = strings.Cut(strings.TrimPrefix(field, "."), ".")
	in := library.Content
	switch field {
	case "", "ResourceVersion":
		return no
	case "Name", "Namespace", "UID", "CreationTimestamp", "DeletionTimestamp", "Finalizers", "OwnerReferences",
		"GenerateName", "SelfLink", "TypeMeta", "Kind", "APIVersion":
		return yes
	case "Generation":
		if w.change == library.Generation {
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
	if in&w.change != 0 {
		return unknown // which part of it has changed, is not said
	}
	return yes
}

// A value is what is known of a value: nothing yet (the zero value), which part
// of which object it is, a boolean, that it is nil, or nothing at all.
type value struct {
	side side
	path string // with pointers transparent, ".Spec.Replicas"
}

type side uint8

const (
	undecided side = iota
	event          // the update
	before         // the object as it was
	after          // the object as it is
	known          // a constant: path says which
	anything
)

var (
	no      = value{known, "false"}
	yes     = value{known, "true"}
	null    = value{known, "nil"}
	unknown = value{side: anything}
)

func boolean(b bool) value {
	if b {
		return yes
	}
	return no
}

func (v value) not() value {
	switch v {
	case no:
		return yes
	case yes:
		return no
	}
	return unknown
}

// join returns what is known of a value that may be v or w.
func (v value) join(w value) value {
	switch {
	case v.side == undecided:
		return w
	case w.side == undecided || v == w:
		return v
	}
	return unknown
}

// isPart reports whether v is one of the objects, or a part of one.
func (v value) isPart() bool { return v.side == before || v.side == after }

// field returns the field of v.
func (v value) field(name string) value {
	switch {
	case v.side == event && (name == "ObjectOld" || name == "MetaOld"): // MetaOld up to 0.6
		return value{side: before}
	case v.side == event && (name == "ObjectNew" || name == "MetaNew"):
		return value{side: after}
	case v.isPart():
		return value{v.side, v.path + "." + name}
	}
	return unknown
}

const (
	// maxCalls bounds how deeply functions are followed.
	maxCalls = 6
	// maxPasses bounds how often the blocks of a function are interpreted; they
	// settle sooner.
	maxPasses = 50
)

// An interp interprets functions in a world: conditional constant propagation,
// with parts of the two objects as constants.
type interp struct {
	p     *Package
	world world
	depth int
}

// A frame is the interpretation of one function.
type frame struct {
	*interp
	values map[ssa.Value]value
	tuples map[ssa.Value][]value
	edges  map[[2]*ssa.BasicBlock]bool // control may take
	result []value
}

// call interprets a function and returns its results.
func (in *interp) call(fn *ssa.Function, args []value) []value {
	if in.depth >= maxCalls || len(fn.Blocks) == 0 || len(args) != len(fn.Params) {
		return nil
	}
	in.depth++
	defer func() { in.depth-- }()
	fr := &frame{
		interp: in,
		values: make(map[ssa.Value]value),
		tuples: make(map[ssa.Value][]value),
		edges:  make(map[[2]*ssa.BasicBlock]bool),
		result: make([]value, fn.Signature.Results().Len()),
	}
	for i, p := range fn.Params {
		fr.values[p] = args[i]
	}
	for _, fv := range fn.FreeVars {
		fr.values[fv] = unknown
	}
	for range maxPasses {
		changed := false
		for _, b := range fn.Blocks {
			if fr.reached(b) && fr.block(b) {
				changed = true
			}
		}
		if !changed {
			return fr.result
		}
	}
	return nil
}

func (fr *frame) reached(b *ssa.BasicBlock) bool {
	if b.Index == 0 {
		return true
	}
	for _, p := range b.Preds {
		if fr.edges[[2]*ssa.BasicBlock{p, b}] {
			return true
		}
	}
	return false
}

// block interprets b and reports whether more is known behind it.
func (fr *frame) block(b *ssa.BasicBlock) bool {
	changed := false
	take := func(succ *ssa.BasicBlock) {
		edge := [2]*ssa.BasicBlock{b, succ}
		changed = changed || !fr.edges[edge]
		fr.edges[edge] = true
	}
	for _, instr := range b.Instrs {
		switch instr := instr.(type) {
		case *ssa.If:
			cond := fr.value(instr.Cond)
			if cond != no && cond.side != undecided {
				take(b.Succs[0])
			}
			if cond != yes && cond.side != undecided {
				take(b.Succs[1])
			}
		case *ssa.Jump:
			take(b.Succs[0])
		case *ssa.Return:
			for i, r := range instr.Results {
				joined := fr.result[i].join(fr.value(r))
				changed = changed || joined != fr.result[i]
				fr.result[i] = joined
			}
		case ssa.Value:
			v := fr.eval(instr)
			changed = changed || v != fr.values[instr]
			fr.values[instr] = v
		}
	}
	return changed
}

// value returns what is known of an operand.
func (fr *frame) value(v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.Const:
		switch {
		case v.Value == nil:
			return null
		case v.Value.Kind() == constant.Bool:
			return boolean(constant.BoolVal(v.Value))
		}
		return value{known, v.Value.ExactString()}
	case *ssa.Global, *ssa.Function, *ssa.Builtin:
		return unknown
	}
	return fr.values[v]
}

func (fr *frame) eval(instr ssa.Value) value {
	switch v := instr.(type) {
	case *ssa.Alloc:
		return fr.stored(v)
	case *ssa.FieldAddr:
		return fr.value(v.X).field(fieldName(v.X.Type(), v.Field))
	case *ssa.Field:
		return fr.value(v.X).field(fieldName(v.X.Type(), v.Field))
	case *ssa.IndexAddr:
		return fr.element(v.X, v.Index)
	case *ssa.Index:
		return fr.element(v.X, v.Index)
	case *ssa.Lookup:
		elem := fr.element(v.X, v.Index)
		if v.CommaOk {
			ok := unknown
			if elem.isPart() {
				ok = value{elem.side, elem.path + "[ok]"}
			}
			fr.tuples[v] = []value{elem, ok}
		}
		return elem
	case *ssa.UnOp:
		switch x := fr.value(v.X); {
		case x.side == undecided:
			return x
		case v.Op == token.NOT:
			return x.not()
		case v.Op == token.MUL:
			return x
		}
	case *ssa.BinOp:
		return fr.compare(v)
	case *ssa.Phi:
		var joined value
		for i, e := range v.Edges {
			if fr.edges[[2]*ssa.BasicBlock{v.Block().Preds[i], v.Block()}] {
				joined = joined.join(fr.value(e))
			}
		}
		return joined
	case *ssa.MakeInterface:
		return fr.value(v.X)
	case *ssa.ChangeInterface:
		return fr.value(v.X)
	case *ssa.ChangeType:
		return fr.value(v.X)
	case *ssa.Convert:
		return fr.value(v.X)
	case *ssa.TypeAssert:
		return fr.assert(v)
	case *ssa.Extract:
		if vals := fr.tuples[v.Tuple]; v.Index < len(vals) {
			return vals[v.Index]
		}
	case *ssa.Call:
		results := fr.callee(v)
		if len(results) == 1 {
			return results[0]
		}
		fr.tuples[v] = results
	}
	return unknown
}

// stored returns what a local variable holds that is assigned to once.
func (fr *frame) stored(v *ssa.Alloc) value {
	stored := undecidedIfNone
	for _, ref := range *v.Referrers() {
		store, ok := ref.(*ssa.Store)
		if !ok || store.Addr != v {
			continue
		}
		if stored != undecidedIfNone {
			return unknown
		}
		stored = fr.value(store.Val)
	}
	if stored == undecidedIfNone {
		return unknown
	}
	return stored
}

// undecidedIfNone stands for no assignment.
var undecidedIfNone = value{undecided, "none"}

// element returns the element of x at an index or under a key.
func (fr *frame) element(x, index ssa.Value) value {
	v := fr.value(x)
	if !v.isPart() {
		return unknown
	}
	key := "?"
	if c, ok := index.(*ssa.Const); ok && c.Value != nil {
		key = c.Value.ExactString()
	}
	return value{v.side, v.path + "[" + key + "]"}
}

// assert returns what an object is as one of a certain type.
func (fr *frame) assert(v *ssa.TypeAssert) value {
	x := fr.value(v.X)
	ok := unknown
	if x.isPart() && x.path == "" && !types.IsInterface(v.AssertedType) {
		if name := library.TypeName(v.AssertedType); name != "" {
			ok = boolean(name == fr.world.typ)
		}
	}
	if v.CommaOk {
		fr.tuples[v] = []value{x, ok}
	}
	return x
}

// compare interprets a comparison.
func (fr *frame) compare(b *ssa.BinOp) value {
	x, y := fr.value(b.X), fr.value(b.Y)
	if x.side == undecided || y.side == undecided {
		return value{}
	}
	equal := fr.equal(x, y)
	switch b.Op {
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

// equal says whether two values are equal.
func (fr *frame) equal(x, y value) value {
	switch {
	case x.side == known && y.side == known:
		return boolean(x == y)
	case x.isPart() && y.isPart() && x.side != y.side && x.path == y.path:
		return fr.world.equal(x.path)
	case x == null:
		return fr.isNil(y)
	case y == null:
		return fr.isNil(x)
	}
	return unknown
}

// isNil says whether v is nil: an object is not, the time of its deletion is.
func (fr *frame) isNil(v value) value {
	switch {
	case v.side == event, v.isPart() && v.path == "":
		return no
	case v.isPart() && strings.HasSuffix(v.path, ".DeletionTimestamp"):
		return yes
	}
	return unknown
}

// callee interprets a call.
func (fr *frame) callee(call *ssa.Call) []value {
	common := call.Common()
	var args []value
	if common.IsInvoke() {
		args = append(args, fr.value(common.Value))
	}
	for _, a := range common.Args {
		args = append(args, fr.value(a))
	}
	for _, a := range args {
		if a.side == undecided {
			return []value{{}}
		}
	}
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "len" && args[0].isPart() {
		return []value{{args[0].side, args[0].path + "[len]"}}
	}
	obj := ssair.Callee(common)
	name := library.Name(obj)
	if library.Equality(name) && len(args) >= 2 {
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
	if fn := ssair.Body(common); fn != nil {
		return fr.call(fn, args)
	}
	return []value{fr.foreign(obj, name, args)}
}

// accessor interprets the methods by which objects and their metadata are
// looked at.
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
	if !ok || recv.path != "" && recv.path != ".ObjectMeta" || !metadata[field] {
		return value{}, false
	}
	return value{recv.side, recv.path + "." + field}, true
}

// metadata are the fields of metav1.ObjectMeta that have accessors.
var metadata = map[string]bool{
	"Name": true, "GenerateName": true, "Namespace": true, "UID": true, "ResourceVersion": true, "Generation": true,
	"CreationTimestamp": true, "DeletionTimestamp": true, "Labels": true, "Annotations": true, "Finalizers": true,
	"OwnerReferences": true, "ManagedFields": true,
}

// foreign interprets a call of another package's function: a predicate's Update,
// or a function that was interpreted there.
func (fr *frame) foreign(obj *types.Func, name string, args []value) value {
	if obj == nil {
		return unknown
	}
	if recv := obj.Signature().Recv(); recv != nil && obj.Name() == "Update" && len(args) == 2 && args[1].side == event {
		if passes, ok := library.PredicateType(library.TypeName(recv.Type())); ok {
			return boolean(passes&fr.world.change != 0)
		}
	}
	f := fr.p.known[name]
	if f == nil {
		return unknown
	}
	switch n := len(args); {
	case n >= 1 && args[n-1].side == event,
		n >= 2 && args[n-2] == value{side: before} && args[n-1] == value{side: after}:
		switch a := f.of(fr.world.typ); {
		case a.Yes&fr.world.change == 0:
			return no
		case a.No&fr.world.change == 0:
			return yes
		}
	}
	return unknown
}

func fieldName(t types.Type, i int) string {
	if ptr, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return types.Unalias(t).Underlying().(*types.Struct).Field(i).Name()
}
