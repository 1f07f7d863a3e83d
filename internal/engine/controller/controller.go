package controller

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/predicate"
	"github.com/operatorvet/operatorvet/internal/engine/requeue"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Analyzer finds the controllers that a package registers. Its result is a
// []*[Controller], in the order of their positions.
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorcontroller",
	Doc:        "find controllers: reconcilers, watches, writes",
	Run:        run,
	Requires:   []*analysis.Analyzer{wiring.Analyzer, ssair.Analyzer, flow.Analyzer, requeue.Analyzer, predicate.Analyzer, selection.Analyzer},
	FactTypes:  []analysis.Fact{new(Fact)},
	ResultType: reflect.TypeFor[[]*Controller](),
})

// A Controller is a reconciler with its watches and writes. All registrations of a
// reconciler in the package are one controller.
type Controller struct {
	// Pos and End are the range of the name of the function that registers it:
	// Complete or Build of a builder, New of package controller.
	Pos, End token.Pos

	// Primary are the kinds given to For.
	Primary []library.GroupKind

	// Scope is the scope of the objects that it reconciles, as far as that is known.
	Scope flow.Scope

	// Watches are the kinds whose events cause a call of the reconciler.
	Watches []Watch
	// Open is set if there may be watches of kinds that are not known.
	Open bool

	// Writes are the writes in the reconciler's call tree.
	Writes []Write
	// Reads are the reads of API objects in the reconciler's call tree.
	Reads []flow.Read

	rec     reconciler
	types   []string      // see watches.types
	unknown []string      // why Open is set
	seen    []Output      // see outputsSeen
	others  []*Controller // of the package
}

// Unknown says where each watch of an unknown kind is, and why its kind is unknown.
func (c *Controller) Unknown() []string { return c.unknown }

// Runs reports whether fn is the controller's reconciler.
func (c *Controller) Runs(fn *ssa.Function) bool { return c.rec.fn == fn }

// Name returns the name of the reconciler's type, or of its function.
func (c *Controller) Name() string {
	switch key := c.rec.key.(type) {
	case *ssa.Function:
		return key.Name()
	case *types.Func:
		if c.rec.recv != nil {
			return c.rec.recv.Obj().Name()
		}
		if named := library.NamedOf(recvType(key)); named != nil {
			return named.Obj().Name()
		}
		return key.Name()
	}
	return "a reconciler"
}

// recvType returns the type of a method's receiver, or nil.
func recvType(fn *types.Func) types.Type {
	if recv := fn.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.Typ[types.Invalid]
}

// Reconciler returns the controller's reconciler, or nil if it is in another package.
func (c *Controller) Reconciler() *ssa.Function { return c.rec.fn }

// ReadsStatus returns where the reconciler reads the status of objects of a kind, and
// whether it does.
func (c *Controller) ReadsStatus(kind library.GroupKind) (at place.Place, ok bool) {
	i := slices.IndexFunc(c.Reads, func(r flow.Read) bool {
		k, ok := library.KindOfType(r.Type)
		return ok && r.Field == "Status" && k.Same(kind)
	})
	if i < 0 {
		return place.Place{}, false
	}
	return c.Reads[i].At, true
}

// lists reports whether the reconciler has lists of objects of a kind, as far as their type
// is known.
func (c *Controller) lists(kind library.GroupKind) bool {
	return slices.ContainsFunc(c.Reads, func(r flow.Read) bool {
		list, ok := library.KindOfType(r.Type)
		if !ok {
			return false
		}
		list.Kind, ok = strings.CutSuffix(list.Kind, "List")
		return ok && list.Same(kind)
	})
}

// ShowsStatus returns where the reconciler copies a part of the status of objects of a kind
// into another status, and whether it does so with one by which it decides nothing: no wait
// is about that one.
func (c *Controller) ShowsStatus(kind library.GroupKind) (at place.Place, ok bool) {
	if slices.ContainsFunc(c.Writes, func(w Write) bool { return w.Event.Cut }) {
		return place.Place{}, false
	}
	i := slices.IndexFunc(c.rec.shows, func(s flow.Showing) bool {
		k, ok := library.KindOfType(strings.TrimSuffix(s.Type, "Status"))
		return ok && k.Same(kind) && flow.OnlyShown(c.rec.shows, s.Type, s.Field)
	})
	if i < 0 {
		return place.Place{}, false
	}
	return c.rec.shows[i].At, true
}

// Reconciles reports whether kind may be the controller's primary kind. That is the kind
// given to For or, without For, a kind that it watches and does not create.
func (c *Controller) Reconciles(kind library.GroupKind) bool {
	if len(c.Primary) > 0 {
		return slices.ContainsFunc(c.Primary, kind.MayBe)
	}
	return c.watches(kind) && !c.creates(kind)
}

// watches reports whether the controller may watch a kind.
func (c *Controller) watches(kind library.GroupKind) bool {
	return slices.ContainsFunc(c.Watches, func(w Watch) bool { return w.Kind.MayBe(kind) })
}

// creates reports whether the controller may create objects of a kind.
func (c *Controller) creates(kind library.GroupKind) bool {
	return slices.ContainsFunc(c.Writes, func(w Write) bool { return w.Creates && w.Kind.MayBe(kind) })
}

func run(pass *analysis.Pass) (any, error) {
	f := newFinder(pass)
	for _, fn := range f.funcs {
		f.find(fn)
	}
	all := f.controllers()
	exportOutputs(pass, all)
	return all, nil
}

// newFinder returns a finder for the package of the pass.
func newFinder(pass *analysis.Pass) *finder {
	return &finder{
		pass:    pass,
		funcs:   pass.ResultOf[ssair.Analyzer].(*ssair.Package).Funcs,
		flow:    pass.ResultOf[flow.Analyzer].(*flow.Package),
		requeue: pass.ResultOf[requeue.Analyzer].(*requeue.Package),
		updates: pass.ResultOf[predicate.Analyzer].(*predicate.Package),
		selects: pass.ResultOf[selection.Analyzer].(*selection.Package),
		view:    wiring.Of(pass),
		found:   make(map[token.Pos][]*registration),
	}
}

// A finder looks for the registrations of controllers in the functions of a
// package.
type finder struct {
	pass    *analysis.Pass
	funcs   []*ssa.Function
	flow    *flow.Package
	requeue *requeue.Package
	updates *predicate.Package
	selects *selection.Package
	view    *wiring.View
	found   map[token.Pos][]*registration

	in       *ssa.Function     // the function whose call tree is being searched
	rejected map[rejected]bool // nil unless for [Debug]
}

// A registration is a call that makes a controller, in the call tree of one function:
// the function that makes the call, or one of its callers.
type registration struct {
	pos, end    token.Pos
	direct      bool // whether the function itself makes the call
	reconcilers []reconciler
	watches     watches
}

// find adds the registrations in the call tree of fn that do not depend on what fn's
// caller passes.
func (f *finder) find(fn *ssa.Function) {
	f.in = fn
	t := newTree(f.flow.Events(fn))
	for i := range t.events {
		ev := &t.events[i]
		r := f.registration(t, ev)
		if r == nil || !f.isOwn(ev) && (f.knownBelow(ev) || f.knownWhereItIs(ev)) {
			continue
		}
		r.pos, r.end = nameSpan(f.pass.Files, ev.Pos, ev.End)
		r.direct = contains(fn, ev.Pos)
		f.found[r.pos] = append(f.found[r.pos], r)
	}
}

// registration returns the registration that the event is. It returns nil if the event
// registers nothing, or if what it registers depends on the caller.
func (f *finder) registration(t *tree, ev *flow.Event) *registration {
	call := library.Named(ev.Callee).Watch
	if call == nil {
		return nil
	}
	switch call.Role {
	case library.Complete, library.Build, library.NewController:
		if ev.Cut {
			f.reject(ev, "which is too large to be interpreted to its end")
			return nil
		}
	default:
		return nil
	}
	r := new(registration)
	switch call.Role {
	case library.Complete, library.Build:
		if !f.fromBuilder(r, t, ev, call) {
			f.reject(ev, "which does not know the builder, or gets it from its caller")
			return nil
		}
	default:
		f.fromOptions(r, t, ev, call)
	}
	switch {
	case r.watches.pending:
		f.reject(ev, "whose caller decides what is watched or which the reconciler is")
	case len(r.reconcilers) == 0:
		f.reject(ev, "which knows no reconciler")
	default:
		return r
	}
	return nil
}

// contains reports whether pos lies in the body of fn, but not in that of a
// literal within it.
func contains(fn *ssa.Function, pos token.Pos) bool {
	syntax := fn.Syntax()
	if syntax == nil || pos < syntax.Pos() || syntax.End() <= pos {
		return false
	}
	for _, lit := range fn.AnonFuncs {
		if s := lit.Syntax(); s != nil && s.Pos() <= pos && pos < s.End() {
			return false
		}
	}
	return true
}

// fromBuilder collects the calls on the builder that ev completes. It returns false if
// the builder is not known, or comes from the caller.
func (f *finder) fromBuilder(r *registration, t *tree, ev *flow.Event, call *library.Watch) bool {
	builder := ev.Args[0]
	if len(builder.Objects) != 1 || builder.Unknown || builder.Objects[0].Param >= 0 {
		return false
	}
	id := builder.Objects[0].ID
	f.addReconcilers(r, t, arg(ev, call.Args, library.ReconcilerArg))
	for i := range t.events {
		step := &t.events[i]
		call := library.Named(step.Callee).Watch
		if call == nil || !isReceiver(step, id) {
			continue
		}
		if call.Role == library.WithOptions {
			f.addOptions(r, t, arg(step, call.Args, library.OptionsArg))
			continue
		}
		r.watches.add(t, step, call, f)
	}
	f.addControllerWatches(r, t, ev.Made)
	r.watches.finish(f)
	return true
}

// fromOptions collects the options and the watches of a controller that controller.New
// makes.
func (f *finder) fromOptions(r *registration, t *tree, ev *flow.Event, call *library.Watch) {
	f.addOptions(r, t, arg(ev, call.Args, library.OptionsArg))
	f.addControllerWatches(r, t, ev.Made)
	if len(r.watches.list) == 0 {
		r.watches.at = ev.At
		f.addLaterWatches(r)
	}
	r.watches.finish(f)
}

// addControllerWatches adds the watches that are started on the controller with this
// object ID.
func (f *finder) addControllerWatches(r *registration, t *tree, id int) {
	for i := range t.events {
		step := &t.events[i]
		call := library.Named(step.Callee).Watch
		if call == nil || call.Role != library.ControllerWatch {
			continue
		}
		if id != 0 && isReceiver(step, id) {
			r.watches.add(t, step, call, f)
		}
	}
}

// addLaterWatches adds the watches that other functions of the package start on a
// controller that they find in a field or a parameter. It is for a controller that the
// function which makes it does not watch anything with. Those of methods of the same type
// come first: of another type they may be for another controller.
func (f *finder) addLaterWatches(r *registration) {
	later := make(map[bool]*watches) // by whether the method is one of the same type
	for _, fn := range f.funcs {
		t := newTree(f.flow.Events(fn))
		for i := range t.events {
			step := &t.events[i]
			call := library.Named(step.Callee).Watch
			if call == nil || call.Role != library.ControllerWatch || !isFromOutside(step) || !contains(fn, step.Pos) {
				continue
			}
			same := f.in != nil && isSameType(fn, f.in)
			if later[same] == nil {
				later[same] = new(watches)
			}
			later[same].add(t, step, call, f)
		}
	}
	found := cmp.Or(later[true], later[false])
	if found == nil || found.pending {
		r.watches.leaveOpen("the controller is made here, and where it watches is not known")
		return
	}
	r.watches.list = append(r.watches.list, found.list...)
	r.watches.open = r.watches.open || found.open
	r.watches.unknown = append(r.watches.unknown, found.unknown...)
	r.watches.filtered = r.watches.filtered || found.filtered
}

// isFromOutside reports whether the receiver of the method call is something that the
// function gets from its caller, or has in a field of its receiver.
func isFromOutside(ev *flow.Event) bool {
	return len(ev.Args) > 0 && slices.ContainsFunc(ev.Args[0].Objects, func(obj flow.Object) bool { return obj.Param >= 0 })
}

// isSameType reports whether both functions are methods of the same type.
func isSameType(a, b *ssa.Function) bool {
	x, y := a.Signature.Recv(), b.Signature.Recv()
	return x != nil && y != nil && library.SameNamed(x.Type(), y.Type())
}

// isReceiver reports whether the object may be the receiver of the method call. One of
// several candidates counts: a watch too many only makes rules silent.
func isReceiver(ev *flow.Event, id int) bool {
	if len(ev.Args) == 0 {
		return false
	}
	return slices.ContainsFunc(ev.Args[0].Objects, func(obj flow.Object) bool {
		return obj.ID == id && obj.Param < 0 && obj.Path.IsRoot()
	})
}

func (f *finder) addOptions(r *registration, t *tree, options flow.Arg) {
	for _, obj := range options.Objects {
		if rec, ok := field(obj, "Reconciler"); ok {
			f.addReconcilers(r, t, rec)
		}
	}
}

// isOwn reports whether the event's call is in the package itself, not in a function of
// another package.
func (f *finder) isOwn(ev *flow.Event) bool {
	return ev.At.Package() == f.pass.Pkg.Path()
}

// knownBelow reports whether the controller is known in the package of the callee
// through which ev is reached, so that it has been reported there. It also returns true
// if the callee is a method of an interface: the controllers of its implementations
// cannot be told apart here.
func (f *finder) knownBelow(ev *flow.Event) bool {
	call := callAt(f.pass.Files, ev.Pos)
	if call == nil {
		return true
	}
	callee, _ := typeutil.Callee(f.pass.TypesInfo, call).(*types.Func)
	if callee == nil || isAbstract(callee) {
		return true
	}
	return f.knownIn(callee, ev)
}

// knownIn reports whether ev registers a controller in the call tree of fn, a function
// of another package, whatever fn's caller passes.
func (f *finder) knownIn(fn *types.Func, ev *flow.Event) bool {
	defer func(fn *ssa.Function) { f.in = fn }(f.in)
	f.in = nil
	t := newTree(f.flow.EventsOf(fn))
	return slices.ContainsFunc(t.events, func(below flow.Event) bool {
		return below.Callee == ev.Callee && below.At == ev.At && f.registration(t, &below) != nil
	})
}

// knownWhereItIs reports whether the controller is known in the package that makes the
// call, so that it has been reported there. Between the two there may be methods of
// interfaces.
func (f *finder) knownWhereItIs(ev *flow.Event) bool {
	pkg := imported(f.pass.Pkg, ev.At.Package(), make(map[*types.Package]bool))
	if pkg == nil {
		return false
	}
	for _, name := range pkg.Scope().Names() {
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			if f.knownIn(obj, ev) {
				return true
			}
		case *types.TypeName:
			if named, ok := obj.Type().(*types.Named); ok {
				for method := range named.Methods() {
					if f.knownIn(method, ev) {
						return true
					}
				}
			}
		}
	}
	return false
}

// imported returns the package of this path among those that pkg imports, directly or
// not.
func imported(pkg *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	for _, imp := range pkg.Imports() {
		if imp.Path() == path {
			return imp
		}
	}
	for _, imp := range pkg.Imports() {
		if !seen[imp] {
			seen[imp] = true
			if found := imported(imp, path, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// isAbstract reports whether fn is a method of an interface.
func isAbstract(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// callAt returns the innermost call that encloses pos.
func callAt(files []*ast.File, pos token.Pos) *ast.CallExpr {
	for _, file := range files {
		if file.FileStart <= pos && pos < file.FileEnd {
			path, _ := astutil.PathEnclosingInterval(file, pos, pos)
			for _, n := range path {
				if call, ok := n.(*ast.CallExpr); ok {
					return call
				}
			}
		}
	}
	return nil
}

// nameSpan returns the range of the callee's name in the call at pos, or pos and end if
// there is no call.
func nameSpan(files []*ast.File, pos, end token.Pos) (token.Pos, token.Pos) {
	call := callAt(files, pos)
	if call == nil {
		return pos, end
	}
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Pos(), sel.Sel.End()
	}
	return fun.Pos(), fun.End()
}

// needs implements [handlers].
func (f *finder) needs(t *tree, handler flow.Arg, typeName string, events []string) []selection.Need {
	return selector{f.selects, typeName, events}.handler(t, handler)
}

// filter implements [handlers].
func (f *finder) filter(ev *flow.Event, predicates flow.Arg, typeName string) Filter {
	predicates = f.paired(ev, predicates, typeName)
	filter := Filter{
		Passes:         f.updates.Passes(predicates, typeName),
		Needs:          selector{f.selects, typeName, events}.predicates(predicates),
		dropsResyncs:   f.updates.DropsResyncs(predicates, typeName),
		dropsDeletions: selection.IsNever(selector{f.selects, typeName, deletions}.predicates(predicates)),
	}
	filter.Pos, filter.End = nameSpan(f.pass.Files, ev.Pos, ev.End)
	if call := callAt(f.pass.Files, ev.Pos); call != nil && f.isOwn(ev) {
		for _, arg := range call.Args {
			if library.IsPredicate(f.pass.TypesInfo.TypeOf(arg)) {
				filter.Pos, filter.End = arg.Pos(), arg.End()
				break
			}
		}
	}
	return filter
}

// controllers returns the controllers that were found, one for each reconciler.
func (f *finder) controllers() []*Controller {
	var regs []*registration
	for _, candidates := range f.found {
		// The function that makes the call knows best. But if its filters depend
		// on the caller, each caller knows its own.
		direct := slices.DeleteFunc(slices.Clone(candidates), func(r *registration) bool { return !r.direct })
		byCaller := len(direct) < len(candidates) && slices.ContainsFunc(direct, func(r *registration) bool { return r.watches.filtered })
		switch {
		case byCaller:
			candidates = slices.DeleteFunc(candidates, func(r *registration) bool { return r.direct })
		case len(direct) > 0:
			candidates = direct
		}
		regs = append(regs, candidates...)
	}
	slices.SortStableFunc(regs, func(a, b *registration) int { return cmp.Compare(a.pos, b.pos) })

	byKey := make(map[any]*Controller)
	var all []*Controller
	for _, r := range regs {
		for _, rec := range r.reconcilers {
			key := rec.key
			if rec.recv != nil && rec.recv.TypeParams().Len() > 0 {
				// Instances of a generic type are different reconcilers. Their
				// primary kinds distinguish them.
				key = fmt.Sprint(rec.recv, r.watches.primary)
			}
			c := byKey[key]
			if c == nil {
				c = f.controller(r, rec)
				byKey[key] = c
				all = append(all, c)
			}
			c.Primary = append(c.Primary, r.watches.primary...)
			c.types = append(c.types, r.watches.types...)
			for _, w := range r.watches.list {
				if len(w.Filters) > 0 {
					w.Poll = f.pollOf(&rec, &r.watches, w.Kind)
				}
				c.Watches = append(c.Watches, w)
			}
			c.Open = c.Open || r.watches.open
			c.unknown = append(c.unknown, r.watches.unknown...)
		}
	}
	for _, c := range all {
		c.seen = c.outputsSeen()
		if slices.ContainsFunc(c.Writes, func(w Write) bool { return w.Scope() != flow.AnyScope }) {
			c.Scope = f.scopeOfAll(c.types)
		}
	}
	markOfOthers(all, rule.FactsOf[*Fact](f.pass))
	for _, c := range all {
		c.markUnowned()
	}
	markRelayed(all)
	every, set := f.view.Resync()
	for _, c := range all {
		c.addResync(every, set)
	}
	return all
}

// controller returns a controller for the reconciler, with its writes and with the
// watches that it starts while it runs.
func (f *finder) controller(r *registration, rec reconciler) *Controller {
	c := &Controller{Pos: r.pos, End: r.end, Reads: rec.reads, rec: rec}
	t := newTree(rec.events)
	c.Writes = writesOf(t, rec.trusts)
	for i := range c.Writes {
		w := &c.Writes[i]
		w.Ephemeral = w.Ephemeral || w.Object.Anew && !c.lists(w.Kind)
		obj := &w.Object
		if obj.Param < 0 && slices.Contains(rec.escaped, obj.ID) {
			obj.OwnersUnknown, obj.Labels = true, flow.Keys{}
		}
	}
	var late watches
	for i := range t.events {
		ev := &t.events[i]
		call := library.Named(ev.Callee).Watch
		if call == nil {
			continue
		}
		switch call.Role {
		case library.ControllerWatch, library.InformerOf, library.DynamicWatch:
			late.add(t, ev, call, f)
		}
	}
	c.Watches, c.Open, c.unknown = late.list, late.open, late.unknown
	f.addPolls(c, &rec, &r.watches)
	return c
}

// addResync notes that the manager resyncs, with the period that the module sets or by
// default, unless predicates drop updates that change nothing of all that it watches.
func (c *Controller) addResync(every time.Duration, set bool) {
	drops := func(f Filter) bool { return f.dropsResyncs }
	if !slices.ContainsFunc(c.Watches, func(w Watch) bool { return w.Reach > Nothing && !slices.ContainsFunc(w.Filters, drops) }) {
		return
	}
	if c.seesNodes() && (!set || every > nodeReports) {
		every, set = nodeReports, true
	}
	note := func(p *Poll) { p.ResyncsByDefault = true }
	if set {
		note = func(p *Poll) { p.Resyncs, p.Resync = true, every }
	}
	for i := range c.Writes {
		if c.Writes[i].Creates {
			note(&c.Writes[i].Poll)
		}
	}
	for i := range c.Watches {
		if len(c.Watches[i].Filters) > 0 {
			note(&c.Watches[i].Poll)
		}
	}
}

// nodeReports is how often a kubelet writes the status of its Node at least, by default. Each time, a
// controller that watches Nodes hears of it.
// See nodeStatusReportFrequency in https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/.
const nodeReports = 5 * time.Minute

// seesNodes reports whether all events of Nodes may become requests.
func (c *Controller) seesNodes() bool {
	return slices.ContainsFunc(c.Watches, func(w Watch) bool {
		return w.Kind == library.GroupKind{Kind: "Node"} && w.Reach == Everything && !w.ByFor && len(w.Filters) == 0 && !w.Selects()
	})
}

// addPolls sets the Poll of the writes that create objects. A job that the reconciler
// starts looks again in its place.
func (f *finder) addPolls(c *Controller, rec *reconciler, ws *watches) {
	polls := make(map[library.GroupKind]Poll)
	for i := range c.Writes {
		w := &c.Writes[i]
		if !w.Creates || w.Kind.IsZero() {
			continue
		}
		poll, ok := polls[w.Kind]
		if !ok {
			poll = f.pollOf(rec, ws, w.Kind)
			if slices.ContainsFunc(c.Writes, func(other Write) bool { return other.Kind == w.Kind && other.byJob() }) {
				poll = Poll{Polls: true, Waits: true}
			}
			polls[w.Kind] = poll
		}
		w.Poll = poll
	}
}
