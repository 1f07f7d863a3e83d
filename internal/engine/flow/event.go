package flow

import (
	"go/token"
	"slices"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
)

// An Event is one call, in a function's call tree, of a function that package
// library records as a write or a watch: a client's Update, a builder's Complete.
// Its arguments are seen from the function whose summary has the event. An event
// of Reconcile names concrete kinds where a generic helper three calls below only
// knows its parameter.
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

	// Made is the ID of the object that the call returns, if package library says
	// that it makes one (a builder, a handler, a client), else 0. Arguments of
	// other events that are this object have the same ID.
	Made int

	// Result is the TypeName of the callee's first result. A clientset's method
	// that takes only a name and bytes writes an object of this type.
	Result string

	// Guards are the guards of the call: the conditions above it that may be
	// false once the cluster has converged. Each is the set of labels that feed
	// the condition.
	Guards [][]Label

	// conds are the conditions of Guards in the source, if the analysis is
	// traced. They are not part of a fact.
	conds []text.Cond

	// Maybe is set when the call goes through an interface or function value
	// with several candidates.
	Maybe bool

	// Cut is set when the function that has the event exceeded its budget. There
	// may be more events, and the objects and guards of this one are incomplete.
	Cut bool

	// Through is set when the call goes through an interface that only repeats the
	// library's method. If the object there has a method of the module, that one
	// is called instead.
	Through *FuncRef

	// Go is set when the call runs in a goroutine of its own.
	Go bool

	// Rounds is set when a loop that waits each time makes the call again and again,
	// and no status decides whether it does.
	Rounds bool

	// Deleting is set when the call only happens while an object is being
	// deleted.
	Deleting bool

	// When are the type tests that must succeed for the call to happen.
	When []TypeTest

	// Phases are the TypeNames, sorted, of objects that must be in one phase
	// for the call to happen: a field of their status equals a constant.
	Phases []string

	// Scope is the scope in which the call happens.
	Scope Scope

	// Once are the objects for which the call happens once.
	Once Once
}

// An Arg is an argument of an [Event].
type Arg struct {
	// Objects are what the argument may refer to. None means unknown.
	Objects []Object

	// Unknown is set when the argument may be something else, too.
	Unknown bool

	// Funcs are the functions that the argument may be.
	Funcs []Func

	// Const is the argument's value if it is a constant string or boolean.
	Const string

	// Labels are what the argument itself depends on, if it is not a reference.
	Labels []Label
}

// isNothing reports whether the argument has no candidates and nothing is unknown
// about it.
func (a Arg) isNothing() bool {
	return len(a.Objects) == 0 && len(a.Funcs) == 0 && len(a.Labels) == 0 && !a.Unknown && a.Const == ""
}

// An Object is what an argument refers to: something allocated in the call tree,
// or a place under a parameter of the function whose summary has the event.
type Object struct {
	// ID identifies an allocation within a summary. Two arguments with the same
	// ID are the same variable, or one statement allocates both.
	ID int

	// Param is the index of the parameter that the object is, or lies under. The
	// receiver is the first parameter. If the object is allocated, Param is -1.
	Param int

	// Path is the access path under the allocation or parameter.
	Path access.Path

	// Type is the library.TypeName of the object's dynamic type, or "" if that is
	// unknown. GVK is the group/version/kind ("apps/v1/Deployment") of an
	// unstructured object or an apply configuration, if it is constant.
	Type string
	GVK  string

	// Passed is the call at which Type and GVK became known, if that is not the call
	// of the event: the one at which a caller passes the object to a function that
	// takes any. PassedPos and PassedEnd are its range in the package under analysis.
	// They are not part of a fact.
	Passed               place.Place
	PassedPos, PassedEnd token.Pos

	// Owners are the owner references that are set on the object by then.
	Owners []Owner

	// OwnersUnknown is set when there may be owner references that the analysis
	// did not see: the object, or its owner references, came from unknown code or
	// escaped to it.
	OwnersUnknown bool

	// OwnersOf are places under parameters: the object is a copy of what is there,
	// and has its owner references, too.
	OwnersOf []ParamPath

	// Named is what the object's name is made of, as far as it is known: content of
	// parameters, and of objects that were read. NamedBy is set if it is no other
	// name than one that is made of that, or of constants. Constant is set if it is
	// made of constants alone. Name is the name if it is known then.
	Named    []Label
	NamedBy  bool
	Constant bool
	Name     string
	// Ending is what a name certainly ends in that is not known as a whole.
	Ending string
	// Asked is set if the name is the one by which the object was read.
	Asked bool
	// Anew is set if the name may be another one each time: a part of it is random, or the
	// API server completes it.
	Anew bool

	// Labels are the keys of the labels.
	Labels Keys

	// Sure is set if the argument certainly is the object: it is the only
	// candidate. A variadic argument certainly has it as an element: it is not
	// appended under a condition.
	Sure bool
	// All is set if the object stands for the elements of a list that a function gets, and the
	// argument has them all.
	All bool

	// Live is set when the object's content was read from the API server or a
	// cache (Get, List).
	Live bool

	// Found is set when the object was read and was there, so that it need not be
	// created.
	Found bool

	// Existed is set when the object was read and was there, even if it was deleted or
	// got another name since then. It has the owner references that it had.
	Existed bool

	// Copy is the place under a parameter that the object is a copy of, if the
	// object's type depends on that.
	Copy *ParamPath

	// From is the library.Name of the library function that returned the
	// object, or "".
	From string

	// When are the type tests that must succeed for the object to be made.
	When []TypeTest

	// Scope is the scope in which the object is made.
	Scope Scope

	// Fields are the labels found under the object at the time of the call.
	Fields []Field

	// Parts are the contents of the paths that library.Parts lists for the
	// object's type, as far as they were written. A combination of predicates has
	// these at the markers access.Combined and access.Chosen.
	Parts []Part
}

// Part returns the part at the path, and whether there is one.
func (o Object) Part(path access.Path) (Arg, bool) {
	for _, p := range o.Parts {
		if p.Path == path {
			return p.Arg, true
		}
	}
	return Arg{}, false
}

// A Part is the content of a path under an object.
type Part struct {
	Path access.Path
	Arg  Arg
}

// A Field is a path under an object and a label of the content there.
type Field struct {
	Path  access.Path
	Label Label
}

// Keys are the keys of a map in the metadata of an object. The zero Keys are not known.
type Keys struct {
	// Known is set if the map has no other keys.
	Known bool
	// Keys are sorted. The map also has the keys of maps under parameters.
	Keys []string
	Of   []ParamPath
}

// Lack reports whether the map certainly has no such key.
func (k Keys) Lack(key string) bool {
	return k.Known && len(k.Of) == 0 && !slices.Contains(k.Keys, key)
}

// An Owner is an owner reference.
type Owner struct {
	Controller bool
	// Type is the TypeName of the owner, or "" if that is unknown. Param is the
	// index of the parameter that the owner lies under, at Path, or -1.
	Type  string
	Param int
	Path  access.Path
}

// A Func is a function value.
type Func struct {
	// Name is the library.Name of the function. That of a function literal is
	// "path.Parent$1".
	Name string
	// Param is the index of the parameter that the function is, or -1.
	Param int
}

// IsDryRun reports whether the options of the event, which is this write, say that the API server
// keeps nothing of it.
func (ev *Event) IsDryRun(write *library.Write) bool {
	i, ok := write.Args.Of(library.OptionsArg, len(ev.Args))
	return ok && slices.ContainsFunc(ev.Args[i].Objects, func(o Object) bool {
		_, isSet := o.Part(access.Fields("DryRun"))
		return isSet || library.TypeNamed(o.Type).Is == library.DryRun
	})
}
