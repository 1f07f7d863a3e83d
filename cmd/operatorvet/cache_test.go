package main_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCacheDirectory runs the command where it cannot write to its cache, or
// cannot find its entries again.
func TestCacheDirectory(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed)
	want := operatorvet(t, dir)
	run := func(t *testing.T, vars ...string) {
		t.Helper()
		for range 2 {
			cmd := command(dir, binary(t), "-deps=source")
			cmd.Env = append(cmd.Env, vars...)
			if got := execute(t, cmd); got != want {
				t.Errorf("%s:\n%+v\nwant\n%+v", vars, got, want)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, "OPERATORVET_CACHE="+file)
	run(t, "OPERATORVET_CACHE="+file+"/below")
	run(t, "OPERATORVET_CACHE=/dev/null")
	run(t, "OPERATORVET_CACHE=", "HOME=", "XDG_CACHE_HOME=", "GOCACHE="+goCache(t), "GOPATH="+t.TempDir())

	home := t.TempDir()
	run(t, "OPERATORVET_CACHE=", "XDG_CACHE_HOME="+home, "GOCACHE="+goCache(t))
	if entries(t, filepath.Join(home, "operatorvet")) == 0 {
		t.Error("nothing below the user's cache directory")
	}
}

func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// entries counts the entries of a cache.
func entries(t *testing.T, cache string) int {
	t.Helper()
	n := 0
	filepath.WalkDir(cache, func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, "-a") {
			n++
		}
		return nil
	})
	return n
}

// To a process that may not write to files the disk is full. The go command may
// write: it fails without its own cache.
func TestCacheOnFullDisk(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell to set a limit")
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := "#!" + shell + "\nulimit -S -f unlimited\nexec '" + goCommand + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	dir, cache := tree(t, mixed), t.TempDir()
	want := operatorvet(t, dir)
	for range 2 {
		cmd := command(dir, shell, "-c", `ulimit -S -f 0 && exec "$0"`, binary(t))
		cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		if got := execute(t, cmd); got != want {
			t.Errorf("got\n%+v\nwant\n%+v", got, want)
		}
	}
	// What could not be written is no entry for a run that can.
	cmd := command(dir, binary(t))
	cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
	if got := execute(t, cmd); got != want {
		t.Errorf("afterwards\n%+v\nwant\n%+v", got, want)
	}
}

func TestReadOnlyCache(t *testing.T) {
	t.Parallel()
	for _, filled := range []bool{false, true} {
		dir, cache := tree(t, mixed), t.TempDir()
		want := operatorvet(t, dir)
		run := func() {
			t.Helper()
			cmd := command(dir, binary(t), "-deps=source")
			if os.Getuid() == 0 {
				runAsNobody(t, cmd, dir)
			}
			cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
			if got := execute(t, cmd); got != want {
				t.Errorf("filled: %v:\n%+v\nwant\n%+v", filled, got, want)
			}
		}
		for d := range parents(cache) {
			if os.Chmod(d, 0o777) != nil {
				t.Skipf("cannot open %s for others", d)
			}
		}
		if filled {
			run()
			if entries(t, cache) == 0 {
				t.Fatal("nothing kept")
			}
		}
		lock := func(mode fs.FileMode) {
			filepath.WalkDir(cache, func(name string, entry fs.DirEntry, err error) error {
				if entry.IsDir() {
					return os.Chmod(name, mode)
				}
				return nil
			})
		}
		lock(0o555)
		t.Cleanup(func() { lock(0o777) })
		before := entries(t, cache)
		run()
		if after := entries(t, cache); after != before {
			t.Errorf("%d entries, then %d, in a directory that cannot be written", before, after)
		}
	}
}

// With a cache, flags still change the result.
func TestCacheKnowsFlags(t *testing.T) {
	t.Parallel()
	dir, cache := tree(t, mixed+`
-- tagged.go --
//go:build special

package p

`+bad+`
-- p_test.go --
package p

`+bad+`
`), t.TempDir()
	for range 2 {
		for _, args := range []string{"", "-test=false", "-tags=special", "-rules=ctxloop", "-rules=-ctxloop", "-ctxloop.max-wait=10h", "-json", "-sarif", "."} {
			flags := strings.Fields(args)
			cmd := command(dir, binary(t), flags...)
			cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
			if got, want := execute(t, cmd), operatorvet(t, dir, flags...); got != want {
				t.Errorf("%s: with the cache\n%+v\nwithout\n%+v", args, got, want)
			}
		}
	}
}

// A cache serves another checkout, as in CI: the findings are those of a run
// without it, and nothing is analysed, so nothing new is kept.
func TestCacheOfAnotherCheckout(t *testing.T) {
	t.Parallel()
	const module = `
-- go.mod --
module example.com/m

go 1.25.0

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.25.0
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

func Ready() bool { return false }
-- retry/retry.go --
package retry

import (
	"time"

	"example.com/dep"
)

func Wait() {
	for !dep.Ready() {
		time.Sleep(time.Minute)
	}
}
-- p.go --
package p

import (
	"context"

	"example.com/m/retry"
)

func Sync(ctx context.Context) { retry.Wait() }

` + bad
	cache, first, second := t.TempDir(), tree(t, module), tree(t, module)
	run := func(dir, cache string) result {
		cmd := command(dir, binary(t), "-json")
		cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
		return execute(t, cmd)
	}
	if got, want := run(first, cache), run(first, "off"); got != want || want.code != 3 {
		t.Fatalf("%+v, want %+v", got, want)
	}
	before := entries(t, cache)
	want := run(second, "off")
	if got := run(second, cache); got != want || !strings.Contains(want.stdout, filepath.Join(second, "retry", "retry.go")) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if after := entries(t, cache); after != before {
		t.Errorf("%d entries, then %d", before, after)
	}
}

// TestCacheCommand shows and clears the cache of a run.
func TestCacheCommand(t *testing.T) {
	t.Parallel()
	dir, kept := tree(t, mixed), filepath.Join(t.TempDir(), "kept")
	run := func(args ...string) result {
		cmd := command(dir, binary(t), args...)
		cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+kept)
		return execute(t, cmd)
	}
	show := func(pattern string) {
		t.Helper()
		if got := run("cache"); got.code != 0 || got.stderr != "" || !regexp.MustCompile(`^`+regexp.QuoteMeta(kept)+": "+pattern+"\n$").MatchString(got.stdout) {
			t.Errorf("%+v, want %s", got, pattern)
		}
	}
	show(`0 entries, 0\.0 of at most 250 MiB`)
	before := run("-deps=source")
	show(`[1-9][0-9]* entries, [0-9]\.[0-9] of at most 250 MiB`)
	if got := run("cache", "clear"); got != (result{}) {
		t.Errorf("clear: %+v", got)
	}
	show(`0 entries, .*`)
	if after := run("-deps=source"); after != before {
		t.Errorf("after clear %+v, before %+v", after, before)
	}
	run("cache", "empty").wantLine(t, 2, "cache has no arguments but clear; see operatorvet -h")
	if got := operatorvet(t, dir, "cache"); got.code != 0 || !strings.HasPrefix(got.stdout, "no directory: OPERATORVET_CACHE=off") {
		t.Errorf("off: %+v", got)
	}
}
