// Package golangci builds and runs golangci-lint with operatorvet as a plugin.
// Only tests use it.
package golangci

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Latest is the latest version of golangci-lint.
const Latest = "v2.15.0"

// Versions has the versions of golangci-lint with which the plugin is tested:
// the one in kubebuilder's scaffold, and the latest. Each has a go.mod in
// plugin/golangci, see [ModFile].
var Versions = []string{"v2.12.2", Latest}

// ModFile returns the name of the file in plugin/golangci that selects the
// version: VERSION.mod, and go.mod for the latest.
func ModFile(version string) string {
	if version == Latest {
		return "go.mod"
	}
	return version + ".mod"
}

// Build builds golangci-lint into the directory dir, and returns the path of the
// executable. Root is the directory of operatorvet's module.
func Build(root, version, dir string) (string, error) {
	executable := filepath.Join(dir, "golangci-lint-"+version)
	cmd := exec.Command("go", "build", "-modfile="+ModFile(version), "-o", executable, ".")
	cmd.Dir = filepath.Join(root, "plugin", "golangci")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return executable, nil
}

// Result is the result of a run.
type Result struct {
	Issues []Issue
	Code   int    // exit code: 1 if there are issues
	Stderr string // what went wrong
}

// Issue is a finding of any linter.
type Issue struct {
	FromLinter string
	Text       string
	Pos        struct {
		Filename     string // relative to the configuration's directory, unless the arguments say other
		Line, Column int
	}
}

// Run runs the executable's run command in the directory dir. Its results are
// cached in the directory cache.
func Run(executable, dir, cache string, args ...string) (*Result, error) {
	out, err := os.CreateTemp("", "golangci-lint-*.json")
	if err != nil {
		return nil, err
	}
	out.Close()
	defer os.Remove(out.Name())

	cmd := exec.Command(executable, append([]string{"run",
		"--allow-parallel-runners", "--output.json.path=" + out.Name()}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+cache, "PWD="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	res := &Result{Code: cmd.ProcessState.ExitCode(), Stderr: stderr.String()}
	data, err := os.ReadFile(out.Name())
	if err != nil || len(data) == 0 {
		return res, err // it stopped before the analysis
	}
	return res, json.Unmarshal(data, res)
}
