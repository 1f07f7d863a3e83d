package controller

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/reads"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// A Request is what a call in the call tree of a function asks of the API server about
// objects of one kind.
type Request struct {
	At   place.Place
	Verb library.Verb
	// Rights are all that the call needs, if the function that it calls decides that alone.
	Rights []library.Right

	// Type is the TypeName of the object, "" if it is not known. GVK is as in
	// [flow.Object]. If Resource is not empty, the call names the resource itself.
	Type, GVK       string
	Group, Resource string
	// Sub is the sub-resource, "*" if it is not known. WithStatus: the call writes the
	// status, too.
	Sub        string
	WithStatus bool

	// Creates is set if the write creates a missing object.
	Creates bool
	// Source is where a read comes from. Passed is set if the caller passes the client, and
	// decides on that.
	Source reads.Source
	Passed bool
	// Untyped is set if the object has no Go type of its own. As a rule a client does not
	// cache these.
	Untyped bool
	// Elsewhere is set if the client may be one of another cluster.
	Elsewhere bool
	// Open is set if the kind depends on the caller of the function. If a caller is known,
	// its call tree has the request with the kind.
	Open bool
	// Own is set for a function that the user declares to write.
	Own bool
	// Owners are the TypeNames of the objects to which the object written has a
	// controller reference, as far as they are known.
	Owners []string
	// Primary is set for a kind that a controller reconciles.
	Primary bool
}

// A Requester finds the requests of the functions of a package.
type Requester struct {
	pass *analysis.Pass
	flow *flow.Package
	view *wiring.View
}

// NewRequester returns a requester for a pass in which [rule.Asks] holds, whose analyzer
// requires flow.Analyzer and wiring.Analyzer.
func NewRequester(pass *analysis.Pass) *Requester {
	return &Requester{pass: pass, flow: pass.ResultOf[flow.Analyzer].(*flow.Package), view: wiring.Of(pass)}
}

// Of returns the requests in the call tree of a function of the package.
func (r *Requester) Of(fn *ssa.Function) []Request {
	t := newTree(r.flow.Events(fn))
	b := &requestsOf{Requester: r, tree: t, fn: fn}
	if recv := fn.Signature.Recv(); recv != nil {
		b.owner.recv = library.NamedOf(recv.Type())
	}
	b.foreign = b.makesForeignClients()
	for i := range t.events {
		b.add(&t.events[i])
	}
	return b.all
}

// requestsOf collects the requests of one function.
type requestsOf struct {
	*Requester
	*tree
	fn      *ssa.Function
	owner   reconciler // for its trusts
	foreign bool
	all     []Request
}

// add adds the requests of an event.
func (b *requestsOf) add(ev *flow.Event) {
	if ask := library.AskNamed(ev.Callee); ask != nil {
		b.ask(ev, ask)
		return
	}
	record := library.Named(ev.Callee)
	switch {
	case record.Write != nil:
		b.write(ev, record.Write)
	case record.Watch != nil:
		b.watch(ev, record.Watch)
	}
}

func (b *requestsOf) ask(ev *flow.Event, ask *library.Ask) {
	req := Request{At: ev.At, Verb: ask.Verb, Rights: ask.Rights, Sub: ask.Sub}
	if len(ask.Rights) > 0 {
		b.all = append(b.all, req)
		return
	}
	client := arg(ev, ask.Args, library.ClientArg)
	switch ask.Kind {
	case library.OfResult:
		req.Source = reads.Server
		req.Type = ev.Result
		req.Elsewhere = b.foreign
		if sub, ok := subresource(ev, ask.Args); ok {
			req.Sub = sub
		}
		req.Creates = ask.Verb == library.Create || ask.Verb == library.Apply || isApplyType(arg(ev, ask.Args, library.PatchArg).Const)
		b.all = append(b.all, req)
	case library.OfResource:
		req.Source = reads.Server
		req.Elsewhere = b.isElsewhere(client)
		req.Group, req.Resource, req.Open = b.resource(client)
		if sub, ok := subresource(ev, ask.Args); ok {
			req.Sub = sub
		}
		b.all = append(b.all, req)
	default:
		if len(ask.Args) == 0 { // whatever the request says
			req.Sub = "*"
			b.all = append(b.all, req)
			return
		}
		req.Elsewhere = b.isElsewhere(client)
		req.Source, req.Passed = b.sourceOf(client, 0), isPassed(client)
		if req.Sub != "" {
			req.Sub = b.subOf(client)
			req.Source = reads.Server
		}
		b.each(req, arg(ev, ask.Args, library.ObjectArg))
	}
}

func (b *requestsOf) write(ev *flow.Event, call *library.Write) {
	client := arg(ev, call.Args, library.ClientArg)
	req := Request{
		At: ev.At, Verb: call.Verb, Sub: call.Sub, WithStatus: call.WithStatus, Own: call.Own,
		Creates:   b.creates(ev, call),
		Elsewhere: !call.Own && call.Args != nil && hasClient(call) && b.isElsewhere(client),
	}
	switch call.Verb {
	case library.CreateOrUpdate, library.CreateOrPatch:
		req.Source, req.Passed = b.sourceOf(client, 0), isPassed(client)
	}
	if req.Sub == "*" {
		req.Sub = b.subOf(client)
	}
	if call.Kind == library.OfResource {
		if sub, ok := subresource(ev, call.Args); ok {
			req.Sub = sub
		}
		req.Group, req.Resource, req.Open = b.resource(client)
		if req.Resource != "" || req.Open {
			b.all = append(b.all, req)
			return
		}
	}
	b.each(req, arg(ev, call.Args, library.ObjectArg))
}

func hasClient(call *library.Write) bool {
	_, ok := call.Args[library.ClientArg]
	return ok
}

// watch adds the requests of a step of a builder: the cache lists and watches the kind.
func (b *requestsOf) watch(ev *flow.Event, call *library.Watch) {
	req := Request{At: ev.At, Verb: library.Informing, Source: reads.Server, Primary: call.Role == library.For}
	object := arg(ev, call.Args, library.ObjectArg)
	switch call.Role {
	case library.Watches:
		if isSource(b.tree, object) {
			for _, obj := range object.Objects {
				if typ, ok := field(obj, "Type"); ok && library.TypeNamed(obj.Type).Is == library.SourceOfKind {
					b.each(req, typ)
				}
			}
			return
		}
	case library.For, library.Owns, library.WatchesMetadata:
	case library.KindSourceOf:
		req.Elsewhere = b.isElsewhere(arg(ev, call.Args, library.CacheArg))
	case library.InformerOf:
		req.Elsewhere = b.isElsewhere(arg(ev, call.Args, library.CacheArg))
		if gvk := arg(ev, call.Args, library.GVKArg); !isNothing(gvk) {
			object = gvk
		}
	case library.DynamicWatch:
	default:
		return
	}
	b.each(req, object)
}

// each adds a request for each object that the argument may be.
func (b *requestsOf) each(req Request, object flow.Arg) {
	for _, obj := range object.Objects {
		r := req
		r.Type, r.GVK, r.Open = obj.Type, obj.GVK, isOpen(obj) || strings.HasPrefix(obj.Type, "$")
		is := library.TypeNamed(obj.Type)
		r.Untyped = is.Is == library.Unstructured
		if is.AnyKind || r.Untyped || r.Open {
			r.Type = ""
			r.Open = r.Open || obj.Param >= 0 && obj.GVK == ""
		}
		for _, owner := range obj.Owners {
			if owner.Controller && owner.Type != "" {
				r.Owners = append(r.Owners, owner.Type)
			}
		}
		b.all = append(b.all, r)
	}
	if object.Unknown || len(object.Objects) == 0 {
		b.all = append(b.all, req)
	}
}

// subresource returns the sub-resource that a call names in its last argument, as the
// methods of clientsets do. It is "*" if it is not constant.
func subresource(ev *flow.Event, args library.Slots) (string, bool) {
	i, ok := args.Of(library.OptionsArg, len(ev.Args))
	if !ok || i+1 >= len(ev.Args) {
		return "", false
	}
	last := ev.Args[i+1]
	switch {
	case last.Const != "":
		return last.Const, true
	case len(last.Objects) > 0 || last.Unknown:
		return "*", true
	}
	return "", false
}

// subOf returns the sub-resource of which the client is, or "*". A client of unknown
// origin is one for the status, as most are.
func (b *requestsOf) subOf(client flow.Arg) string {
	sub := ""
	for _, obj := range client.Objects {
		ev, call := b.maker(obj)
		if call.Role != library.SubClient {
			continue
		}
		name := "status"
		if _, named := call.Args[library.ResourceArg]; named {
			if name = arg(ev, call.Args, library.ResourceArg).Const; name == "" {
				return "*"
			}
		}
		if sub != "" && sub != name {
			return "*"
		}
		sub = name
	}
	if sub == "" {
		return "status"
	}
	return sub
}

// resource returns the resource that a dynamic client is for. It is open if that depends on
// the caller.
func (b *requestsOf) resource(client flow.Arg) (group, resource string, open bool) {
	for range 4 {
		if len(client.Objects) != 1 {
			break
		}
		obj := client.Objects[0]
		ev, call := b.maker(obj)
		if call.Role != library.ResourceClient {
			return "", "", obj.Param >= 0
		}
		if gvr := arg(ev, call.Args, library.ResourceArg); len(gvr.Objects) == 1 && !gvr.Unknown {
			group, _ := field(gvr.Objects[0], "Group")
			name, ok := field(gvr.Objects[0], "Resource")
			if ok && name.Const != "" {
				return group.Const, name.Const, false
			}
			return "", "", gvr.Objects[0].Param >= 0
		}
		client = arg(ev, call.Args, library.ClientArg)
	}
	return "", "", false
}

// isPassed reports whether a client is a parameter of the function.
func isPassed(client flow.Arg) bool {
	return slices.ContainsFunc(client.Objects, func(obj flow.Object) bool { return obj.Param >= 0 && obj.Path.IsRoot() })
}

// sourceOf returns where the client or reader reads from.
func (b *requestsOf) sourceOf(client flow.Arg, depth int) reads.Source {
	if len(client.Objects) == 0 || depth > 4 {
		return reads.Unknown
	}
	source := reads.Unknown
	for i, obj := range client.Objects {
		s := b.sourceOfObject(obj, depth)
		if i > 0 && s != source {
			return reads.Unknown
		}
		source = s
	}
	return source
}

func (b *requestsOf) sourceOfObject(obj flow.Object, depth int) reads.Source {
	ev, call := b.maker(obj)
	switch call.Role {
	case library.ManagerClient, library.ManagerCache:
		return reads.Cache
	case library.NewClient:
		return reads.Server
	case library.WrapClient, library.DryClient:
		return b.sourceOf(arg(ev, call.Args, library.ClientArg), depth+1)
	}
	switch {
	case library.IsAPIReader(obj.From):
		return reads.Server
	case strings.HasSuffix(obj.From, ").GetClient"):
		return reads.Cache
	case obj.Param >= 0 && obj.Param < len(b.params()):
		return b.sourceOfParam(obj)
	}
	return reads.Unknown
}

// params are the parameters of the function, with the variables that it captures.
func (b *requestsOf) params() []ssa.Value {
	var all []ssa.Value
	for _, p := range b.fn.Params {
		all = append(all, p)
	}
	for _, v := range b.fn.FreeVars {
		all = append(all, v)
	}
	return all
}

// sourceOfParam returns where a client reads from that lies under a parameter: what the
// module puts into the field, or what its type and its name say.
func (b *requestsOf) sourceOfParam(obj flow.Object) reads.Source {
	param := b.params()[obj.Param]
	t, name := param.Type(), param.Name()
	var field *types.Var
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for step := range obj.Path.Steps() {
		s, ok := types.Unalias(library.Deref(t)).Underlying().(*types.Struct)
		if !ok || step.Kind != access.Field {
			return reads.Unknown
		}
		i := slices.IndexFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return f.Name() == step.Name })
		if i < 0 {
			return reads.Unknown
		}
		field = s.Field(i)
		t, name = field.Type(), field.Name()
	}
	if field == nil && !b.isCaptured(obj.Param) {
		return reads.Unknown // which the caller decides
	}
	return reads.OfVariable(b.view, field, t, name)
}

// isCaptured reports whether a parameter stands for a variable that the function captures.
func (b *requestsOf) isCaptured(param int) bool { return param >= len(b.fn.Params) }

// isElsewhere reports whether the client may be one of another cluster.
func (b *requestsOf) isElsewhere(client flow.Arg) bool {
	own := flow.Arg{Unknown: client.Unknown}
	for _, obj := range client.Objects {
		if !b.isOfOwnConfig(obj, 0) {
			own.Objects = append(own.Objects, obj)
		}
	}
	if len(client.Objects) > 0 && len(own.Objects) == 0 {
		return false
	}
	return !b.sameCluster(own, b.owner.trusts, b.foreign, 0)
}

// isOfOwnConfig reports whether a client is made from the configuration that the process
// has been given for its own cluster, or is an API reader of a manager.
func (b *requestsOf) isOfOwnConfig(obj flow.Object, depth int) bool {
	if depth > 4 {
		return false
	}
	if library.IsAPIReader(obj.From) {
		return true
	}
	ev, call := b.maker(obj)
	switch call.Role {
	case library.NewClient:
		config := arg(ev, call.Args, library.ConfigArg)
		return len(config.Objects) > 0 && !slices.ContainsFunc(config.Objects, func(c flow.Object) bool {
			_, made := b.maker(c)
			return made.Role != library.ManagerConfig && !library.IsOwnConfig(c.From)
		})
	case library.WrapClient, library.ResourceClient, library.SubClient:
		of := arg(ev, call.Args, library.ClientArg)
		return len(of.Objects) > 0 && !slices.ContainsFunc(of.Objects, func(o flow.Object) bool { return !b.isOfOwnConfig(o, depth+1) })
	}
	return false
}

// makesForeignClients reports whether the call tree makes clients of other clusters.
func (b *requestsOf) makesForeignClients() bool {
	return slices.ContainsFunc(b.events, func(ev flow.Event) bool {
		switch call := library.Named(ev.Callee).Watch; {
		case call == nil:
		case call.Role == library.NewCluster:
			return true
		case call.Role == library.NewClient:
			return !b.isOfOwnConfig(flow.Object{ID: ev.Made, Param: -1}, 0)
		}
		return false
	})
}
