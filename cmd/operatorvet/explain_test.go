package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestExplain checks the steps of findings of each rule, as people read them.
func TestExplain(t *testing.T) {
	t.Parallel()
	testdata := filepath.Join("..", "..", "testdata")
	for rule, packages := range map[string][]string{
		"blindpredicate": {"./blindpredicate/status/deployments", "./blindpredicate/status/status_is_read_in_another_package/..."},
		"ctxloop":        {"./faulty/...", "./ctxloop/callees/retry_helper_of_another_package/..."},
		"deadcleanup":    {"./deadcleanup/undos/deferred"},
		"missingwatch":   {"./faulty/...", "./missingwatch/callees/another_package/..."},
		"unstablewrite":  {"./faulty/...", "./unstablewrite/callees/another_package/..."},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			res := operatorvet(t, testdata, append([]string{"-explain", "-rules", rule}, packages...)...)
			if res.code != 3 {
				t.Fatalf("exit code %d\n%s", res.code, res.stderr)
			}
			checkGolden(t, filepath.Join("testdata", "explain", rule+".txt"), res.stdout)
		})
	}
}

// checkGolden compares output with a golden file, or writes the file with -update.
func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if enginetest.Update() {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("-want +got:\n%s", enginetest.Diff(want, []byte(got)))
	}
}

// TestExplainCommand checks that explain shows one finding, and the conditions that do
// not stop its write.
func TestExplainCommand(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed)
	res := operatorvet(t, dir, "explain", "ctxloop", "p.go:9")
	res.want(t, 3, "p.go:9")
	for _, part := range []string{"\t1. p.go:9:2: waits without ctx\n", "\tremedy: wait in a select that has a case for ctx.Done()\n", "operatorvet help ctxloop says"} {
		if !strings.Contains(res.stdout, part) {
			t.Errorf("no %q in\n%s", part, res.stdout)
		}
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "explain wants a rule and a place: explain ctxloop pool.go:41; see operatorvet explain -h"},
		{[]string{"ctxlop", "p.go:9"}, 2, `unknown rule "ctxlop"; the rules are `},
		{[]string{"ctxloop", "p.go"}, 2, "p.go: want a place like pool.go:41"},
		{[]string{"ctxloop", "p.go:10"}, 2, "ctxloop reports nothing at p.go:10; operatorvet debug -rule ctxloop -at p.go:10 says why"},
	} {
		res := operatorvet(t, dir, append([]string{"explain"}, test.args...)...)
		if res.code != test.code || !strings.HasPrefix(res.stderr, "operatorvet: "+test.want) || strings.Count(res.stderr, "\n") != 1 {
			t.Errorf("explain %q: exit code %d, %q", test.args, res.code, res.stderr)
		}
	}
}
