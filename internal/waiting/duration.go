package waiting

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/kubeapi"
)

// maxSimulated bounds the rounds of a loop that are computed.
const maxSimulated = 1000

// short reports whether the loop certainly waits no longer than [shortTotal] in
// all, or only once: its rounds are counted out with the constants in them.
//
//	for i := 0; i < 3; i++ {
//		...
//		time.Sleep(delay)
//		delay *= 2
//	}
func (l *loop) short(duration ssa.Value) bool {
	return l.shortDeadline() || l.shortWith(nil, duration)
}

// shortWith is short for given values of parameters.
func (l *loop) shortWith(given evaluator, duration ssa.Value) bool {
	env := maps.Clone(given)
	if env == nil {
		env = make(evaluator)
	}
	for _, phi := range l.phis() {
		if v := env.entering(l, phi); v != nil {
			env[phi] = v
		}
	}
	total := time.Duration(0)
	for round := range maxSimulated {
		if env.ends(l) {
			return round <= 1 || total <= shortTotal
		}
		if duration == nil {
			if round > 1 {
				return false
			}
		} else if d := env.eval(duration, 0); d != nil {
			n, _ := constant.Int64Val(constant.ToInt(d))
			total += time.Duration(n)
		} else if round > 1 {
			return false
		}
		if total > shortTotal && round > 0 {
			return false
		}
		env = env.next(l)
		maps.Copy(env, given)
	}
	return false
}

func (l *loop) phis() []*ssa.Phi {
	var phis []*ssa.Phi
	for _, instr := range l.header.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		phis = append(phis, phi)
	}
	return phis
}

// shortDeadline reports whether a deadline of [shortTotal] ends the loop.
func (l *loop) shortDeadline() bool {
	for b := range l.blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		cond := branch.Cond
		if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
			cond = not.X
		}
		switch cond := cond.(type) {
		case *ssa.Call: // time.Now().Before(deadline)
			switch kubeapi.Name(calleeObject(cond.Common())) {
			case "(time.Time).Before", "(time.Time).After":
				for _, arg := range cond.Call.Args {
					if add, ok := arg.(*ssa.Call); ok && kubeapi.Name(calleeObject(add.Common())) == "(time.Time).Add" && !l.blocks[add.Block()] {
						if d, ok := constDuration(add.Call.Args[1]); ok && d <= shortTotal {
							return true
						}
					}
				}
			}
		case *ssa.BinOp: // time.Since(start) < limit
			call, ok := cond.X.(*ssa.Call)
			if !ok || kubeapi.Name(calleeObject(call.Common())) != "time.Since" {
				continue
			}
			if d, ok := constDuration(cond.Y); ok && d <= shortTotal {
				return true
			}
		}
	}
	return false
}

// An evaluator computes values from constants and the loop variables.
type evaluator map[ssa.Value]constant.Value

// entering returns the value with which a loop variable enters the loop.
func (env evaluator) entering(l *loop, phi *ssa.Phi) constant.Value {
	var v constant.Value
	for i, pred := range l.header.Preds {
		if l.blocks[pred] {
			continue
		}
		w := env.eval(phi.Edges[i], 0)
		if w == nil || v != nil && !constant.Compare(v, token.EQL, w) {
			return nil
		}
		v = w
	}
	return v
}

// next returns the loop variables of the next round.
func (env evaluator) next(l *loop) evaluator {
	out := make(evaluator)
	for _, phi := range l.phis() {
		var v constant.Value
		for i, pred := range l.header.Preds {
			if !l.blocks[pred] {
				continue
			}
			w := env.eval(phi.Edges[i], 0)
			if w == nil || v != nil && !constant.Compare(v, token.EQL, w) {
				v = nil
				break
			}
			v = w
		}
		if v != nil {
			out[phi] = v
		}
	}
	return out
}

// ends reports whether a branch whose condition can be computed leaves the loop.
func (env evaluator) ends(l *loop) bool {
	for b := range l.blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		cond := env.eval(branch.Cond, 0)
		if cond == nil || cond.Kind() != constant.Bool {
			continue
		}
		target := b.Succs[1]
		if constant.BoolVal(cond) {
			target = b.Succs[0]
		}
		if !l.blocks[target] {
			return true
		}
	}
	return false
}

// eval returns nil for what is not known.
func (env evaluator) eval(v ssa.Value, depth int) constant.Value {
	if depth > 12 {
		return nil
	}
	if c, ok := env[v]; ok {
		return c
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value
	case *ssa.BinOp:
		x, y := env.eval(v.X, depth+1), env.eval(v.Y, depth+1)
		if x == nil || y == nil {
			return nil
		}
		return binary(v.Op, x, y, v.X.Type())
	case *ssa.Convert:
		x := env.eval(v.X, depth+1)
		if x == nil || x.Kind() != constant.Int && x.Kind() != constant.Float {
			return nil
		}
		if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			f, _ := constant.Float64Val(x)
			return constant.MakeInt64(int64(f))
		}
		return constant.ToFloat(x)
	case *ssa.ChangeType:
		return env.eval(v.X, depth+1)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok {
			if b.Name() == "len" {
				return length(v.Call.Args[0])
			}
			return nil
		}
		if fn := calleeObject(v.Common()); fn != nil && fn.Pkg() != nil && len(v.Call.Args) > 0 && isRandom(fn) {
			return env.eval(v.Call.Args[len(v.Call.Args)-1], depth+1) // its upper bound
		}
	case *ssa.UnOp:
		if elem, ok := v.X.(*ssa.IndexAddr); ok && v.Op == token.MUL {
			return env.element(elem, depth)
		}
	}
	return nil
}

// isRandom reports whether fn returns a random number below its last argument.
func isRandom(fn *types.Func) bool {
	switch fn.Pkg().Path() {
	case "math/rand", "math/rand/v2", "k8s.io/apimachinery/pkg/util/rand":
		return strings.HasSuffix(fn.Name(), "n") || strings.HasSuffix(fn.Name(), "N") || strings.HasSuffix(fn.Name(), "Range")
	}
	return false
}

// duration evaluates a duration.
func (env evaluator) duration(v ssa.Value) (time.Duration, bool) {
	c := env.eval(v, 0)
	if c == nil || c.Kind() != constant.Int {
		return 0, false
	}
	n, ok := constant.Int64Val(c)
	return time.Duration(n), ok
}

func binary(op token.Token, x, y constant.Value, t types.Type) constant.Value {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(x, op, y))
	case token.SHL, token.SHR:
		n, ok := constant.Uint64Val(constant.ToInt(y))
		if !ok || n > 62 || x.Kind() != constant.Int {
			return nil
		}
		return constant.Shift(x, op, uint(n))
	case token.QUO, token.REM:
		if constant.Sign(y) == 0 {
			return nil
		}
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 && op == token.QUO {
			op = token.QUO_ASSIGN // integer division
		}
		fallthrough
	case token.ADD, token.SUB, token.MUL:
		if x.Kind() == constant.Int || x.Kind() == constant.Float {
			return constant.BinaryOp(x, op, y)
		}
	}
	return nil
}

// length returns the length of a slice literal.
func length(v ssa.Value) constant.Value {
	slice, ok := v.(*ssa.Slice)
	if !ok || slice.Low != nil || slice.High != nil {
		return nil
	}
	ptr, ok := slice.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	array, ok := ptr.Elem().Underlying().(*types.Array)
	if !ok {
		return nil
	}
	return constant.MakeInt64(array.Len())
}

// element returns an element of a slice literal of constants.
func (env evaluator) element(elem *ssa.IndexAddr, depth int) constant.Value {
	index := env.eval(elem.Index, depth+1)
	slice, ok := elem.X.(*ssa.Slice)
	if index == nil || !ok {
		return nil
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, ref := range *array.Referrers() {
		other, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		if i, ok := other.Index.(*ssa.Const); ok && i.Value != nil && constant.Compare(i.Value, token.EQL, index) {
			if vs := storesTo(other); len(vs) == 1 {
				return env.eval(vs[0], depth+1)
			}
		}
	}
	return nil
}
