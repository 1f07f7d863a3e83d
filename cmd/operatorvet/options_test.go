package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// waits has loops with total waits of 0.9 s and 18 s, in two packages.
const waits = `
-- p.go --
package p

import (
	"context"
	"time"
)

func Short(ctx context.Context, ready func() bool) {
	for i := 0; i < 3 && !ready(); i++ {
		time.Sleep(300 * time.Millisecond)
	}
}
-- q/q.go --
package q

import (
	"context"
	"time"
)

func Long(ctx context.Context, ready func() bool) {
	for i := 0; i < 3 && !ready(); i++ {
		time.Sleep(6 * time.Second)
	}
}
`

func options(text string) string { return "-- .operatorvet.yaml --\n" + text + "\n" }

func TestOptionsFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, archive, args, places string
	}{
		{"none", "", "", "q/q.go:9"},
		{"empty", options("# nothing chosen\n"), "", "q/q.go:9"},
		{"longer", options("ctxloop:\n  max-wait: 10s"), "", ""},
		{"none at all", options("ctxloop: {max-wait: 0}"), "", "p.go:9 q/q.go:9"},
		{"flag wins", options("ctxloop: {max-wait: 10s}"), "-ctxloop.max-wait=0", "p.go:9 q/q.go:9"},
		{"nearest wins", options("ctxloop: {max-wait: 0}") + "-- q/.operatorvet.yaml --\nctxloop: {max-wait: 10s}\n", "", "p.go:9"},
		{"rule off", options("rules: {ctxloop: false}"), "", ""},
		{"rule on", options("rules: {ctxloop: true}"), "", "q/q.go:9"},
		{"rule named", options("rules: {ctxloop: false}"), "-rules=ctxloop,directive", "q/q.go:9"},
		{"rule left out", options("rules: {ctxloop: false}"), "-rules=-directive", ""},
		{"of the directory, not of -C", options("ctxloop: {max-wait: 0}"), "-C q .", "q.go:9"},
		{"alias", options("ctxloop: {max-wait: &d 5s}\nunstablewrite: {ignore-fields: [*d]}"), "", "error"},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			code := 3
			switch test.places {
			case "":
				code = 0
			case "error":
				code, test.places = 1, ""
			}
			operatorvet(t, tree(t, waits+test.archive), strings.Fields(test.args)...).want(t, code, test.places)
		})
	}
}

// TestOptionsAboveTheModule checks that one file applies to all modules of a
// repository.
func TestOptionsAboveTheModule(t *testing.T) {
	t.Parallel()
	dir := tree(t, options("ctxloop: {max-wait: 0}")+`
-- m/go.mod --
module example.com/m

go 1.25.0
`+strings.ReplaceAll(waits, "-- ", "-- m/"))
	operatorvet(t, dir, "-C", "m").want(t, 3, "p.go:9 q/q.go:9")
}

// A directive for a rule that is switched off does not count as unneeded.
func TestRuleSwitchedOffKeepsItsDirectives(t *testing.T) {
	t.Parallel()
	operatorvet(t, tree(t, mixed+options("rules: {ctxloop: false}")+`
-- q/q.go --
package q

import (
	"context"
	"time"
)

func Poll(ctx context.Context, ready func() bool) {
	//operatorvet:ignore ctxloop it is fine
	for !ready() {
		time.Sleep(time.Minute)
	}
}
`)).want(t, 3, "p.go:14")
}

func TestWrongOptionsFile(t *testing.T) {
	t.Parallel()
	for text, message := range map[string]string{
		"rules: {nosuch: false}":                            `:1: rules.nosuch: unknown rule; there are .*`,
		"rules:\n  ctxloop: 1":                              `:2: rules.ctxloop: want true or false, not "1"`,
		"ctxlop: {}":                                        `:1: ctxlop: unknown option; there are .*`,
		"# x\nctxloop:\n  maxwait: 1s":                      `:3: ctxloop.maxwait: unknown option; there is only max-wait`,
		"ctxloop: {max-wait: 5}":                            `:1: ctxloop.max-wait: "5" is no duration like .*`,
		"ctxloop: {max-wait: -5s}":                          `:1: ctxloop.max-wait: -5s is negative`,
		"ctxloop: {max-wait: [5s]}":                         `:1: ctxloop.max-wait: want a value, not a list`,
		"ctxloop: {max-wait: }":                             `:1: ctxloop.max-wait: want a value, not nothing`,
		"ctxloop: 5s":                                       `:1: ctxloop: want keys with values, not "5s"`,
		"- ctxloop":                                         `:1: want keys with values, not a list`,
		"missingwatch: {ignore-kinds: ConfigMap}":           `:1: missingwatch.ignore-kinds: want a list, not "ConfigMap"`,
		"missingwatch:\n  ignore-kinds:\n  - A\n  - config": `:4: missingwatch.ignore-kinds\[1\]: "config" is no kind like .*`,
		"missingwatch: {ignore-kinds: [{a: b}]}":            `:1: missingwatch.ignore-kinds\[0\]: want a text, not keys with values`,
		"unstablewrite: {ignore-fields: [Status]}":          `:1: unstablewrite.ignore-fields\[0\]: "Status" is no field like .*`,
		"ctxloop: {}\nctxloop: {}":                          `:2: ctxloop: set twice`,
		"ctxloop: {}\n---\nrules: {}":                       `: want one document, found several`,
		"ctxloop: {max-wait: 5s":                            `:1: did not find .*`,
		"ctxloop:\n\tmax-wait: 5s":                          `:2: found character that cannot start any token`,
	} {
		dir := tree(t, waits+options(text))
		// Two packages, one line.
		operatorvet(t, dir).wantLine(t, 1, `\.operatorvet\.yaml`+message)
		vet := execute(t, command(dir, "go", "vet", "-vettool="+binary(t), "./..."))
		line, _, _ := strings.Cut(vet.stderr, "\n")
		if want := filepath.Join(dir, ".operatorvet.yaml"); vet.code == 0 || !strings.Contains(line, want) || strings.Count(vet.stderr, want) != 1 {
			t.Errorf("%s: go vet: exit code %d\n%s", text, vet.code, vet.stderr)
		}
	}
}

// TestOptionsFileWithTheWrongName: a file that is not read is an error wherever the
// right file would be in force, and nowhere else.
func TestOptionsFileWithTheWrongName(t *testing.T) {
	t.Parallel()
	const yml = ".operatorvet.yml --\nctxloop: {max-wait: 10s}\n"
	for _, test := range []struct{ archive, file string }{
		{"-- " + yml, ".operatorvet.yml"},
		{"-- q/" + yml, "q/.operatorvet.yml"},
		{"-- " + yml + options("ctxloop: {max-wait: 10s}"), ".operatorvet.yml"},
	} {
		dir := tree(t, waits+test.archive)
		want := regexp.QuoteMeta(test.file) + `: this file is not read; the options file is called \.operatorvet\.yaml`
		operatorvet(t, dir).wantLine(t, 1, want)
		vet := execute(t, command(dir, "go", "vet", "-vettool="+binary(t), "./..."))
		if vet.code == 0 || !strings.Contains(vet.stderr, test.file+": this file is not read") {
			t.Errorf("go vet: exit code %d\n%s", vet.code, vet.stderr)
		}
	}
	// The nearest file is in force, so the one above it says nothing.
	operatorvet(t, tree(t, waits+"-- "+yml+"-- q/.operatorvet.yaml --\n"), "./q").want(t, 3, "q/q.go:9")
}

func TestOptionsInGoVet(t *testing.T) {
	t.Parallel()
	dir := tree(t, waits)
	vet := func(args ...string) string {
		t.Helper()
		args = append([]string{"vet", "-json", "-vettool=" + binary(t)}, append(args, "./...")...)
		res := execute(t, command(dir, "go", args...))
		var places []string
		for _, f := range findings(t, res.stdout) {
			place, _, _ := strings.Cut(strings.TrimPrefix(strings.Fields(f)[2], dir+string(filepath.Separator)), ":")
			places = append(places, filepath.ToSlash(place))
		}
		slices.Sort(places)
		return strings.Join(places, " ")
	}
	want := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("findings in %q, want %q", got, want)
		}
	}
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want(vet(), "q/q.go")
	want(vet("-ctxloop.max-wait=0"), "p.go q/q.go")
	// Each run is answered from what the go command has stored, unless the tool
	// says that something changed.
	write(".operatorvet.yaml", "ctxloop: {max-wait: 0}")
	want(vet(), "p.go q/q.go")
	want(vet("-ctxloop.max-wait=10s"), "")
	write("q/.operatorvet.yaml", "rules: {ctxloop: false}")
	want(vet(), "p.go")
	want(vet("-ctxloop"), "p.go q/q.go")
	write("q/.operatorvet.yaml", "")
	want(vet(), "p.go q/q.go")
}
