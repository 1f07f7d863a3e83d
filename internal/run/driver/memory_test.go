package driver_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
)

// tree is a module that changes from run to run.
type tree struct{ dir, cache string }

func newTree(t *testing.T) tree {
	t.Helper()
	tr := tree{t.TempDir(), t.TempDir()}
	if err := txtar.Write(txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n\ngo 1.25.0\n"+chain)), tr.dir); err != nil {
		t.Fatal(err)
	}
	return tr
}

func (tr tree) write(t *testing.T, name, content string) {
	t.Helper()
	file := filepath.Join(tr.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs depths with the cache, and returns the packages that it analysed. It
// checks that the report is the same as without a cache.
func (tr tree) run(t *testing.T) (analysed []string) {
	t.Helper()
	var mu sync.Mutex
	spy := *depths
	spy.Run = func(pass *analysis.Pass) (any, error) {
		mu.Lock()
		defer mu.Unlock()
		analysed = append(analysed, strings.TrimPrefix(pass.Pkg.Path(), "example.com/m/"))
		return depths.Run(pass)
	}
	got := tr.report(t, &spy, cache.In(tr.cache))
	if want := tr.report(t, depths, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("with the cache\n%s\nwithout\n%s", strings.Join(messages(got), "\n"), strings.Join(messages(want), "\n"))
	}
	slices.Sort(analysed)
	return slices.Compact(analysed) // a package and its test variant
}

func (tr tree) report(t *testing.T, rule *analysis.Analyzer, c *cache.Cache) *driver.Report {
	t.Helper()
	cfg := load.Config{Dir: tr.dir, Patterns: []string{"./..."}, Tests: true, Deps: load.Source}
	rep, err := driver.Run(cfg, []*analysis.Analyzer{rule}, c)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// want runs, and checks which packages were analysed.
func (tr tree) want(t *testing.T, what string, packages ...string) {
	t.Helper()
	if got := tr.run(t); !slices.Equal(got, packages) {
		t.Errorf("%s: analysed %q, want %q", what, got, packages)
	}
}

func TestCacheSparesWhatIsUnchanged(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.want(t, "first run", "a", "b", "c")
	tr.want(t, "nothing changed")
	tr.write(t, "c/c.go", "package c\n\nimport \"example.com/m/b\"\n\n// C is further down now.\nfunc C() { b.T{}.B() }\n")
	tr.want(t, "importer changed", "c")
	tr.write(t, "c/c_test.go", "package c\n")
	tr.want(t, "test changed", "c")
	tr.write(t, "b/b.go", "package b\n\nimport \"example.com/m/a\"\n\ntype T struct{}\n\nfunc (T) A() {}\n\nfunc (T) B() { a.A() }\n")
	tr.want(t, "another method comes first", "b", "c")
	tr.write(t, "a/a.go", "package a\n\nfunc A() { low() }\n\nfunc low() { lower() }\n\nfunc lower() {}\n")
	tr.want(t, "dependency changed", "a", "b", "c")
	tr.write(t, "d/d.go", "package d\n\nimport \"example.com/m/b\"\n\nvar _ = b.T.B\n\nfunc D(t interface{ B() }) { b.T{}.B() }\n")
	tr.want(t, "new package", "d")
	if err := os.Rename(filepath.Join(tr.dir, "b/b.go"), filepath.Join(tr.dir, "b/z.go")); err != nil {
		t.Fatal(err)
	}
	tr.want(t, "file renamed", "b", "c", "d")
	tr.write(t, "go.mod", "module example.com/m\n\ngo 1.24.0\n")
	tr.want(t, "another language version", "a", "b", "c", "d")
	tr.write(t, "c/.operatorvet.yaml", "")
	tr.want(t, "file with options", "c")
	tr.write(t, "b/z.go", "package b\n\ntype T struct{}\n\nfunc (T) B() { undefined() }\n")
	tr.want(t, "dependency that does not compile", "c", "d")
	tr.want(t, "still does not compile")
}

func TestCacheKnowsEmbeddedFiles(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	tr.write(t, "c/c.go", "package c\n\nimport (\n\t_ \"embed\"\n\n\t\"example.com/m/b\"\n)\n\n//go:embed page.tmpl\nvar page string\n\nfunc C() { b.T{}.B() }\n")
	tr.write(t, "c/page.tmpl", "{{ .Name }}\n")
	tr.want(t, "first run", "a", "b", "c")
	tr.want(t, "nothing changed")
	tr.write(t, "c/page.tmpl", "{{ range .Names }}{{ . }}{{ end }}\n")
	tr.want(t, "embedded file changed", "c")
}

// CI systems restore a cache, with old or new times, beside another checkout.
func TestCacheServesAnotherCheckout(t *testing.T) {
	t.Parallel()
	for _, age := range []time.Duration{0, 30 * 24 * time.Hour} {
		tr := newTree(t)
		tr.run(t)
		restored := tree{t.TempDir(), t.TempDir()}
		for from, to := range map[string]string{tr.dir: restored.dir, tr.cache: restored.cache} {
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
		}
		at := time.Now().Add(-age)
		err := filepath.WalkDir(restored.cache, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			return os.Chtimes(file, at, at)
		})
		if err != nil {
			t.Fatal(err)
		}
		restored.want(t, "restored")
		restored.want(t, "once more")
		restored.write(t, "c/c_test.go", "package c\n")
		restored.want(t, "test changed", "c")
	}
}

// A run that finds the cache damaged repairs it.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(file string, size int64) error{
		"empty":     func(file string, _ int64) error { return os.Truncate(file, 0) },
		"truncated": func(file string, size int64) error { return os.Truncate(file, size/2) },
		"longer":    func(file string, size int64) error { return os.Truncate(file, size+1) },
		"other": func(file string, size int64) error {
			return os.WriteFile(file, []byte(strings.Repeat("x", int(size))), 0o666)
		},
		"removed":   func(file string, _ int64) error { return os.Remove(file) },
		"directory": func(file string, _ int64) error { os.Remove(file); return os.Mkdir(file, 0o777) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []string{"-a", "-d"} { // index entries, data
				tr := newTree(t)
				tr.run(t)
				damaged := 0
				err := filepath.WalkDir(tr.cache, func(file string, entry fs.DirEntry, err error) error {
					if err != nil || !strings.HasSuffix(file, kind) {
						return err
					}
					info, err := entry.Info()
					if err != nil {
						return err
					}
					damaged++
					return damage(file, info.Size())
				})
				if err != nil || damaged == 0 {
					t.Fatalf("%d files damaged, %v", damaged, err)
				}
				tr.want(t, "damaged"+kind, "a", "b", "c")
				if name != "directory" {
					tr.want(t, "repaired"+kind)
				}
			}
		})
	}
}

func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			tr.run(t)
		}()
	}
	wg.Wait()
	tr.want(t, "afterwards")
}

// A package is analysed again if an analyzer failed on it, because its facts may
// be incomplete.
func TestFailureIsNotKept(t *testing.T) {
	t.Parallel()
	tr := newTree(t)
	broken := *depths
	broken.Run = func(pass *analysis.Pass) (any, error) {
		if pass.Pkg.Name() == "b" {
			return nil, os.ErrInvalid
		}
		return depths.Run(pass)
	}
	if rep := tr.report(t, &broken, cache.In(tr.cache)); len(rep.Failures) != 1 {
		t.Errorf("failures %v", rep.Failures)
	}
	tr.want(t, "after a failure in b", "b", "c")
}
