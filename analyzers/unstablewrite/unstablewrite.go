package unstablewrite

import (
	_ "embed"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/reconcilers"
	"github.com/operatorvet/operatorvet/internal/engine/way"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

//go:embed doc.go
var doc string

// Analyzer reports values that differ on each reconcile and are written to the
// cluster.
var Analyzer = rule.New("unstablewrite", doc, run, wiring.Analyzer, ssair.Analyzer, reconcilers.Analyzer, flow.Analyzer, controller.Analyzer)

func run(pass *rule.Pass) error {
	pkg := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	events := pass.ResultOf[flow.Analyzer].(*flow.Package)
	starts := pass.ResultOf[reconcilers.Analyzer].(*reconcilers.Package)

	ways := way.NewFinder(pass.Pass)
	allowed := rule.OptionsOf(pass.Pass).IgnoreFields
	controllers := pass.ResultOf[controller.Analyzer].([]*controller.Controller)
	var all []finding
	for _, fn := range pkg.Funcs {
		reconciles := starts.Reconciles(fn)
		switch {
		case fn.Name() != "Reconcile" && isCalled(pkg, fn):
			continue // its callers know more of when it is called
		case !reconciles && !(takesContext(fn) && !isCommand(pass.Pkg) && !onlyServes(pass, fn)):
			unseen(pass, fn, events)
			continue
		}
		mine, known := runs(controllers, fn)
		quiet := dropStatusEvents(mine, known)
		written := events.Events(fn)
		for i, ev := range written {
			if ev.Cut {
				// What guards it may not be known.
				pass.Silent(ev.Pos, mustBeRead, "%s at %s: %s is too large", method(ev.Callee), ev.At, fn.Name())
				continue
			}
			found := findings(pass, ev)
			unreached(pass, ev, fn, events, found)
			for _, f := range found {
				var failed rule.Obligation
				switch {
				case !f.ofOrder() && !(reconciles && isWhole(fn) && !isStep(pkg, fn)):
					failed = mustBeWhole // perhaps nobody calls it twice, or only for a change
				case f.ofOrder() && f.source.Pos == ev.Pos:
					failed = mustMeetHere // reported where value and write meet, in the package called
				case f.inStatus && !f.ofOrder() && !ssair.Reconciles(fn) && !(isOwn(pass, f.source) && ev.At.Package() == pass.Pkg.Path()):
					failed = mustBeSeen // what fills the queue often compares all but the status
				case f.inStatus && quiet && !f.ofList(), f.marks && isSignal(mine, f.kind):
					failed = mustWake
				case slices.ContainsFunc(allowed, func(a config.Field) bool { return a.Covers(f.target) }):
					failed = mustMatter // the user knows better
				}
				if failed != "" {
					pass.Silent(f.source.Pos, failed, "%s", f)
					continue
				}
				f.once, f.fn, f.event = !reconciles, fn, &written[i]
				all = append(all, f)
			}
		}
	}
	// One report per source, of the first write that it reaches.
	slices.SortStableFunc(all, finding.compare)
	var last token.Pos
	for _, f := range all {
		if f.source.Pos == last || !f.source.Pos.IsValid() {
			pass.Silent(f.source.Pos, mustBeFirst, "%s", f)
			continue
		}
		last = f.source.Pos
		consequence := "every reconcile writes it again"
		switch {
		case f.ofList():
			consequence = "every reconcile makes it longer"
		case f.source.GrowsValue():
			consequence = "every reconcile adds to it"
		case f.once:
			consequence = "each write differs from the one before"
		}
		pass.ReportFinding(rule.Finding{
			Range:   rule.Span{From: f.source.Pos, To: f.source.End},
			Message: fmt.Sprintf("%s reaches %s in %s (%s); %s", f.origin(pass), f.target, f.verb, f.at.Full(), consequence),
			Fix:     fix(pass, f.source),
			Cause:   f.cause(),
			Steps:   f.steps(ways),
			Remedy:  f.remedy(),
		})
	}
	return nil
}

// A finding is a source that reaches a write.
type finding struct {
	source   flow.Label
	target   string // "ConfigMap metadata.annotations"
	field    string // "metadata.annotations"
	verb     string
	at       place.Place // of the write
	pos      token.Pos
	kind     library.GroupKind // zero if it is not known
	inStatus bool
	marks    bool          // a time in an annotation or a label of an object that was there
	once     bool          // not known to be below a reconciler
	fn       *ssa.Function // in which value and write meet
	event    *flow.Event   // the write
}

// String names the source and the write.
func (f finding) String() string {
	return fmt.Sprintf("%s (%s) in %s, %s at %s", f.source.What, f.source.At, f.target, f.verb, f.at)
}

// ofList reports whether the source is a list that grows.
func (f finding) ofList() bool {
	return f.source.Kind == flow.Grown && !f.source.GrowsValue() && !f.ofVersion()
}

// ofVersion reports whether the source is the version of the object that is written.
func (f finding) ofVersion() bool {
	is, _ := f.source.OfVersion(access.Path{})
	return is
}

// begins says what happens at the source.
func (f finding) begins() string {
	switch {
	case f.ofOrder():
		return " begins here"
	case f.source.Kind == flow.Grown && !f.ofVersion():
		return " grows here"
	}
	return " differs each time"
}

// remedy says what to do about the finding.
func (f finding) remedy() string {
	switch {
	case f.ofOrder() && f.source.Fixed:
		return "sort before the order becomes part of a value"
	case f.ofOrder():
		return "sort before the write"
	case f.ofList():
		return "replace the entry that is there instead of appending one"
	case f.ofVersion():
		return "write what others have set, not what each write changes"
	case f.source.GrowsValue():
		return "compute the value from what is there instead of adding to the stored one"
	case f.source.IsTime():
		return "keep the old time unless something else changes"
	}
	return "keep the old value: make a new one only where there is none"
}

// steps shows how control comes from the function in which value and write meet to the
// source and to the write, and which conditions it passes.
func (f finding) steps(ways *way.Finder) []rule.Step {
	begin := "value and write meet in " + f.fn.Name()
	if !f.once {
		begin = "a reconcile begins in " + f.fn.Name()
	}
	all := []rule.Step{ways.Into(f.fn, begin)}
	all = append(all, ways.From(f.fn, f.source.Pos)...)
	all = append(all, ways.To(f.source.Pos, f.source.End, f.source.At, f.source.What+f.begins())...)
	all = append(all, ways.From(f.fn, f.pos)...)
	for i := range f.event.Guards {
		if c := f.event.Condition(i); c.Pos.IsValid() {
			all = append(all, rule.Step{Pos: c.Pos, End: c.Pos, Text: "a condition that the value itself decides, so that it stops nothing: " + c.Text})
		}
	}
	return append(all, ways.To(f.pos, f.event.End, f.at, f.verb+" writes "+f.target)...)
}

// ofOrder reports whether only the order differs, not the content.
func (f finding) ofOrder() bool { return f.source.IsOrder() }

// cause returns what the findings have in common that many calls of one function make
// in several packages. An order is made by the loop; to sort there helps all. Other
// values are right as they are, so that the field that they are put into counts, too.
func (f finding) cause() cause.Cause {
	if f.source.At.IsZero() {
		return cause.Cause{}
	}
	c := cause.Cause{Key: f.source.At.ID(), Claim: f.source.What, Place: "place"}
	if !f.ofOrder() {
		c.Key += " " + f.field
	}
	return c
}

func (f finding) compare(g finding) int {
	if f.source.Pos != g.source.Pos {
		return int(f.source.Pos - g.source.Pos)
	}
	// Of several sources of a function of another package, an order says least: there may be one
	// element.
	if f.source.IsOrder() != g.source.IsOrder() {
		if g.source.IsOrder() {
			return -1
		}
		return 1
	}
	if f.pos != g.pos {
		return int(f.pos - g.pos)
	}
	if f.once != g.once {
		if g.once {
			return -1
		}
		return 1
	}
	// An entry under a constant key says more than the map that has it.
	switch {
	case strings.HasPrefix(f.target, g.target+"["):
		return -1
	case strings.HasPrefix(g.target, f.target+"["):
		return 1
	}
	return strings.Compare(f.target, g.target)
}

// origin names the source. If it is in another package it adds the position.
func (f finding) origin(pass *rule.Pass) string {
	if isOwn(pass, f.source) {
		return f.source.What
	}
	return f.source.What + " (" + f.source.At.Full() + ")"
}

// isOwn reports whether the source is in the package itself, not in one that it
// calls.
func isOwn(pass *rule.Pass, source flow.Label) bool {
	return source.At.IsZero() || source.At.Package() == pass.Pkg.Path()
}

// findings returns the sources that reach the write ev. It returns none unless
// ev changes objects that exist. A Create does not: it writes a new object,
// once.
func findings(pass *rule.Pass, ev flow.Event) []finding {
	write := library.Named(ev.Callee).Write
	if write == nil {
		return nil
	}
	if !isChange(write) || ev.IsDryRun(write) {
		pass.Silent(ev.Pos, mustChange, "%s at %s", method(ev.Callee), ev.At)
		return nil
	}
	var found []finding
	for _, slot := range []library.Slot{library.ObjectArg, library.BodyArg, library.PatchArg} {
		i, ok := write.Args.Of(slot, len(ev.Args))
		if !ok {
			continue
		}
		for _, l := range ev.Args[i].Labels {
			if l.IsSource() && !l.IsOrder() && unguarded(pass, ev, l) && slot == library.BodyArg {
				found = append(found, finding{
					source: l, target: describe(subject(ev, write), ev, access.Path{}), verb: method(ev.Callee),
					at: ev.At, pos: ev.Pos, inStatus: write.Sub != "",
				})
			}
		}
		if slot == library.ObjectArg && isPatchedRaw(ev, write) {
			continue // the patch is written, and the object says where
		}
		existed := slices.ContainsFunc(ev.Args[i].Objects, func(o flow.Object) bool { return o.Live || o.Existed })
		for _, obj := range ev.Args[i].Objects {
			if library.TypeNamed(obj.Type).AboutTime || slot == library.PatchArg && !isRawPatch(obj) {
				continue
			}
			written := obj
			if slot != library.ObjectArg {
				written = subject(ev, write)
			}
			for _, field := range obj.Fields {
				inStatus := field.Path.FirstField() == "Status"
				switch {
				case slot != library.ObjectArg && field.Label.IsOrder():
					continue // operations of a patch on several places commute
				case !field.Label.IsSource() || !unguarded(pass, ev, field.Label):
					continue
				case slot == library.ObjectArg && (!reaches(write, inStatus) || write.MergesConditions && isTransition(field.Path)), ignored(field.Path):
					// The API server ignores it there.
					pass.Silent(field.Label.Pos, mustBeKept, "%s (%s) at %s, %s at %s", field.Label.What, field.Label.At, field.Path, method(ev.Callee), ev.At)
					continue
				case field.Label.IsTime() && isHeartbeat(field.Path):
					pass.Silent(field.Label.Pos, mustBeState, "%s (%s) at %s, %s at %s", field.Label.What, field.Label.At, field.Path, method(ev.Callee), ev.At)
					continue
				case field.Label.Kind == flow.Grown && !grows(ev, write, obj, field):
					pass.Silent(field.Label.Pos, mustGrow, "%s (%s) at %s, %s at %s", field.Label.What, field.Label.At, field.Path, method(ev.Callee), ev.At)
					continue
				}
				found = append(found, finding{
					source: field.Label, target: describe(written, ev, field.Path), field: jsonPath(field.Path), verb: method(ev.Callee),
					at: ev.At, pos: ev.Pos, inStatus: inStatus || write.Sub != "",
					kind: kindOf(written), marks: existed && field.Label.IsTime() && isMark(field.Path),
				})
			}
		}
	}
	return withoutKnown(found)
}

// isRawPatch reports whether the patch carries bytes of its own instead of the
// difference of two objects.
func isRawPatch(obj flow.Object) bool {
	return library.Named(obj.From).Role() == library.RawPatch
}

// isPatchedRaw reports whether the write sends bytes of its own for an object.
func isPatchedRaw(ev flow.Event, write *library.Write) bool {
	i, ok := write.Args.Of(library.PatchArg, len(ev.Args))
	return ok && len(ev.Args[i].Objects) > 0 && !slices.ContainsFunc(ev.Args[i].Objects, func(o flow.Object) bool { return !isRawPatch(o) })
}

// subject returns the object that a write with a serialised body changes.
func subject(ev flow.Event, write *library.Write) flow.Object {
	if i, ok := write.Args.Of(library.ObjectArg, len(ev.Args)); ok && len(ev.Args[i].Objects) > 0 {
		return ev.Args[i].Objects[0]
	}
	return flow.Object{Type: write.Type}
}

// isChange reports whether the write changes objects that exist.
func isChange(write *library.Write) bool {
	switch write.Verb {
	case library.Update, library.Patch, library.Apply, library.CreateOrUpdate, library.CreateOrPatch:
		return true
	}
	return false
}

// reaches reports whether the API server keeps the status that the write has, or
// what is outside of the status.
func reaches(write *library.Write, status bool) bool {
	return write.Verb == library.CreateOrPatch || write.WithStatus || write.Sub != "" == status
}

// unguarded reports whether the value reaches all conditions of the write. If it
// does they do not stop the write from happening again.
func unguarded(pass *rule.Pass, ev flow.Event, l flow.Label) bool {
	i := slices.IndexFunc(ev.Guards, func(g []flow.Label) bool { return !flow.Feeds(l, g) })
	if i >= 0 {
		pass.Silent(l.Pos, mustBeUnguarded, "%s (%s): %s at %s is guarded by %s", l.What, l.At, method(ev.Callee), ev.At, ev.Condition(i))
	}
	return i < 0
}

// ignored reports whether the path is a name or a field that the API server
// sets. An object with another name is another object.
func ignored(path access.Path) bool {
	meta, below := path.Cut()
	if meta != access.Fields("ObjectMeta") {
		return false
	}
	switch first, rest := below.Cut(); first.LastField() {
	case "Name", "GenerateName", "ResourceVersion", "UID", "CreationTimestamp", "Namespace":
		return rest.IsRoot()
	case "ManagedFields":
		return true
	}
	return false
}

// isTransition reports whether the path leads to the time when a condition changed.
func isTransition(path access.Path) bool { return hasField(path, "LastTransitionTime") }

// isHeartbeat reports whether the path leads to the time of a heartbeat, which is there to
// differ. See https://pkg.go.dev/k8s.io/api/core/v1#NodeCondition.
func isHeartbeat(path access.Path) bool { return hasField(path, "LastHeartbeatTime") }

// hasField reports whether the path leads through a field with the name.
func hasField(path access.Path, name string) bool {
	for step := range path.Steps() {
		if step.Kind == access.Field && step.Name == name {
			return true
		}
	}
	return false
}

// runs returns the controllers whose reconciler fn is. Where they are not known, it may
// be any of the package.
func runs(controllers []*controller.Controller, fn *ssa.Function) (mine []*controller.Controller, known bool) {
	isOther := func(c *controller.Controller) bool { return !c.Runs(fn) }
	if own := slices.DeleteFunc(slices.Clone(controllers), isOther); len(own) > 0 {
		return own, true
	}
	return controllers, false
}

// dropStatusEvents reports whether updates that change only the status of the
// reconciler's own objects do not reach it: its controllers drop them. Where they are
// not known, one that may be its controller does.
func dropStatusEvents(controllers []*controller.Controller, known bool) bool {
	drops := (*controller.Controller).DropsStatus
	if known {
		return !slices.ContainsFunc(controllers, func(c *controller.Controller) bool { return !drops(c) })
	}
	return slices.ContainsFunc(controllers, drops)
}

// isSignal reports whether a time in an annotation or label of an object of the kind is
// meant for others, who reconcile, reload or restart because of it: the controllers are
// known, and the change is not known to wake one.
func isSignal(controllers []*controller.Controller, kind library.GroupKind) bool {
	wakes := func(w controller.Watch) bool {
		return !kind.IsZero() && w.Kind.MayBe(kind) && w.Reach > controller.Nothing && w.Passes()&(library.Annotations|library.Labels) != 0
	}
	return len(controllers) > 0 &&
		!slices.ContainsFunc(controllers, func(c *controller.Controller) bool { return slices.ContainsFunc(c.Watches, wakes) })
}

// kindOf returns the kind of an object, or the zero kind.
func kindOf(obj flow.Object) library.GroupKind {
	if kind, ok := library.KindOfGVK(obj.GVK); ok {
		return kind
	}
	kind, _ := library.KindOfType(obj.Type)
	return kind
}

// isMark reports whether the path is an annotation or a label of the object itself.
func isMark(path access.Path) bool {
	meta, below := path.Cut()
	first, _ := below.Cut()
	name := first.LastField()
	return meta == access.Fields("ObjectMeta") && (name == "Annotations" || name == "Labels")
}

// isCommand reports whether the package belongs to a command, which runs once.
func isCommand(pkg *types.Package) bool {
	return pkg.Name() == "main" || slices.Contains(strings.Split(pkg.Path(), "/"), "cmd")
}

// isCalled reports whether another function of the package calls this one
// statically.
func isCalled(pkg *ssair.Package, fn *ssa.Function) bool {
	return slices.ContainsFunc(pkg.Index.Calls(fn), func(call ssa.CallInstruction) bool { return call.Parent() != fn })
}

// takesContext reports whether an operator may call the function while it runs:
// with a context, with a client, or as a method of what keeps one of them for it.
// Without a reconciler in sight only orders are reported in such a function,
// because a random order is never wanted.
func takesContext(fn *ssa.Function) bool {
	for param := range fn.Signature.Params().Variables() {
		switch library.TypeOf(param.Type()).Is {
		case library.Context, library.Client:
			return true
		}
	}
	recv := fn.Signature.Recv()
	return recv != nil && keepsContext(recv.Type(), maxEmbedded)
}

// maxEmbedded bounds the structs embedded in each other in which a field is looked
// for.
const maxEmbedded = 3

// keepsContext reports whether a struct, or one embedded in it, has a context or a
// client.
func keepsContext(t types.Type, depth int) bool {
	s, ok := types.Unalias(library.Deref(t)).Underlying().(*types.Struct)
	if !ok || depth == 0 {
		return false
	}
	for field := range s.Fields() {
		switch library.TypeOf(field.Type()).Is {
		case library.Context, library.Client:
			return true
		}
		if field.Embedded() && keepsContext(field.Type(), depth-1) {
			return true
		}
	}
	return false
}

// onlyServes reports whether the function only runs when a server answers a request: nobody
// repeats the write but a user.
func onlyServes(pass *rule.Pass, fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && wiring.Of(pass.Pass).Served(obj)
}

// isWhole reports whether the function is a whole reconcile: it takes a request,
// a key or the object, or what a workqueue loop passes of a key, a namespace and a
// name. A function with further parameters is a step, and its callers in other
// packages know when it runs.
func isWhole(fn *ssa.Function) bool {
	params := fn.Signature.Params()
	if params.Len() == 3 && !ssair.Reconciles(fn) {
		return library.IsString(params.At(1).Type()) && library.IsString(params.At(2).Type())
	}
	return params.Len() <= 2
}

// isStep reports whether the function is a step that others run: it takes no
// request, and is used as a value or is a method of an interface of the module.
// What runs the steps knows when a step is due:
//
//	for _, step := range []step{r.start, r.wait, r.complete} {
func isStep(pkg *ssair.Package, fn *ssa.Function) bool {
	params := fn.Signature.Params()
	if params.Len() == 0 || library.TypeOf(params.At(params.Len()-1).Type()).Is == library.Request {
		return false
	}
	if !ssair.Reconciles(fn) || ssair.TakesKeys(fn) {
		return false // a workqueue loop calls it with its keys
	}
	if len(pkg.Index.Uses(fn)) > 0 {
		return true
	}
	recv := fn.Signature.Recv()
	return recv != nil && implementsOwn(pkg.SSA.Pkg, recv.Type(), fn.Name())
}

// implementsOwn reports whether the method belongs to an interface that the package,
// or one that it imports, declares, and that the type implements. Interfaces of
// libraries do not count.
func implementsOwn(pkg *types.Package, t types.Type, method string) bool {
	for _, p := range append([]*types.Package{pkg}, pkg.Imports()...) {
		if library.IsKubernetes(p.Path()) {
			continue
		}
		for _, name := range p.Scope().Names() {
			iface, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface)
			if ok && declares(iface, method) && types.Implements(t, iface) {
				return true
			}
		}
	}
	return false
}

// declares reports whether the interface has a method of that name.
func declares(iface *types.Interface, method string) bool {
	for m := range iface.Methods() {
		if m.Name() == method {
			return true
		}
	}
	return false
}

// method returns the name of the function that writes.
func method(callee string) string { return callee[strings.LastIndexByte(callee, '.')+1:] }

// describe returns "Deployment spec.template.spec.containers.env".
func describe(obj flow.Object, ev flow.Event, path access.Path) string {
	kind := obj.Type
	if obj.GVK != "" {
		kind = obj.GVK
	}
	if kind == "" {
		kind = ev.Result
	}
	kind = strings.TrimSuffix(kind[strings.LastIndexAny(kind, "./")+1:], "ApplyConfiguration")
	if kind == "" {
		kind = "the object"
	}
	if p := jsonPath(path); p != "" {
		return kind + " " + p
	}
	return kind
}

// jsonPath turns a path of Go fields into one of the API's.
func jsonPath(path access.Path) string {
	var b strings.Builder
	last := ""
	for step := range path.Steps() {
		if step.Kind == access.Key {
			b.WriteString("[" + step.Name + "]")
		}
		if step.Kind != access.Field || step.Name == last {
			continue // as in a Status that embeds another one
		}
		last = step.Name
		name := lowerFirst(step.Name)
		switch step.Name {
		case "TypeMeta", "ListMeta":
			continue
		case "ObjectMeta":
			name = "metadata"
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name)
	}
	return b.String()
}

// lowerFirst puts the first word of a name in lower case: "IPs" becomes "ips",
// "NodeName" becomes "nodeName".
func lowerFirst(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}
