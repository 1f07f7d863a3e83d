// Package origin answers where a value comes from.
//
// [Of] takes one step back from a value. It describes the operation instead of
// the SSA instruction: reading a field is one kind of step, whether the program
// reads it from a struct or through a pointer. [Index] records what a package
// stores, passes, captures and returns. With it a step can leave the
// instruction: from a variable to the values assigned to it, from a parameter to
// the arguments. [Index.Walk] repeats the step.
//
// Engines do not look through instructions themselves. A new SSA operator, or
// another way to write the same thing, is handled here, once for all engines.
package origin

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Kind says which operation yields a value.
type Kind uint8

const (
	// Other is anything else, such as an instruction that a newer x/tools adds.
	Other Kind = iota

	// Constant is a constant or nil.
	Constant
	// Func is a function; Builtin is a builtin function.
	Func
	Builtin
	// Global is the address of a package variable.
	Global
	// Parameter is a parameter of the function.
	Parameter
	// Captured is what a function literal captures, usually the address of a
	// variable of the enclosing function.
	Captured

	// Local is the address of a new local variable, array or struct.
	Local
	// Made is a new map, slice or channel.
	Made
	// Closure is a function literal, or a method value, together with what it
	// captures.
	Closure

	// Renamed is X with another type but the same content, or as another
	// interface type.
	Renamed
	// Boxed is X converted to an interface; Asserted is the reverse.
	Boxed
	Asserted
	// Converted is X converted to a number, a string or bytes of another type.
	Converted
	// Sliced is a part of X, or a slice of the array X.
	Sliced

	// Choice is one of Edges.
	Choice

	// Loaded is the content of the address X.
	Loaded
	// Field is the field Field of X. If Addr is set it is the field's address,
	// and X is a pointer to the struct.
	Field
	// Element is the element of X at Key, or its address if Addr is set. X is a
	// slice, an array, a string or a map.
	Element
	// Received is a value from the channel X.
	Received
	// Selected is result number Index of a select statement.
	Selected

	// Iterator is an iteration over X, a map or a string. Item is a result of
	// one round of it: X is the iterator, and Index is 1 for the key and 2 for
	// the element.
	Iterator
	Item

	// Result is result number Index of Call.
	Result
	// OK reports whether a comma-ok form succeeded. X is the tuple that it
	// belongs to.
	OK
	// Computed is the result of the operator Op on X and, if it is binary, Y.
	Computed
)

// An Origin is one step back from a value. Which fields are set depends on Kind.
type Origin struct {
	Kind  Kind
	Addr  bool
	Op    token.Token
	Index int
	X, Y  ssa.Value
	Key   ssa.Value
	Edges []ssa.Value
	Call  *ssa.Call
	// Field is the declared field. For an instance of a generic struct it is the
	// field of the generic type.
	Field *types.Var
}

// Of takes one step back from v.
func Of(v ssa.Value) Origin {
	switch v := v.(type) {
	case *ssa.Const:
		return Origin{Kind: Constant}
	case *ssa.Function:
		return Origin{Kind: Func}
	case *ssa.Builtin:
		return Origin{Kind: Builtin}
	case *ssa.Global:
		return Origin{Kind: Global, Addr: true}
	case *ssa.Parameter:
		return Origin{Kind: Parameter}
	case *ssa.FreeVar:
		return Origin{Kind: Captured}

	case *ssa.Alloc:
		return Origin{Kind: Local, Addr: true}
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return Origin{Kind: Made}
	case *ssa.MakeClosure:
		return Origin{Kind: Closure, X: v.Fn, Edges: v.Bindings}

	case *ssa.ChangeType:
		return Origin{Kind: Renamed, X: v.X}
	case *ssa.ChangeInterface:
		return Origin{Kind: Renamed, X: v.X}
	case *ssa.SliceToArrayPointer:
		return Origin{Kind: Renamed, X: v.X}
	case *ssa.MakeInterface:
		return Origin{Kind: Boxed, X: v.X}
	case *ssa.TypeAssert:
		return Origin{Kind: Asserted, X: v.X}
	case *ssa.Convert:
		return Origin{Kind: Converted, X: v.X}
	case *ssa.MultiConvert:
		return Origin{Kind: Converted, X: v.X}
	case *ssa.Slice:
		return Origin{Kind: Sliced, X: v.X}

	case *ssa.Phi:
		return Origin{Kind: Choice, Edges: v.Edges}

	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			return Origin{Kind: Loaded, X: v.X}
		case token.ARROW:
			return Origin{Kind: Received, X: v.X}
		}
		return Origin{Kind: Computed, Op: v.Op, X: v.X}
	case *ssa.BinOp:
		return Origin{Kind: Computed, Op: v.Op, X: v.X, Y: v.Y}

	case *ssa.FieldAddr:
		return Origin{Kind: Field, Addr: true, X: v.X, Field: structField(v.X.Type(), v.Field)}
	case *ssa.Field:
		return Origin{Kind: Field, X: v.X, Field: structField(v.X.Type(), v.Field)}
	case *ssa.IndexAddr:
		return Origin{Kind: Element, Addr: true, X: v.X, Key: v.Index}
	case *ssa.Index:
		return Origin{Kind: Element, X: v.X, Key: v.Index}
	case *ssa.Lookup:
		return Origin{Kind: Element, X: v.X, Key: v.Index}

	case *ssa.Range:
		return Origin{Kind: Iterator, X: v.X}
	case *ssa.Next:
		return Origin{Kind: Item, X: v.Iter}
	case *ssa.Select:
		return Origin{Kind: Selected}
	case *ssa.Call:
		return Origin{Kind: Result, Call: v}
	case *ssa.Extract:
		return ofTuple(v)
	}
	return Origin{}
}

// ofTuple takes the step from a component of a tuple. The instruction that makes
// the tuple decides what the component is.
func ofTuple(v *ssa.Extract) Origin {
	o := Of(v.Tuple)
	switch o.Kind {
	case Result, Item, Selected:
		o.Index = v.Index
	case Element, Asserted, Received:
		if v.Index == 1 {
			return Origin{Kind: OK, X: v.Tuple}
		}
	}
	return o
}

// structField returns field number i of the struct that t is or points to, or
// nil if there is none. For an instance of a generic type it returns the field
// of the generic type.
func structField(t types.Type, i int) *types.Var {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return nil
	}
	return s.Field(i).Origin()
}

// FieldName returns the name of the field if the origin is of kind [Field], else
// "".
func (o Origin) FieldName() string {
	if o.Kind != Field || o.Field == nil {
		return ""
	}
	return o.Field.Name()
}

// Builtin returns the name of the builtin function if the origin is the result
// of one, else "".
func (o Origin) Builtin() string {
	if o.Call == nil {
		return ""
	}
	b, ok := o.Call.Call.Value.(*ssa.Builtin)
	if !ok {
		return ""
	}
	return b.Name()
}

// Through goes back from v as long as the step is of one of the kinds, which
// must be changes of type. It returns the value where that ends.
func Through(v ssa.Value, kinds ...Kind) ssa.Value {
	for {
		o := Of(v)
		found := false
		for _, k := range kinds {
			found = found || o.Kind == k
		}
		if !found || o.X == nil {
			return v
		}
		v = o.X
	}
}

// ReceivedFrom returns the channel that the instruction receives from, or nil if
// it is not a receive operation.
func ReceivedFrom(instr ssa.Instruction) ssa.Value {
	if op, ok := instr.(*ssa.UnOp); ok && op.Op == token.ARROW {
		return op.X
	}
	return nil
}

// FieldOf returns the field that v is read from, or whose address it is, and the
// struct or the pointer to the struct.
func FieldOf(v ssa.Value) (field *types.Var, of ssa.Value) {
	o := Of(v)
	if o.Kind == Loaded {
		o = Of(o.X)
	}
	if o.Kind != Field {
		return nil, nil
	}
	return o.Field, o.X
}
