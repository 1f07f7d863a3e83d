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
// is the first argument of that type, or what [CarriedContext] says of the
// receiver's making.
func ActOf(fn *types.Func) (Act, bool) {
	if fn == nil {
		return Act{}, false
	}
	name := Name(fn)
	if w, ok := WriteNamed(name); ok {
		persists := w.Sub != "" || strings.HasSuffix(name, "/patch.Helper).Patch")
		return Act{Persists: persists}, !strings.HasSuffix(name, ".EventInterface)."+fn.Name())
	}
	if act, ok := acts[waitName(fn)]; ok {
		return act, true
	}
	return Act{}, CallsService(fn) && !readsOnly(fn.Name())
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

// CancelledBy returns the indices of two results of fn: a context, and the
// function or the group that cancels it. Of a group, the method Wait does.
func CancelledBy(fn *types.Func) (context, canceller int, ok bool) {
	switch MeaningOf(fn) {
	case Cancels, Expires:
		return 0, 1, true
	}
	switch Name(fn) {
	case "os/signal.NotifyContext":
		return 0, 1, true
	case errGroup + ".WithContext":
		return 1, 0, true
	}
	return 0, 0, false
}

// WaitsForGroup reports whether fn waits for a group that [CancelledBy] speaks
// of, and then cancels its context.
func WaitsForGroup(fn *types.Func) bool { return Name(fn) == "("+errGroup+".Group).Wait" }

// StartsInGroup reports whether fn starts its function in a group.
func StartsInGroup(fn *types.Func) bool {
	return Name(fn) == "("+errGroup+".Group).Go" || Name(fn) == "("+errGroup+".Group).TryGo"
}

const errGroup = "golang.org/x/sync/errgroup"

var acts = map[string]Act{
	"net/http.NewRequestWithContext":     {Request: true, Method: 1},
	retryHTTP + ".NewRequestWithContext": {Request: true, Method: 1},
	"(net/http.Server).Shutdown":         {},
	"os/exec.CommandContext":             {},
	"(database/sql.DB).ExecContext":      {},
	"(database/sql.Conn).ExecContext":    {},
	"(" + restyV1 + ".Request).Post":     {},
	"(" + restyV1 + ".Request).Put":      {},
	"(" + restyV1 + ".Request).Patch":    {},
	"(" + restyV1 + ".Request).Delete":   {},
	"(" + restyV2 + ".Request).Post":     {},
	"(" + restyV2 + ".Request).Put":      {},
	"(" + restyV2 + ".Request).Patch":    {},
	"(" + restyV2 + ".Request).Delete":   {},
}

// ActNames lists, sorted, the names of the functions in the tables of this file.
func ActNames() []string {
	all := []string{"os/signal.NotifyContext", errGroup + ".WithContext", "(" + errGroup + ".Group).Wait", "(" + errGroup + ".Group).Go", "(" + errGroup + ".Group).TryGo"}
	for name := range acts {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
