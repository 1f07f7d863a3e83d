package library

import (
	"go/types"
	"strings"
)

// This file describes functions of an operator's own libraries that the user
// declares in the options. The option says whether a function waits, writes or
// sets an owner. Its signature says what its parameters are for.

// WaitLike describes a function that waits. If it takes only a duration, and
// perhaps a context, it sleeps once. Any other function repeats something until
// it is done.
func WaitLike(fn *types.Func) *Wait {
	w := &Wait{Args: make(Slots)}
	alone := true
	for i, t := range Operands(fn) {
		sig, isFunc := t.Underlying().(*types.Signature)
		switch {
		case isStop(t):
			w.Args[ContextArg] = i
		case TypeName(t) == "time.Duration":
			w.Args[IntervalArg] = i
		case isFunc && sig.Results().Len() > 0:
			w.Args[CallbackArg] = i
			if sig.Results().Len() == 2 && IsBool(sig.Results().At(0).Type()) {
				w.Ends = conditionEnds
			}
			alone = false
		case i > 0 || fn.Signature().Recv() == nil:
			alone = false
		}
	}
	_, sleeps := w.Args[IntervalArg]
	if w.Loop = !sleeps || !alone; w.Loop {
		delete(w.Args, IntervalArg) // it may be a time limit
	}
	return w
}

// isStop reports whether a wait ends when an argument of the type is done: a
// context, or a channel to receive from.
func isStop(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return TypeOf(t).Is == Context || ok && ch.Dir() != types.SendOnly
}

// WrittenBy returns the index and the type of the argument that a function
// writes to the cluster: the last one that is an object or a slice of objects.
// The type is nil if there is none.
func WrittenBy(fn *types.Func) (arg int, typ types.Type) {
	for i, t := range Operands(fn) {
		elem := t
		if slice, ok := t.Underlying().(*types.Slice); ok {
			elem = slice.Elem()
		}
		if isObject(elem) {
			arg, typ = i, t
		}
	}
	return arg, typ
}

// ownWrite is the prefix of the name, in an event, of a function that the user
// declares to write its only argument.
const ownWrite = "write "

// OwnWrite returns the name in events of a function that the user declares to
// write to the cluster.
func OwnWrite(name string) string { return ownWrite + name }

// OwnerLike describes a function that makes one object the controller of
// another. They are its first two arguments that are objects. If there is only
// one such argument it is the controlled object, and its owner is unknown.
func OwnerLike(fn *types.Func) *Owner {
	var objects []int
	for i, t := range Operands(fn) {
		if isObject(t) {
			objects = append(objects, i)
		}
	}
	c := &Owner{Effect: SetsController, Args: make(Slots)}
	switch len(objects) {
	case 0:
	case 1:
		c.Args[ObjectArg] = objects[0]
	default:
		c.Args[OwnerArg], c.Args[ObjectArg] = objects[0], objects[1]
	}
	return c
}

// Operands returns the types of the arguments of a call, the receiver first.
func Operands(fn *types.Func) []types.Type {
	var all []types.Type
	sig := fn.Signature()
	if sig.Recv() != nil {
		all = append(all, sig.Recv().Type())
	}
	for v := range sig.Params().Variables() {
		all = append(all, v.Type())
	}
	return all
}

// isObject reports whether values of the type are API objects, or apply
// configurations of API objects.
func isObject(t types.Type) bool {
	if strings.HasSuffix(TypeName(t), "ApplyConfiguration") {
		return true
	}
	for _, method := range []string{"GetObjectKind", "GetOwnerReferences"} {
		if m, _, _ := types.LookupFieldOrMethod(t, true, nil, method); m != nil {
			return true
		}
	}
	return false
}

// AnswersOfAPI reports whether the function is a method of an API type that answers yes or no about
// what it is called on, and gets nothing else: IsValid of an endpoint in a spec.
func AnswersOfAPI(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Recv() != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && IsBool(sig.Results().At(0).Type()) &&
		fn.Pkg() != nil && declaresAPI(fn.Pkg())
}

// declaresAPI reports whether the package declares types of an API, as all do that code generators for
// APIs work on: it has the group and the version in a variable.
func declaresAPI(pkg *types.Package) bool {
	for _, name := range []string{"GroupVersion", "SchemeGroupVersion"} {
		if v, ok := pkg.Scope().Lookup(name).(*types.Var); ok && TypeName(v.Type()) == apimachinery+"/pkg/runtime/schema.GroupVersion" {
			return true
		}
	}
	return false
}
