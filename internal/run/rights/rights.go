// Package rights reports which rights the programs of a module need from the API server,
// and how these differ from those that a role grants.
package rights

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A Report is what is known of the rights that the programs of a module need. Its JSON
// form is described in docs/map.md.
type Report struct {
	// Programs are the paths of the programs that it is about.
	Programs []string `json:"programs"`
	// Rules are what they need.
	Rules []Rule `json:"rules"`
	// Compared says with what the rules are compared: the names of files, or markers.
	Compared []string `json:"compared,omitempty"`
	// Missing are rules that the role does not grant.
	Missing []Rule `json:"missing,omitempty"`
	// NeverUsed are rights that the role grants and that the programs do not use.
	// NotSeenUsed are those that what is unknown may use. Implied are those that allow
	// nothing more than others that are used.
	NeverUsed   []Grant `json:"neverUsed,omitempty"`
	NotSeenUsed []Grant `json:"notSeenUsed,omitempty"`
	Implied     []Grant `json:"implied,omitempty"`
	// Unknown says what is not known, a sentence each.
	Unknown []string `json:"unknown,omitempty"`
}

// A Rule has the rights to one resource, or to one of its sub-resources.
type Rule struct {
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
	// If says when they are needed, if not always.
	If string `json:"if,omitempty"`
	// Perhaps says why it is not known whether they are needed, if it is not.
	Perhaps string `json:"perhaps,omitempty"`
	// At are the calls that need them.
	At []string `json:"at,omitempty"`
}

// A Grant is a part of a role.
type Grant struct {
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
	// At is where it is granted: a file, or the file and the line of a marker.
	At string `json:"at"`
	// Why says what may use it.
	Why string `json:"why,omitempty"`
}

// A right is one verb of one resource.
type right struct{ group, resource, verb string }

// parent returns the resource without its sub-resource.
func (r right) parent() right {
	r.resource, _, _ = strings.Cut(r.resource, "/")
	return r
}

func (r right) with(verb string) right { r.verb = verb; return r }

func compareRights(a, b right) int {
	return cmp.Or(strings.Compare(a.group, b.group), strings.Compare(a.resource, b.resource), strings.Compare(a.verb, b.verb))
}

// A need is why a right is needed. The zero need is for certain, and always.
type need struct {
	iff     string
	perhaps string
}

// needs has what is needed, and the calls that need it. Of several needs of a right the
// strongest counts.
type needs map[right]map[need]map[string]bool

func (n needs) add(r right, why need, at string) {
	if n[r] == nil {
		n[r] = make(map[need]map[string]bool)
	}
	if n[r][why] == nil {
		n[r][why] = make(map[string]bool)
	}
	n[r][why][at] = true
}

// strongest returns why a right is needed, and where. It is not ok if it is not.
func (n needs) strongest(r right) (why need, at []string, ok bool) {
	for w, places := range n[r] {
		if !ok || compareNeeds(w, why) < 0 {
			why, at, ok = w, slices.Sorted(maps.Keys(places)), true
		}
	}
	return why, at, ok
}

func compareNeeds(a, b need) int {
	return cmp.Or(strings.Compare(a.perhaps, b.perhaps), strings.Compare(a.iff, b.iff))
}

// isSure reports whether the right is certainly needed, always.
func (n needs) isSure(r right) bool {
	why, _, ok := n.strongest(r)
	return ok && why == need{}
}

// rules returns the rules of the rights that keep accepts: one for each resource and why.
func (n needs) rules(keep func(r right, why need) bool) []Rule {
	type key struct {
		group, resource string
		need
	}
	found := make(map[key]*Rule)
	var keys []key
	for _, r := range slices.SortedFunc(maps.Keys(n), compareRights) {
		why, at, _ := n.strongest(r)
		if !keep(r, why) {
			continue
		}
		k := key{r.group, r.resource, why}
		if found[k] == nil {
			found[k] = &Rule{APIGroups: []string{r.group}, Resources: []string{r.resource}, If: why.iff, Perhaps: why.perhaps}
			keys = append(keys, k)
		}
		rule := found[k]
		rule.Verbs = append(rule.Verbs, r.verb)
		rule.At = append(rule.At, at...)
	}
	slices.SortStableFunc(keys, func(a, b key) int { return compareNeeds(a.need, b.need) })
	rules := []Rule{}
	for _, k := range keys {
		rule := found[k]
		slices.Sort(rule.At)
		rule.At = slices.Compact(rule.At)
		rule.At = slices.DeleteFunc(rule.At, func(at string) bool { return at == "" })
		rules = append(rules, *rule)
	}
	return rules
}

// verbsOf returns the verbs of the API that a call needs, apart from those by which it
// reads.
func verbsOf(verb library.Verb, creates bool) []string {
	switch verb {
	case library.Create:
		return []string{"create"}
	case library.Update:
		return []string{"update"}
	case library.Patch, library.Apply:
		if creates {
			return []string{"create", "patch"}
		}
		return []string{"patch"}
	case library.CreateOrUpdate:
		return []string{"create", "update"}
	case library.CreateOrPatch:
		return []string{"create", "patch"}
	case library.Delete:
		return []string{"delete"}
	case library.DeleteAllOf:
		return []string{"deletecollection"}
	case library.Get:
		return []string{"get"}
	case library.List:
		return []string{"list"}
	case library.Watching:
		return []string{"watch"}
	case library.Informing:
		return []string{"list", "watch"}
	}
	return nil
}
