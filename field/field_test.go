package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/operatorvet/operatorvet/field/internal/record"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// operator has one sort that matters, and one that does not.
const operator = `
-- a/a.go --
package a

import (
	"context"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type R struct{ client.Client }

func (r R) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	var names []string
	for name := range cm.Labels {
		names = append(names, name)
	}
	sort.Strings(names)
	cm.Data = map[string]string{"names": strings.Join(names, ",")}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func longest(of []string) string {
	sort.Strings(of)
	return of[0]
}
`

// write writes an operator to a directory with the name.
func write(t *testing.T, archive, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := enginetest.WriteModule(dir, txtar.Parse([]byte(archive))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// files returns the content of all files in a directory by name.
func files(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all.WriteString(name + "\n" + string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func TestMutate(t *testing.T) {
	t.Parallel()
	dir, data := write(t, operator, "shop"), t.TempDir()
	before := files(t, dir)
	judged := `{"operator":"example/shop","commit":"c0ffee","module":".","kind":"sort","file":"a/a.go","line":30,"what":"sort.Strings(of)",` +
		`"outcome":"killed","at":"01d","judgment":"not a bug","reason":"the order of what is dropped does not matter"}` + "\n"
	for name, content := range map[string]string{
		"operators.jsonl": `{"set":"practice","operator":"example/shop","commit":"c0ffee"}` + "\n",
		"mutants.jsonl":   judged,
	} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := &mutating{dir: dir, parallel: 2, data: data, record: true, about: record.Mutant{At: "c3"}}
	if err := o.complete(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := o.run(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	const found = "unstablewrite a/a.go map order reaches ConfigMap data[names] in Update; every reconcile writes it again"
	want := "killed\tsort\ta/a.go:24\tsort.Strings(names)\t" + found + "\n" +
		"survived\tsort\ta/a.go:30\tsort.Strings(of)\t\n" +
		"# sort: killed 1, survived 1, broken 0\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	got, err := os.ReadFile(filepath.Join(data, "mutants.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	want = `{"operator":"example/shop","commit":"c0ffee","module":".","kind":"sort","file":"a/a.go","line":24,"what":"sort.Strings(names)",` +
		`"outcome":"killed","finding":"` + found + `","at":"c3"}` + "\n" +
		strings.NewReplacer("killed", "survived", "01d", "c3").Replace(judged)
	if string(got) != want {
		t.Errorf("records: got\n%swant\n%s", got, want)
	}
	if files(t, dir) != before {
		t.Error("the module was changed")
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                        "want a command: mutate",
		"mutat":                   "want a command: mutate",
		"mutate x":                "mutate takes no arguments, only flags: x",
		"mutate -kinds=sorts,own": `-kinds: no kind "own"; there are blind, condition, detach, `,
		"mutate -parallel=0":      "-parallel must be at least 1, and -max at least 0",
		"mutate -record":          "which operator is this, at which commit? Set -operator and -commit",
		"mutate -C=absent":        "open ",
		"compare":                 "want -clones or -trees, and not both",
		"compare -trees=x -operators=a/b -data=data": `-operators: no operator "a/b" in the verdicts`,
		"compare -trees=x -set=none -data=data":      `-set: no operators in "none"`,
		"judge":                                      "judge wants files with findings or mutants",
	} {
		err := run(context.Background(), strings.Fields(args))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want %s", args, err, want)
		}
	}
}
