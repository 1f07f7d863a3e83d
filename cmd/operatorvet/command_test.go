package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// The tests run the built command on small modules without dependencies. An
// ignore comment that names no rule makes a finding there; it needs no
// Kubernetes.
const bad = "//operatorvet:ignore"

func TestMain(m *testing.M) {
	if dir := os.Getenv(sharedCache); dir != "" {
		if err := serveCache(dir, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if dir, _ := builtIn(); dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// builtIn builds the command, once, and returns the directory that it is in.
var builtIn = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "operatorvet")
	if err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-o", dir, ".").CombinedOutput(); err != nil {
		return dir, fmt.Errorf("go build: %v\n%s", err, out)
	}
	// Also for a user other than the one who runs the tests.
	return dir, os.Chmod(dir, 0o755)
})

// binary returns the path of the command.
func binary(t *testing.T) string {
	t.Helper()
	dir, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "operatorvet")
}

// result is the result of a command.
type result struct {
	stdout, stderr string
	code           int
}

// operatorvet runs the command in dir.
func operatorvet(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return execute(t, command(dir, binary(t), args...))
}

// command returns a command whose environment does not depend on how the tests
// are run.
func command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=", "GOTOOLCHAIN=local", "NO_COLOR=", "OPERATORVET_CACHE=off", "PWD="+dir)
	return cmd
}

func execute(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// tree writes the files of a txtar archive to a new directory. If the archive
// has neither a go.mod nor a go.work, tree adds a go.mod for module
// example.com/m.
func tree(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	arc := txtar.Parse([]byte(archive))
	isModule := false
	for _, f := range arc.Files {
		isModule = isModule || f.Name == "go.mod" || f.Name == "go.work"
	}
	if !isModule {
		arc.Files = append(arc.Files, txtar.File{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.25.0\n")})
	}
	if err := txtar.Write(arc, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// findingLine matches the first line of a finding in text output.
var findingLine = regexp.MustCompile(`(?m)^(\S+:\d+):\d+: \w+: `)

// places returns the places of findings, as "file:line" separated by spaces.
func (r result) places() string {
	var places []string
	for _, m := range findingLine.FindAllStringSubmatch(r.stdout, -1) {
		places = append(places, filepath.ToSlash(m[1]))
	}
	return strings.Join(places, " ")
}

// want checks the exit code and the places of findings.
func (r result) want(t *testing.T, code int, places string) {
	t.Helper()
	if r.code != code || r.places() != places {
		t.Errorf("exit code %d, findings at %q; want %d, %q\nstdout:\n%s\nstderr:\n%s", r.code, r.places(), code, places, r.stdout, r.stderr)
	}
}
