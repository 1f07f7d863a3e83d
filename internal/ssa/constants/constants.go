// Package constants answers which constant a value is: a literal, a value
// computed from literals, or the value of a package variable that is assigned
// only once. The variable may belong to another package.
package constants

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Of returns the value of v if v is an ssa.Const, else nil. It returns nil also
// for the constants nil and the zero value of a struct.
func Of(v ssa.Value) constant.Value {
	if c, ok := v.(*ssa.Const); ok {
		return c.Value
	}
	return nil
}

// IsNil reports whether v is nil.
func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// IsZero reports whether v is nil, "", 0 or the zero value of a struct. False
// does not count.
func IsZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok {
		return false
	}
	if c.Value == nil {
		return true
	}
	switch c.Value.Kind() {
	case constant.String:
		return constant.StringVal(c.Value) == ""
	case constant.Int, constant.Float:
		return constant.Sign(c.Value) == 0
	}
	return false
}

// String returns the value of v if it is a constant string.
func String(v ssa.Value) (string, bool) {
	c := Of(v)
	if c == nil || c.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c), true
}

// Bool returns the value of v if it is a constant boolean.
func Bool(v ssa.Value) (value, ok bool) {
	c := Of(v)
	if c == nil || c.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(c), true
}

// Int returns the value of v if it is a constant integer.
func Int(v ssa.Value) (int64, bool) {
	c := Of(v)
	if c == nil || c.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c)
}

// An Evaluator computes constants from other constants, from given values, and
// from package variables.
type Evaluator struct {
	// Given holds known values, such as those of parameters and of loop
	// variables.
	Given map[ssa.Value]constant.Value
	// Vars has the values of package variables. If it is nil none is known.
	Vars *Vars
	// Call returns the result of a call, or its upper bound. It may be nil; then
	// the results of calls are unknown.
	Call func(*ssa.Call) ssa.Value
}

// maxDepth bounds the depth of the expressions that are evaluated.
const maxDepth = 12

// Eval returns the constant value of v, or nil if it is unknown.
func (e Evaluator) Eval(v ssa.Value) constant.Value { return e.eval(v, 0) }

// Duration returns the value of v as a duration.
func (e Evaluator) Duration(v ssa.Value) (time.Duration, bool) {
	c := e.Eval(v)
	if c == nil || c.Kind() != constant.Int {
		return 0, false
	}
	n, ok := constant.Int64Val(c)
	return time.Duration(n), ok
}

// Fields returns the constants in the fields of the struct v. v is a literal,
// the value of a package variable, or a copy of either in a local variable some
// of whose fields are then changed. A field without an entry is zero. Fields
// returns false if a field is not constant.
func (e Evaluator) Fields(v ssa.Value) (map[string]constant.Value, bool) {
	o := origin.Of(v)
	if o.Kind != origin.Loaded {
		return nil, false
	}
	switch addr := o.X.(type) {
	case *ssa.Global:
		fields := e.Vars.Fields(addr)
		return fields, fields != nil
	case *ssa.Alloc:
		return e.FieldsAt(addr)
	}
	return nil, false
}

// FieldsAt is like [Evaluator.Fields] for a local variable.
func (e Evaluator) FieldsAt(cell *ssa.Alloc) (map[string]constant.Value, bool) {
	fields := make(map[string]constant.Value)
	switch whole := origin.StoredAt(cell); len(whole) {
	case 0:
	case 1:
		base, ok := e.Fields(whole[0])
		if !ok {
			return nil, false
		}
		maps.Copy(fields, base)
	default:
		return nil, false
	}
	for _, ref := range *cell.Referrers() {
		at, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, stored := range origin.StoredAt(at) {
			c := e.Eval(stored)
			if c == nil {
				return nil, false
			}
			fields[origin.Of(at).FieldName()] = c
		}
	}
	return fields, true
}

func (e Evaluator) eval(v ssa.Value, depth int) constant.Value {
	if depth > maxDepth {
		return nil
	}
	if c, ok := e.Given[v]; ok {
		return c
	}
	o := origin.Of(v)
	switch o.Kind {
	case origin.Constant:
		return Of(v)
	case origin.Renamed:
		return e.eval(o.X, depth+1)
	case origin.Converted:
		return convert(e.eval(o.X, depth+1), v.Type())
	case origin.Computed:
		if o.Y == nil {
			return nil
		}
		x, y := e.eval(o.X, depth+1), e.eval(o.Y, depth+1)
		if x == nil || y == nil {
			return nil
		}
		return binary(o.Op, x, y, o.X.Type())
	case origin.Loaded:
		return e.loaded(o.X, depth)
	case origin.Result:
		if b, ok := o.Call.Call.Value.(*ssa.Builtin); ok {
			if b.Name() == "len" {
				if n, ok := Length(o.Call.Call.Args[0]); ok {
					return constant.MakeInt64(n)
				}
			}
			return nil
		}
		if e.Call != nil {
			if w := e.Call(o.Call); w != nil {
				return e.eval(w, depth+1)
			}
		}
	}
	return nil
}

// loaded returns the constant at an address.
func (e Evaluator) loaded(addr ssa.Value, depth int) constant.Value {
	switch o := origin.Of(addr); o.Kind {
	case origin.Global:
		return e.Vars.value(addr.(*ssa.Global))
	case origin.Field:
		if g, ok := o.X.(*ssa.Global); ok {
			return e.Vars.Fields(g)[o.FieldName()]
		}
	case origin.Element:
		return e.element(o, depth)
	case origin.Local, origin.Captured:
		if e.Vars == nil {
			return nil
		}
		if v := e.Vars.index.Initial(addr); v != nil {
			return e.eval(v, depth+1)
		}
	}
	return nil
}

// element returns an element of a slice literal of constants.
func (e Evaluator) element(o origin.Origin, depth int) constant.Value {
	index := e.eval(o.Key, depth+1)
	array, ok := origin.Of(o.X).X.(*ssa.Alloc)
	if index == nil || !ok || origin.Of(o.X).Kind != origin.Sliced {
		return nil
	}
	for _, ref := range *array.Referrers() {
		other, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		if i := Of(other.Index); i != nil && constant.Compare(i, token.EQL, index) {
			if vs := origin.StoredAt(other); len(vs) == 1 {
				return e.eval(vs[0], depth+1)
			}
		}
	}
	return nil
}

func convert(x constant.Value, t types.Type) constant.Value {
	if x == nil || x.Kind() != constant.Int && x.Kind() != constant.Float {
		return nil
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		f, _ := constant.Float64Val(x)
		return constant.MakeInt64(int64(f))
	}
	return constant.ToFloat(x)
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

// Length returns the length of a slice where it is made, if that is constant.
func Length(v ssa.Value) (int64, bool) {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return Int(v.Len)
	case *ssa.Slice: // of the array of a literal, or of make with a constant capacity
		if v.Low != nil {
			return 0, false
		}
		if v.High != nil {
			return Int(v.High)
		}
		if ptr, ok := v.X.Type().Underlying().(*types.Pointer); ok {
			if array, ok := ptr.Elem().Underlying().(*types.Array); ok {
				return array.Len(), true
			}
		}
	}
	return 0, false
}
