//go:build unix

package main_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

// compiling is a go command that never finishes to compile: the compiler is a process
// of its own, and writes to a file as long as it runs.
const compiling = `#!/bin/sh
case " $* " in
*" -export "*)
	sh -c 'while sleep 0.05; do echo >>"$0"; done' "$ALIVE" &
	wait
	;;
*)
	PATH="$REAL" exec go "$@"
	;;
esac
`

func TestInterruptEndsTheCompiler(t *testing.T) {
	t.Parallel()
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		dir, bin := tree(t, mixed), t.TempDir()
		alive := filepath.Join(bin, "alive")
		if err := os.WriteFile(filepath.Join(bin, "go"), []byte(compiling), 0o777); err != nil {
			t.Fatal(err)
		}
		cmd := command(dir, binary(t), "-deps=export")
		cmd.Env = append(cmd.Env, "ALIVE="+alive, "REAL="+os.Getenv("PATH"), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for size(alive) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		cmd.Process.Signal(sig)
		cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != code || stderr.String() != "operatorvet: "+sig.String()+"\n" {
			t.Errorf("%s: exit code %d, want %d\n%s", sig, got, code, stderr.String())
		}
		before := size(alive)
		time.Sleep(time.Second)
		if after := size(alive); after != before {
			t.Errorf("%s: the compiler still runs", sig)
		}
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

var (
	killed = flag.Int("killed", 100, "how many runs TestKilled kills")
	seed   = flag.Uint64("seed", 0, "of the times at which TestKilled does so; 0 means another one each time")
)

// TestKilled kills runs at random times. What they write is there as a whole or not at
// all, and what they keep misleads no later run.
func TestKilled(t *testing.T) {
	t.Parallel()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-seed=%d", *seed)
	random := rand.New(rand.NewPCG(*seed, 0))
	dir, cache := tree(t, `
-- p.go --
package p

import (
	"context"
	"time"
)

func Poll(ctx context.Context, ready func() bool) error {
	for !ready() {
		time.Sleep(time.Minute)
	}
	return nil
}
`), t.TempDir()
	run := func(kill func(*os.Process), args ...string) result {
		t.Helper()
		cmd := command(dir, binary(t), append([]string{"-deps=source", "-test=false"}, args...)...)
		cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if kill != nil {
			kill(cmd.Process)
		}
		cmd.Wait()
		return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	}
	file := filepath.Join(dir, "p.go")
	baseline := filepath.Join(dir, "baseline.json")
	original := content(t, file)
	start := time.Now()
	want := run(nil)
	run(nil, "-baseline=baseline.json", "-write-baseline")
	whole := time.Since(start) / 2
	known := content(t, baseline)
	run(nil, "-fix")
	fixed := content(t, file)
	if want.code != 3 || known == "" || fixed == original {
		t.Fatalf("%+v, baseline %q, fixed:\n%s", want, known, fixed)
	}
	for i := range *killed {
		os.Remove(baseline)
		if err := os.WriteFile(file, []byte(original), 0o666); err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			os.RemoveAll(cache)
		}
		sig := []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}[random.IntN(2)]
		args := [][]string{nil, {"-baseline=baseline.json", "-write-baseline"}, {"-fix"}}[random.IntN(3)]
		after := time.Duration(random.Int64N(int64(whole * 5 / 4)))
		run(func(p *os.Process) {
			time.Sleep(after)
			p.Signal(sig)
		}, args...)
		if got := content(t, baseline); got != "" && got != known {
			t.Errorf("%s after %s: a baseline of %d bytes instead of %d", sig, after, len(got), len(known))
		}
		if got := content(t, file); got != original && got != fixed {
			t.Errorf("%s after %s: -fix has left\n%s", sig, after, got)
		}
		if i%10 == 9 {
			if err := os.WriteFile(file, []byte(original), 0o666); err != nil {
				t.Fatal(err)
			}
			if got := run(nil); got != want {
				t.Errorf("after killed runs %+v\nwant %+v", got, want)
			}
		}
	}
}

// content returns the content of a file, or "" if there is none.
func content(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

// Runs at the same time share a cache.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed)
	want := operatorvet(t, dir)
	for range 3 {
		cache := t.TempDir()
		var both sync.WaitGroup
		for range 2 {
			cmd := command(dir, binary(t))
			cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
			both.Go(func() {
				if got := execute(t, cmd); got != want {
					t.Errorf("%+v, want %+v", got, want)
				}
			})
		}
		both.Wait()
		cmd := command(dir, binary(t))
		cmd.Env = append(cmd.Env, "OPERATORVET_CACHE="+cache)
		if got := execute(t, cmd); got != want {
			t.Errorf("afterwards %+v, want %+v", got, want)
		}
	}
}
