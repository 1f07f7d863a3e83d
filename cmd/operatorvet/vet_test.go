package main_test

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/unitchecker"
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

// TestVetOfDependencies checks for which dependencies the tool only says that they have no
// facts. It does not find the files of any here.
func TestVetOfDependencies(t *testing.T) {
	t.Parallel()
	client := map[string]string{"sigs.k8s.io/controller-runtime/pkg/client": "sigs.k8s.io/controller-runtime/pkg/client"}
	dir := tree(t, "-- none.vetx --\n-- some.vetx --\nfacts")
	for name, test := range map[string]struct {
		cfg  unitchecker.Config
		read bool
	}{
		"standard library":         {unitchecker.Config{ImportPath: "net/http"}, false},
		"library":                  {unitchecker.Config{ImportPath: "example.com/a", ModulePath: "example.com/a", ModuleVersion: "v1.0.0"}, false},
		"library with a client":    {unitchecker.Config{ImportPath: "example.com/a", ModulePath: "example.com/a", ModuleVersion: "v1.0.0", ImportMap: client}, true},
		"Kubernetes library":       {unitchecker.Config{ImportPath: "k8s.io/client-go/tools/cache", ModulePath: "k8s.io/client-go", ModuleVersion: "v0.37.2", ImportMap: client}, false},
		"module under development": {unitchecker.Config{ImportPath: "example.com/m", ModulePath: "example.com/m"}, true},
		"an import has facts":      {unitchecker.Config{ImportPath: "example.com/a", PackageVetx: map[string]string{"b": "none.vetx", "c": "some.vetx"}}, true},
		"no import has facts":      {unitchecker.Config{ImportPath: "example.com/a", PackageVetx: map[string]string{"b": "none.vetx"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := test.cfg
			cfg.Compiler, cfg.VetxOnly, cfg.GoFiles = "gc", true, []string{"none.go"}
			cfg.VetxOutput = filepath.Join(t.TempDir(), "out.vetx")
			data, err := json.Marshal(cfg)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "vet.cfg")
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
			res := operatorvet(t, dir, file)
			if read := strings.Contains(res.stderr, "none.go"); read != test.read || read != (res.code != 0) {
				t.Errorf("exit code %d\n%s", res.code, res.stderr)
			}
			if out, err := os.ReadFile(cfg.VetxOutput); !test.read && (err != nil || len(out) > 0) {
				t.Errorf("facts %q, %v", out, err)
			}
		})
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
