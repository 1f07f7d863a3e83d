package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/field/internal/record"
)

// unsorted is an operator with one finding.
var unsorted = strings.Replace(operator, "\tsort.Strings(names)\n", "\n", 1)

// clone makes a repository with a tree, and returns the commit.
func clone(t *testing.T, dir string) string {
	t.Helper()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "a")
	return git("rev-parse", "HEAD")
}

func TestCompare(t *testing.T) {
	t.Parallel()
	tree, data := write(t, unsorted, "shop"), t.TempDir()
	commit := clone(t, tree)
	// The file in the overlay takes the place of the one in the clone.
	overlay := t.TempDir()
	over := filepath.Join(overlay, "example+shop", "b")
	if err := os.MkdirAll(over, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(over, "b.go"), []byte("package b\n\nvar _ = missing\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	finding := func(file, message, verdict, found string) string {
		return `{"operator":"example/shop","commit":"` + commit + `","module":".","rule":"unstablewrite","file":"` + file + `","line":21,"message":"` + message +
			`","verdict":"` + verdict + `","reason":"the reason","cause":"","found":` + found + `,"at":"01d"}` + "\n"
	}
	for name, content := range map[string]string{
		"operators.jsonl": `{"set":"practice","operator":"example/absent","commit":"c"}` + "\n" +
			`{"set":"practice","operator":"example/shop","commit":"` + commit + `"}` + "\n",
		"modules.jsonl": `{"operator":"example/shop","dir":"."}` + "\n" + `{"operator":"example/shop","dir":"gone"}` + "\n",
		"findings.jsonl": finding("a/a.go", "reworded", record.True, "true") +
			finding("a/b.go", "lost", record.True, "true") +
			finding("a/c.go", "gone", record.False, "true") +
			finding("a/d.go", "gone long ago", record.NotUseful, "false"),
	} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := &comparing{trees: trees{clones: filepath.Dir(tree), overlay: overlay}, at: "c3", data: data, record: true}
	var out bytes.Buffer
	if err := o.run(context.Background(), &out); !errors.Is(err, errLost) {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, want := range []string{
		"# not compared: example/absent, module .: no clone of it in " + filepath.Dir(tree) + "\n",
		"# not compared: example/shop, module gone: lstat ",
		"# in part: example/shop, module .: example.com/b: b/b.go: undefined: missing\n",
		"\nlost\texample/shop\t.\ta/b.go:21\tunstablewrite: lost\t(true: the reason)\n",
		"\ngone\texample/shop\t.\ta/c.go:21\tunstablewrite: gone\t(false: the reason)\n",
		"\n# 1 modules compared\n# unstablewrite: true 1, false 0, lost 1, gone 1, to judge 0\n",
	} {
		if !strings.Contains("\n"+out.String(), want) {
			t.Errorf("no line %q in\n%s", want, &out)
		}
	}
	all, err := record.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range all.Findings {
		state := "absent"
		if f.Found {
			state = "found"
		}
		got = append(got, f.File+" "+state+" "+f.At+" "+f.Message)
	}
	const want = "a/a.go found c3 map order reaches ConfigMap data[names] in Update; every reconcile writes it again\n" +
		"a/b.go absent c3 lost\na/c.go absent c3 gone\na/d.go absent c3 gone long ago"
	if strings.Join(got, "\n") != want {
		t.Errorf("records: got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestJudge takes a finding without verdict from compare to the verdicts.
func TestJudge(t *testing.T) {
	t.Parallel()
	tree, data := write(t, unsorted, "shop"), t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "operators.jsonl"), []byte(`{"set":"round1","operator":"example/shop","commit":"c0"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(data, "new")
	o := &comparing{trees: trees{laid: filepath.Dir(tree)}, set: "round1", at: "c3", data: data, fresh: file}
	var out bytes.Buffer
	if err := o.run(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	if want := "# 1 modules compared\n# unstablewrite: true 0, false 0, lost 0, gone 0, to judge 1\n"; out.String() != want {
		t.Errorf("got %s", &out)
	}
	err := run(context.Background(), []string{"judge", "-data", data, file})
	if want := file + `:1: "verdict" is ""; want one of ["true" "false" "not useful"]`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	lines, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	filled := strings.NewReplacer(`"verdict":""`, `"verdict":"true"`, `"reason":""`, `"reason":"map order"`).Replace(string(lines))
	if err := os.WriteFile(file, []byte(filled), 0o666); err != nil {
		t.Fatal(err)
	}
	mutants := filepath.Join(data, "judged")
	const mutant = `{"operator":"example/shop","commit":"c0","module":".","kind":"sort","file":"a.go","line":1,"what":"sort","outcome":"survived","at":"c3","judgment":"bug"}` + "\n"
	if err := os.WriteFile(mutants, []byte(mutant), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(context.Background(), []string{"judge", "-data", data, file, mutants, file}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"findings.jsonl": filled, "mutants.jsonl": mutant} {
		if got, err := os.ReadFile(filepath.Join(data, name)); err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, want)
		}
	}
}

// TestData checks that the data are in order, and that their parts agree.
func TestData(t *testing.T) {
	t.Parallel()
	all, err := record.Read("data")
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if err := all.Write(copied); err != nil {
		t.Fatal(err)
	}
	if got, want := files(t, "data"), strings.ReplaceAll(files(t, copied), copied, "data"); got != want {
		t.Error("field/data is not in order; go run ./field docs puts it in order")
	}
	known := make(map[string]bool)
	for _, op := range all.Operators {
		known[op.Operator+" "+op.Commit] = true
	}
	for _, f := range all.Findings {
		if !known[f.Operator+" "+f.Commit] {
			t.Errorf("finding in %s at %s, which is not among the operators", f.Operator, f.Commit)
		}
	}
	for _, m := range all.Mutants {
		if !known[m.Operator+" "+m.Commit] {
			t.Errorf("mutant of %s at %s, which is not among the operators", m.Operator, m.Commit)
		}
	}
	for _, r := range all.Rounds {
		if !known[r.Operator+" "+r.Commit] {
			t.Errorf("round on %s at %s, which is not among the operators", r.Operator, r.Commit)
		}
	}
}

// TestChosen checks that each commit of a named operator is compared.
func TestChosen(t *testing.T) {
	t.Parallel()
	all := []record.Operator{
		{Set: "before", Operator: "o/p", Commit: "a"},
		{Set: "round1", Operator: "o/p", Commit: "b"},
		{Set: "round1", Operator: "o/q", Commit: "c"},
		{Set: "round1", Operator: "o/p", Commit: "d", Aggregate: &record.Aggregate{}},
	}
	for _, test := range []struct{ operators, set, want string }{
		{"o/p", "", "a b"},
		{"p,o/q", "round1", "b c"},
		{"", "before", "a"},
	} {
		o := &comparing{operators: test.operators, set: test.set}
		chosen, err := o.chosen(all)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, op := range chosen {
			got = append(got, op.Commit)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("operators %q of set %q: got %q, want %q", test.operators, test.set, got, test.want)
		}
	}
	if _, err := (&comparing{operators: "r"}).chosen(all); err == nil {
		t.Error("an unknown operator is no error")
	}
}
