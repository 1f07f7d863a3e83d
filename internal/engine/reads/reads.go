// Package reads tells where a client reads from. The client of a manager reads from
// its cache: it ignores its context, and it lists in the order of a map. A client
// made from a configuration asks the API server.
// See https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#Options.
package reads

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// A Source is where a client reads from.
type Source uint8

const (
	Unknown Source = iota
	Cache
	Server
)

// Of returns where a client or a reader reads an object from, or a list, as far as its
// type, its name, the function that makes it and the view of the module tell. A client
// in a field or a parameter is a manager's, unless its name or the module says otherwise.
// Of a parameter nothing is known if the module puts others into fields, too.
// No client caches the kinds that the module says so of; a cache has them all.
func Of(view *wiring.View, client, object ssa.Value) Source {
	if client != nil && object != nil && library.IsClient(client.Type()) &&
		view.Uncached(origin.Through(object, origin.Boxed, origin.Renamed).Type()) {
		return Server
	}
	return of(view, client)
}

func of(view *wiring.View, client ssa.Value) Source {
	if client == nil {
		return Unknown
	}
	switch is := library.TypeOf(client.Type()).Is; {
	case is == library.Cache, library.IsClient(client.Type()):
	case is == library.Reader:
		return Server // as a rule it is the API reader
	default:
		return Unknown
	}
	if o := origin.Of(client); o.Kind == origin.Loaded {
		client = o.X
	}
	switch o := origin.Of(client); o.Kind {
	case origin.Field:
		if fn := view.Result(o.Field); fn != nil {
			return made(fn)
		}
		return byName(o.FieldName())
	case origin.Parameter:
		return handedOn(view, client.Name())
	case origin.Result:
		fn := callee.Static(o.Call.Common())
		if fn == nil {
			return Unknown
		}
		if from := made(fn); from != Unknown || !isGetter(fn) {
			return from
		}
		return handedOn(view, fn.Name())
	}
	return Unknown
}

// handedOn returns where a client reads from that a parameter or a getter of this name has.
func handedOn(view *wiring.View, name string) Source {
	if from := byName(name); from == Server || !view.MixesClients() {
		return from
	}
	return Unknown
}

// isGetter reports whether a method of the module returns a client that its receiver has.
func isGetter(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Recv() != nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 && fn.Pkg() != nil && !library.TraitsOfPackage(fn.Pkg()).Has(library.UsesCluster)
}

// OfVariable returns where a client or a reader reads from that is in a variable of a type
// and a name. If it is a field, the view of the module may tell. A reader may be either
// unless its name says that it is no cache.
func OfVariable(view *wiring.View, field *types.Var, t types.Type, name string) Source {
	if field != nil {
		if fn := view.Result(field); fn != nil {
			return made(fn)
		}
	}
	switch is := library.TypeOf(t).Is; {
	case is == library.Cache, library.IsClient(t):
		return byName(name)
	case is == library.Reader:
		if byName(name) == Server {
			return Server
		}
	}
	return Unknown
}

// made returns where the client that fn returns reads from.
func made(fn *types.Func) Source {
	if watch := library.Of(fn).Watch; watch != nil {
		switch watch.Role {
		case library.ManagerClient, library.ManagerCache:
			return Cache
		case library.NewClient:
			return Server
		}
	}
	if library.IsAPIReader(library.Name(fn)) {
		return Server
	}
	if strings.HasSuffix(library.Name(fn), ").GetClient") {
		return Cache // an interface like the manager's
	}
	return Unknown
}

// byName returns what the name of a field or a parameter says.
func byName(name string) Source {
	name = strings.ToLower(name)
	for _, word := range []string{"api", "live", "direct", "uncached", "noncached", "nocache", "remote"} {
		if strings.Contains(name, word) {
			return Server
		}
	}
	return Cache
}
