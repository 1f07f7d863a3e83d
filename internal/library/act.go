package library

import (
	"go/types"
	"slices"
	"strings"
)

// An Act is a call that has an effect outside of the process, which it has not
// if its context is done: a write to the cluster, a request to another service,
// a command.
type Act struct {
	// Persists says that all that is written is what a reconciler has found out,
	// which the next one finds out again: a status.
	Persists bool
	// Request says that the call only makes a request with the method in its
	// argument Method, which some other call sends.
	Request bool
	Method  int
}

// ActOf returns the act that a call of fn is, and whether it is one. The context
// is the first argument of that type, or the [CarriedArg] of the receiver's making.
func ActOf(fn *types.Func) (Act, bool) {
	if fn == nil {
		return Act{}, false
	}
	path, recv, name := place(fn)
	f := find(path, recv, name)
	switch {
	case f.Write != nil: // deletions too, whatever their shape
		return Act{Persists: f.Write.Sub != "" || f.Write.WithStatus}, recv != "EventInterface"
	case f.Act != nil:
		return *f.Act, true
	}
	return Act{}, CallsService(fn) && !readsOnly(name)
}

// CallsService reports whether fn is a method of a generated gRPC client.
func CallsService(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	sig := fn.Signature()
	if !sig.Variadic() || sig.Recv() == nil || sig.Params().Len() < 2 {
		return false
	}
	last, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	return ok && TypeName(last.Elem()) == "google.golang.org/grpc.CallOption"
}

// readsOnly reports whether a function says by its name that it changes nothing.
func readsOnly(name string) bool {
	return slices.ContainsFunc([]string{"Get", "List", "Watch", "Describe", "Check", "Query", "Read", "Stream", "Fetch"}, func(verb string) bool {
		return strings.HasPrefix(name, verb)
	})
}

// Reads reports whether an HTTP method changes nothing.
func Reads(method string) bool { return method == "GET" || method == "HEAD" || method == "OPTIONS" }
