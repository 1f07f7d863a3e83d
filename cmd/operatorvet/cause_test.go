package main_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared has a loop that two packages call, one of them twice.
const shared = `
-- retry/retry.go --
package retry

import "time"

func Wait(ready func() bool) {
	for !ready() {
		time.Sleep(time.Minute)
	}
}
-- a/a.go --
package a

import (
	"context"

	"example.com/m/retry"
)

func First(ctx context.Context, ready func() bool) {
	retry.Wait(ready)
}

func Second(ctx context.Context, ready func() bool) {
	retry.Wait(ready)
}
-- b/a.go --
package b

import (
	"context"

	"example.com/m/retry"
)

func First(ctx context.Context, ready func() bool) {
	retry.Wait(ready)
}
`

// more returns the lines of the text output that name the other places of a cause.
func (r result) more() string {
	var lines []string
	for line := range strings.Lines(r.stdout) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "and ") {
			lines = append(lines, filepath.ToSlash(line))
		}
	}
	return strings.Join(lines, "\n")
}

func (r result) wantMore(t *testing.T, want string) {
	t.Helper()
	if got := r.more(); got != want {
		t.Errorf("got %q, want %q in\n%s", got, want, r.stdout)
	}
}

// TestCauseIsOneFinding checks that text shows a loop once, and all else that the
// command and go vet do with its three calls.
func TestCauseIsOneFinding(t *testing.T) {
	t.Parallel()
	dir := tree(t, shared)
	text := operatorvet(t, dir)
	text.want(t, 3, "a/a.go:10")
	text.wantMore(t, "and 2 more calls: a/a.go:14, b/a.go:10")
	each := findings(t, operatorvet(t, dir, "-json").stdout)
	if len(each) != 3 {
		t.Errorf("-json: %q", each)
	}
	if n := strings.Count(operatorvet(t, dir, "-sarif").stdout, `"ruleIndex"`); n != 3 {
		t.Errorf("-sarif: %d results", n)
	}

	vet := func(args ...string) result {
		return execute(t, command(dir, "go", append([]string{"vet", "-vettool=" + binary(t)}, args...)...))
	}
	if got := findings(t, vet("-each", "-json", "./...").stdout); !slices.Equal(got, each) {
		t.Errorf("go vet -each:\n%q\nwant\n%q", got, each)
	}
	plain := vet("./...").stderr
	if n := strings.Count(plain, "retry.Wait waits"); n != 2 || strings.Count(plain, "; and 1 more call: a/a.go:14\n") != 1 {
		t.Errorf("go vet: %d findings, want one for each package that calls\n%s", n, plain)
	}
}

// TestOnePlaceOfACause checks that a directive and a baseline are about places.
func TestOnePlaceOfACause(t *testing.T) {
	t.Parallel()
	dir := tree(t, shared)
	first := filepath.Join(dir, "a", "a.go")
	edit(t, first, "\tretry.Wait", "\t//operatorvet:ignore ctxloop ready is never late here\n\tretry.Wait")
	res := operatorvet(t, dir)
	res.want(t, 3, "a/a.go:15")
	res.wantMore(t, "and 1 more call: b/a.go:10")

	writeBaseline(t, dir)
	withBaseline(t, dir).want(t, 0, "")
	edit(t, first, "\t//operatorvet:ignore ctxloop ready is never late here\n", "")
	res = withBaseline(t, dir)
	res.want(t, 3, "a/a.go:10") // only this one is new
	res.wantMore(t, "")
	res.wantStale(t)

	edit(t, filepath.Join(dir, "b", "a.go"), "\tretry.Wait(ready)\n", "")
	edit(t, filepath.Join(dir, "b", "a.go"), "\t\"context\"\n\n\t\"example.com/m/retry\"\n", "\t\"context\"\n")
	withBaseline(t, dir).wantStale(t, "example.com/m/b.First")
}
