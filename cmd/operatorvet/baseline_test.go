package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// old has findings of two rules, two equal ones in a function, some in tests
// and some outside of functions.
const old = `
-- a/a.go --
package a

import (
	"context"
	"time"
)

type Waiter[T any] struct{}

func (w *Waiter[T]) Wait(ctx context.Context, ready func() bool) {
	for !ready() {
		time.Sleep(time.Minute)
	}
	for !ready() {
		time.Sleep(time.Minute)
	}
}
-- a/more.go --
package a

` + bad + `
var X = func() {}
-- b/b.go --
package b

import (
	"context"
	"time"
)

func Wait(ctx context.Context, ready func() bool) {
	for !ready() {
		time.Sleep(time.Minute)
	}
}
-- b/b_test.go --
package b

func f() {
	` + bad + `
}
-- b/ex_test.go --
package b_test

` + bad + `
`

const known = "known.json"

// writeBaseline writes the baseline of a directory.
func writeBaseline(t *testing.T, dir string, args ...string) {
	t.Helper()
	args = append([]string{"-baseline", known, "-write-baseline"}, args...)
	if res := operatorvet(t, dir, args...); res.code != 0 || res.stderr != "" || !strings.HasPrefix(res.stdout, known+": findings: ") {
		t.Fatalf("%q: exit code %d\n%s%s", args, res.code, res.stdout, res.stderr)
	}
}

// withBaseline runs the command with that baseline.
func withBaseline(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return operatorvet(t, dir, append([]string{"-baseline", known}, args...)...)
}

// wantStale checks which baseline entries the command reports as unneeded. Each
// text is a part of its line.
func (r result) wantStale(t *testing.T, parts ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(r.stderr, "\n"), "\n")
	if r.stderr == "" {
		lines = nil
	}
	if len(lines) != len(parts) {
		t.Errorf("%d lines, want %d:\n%s", len(lines), len(parts), r.stderr)
		return
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, "operatorvet: "+known+": no longer found") || !strings.Contains(line, parts[i]) {
			t.Errorf("%q does not say that %q is gone", line, parts[i])
		}
	}
}

// edit replaces text in a file.
func edit(t *testing.T, file, before, after string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), before) {
		t.Fatalf("no %q in %s", before, file)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), before, after, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBaselineAcceptsWhatIsKnown(t *testing.T) {
	t.Parallel()
	dir := tree(t, old)
	operatorvet(t, dir).want(t, 3, "a/a.go:11 a/a.go:14 a/more.go:3 b/b.go:9 b/b_test.go:4 b/ex_test.go:3")
	writeBaseline(t, dir)
	res := withBaseline(t, dir)
	res.want(t, 0, "")
	res.wantStale(t)

	// Lines move, and functions move to other files.
	edit(t, filepath.Join(dir, "a", "a.go"), "type", "// Moved.\n\n\ntype")
	if err := os.Rename(filepath.Join(dir, "b", "b.go"), filepath.Join(dir, "b", "c.go")); err != nil {
		t.Fatal(err)
	}
	res = withBaseline(t, dir)
	res.want(t, 0, "")
	res.wantStale(t)

	// A third equal finding is new.
	edit(t, filepath.Join(dir, "a", "a.go"), "ready func() bool) {\n", "ready func() bool) {\n\tfor !ready() {\n\t\ttime.Sleep(time.Minute)\n\t}\n")
	res = withBaseline(t, dir)
	res.want(t, 3, "a/a.go:20")
	res.wantStale(t)
}

// Places that messages name move, too.
func TestBaselineKnowsMessagesWithPlaces(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- a/a.go --
package a

import "time"

func Wait(ready func() bool) {
	for !ready() {
		time.Sleep(time.Minute)
	}
}
-- b/b.go --
package b

import (
	"context"

	"example.com/m/a"
)

func Run(ctx context.Context, ready func() bool) {
	a.Wait(ready)
}
`)
	if res := operatorvet(t, dir); !strings.Contains(res.stdout, "(a/a.go:7)") {
		t.Fatalf("no place in\n%s", res.stdout)
	}
	writeBaseline(t, dir)
	edit(t, filepath.Join(dir, "a", "a.go"), "func Wait", "// Wait waits.\nfunc Wait")
	res := withBaseline(t, dir)
	res.want(t, 0, "")
	res.wantStale(t)
}

func TestBaselineOfRenamedFunction(t *testing.T) {
	t.Parallel()
	dir := tree(t, old)
	writeBaseline(t, dir)
	edit(t, filepath.Join(dir, "b", "b.go"), "Wait(", "Await(")
	res := withBaseline(t, dir)
	res.want(t, 3, "b/b.go:9")
	res.wantStale(t, "ctxloop in example.com/m/b.Wait: ")
}

// A baseline shrinks as findings are fixed: an entry that accepts nothing fails
// the run. Otherwise it would accept the same bug when it comes back.
func TestBaselineWithStaleEntries(t *testing.T) {
	t.Parallel()
	dir := tree(t, old)
	writeBaseline(t, dir)
	edit(t, filepath.Join(dir, "a", "a.go"), "time.Sleep(time.Minute)", "_ = time.Minute")
	if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"", "./...", "-json", "-sarif", "./a"} {
		res := withBaseline(t, dir, strings.Fields(args)...)
		res.want(t, 3, "")
		res.wantStale(t,
			"ctxloop in example.com/m/a.(*Waiter).Wait: ",
			"ctxloop in example.com/m/b.Wait: ",
			"directive in example.com/m/b: ",
			"directive in example.com/m/b.f: ")
	}
	writeBaseline(t, dir)
	res := withBaseline(t, dir)
	res.want(t, 0, "")
	res.wantStale(t)
}

// A run over a part of the module says nothing about the rest, and writing the
// baseline keeps the rest.
func TestBaselineOfPartialRuns(t *testing.T) {
	t.Parallel()
	dir := tree(t, old)
	writeBaseline(t, dir)
	whole, err := os.ReadFile(filepath.Join(dir, known))
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"./a", "./b/...", "-test=false", "-rules=ctxloop", "-rules=-ctxloop", "-test=false ./b"} {
		res := withBaseline(t, dir, strings.Fields(args)...)
		res.want(t, 0, "")
		res.wantStale(t)
		writeBaseline(t, dir, strings.Fields(args)...)
		if now, err := os.ReadFile(filepath.Join(dir, known)); err != nil || string(now) != string(whole) {
			t.Fatalf("%s: %v; the baseline is now\n%s", args, err, now)
		}
	}
	// The part that is looked at is judged.
	edit(t, filepath.Join(dir, "b", "b.go"), "time.Sleep(time.Minute)", "_ = time.Minute")
	withBaseline(t, dir, "./a").wantStale(t)
	withBaseline(t, dir, "-rules=directive").wantStale(t)
	withBaseline(t, dir, "-test=false", "./b").wantStale(t, "ctxloop in example.com/m/b.Wait: ")

	// From elsewhere, by a path of its own.
	res := operatorvet(t, filepath.Dir(dir), "-C", dir, "-baseline", known, "./a")
	res.want(t, 0, "")
}

// If something was not analysed, no entry counts as unneeded, and nothing is
// written.
func TestBaselineOfBrokenPackages(t *testing.T) {
	t.Parallel()
	dir := tree(t, old)
	writeBaseline(t, dir)
	whole, err := os.ReadFile(filepath.Join(dir, known))
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "b", "b.go"), "ready()", "undefined()")
	res := withBaseline(t, dir)
	res.want(t, 1, "")
	res.wantLine(t, 1, `example.com/m/b.*: undefined: undefined`)

	res = withBaseline(t, dir, "-write-baseline")
	if res.code != 1 || !strings.HasSuffix(res.stderr, "operatorvet: known.json not written: not everything could be analysed\n") {
		t.Errorf("exit code %d\n%s", res.code, res.stderr)
	}
	if now, err := os.ReadFile(filepath.Join(dir, known)); err != nil || string(now) != string(whole) {
		t.Errorf("%v; the baseline is now\n%s", err, now)
	}
}

func TestBaselineAndFormats(t *testing.T) {
	t.Parallel()
	dir := tree(t, old)
	writeBaseline(t, dir, "./a")
	res := withBaseline(t, dir, "-json")
	var byPackage map[string]map[string][]struct{ Posn string }
	if err := json.Unmarshal([]byte(res.stdout), &byPackage); err != nil {
		t.Fatal(err)
	}
	if res.code != 3 || len(byPackage["example.com/m/a"]) != 0 || len(byPackage["example.com/m/b"]["ctxloop"]) != 1 {
		t.Errorf("exit code %d\n%s", res.code, res.stdout)
	}
	res = withBaseline(t, dir, "-sarif")
	if res.code != 3 || strings.Contains(res.stdout, `"a/a.go"`) || !strings.Contains(res.stdout, `"b/b.go"`) {
		t.Errorf("exit code %d\n%s", res.code, res.stdout)
	}
}

func TestBadBaseline(t *testing.T) {
	t.Parallel()
	dir := tree(t, old+`
-- broken.json --
{
	"version": 1,
<<<<<<< HEAD
-- later.json --
{"version": 7}
`)
	for _, test := range []struct{ args, line string }{
		{"-baseline nosuch.json", `-baseline: open .*nosuch.json: no such file or directory; -write-baseline makes it`},
		{"-baseline a", `-baseline: read .*: is a directory`},
		{"-baseline broken.json", `-baseline: .*broken.json:3: not a baseline: .*`},
		{"-baseline broken.json -write-baseline", `-baseline: .*broken.json:3: not a baseline: .*`},
		{"-baseline later.json", `-baseline: .*later.json: version 7; this operatorvet knows version 1`},
		{"-baseline later.json -write-baseline", `-baseline: .*later.json: version 7; .*`},
		{"-write-baseline", `-write-baseline needs -baseline, the file to write; see operatorvet -h`},
		{"-baseline x -write-baseline -json", `-write-baseline reports nothing; .*`},
		{"-baseline x a/a.go", `-baseline knows findings by package; a/a.go is a file; .*`},
	} {
		operatorvet(t, dir, strings.Fields(test.args)...).wantLine(t, 2, test.line)
	}
	for name, want := range map[string]string{"broken.json": "{\n\t\"version\": 1,\n<<<<<<< HEAD\n", "later.json": "{\"version\": 7}\n"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != want {
			t.Errorf("%s: %v, %q", name, err, data)
		}
	}
	operatorvet(t, dir, "-baseline", "no/such/dir.json", "-write-baseline").wantLine(t, 1, `-write-baseline: open .*no/such/.*: no such file or directory`)
}
