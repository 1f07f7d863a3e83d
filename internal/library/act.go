package library

import (
	"go/types"
	"slices"
	"strings"
)

// An Act is a call with an effect outside the process that fails if its context
// is done: a write to the cluster, a request to another service, a command.
type Act struct {
	// Persists is set if the call writes only what the next reconcile will find
	// out again, such as a status.
	Persists bool
	// Request is set if the call only makes a request, which another call sends.
	// Its argument number Method is the HTTP method.
	Request bool
	Method  int
}

// ActOf returns the act of a call of fn, and whether there is one. The context
// is the first argument of that type, the [CarriedArg] of the call that made
// the receiver, or in a field of the [CarrierArg].
func ActOf(fn *types.Func) (Act, bool) {
	if fn == nil {
		return Act{}, false
	}
	path, recv, name := place(fn)
	f := find(path, recv, name)
	if f == unknownFunc {
		f = Named(Mirrored(fn))
	}
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

// readsOnly reports whether the name of a function says that the function
// changes nothing.
func readsOnly(name string) bool {
	return slices.ContainsFunc([]string{"Get", "List", "Watch", "Describe", "Check", "Query", "Read", "Stream", "Fetch"}, func(verb string) bool {
		return strings.HasPrefix(name, verb)
	})
}

// Reads reports whether requests with this HTTP method change nothing.
func Reads(method string) bool { return method == "GET" || method == "HEAD" || method == "OPTIONS" }
