package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSince: only findings on changed lines are left, in all formats, for -fix too.
func TestSince(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := tree(t, waits)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	all := func(args ...string) result {
		return operatorvet(t, dir, append([]string{"-ctxloop.max-wait=0"}, args...)...)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "first")
	all("-since", "HEAD").want(t, 0, "")
	all("-since", "nosuch").wantLine(t, 2, `-since: unknown revision "nosuch"; a shallow clone has not all`)
	all("-since", "HEAD", "-baseline", "b", "-write-baseline").wantLine(t, 2, `-write-baseline accepts all findings; leave out -since; .*`)

	text, err := os.ReadFile(filepath.Join(dir, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "i < 3", "i < 4", 1)
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "new.go"), []byte("package p\n\n"+bad+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	all().want(t, 3, "new.go:3 p.go:9 q/q.go:9")
	all("-since", "HEAD").want(t, 3, "new.go:3 p.go:9")
	git("add", ".")
	git("commit", "-qm", "second")
	all("-since", "HEAD").want(t, 0, "")
	all("-since", "HEAD~1").want(t, 3, "new.go:3 p.go:9")
	all("-since", "HEAD~1", "-C", "q").want(t, 0, "")
	for _, format := range []string{"-json", "-sarif", "-codeclimate"} {
		if out := all("-since", "HEAD~1", format).stdout; !strings.Contains(out, "p.go") || strings.Contains(out, "q.go") {
			t.Errorf("%s:\n%s", format, out)
		}
	}
	before := contents(t, dir)["q/q.go"]
	if got := all("-since", "HEAD~1", "-fix").stderr; !strings.Contains(got, "fixed 1 finding in 1 file") || contents(t, dir)["q/q.go"] != before {
		t.Errorf("-fix: %s", got)
	}
	operatorvet(t, tree(t, waits), "-since", "HEAD").wantLine(t, 2, `-since: git: not a git repository.*`)
}

// TestSinceWithOneCause: of the places of a cause, only those on changed lines count.
func TestSinceWithOneCause(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := tree(t, `
-- lib/lib.go --
package lib

import "time"

func Wait(ready func() bool) {
	for !ready() {
		time.Sleep(time.Minute)
	}
}
-- p.go --
package p

import (
	"context"

	"example.com/m/lib"
)

func A(ctx context.Context, ready func() bool) {
	lib.Wait(ready)
}

func B(ctx context.Context, ready func() bool) {
	lib.Wait(ready)
}
`)
	whole := operatorvet(t, dir)
	if whole.code != 3 || !strings.Contains(whole.stdout, "1 more") {
		t.Fatalf("the places have no common cause: %+v", whole)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	at := strings.LastIndex(string(text), "lib.Wait(ready)")
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(string(text)[:at]+"lib.Wait((ready))\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	res := operatorvet(t, dir, "-since", "HEAD")
	res.want(t, 3, "p.go:14")
	if strings.Contains(res.stdout, "more") {
		t.Errorf("it names other places:\n%s", res.stdout)
	}
}
