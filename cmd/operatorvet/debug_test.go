package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestDebug compares the output of debug with testdata/debug.txtar, which has a
// module, and the expected output for each command line.
func TestDebug(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "debug.txtar")
	arc, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	program := new(txtar.Archive)
	for _, f := range arc.Files {
		if !strings.HasPrefix(f.Name, "debug") {
			program.Files = append(program.Files, f)
		}
	}
	dir := t.TempDir()
	if err := enginetest.WriteModule(dir, program); err != nil {
		t.Fatal(err)
	}
	for i := range arc.Files {
		f := &arc.Files[i]
		if !strings.HasPrefix(f.Name, "debug") {
			continue
		}
		args := append([]string{"debug", "-deps=source"}, strings.Fields(f.Name)[1:]...)
		got := operatorvet(t, dir, args...)
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%s: exit code %d, standard error %q", f.Name, got.code, got.stderr)
		}
		if enginetest.Update() {
			f.Data = []byte(got.stdout)
		} else if got.stdout != string(f.Data) {
			t.Errorf("%s (-want +got):\n%s", f.Name, enginetest.Diff(f.Data, []byte(got.stdout)))
		}
	}
	if enginetest.Update() {
		if err := os.WriteFile(file, txtar.Format(arc), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDebugOfNothing(t *testing.T) {
	t.Parallel()
	dir := tree(t, "-- p.go --\npackage p\n\nvar x int\n\nfunc f() {}\n-- q/q.go --\npackage q\n\nfunc g() { undefined() }\n")
	for _, test := range []struct {
		args string
		code int
		line string
	}{
		{"debug -x", 2, `flag provided but not defined: -x; see operatorvet debug -h`},
		{"debug -at=p.go", 2, `-at=p.go: want a place like apply.go:41; .*`},
		{"debug -at=p:5", 2, `-at=p:5: want a place like apply.go:41; .*`},
		{"debug -at=p.go:0", 2, `-at=p.go:0: want a place like apply.go:41; .*`},
		{"debug -func=f -at=p.go:5", 2, `-func and -at exclude each other; .*`},
		{"debug . -func=f", 2, `flag -func=f after a package; flags come first; .*`},
		{"debug -deps=x", 2, `-deps=x: want auto, export or source; .*`},
		{"debug -C nosuch", 2, `-C: stat .*nosuch: no such file or directory; .*`},
		{"debug -rule=nosuch", 2, `unknown rule "nosuch"; the rules are .*; see operatorvet debug -h`},
		{"debug -rule=ctxloop -at=p.go:3 .", 2, `ctxloop has no candidate at p.go:3`},
		{"debug -rule=ctxloop -at=nosuch.go:3 .", 2, `no file nosuch.go in the packages`},
		{"debug -rule=ctxloop -func=nosuch .", 2, `no function nosuch in the packages`},
		{"debug -func=nosuch .", 2, `no function nosuch in the packages`},
		{"debug -at=nosuch.go:1 .", 2, `no file nosuch.go in the packages`},
		{"debug -at=p.go:3 .", 2, `no function at p.go:3`},
		{"debug ./nosuch", 1, `\./nosuch: .*directory not found`},
		{"debug ./q", 1, `example.com/m/q: q/q.go:3:12: undefined: undefined`},
	} {
		operatorvet(t, dir, strings.Fields(test.args)...).wantLine(t, test.code, test.line)
	}
}
