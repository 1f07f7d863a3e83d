package main_test

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestVetTool checks that go vet with the command as its tool has the same
// findings as the command alone. Package analyzers checks the same on all
// fixtures.
func TestVetTool(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed+`
-- a/a.go --
package a

import "time"

//operatorvet:ignore ctxloop nothing to ignore here
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
-- b/in_test.go --
package b

`+bad+`
-- b/ex_test.go --
package b_test

`+bad+`
`)
	alone := findings(t, operatorvet(t, dir, "-json").stdout)
	if len(alone) != 6 {
		t.Errorf("alone: %q", alone)
	}
	vet := func(args ...string) result {
		return execute(t, command(dir, "go", append([]string{"vet", "-vettool=" + binary(t)}, args...)...))
	}
	first := vet("-json", "./...")
	if got := findings(t, first.stdout); first.code != 0 || !slices.Equal(got, alone) {
		t.Errorf("go vet: exit code %d\n%q\nwant\n%q\n%s", first.code, got, alone, first.stderr)
	}
	// The second run prints what the go command has stored of the first.
	if again := findings(t, vet("-json", "./...").stdout); !slices.Equal(again, alone) {
		t.Errorf("cached go vet:\n%q\nwant\n%q", again, alone)
	}

	plain := vet("./...")
	if plain.code != 1 || !strings.Contains(plain.stderr, "p.go:9:2: ctxloop: ") {
		t.Errorf("exit code %d\n%s", plain.code, plain.stderr)
	}
	if again := vet("./..."); again.code != 1 || lines(again.stderr) != lines(plain.stderr) {
		t.Errorf("go vet printed\n%s\nand cached\n%s", plain.stderr, again.stderr)
	}
	only := findings(t, vet("-json", "-ctxloop", "./...").stdout)
	if want := slices.DeleteFunc(slices.Clone(alone), func(f string) bool { return !strings.HasPrefix(f, "ctxloop ") }); !slices.Equal(only, want) {
		t.Errorf("-ctxloop:\n%q\nwant\n%q", only, want)
	}
}

// lines returns the text with its lines sorted, because go vet shows packages in
// the order in which they finish.
func lines(text string) string {
	return strings.Join(slices.Sorted(strings.Lines(text)), "")
}

// findings returns the output of go vet -json or of the command as one "RULE
// place message" per finding, sorted.
func findings(t *testing.T, out string) []string {
	t.Helper()
	var found []string
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var byPackage map[string]map[string][]struct{ Posn, End, Message string }
		if err := dec.Decode(&byPackage); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		for pkg, byRule := range byPackage {
			for rule, list := range byRule {
				for _, d := range list {
					found = append(found, strings.Join([]string{rule, pkg, d.Posn, d.End, strings.TrimPrefix(d.Message, rule+": ")}, " "))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}
