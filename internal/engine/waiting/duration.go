package waiting

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// maxSimulated bounds the rounds of a loop that are computed.
const maxSimulated = 1000

// short reports whether the loop certainly waits no longer in all than the
// options let pass, or only once: its rounds are counted out with the constants
// in them.
//
//	for i := 0; i < 3; i++ {
//		...
//		time.Sleep(delay)
//		delay *= 2
//	}
func (p *pkg) short(l *loop, s *site) bool {
	return p.shortDeadline(l) || p.shortTimer(l) || p.shortWith(l, nil, s) || p.shortSteps(l, s)
}

// shortWith is short for given values of parameters.
func (p *pkg) shortWith(l *loop, given evaluator, s *site) bool {
	env := maps.Clone(given)
	if env == nil {
		env = make(evaluator)
	}
	for _, phi := range l.phis() {
		if v := env.entering(l, phi); v != nil {
			env[phi] = v
		}
	}
	// A test in the header comes before the wait, unless that is there too.
	before := func(b *ssa.BasicBlock) bool { return b == l.header && s.block != l.header }
	after := func(b *ssa.BasicBlock) bool { return !before(b) }
	total, known := time.Duration(0), true
	for round := range maxSimulated {
		if env.ends(l, before) {
			return round <= 1 || known && total <= p.opts.MaxWait
		}
		d, ok := s.known, s.known > 0
		if s.duration != nil {
			d, ok = env.duration(s.duration)
		}
		total, known = total+d, known && ok
		if env.ends(l, after) {
			return round == 0 || known && total <= p.opts.MaxWait
		}
		if round > 0 && (!known || total > p.opts.MaxWait) {
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

// shortDeadline reports whether a deadline that is near ends the loop.
func (p *pkg) shortDeadline(l *loop) bool {
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
			switch library.Name(ssair.Callee(cond.Common())) {
			case "(time.Time).Before", "(time.Time).After":
				for _, arg := range cond.Call.Args {
					if add, ok := arg.(*ssa.Call); ok && library.Name(ssair.Callee(add.Common())) == "(time.Time).Add" && !l.blocks[add.Block()] {
						if d, ok := constDuration(add.Call.Args[1]); ok && d <= p.opts.MaxWait {
							return true
						}
					}
				}
			}
		case *ssa.BinOp: // time.Since(start) < limit
			call, ok := cond.X.(*ssa.Call)
			if !ok || library.Name(ssair.Callee(call.Common())) != "time.Since" {
				continue
			}
			if d, ok := constDuration(cond.Y); ok && d <= p.opts.MaxWait {
				return true
			}
		}
	}
	return false
}

// shortTimer reports whether a short timer started before the loop ends it.
func (p *pkg) shortTimer(l *loop) bool {
	for b := range l.blocks {
		for _, instr := range b.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			for i, state := range sel.States {
				if state.Dir != types.RecvOnly || !isTimer(state.Chan.Type()) {
					continue
				}
				target := caseBlock(sel, i)
				if target == nil || l.blocks[target] && l.continues(target) {
					continue
				}
				if made, ok := state.Chan.(ssa.Instruction); ok && l.blocks[made.Block()] {
					continue
				}
				if v := p.timerDuration(state.Chan); v != nil {
					if d, ok := constDuration(v); ok && d <= p.opts.MaxWait {
						return true
					}
				}
			}
		}
	}
	return false
}

// shortSteps reports whether the loop sleeps for the steps of a short
// wait.Backoff until that has none left.
//
//	for b.Steps > 0 {
//		time.Sleep(b.Step())
//	}
func (p *pkg) shortSteps(l *loop, s *site) bool {
	step, ok := s.duration.(*ssa.Call)
	if !ok || library.Name(ssair.Callee(step.Common())) != "(k8s.io/apimachinery/pkg/util/wait.Backoff).Step" {
		return false
	}
	alloc, ok := step.Call.Args[0].(*ssa.Alloc)
	if !ok || !l.testsField(alloc, "Steps") {
		return false
	}
	b, ok := p.backoffIn(alloc)
	b.steps++
	total, _ := b.pauses()
	return ok && total <= p.opts.MaxWait
}

// testsField reports whether a branch that leaves the loop depends on a field
// of the variable.
func (l *loop) testsField(alloc *ssa.Alloc, name string) bool {
	for b := range l.blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.blocks[b.Succs[0]] && l.blocks[b.Succs[1]] {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		load, ok := cond.X.(*ssa.UnOp)
		if !ok {
			continue
		}
		if field, ok := load.X.(*ssa.FieldAddr); ok && field.X == ssa.Value(alloc) && fieldOf(alloc.Type(), field.Field).Name() == name {
			return true
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
func (env evaluator) ends(l *loop, consider func(*ssa.BasicBlock) bool) bool {
	for b := range l.blocks {
		if !consider(b) {
			continue
		}
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
		if fn := ssair.Callee(v.Common()); fn != nil && fn.Pkg() != nil && len(v.Call.Args) > 0 && isRandom(fn) {
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
