// Package wiring answers what other packages of a module decide: which functions
// and which types they put into the fields of structs, and which types stand
// behind an interface.
//
// Facts flow from a package to those that import it. What main puts into a
// reconciler's field flows the other way. The command looks it up before it
// analyses anything: it collects a [Survey] of each package from syntax alone,
// joins them in a [Module], and hands each package a [View] of what it can ask.
// Other drivers see one package at a time and have no view, so nothing is known.
//
// A survey is made without types, because type-checking the module twice would
// cost far more. It resolves what the syntax of a function says for certain, and
// the module takes every store that it cannot resolve for a store of an unknown
// value into all fields of that name.
package wiring

import "time"

// A Name names something that a package declares. A method is "T.m".
type Name struct{ Pkg, Name string }

// A Survey is what the syntax of one package says, test files excluded. It
// depends on the files of the package alone, and on the names of the packages
// that it imports.
type Survey struct {
	Path    string
	Main    bool     // it is a program
	Imports []string // packages of the module
	Dots    []string // those whose names are used without a qualifier

	Values []Value // Values[0] is unknown
	Types  []Type
	Funcs  []Func
	Stores []Store
	Calls  []Call

	Selected []string // x in any y.x, sorted
	Used     []Name   // functions that are used as values, sorted
	Methods  []string // x in any y.x that is not called, sorted
	Made     []Name   // types that have values, sorted

	// Started has the x that a program only uses in statements go y.x(…), outside of
	// loops. Sorted.
	Started []string

	Uses []Use // by functions and variables

	// Operates says that it may be part of an operator or a service: it watches or changes
	// what is in a cluster, has a reconcile or a worker, or serves requests.
	Operates bool
	// Manages says that it makes a manager, or controllers.
	Manages bool

	Resyncs  []Resync // that it gives to managers
	Uncached []Name   // types that a manager's client does not cache; the zero Name for others
	Defaults []Store  // of durations that are flags
}

// A Kind says what is known of a value.
type Kind uint8

const (
	Unknown  Kind = iota
	Nil           // nil, or a constant, which is neither function nor implementation
	Object        // the function or variable Of
	Instance      // a value of the struct or other concrete type Of, or its address
	Typed         // any value of the type Of
	Result        // result Index of the function Of
	Method        // result Index of the method Sel of the value X
	Param         // parameter Index of the function Of; the receiver is -1
	Member        // the field or method Sel of the value X, or its field Index if Sel is empty
	Number        // the duration Num
	Default       // what its user sets, or the duration X
)

// A ValueID is an index into a survey's values.
type ValueID int32

// A Value is a value, as far as syntax tells.
type Value struct {
	Kind  Kind
	Of    Name
	X     ValueID
	Sel   string
	Index int
	Num   int64
}

// A Shape says how a type is made from the named type Of.
type Shape uint8

const (
	Other     Shape = iota // nothing is known
	Plain                  // Of
	Pointer                // *Of
	Container              // a slice, an array, a map or a channel of Of
	Function               // func(…) …
)

// A TypeRef is a type as it is written somewhere.
type TypeRef struct {
	Shape Shape
	Of    Name
}

// A TypeKind says what a type declaration declares.
type TypeKind uint8

const (
	Struct    TypeKind = iota
	Interface          // its Methods are those that it lists
	Alias              // of Under
	Defined            // with the underlying type of Under
)

// A Type is the declaration of a type. Embeds are embedded fields or interfaces.
type Type struct {
	Name    string
	Kind    TypeKind
	Fields  []Field
	Methods []string
	Embeds  []TypeRef
	Under   TypeRef
}

// A Field is a field of a struct. A field with a tag is data.
type Field struct {
	Name    string
	Type    TypeRef
	Tagged  bool
	Default time.Duration // that its tag gives it, or 0
}

// A Func is the declaration of a function or method.
type Func struct {
	Name     string
	Params   []TypeRef
	Results  []TypeRef
	Variadic bool
	Returns  [][]ValueID // by result
}

// A Store puts a value into a [Member] or a variable.
type Store struct {
	To, Val ValueID
	Init    bool // a literal or a declaration does
}

// A Resync is a resync period that a manager is given: the duration Of, or what that
// points to.
type Resync struct {
	Of ValueID
	In ValueID // what it is assigned to a field of, 0 in a literal of a manager's options
}

// A Call passes arguments to a function of the module, or to a method. Arguments
// beyond Args are unknown.
type Call struct {
	Func ValueID // an [Object] or a [Member]
	Args []ValueID
}
