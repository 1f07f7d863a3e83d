package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestRights checks the report of the rights of a small operator.
func TestRights(t *testing.T) {
	t.Parallel()
	arc, err := txtar.ParseFile(filepath.Join("testdata", "map", "rbac.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := enginetest.WriteModule(dir, arc); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"table": nil,
		"json":  {"-json"},
		"yaml":  {"-yaml"},
		"role":  {"-role", "role.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := operatorvet(t, dir, append([]string{"map", "-rbac"}, args...)...)
			if res.code != 0 || res.stderr != "" {
				t.Fatalf("exit code %d\n%s", res.code, res.stderr)
			}
			checkGolden(t, filepath.Join("testdata", "map", "rbac_"+name+".txt"), res.stdout)
		})
	}
}

// A rights is what the command writes with -rbac -json, as far as the test needs it.
type rights struct {
	Rules, Missing                  []rule
	NeverUsed, NotSeenUsed, Implied []rule
	Unknown                         []string
}

type rule struct {
	APIGroups []string `yaml:"apiGroups"`
	Resources []string
	Verbs     []string
	If        string
	Perhaps   string
}

// each returns a line for each right.
func each(rules []rule) []string {
	var all []string
	for _, r := range rules {
		for _, group := range r.APIGroups {
			for _, resource := range r.Resources {
				for _, verb := range r.Verbs {
					all = append(all, fmt.Sprintf("%s %s.%s", verb, resource, group))
				}
			}
		}
	}
	slices.Sort(all)
	return all
}

// TestRightsOfThing checks that the rights of the Thing operator are those in its role,
// which its own tests show to be the ones that it uses in a cluster.
func TestRightsOfThing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("loads the Thing operator")
	}
	dir := filepath.Join("..", "..", "operator")
	report := func(args ...string) (r rights) {
		res := operatorvet(t, dir, append([]string{"map", "-rbac", "-json"}, args...)...)
		if res.code != 0 {
			t.Fatalf("exit code %d\n%s", res.code, res.stderr)
		}
		if err := json.Unmarshal([]byte(res.stdout), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	const roles = "config/rbac/"
	all := report("-role", roles+"role.yaml", "-role", roles+"leader_election_role.yaml", "-role", roles+"metrics_auth_role.yaml")
	differ := slices.Concat(each(all.Missing), each(all.NeverUsed), each(all.NotSeenUsed), each(all.Implied), all.Unknown)
	if len(differ) > 0 {
		t.Errorf("the roles differ: %q", differ)
	}
	var always []rule
	for _, r := range all.Rules {
		if r.If+r.Perhaps == "" {
			always = append(always, r)
		}
	}
	content, err := os.ReadFile(filepath.Join(dir, roles+"role.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var role struct{ Rules []rule }
	if err := yaml.Unmarshal(content, &role); err != nil {
		t.Fatal(err)
	}
	if want, got := each(role.Rules), each(always); !slices.Equal(want, got) {
		t.Errorf("-want +got:\n%s", enginetest.Diff([]byte(strings.Join(want, "\n")), []byte(strings.Join(got, "\n"))))
	}
	marked := report()
	for _, r := range marked.Missing {
		if r.If == "" { // the other roles have no markers
			t.Errorf("the markers lack %q", each([]rule{r}))
		}
	}
	if unused := slices.Concat(each(marked.NeverUsed), each(marked.NotSeenUsed), each(marked.Implied)); len(unused) > 0 {
		t.Errorf("the markers are not used: %q", unused)
	}
}

func TestRightsBadInput(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed+`
-- none.yaml --
kind: Deployment
-- broken.yaml --
{{ .Values.role }}
`)
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-role", "role.yaml"}, 2, "-role and -yaml are for -rbac"},
		{[]string{"-rbac", "-html"}, 2, "-rbac is a table, or -json, or -yaml"},
		{[]string{"-rbac", "-json", "-yaml"}, 2, "-json and -yaml exclude each other"},
		{[]string{"-rbac", "-role", "missing.yaml"}, 2, "-role: missing.yaml: no such file"},
		{[]string{"-rbac", "-role", "none.yaml"}, 2, "-role: none.yaml: no rules of a Role or a ClusterRole"},
		{[]string{"-rbac", "-role", "broken.yaml"}, 2, "-role: broken.yaml: yaml: "},
		{[]string{"-rbac"}, 0, "the packages ask the API server for nothing"},
	} {
		res := operatorvet(t, dir, append([]string{"map"}, test.args...)...)
		if res.code != test.code || !strings.Contains(res.stderr, test.want) {
			t.Errorf("map %q: exit code %d, %q", test.args, res.code, res.stderr)
		}
	}
}
