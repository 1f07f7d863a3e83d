package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A condition may only ask about objects that others look after. What the reconcile writes does not
// turn it off.

// awaitsOthers reports whether the function fails, or asks to be called again, unless others have
// done something to objects that are not written then:
//
//	if len(conflicting.Items) > 0 {
//		return ctrl.Result{}, errors.New("there is another one")
//	}
//
// What follows runs each time that all is well.
func (in *interp) awaitsOthers(fr *frame, c cfg.Condition) bool {
	otherwise := regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds})
	if !leavesBy(otherwise, comesBack) {
		return false
	}
	// The reconcile may well ask to be called again when it is done.
	return in.areOthers(c, in.objectsAsked(fr, c), onlyFails(otherwise))
}

// hasPassed reports whether the condition is that some time has passed since an object was made,
// or a condition of it changed, which only others do:
//
//	if time.Since(pod.CreationTimestamp.Time) > time.Minute { … }
//
// or since a time that another service tells. It stays true.
func (in *interp) hasPassed(fr *frame, c cfg.Condition) bool {
	c = c.Stripped()
	passes := 0
	var compared []ssa.Value
	if cmp, ok := c.Comparison(); ok {
		compared = []ssa.Value{cmp.X, cmp.Y}
		switch cmp.Op {
		case token.GTR, token.GEQ:
			passes = in.grows(fr, cmp.X) - in.grows(fr, cmp.Y)
		case token.LSS, token.LEQ:
			passes = in.grows(fr, cmp.Y) - in.grows(fr, cmp.X)
		}
	} else if o := origin.Of(c.Value); o.Kind == origin.Result && len(callee.Args(&o.Call.Call)) == 2 {
		args := callee.Args(&o.Call.Call)
		compared = args
		passes = in.grows(fr, args[0]) - in.grows(fr, args[1])
		switch use := library.Of(callee.Static(&o.Call.Call)).Time; {
		case !use.Compares():
			return false
		case (use == library.IsEarlier) == c.Holds:
			passes = -passes
		}
	}
	if passes <= 0 {
		return false
	}
	if slices.ContainsFunc(compared, in.isTimeOfService) {
		return true
	}
	asked := in.objectsAsked(fr, c)
	return !asked.otherTimes && in.areOthers(c, asked, false)
}

// isTimeOfService reports whether v is a time that another service tells of something of its own, or
// is computed from one: a field of a struct of another module that is no part of an object.
func (in *interp) isTimeOfService(v ssa.Value) bool {
	for range maxDepth {
		o := origin.Of(v)
		switch o.Kind {
		case origin.Loaded, origin.Renamed:
			v = o.X
		case origin.Result:
			args := callee.Args(&o.Call.Call)
			if use := library.Of(callee.Static(&o.Call.Call)).Time; use != library.AddsDuration && use != library.TimeSince || len(args) == 0 {
				return false
			}
			v = args[0]
		case origin.Field:
			named := library.NamedOf(o.X.Type())
			if named == nil || named.Obj().Pkg() == nil || in.isOwnPackage(named.Obj().Pkg().Path()) || library.IsStandard(named.Obj().Pkg().Path()) || library.IsKubernetes(named.Obj().Pkg().Path()) {
				return false
			}
			return origin.Of(o.X).Kind == origin.Result
		default:
			return false
		}
	}
	return false
}

// asksOthers reports whether nothing decides but objects that no code writes in the reconciles in
// which the condition is tested, whether these are at hand or a function looks for them:
//
//	if running, err := r.isRestoreRunning(ctx, cluster.Name); err != nil || running { return err }
//
// That an object's controller has not seen its generation does not last.
func (in *interp) asksOthers(fr *frame, c cfg.Condition) bool {
	c = c.Stripped()
	v := in.reg(fr, c.Value)
	if v.unknown || slices.ContainsFunc(v.labels.withoutKeys(), func(l Label) bool {
		_, isName := l.asNamed()
		return !isName && (l.Kind != State || l.What != "" || l.Path.LastField() == "ObservedGeneration")
	}) {
		return false
	}
	asked := in.objectsAsked(fr, c)
	for i := range asked.objects {
		asked.objects[i].byOthers = false // the code may write an object at hand, too
	}
	return !asked.otherTimes && in.areOthers(c, asked, false)
}

// grows returns 1 if v grows with the time, -1 if it gets less, and 0 if it does neither, or it is
// not known what it does.
func (in *interp) grows(fr *frame, v ssa.Value) int {
	if !slices.ContainsFunc(in.reg(fr, v).labels, Label.IsTime) {
		return 0
	}
	o := origin.Of(v)
	switch o.Kind {
	case origin.Converted, origin.Renamed:
		return in.grows(fr, o.X)
	case origin.Result:
		args := callee.Args(&o.Call.Call)
		switch use := library.Of(callee.Static(&o.Call.Call)).Time; {
		case use == library.TimeSince:
			return 1
		case use == library.TimeBetween && len(args) == 1:
			return -1
		case use == library.TimeBetween:
			return in.grows(fr, args[0]) - in.grows(fr, args[1])
		case use == library.AddsDuration, use == library.ConvertsDuration:
			return in.grows(fr, args[0])
		case isTime(v.Type()):
			return 1 // now
		}
	}
	return 0
}

// areOthers reports whether the condition only asks about objects that nothing writes in the
// reconciles in which it is tested, or about what only others set of objects on which nothing that
// runs under the condition has an effect. If it is regional, it is enough that nothing that runs
// under it writes the objects. Of how many there are, only who creates or deletes some decides.
func (in *interp) areOthers(c cfg.Condition, asked *asked, regional bool) bool {
	at, ok := c.Value.(ssa.Instruction)
	if !ok || asked.unknown || len(asked.objects) == 0 {
		return false
	}
	region := regionOf(c)
	return !slices.ContainsFunc(asked.objects, func(o askedOf) bool {
		switch {
		case isCount(c) && in.isNeverWrittenWith(at.Parent(), writes{object: o.object, existence: true}):
			return false
		case in.affects(region, o.object, make(map[*ssa.Function]bool)):
			return true
		case o.byOthers:
			return false
		case regional:
			return in.anyRuns(region, func(instr ssa.Instruction) bool {
				call, ok := instr.(ssa.CallInstruction)
				return ok && in.callWrites(call.Common(), writes{object: o.object, subresources: true})
			}, make(map[*ssa.Function]bool))
		}
		return !in.isNeverWrittenWith(at.Parent(), writes{object: o.object, subresources: true})
	})
}

// isCount reports whether the condition compares the number of objects in a list of the API with a
// constant.
func isCount(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || !isLen(cmp.X) || !isConst(cmp.Y) {
		return false
	}
	field, of := origin.FieldOf(measured(cmp.X))
	if field == nil || field.Name() != "Items" {
		return false
	}
	list, ok := library.Deref(of.Type()).Underlying().(*types.Struct)
	return ok && isList(list)
}

// asked collects the objects of which a value is made.
type asked struct {
	in      *interp
	fr      *frame
	seen    map[ssa.Value]bool
	objects []askedOf
	// otherTimes is set if there is a time in it other than that when an object was made, or
	// when a condition changed.
	otherTimes bool
	// unknown is set if there may be more.
	unknown bool
}

// An askedOf is something of the objects of a type.
type askedOf struct {
	object   string // TypeName
	byOthers bool   // it is part of what only others set
}

// objectsAsked returns the objects that the condition asks about.
func (in *interp) objectsAsked(fr *frame, c cfg.Condition) *asked {
	a := &asked{in: in, fr: fr, seen: make(map[ssa.Value]bool)}
	saw := in.sawSetting
	a.unknown = !a.of(c.Value)
	in.sawSetting = saw
	return a
}

// of collects those of v and reports whether it knows all that v is made of.
func (a *asked) of(v ssa.Value) bool {
	if a.seen[v] {
		return true
	}
	a.seen[v] = true
	if name := objectNamed(v.Type()); name != "" {
		a.objects = append(a.objects, askedOf{object: name})
		return true
	}
	o := origin.Of(v)
	if field, of := origin.FieldOf(v); field != nil && isNameOrNamespace(field.Name()) && isMetadata(of.Type()) {
		return true // an object keeps it
	}
	if field := o.FieldName(); field != "" && isTime(library.Deref(o.Field.Type())) && !isTime(library.Deref(o.X.Type())) {
		a.otherTimes = a.otherTimes || field != "CreationTimestamp" && field != "LastTransitionTime"
	}
	if name := a.in.setByOthers(o); name != "" {
		a.objects = append(a.objects, askedOf{name, true})
		return true
	}
	if len(a.seen) > maxTests {
		return false
	}
	if ls := a.in.reg(a.fr, v).labels; len(ls) > 0 && a.in.isSetting(ls) {
		return true
	}
	switch o.Kind {
	case origin.Constant:
		return true
	case origin.Computed:
		return a.of(o.X) && (o.Y == nil || a.of(o.Y))
	case origin.Element:
		return a.of(o.X) && (o.Key == nil || a.of(o.Key))
	case origin.Renamed, origin.Converted, origin.Boxed, origin.Sliced, origin.OK, origin.Item, origin.Iterator, origin.Loaded, origin.Field:
		return a.of(o.X)
	case origin.Local:
		stored := origin.StoredOnce(v)
		return stored != nil && a.of(stored)
	case origin.Choice:
		return !slices.ContainsFunc(o.Edges, func(e ssa.Value) bool { return !a.of(e) })
	case origin.Result:
		args := callee.Args(&o.Call.Call)
		fn := callee.Static(&o.Call.Call)
		if o.Builtin() != "len" && fn == nil || len(args) == 0 && library.Of(fn).Source != library.Clock {
			return false
		}
		if library.Of(fn).Effect == library.AsksConditionOf {
			return a.ofCondition(args[0])
		}
		reads := a.ofReads(fn)
		return !slices.ContainsFunc(args, func(arg ssa.Value) bool {
			return !onlyTells(arg.Type()) && !(reads && isService(arg.Type())) && !a.of(arg)
		})
	}
	return false
}

// ofCondition collects the object of another module of which a condition is asked for.
func (a *asked) ofCondition(object ssa.Value) bool {
	named := library.NamedOf(origin.Through(object, origin.Boxed).Type())
	if named == nil || named.Obj().Pkg() == nil || objectNamed(named) == "" {
		return false
	}
	a.objects = append(a.objects, askedOf{objectNamed(named), !a.in.isOwnPackage(named.Obj().Pkg().Path())})
	return true
}

// ofReads collects the objects that the function of the module reads from the cluster, and
// reports whether there are any, and it does nothing else there.
func (a *asked) ofReads(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || !a.in.isOwnPackage(fn.Pkg().Path()) {
		return false
	}
	sum := a.in.summaryOf(fn)
	writes := func(ev Event) bool { return library.Named(ev.Callee).Write != nil || ev.Cut }
	if sum == nil || len(sum.Gaps) > 0 || slices.ContainsFunc(sum.Events, writes) {
		return false
	}
	known := len(a.objects)
	for _, r := range sum.Reads {
		t := a.in.typeOf(r.Type)
		if t == nil {
			return false
		}
		name := objectNamed(t)
		if name == "" {
			return false
		}
		if o := (askedOf{object: name}); !slices.Contains(a.objects[known:], o) {
			a.objects = append(a.objects, o)
		}
	}
	return len(a.objects) > known
}

// isMetadata reports whether t is the metadata of an object, or points to it.
func isMetadata(t types.Type) bool {
	named := library.NamedOf(t)
	return named != nil && library.TypeOf(named).Is == library.ObjectMeta
}

// isService reports whether t is what code reads the cluster with, or has for other work: a client,
// a context, or a struct that has one, such as a reconciler.
func isService(t types.Type) bool {
	if types.IsInterface(t) {
		return true
	}
	_, isStruct := library.Deref(t).Underlying().(*types.Struct)
	return isStruct && objectNamed(t) == ""
}

// setByOthers returns the TypeName of the object of which the field is the status, if another module
// declares it, or the time when it was made, or "".
func (in *interp) setByOthers(o origin.Origin) string {
	if o.Kind != origin.Field {
		return ""
	}
	switch named := library.NamedOf(o.X.Type()); {
	case named == nil:
	case o.FieldName() == "Status" && named.Obj().Pkg() != nil && !in.isOwnPackage(named.Obj().Pkg().Path()):
		return objectNamed(named)
	case o.FieldName() == "CreationTimestamp" && library.TypeOf(named).Is == library.ObjectMeta:
		if meta := origin.Of(o.X); meta.Kind == origin.Field {
			return objectNamed(meta.X.Type())
		}
	}
	return ""
}

// objectNamed returns the TypeName of the object of the API that t is, or points to, or of the
// objects that it is a list of, or "".
func objectNamed(t types.Type) string {
	named := library.NamedOf(t)
	if named == nil {
		return ""
	}
	s, ok := named.Underlying().(*types.Struct)
	switch {
	case !ok:
	case isObject(s):
		return library.TypeName(named)
	case isList(s):
		for field := range s.Fields() {
			if items, ok := field.Type().Underlying().(*types.Slice); ok && field.Name() == "Items" {
				return objectNamed(items.Elem())
			}
		}
	}
	return ""
}
