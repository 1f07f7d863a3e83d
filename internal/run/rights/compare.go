package rights

import (
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
)

// report makes the report, with what differs from the roles, or from the markers if there
// are none.
func (r *reporter) report(roles []*Role) *Report {
	rep := &Report{Programs: r.programs, Rules: r.needs.rules(func(right, need) bool { return true })}
	for _, u := range r.unknown {
		if !u.typed {
			rep.Unknown = append(rep.Unknown, u.text)
		}
	}
	slices.Sort(rep.Unknown)
	rep.Unknown = slices.Compact(rep.Unknown)
	var grants []grant
	for _, role := range roles {
		rep.Compared = append(rep.Compared, role.Name)
		grants = append(grants, role.grants...)
	}
	if len(roles) == 0 {
		for _, p := range r.found {
			grants = append(grants, p.markers...)
		}
		if len(grants) > 0 {
			rep.Compared = []string{"markers"}
		}
	}
	if len(grants) > 0 {
		rep.Missing = r.missing(grants)
		r.unused(rep, grants)
	}
	return rep
}

// missing returns the rules that are needed and not granted.
func (r *reporter) missing(grants []grant) []Rule {
	lacks := func(res right) bool { return !r.isGranted(grants, res) }
	rules := r.needs.rules(func(res right, why need) bool { return why.perhaps == "" && lacks(res) })
	seen := make(map[right]bool)
	for _, e := range r.either {
		get, list, watch := e.resource.with("get"), e.resource.with("list"), e.resource.with("watch")
		if r.needs.isSure(get) || r.needs.isSure(list) && r.needs.isSure(watch) || seen[get] {
			continue
		}
		if lacks(get) && (lacks(list) || lacks(watch)) {
			seen[get] = true
			_, at, _ := r.needs.strongest(get)
			rules = append(rules, Rule{
				APIGroups: []string{get.group}, Resources: []string{get.resource}, Verbs: []string{"get"}, At: at,
				If: "or list and watch, if the client reads from a cache",
			})
		}
	}
	return rules
}

// isGranted reports whether a grant covers the right. One for a namespace covers no objects
// of the cluster.
func (r *reporter) isGranted(grants []grant, res right) bool {
	return slices.ContainsFunc(grants, func(g grant) bool {
		return g.allows(res) && (g.namespace == "" || !r.isOfCluster(res))
	})
}

func (r *reporter) isOfCluster(res right) bool {
	if library.IsOfCluster(res.group, res.resource) {
		return true
	}
	for _, kind := range r.kinds[res.group] {
		if kind.name == res.parent().resource {
			return kind.cluster
		}
	}
	return false
}

// unused sorts the rights that are granted and not needed into those that are never used,
// and others.
func (r *reporter) unused(rep *Report, grants []grant) {
	seen := make(map[right]bool)
	for _, g := range grants {
		for _, group := range g.groups {
			for _, resource := range g.resources {
				never, notSeen, implied := Grant{}, make(map[string]Grant), make(map[string]Grant)
				add := func(to *Grant, verb, why string) {
					*to = Grant{[]string{group}, []string{resource}, append(to.Verbs, verb), g.at, why}
				}
				for _, verb := range g.verbs {
					res := right{group, resource, verb}
					if seen[res] || r.isUsed(res) {
						continue
					}
					seen[res] = true
					if why := r.impliedBy(res); why != "" {
						to := implied[why]
						add(&to, verb, why)
						implied[why] = to
					} else if why := r.mayUse(res); why != "" {
						to := notSeen[why]
						add(&to, verb, why)
						notSeen[why] = to
					} else {
						add(&never, verb, "")
					}
				}
				if len(never.Verbs) > 0 {
					rep.NeverUsed = append(rep.NeverUsed, never)
				}
				rep.NotSeenUsed = append(rep.NotSeenUsed, sorted(notSeen)...)
				rep.Implied = append(rep.Implied, sorted(implied)...)
			}
		}
	}
}

func sorted(grants map[string]Grant) []Grant {
	var all []Grant
	for _, g := range grants {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b Grant) int { return strings.Compare(a.Why, b.Why) })
	return all
}

// isUsed reports whether something needs the right, or one of those that a wildcard stands
// for, perhaps.
func (r *reporter) isUsed(res right) bool {
	g := grant{groups: []string{res.group}, resources: []string{res.resource}, verbs: []string{res.verb}}
	for needed := range r.needs {
		if g.allows(needed) {
			return true
		}
	}
	for right := range r.customary {
		if g.allows(right) {
			return true
		}
	}
	if library.IsChecked(res.group, res.resource) && slices.ContainsFunc([]string{"create", "update", "patch"}, func(verb string) bool { _, _, ok := r.needs.strongest(res.parent().with(verb)); return ok }) {
		return true
	}
	return r.writesRoles() && slices.ContainsFunc(r.passedOn(), func(p grant) bool { return p.allows(res) })
}

// impliedBy returns the right that allows all that this one allows, and is needed, or "".
// Who lists objects sees all that get and watch show. Who patches an object may change what
// an update changes, and the other way round.
func (r *reporter) impliedBy(res right) string {
	needed := func(res right) bool { _, _, ok := r.needs.strongest(res); return ok }
	has := func(verb string) bool { return needed(res.with(verb)) }
	isStatus := strings.HasSuffix(res.resource, "/status")
	switch {
	case (res.verb == "get" || res.verb == "watch") && has("list"):
		return "list shows as much"
	case isStatus && res.verb == "get" && needed(res.parent().with("list")):
		return "list of the whole objects shows as much"
	case isStatus && res.verb == "get" && needed(res.parent().with("get")):
		return "get of the whole object shows as much"
	case res.verb == "update" && has("patch"):
		return "patch changes as much"
	case res.verb == "patch" && has("update"):
		return "update changes as much"
	}
	return ""
}

// mayUse says what may use the right, if something that is not known may.
func (r *reporter) mayUse(res right) string {
	mentioned := r.mentions(res)
	for _, u := range r.unknown {
		if u.of != nil && (u.of.group != res.group || u.of.name != res.resource) {
			continue
		}
		if u.typed && !mentioned || len(u.verbs) > 0 && !matches([]string{res.verb}, "*") && !slices.Contains(u.verbs, res.verb) {
			continue
		}
		if sub := res.resource[len(res.parent().resource):]; u.of == nil && u.sub != "*" && len(u.verbs) > 0 && sub != "" && sub != "/"+u.sub {
			continue
		}
		return u.text
	}
	if r.writesRoles() && len(r.passedOn()) == 0 {
		return "it may be held to be given on in a role"
	}
	return ""
}

// mentions reports whether the code mentions the kind of the resource: its type, or its
// name.
func (r *reporter) mentions(res right) bool {
	name := res.parent().resource
	if name == "*" || r.mentioned[name] {
		return true
	}
	for kind, own := range r.kinds[res.group] {
		if own.name == name && r.mentioned[strings.ToLower(kind)] {
			return true
		}
	}
	for mention := range r.mentioned {
		if library.ResourceOf(library.GroupKind{Group: noGroup, Kind: mention}) == name {
			return true
		}
	}
	return false
}

// writesRoles reports whether the programs make or change roles, or bind some.
func (r *reporter) writesRoles() bool {
	for res := range r.needs {
		if res.group != "rbac.authorization.k8s.io" || strings.Contains(res.resource, "/") {
			continue
		}
		switch res.verb {
		case "create", "update", "patch":
			return true
		}
	}
	return false
}

// passedOn returns the rights that the programs put into roles.
func (r *reporter) passedOn() []grant {
	var all []grant
	for _, p := range r.found {
		if r.concerns(p.known, p.programs) {
			all = append(all, p.passesOn...)
		}
	}
	return all
}
