package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/reads"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
)

// newSource returns the label of a source: the call s.
func (in *interp) newSource(kind Kind, what string, s *callSite) Label {
	l := Label{Kind: kind, What: what}
	l.Pos, l.End = in.callSpan(s.instr)
	l.At = in.at(l.Pos)
	return l
}

// sourceName returns the name of a source as users write it: "time.Now",
// "metav1.Now", "rand.IntN".
func (in *interp) sourceName(c target) string {
	if c.obj == nil || c.obj.Pkg() == nil {
		return text.Name(c.name)
	}
	pkg := library.ShortName(c.obj.Pkg())
	if recv := c.obj.Signature().Recv(); recv != nil {
		if named := library.NamedOf(recv.Type()); named != nil {
			pkg += "." + named.Obj().Name()
		}
	}
	return pkg + "." + c.obj.Name()
}

// source interprets a call whose result differs from call to call.
func (in *interp) source(fr *frame, c target, src library.Source, s *callSite) []value {
	instr, ok := s.instr.(ssa.Value)
	res := s.sig.Results()
	vals := make([]value, res.Len())
	if !ok {
		return vals
	}
	kind, what := Clock, in.sourceName(c)
	switch src {
	case library.Random:
		kind = Random
	case library.MapOrder:
		kind, what = MapOrder, "map order"
	case library.ListOrder:
		kind, what = ListOrder, "list order"
	}
	l := in.newSource(kind, what, s)
	ls := labels{l}
	if in.guarded(fr) {
		ls = in.filterUnder(value{labels: ls}, types.Typ[types.String], fr.guards).labels
		in.traceDrops(labels{l}, ls, fr.guards)
	}
	if src == library.Clock {
		ls = ls.union(in.sinceLabels(s))
	}
	for i := range vals {
		t := res.At(i).Type()
		if library.IsError(t) {
			continue
		}
		if src != library.MapOrder && src != library.ListOrder {
			vals[i] = value{labels: ls}
			if !isBasic(t) {
				o := in.result(c, instr, i, t)
				o.from = c.name
				s.st.reset(o)
				vals[i].refs = []loc{{obj: o}}
			}
			continue
		}
		o := in.result(c, instr, i, t)
		o.from = c.name
		s.st.reset(o)
		dst := loc{obj: o}
		for j, a := range s.args {
			if j > 0 || src == library.ListOrder {
				break
			}
			copyElements(s.st, s.st, dst, a, nil)
		}
		if src == library.ListOrder {
			live := in.object(site{at: instr, nth: int32(i), name: c.name, elems: true}, elemType(t))
			s.st.reset(live)
			s.st.clear(loc{obj: live})
			s.st.put(dst.under(access.Elems()), refTo(loc{obj: live}), false)
		}
		for _, made := range in.runArgs(fr, s, nil) {
			s.st.put(dst.under(access.Elems()), made, false)
		}
		s.st.set(dst.under(access.Ordering()), value{labels: ls})
		vals[i] = refTo(dst)
	}
	return vals
}

// sinceLabels returns the labels of the times that a call compares with the current one,
// as time.Since does. The current time as another call read it adds nothing to that.
func (in *interp) sinceLabels(s *callSite) labels {
	var ls labels
	first := s.firstParam()
	for i := range s.sig.Params().Len() {
		if first >= 0 && isTime(s.sig.Params().At(i).Type()) {
			ls = ls.union(in.allLabels(s.args[first+i], s.st))
		}
	}
	return ls.transform(func(l Label) (Label, bool) { return l, l.Kind != Clock })
}

// list interprets List of a controller-runtime client. A manager's client reads
// from its cache, which is a map, so the order is unstable. An API reader, and a
// list of unstructured objects, read from the API server, which sorts by key.
func (in *interp) list(fr *frame, s *callSite) {
	in.refresh(s.st, s.args[2])
	from := in.readsFrom(s.vals[0], s.vals[2], maxDepth)
	if from != reads.Cache && !(from == reads.Unknown && isCached(s.args[0])) {
		return
	}
	order := in.left(fr, in.newSource(ListOrder, "list order", s))
	if order == nil {
		return
	}
	for _, r := range s.args[2].refs {
		if strings.Contains(in.typeNameOf(r), "unstructured.") {
			continue
		}
		s.st.set(r.under(access.Fields("Items")).under(access.Ordering()), value{labels: order})
	}
}

// readsFrom returns where a client reads an object from. Where the module has clients of several kinds,
// those who call the function may all pass the same kind.
func (in *interp) readsFrom(client, object ssa.Value, depth int) reads.Source {
	from := reads.Of(in.view, client, object)
	param, ok := client.(*ssa.Parameter)
	if from != reads.Unknown || !ok || depth == 0 {
		return from
	}
	args := in.ssa.Index.Passed(param)
	if len(args) == 0 || slices.ContainsFunc(args, func(arg ssa.Value) bool { return in.readsFrom(arg, nil, depth-1) != reads.Cache }) {
		return reads.Unknown
	}
	return reads.Cache
}

// isCached reports whether the client is one of a manager that a package variable has:
//
//	func Register(c client.Client) { cached = c }
//	func Client() client.Client { return cached }
func isCached(c value) bool {
	return len(c.refs) > 0 && !slices.ContainsFunc(c.refs, func(r loc) bool { return !r.obj.cached || !r.path.IsRoot() })
}

// holdsCached reports whether a package variable has a manager's client: all that the
// package stores there is one.
func (in *interp) holdsCached(g *ssa.Global) bool {
	stores := in.ssa.Index.Global(g)
	return len(stores) > 0 && !in.ssa.Index.Shared(g) && !slices.ContainsFunc(stores, func(s *ssa.Store) bool {
		return reads.Of(in.view, s.Val, nil) != reads.Cache
	})
}

// clientsetRead interprets Get and List of typed clientsets and listers.
func (in *interp) clientsetRead(c target, s *callSite) ([]value, bool) {
	if c.obj == nil || !s.instr.Common().IsInvoke() && c.fn != nil {
		return nil, false
	}
	results := in.unknownResults(c, s)
	if len(results) > 0 {
		for _, r := range results[0].refs {
			s.st.reset(r.obj)
			s.st.clear(r)
			r.obj.opaque = false
		}
	}
	return results, true
}

// readsRandom reports whether a function fills its argument with random bytes. If
// it takes the bytes from a reader, that must be a reader of random bytes.
func (in *interp) readsRandom(known *library.Func, s *callSite) bool {
	i, ok := known.Args.Of(library.ReaderArg, len(s.args))
	return !ok || slices.ContainsFunc(s.args[i].refs, func(r loc) bool {
		return library.VarNamed(r.obj.from).Is == library.RandomReader
	})
}

// refresh replaces what v refers to with content from the API server.
func (in *interp) refresh(st *heap, v value) {
	for _, r := range v.refs {
		if r.obj.param >= 0 {
			in.keepCopies(st, r)
			in.refreshed[r] = true
		}
		st.clear(r)
	}
}

// lookedUp marks the objects that v refers to, and that were read, with what the key depends
// on by which they were looked up:
//
//	for _, pod := range pods.Items {
//		svc := new(corev1.Service)
//		err := c.Get(ctx, types.NamespacedName{Name: pod.Name}, svc)
//		hosts = append(hosts, svc.Spec.ClusterIP) // in the order of the pods
//	}
func (in *interp) lookedUp(st *heap, v, key value) {
	ls := in.allLabels(key, st).asKey()
	for _, r := range v.refs {
		own := ls.transform(func(l Label) (Label, bool) {
			return l, l.loop == nil || l.loop.contains(r.obj.block) // else it is that of the last item
		})
		if len(own) > 0 && r.obj.param < 0 && r.path.IsRoot() {
			st.put(loc{r.obj, access.Marked(access.LookedUp)}, value{labels: own}, true)
		}
	}
}
