package cleanup

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// opposite reports whether the second call undoes the first. Either both are on the same
// receiver and have the same arguments, and the callee's name is the opposite, or the
// callee is the same and one boolean constant is the opposite. Or the second call gets
// what the first has returned:
//
//	role, err := createRoleForTest(ctx, c)
//	defer deleteRole(ctx, c, role.Name)
func opposite(p *pkg, does, undo ssa.CallInstruction) bool {
	f, g := callee.Static(does.Common()), callee.Static(undo.Common())
	if f == nil || g == nil {
		return false
	}
	x, y := callee.Args(does.Common()), callee.Args(undo.Common())
	if f == g {
		return len(x) == len(y) && p.switched(x, y)
	}
	if recvName(f) == recvName(g) && opposites(f.Name(), g.Name(), equal) && p.sameTargets(f, x, y) {
		return true
	}
	return opposites(f.Name(), g.Name(), strings.HasPrefix) && p.getsResult(g, y, does)
}

func equal(does, undo string) bool { return does == undo }

func recvName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		return library.TypeName(recv.Type())
	}
	return fn.Pkg().Path()
}

// switched reports whether the arguments are the same but for one boolean
// constant.
func (p *pkg) switched(x, y []ssa.Value) bool {
	flipped := 0
	for i := range x {
		b, ok1 := constants.Bool(x[i])
		c, ok2 := constants.Bool(y[i])
		switch {
		case ok1 && ok2 && b != c:
			flipped++
		case contexts.IsContext(x[i].Type()) || p.same(x[i], y[i]):
		default:
			return false
		}
	}
	return flipped == 1
}

// sameTargets reports whether two calls have the same receiver and the same first
// argument, contexts aside. Further arguments may differ: they are options.
func (p *pkg) sameTargets(f *types.Func, x, y []ssa.Value) bool {
	isCtx := func(v ssa.Value) bool { return contexts.IsContext(v.Type()) }
	x, y = slices.DeleteFunc(slices.Clone(x), isCtx), slices.DeleteFunc(slices.Clone(y), isCtx)
	n := 1
	if f.Signature().Recv() != nil {
		n = 2
	}
	if len(x) < n && len(y) < n {
		n--
	}
	if len(x) < n || len(y) < n || n == 0 {
		return false
	}
	for i := range n {
		if !p.same(x[i], y[i]) && !p.isNameOf(y[i], x[i]) {
			return false
		}
	}
	return true
}

// isNameOf reports whether v is the name of the object.
func (p *pkg) isNameOf(v, object ssa.Value) bool {
	named := p.named(v)
	return named != nil && p.same(named, object)
}

// named returns the object whose name v is, object.Name or object.GetName(), nil if v is
// no such name.
func (p *pkg) named(v ssa.Value) ssa.Value {
	v = p.canon(v, nil)
	field, object := origin.FieldOf(v)
	if o := origin.Of(v); o.Kind == origin.Result {
		fn, args := callee.Static(o.Call.Common()), callee.Args(o.Call.Common())
		if fn == nil || fn.Name() != "GetName" || len(args) != 1 {
			return nil
		}
		object = args[0]
	} else if field == nil || field.Name() != "Name" {
		return nil
	}
	if o := origin.Of(object); o.Kind == origin.Field && o.Field.Embedded() {
		return o.X // the object of the ObjectMeta
	}
	return object
}

// getsResult reports whether one of the arguments of a call of fn is a result of the
// other call, or its name. The receiver is none: what opens a client does not make what
// the client deletes.
func (p *pkg) getsResult(fn *types.Func, args []ssa.Value, of ssa.CallInstruction) bool {
	if fn.Signature().Recv() != nil {
		args = args[1:]
	}
	return slices.ContainsFunc(args, func(v ssa.Value) bool {
		if contexts.IsContext(v.Type()) || library.IsError(v.Type()) {
			return false
		}
		return p.isResult(v, of) || p.isResult(p.named(v), of)
	})
}

// isResult reports whether the value is a result of the call.
func (p *pkg) isResult(v ssa.Value, of ssa.CallInstruction) bool {
	o := origin.Of(p.canon(v, nil))
	return o.Kind == origin.Result && ssa.CallInstruction(o.Call) == of
}

// same reports whether two values are certainly the same, or loads of the same
// variable or field.
func (p *pkg) same(x, y ssa.Value) bool {
	return p.sameTo(x, y, 0)
}

func (p *pkg) sameTo(x, y ssa.Value, depth int) bool {
	x, y = p.canon(x, nil), p.canon(y, nil)
	if x == y {
		return true
	}
	if depth > 8 {
		return false
	}
	if c, ok := x.(*ssa.Const); ok {
		d, ok := y.(*ssa.Const)
		return ok && c.String() == d.String()
	}
	o, q := origin.Of(x), origin.Of(y)
	switch {
	case o.Kind == origin.Local || o.Kind == origin.Captured:
		v := p.Index.Cell(x)
		return v != nil && v == p.Index.Cell(y)
	case o.Kind != q.Kind:
		return false
	}
	switch o.Kind {
	case origin.Loaded:
		return p.sameTo(o.X, q.X, depth+1)
	case origin.Field:
		return o.Addr == q.Addr && o.Field == q.Field && p.sameTo(o.X, q.X, depth+1)
	case origin.Result:
		// clientset.CoreV1().Pods(namespace)
		fn := callee.Static(o.Call.Common())
		if fn == nil || fn != callee.Static(q.Call.Common()) || o.Index != q.Index {
			return false
		}
		return slices.EqualFunc(callee.Args(o.Call.Common()), callee.Args(q.Call.Common()), func(v, w ssa.Value) bool { return p.sameTo(v, w, depth+1) })
	}
	return false
}

// opposites reports whether the names begin with opposite verbs and go on alike.
func opposites(does, undo string, alike func(does, undo string) bool) bool {
	for _, pair := range oppositeWords {
		for _, word := range [][2]string{{pair.does, pair.undo}, {pair.undo, pair.does}} {
			if word[0] == pair.undo && !pair.both {
				break
			}
			done, ok1 := afterVerb(does, word[0])
			undone, ok2 := afterVerb(undo, word[1])
			if ok1 && ok2 && alike(done, undone) {
				return true
			}
		}
	}
	return false
}

// afterVerb returns what follows the verb with which a function's name begins.
func afterVerb(name, verb string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(name, verb); !ok {
		rest, ok = strings.CutPrefix(name, strings.ToLower(verb))
	}
	return rest, ok
}

// oppositeWords are pairs of verbs with which function names begin. With both, the first
// verb also undoes the second.
var oppositeWords = []struct {
	does, undo string
	both       bool
}{
	{"Add", "Remove", false},
	{"Add", "Delete", false},
	{"Create", "Delete", false},
	{"Create", "Remove", false},
	{"Set", "Unset", false},
	{"Set", "Clear", false},
	{"Set", "Remove", false},
	{"Mark", "Unmark", false},
	{"Mark", "Clear", false},
	{"Lock", "Unlock", false},
	{"Acquire", "Release", false},
	{"Attach", "Detach", false},
	{"Mount", "Unmount", false},
	{"Register", "Unregister", false},
	{"Register", "Deregister", false},
	{"Block", "Unblock", false},
	{"Fence", "Unfence", false},
	{"Freeze", "Unfreeze", false},
	{"Freeze", "Thaw", false},
	{"Exclude", "Include", true},
	{"Exclude", "Unexclude", false},
	{"Cordon", "Uncordon", false},
	{"Drain", "Undrain", false},
	{"Disable", "Enable", true},
	{"Pause", "Resume", false},
	{"Pause", "Unpause", false},
	{"Suspend", "Resume", false},
	{"Stop", "Start", false},
	{"Begin", "End", false},
}
