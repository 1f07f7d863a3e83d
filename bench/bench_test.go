package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// The smallest module with a package that only a program imports.
const module = `
-- go.mod --
module example.com/m

go 1.25
-- main.go --
package main

import "example.com/m/a"

func main() { a.A() }
-- a/a.go --
package a

import "example.com/m/b"

func A() int { return b.B() }
-- b/b.go --
package b

func B() int { return 1 }
`

func write(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	if err := txtar.Write(txtar.Parse([]byte(archive)), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestBench(t *testing.T) {
	t.Parallel()
	dir, work := write(t, module), t.TempDir()
	tools, err := buildTools(work, operatorvet+","+floor)
	if err != nil {
		t.Fatal(err)
	}
	src, err := prepareBody(work, dir, true)
	if err != nil {
		t.Fatal(err)
	}
	if src.lines != 13 || src.leaf != filepath.Join("a", "a.go") {
		t.Errorf("%d lines, and %s to edit; want 13 and a/a.go", src.lines, src.leaf)
	}
	samples, err := measureBody(work, src, tools, 2)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, s := range samples {
		count[s.tool+" "+s.state]++
		if s.cpu <= 0 || s.wall <= 0 || s.mib <= 0 {
			t.Errorf("%+v", s)
		}
	}
	for want, n := range map[string]int{
		operatorvet + " " + cold:   2,
		operatorvet + " " + warm:   2,
		operatorvet + " " + edited: 2,
		operatorvet + " " + bare:   2,
		floor + " " + cold:         2,
	} {
		if count[want] != n {
			t.Errorf("%s was measured %d times, want %d", want, count[want], n)
		}
	}
	if data, err := os.ReadFile(filepath.Join(src.dir, src.leaf)); err != nil || !strings.Contains(string(data), "// Edit 2.") {
		t.Errorf("%s was not edited: %v", src.leaf, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, src.leaf)); err != nil || strings.Contains(string(data), "// Edit") {
		t.Errorf("the original was edited: %v", err)
	}
}

func TestPartly(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	if _, err := buildTools(work, operatorvet); err != nil {
		t.Fatal(err)
	}
	src, err := prepareBody(work, write(t, strings.Replace(module, "import ", "import _ \"unicode/utf8\"\n\nimport ", 1)), false)
	if err != nil {
		t.Fatal(err)
	}
	compared, err := measurePartly(work, src, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(compared) != len(shares) || compared[0].Export <= compared[len(compared)-1].Export {
		t.Errorf("got %+v", compared)
	}
	for _, p := range compared {
		if p.Auto <= 0 || p.Source <= 0 || p.Export <= 0 {
			t.Errorf("%+v", p)
		}
	}
}

func TestControllerFile(t *testing.T) {
	t.Parallel()
	const (
		method = "\nfunc (C) Reconcile(ctx context.Context, req reconcile.Request) (r reconcile.Result, err error) { return }\n"
		sync   = "\nfunc (C) syncThing(_ context.Context, key string) error { return nil }\n"
		helper = "\nfunc (C) syncThing(_ context.Context, n int) error { return nil }\n"
	)
	for method, want := range map[string]string{method: "b/b.go", sync: "b/b.go", helper: "a/a.go"} {
		src := &source{dir: write(t, module+"\ntype C struct{}\n"+method), patterns: []string{"./..."}, leaf: "a/a.go"}
		if got, err := src.controllerFile(); got != filepath.FromSlash(want) || err != nil {
			t.Errorf("%s: got %s, %v; want %s", method, got, err, want)
		}
	}
	typed, err := withImports([]byte("// Package p.\npackage p // of files\n\nimport \"os\"\n\nvar _ = os.Args"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", typed+bugs(1), 0); err != nil {
		t.Error(err)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	samples := []sample{
		{operatorvet, cold, 3, 2, 512},
		{goVet, cold, 20, 1, 1},
		{operatorvet, cold, 1, 3, 512},
		{goVet, cold, 20, 1, 1},
		{operatorvet, cold, 2, 1, 512},
	}
	r := &results{Rounds: 3, Bodies: []body{{Name: "b", Version: "v1", Lines: 10, Measured: summarise(samples),
		Gopls: &editing{"x.go", []served{{Server: stockGopls, Edit: 0.5}, {Server: ownGopls, Edit: 0.55, CPU: 0.7, First: 30, MiB: 2000}}}}}}
	got := r.markdown()
	for _, want := range []string{
		"### b (v1, 10 lines)",
		"| operatorvet | cold | 2.0 s | 2.0 s | 512 MiB |  |",
		"| go vet | cold | 20.0 s | 1.0 s | 1 MiB | 0.10 of that |",
		"| cold, of go vet | 0.15 | 0.10 |",
		"| memory in GiB, cold | 1.00 | 0.50 |",
		"| gopls with operatorvet | 0.55 s | 0.70 s | 30.0 s | 2000 MiB |",
		"| in gopls, from an edit to our diagnostic, of gopls's own | 1.20 | 1.10 |",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "staticcheck") {
		t.Errorf("a bound on what was not measured in\n%s", got)
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	if _, err := buildTools(t.TempDir(), "golint"); err == nil || err.Error() != "-tools=golint: unknown tool" {
		t.Errorf("got %v", err)
	}
	for dir, want := range map[string]string{
		filepath.Join(t.TempDir(), "absent"): "absent/go.mod: no such file",
		t.TempDir():                          "go.mod: no such file",
		write(t, "-- go.mod --\nmodule m\n"): "no package",
	} {
		_, err := prepareBody(t.TempDir(), dir, true)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v; want one line with %q", err, want)
		}
	}
}
