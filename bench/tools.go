package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// tool is a command to measure.
type tool struct {
	name    string
	version string
	caches  bool // whether it keeps results from run to run
	bare    bool // whether to measure it where nothing is compiled, too

	// prepare makes the tool find its own caches empty. It returns what runs the
	// tool on packages. It is nil for a server, see measureGopls.
	prepare func(caches string) (func(patterns []string) *exec.Cmd, error)
}

// fresh makes a directory for the tool's caches, and prepares it.
func (t *tool) fresh(caches string) (func(patterns []string) *exec.Cmd, error) {
	if err := os.MkdirAll(caches, 0o777); err != nil {
		return nil, err
	}
	return t.prepare(caches)
}

// The names of tools.
const (
	operatorvet = "operatorvet"
	floor       = "operatorvet without rules"
	vettool     = "go vet -vettool=operatorvet"
	goVet       = "go vet"
	staticcheck = "staticcheck"
	golangci    = "golangci-lint"
	golangciAnd = "golangci-lint with operatorvet"
)

// buildTools builds all tools, or those whose names are listed.
func buildTools(work, only string) ([]*tool, error) {
	bin := func(name string) string { return filepath.Join(work, "bin", name) }
	own, lint := bin("operatorvet"), bin("golangci-lint")
	inCache := func(path, variable string, args ...string) func(string) (func([]string) *exec.Cmd, error) {
		return func(caches string) (func([]string) *exec.Cmd, error) {
			return func(patterns []string) *exec.Cmd {
				cmd := exec.Command(path, append(slices.Clip(args), patterns...)...)
				cmd.Env = append(os.Environ(), variable+"="+caches)
				return cmd
			}, nil
		}
	}
	withPlugin, without := filepath.Join(work, "with.yml"), filepath.Join(work, "without.yml")
	const config = "version: \"2\"\n"
	const enabled = "linters:\n  enable: [operatorvet]\n  settings:\n    custom:\n      operatorvet:\n        type: module\n"
	all := []*tool{
		{name: operatorvet, caches: true, bare: true, prepare: inCache(own, "OPERATORVET_CACHE")},
		{name: floor, prepare: inCache(bin("floor"), "OPERATORVET_CACHE")},
		{name: vettool, caches: true, prepare: func(caches string) (func([]string) *exec.Cmd, error) {
			// The go command keeps what a vet tool says by the tool's content.
			copied := filepath.Join(caches, "operatorvet")
			if err := unlike(own, copied); err != nil {
				return nil, err
			}
			return func(patterns []string) *exec.Cmd {
				return exec.Command("go", append([]string{"vet", "-vettool=" + copied}, patterns...)...)
			}, nil
		}},
		{name: goVet, caches: true, bare: true, prepare: func(string) (func([]string) *exec.Cmd, error) {
			// It keeps results by the flags, too.
			unused := "-printf.funcs=cold" + rand.Text()
			return func(patterns []string) *exec.Cmd {
				return exec.Command("go", append([]string{"vet", unused}, patterns...)...)
			}, nil
		}},
		{name: staticcheck, caches: true, prepare: inCache(bin("staticcheck"), "STATICCHECK_CACHE")},
		{name: golangci, caches: true, prepare: inCache(lint, "GOLANGCI_LINT_CACHE", "run", "--config", without)},
		{name: golangciAnd, caches: true, prepare: inCache(lint, "GOLANGCI_LINT_CACHE", "run", "--config", withPlugin)},
		{name: stockGopls},
	}
	if only != "" {
		all = slices.DeleteFunc(all, func(t *tool) bool { return !slices.Contains(strings.Split(only, ","), t.name) })
		if len(all) < len(strings.Split(only, ",")) {
			return nil, fmt.Errorf("-tools=%s: unknown tool", only)
		}
	}
	needs := func(names ...string) bool {
		return slices.ContainsFunc(all, func(t *tool) bool { return slices.Contains(names, t.name) })
	}
	root, err := output("", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/operatorvet/operatorvet")
	if err != nil {
		return nil, err
	}
	for _, build := range []struct {
		needed    bool
		dir, from string
		to        string
	}{
		{true, "", "./cmd/operatorvet", own},
		{needs(floor), "", "./bench/floor", bin("floor")},
		{needs(staticcheck), "bench/tools", "honnef.co/go/tools/cmd/staticcheck", bin("staticcheck")},
		{needs(golangci, golangciAnd), "plugin/golangci", ".", lint},
	} {
		if !build.needed {
			continue
		}
		fmt.Fprintln(os.Stderr, "building", filepath.Base(build.to))
		if _, err := output(filepath.Join(root, build.dir), "go", "build", "-o", build.to, build.from); err != nil {
			return nil, err
		}
	}
	for file, content := range map[string]string{without: config, withPlugin: config + enabled} {
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			return nil, err
		}
	}
	for _, t := range all {
		switch t.name {
		case goVet:
			t.version = runtime.Version()
		case staticcheck:
			t.version, err = output("", bin("staticcheck"), "-version")
		case golangci, golangciAnd:
			t.version, err = output("", lint, "version", "--short")
		case stockGopls:
			t.version, err = buildGopls(root, filepath.Join(work, "bin"))
		default:
			t.version, err = output(root, "git", "rev-parse", "--short", "HEAD")
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// unlike copies a program and makes the copy differ from all other copies.
func unlike(program, to string) error {
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	return os.WriteFile(to, append(data, rand.Text()...), 0o777) // loaders do not look behind the end
}

// output runs a command and returns its output.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

// sample is one run of a tool.
type sample struct {
	tool, state string
	cpu, wall   float64 // seconds, CPU of all processes that it waited for
	mib         float64 // largest process
}

// measure runs a command. An exit code that means findings is no error.
func measure(cmd *exec.Cmd, dir string) (sample, error) {
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return sample{}, err
	}
	state := cmd.ProcessState
	// Findings are 1 or 3, whatever the tool; everything worse says so.
	if code := state.ExitCode(); code != 0 && code != 1 && code != 3 {
		return sample{}, fmt.Errorf("%s: %w\n%s", cmd, err, stderr.Bytes())
	}
	usage := state.SysUsage().(*syscall.Rusage)
	return sample{
		cpu:  (state.UserTime() + state.SystemTime()).Seconds(),
		wall: wall.Seconds(),
		mib:  float64(usage.Maxrss) / 1024,
	}, nil
}
