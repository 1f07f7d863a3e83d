package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A step that an object's status records is taken once: the code under the
// condition does not run again when what it made is gone.
//
//	if thing.Status.SecretName == "" {
//		create(secret)
//		thing.Status.SecretName = secret.Name
//	}
//
// The status records it in a field, in a condition of the list, or by the generation that
// it was last taken for. An annotation or a label of the object, or an entry of a map in its status,
// may record it, too.

// Once says for which objects a step is taken once. The lists have TypeNames,
// sorted; "" stands for an object of which the type is not known.
type Once struct {
	// Until are the objects that do not record the step yet. The step's own work does
	// that.
	Until []string
	// While are those whose status does not have something. Perhaps it will have it
	// once the step was taken.
	While []string
	// Unset are fields that a verdict found to record nothing. They are not set where
	// the verdict is, and its caller may set them.
	Unset []Unset
}

// An Unset is a field of an object's status that records nothing yet.
type Unset struct {
	Object        string // the TypeName of the object
	Struct, Field string // the TypeName of the struct that has the field
	Yes           bool   // whether it is a boolean, which records nothing while it is false
}

func (u Unset) compare(v Unset) int {
	return cmp.Or(strings.Compare(u.Object, v.Object), strings.Compare(u.Struct, v.Struct), strings.Compare(u.Field, v.Field))
}

func (o Once) isZero() bool { return len(o.Until)+len(o.While)+len(o.Unset) == 0 }

func (o Once) join(p Once) Once {
	unset := o.Unset
	if len(p.Unset) > 0 {
		unset = slices.Concat(o.Unset, p.Unset)
		slices.SortFunc(unset, Unset.compare)
		unset = slices.Compact(unset)
	}
	return Once{Until: addNames(o.Until, p.Until), While: addNames(o.While, p.While), Unset: unset}
}

// onceOf returns for which objects b is reached once.
func (in *interp) onceOf(fr *frame, b *ssa.BasicBlock) Once {
	var all Once
	for _, g := range in.control.Of(b) {
		all = all.join(in.onceAmong(fr, g))
	}
	for _, g := range in.guardsOf(fr, b) {
		if name := in.asksStatus(g); name != "" {
			all = all.join(Once{While: []string{name}})
		}
	}
	return all
}

// asksStatus returns the TypeName of the object, or "", if the guard is what a function of the module
// answers that gets the object's status and nothing else:
//
//	if isRealized(&thing.Status) { return nil }
func (in *interp) asksStatus(g guard) string {
	call := origin.Of(g.cond).Call
	if call == nil || !g.alone {
		return ""
	}
	fn, args := callee.Static(&call.Call), callee.Args(&call.Call)
	if fn == nil || fn.Pkg() == nil || !in.isOwnPackage(fn.Pkg().Path()) || len(args) != 1 {
		return ""
	}
	status := origin.Of(origin.Through(args[0], origin.Loaded))
	if status.FieldName() != "Status" {
		return ""
	}
	return library.TypeName(status.X.Type())
}

// onceAmong returns for which objects the group holds once. In each of its
// alternatives the status decides. Where another one asks for what the step makes,
// the step is taken again when that is gone.
func (in *interp) onceAmong(fr *frame, g cfg.Group) Once {
	ways := make([]Once, len(g))
	for i, way := range g {
		for _, br := range way {
			ways[i] = ways[i].join(in.once(fr, br.Condition))
		}
	}
	return anyOnce(ways, func(int) bool { return false })
}

// anyOnce joins alternatives. There is nothing if one of them is not decided by a
// status, nor in another way that changes.
func anyOnce(ways []Once, changes func(i int) bool) Once {
	var all Once
	weak := false
	for _, way := range ways {
		weak = weak || len(way.Until) == 0 && len(way.While) > 0
		all = all.join(way)
	}
	if all.isZero() {
		return all
	}
	for i, way := range ways {
		if way.isZero() && !changes(i) {
			return Once{}
		}
	}
	if weak {
		return Once{While: addNames(all.While, all.Until), Unset: all.Unset}
	}
	return all
}

// onceVerdict returns for which objects the function returns yes, or no, once. In
// one of its alternatives at least the status decides. In the others it may be what
// another function returns, but for settings, if this one cannot ask the cluster for
// what the step makes: it reads the status in a way that is not known.
func (in *interp) onceVerdict(fr *frame, leaves []leaf, yes bool) Once {
	leaves = slices.DeleteFunc(slices.Clone(leaves), func(l leaf) bool {
		is, known := isYes(l.val)
		return known && is != yes || l.fails
	})
	ways := make([]Once, len(leaves))
	for i, l := range leaves {
		for _, g := range l.groups {
			// A state that the function excludes is perhaps never entered.
			ways[i] = ways[i].join(Once{Until: in.onceAmong(fr, g).Until, Unset: in.unsetAmong(fr, g)})
		}
		if c := (cfg.Condition{Value: l.val, Holds: yes}); !isConst(l.val) {
			ways[i] = ways[i].join(in.once(fr, c)).join(Once{Unset: in.unset(fr, c)})
		}
		if len(ways[i].Until) > 0 {
			ways[i].Unset = nil // it is decided here
		}
	}
	asks, common := usesContext(fr.fn), commonGuards(leaves)
	return anyOnce(ways, func(i int) bool {
		if asks {
			return false
		}
		if ls, is := in.answers(fr, leaves[i].val, yes); is && !in.areSettings(ls) && asksCall(leaves[i].val) {
			return true
		}
		return slices.ContainsFunc(ownGuards(leaves[i].guards, common), func(g guard) bool {
			return !in.areSettings(g.labels) && asksCall(g.cond)
		})
	})
}

// asksCall reports whether the condition is about what a function returns.
func asksCall(cond ssa.Value) bool {
	switch o := origin.Of(cond); o.Kind {
	case origin.Result:
		return o.Builtin() == "" || o.Builtin() == "len" && asksCall(measured(cond))
	case origin.Computed:
		return asksCall(o.X) || o.Y != nil && asksCall(o.Y)
	}
	return false
}

// commonGuards returns the guards that all the leaves are under. They do not say which
// of the leaves is taken.
func commonGuards(leaves []leaf) []guard {
	if len(leaves) < 2 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(leaves[0].guards), func(g guard) bool {
		return slices.ContainsFunc(leaves[1:], func(l leaf) bool { return len(ownGuards([]guard{g}, l.guards)) > 0 })
	})
}

// usesContext reports whether the function passes on a context, as it must to read
// from the cluster.
func usesContext(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			return ok && slices.ContainsFunc(call.Common().Args, func(arg ssa.Value) bool { return library.TypeOf(arg.Type()).Is == library.Context })
		})
	})
}

// onceOfReceiver returns for which objects the method that is called runs once, if
// another method of the same object decides whether it does:
//
//	for _, s := range steps {
//		if s.CanHandle(thing) { s.Handle(thing) }
//	}
func (im *importer) onceOfReceiver() Once {
	call := im.s.instr.Common()
	if !call.IsInvoke() || im.c.obj == nil {
		return Once{}
	}
	var all Once
	for _, g := range im.in.control.Of(im.s.instr.Block()) {
		if len(g) != 1 {
			continue
		}
		for _, br := range g[0] {
			c := br.Stripped()
			asked := origin.Of(c.Value).Call
			if asked == nil || !asked.Call.IsInvoke() || asked.Call.Value != call.Value {
				continue
			}
			all = all.join(im.onceBy(asked.Call.Method, c.Holds))
		}
	}
	return all
}

// onceBy returns for which objects a method that decides, which the receiver of the
// callee has too, returns yes or no once.
func (im *importer) onceBy(method *types.Func, yes bool) Once {
	named := library.NamedOf(recvType(im.c.obj))
	if named == nil {
		return Once{}
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, method.Pkg(), method.Name())
	fn, ok := m.(*types.Func)
	if !ok {
		return Once{}
	}
	sum := im.in.summaryOf(fn.Origin())
	if sum == nil || len(sum.Verdicts) != 1 {
		return Once{}
	}
	o := sum.Verdicts[0].No.Once
	if yes {
		o = sum.Verdicts[0].Yes.Once
	}
	if len(o.Unset) > 0 {
		return Once{} // the code that calls both does not set it
	}
	return o
}

// once returns for which objects the condition holds once.
func (in *interp) once(fr *frame, c cfg.Condition) Once {
	c = c.Stripped()
	if o, ok := fr.verdict(c.Value, c.Holds); ok && !o.Once.isZero() {
		return in.settled(c, o.Once)
	}
	if name := in.lacksFinalizer(c); name != "" {
		return Once{Until: []string{name}}
	}
	if name, at, ok := in.unrecorded(c); ok {
		if at.other != nil && slices.ContainsFunc(in.reg(fr, at.other).labels, Label.IsSource) {
			return Once{} // it is another one each time
		}
		if in.records(c, name, at) {
			return Once{Until: []string{name}}
		}
		if at.condition || at.entry == "" && (in.onlySet(at) || len(in.setInPackage().fields[at.field]) == 0) {
			return Once{While: []string{name}}
		}
	}
	return Once{}
}

// lacksFinalizer returns the TypeName of the object if the condition is that it does not have the
// finalizer which the code under it, or the condition, adds; or "".
//
//	if !controllerutil.ContainsFinalizer(thing, finalizer) {
//		controllerutil.AddFinalizer(thing, finalizer)
//		…
//	}
func (in *interp) lacksFinalizer(c cfg.Condition) string {
	call := origin.Of(c.Value).Call
	if call == nil {
		return ""
	}
	adds := func(instr ssa.Instruction) bool {
		call, ok := instr.(ssa.CallInstruction)
		return ok && library.Of(callee.Static(call.Common())).Finalizer == library.AddsFinalizer
	}
	switch library.Of(callee.Static(&call.Call)).Finalizer {
	case library.AsksFinalizer:
		if c.Holds || !in.anyRuns(regionOf(c), adds, make(map[*ssa.Function]bool)) {
			return ""
		}
	case library.AddsFinalizer:
		if !c.Holds {
			return ""
		}
	default:
		return ""
	}
	return concreteName(dynamicType(call.Call.Args[0]))
}

// settled returns the verdict, with the fields that it found unset: the code under the
// condition sets all of them, or there is nothing.
func (in *interp) settled(c cfg.Condition, o Once) Once {
	for _, u := range o.Unset {
		at := recorded{field: fieldKey{u.Struct, u.Field}, yes: u.Yes}
		switch {
		case in.records(c, u.Object, at):
			o.Until = addName(o.Until, u.Object)
		case in.onlySet(at):
			o.While = addName(o.While, u.Object)
		default:
			return Once{}
		}
	}
	o.Unset = nil
	return o
}

// unsetAmong returns the fields of a status that the group, which has no alternatives,
// finds unset, as far as the code here does not decide whether they are set.
func (in *interp) unsetAmong(fr *frame, g cfg.Group) []Unset {
	if len(g) != 1 {
		return nil
	}
	var all Once
	for _, br := range g[0] {
		all = all.join(Once{Unset: in.unset(fr, br.Condition)})
	}
	return all.Unset
}

// unset is unsetAmong for one condition.
func (in *interp) unset(fr *frame, c cfg.Condition) []Unset {
	c = c.Stripped()
	if o, ok := fr.verdict(c.Value, c.Holds); ok {
		return o.Once.Unset
	}
	name, at, ok := in.unrecorded(c)
	if !ok || at.condition || at.generation || at.entry != "" {
		return nil
	}
	return []Unset{{Object: name, Struct: at.field.typ, Field: at.field.field, Yes: at.yes}}
}

// A recorded is where a status records a step.
type recorded struct {
	condition  bool // in a condition of the list
	generation bool // by the generation
	kind       ssa.Value
	reason     string // the reason of the condition by which it does, or ""
	field      fieldKey
	yes        bool   // whether the field is a boolean, which records nothing while it is false
	entry      string // the key of an annotation or a label of the object
	// other is what the entry is not. It is nil if the condition is that there is none.
	other ssa.Value
}

// unrecorded returns the TypeName of the object whose status, annotations or labels do
// not have something, or "", if c is the condition that they do not.
func (in *interp) unrecorded(c cfg.Condition) (name string, at recorded, ok bool) {
	if call := origin.Of(c.Value).Call; call != nil {
		known := library.Of(callee.Static(call.Common()))
		switch {
		case known.Condition == library.AbsenceCondition && c.Holds && len(call.Call.Args) > 0: // Time.IsZero
			return in.statusField(call.Call.Args[0])
		case known.Effect == library.AsksCondition && !c.Holds:
			name, ok := conditionsOwner(call.Call.Args[0])
			return name, recorded{condition: true, kind: call.Call.Args[1]}, ok
		case known.Effect == library.PointedTo && !c.Holds:
			if absent, ok := constants.Bool(call.Call.Args[1]); ok && !absent {
				return in.statusFlag(call.Call.Args[0])
			}
		}
		return "", recorded{}, false
	}
	switch o := origin.Of(c.Value); {
	case c.Holds:
	case o.Kind == origin.Loaded || o.Kind == origin.Field:
		return in.statusFlag(c.Value)
	case o.Kind == origin.OK:
		return in.ownEntry(o.X)
	}
	cmp, ok := c.Comparison()
	if !ok {
		return "", recorded{}, false
	}
	if cmp.Op == token.NEQ {
		if name, at, ok := in.otherGeneration(cmp); ok {
			return name, at, true
		}
		return in.otherEntry(c, cmp)
	}
	isZero := cmp.Op == token.EQL || cmp.Op == token.LEQ && isLen(cmp.X)
	if !isZero || !constants.IsZero(cmp.Y) {
		return "", recorded{}, false
	}
	if call := foundCondition(cmp.X); call != nil {
		name, ok := conditionsOwner(call.Call.Args[0])
		return name, recorded{condition: true, kind: call.Call.Args[1]}, ok
	}
	if name, at, ok := in.ownEntry(cmp.X); ok {
		return name, at, true
	}
	name, at, ok = in.statusField(measured(cmp.X))
	at.yes = ok && isFlag(cmp.X.Type())
	return name, at, ok
}

// ownEntry is unrecorded for the absence of v, an entry of an object's annotations or
// labels, or of a map in its status, under a constant key.
func (a *analysisState) ownEntry(v ssa.Value) (name string, at recorded, ok bool) {
	entry := origin.Of(v)
	if !isMapEntry(entry) {
		return "", recorded{}, false
	}
	key, known := a.text(entry.Key)
	name, ok = entriesOwner(entry.X)
	return name, recorded{entry: key}, ok && known && key != ""
}

// otherEntry is unrecorded for the comparison that an entry is not what the object asks
// for: a constant, or what follows from the object itself.
//
//	if wanted := thing.Annotations["wanted"]; wanted != thing.Annotations["applied"] {
//		create(request)
//		thing.Annotations["applied"] = wanted
//	}
func (in *interp) otherEntry(c cfg.Condition, cmp cfg.Comparison) (name string, at recorded, ok bool) {
	for _, pair := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
		name, at, ok := in.ownEntry(pair[0])
		if isConst(pair[1]) && constants.IsZero(pair[1]) {
			continue // there is one
		}
		if ok && name != "" && followsFrom(pair[1], name, maxMaking) {
			at.other = pair[1]
			if in.records(c, name, at) { // both may be entries
				return name, at, true
			}
		}
	}
	return "", recorded{}, false
}

// maxMaking bounds the steps from a value to the object that it is made from.
const maxMaking = 8

// followsFrom reports whether v is a constant, or is made from an object of the named
// type and from nothing else.
func followsFrom(v ssa.Value, name string, depth int) bool {
	if depth == 0 {
		return false
	}
	all := func(vs []ssa.Value) bool {
		return len(vs) > 0 && !slices.ContainsFunc(vs, func(v ssa.Value) bool { return !followsFrom(v, name, depth-1) })
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return true
	case origin.Field, origin.Element, origin.Loaded, origin.Renamed, origin.Converted, origin.Boxed:
		return concreteName(v.Type()) == name || all([]ssa.Value{o.X})
	case origin.Computed:
		return o.Y != nil && all([]ssa.Value{o.X, o.Y})
	case origin.Choice:
		return all(o.Edges)
	case origin.Sliced: // the variable arguments of a call
		elems, ok := origin.Listed(v)
		return ok && all(elems)
	case origin.Result:
		return !o.Call.Call.IsInvoke() && o.Call.Call.StaticCallee() != nil && all(callee.Args(o.Call.Common()))
	}
	return concreteName(v.Type()) == name
}

// entriesOwner returns the TypeName of the object, or "", whose annotations or labels m
// is, or in whose status it is.
func entriesOwner(m ssa.Value) (name string, ok bool) {
	if name := statusOwner(m); name != "" {
		return name, true
	}
	if field, of := origin.FieldOf(m); field != nil {
		return ownerOfMeta(of), field.Name() == "Annotations" || field.Name() == "Labels"
	}
	call := origin.Of(m).Call
	if call == nil {
		return "", false
	}
	fn := callee.Static(call.Common())
	if fn == nil || fn.Name() != "GetAnnotations" && fn.Name() != "GetLabels" {
		return "", false
	}
	args := callee.Args(call.Common())
	if len(args) != 1 {
		return "", false
	}
	if name := concreteName(args[0].Type()); library.TypeNamed(name).Is != library.ObjectMeta {
		return name, true
	}
	return ownerOfMeta(args[0]), true
}

// setsEntry reports whether the instruction sets the entry of the object of which the
// TypeName is given, or calls a function of the package that sets the entry under the key
// that it is given. If the entry is to be a constant, it sets that.
func (in *interp) setsEntry(instr ssa.Instruction, owner string, at recorded) bool {
	isKey := func(v ssa.Value) bool {
		key, ok := constants.String(v)
		return ok && key == at.entry
	}
	isValue := func(v ssa.Value) bool {
		if at.other == nil || !isConst(at.other) {
			return true
		}
		wanted, _ := constants.String(at.other)
		set, ok := constants.String(v)
		return ok && set == wanted
	}
	if set, ok := instr.(*ssa.MapUpdate); ok {
		return isKey(set.Key) && isValue(set.Value) && slices.ContainsFunc(choices(set.Map), func(m ssa.Value) bool {
			name, of := entriesOwner(m)
			return of && name == owner
		})
	}
	call, ok := instr.(ssa.CallInstruction)
	if ok && library.Of(callee.Static(call.Common())).Effect == library.SetsMetadataEntry {
		args := call.Common().Args
		return isKey(args[1]) && isValue(args[2]) && ownerOfMeta(args[0]) == owner
	}
	if !ok || !slices.ContainsFunc(call.Common().Args, isKey) || !slices.ContainsFunc(call.Common().Args, isValue) ||
		!slices.ContainsFunc(call.Common().Args, func(arg ssa.Value) bool { return library.TypeName(dynamicType(arg)) == owner }) {
		return false
	}
	return slices.ContainsFunc(in.runBy(instr), func(fn *ssa.Function) bool {
		return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
				set, ok := instr.(*ssa.MapUpdate)
				return ok && origin.Of(set.Key).Kind == origin.Parameter
			})
		})
	})
}

// choices returns the values that v is chosen from, or v: a map that is made where there
// is none.
func choices(v ssa.Value) []ssa.Value {
	if o := origin.Of(v); o.Kind == origin.Choice {
		return o.Edges
	}
	return []ssa.Value{v}
}

// dynamicType returns the type of what v boxes, or of v.
func dynamicType(v ssa.Value) types.Type {
	if o := origin.Of(v); o.Kind == origin.Boxed {
		return o.X.Type()
	}
	return v.Type()
}

// statusFlag is unrecorded for v, a boolean in a status or what a pointer there points to,
// being false.
func (in *interp) statusFlag(v ssa.Value) (name string, at recorded, ok bool) {
	if of := origin.Of(v).X; origin.Of(of).Kind == origin.Loaded {
		v = of
	}
	name, at, ok = in.statusField(v)
	at.yes = true
	return name, at, ok
}

// isFlag reports whether t is a boolean, or a pointer to one.
func isFlag(t types.Type) bool { return library.IsBool(library.Deref(t)) }

// otherGeneration is unrecorded for the comparison that a generation is not the one
// observed, or that a condition is not true, or has not a certain reason.
func (in *interp) otherGeneration(cmp cfg.Comparison) (name string, at recorded, ok bool) {
	for _, pair := range [][2]ssa.Value{{cmp.X, cmp.Y}, {cmp.Y, cmp.X}} {
		field, of := origin.FieldOf(pair[0])
		if field == nil {
			continue
		}
		switch field.Name() {
		case "ObservedGeneration":
			if owner, ok := generationOf(pair[1]); ok {
				return owner, recorded{generation: true}, true
			}
		case "Status":
			call := foundCondition(of)
			if set, _ := constants.String(pair[1]); call != nil && set == "True" {
				name, ok := conditionsOwner(call.Call.Args[0])
				return name, recorded{condition: true, kind: call.Call.Args[1]}, ok
			}
		case "Reason":
			call := foundCondition(of)
			if reason, _ := constants.String(pair[1]); call != nil && reason != "" {
				name, ok := conditionsOwner(call.Call.Args[0])
				kind := fieldKey{library.TypeName(library.Deref(of.Type())), "Type"}
				return name, recorded{condition: true, kind: call.Call.Args[1], reason: reason, field: kind}, ok
			}
		}
	}
	return "", recorded{}, false
}

// generationOf returns the TypeName of the object, or "", if v is its generation.
func generationOf(v ssa.Value) (name string, ok bool) {
	o := origin.Of(v)
	if o.Call != nil {
		fn := callee.Static(o.Call.Common())
		if fn == nil || fn.Name() != "GetGeneration" || fn.Signature().Recv() == nil {
			return "", false
		}
		if o.Call.Call.IsInvoke() {
			return concreteName(o.Call.Call.Value.Type()), true
		}
		return ownerOfMeta(o.Call.Call.Args[0]), true
	}
	field, of := origin.FieldOf(v)
	if field == nil || field.Name() != "Generation" {
		return "", false
	}
	return ownerOfMeta(of), true
}

// ownerOfMeta returns the TypeName of the object that the metadata v is embedded in,
// or of v itself.
func ownerOfMeta(v ssa.Value) string {
	for range maxDepth {
		o := origin.Of(v)
		if o.Kind != origin.Field && o.Kind != origin.Loaded {
			break
		}
		v = o.X
		if o.Kind == origin.Field && o.Field != nil && o.Field.Name() == "ObjectMeta" {
			break
		}
	}
	return concreteName(v.Type())
}

// concreteName returns the TypeName of t, or "" if it is an interface or a type
// parameter.
func concreteName(t types.Type) string {
	if types.IsInterface(t) {
		return ""
	}
	name := library.TypeName(t)
	if strings.HasPrefix(name, "$") {
		return ""
	}
	return name
}

// statusField is unrecorded for the absence of v, a field of a status.
func (in *interp) statusField(v ssa.Value) (name string, at recorded, ok bool) {
	name = statusOwner(v)
	field, of := origin.FieldOf(v)
	if field == nil {
		if o := origin.Of(v); o.Kind == origin.Field && o.Field != nil { // its address
			field, of = o.Field, o.X
		}
	}
	if name == "" || field == nil {
		return "", recorded{}, false
	}
	return name, recorded{field: fieldKey{library.TypeName(library.Deref(of.Type())), field.Name()}}, true
}

// foundCondition returns the call that found the condition of the list that v is, or
// nil.
func foundCondition(v ssa.Value) *ssa.Call {
	call := origin.Of(v).Call
	if call == nil || library.Of(callee.Static(call.Common())).Effect != library.FindsCondition {
		return nil
	}
	return call
}

// conditionsOwner returns the TypeName of the object that has the conditions, or "".
func conditionsOwner(v ssa.Value) (name string, ok bool) {
	if name := statusOwner(v); name != "" {
		return name, true
	}
	if call := origin.Of(v).Call; call != nil { // GetConditions
		if args := callee.Args(call.Common()); len(args) == 1 {
			return concreteName(args[0].Type()), true
		}
	}
	return "", false
}

// records reports whether the code under the condition, or another method of the
// step, makes the status, or the entry of an object of the named type, record what the
// condition asks for.
func (in *interp) records(c cfg.Condition, name string, at recorded) bool {
	if at.generation {
		return true
	}
	if at.reason != "" {
		return in.recordsReason(at)
	}
	if at.yes && !in.onlySet(at) {
		return false // it says how something is, and not that it was done
	}
	sets := at.isSetBy
	if at.entry != "" {
		sets = func(instr ssa.Instruction) bool { return in.setsEntry(instr, name, at) }
	}
	seen := make(map[*ssa.Function]bool)
	if in.anyRuns(regionOf(c), sets, seen) {
		return true
	}
	fn := c.Value.Parent()
	return isVerdict(fn) && slices.ContainsFunc(in.ssa.Funcs, func(other *ssa.Function) bool {
		return sameReceiver(other, fn) && in.anyRuns(other.Blocks, sets, seen)
	})
}

// isEmptied reports whether v is certainly zero.
func isEmptied(v ssa.Value) bool {
	if o := origin.Of(v); o.Kind == origin.Loaded && origin.Of(o.X).Kind == origin.Local { // metav1.Time{}
		return len(origin.StoredAt(o.X)) == 0 && !origin.StoredBelow(o.X)
	}
	return isConst(v) && constants.IsZero(v)
}

// isTrue reports whether v is certainly true, or points to what is.
func isTrue(v ssa.Value) bool {
	if set, ok := constants.Bool(v); ok {
		return set
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Local:
		stored := origin.StoredAt(v)
		return len(stored) > 0 && !slices.ContainsFunc(stored, func(v ssa.Value) bool { return !isTrue(v) })
	case origin.Result: // ptr.To
		return slices.ContainsFunc(o.Call.Call.Args, func(arg ssa.Value) bool { return library.IsBool(arg.Type()) && isTrue(arg) })
	}
	return false
}

// isMadeBy reports whether what is stored in the field makes it record a step.
func (at recorded) isMadeBy(stored ssa.Value) bool {
	if at.yes {
		return isTrue(stored)
	}
	return !isEmptied(stored)
}

// onlySet reports whether the package sets the field somewhere, and nowhere empties it.
func (in *interp) onlySet(at recorded) bool {
	set := false
	for _, store := range in.setInPackage().fields[at.field] {
		switch {
		case at.isMadeBy(store.Val):
			set = true
		case origin.Of(origin.Of(store.Addr).X).Kind != origin.Result: // a copy, to compare with
			return false
		}
	}
	return set
}

// isVerdict reports whether the method only decides: its one result is a boolean.
func isVerdict(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	return res.Len() == 1 && library.IsBool(res.At(0).Type())
}

// isSetBy reports whether the instruction stores something in the field, or makes a
// condition of the kind.
func (at recorded) isSetBy(instr ssa.Instruction) bool {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	field := origin.Of(store.Addr)
	if field.Kind != origin.Field || field.Field == nil {
		return false
	}
	typ := library.TypeName(library.Deref(field.X.Type()))
	if at.condition {
		return library.TypeNamed(typ).Is == library.StatusCondition && field.FieldName() == "Type" && sameKind(store.Val, at.kind)
	}
	return at.isMadeBy(store.Val) && at.field == fieldKey{typ, field.FieldName()}
}

// sameKind reports whether two types of conditions are one: a constant, or what is
// read from one field.
func sameKind(a, b ssa.Value) bool {
	x, isConst := constants.String(a)
	if y, ok := constants.String(b); ok || isConst {
		return ok && isConst && x == y
	}
	f, _ := origin.FieldOf(a)
	g, _ := origin.FieldOf(b)
	return f != nil && g != nil && f.Name() == g.Name()
}

// debug writes the objects.
func (o Once) debug(w *text.Writer) {
	line := func(what string, names []string) {
		if len(names) > 0 {
			w.Linef("%s %s", what, strings.ReplaceAll(text.Name(strings.Join(names, ", ")), `""`, "?"))
		}
	}
	line("once, until recorded by", o.Until)
	line("without something in the status of", o.While)
	for _, u := range o.Unset {
		w.Linef("before %s of %s is set", u.Field, text.Name(u.Object))
	}
}
