package flow

import (
	"cmp"
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
)

// A StatusField is a field of a struct that is the status of one of the module's own objects, or a part
// of it.
type StatusField struct {
	Type string // TypeName of the struct
	Name string
}

func (f StatusField) compare(g StatusField) int {
	return cmp.Or(cmp.Compare(f.Type, g.Type), cmp.Compare(f.Name, g.Name))
}

// An Asked is what a condition asks for: a field, or a condition in the list that the field is.
type Asked struct {
	StatusField
	Key string // type of the condition, or "" for the field
	// Param is 1 plus the index of the parameter that has the field, or 0 if it is in an object's status.
	// The field is empty if the parameter is the list itself, or a condition of it.
	Param int
	// KeyParam is 1 plus the index of the parameter that is the type of the condition, or 0.
	KeyParam int
	// Is is the status of the condition for which the answer is yes, or "".
	Is string
}

func (a Asked) compare(b Asked) int {
	return cmp.Or(a.StatusField.compare(b.StatusField), cmp.Compare(a.Key, b.Key), a.Param-b.Param, a.KeyParam-b.KeyParam, cmp.Compare(a.Is, b.Is))
}

// isTyped reports whether a condition of a certain type is asked for.
func (a Asked) isTyped() bool { return a.Key != "" || a.KeyParam > 0 }

// isList reports whether nothing but the list of a parameter, or a condition of it, is asked for.
func (a Asked) isList() bool { return a.Name == "" }

// An asker collects what is asked for. It gives up where something else is.
type asker struct {
	in    *interp
	seen  map[ssa.Value]bool
	found []Asked
}

func (in *interp) newAsker() *asker { return &asker{in: in, seen: make(map[ssa.Value]bool)} }

// maxAsked bounds the values that an asker looks at.
const maxAsked = 64

// askedOfStatus returns what the condition asks for, if that is nothing but parts of the status of the
// module's own objects, or nil.
func (in *interp) askedOfStatus(c cfg.Condition) []Asked {
	as := in.newAsker()
	v := c.Stripped().Value
	if !as.value(v) || slices.ContainsFunc(as.found, func(a Asked) bool { return a.Param > 0 || a.KeyParam > 0 }) {
		return nil
	}
	return as.all(in.saysStatus(v, maxDepth))
}

// askedBy returns what the function asks for to find its answer, if that is nothing but such parts, or
// nil.
func (in *interp) askedBy(fn *ssa.Function) []Asked {
	if asked, ok := in.askedIn[fn]; ok {
		return asked
	}
	in.askedIn[fn] = nil
	as := in.newAsker()
	for _, b := range fn.Blocks {
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.If:
			if !as.value(last.Cond) {
				return nil
			}
		case *ssa.Return:
			if slices.ContainsFunc(last.Results, func(v ssa.Value) bool { return !library.IsError(v.Type()) && !as.value(v) }) {
				return nil
			}
		}
	}
	in.askedIn[fn] = as.all(!slices.ContainsFunc(cfg.Returns(fn), func(ret *ssa.Return) bool {
		if len(ret.Results) == 0 || !library.IsBool(ret.Results[0].Type()) {
			return true
		}
		yes, known := constants.Bool(ret.Results[0])
		if known {
			return yes && !in.isUnderStatus(ret.Block())
		}
		return !in.saysStatus(ret.Results[0], maxDepth)
	}))
	return in.askedIn[fn]
}

// isUnderStatus reports whether control only gets to the block if a condition has a certain status.
func (in *interp) isUnderStatus(b *ssa.BasicBlock) bool {
	for br := range cfg.Branches(in.control.Of(b)...) {
		if br.Holds && in.saysStatus(br.Value, maxDepth) {
			return true
		}
	}
	return false
}

// saysStatus reports whether v is true only if a condition has the status that it asks for.
func (in *interp) saysStatus(v ssa.Value, depth int) bool {
	switch o := origin.Of(v); o.Kind {
	case origin.Computed:
		return o.Y != nil && o.Op == token.EQL
	case origin.Result:
		return o.Builtin() == ""
	case origin.Choice:
		return depth > 0 && !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool {
			if yes, known := constants.Bool(e); known {
				return yes
			}
			return !in.saysStatus(e, depth-1)
		})
	}
	return false
}

// all returns what was found, without the statuses unless the answer is yes for them. A list does not
// count beside a condition in it, nor does a condition beside its status.
func (as *asker) all(yes bool) []Asked {
	for i := range as.found {
		if !yes {
			as.found[i].Is = ""
		}
	}
	slices.SortFunc(as.found, Asked.compare)
	found := slices.Compact(as.found)
	return slices.DeleteFunc(slices.Clone(found), func(a Asked) bool { return slices.ContainsFunc(found, a.isLessThan) })
}

// isLessThan reports whether b says more of what a asks for.
func (a Asked) isLessThan(b Asked) bool {
	if !a.isTyped() {
		return b.isTyped() && b.StatusField == a.StatusField && b.Param == a.Param
	}
	says := b.Is != ""
	b.Is = ""
	return says && a == b
}

// value collects what v is made of, and reports whether it knows all of that.
func (as *asker) value(v ssa.Value) bool {
	if as.seen[v] {
		return true
	}
	as.seen[v] = true
	if len(as.seen) > maxAsked {
		return false
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return true
	case origin.Computed:
		if o.Y == nil || isConst(o.X) || isConst(o.Y) {
			return as.comparesType(o) || as.comparesStatus(o) || as.value(o.X) && (o.Y == nil || as.value(o.Y))
		}
		// An old value and a new one are equal in the end.
		return as.comparesType(o) || isLen(o.Y) && as.value(o.X) && as.value(o.Y)
	case origin.Choice:
		return !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return !as.value(e) })
	case origin.Result:
		if o.Builtin() == "len" {
			return as.value(o.Call.Call.Args[0])
		}
	case origin.Parameter:
		if isStructPointer(v.Type()) {
			return true // whether there is an object
		}
	}
	parts := as.parts(v)
	as.found = append(as.found, parts...)
	return len(parts) > 0
}

// comparesType collects the condition of which an element of a list is compared with the type:
//
//	for _, c := range thing.Status.Conditions { if c.Type == Finished { … } }
func (as *asker) comparesType(o origin.Origin) bool {
	x, y := o.X, o.Y
	if y != nil && isConst(x) {
		x, y = y, x
	}
	field, of := origin.FieldOf(x)
	if y == nil || field == nil || field.Name() != "Type" || !isConditionType(library.Deref(of.Type())) {
		return false
	}
	parts := as.parts(of)
	for i := range parts {
		if parts[i].Key, parts[i].KeyParam = as.key(y); !parts[i].isTyped() {
			return false
		}
	}
	as.found = append(as.found, parts...)
	return len(parts) > 0
}

// comparesStatus collects the condition that is compared with a status:
//
//	return cond != nil && cond.Status == metav1.ConditionTrue
func (as *asker) comparesStatus(o origin.Origin) bool {
	if o.Y == nil || o.Op != token.EQL {
		return false
	}
	field, of := origin.FieldOf(o.X)
	status, known := as.in.text(o.Y)
	if field == nil || field.Name() != "Status" || !known || !isConditionType(library.Deref(of.Type())) {
		return false
	}
	parts := as.parts(of)
	for i := range parts {
		parts[i].Is = status
	}
	as.found = append(as.found, parts...)
	return len(parts) > 0
}

// key returns the type of a condition that v is: a constant, or 1 plus the index of a parameter.
func (as *asker) key(v ssa.Value) (text string, param int) {
	if text, ok := as.in.text(v); ok {
		return text, 0
	}
	if p, ok := v.(*ssa.Parameter); ok {
		return "", paramNumber(p)
	}
	return "", 0
}

// isConditionType reports whether the type is a struct that says of which type it is, and how that
// stands.
func isConditionType(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	has := 0
	for f := range s.Fields() {
		if b, ok := f.Type().Underlying().(*types.Basic); ok && b.Kind() == types.String && (f.Name() == "Type" || f.Name() == "Status") {
			has++
		}
	}
	return has == 2
}

// parts returns the parts of a status that v is, or is a part of, or of which a function returns it.
func (as *asker) parts(v ssa.Value) []Asked {
	inner, from := as.innermost(v)
	if from == nil {
		return nil
	}
	switch o := origin.Of(from); {
	case o.Kind == origin.Result:
		return as.answer(o.Call)
	case o.Kind == origin.Parameter:
		if inner.Param = paramNumber(from.(*ssa.Parameter)); inner.isList() && !isSliceType(from.Type()) && !isConditionType(library.Deref(from.Type())) {
			return nil
		}
	case inner.isList():
		return nil
	}
	return []Asked{inner}
}

// innermost returns the innermost field that has v, of those of structs of the module, or the list
// that has the condition that v is a part of. It also returns what the field is reached from: the
// status of one of the module's own objects, a parameter, or the result of a function. That is nil for
// anything else.
func (as *asker) innermost(v ssa.Value) (inner Asked, from ssa.Value) {
	for range maxDepth {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Parameter, origin.Result:
			return inner, v
		case origin.Loaded, origin.Renamed, origin.Converted, origin.Sliced, origin.Item, origin.Iterator, origin.OK:
			v = o.X
		case origin.Element:
			if v = o.X; isConditionType(elemOf(v.Type())) {
				inner = Asked{} // the list counts
			}
		case origin.Local: // a copy
			if v = origin.StoredOnce(v); v == nil {
				return inner, nil
			}
		case origin.Field:
			named := library.NamedOf(o.X.Type())
			if named == nil || o.Field == nil {
				return inner, nil
			}
			if s, ok := named.Underlying().(*types.Struct); ok && isObject(s) {
				if o.FieldName() != "Status" || !as.in.isOwnObject(named) {
					return inner, nil
				}
				return inner, v
			}
			if inner.isList() && !isConditionType(named) {
				inner = Asked{StatusField: StatusField{library.TypeName(named), o.FieldName()}}
			}
			v = o.X
		default:
			return inner, nil
		}
	}
	return inner, nil
}

// elemOf returns the type of the elements of a list, or the type itself.
func elemOf(t types.Type) types.Type {
	if s, ok := library.Deref(t).Underlying().(*types.Slice); ok {
		return library.Deref(s.Elem())
	}
	return t
}

// answer returns what the function that is called asks for.
func (as *asker) answer(call *ssa.Call) []Asked {
	fn := callee.Static(&call.Call)
	if fn == nil {
		return nil
	}
	args := call.Call.Args
	switch library.Of(fn).Effect {
	case library.AsksCondition:
		return as.passed(Asked{Param: 1, KeyParam: 2, Is: library.ConditionTrue}, args)
	case library.AsksConditionOf:
		return as.ofObject(args[0], args[1])
	case library.FindsCondition:
		return as.passed(Asked{Param: 1, KeyParam: 2}, args)
	}
	var asked []Asked
	if body := callee.Body(&call.Call); body != nil {
		asked = as.in.askedBy(body)
	} else if sum := as.in.imported(fn); sum != nil {
		asked = sum.Asks
	}
	var all []Asked
	for _, a := range asked {
		here := as.passed(a, args)
		if len(here) == 0 {
			return nil
		}
		all = append(all, here...)
	}
	return all
}

// ofObject returns the condition of one of the module's own objects, of which a library asks whether it
// is true.
func (as *asker) ofObject(object, key ssa.Value) []Asked {
	named := library.NamedOf(origin.Through(object, origin.Boxed).Type())
	if named == nil || !as.in.isOwnObject(named) {
		return nil
	}
	s, _ := named.Underlying().(*types.Struct)
	if s == nil || fieldNamed(s, "Status") == nil {
		return nil
	}
	status := library.TypeName(library.Deref(fieldNamed(s, "Status").Type()))
	a := Asked{StatusField: StatusField{status, "Conditions"}, Is: library.ConditionTrue}
	if a.Key, a.KeyParam = as.key(key); !a.isTyped() {
		return nil
	}
	return []Asked{a}
}

// passed translates what a callee with the arguments asks for.
func (as *asker) passed(a Asked, args []ssa.Value) (parts []Asked) {
	if max(a.Param, a.KeyParam) > len(args) {
		return nil
	}
	switch {
	case a.isList():
		parts = as.parts(args[a.Param-1])
	case a.Param > 0:
		_, from := as.innermost(args[a.Param-1])
		if from == nil {
			return nil
		}
		a.Param = 0
		if p, ok := from.(*ssa.Parameter); ok {
			a.Param = paramNumber(p)
		}
		parts = []Asked{a}
	default:
		parts = []Asked{a}
	}
	for i := range parts {
		parts[i].Is = cmp.Or(a.Is, parts[i].Is)
		switch {
		case a.Key != "":
			parts[i].Key, parts[i].KeyParam = a.Key, 0
		case a.KeyParam > 0:
			if parts[i].Key, parts[i].KeyParam = as.key(args[a.KeyParam-1]); !parts[i].isTyped() {
				return nil
			}
		}
	}
	return parts
}

// maxStatusFields bounds the fields that a function says it sets.
const maxStatusFields = 64

// statusFieldsSet returns the fields of structs that are a status, by the names of their types, which
// the function sets, or what it calls, other than in a copy.
func (in *interp) statusFieldsSet(fn *ssa.Function) []StatusField {
	if set, ok := in.statusSets[fn]; ok {
		return set
	}
	in.statusSets[fn] = nil // in recursion
	if isCopier(fn) {
		return nil
	}
	var set []StatusField
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if s, ok := instr.(*ssa.Store); ok {
				at := origin.Of(s.Addr)
				if at.Kind == origin.Field && origin.Of(at.X).Kind != origin.Local {
					set = append(set, StatusField{library.TypeName(library.Deref(at.X.Type())), at.FieldName()})
				}
			}
			for _, callee := range in.mentionedAt(instr) {
				set = append(set, in.statusFieldsSet(callee)...)
			}
			if call, ok := instr.(ssa.CallInstruction); ok {
				for _, callee := range in.resolver.Call(call.Common()).Foreign {
					if sum := in.imported(callee); sum != nil {
						set = append(set, sum.Sets...)
					}
				}
			}
		}
	}
	set = slices.DeleteFunc(set, func(f StatusField) bool { return !strings.HasSuffix(f.Type, "Status") })
	slices.SortFunc(set, StatusField.compare)
	set = slices.Compact(set)
	in.statusSets[fn] = set[:min(len(set), maxStatusFields)]
	return in.statusSets[fn]
}
