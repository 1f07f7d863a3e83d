package main_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestVerbose runs on a function that moves nodes of a dense graph about, which
// reaches a bound of the analysis. A run with cached results reports it too.
func TestVerbose(t *testing.T) {
	t.Parallel()
	const fields = 9
	var b strings.Builder
	b.WriteString("-- p.go --\npackage p\n\ntype node struct {\n")
	for i := range fields {
		fmt.Fprintf(&b, "\tf%d *node\n", i)
	}
	b.WriteString("}\n\nfunc churn(n *node) *node {\n")
	for i := range fields {
		fmt.Fprintf(&b, "\tif n.f%[1]d != nil {\n\t\tn.f%[2]d.f%[3]d = n.f%[1]d\n\t\tn = n.f%[2]d\n\t}\n", i, (i+1)%fields, (i+5)%fields)
	}
	b.WriteString("\treturn n\n}\n")
	dir, cache := tree(t, b.String()), t.TempDir()
	for _, run := range []string{"first", "second"} {
		cmd := command(dir, binary(t), "-v")
		cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
		execute(t, cmd).wantLine(t, 0, `1 function is analysed in part: p.go:15; operatorvet debug -at shows why`)
		if t.Failed() {
			t.Fatalf("in the %s run", run)
		}
	}
	for _, args := range []string{"", "-v -rules=ctxloop", "-json"} {
		if got := operatorvet(t, dir, strings.Fields(args)...); got.code != 0 || got.stderr != "" || strings.Contains(got.stdout, "churn") {
			t.Errorf("with %q: exit code %d, standard error %q, output %q", args, got.code, got.stderr, got.stdout)
		}
	}
	if got := operatorvet(t, dir, "debug", "-func=churn"); !strings.Contains(got.stdout, "in part, for lack of steps") {
		t.Errorf("debug prints\n%s", got.stdout)
	}
}
