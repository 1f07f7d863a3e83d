// Package lint runs operatorvet on modules, and reads what it finds.
package lint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/run/debug"
)

// A Finding is a finding of a rule.
type Finding struct {
	Rule    string
	File    string // relative to the module, with slashes
	Line    int
	Message string // without positions, which change with the code around; see [Stable]
}

// A Result is what one run says about a module.
type Result struct {
	Findings []Finding // sorted by file, line, rule and message
	// Partial are the reconcilers that were analysed in part, in the same form.
	Partial []Finding
	// Failures are the lines that say what could not be analysed, without
	// positions and directories.
	Failures []string
}

// Command is an operatorvet to run.
type Command struct {
	Path  string
	Cache string // directory for its results, or "" for none
}

// Build builds the operatorvet of this repository.
func Build(ctx context.Context, to string) error {
	root, err := Root(ctx)
	if err != nil {
		return err
	}
	_, err = Output(ctx, root, "go", "build", "-o", to, "./cmd/operatorvet")
	return err
}

// Root returns the directory of this repository.
func Root(ctx context.Context) (string, error) {
	return Output(ctx, "", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/operatorvet/operatorvet")
}

// Commit returns the commit of this repository, with a + if other code than that
// of this command was changed since.
func Commit(ctx context.Context) (string, error) {
	root, err := Root(ctx)
	if err != nil {
		return "", err
	}
	commit, err := Output(ctx, root, "git", "rev-parse", "--short", "HEAD")
	if err != nil {
		return "", err
	}
	changed, err := Output(ctx, root, "git", "status", "--porcelain", "--", ".", ":!field", ":!docs")
	if err == nil && changed != "" {
		commit += "+"
	}
	return commit, err
}

// Run runs all rules on the module in dir, with additional variables of the
// environment.
func (c Command) Run(ctx context.Context, dir string, env ...string) (*Result, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, c.Path, "-deps=source", "-test=false", "-json", "./...")
	cmd.Dir = dir
	keep := "OPERATORVET_CACHE=" + cmp.Or(c.Cache, "off")
	cmd.Env = append(append(os.Environ(), "NO_COLOR=1", keep), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return nil, err
	}
	res := new(Result)
	switch code := cmd.ProcessState.ExitCode(); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case code == 1:
		res.Failures = failures(dir, stderr.String())
	case code != 0 && code != 3:
		return nil, fmt.Errorf("%s: %w: %s", c.Path, err, bytes.TrimSpace(stderr.Bytes()))
	}
	if res.Findings, res.Partial, err = parse(dir, stdout.Bytes()); err != nil {
		return nil, fmt.Errorf("%s: reading its findings: %w", c.Path, err)
	}
	return res, nil
}

func failures(dir, stderr string) []string {
	var all []string
	for line := range strings.Lines(stderr) {
		line = strings.ReplaceAll(strings.TrimSpace(line), dir+string(filepath.Separator), "")
		if line = strings.TrimPrefix(line, "operatorvet: "); line != "" {
			all = append(all, Stable(line))
		}
	}
	return all
}

// parse reads the output of operatorvet -json: findings by package and rule, and
// which reconcilers were analysed in part.
func parse(dir string, data []byte) (findings, partial []Finding, err error) {
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var byPackage map[string]map[string][]struct{ Posn, Message string }
		if err := dec.Decode(&byPackage); err != nil {
			return nil, nil, err
		}
		for _, byRule := range byPackage {
			for rule, found := range byRule {
				to := &findings
				if rule == debug.PartialName {
					to = &partial
				}
				for _, f := range found {
					file, line, err := split(dir, f.Posn)
					if err != nil {
						return nil, nil, err
					}
					*to = append(*to, Finding{rule, file, line, Stable(f.Message)})
				}
			}
		}
	}
	slices.SortFunc(findings, Compare)
	slices.SortFunc(partial, Compare)
	return findings, partial, nil
}

// split takes a position FILE:LINE:COLUMN apart.
func split(dir, posn string) (file string, line int, err error) {
	parts := strings.Split(posn, ":")
	if len(parts) < 3 {
		return "", 0, fmt.Errorf("%q is no position", posn)
	}
	if _, err := fmt.Sscan(parts[len(parts)-2], &line); err != nil {
		return "", 0, fmt.Errorf("%q is no position", posn)
	}
	file = strings.Join(parts[:len(parts)-2], ":")
	if rel, err := filepath.Rel(dir, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file), line, nil
}

// Compare orders findings by file, line, rule and message.
func Compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
}

var (
	aside = regexp.MustCompile(` ?\([^()\s]+\.go:[0-9:]+\)| ?\(line \d+\)`)
	place = regexp.MustCompile(`(\.go):\d+(:\d+)?`)
)

// Stable returns a message without the lines in it.
func Stable(message string) string {
	return place.ReplaceAllString(aside.ReplaceAllString(message, ""), "$1")
}

// Output runs a program and returns its standard output. The error is one line.
func Output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		return "", fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, first)
	}
	return strings.TrimSpace(string(out)), err
}
