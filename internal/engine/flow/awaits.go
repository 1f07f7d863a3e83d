package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// awaits reports whether the condition is that a field of an object's status has one
// constant, for which the reconcile waits: otherwise it only fails, or asks to be called
// again. Nothing that runs under the condition sets the field.
//
//	if cluster.Status.Phase != Active {
//		return ctrl.Result{RequeueAfter: 30 * time.Second}, nil
//	}
//
// It holds once the cluster has converged.
func (in *interp) awaits(c cfg.Condition) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.EQL || !isConst(cmp.Y) || constants.IsZero(cmp.Y) || statusOwner(cmp.X) == "" {
		return false
	}
	field, of := origin.FieldOf(cmp.X)
	otherwise := regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds})
	return field != nil && leavesBy(otherwise, comesBack) && !in.maySet(regionOf(c), field, library.Deref(of.Type()))
}

// awaitsOthers reports whether the condition only asks about objects that nothing which runs
// under it writes, and the reconcile otherwise fails, or asks to be called again:
//
//	if len(conflicting.Items) > 0 {
//		return ctrl.Result{}, errors.New("there is another one")
//	}
//
// Others end that. What follows then runs each time that all is well.
func (in *interp) awaitsOthers(c cfg.Condition) bool {
	if !leavesBy(regionOf(cfg.Condition{Value: c.Value, Holds: !c.Holds}), comesBack) {
		return false
	}
	asked := asked{in: in, seen: make(map[ssa.Value]bool)}
	if !asked.of(c.Value) || len(asked.objects) == 0 {
		return false
	}
	region := regionOf(c)
	return !slices.ContainsFunc(asked.objects, func(object string) bool {
		return in.affects(region, object, make(map[*ssa.Function]bool)) || in.anyRuns(region, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			return ok && in.callWrites(call.Common(), object)
		}, make(map[*ssa.Function]bool))
	})
}

// asked collects the TypeNames of the objects of which a value is made.
type asked struct {
	in      *interp
	seen    map[ssa.Value]bool
	objects []string
}

// of collects those of v and reports whether it knows all that v is made of.
func (a *asked) of(v ssa.Value) bool {
	if a.seen[v] {
		return true
	}
	a.seen[v] = true
	if name := objectNamed(v.Type()); name != "" {
		a.objects = append(a.objects, name)
		return true
	}
	if len(a.seen) > maxTests {
		return false
	}
	switch o := origin.Of(v); o.Kind {
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
		fn := callee.Static(&o.Call.Call)
		if o.Builtin() != "len" && (fn == nil || fn.Signature().Params().Len()+len(o.Call.Call.Args) == 0) {
			return false
		}
		return !slices.ContainsFunc(callee.Args(&o.Call.Call), func(arg ssa.Value) bool { return !onlyTells(arg.Type()) && !a.of(arg) })
	}
	return false
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

// comesBack reports whether the return is one of an error, or asks for another reconcile.
func comesBack(ret *ssa.Return) bool {
	return failing(ret) || behindFailure(ret.Block()) || slices.ContainsFunc(ret.Results, func(v ssa.Value) bool {
		if !isAsking(v.Type()) {
			return false
		}
		asked, known := asks(v)
		return asked && known
	})
}

// maySet reports whether code that runs in the blocks may set a field of a struct type, or
// hands something that has one to a function of another package of the module.
func (in *interp) maySet(blocks []*ssa.BasicBlock, field *types.Var, holder types.Type) bool {
	return in.anyRuns(blocks, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			set, _ := origin.FieldOf(instr.Addr)
			return set == field || types.Identical(instr.Val.Type(), holder)
		case ssa.CallInstruction:
			fn := callee.Static(instr.Common())
			if fn == nil || fn.Pkg() == nil || fn.Pkg() == in.pass.Pkg || !in.isOwnPackage(fn.Pkg().Path()) {
				return false
			}
			return slices.ContainsFunc(instr.Common().Args, func(arg ssa.Value) bool {
				return isPointer(arg.Type()) && holds(library.Deref(arg.Type()), holder, make(map[types.Type]bool))
			})
		}
		return false
	}, make(map[*ssa.Function]bool))
}
