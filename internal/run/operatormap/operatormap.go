// Package operatormap writes what the engines know of the controllers of an operator: what
// each watches, reads and writes, and what is unknown about it.
package operatormap

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/predicate"
	"github.com/operatorvet/operatorvet/internal/engine/way"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// A Map is what is known of the controllers of some packages. Its JSON form is described
// in docs/map.md.
type Map struct {
	Controllers []Controller `json:"controllers"`
	// Findings are those of the rules in the packages.
	Findings []Finding `json:"findings"`
}

// A Finding is a finding of a rule.
type Finding struct {
	Rule string `json:"rule"`
	// At is where it is, as in [Controller].
	At      string `json:"at"`
	Message string `json:"message"`
	// Controller is where the controller is built whose reconciler comes to it, empty if
	// none is known.
	Controller string `json:"controller,omitempty"`
}

// A Controller is a reconciler with its watches, reads and writes.
type Controller struct {
	// Name is the reconciler's type, or its function: "ThingReconciler".
	Name    string `json:"name"`
	Package string `json:"package"`
	// At is where it is built, a path relative to the module, and a line. Reconciles
	// is where its reconciler is, if that is in the same package.
	At         string `json:"at"`
	Reconciles string `json:"reconciles,omitempty"`
	// For are the kinds of the objects that it reconciles.
	For        []string `json:"for,omitempty"`
	Watches    []Watch  `json:"watches,omitempty"`
	Writes     []Write  `json:"writes,omitempty"`
	Reads      []Read   `json:"reads,omitempty"`
	Finalizers []string `json:"finalizers,omitempty"`
	// Unknown says what is not known, a reason for each watch or write.
	Unknown []string `json:"unknown,omitempty"`

	built, reconciles token.Position
}

// A Watch is a kind whose events a controller receives.
type Watch struct {
	Kind string `json:"kind,omitempty"` // empty if it is not known
	// By is the builder's step: For, Owns, or Watches.
	By string `json:"by"`
	// Reaches says whose events become requests.
	Reaches string `json:"reaches"`
	// Selects says which objects the map function or a predicate selects, as far as that
	// is known.
	Selects []string `json:"selects,omitempty"`
	// Filtered is whether the watch has predicates. They may do more than Selects and
	// Hides say.
	Filtered bool `json:"filtered,omitempty"`
	// Hides are the parts of an object whose changes the predicates drop.
	Hides []string `json:"hides,omitempty"`
}

// A Write is a way in which a controller writes a kind.
type Write struct {
	Kind string `json:"kind,omitempty"` // empty if it is not known
	// Verb is create, update, patch, apply, create or update, create or patch, delete,
	// or delete all of.
	Verb        string `json:"verb"`
	Subresource bool   `json:"subresource,omitempty"`
	// Owner says which owner reference the object gets: controller, owner, none, or
	// unknown. It is empty unless the write creates objects.
	Owner string `json:"owner,omitempty"`
	// Watched is whether the controller watches the kind. Elsewhere is whether the
	// client may be one of another cluster.
	Watched   bool `json:"watched"`
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Poll says when the reconciler looks again at what it creates.
	Poll string `json:"poll,omitempty"`
	// At are the calls.
	At []string `json:"at"`
}

// A Read is a kind of which the reconciler reads objects.
type Read struct {
	Kind   string   `json:"kind"`
	Fields []string `json:"fields"`
}

// A Collector gathers the controllers of packages during one run of a driver.
type Collector struct {
	mu        sync.Mutex
	byPackage map[string][]Controller
}

// Analyzer returns the analyzer that adds the controllers of each package.
func (c *Collector) Analyzer() *analysis.Analyzer {
	c.byPackage = make(map[string][]Controller)
	return &analysis.Analyzer{
		Name:       "operatormap",
		Doc:        "collect what is known of the controllers",
		Requires:   []*analysis.Analyzer{wiring.Analyzer, ssair.Analyzer, controller.Analyzer},
		ResultType: reflect.TypeFor[*Collector](),
		Run: func(pass *analysis.Pass) (any, error) {
			found := controllers(pass)
			c.mu.Lock()
			defer c.mu.Unlock()
			c.byPackage[pass.Pkg.Path()] = found
			return c, nil
		},
	}
}

// Map returns the controllers and findings of a run.
func (c *Collector) Map(rep *driver.Report) *Map {
	m := &Map{Controllers: []Controller{}, Findings: []Finding{}}
	for _, path := range rep.Packages {
		m.Controllers = append(m.Controllers, c.byPackage[path]...)
	}
	for _, f := range rep.Findings {
		m.Findings = append(m.Findings, Finding{Rule: f.Rule, At: relative(f, rep.Modules), Message: f.Message, Controller: m.controllerOf(f)})
	}
	return m
}

// relative returns where a finding is, relative to its module.
func relative(f driver.Finding, modules map[string]string) string {
	name := f.Pos.Filename
	for _, dir := range modules {
		if rel, err := filepath.Rel(dir, f.Pos.Filename); err == nil && filepath.IsLocal(rel) && len(rel) < len(name) {
			name = filepath.ToSlash(rel)
		}
	}
	return fmt.Sprintf("%s:%d", name, f.Pos.Line)
}

// controllerOf returns where the controller is built whose builder or reconciler is among
// the steps of a finding, or "".
func (m *Map) controllerOf(f driver.Finding) string {
	at := func(a, b token.Position) bool { return a.Filename == b.Filename && a.Line == b.Line }
	for _, c := range m.Controllers {
		if at(c.built, f.Pos) || slices.ContainsFunc(f.Steps, func(s rule.Mark) bool { return at(s.From, c.reconciles) || at(s.From, c.built) }) {
			return c.At
		}
	}
	return ""
}

// controllers returns the controllers of a package.
func controllers(pass *analysis.Pass) []Controller {
	ways := way.NewFinder(pass)
	named := new(names)
	short := func(at place.Place) string {
		if pass.Module == nil {
			return at.Full()
		}
		return place.Shorten(at.Full(), pass.Module.Path, "")
	}
	var all []Controller
	for _, c := range pass.ResultOf[controller.Analyzer].([]*controller.Controller) {
		m := Controller{
			Name:    c.Name(),
			Package: pass.Pkg.Path(),
			At:      short(place.Of(pass.Fset, pass.Pkg, c.Pos)),
			For:     named.all(c.Primary),
			Unknown: slices.Clone(c.Unknown()),
			built:   pass.Fset.Position(c.Pos),
		}
		if fn := c.Reconciler(); fn != nil {
			m.reconciles = pass.Fset.Position(fn.Pos())
			m.Reconciles = short(place.Of(pass.Fset, pass.Pkg, fn.Pos()))
			m.Finalizers = finalizers(ways.Reached(fn))
		}
		for _, w := range c.Watches {
			m.Watches = append(m.Watches, named.watch(w))
		}
		m.Writes = named.writes(c, short)
		for _, w := range c.Writes {
			if w.Kind.IsZero() && !isKnownElse(c, w) {
				m.Unknown = append(m.Unknown, w.Verb.String()+" of an unknown kind at "+short(w.Event.At))
			}
		}
		m.Reads = named.reads(c)
		slices.Sort(m.Unknown)
		m.Unknown = slices.Compact(m.Unknown)
		all = append(all, m)
	}
	return all
}

// names gives each kind of a package one name.
type names struct {
	known []library.GroupKind
}

func (n *names) all(list []library.GroupKind) []string {
	var names []string
	for _, kind := range list {
		names = append(names, n.of(kind))
	}
	return names
}

// of returns the name of a kind: "apps/Deployment". It is "" for the zero kind. A kind of
// which only the path of its Go package is known is named without its group.
func (n *names) of(kind library.GroupKind) string {
	if kind.IsZero() {
		return ""
	}
	if i := slices.IndexFunc(n.known, kind.MayBe); i >= 0 {
		kind = n.known[i]
	} else {
		n.known = append(n.known, kind)
	}
	if strings.Contains(kind.Group, "/") {
		return kind.Kind
	}
	return kind.String()
}

func (n *names) watch(w controller.Watch) Watch {
	m := Watch{Kind: n.of(w.Kind), By: "Watches"}
	switch {
	case w.ByFor:
		m.By = "For"
	case w.ByOwns:
		m.By = "Owns"
	}
	switch w.Reach {
	case controller.Nothing:
		m.Reaches = "none"
	case controller.Controlled:
		m.Reaches = "objects with a controller reference to " + strings.Join(n.all(w.Owners), ", ")
	case controller.Owned:
		m.Reaches = "objects with an owner reference to " + strings.Join(n.all(w.Owners), ", ")
	default:
		m.Reaches = "all objects"
		if m.By == "Watches" {
			m.Reaches = "objects that the handler maps to requests"
		}
	}
	m.Filtered = len(w.Filters) > 0
	for _, need := range w.Needs {
		m.Selects = append(m.Selects, need.String())
	}
	for _, f := range w.Filters {
		for _, need := range f.Needs {
			m.Selects = append(m.Selects, need.String())
		}
	}
	slices.Sort(m.Selects)
	m.Selects = slices.Compact(m.Selects)
	hidden := library.AnyChange &^ w.Passes()
	if hidden&library.Generation == 0 && !w.Kind.HasNoGeneration() {
		hidden &^= library.Content // it changes with the generation, or is status
	}
	if hidden == library.AnyChange {
		m.Hides = []string{"every change"}
	} else if hidden != 0 {
		m.Hides = strings.Split(predicate.Names(hidden), ", ")
	}
	return m
}

// writes joins the writes of one kind that differ only in the place.
func (n *names) writes(c *controller.Controller, short func(place.Place) string) []Write {
	var all []Write
	for _, w := range c.Writes {
		if w.Kind.IsZero() && isKnownElse(c, w) {
			continue
		}
		m := Write{Kind: n.of(w.Kind), Verb: w.Verb.String(), Subresource: w.Sub, Elsewhere: w.Elsewhere, Watched: isWatched(c, w)}
		if w.Creates && !w.Sub {
			m.Owner = owner(w)
			if !w.Kind.IsZero() {
				m.Poll = w.Poll.String()
			}
		}
		at := short(w.Event.At)
		i := slices.IndexFunc(all, func(known Write) bool {
			known.At = nil
			return reflect.DeepEqual(known, m)
		})
		if i < 0 {
			all = append(all, m)
			i = len(all) - 1
		}
		if !slices.Contains(all[i].At, at) {
			all[i].At = append(all[i].At, at)
		}
	}
	slices.SortStableFunc(all, func(a, b Write) int { return cmp.Compare(a.Kind, b.Kind) })
	return all
}

// isKnownElse reports whether the kind is known of another object that the call writes.
// One of which it is not known may be nil.
func isKnownElse(c *controller.Controller, w controller.Write) bool {
	return slices.ContainsFunc(c.Writes, func(o controller.Write) bool { return o.Event.At == w.Event.At && !o.Kind.IsZero() })
}

// isWatched reports whether events of the kind that is written may reach the reconciler.
func isWatched(c *controller.Controller, w controller.Write) bool {
	return slices.ContainsFunc(c.Watches, func(v controller.Watch) bool {
		return !w.Kind.IsZero() && !v.Kind.IsZero() && v.Reach > controller.Nothing && v.Kind.MayBe(w.Kind)
	})
}

// owner says which owner reference an object that is created gets.
func owner(w controller.Write) string {
	switch {
	case slices.ContainsFunc(w.Object.Owners, func(o flow.Owner) bool { return o.Controller }):
		return "controller"
	case len(w.Object.Owners) > 0:
		return "owner"
	case w.Object.OwnersUnknown:
		return "unknown"
	}
	return "none"
}

// reads returns the kinds that the reconciler reads, and which fields of them.
func (n *names) reads(c *controller.Controller) []Read {
	var all []Read
	for _, r := range c.Reads {
		kind, ok := library.KindOfType(r.Type)
		if !ok || r.Field == "" || strings.HasSuffix(kind.Kind, "TemplateSpec") {
			continue
		}
		name := n.of(kind)
		i := slices.IndexFunc(all, func(known Read) bool { return known.Kind == name })
		if i < 0 {
			all = append(all, Read{Kind: name})
			i = len(all) - 1
		}
		field := strings.ToLower(r.Field[:1]) + r.Field[1:]
		if !slices.Contains(all[i].Fields, field) {
			all[i].Fields = append(all[i].Fields, field)
		}
	}
	slices.SortFunc(all, func(a, b Read) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, r := range all {
		slices.Sort(r.Fields)
	}
	return all
}

// finalizers returns the finalizers that the functions add, as far as they are constant.
func finalizers(funcs []*ssa.Function) []string {
	const add = "sigs.k8s.io/controller-runtime/pkg/controller/controllerutil.AddFinalizer"
	var names []string
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if name := finalizer(call.Common(), add); name != "" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// finalizer returns the constant second argument of a call of the named function, or "".
func finalizer(call *ssa.CallCommon, function string) string {
	fn := callee.Static(call)
	if fn == nil || fn.Signature().Recv() != nil || library.Name(fn) != function || len(call.Args) != 2 {
		return ""
	}
	c, ok := call.Args[1].(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String || !types.Identical(c.Type().Underlying(), types.Typ[types.String]) {
		return ""
	}
	return constant.StringVal(c.Value)
}
