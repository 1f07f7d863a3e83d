package main_test

import (
	"encoding/json"
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
	b.WriteString("}\n\nfunc churn(n *node) *node {\n\tfor n.f0 != n.f1 {\n")
	for i := range fields {
		fmt.Fprintf(&b, "\t\tif n.f%[1]d != nil {\n\t\t\tn.f%[2]d.f%[3]d = n.f%[1]d\n\t\t\tn = n.f%[2]d\n\t\t}\n", i, (i+1)%fields, (i+5)%fields)
	}
	b.WriteString("\t}\n\treturn n\n}\n")
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

// TestPartialReconciler runs on a reconciler that calls such a function of another
// package. The user hears of the reconciler that calls it, not of its own helper.
func TestPartialReconciler(t *testing.T) {
	t.Parallel()
	dir := tree(t, `-- go.mod --
module example.com/operator

go 1.25.0

require sigs.k8s.io/controller-runtime v0.22.0

replace sigs.k8s.io/controller-runtime => ./runtime
-- runtime/go.mod --
module sigs.k8s.io/controller-runtime

go 1.25.0
-- runtime/pkg/reconcile/reconcile.go --
package reconcile

type Result struct{ Requeue bool }
-- graph/graph.go --
package graph

type Node struct{ a, b, c, d, e *Node }

func Churn(n *Node) *Node {
	for n.a != n.b {
		if n.a != nil {
			n.b.c = n.a
			n = n.b
		}
		if n.b != nil {
			n.c.d = n.b
			n = n.c
		}
		if n.c != nil {
			n.d.e = n.c
			n = n.d
		}
		if n.d != nil {
			n.e.a = n.d
			n = n.e
		}
	}
	return n
}
-- p.go --
package operator

import (
	"example.com/operator/graph"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type reconciler struct{ last *graph.Node }

func (r *reconciler) Reconcile() (reconcile.Result, error) {
	return r.sort()
}

func (r *reconciler) sort() (reconcile.Result, error) {
	r.last = graph.Churn(r.last)
	return reconcile.Result{}, nil
}

type other struct{}

func (*other) Reconcile() (reconcile.Result, error) { return reconcile.Result{}, nil }
`)
	const says = "Reconcile in p.go:10 is analysed in part, for lack of steps in Churn (graph.go:5)"
	got := operatorvet(t, dir, "-v")
	if got.code != 0 || !strings.Contains(got.stderr, "operatorvet: "+says+"\n") || strings.Count(got.stderr, "Reconcile in") != 1 {
		t.Errorf("-v: exit code %d, standard error %q", got.code, got.stderr)
	}
	got = operatorvet(t, dir, "-json")
	var out map[string]map[string][]struct{ Posn, Message string }
	if err := json.Unmarshal([]byte(got.stdout), &out); err != nil {
		t.Fatal(err)
	}
	notes := out["example.com/operator"]["operatorpartial"]
	if got.code != 0 || len(out) != 1 || len(notes) != 1 || notes[0].Message != says || !strings.HasSuffix(notes[0].Posn, "p.go:10:22") {
		t.Errorf("-json: exit code %d, output %s", got.code, got.stdout)
	}
	if got := operatorvet(t, dir, "debug", "-func=sort"); !strings.Contains(got.stdout, "calls Churn (graph.go:5), which is known in part, for lack of steps") {
		t.Errorf("debug prints\n%s", got.stdout)
	}
}
