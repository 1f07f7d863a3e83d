package flow

import (
	"cmp"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A user may leave out a part of the spec:
//
//	if thing.Spec.Manager != nil { return nil }
//	if len(thing.Spec.Pools) == 0 { … }
//
// It then stays absent, so that this is no guard, unless code that runs under the
// condition sets that part. Of the module's own objects all such code is known. Of
// other objects the API server or their controllers may set it.

// isLeftOut reports whether the condition, that something is absent, is about parts
// of the spec of the module's own objects, and nothing sets these. The labels are
// those that feed the condition.
func (in *interp) isLeftOut(fr *frame, c cfg.Condition, ls labels) bool {
	x, _, compares := comparedConst(c.Value)
	if !compares {
		fields, ok := in.lackingFields(fr, c)
		return ok && !in.isAnyFieldSet(c, fields)
	}
	fields, ok := in.specFields(fr, measured(x))
	if !ok {
		fields, ok = in.specFieldsOf(fr, measured(x), ls)
	}
	return ok && !in.isAnyFieldSet(c, fields)
}

// isAnyFieldSet reports whether code that may run in a reconcile in which the condition is
// tested sets one of the fields, or code of another package that runs under the condition
// does. The spec of an object that is made where it is set is that of another one:
//
//	cluster := &v1.Cluster{Spec: service.Spec.Cluster}
//
// A default is set once. Only whether there is something at all depends on it:
//
//	if cluster.Spec.Version == "" { cluster.Spec.Version = version.Current }
//
// What a function for defaults sets is there when the condition is tested, unless it is called
// under the condition:
//
//	func (c *Cluster) SetDefaults() { … }
func (in *interp) isAnyFieldSet(c cfg.Condition, fields []fieldKey) bool {
	if patchesRaw(c.Value.Parent()) {
		return true
	}
	if in.isSpecKept(c.Value.Parent(), fields) {
		return false
	}
	set := in.setInPackage()
	isAboutSome := asksForSome(c)
	isSet := func(f fieldKey) bool {
		stores := slices.DeleteFunc(slices.Clone(set.fields[f]), func(s *ssa.Store) bool {
			return in.isOfNew(s) || !isAboutSome && in.isDefault(s) || in.setsDefaults(s, c)
		})
		return in.isSetWith(c.Value.Parent(), stores)
	}
	return slices.ContainsFunc(fields, isSet) || in.othersSet(regionOf(c), fields)
}

// patchesRaw reports whether the function makes a patch of bytes, which may set any field.
func patchesRaw(fn *ssa.Function) bool {
	return fn != nil && slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			return ok && library.Of(callee.Static(call.Common())).Role() == library.RawPatch
		})
	})
}

// isSpecKept reports whether the first of the fields is the spec of an object that no code writes in
// the reconciles in which the function runs. What code sets there is gone when the reconcile ends.
func (in *interp) isSpecKept(fn *ssa.Function, fields []fieldKey) bool {
	return fn != nil && len(fields) > 0 && fields[0].field == "Spec" && in.isNeverWrittenWith(fn, writes{object: fields[0].typ})
}

// setsDefaults reports whether the instruction stores what a function for defaults, by its name, has
// of its own, and no code under the condition calls that function.
//
// Source: https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#defaulting
func (in *interp) setsDefaults(s *ssa.Store, c cfg.Condition) bool {
	fn := s.Parent()
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return strings.Contains(strings.ToLower(fn.Name()), "default") && origin.Of(s.Val).Kind != origin.Parameter &&
		!in.anyRuns(regionOf(c), func(instr ssa.Instruction) bool { return instr == s }, make(map[*ssa.Function]bool))
}

// asksForSome reports whether the condition is that a field has something, or that it has nothing.
func asksForSome(c cfg.Condition) bool {
	x, k, compares := comparedConst(c.Stripped().Value)
	if !compares || !constants.IsZero(k) {
		return false
	}
	field, _ := origin.FieldOf(measured(x))
	return field != nil
}

// isDefault reports whether the instruction only stores something in a field that has nothing.
func (in *interp) isDefault(s *ssa.Store) bool {
	to := origin.Of(s.Addr)
	return to.Kind == origin.Field && slices.ContainsFunc(in.control.Of(s.Block()), func(g cfg.Group) bool {
		return len(g) == 1 && slices.ContainsFunc(g[0], func(br cfg.Branch) bool {
			cmp, ok := br.Comparison()
			if !ok || !constants.IsZero(cmp.Y) || cmp.Op != token.EQL && cmp.Op != token.LEQ {
				return false
			}
			field, of := origin.FieldOf(measured(cmp.X))
			return field == to.Field && sameValue(of, to.X)
		})
	})
}

// isOfNew reports whether the instruction stores a field of an object that the function makes in one
// expression, or of another such struct that no code of the package stores but in a field: what it
// is stored in counts. A variable may have been read from the cluster.
func (in *interp) isOfNew(s *ssa.Store) bool {
	field := origin.Of(s.Addr)
	if field.Kind != origin.Field {
		return false
	}
	made, ok := field.X.(*ssa.Alloc)
	if !ok || made.Comment != "complit" {
		return false
	}
	typ := library.Deref(made.Type())
	object, ok := typ.Underlying().(*types.Struct)
	return ok && isObject(object) || !in.setInPackage().behind[typ]
}

// An Absent is a field on the way to a part that is absent: from a parameter, or from an
// object of the module, whose spec is the first field.
type Absent struct {
	Param       int    // the parameter, or -1
	Type, Field string // the TypeName of the struct that has the field, and its name
}

func (a Absent) compare(b Absent) int {
	return cmp.Or(a.Param-b.Param, strings.Compare(a.Type, b.Type), strings.Compare(a.Field, b.Field))
}

// absentPart returns the fields from a parameter to what the guard says is absent, if it
// says nothing else:
//
//	func (s *StoreSpec) IsRemote() bool { return s.Remote != nil && *s.Remote != "" }
//
// Its caller knows whether the parameter is a part of a spec.
func (in *interp) absentPart(fr *frame, g guard) ([]Absent, bool) {
	test, ok := cfg.Condition{Value: g.cond, Holds: g.branch}.Comparison()
	if !ok || !g.alone || test.Op != token.EQL || !constants.IsZero(test.Y) {
		return nil, false
	}
	ts := &tests{in: in, fr: fr}
	var found []Absent
	v := measured(test.X)
	if fields, ok := in.specFields(fr, v); ok {
		for _, f := range fields {
			found = append(found, Absent{-1, f.typ, f.field})
		}
		return found, true
	}
	for range maxDepth {
		o, ok := ts.enclosing(v)
		if !ok {
			break
		}
		named := library.NamedOf(o.X.Type())
		if named == nil || o.FieldName() == "Status" || named.Obj().Pkg() == nil || !in.isOwnPackage(named.Obj().Pkg().Path()) {
			return nil, false
		}
		found = append(found, Absent{Type: library.TypeName(named), Field: o.FieldName()})
		v = o.X
	}
	i := paramIndex(fr.fn, v)
	if i < 0 || len(found) == 0 || fr.up != nil {
		return nil, false
	}
	for k := range found {
		found[k].Param = i
	}
	return found, true
}

// lackingFields returns the fields of specs of the module's own objects that a callee
// finds absent, if the condition is its answer and it only asks for such:
//
//	if !thing.Spec.Store.IsRemote() { … }
func (in *interp) lackingFields(fr *frame, c cfg.Condition) ([]fieldKey, bool) {
	c = c.Stripped()
	o, ok := fr.verdict(c.Value, c.Holds)
	if !ok || len(o.Absent) == 0 {
		return nil, false
	}
	call := answering(c.Value).Common()
	if call.StaticCallee() == nil {
		return nil, false
	}
	var all []fieldKey
	param := -1
	for _, a := range o.Absent {
		all = append(all, fieldKey{a.Type, a.Field})
		if a.Param == param || a.Param < 0 {
			continue
		}
		param = a.Param
		fields, ok := in.specFields(fr, call.Args[param])
		if !ok {
			return nil, false
		}
		all = append(all, fields...)
	}
	return all, true
}

// specFields returns the fields from an object of the module to v, a part of its
// spec. The first one is the spec.
func (in *interp) specFields(fr *frame, v ssa.Value) ([]fieldKey, bool) {
	tests := &tests{in: in, fr: fr}
	var fields []fieldKey
	for range maxDepth {
		o, ok := tests.enclosing(v)
		if !ok {
			return nil, false
		}
		named := library.NamedOf(o.X.Type())
		if named == nil || o.Field == nil {
			return nil, false
		}
		fields = append(fields, fieldKey{library.TypeName(named), o.FieldName()})
		if in.isSpec(named, o.FieldName()) {
			return fields, true
		}
		v = o.X
	}
	return nil, false
}

// isSpec reports whether the field is the spec of one of the module's own objects.
func (in *interp) isSpec(named *types.Named, field string) bool {
	s, ok := named.Underlying().(*types.Struct)
	return ok && field == "Spec" && isObject(s) && named.Obj().Pkg() != nil && in.isOwnPackage(named.Obj().Pkg().Path())
}

// specFieldsOf returns the fields from objects of the module to the parts of their
// specs that the labels of v stand for, if all of them do. What was read from the
// cluster is in an argument, or is one, if v is what a function returns. A function that gets
// a name looks for one of several things, and that there is none of that name is another
// matter:
//
//	if set := thing.Spec.ReplicaSet(name); set != nil { sort(pods) }
func (in *interp) specFieldsOf(fr *frame, v ssa.Value, ls labels) ([]fieldKey, bool) {
	if isFoundByName(v) {
		return nil, false
	}
	var args []ssa.Value
	if o := origin.Of(v); o.Kind == origin.Result {
		args = callee.Args(&o.Call.Call)
	}
	if slices.ContainsFunc(args, func(arg ssa.Value) bool { return in.isReadElsewhere(fr, arg) }) {
		return nil, false
	}
	params := fr.outermost().fn.Params
	var all []fieldKey
	for _, l := range ls.withoutItems() {
		from := args
		if l.Kind == Content && l.Param < len(params) {
			from = []ssa.Value{params[l.Param]}
		} else if l.Kind != State || l.What != "" {
			return nil, false
		}
		known := len(all)
		for _, arg := range from {
			fields, _ := in.fieldsAlong(arg.Type(), l.Path)
			if part, ok := in.specFields(fr, arg); ok && len(fields) == 0 {
				if rest, ok := behind(part, l.Path); ok {
					fields, _ = in.fieldsAlong(arg.Type(), rest, part...)
				}
			}
			all = append(all, fields...)
		}
		if len(all) == known {
			return nil, false
		}
	}
	return all, len(all) > 0
}

// isReadElsewhere reports whether the value may come from an object that was read, and is no
// object of the module nor a part of its spec.
func (in *interp) isReadElsewhere(fr *frame, v ssa.Value) bool {
	if named := library.NamedOf(v.Type()); named != nil {
		if s, ok := named.Underlying().(*types.Struct); ok && isObject(s) {
			return named.Obj().Pkg() == nil || !in.isOwnPackage(named.Obj().Pkg().Path())
		}
	}
	if _, isPart := in.specFields(fr, v); isPart {
		return false
	}
	isState := func(l Label) bool { return l.Kind == State }
	return !isBasic(v.Type()) && !isService(v.Type()) || slices.ContainsFunc(in.reg(fr, v).labels, isState)
}

// behind returns what is left of the path behind the fields, of which the last one comes first, if
// it begins with them.
func behind(part []fieldKey, path access.Path) (rest access.Path, ok bool) {
	for left := len(part); left > 0; {
		if path.IsRoot() {
			return path, false
		}
		step := path.First()
		_, path = path.Cut()
		if step.Kind != access.Field {
			continue
		}
		if left--; step.Name != part[left].field {
			return path, false
		}
	}
	return path, true
}

// isOfSpec reports whether nothing decides but what the spec of one object of the module asks
// for, and nothing sets that: it is what a user has set, however it got here.
//
//	values := valuesOf(cluster)
//	if skips(values.Jail.Maintenance) { … } // cluster.Spec.Maintenance
func (in *interp) isOfSpec(fr *frame, c cfg.Condition) bool {
	c = c.Stripped()
	v := in.reg(fr, c.Value)
	if thing, _, ok := c.Nil(); v.unknown || ok && isFoundByName(thing) {
		return false
	}
	asked := origin.Held(c.Value)
	if x, _, compares := comparedConst(c.Value); compares {
		asked = x
	}
	if ls := v.labels.withoutKeys(); !slices.ContainsFunc(ls, func(l Label) bool { return l.Kind != State }) {
		fields, ok := in.specFieldsOf(fr, asked, ls)
		return ok && !in.isAnyFieldSet(c, fields)
	}
	params := fr.outermost().fn.Params
	var all []fieldKey
	for i, l := range v.labels {
		if l.Kind != Content || l.Param >= len(params) || i > 0 && l.Param != v.labels[0].Param {
			return false
		}
		fields, ok := in.fieldsAlong(params[l.Param].Type(), l.Path)
		if !ok {
			return false
		}
		all = append(all, fields...)
	}
	return len(all) > 0 && !in.isAnyFieldSet(c, all)
}

// isFoundByName reports whether v is the result of a function that gets a string.
func isFoundByName(v ssa.Value) bool {
	o := origin.Of(v)
	return o.Kind == origin.Result && slices.ContainsFunc(callee.Args(&o.Call.Call), func(arg ssa.Value) bool { return library.IsString(arg.Type()) })
}

// fieldsAlong returns the fields on a path below a value of type t, from the spec of
// one of the module's own objects on, behind those that have led to the value.
func (in *interp) fieldsAlong(t types.Type, path access.Path, before ...fieldKey) (fields []fieldKey, ok bool) {
	fields = slices.Clip(before)
	for step := range typesAlong(t, path) {
		if step.Kind != access.Field {
			if step.to == nil {
				return fields, len(fields) > 0
			}
			continue
		}
		if step.to == nil {
			return nil, false
		}
		if named := library.NamedOf(step.of); len(fields) > 0 || in.isSpec(named, step.Name) {
			fields = append(fields, fieldKey{library.TypeName(named), step.Name})
		}
	}
	return fields, len(fields) > 0
}

// A typedStep is a step of a path, from a value of one type to one of another, which is nil if the
// type does not have it.
type typedStep struct {
	access.Step
	of, to types.Type
	field  *types.Var // that the step is to, or nil
}

// typesAlong yields the steps of a path below a value of type t, up to one that the types do not have.
func typesAlong(t types.Type, path access.Path) iter.Seq[typedStep] {
	return func(yield func(typedStep) bool) {
		for step := range path.Steps() {
			at := typedStep{Step: step, of: library.Deref(t)}
			if step.Kind != access.Field {
				at.to = elemType(at.of)
			} else if named := library.NamedOf(at.of); named != nil {
				if obj, _, _ := types.LookupFieldOrMethod(named, true, named.Obj().Pkg(), step.Name); obj != nil {
					at.to = obj.Type()
					at.field, _ = obj.(*types.Var)
				}
			}
			if !yield(at) || at.to == nil {
				return
			}
			t = at.to
		}
	}
}

// othersSet reports whether a function of another package that runs in the blocks sets one of
// these fields, whose types may not be known.
func (in *interp) othersSet(blocks []*ssa.BasicBlock, fields []fieldKey) bool {
	sets := func(fn *types.Func, ch Change) bool {
		changed := changedField(fn, ch)
		return slices.ContainsFunc(fields, func(f fieldKey) bool {
			return f.field == changed.field && (f.typ == changed.typ || f.typ == "" || changed.typ == "")
		})
	}
	return in.anyRuns(blocks, func(instr ssa.Instruction) bool { return in.othersChange(instr, sets) }, make(map[*ssa.Function]bool))
}

// changedField returns the field in which the function makes the change, without its type if
// that is not known.
func changedField(fn *types.Func, ch Change) fieldKey {
	changed := fieldKey{field: ch.Path.LastField()}
	if params := library.Operands(fn); ch.Param < len(params) {
		for step := range typesAlong(params[ch.Param], ch.Path) {
			if step.Kind == access.Field {
				changed.typ = library.TypeName(step.of)
			}
			if step.to == nil {
				changed.typ = "" // as for the methods of an interface
			}
		}
	}
	return changed
}

// othersChange reports whether the instruction calls a function of another package that makes such
// a change.
func (in *interp) othersChange(instr ssa.Instruction, is func(*types.Func, Change) bool) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && slices.ContainsFunc(in.resolver.Call(call.Common()).Foreign, func(fn *types.Func) bool {
		sum := in.imported(fn)
		return sum != nil && slices.ContainsFunc(sum.Changes, func(ch Change) bool { return is(fn, ch) })
	})
}
