package flow

import (
	"go/token"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/text"
)

// An Event is one call, somewhere in a function's call tree, of a library
// function that the records of library describe: a write, a watch, a builder's
// Complete. It tells what the arguments are, as seen from the function whose
// summary holds the event: an event of Reconcile names concrete kinds where a
// generic helper three calls below only knows its parameter.
type Event struct {
	// Callee is the library.Name of the function called.
	Callee string

	// At is where the call is.
	At place.Place

	// Pos is where the event enters the package under analysis: the call
	// itself, or the call of the function of another package that leads to
	// it. It is not part of a fact.
	Pos, End token.Pos

	// Args are the arguments, the receiver first if there is one. Variadic
	// arguments are one last element whose Objects are the elements.
	Args []Arg

	// Made is the ID of the object that the call returns where library says
	// that it makes one (a builder, a handler, a client): arguments of other
	// events that are this value have the ID. It is 0 otherwise.
	Made int

	// Result is the TypeName of the callee's first result: what the method of
	// a clientset writes that takes only a name and bytes.
	Result string

	// Guards are the conditions under which the call happens that may be
	// false once the cluster has converged. Each is the set of labels that
	// feed the condition.
	Guards [][]Label

	// conds are the conditions of Guards in the source, if the analysis is
	// traced. They are not part of a fact.
	conds []text.Cond

	// Maybe is set when the call was reached through an interface or function
	// value whose target is one of several candidates.
	Maybe bool

	// Cut is set when the function that the event was seen in is too large to
	// be interpreted to its end: there may be more events, and more to say
	// about the objects and guards of this one.
	Cut bool

	// Go is set when the call runs in a goroutine of its own.
	Go bool

	// Deleting is set when the call only happens while an object is being
	// deleted.
	Deleting bool

	// When are the types of arguments without which the call does not happen.
	When []TypeTest

	// Phases are the TypeNames, sorted, of objects that must be in one phase
	// for the call to happen: a field of their status equals a constant.
	Phases []string
}

// An Arg is an argument of an [Event].
type Arg struct {
	// Objects are what the argument may refer to. None means unknown.
	Objects []Object

	// Unknown is set when the argument may also be something that the
	// analysis has lost track of.
	Unknown bool

	// Funcs are the functions that the argument may be.
	Funcs []Func

	// Const is the argument's value if it is a constant string or boolean.
	Const string

	// Labels are what the argument itself depends on, if it is no reference.
	Labels []Label
}

// isNothing reports whether there is nothing that the argument can be.
func (a Arg) isNothing() bool {
	return len(a.Objects) == 0 && len(a.Funcs) == 0 && len(a.Labels) == 0 && !a.Unknown && a.Const == ""
}

// An Object is what an argument refers to: something allocated in the call
// tree, or (part of) a parameter of the function whose summary holds the event.
type Object struct {
	// ID identifies an allocation within a summary. Two arguments with one ID
	// are the same variable (or allocated by the same statement).
	ID int

	// Param is the index of the parameter (receiver first) that the object
	// is, or lies under, or -1.
	Param int

	// Path is the access path under the allocation or parameter.
	Path access.Path

	// Type is the library.TypeName of the object's dynamic type, or "" if it
	// is not known. GVK is the group/version/kind ("apps/v1/Deployment") of an
	// unstructured object or an apply configuration, where constant.
	Type string
	GVK  string

	// Owners are the owner references set on the object so far.
	Owners []Owner

	// OwnersUnknown is set when owner references may have been set that the
	// analysis did not see: the object, or its owner references, came from or
	// went to unknown code.
	OwnersUnknown bool

	// Sure is set if the argument certainly is the object or, if it is variadic,
	// certainly has it as an element: the object is not one of several
	// candidates, and not appended under a condition.
	Sure bool

	// Live is set when the object's content was read from the API server or a
	// cache (Get, List).
	Live bool

	// Copy says which part of a parameter the object is a copy of, if its type
	// depends on that.
	Copy *ParamPath

	// From is the library.Name of the library function that returned the
	// object, or "".
	From string

	// When are the types of arguments without which the object is not made.
	When []TypeTest

	// Fields are the labels found under the object at the time of the call.
	Fields []Field

	// Parts are what lies at those paths of the object that library.Parts
	// lists for its type, as far as something was put there, and what one of
	// several predicates combines, at the marker access.Combined.
	Parts []Part
}

// Part returns what the object holds at the path, and whether something was put
// there, if the path is one that Parts tells of.
func (o Object) Part(path access.Path) (Arg, bool) {
	for _, p := range o.Parts {
		if p.Path == path {
			return p.Arg, true
		}
	}
	return Arg{}, false
}

// A Part is what a path under an object holds.
type Part struct {
	Path access.Path
	Arg  Arg
}

// A Field is a value that depends on something noteworthy and lies under an
// object.
type Field struct {
	Path  access.Path
	Label Label
}

// An Owner is an owner reference.
type Owner struct {
	Controller bool
	// Type is the TypeName of the owner, or "" if not known; Param is the
	// parameter that it is, or lies under at Path, or -1.
	Type  string
	Param int
	Path  access.Path
}

// A Func is a function value.
type Func struct {
	// Name is the function's full name; of a function literal, its parent's
	// name and position.
	Name string
	// Param is the index of the parameter that the function value is, or -1.
	Param int
}
