package rights

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// JSON writes the report as JSON.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// Table writes the report for people.
func (r *Report) Table(w io.Writer) error {
	out := bufio.NewWriter(w)
	tab := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	line := func(head string, cells ...string) {
		fmt.Fprintf(tab, "%s\t%s\n", head, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	for _, program := range r.Programs {
		line("program", program)
	}
	head := "needs"
	for _, rule := range r.Rules {
		line(head, rule.cells()...)
		head = ""
	}
	for _, name := range r.Compared {
		line("compared", name)
	}
	head = "missing"
	for _, rule := range r.Missing {
		line(head, rule.cells()...)
		head = ""
	}
	for _, list := range []struct {
		head   string
		grants []Grant
	}{{"never used", r.NeverUsed}, {"not seen used", r.NotSeenUsed}, {"adds nothing", r.Implied}} {
		head := list.head
		for _, g := range list.grants {
			line(head, named(g.APIGroups, g.Resources), strings.Join(g.Verbs, ", "), g.Why, g.At)
			head = ""
		}
	}
	head = "unknown"
	for _, u := range r.Unknown {
		line(head, u)
		head = ""
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	return out.Flush()
}

// maxPlaces bounds the places in a line of the table. JSON has all of them.
const maxPlaces = 2

func (r Rule) cells() []string {
	places := r.At
	if len(places) > maxPlaces {
		places = append(slices.Clone(places[:maxPlaces]), "…")
	}
	return []string{named(r.APIGroups, r.Resources), strings.Join(r.Verbs, ", "), strings.Join(slices.DeleteFunc([]string{r.Perhaps, r.If}, func(s string) bool { return s == "" }), ", "), strings.Join(places, ", ")}
}

// named names the resources of a group, as kubectl does: deployments.apps.
func named(groups, resources []string) string {
	var all []string
	for _, group := range groups {
		for _, resource := range resources {
			name, sub, ok := strings.Cut(resource, "/")
			if group != "" {
				name += "." + group
			}
			if ok {
				name += "/" + sub
			}
			all = append(all, name)
		}
	}
	return strings.Join(all, ", ")
}

// YAML writes a ClusterRole with the rules that are certainly needed, always. What is
// needed sometimes, or perhaps, is in comments.
func (r *Report) YAML(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: manager-role\nrules:\n")
	merged := mergeRules(slices.DeleteFunc(slices.Clone(r.Rules), func(rule Rule) bool { return rule.If+rule.Perhaps != "" }))
	if len(merged) == 0 {
		fmt.Fprintln(out, "[]")
	}
	for _, rule := range merged {
		list(out, "- apiGroups", rule.APIGroups)
		list(out, "  resources", rule.Resources)
		list(out, "  verbs", rule.Verbs)
	}
	for _, rule := range r.Rules {
		if why := cmp.Or(rule.If, rule.Perhaps); why != "" {
			fmt.Fprintf(out, "# %s of %s, %s\n", strings.Join(rule.Verbs, ", "), named(rule.APIGroups, rule.Resources), why)
		}
	}
	return out.Flush()
}

func list(w io.Writer, head string, values []string) {
	fmt.Fprintf(w, "%s:\n", head)
	for _, v := range values {
		if v == "" {
			v = `""`
		}
		fmt.Fprintf(w, "  - %s\n", v)
	}
}

// mergeRules joins the rules of one group that have the same verbs.
func mergeRules(rules []Rule) []Rule {
	var merged []Rule
	for _, rule := range rules {
		i := slices.IndexFunc(merged, func(m Rule) bool {
			return slices.Equal(m.APIGroups, rule.APIGroups) && slices.Equal(m.Verbs, rule.Verbs)
		})
		if i < 0 {
			merged = append(merged, Rule{APIGroups: rule.APIGroups, Verbs: rule.Verbs})
			i = len(merged) - 1
		}
		merged[i].Resources = append(merged[i].Resources, rule.Resources...)
	}
	return merged
}
