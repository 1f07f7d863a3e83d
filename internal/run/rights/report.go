package rights

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/engine/reads"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Why it is not known whether a right is needed.
const (
	elsewhere = "perhaps in another cluster"
	notRun    = "nothing is seen to call it"
	ownWrite  = "the options say only that the function writes"
	notCached = "if the client does not read from a cache"
)

// ifEnforced says when a reference that blocks the deletion of an owner needs a right.
const ifEnforced = "if the API server enforces OwnerReferencesPermissionEnforcement"

// A reporter makes the report.
type reporter struct {
	found    []*collection
	programs []wiring.Program // that the report is about, if known
	needs    needs
	unknown  []unknown
	either   []either
	// customary are rights that controllers have though most do not need them.
	customary map[right]bool

	kinds     map[string]map[string]resource // of the module, by group and name of the type
	primary   map[resource]bool              // that a controller reconciles
	uncached  map[resource]bool
	caches    bool
	blocks    bool
	mentioned map[string]bool
}

// An unknown is a request of which the kind, or all, is not known.
type unknown struct {
	verbs []string // none means any
	sub   string
	typed bool      // it is for a kind that the code mentions
	of    *resource // if it is known
	text  string
}

// An either is a read of which it is not known whether it is from a cache: it needs get, or
// list and watch.
type either struct {
	resource right // without a verb
	at       string
}

// Report returns what the programs need, and compares that with the roles, or with the
// markers of the packages if there are none.
func (c *Collector) Report(roles []*Role) *Report {
	slices.SortFunc(c.found, func(a, b *collection) int { return strings.Compare(a.path, b.path) })
	r := &reporter{found: c.found, needs: make(needs), customary: make(map[right]bool), kinds: make(map[string]map[string]resource), primary: make(map[resource]bool), uncached: make(map[resource]bool), mentioned: make(map[string]bool)}
	r.findPrograms()
	for _, p := range r.found {
		r.addPackage(p)
	}
	r.resolveOpen()
	r.addRequests()
	return r.report(roles)
}

// findPrograms finds the programs that are operators, or all if none is one.
func (r *reporter) findPrograms() {
	all := make(map[wiring.Program]bool)
	operators := make(map[wiring.Program]bool)
	for _, p := range r.found {
		for _, program := range p.programs {
			all[program] = true
		}
		for _, program := range p.operates {
			operators[program] = true
		}
	}
	if len(operators) > 0 {
		all = operators
	}
	// A module may have several. Markers are for the one that sees them.
	marked := make(map[wiring.Program]bool)
	for _, p := range r.found {
		for _, program := range p.programs {
			marked[program] = marked[program] || len(p.markers) > 0
		}
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(p wiring.Program) bool { return marked[p] }) {
		maps.DeleteFunc(all, func(p wiring.Program, _ bool) bool { return !marked[p] })
	}
	r.programs = slices.Sorted(maps.Keys(all))
}

// concerns reports whether the report is about one of the programs, or whether nothing is
// known of programs.
func (r *reporter) concerns(known bool, programs []wiring.Program) bool {
	return !known || slices.ContainsFunc(programs, func(p wiring.Program) bool { return slices.Contains(r.programs, p) })
}

// addPackage adds what holds for all packages.
func (r *reporter) addPackage(p *collection) {
	for _, d := range p.declared {
		if r.kinds[d.group] == nil {
			r.kinds[d.group] = make(map[string]resource)
		}
		r.kinds[d.group][d.kind] = d.resource
	}
	if !r.concerns(p.known, p.programs) {
		return
	}
	for _, res := range p.uncached {
		r.uncached[res] = true
	}
	r.caches = r.caches || p.caches
	r.blocks = r.blocks || p.blocks
	for name := range p.mentioned {
		r.mentioned[name] = true
	}
	for _, u := range p.uses {
		r.addUse(p, u)
	}
	for _, path := range p.paths {
		r.unknown = append(r.unknown, unknown{of: &path.resource, text: "requests by a path of " + path.resource.name + " at " + path.at})
	}
}

func (r *reporter) addUse(p *collection, u use) {
	if !r.concerns(p.known, p.programs) {
		return
	}
	for _, right := range u.rights {
		r.addRight(right, r.doubt(u.run), u.at)
	}
}

// doubt returns why it is not known whether something runs, or "".
func (r *reporter) doubt(run runs) string {
	if r.concerns(run.known, run.by) {
		return ""
	}
	return notRun
}

func (r *reporter) addRight(granted library.Right, perhaps, at string) {
	for _, verb := range granted.Verbs {
		r.needs.add(right{granted.Group, granted.Resource, verb}, need{granted.If, perhaps}, at)
	}
}

// resolveOpen gives the requests of the kinds that only their names tell their resources,
// if the module declares such a kind: those of apply configurations and of unstructured
// objects.
func (r *reporter) resolveOpen() {
	named := make(map[string][]resource) // by the name of the kind
	for _, kinds := range r.kinds {
		for kind, res := range kinds {
			named[kind] = append(named[kind], res)
		}
	}
	for _, p := range r.found {
		for i := range p.requests {
			req := &p.requests[i]
			kind, ok := library.KindOfGVK(req.GVK)
			if res, own := r.kinds[kind.Group][strings.TrimSuffix(kind.Kind, "List")]; ok && own {
				req.resource, req.resolved = res, true
			}
			if name, ok := library.ConfiguredKind(req.Type); ok && !req.resolved && len(named[name]) == 1 {
				req.resource, req.resolved = named[name][0], true
			}
		}
	}
}

// A call is what is known of the requests of one call, of all functions that lead to it.
type call struct {
	at         string
	verb       library.Verb
	known      bool
	open       []*request      // of which the caller decides on the kind
	in         map[string]bool // functions with the call in their trees, apart from their literals
	unresolved *request        // one of which the kind is not known, whoever calls
}

// addRequests adds the requests of all packages.
func (r *reporter) addRequests() {
	decided := make(map[string]bool) // reads by a client of which a caller is seen
	for _, p := range r.found {
		for _, req := range p.requests {
			if req.resolved && !req.Passed && r.doubt(req.run) == "" {
				decided[req.id()] = true
			}
			if req.resolved && req.Primary {
				r.primary[req.resource] = true
			}
		}
	}
	found := make(map[string]*call)
	who := newCalls()
	for _, p := range r.found {
		if !r.concerns(p.known, p.programs) {
			continue
		}
		who.join(p.calls)
		for i := range p.requests {
			req := &p.requests[i]
			if len(req.Rights) > 0 {
				for _, right := range req.Rights {
					r.addRight(right, r.doubt(req.run), req.at)
				}
				continue
			}
			id := req.At.ID()
			if found[id] == nil {
				found[id] = &call{at: req.at, verb: req.Verb, in: make(map[string]bool)}
			}
			of := found[id]
			if !req.inLiteral {
				of.in[req.in] = true
			}
			switch {
			case req.resolved:
				of.known = true
				if !req.Passed || !decided[req.id()] {
					r.addRequest(req)
				}
			case r.doubt(req.run) != "":
			case req.Open:
				of.open = append(of.open, req)
			default:
				of.unresolved = req
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		c := found[id]
		has := func(caller string) bool { return c.in[caller] }
		c.open = slices.DeleteFunc(c.open, func(req *request) bool {
			if req.inLiteral {
				return has(req.in)
			}
			return c.known && who.areSeen(req.in, has)
		})
		r.addCall(c)
	}
	r.addEither()
}

// id identifies what a call asks for.
func (req request) id() string { return fmt.Sprint(req.At.ID(), req.resource) }

// addCall adds what is not known of a call.
func (r *reporter) addCall(c *call) {
	u := unknown{verbs: verbsOf(c.verb, true)}
	switch c.verb {
	case library.Get, library.List:
		u.verbs = []string{"get", "list", "watch"}
	case library.CreateOrUpdate, library.CreateOrPatch:
		u.verbs = append(u.verbs, "get", "list", "watch")
	}
	what := c.verb.String()
	if c.verb == 0 {
		what = "request"
	}
	switch {
	case c.unresolved != nil:
		u.sub = c.unresolved.Sub
		u.text = what + " of an unknown kind at " + c.at
		if c.unresolved.Elsewhere {
			u.text += ", " + elsewhere
		}
	case len(c.open) > 0 && !c.known:
		u.text = what + " of an unknown kind at " + c.at
	case len(c.open) > 0:
		u.typed = true // what other callers pass
		u.text = what + " at " + c.at + ", if others call it"
	default:
		return
	}
	r.unknown = append(r.unknown, u)
}

// addRequest adds what a request of a known resource needs.
func (r *reporter) addRequest(req *request) {
	perhaps := r.doubt(req.run)
	if perhaps == "" && req.Elsewhere {
		perhaps = elsewhere
	}
	if perhaps == "" && req.Own {
		perhaps = ownWrite
	}
	res := right{group: req.resource.group, resource: req.resource.name}
	if req.Sub != "" {
		res.resource += "/" + req.Sub
	}
	add := func(res right, perhaps string, verbs ...string) {
		for _, verb := range verbs {
			r.needs.add(res.with(verb), need{"", perhaps}, req.at)
		}
	}
	if req.Sub == "*" {
		r.unknown = append(r.unknown, unknown{verbs: verbsOf(req.Verb, true), sub: "*", text: fmt.Sprintf("%s of an unknown sub-resource of %s at %s", req.Verb, req.resource.name, req.at)})
		return
	}
	switch req.Verb {
	case library.Get, library.List, library.CreateOrUpdate, library.CreateOrPatch:
		r.addRead(req, res, perhaps)
	case library.Patch, library.Apply: // objects that are reconciled are there
		add(res, perhaps, verbsOf(req.Verb, req.Creates && req.Sub == "" && !r.primary[req.resource])...)
	default:
		add(res, perhaps, verbsOf(req.Verb, req.Creates && req.Sub == "")...)
	}
	switch req.Verb {
	case library.CreateOrUpdate, library.CreateOrPatch:
		add(res, perhaps, verbsOf(req.Verb, true)...)
	}
	status := res.parent()
	status.resource += "/status"
	if req.WithStatus {
		add(status, perhaps, "patch")
	}
	if req.Verb == library.CreateOrPatch { // only of objects that have a status, and if it changes
		add(status, "if its status changes", "patch")
	}
	for _, owner := range req.owners {
		if r.blocks {
			r.needs.add(right{owner.group, owner.name + "/finalizers", "update"}, need{ifEnforced, perhaps}, req.at)
		}
	}
	if req.Primary {
		r.customary[right{res.group, res.resource + "/finalizers", "update"}] = true
	}
}

// addRead adds what a read needs. One from a cache makes the cache list and watch the kind.
func (r *reporter) addRead(req *request, res right, perhaps string) {
	source := req.Source
	switch {
	case req.Sub != "", source == reads.Cache && (r.uncached[req.resource] || req.Untyped && !r.caches):
		source = reads.Server
	}
	verb := "get"
	if req.Verb == library.List {
		verb = "list"
	}
	add := func(perhaps string, verbs ...string) {
		for _, v := range verbs {
			r.needs.add(res.with(v), need{"", perhaps}, req.at)
		}
	}
	switch {
	case source == reads.Server:
		add(perhaps, verb)
	case source == reads.Cache:
		add(perhaps, "list", "watch")
	case verb == "list":
		add(perhaps, "list")
		add("if the client reads from a cache", "watch")
	case perhaps != "":
		add(perhaps, "get", "list", "watch")
	default:
		r.either = append(r.either, either{res, req.at})
	}
}

// addEither adds the reads that are from a cache or from the API server. If it is certain
// that the kind is cached, or got, nothing more is certain.
func (r *reporter) addEither() {
	for _, e := range r.either {
		for _, verb := range []string{"get", "list", "watch"} {
			perhaps := notCached
			if verb != "get" {
				perhaps = "if the client reads from a cache"
			}
			r.needs.add(e.resource.with(verb), need{"", perhaps}, e.at)
		}
	}
}
