package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// wantLine checks the exit code, and that standard error is one line that
// matches.
func (r result) wantLine(t *testing.T, code int, pattern string) {
	t.Helper()
	line, rest, _ := strings.Cut(r.stderr, "\n")
	if r.code != code || rest != "" || !regexp.MustCompile("^operatorvet: "+pattern+"$").MatchString(line) {
		t.Errorf("exit code %d, want %d; standard error is not one line like\n%s\nbut\n%s", r.code, code, pattern, r.stderr)
	}
}

func TestWrongCommandLine(t *testing.T) {
	t.Parallel()
	dir := tree(t, "-- p.go --\npackage p\n")
	for _, test := range []struct {
		args string
		line string
	}{
		{"-x", `flag provided but not defined: -x; see operatorvet -h`},
		{"-test=maybe", `invalid boolean value "maybe" for -test: parse error; see operatorvet -h`},
		{"-tags", `flag needs an argument: -tags; see operatorvet -h`},
		{"./... -json", `flag -json after a package; flags come first; see operatorvet -h`},
		{"-json -sarif", `-json, -sarif and -codeclimate exclude each other; see operatorvet -h`},
		{"-deps=binary", `-deps=binary: want auto, export or source; see operatorvet -h`},
		{"-rules nosuch", `unknown rule "nosuch"; the rules are \w+(, \w+)*; see operatorvet -h`},
		{"-rules -nosuch", `unknown rule "nosuch"; the rules are .*`},
		{"-rules directive,", `unknown rule ""; the rules are .*`},
		{"-rules directive,-missingwatch", `-rules: name rules to run or rules to leave out, not both; .*`},
		{"-C nosuch", `-C: stat .*nosuch: no such file or directory; .*`},
		{"-C p.go", `-C: p.go is not a directory; .*`},
		{"-ctxloop.max-wait=soon", `invalid value "soon" for flag -ctxloop.max-wait: "soon" is no duration like .*; see operatorvet -h`},
		{"-missingwatch.ignore-kinds=A,b", `invalid value "A,b" for flag -missingwatch.ignore-kinds: "b" is no kind like .*`},
		{"help nosuch", `unknown rule "nosuch"; the rules are .*`},
		{"help directive missingwatch", `help shows one rule at a time; .*`},
	} {
		operatorvet(t, dir, strings.Fields(test.args)...).wantLine(t, 2, test.line)
	}
}

func TestNothingToAnalyse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		archive string
		args    string
		line    string
	}{
		{"no packages", "-- x.txt --\n", "", `no packages matched \./\.\.\.`},
		{"directory without Go files", "-- sub/x.txt --\n", "./sub", `\./sub: no Go files in .*sub`},
		{"no such directory", "-- p.go --\npackage p\n", "./nosuch", `\./nosuch: .*not found`},
		{"no such tree", "-- p.go --\npackage p\n", "./nosuch/...", `\./nosuch/\.\.\.: .*no such file or directory`},
		{"no such package", "-- p.go --\npackage p\n", "example.org/x", `example.org/x: no required module provides package example.org/x; to add it: go get example.org/x`},
		{"no go.mod", "-- go.work --\n", "", `.*`},
		{"broken go.mod", "-- go.mod --\nmodule example.com/m\nnonsense 1\nnonsense 2\n-- p.go --\npackage p\n", "", `errors parsing go.mod: .*go.mod:2: unknown directive: nonsense`},
		{"go.work and its modules", workspaceOf("a", "b"), "", `\./\.\.\.: outside the modules of go.work; write work for all of them, or \./a/\.\.\. \./b/\.\.\.`},
		{"go.work with many modules", workspaceOf("a", "b", "c", "d"), "", `.*, or \./a/\.\.\. \./b/\.\.\. \./c/\.\.\. and so on, for 4 modules`},
		{"below go.work", workspaceOf("a") + "-- b/p.go --\npackage b\n", "-C b .", `\.: outside the modules of go.work; write work for all of them, or \.\./a/\.\.\.`},
		{"another module", "-- go.mod --\nmodule example.com/m\n-- p.go --\npackage p\n-- sub/go.mod --\nmodule example.com/m/sub\n-- sub/q/q.go --\npackage q\n", "./sub/...", `\./sub/\.\.\.: in another module; write -C sub`},
		{"directory without a dot", "-- internal/p/p.go --\npackage p\n", "internal/p", `internal/p: no such package; the directory is \./internal/p`},
		{"tree without a dot", "-- internal/p/p.go --\npackage p\n", "internal/...", `internal/\.\.\.: packages of Go's standard library; the directory is \./internal/\.\.\.`},
		{"flag without a dash", "-- p.go --\npackage p\n", "version", `version: no such package; the flag is -version`},
		{"rule", "-- p.go --\npackage p\n", "ctxloop", `ctxloop: no such package; the flag for a rule is -rules=ctxloop`},
		{"no word that we know", "-- p.go --\npackage p\n", "nosuch", `nosuch: package nosuch is not in std .*`},
		{"type error of several lines", "-- p.go --\npackage p\n\ntype I interface{ M(int) }\ntype T struct{}\n\nfunc (T) M() {}\n\nvar x I = T{}\n", "", `example.com/m: p.go:8:11: cannot use T{} .* \(wrong type for method M\)`},
		{"go.mod for a newer Go", "-- go.mod --\nmodule example.com/m\ngo 1.999\n-- p.go --\npackage p\n", "", `go.mod requires go >= 1.999 .*`},
		{"excluded by build tags", "-- p.go --\n//go:build never\n\npackage p\n", ".", `example.com/m: build constraints exclude all Go files in .*`},
		{"two packages in a directory", "-- a.go --\npackage a\n-- b.go --\npackage b\n", "", `example.com/m: found packages a \(a.go\) and b \(b.go\) in .*`},
		{"missing import", "-- p.go --\npackage p\n\nimport _ \"example.org/x\"\n", "", `example.com/m: p.go:3:10: .*no required module provides package example.org/x; to add it: go get example.org/x.*`},
		{"missing import of the module", "-- p.go --\npackage p\n\nimport _ \"example.com/m/x\"\n", "", `example.com/m: p.go:3:10: .*example.com/m/x.*`},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			dir := tree(t, test.archive)
			for _, deps := range []string{"-deps=export", "-deps=source"} {
				operatorvet(t, dir, append([]string{deps}, strings.Fields(test.args)...)...).wantLine(t, 1, test.line)
			}
		})
	}
}

// workspaceOf returns a workspace of modules with a package each.
func workspaceOf(modules ...string) string {
	text := "-- go.work --\ngo 1.25.0\n"
	for _, m := range modules {
		text += "use ./" + m + "\n"
	}
	for _, m := range modules {
		text += "-- " + m + "/go.mod --\nmodule example.com/" + m + "\n\ngo 1.25.0\n-- " + m + "/p.go --\npackage p\n\n" + bad + "\n"
	}
	return text
}

// TestPatternsOfWorkspace: the patterns that an error names work.
func TestPatternsOfWorkspace(t *testing.T) {
	t.Parallel()
	dir := tree(t, workspaceOf("a", "b"))
	for _, args := range [][]string{{"work"}, {"./a/...", "./b/..."}} {
		operatorvet(t, dir, args...).want(t, 3, "a/p.go:3 b/p.go:3")
	}
}

func TestNoModule(t *testing.T) {
	t.Parallel()
	dir := tree(t, "-- p.go --\npackage p\n")
	if err := os.Remove(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	operatorvet(t, dir).wantLine(t, 1, `no go.mod in .* or above it`)
	// The go command can do this much without a module.
	operatorvet(t, dir, "p.go").want(t, 0, "")
}

func TestNoGoCommand(t *testing.T) {
	t.Parallel()
	cmd := command(tree(t, "-- p.go --\npackage p\n"), binary(t))
	cmd.Env = []string{"PATH=" + t.TempDir()}
	execute(t, cmd).wantLine(t, 1, `go command required, not found: .*`)
}

// A package that does not type-check is named, the others are analysed.
func TestBrokenPackages(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- fine/p.go --
package fine

`+bad+`
-- syntax/p.go --
package syntax

func {
`+bad+`
-- types/p.go --
package types

`+bad+`
var X undefined
var Y int = "and a second error"
-- above/p.go --
package above

import "example.com/m/types"

`+bad+`
var X = types.X
-- body/p.go --
package body

`+bad+`
func F() { undefined() }
-- abovebody/p.go --
package abovebody

import "example.com/m/body"

`+bad+`
var X = body.F
`)
	for _, deps := range []string{"-deps=export", "-deps=source"} {
		res := operatorvet(t, dir, deps)
		// What a package declares can be relied on if only a function's body is
		// wrong.
		res.want(t, 1, "abovebody/p.go:5 fine/p.go:3")
		const want = `operatorvet: example.com/m/above: imports example.com/m/types, which does not type-check
operatorvet: example.com/m/body: body/p.go:4:12: undefined: undefined
operatorvet: example.com/m/syntax: syntax/p.go:3:6: expected 'IDENT', found '{'
operatorvet: example.com/m/types: types/p.go:4:7: undefined: undefined
`
		if got := filepath.ToSlash(res.stderr); got != want {
			t.Errorf("%s: standard error is\n%s", deps, got)
		}
	}
}

func TestBrokenTestFile(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- p.go --
package p

`+bad+`
-- p_test.go --
package p

var X undefined
`)
	operatorvet(t, dir).wantLine(t, 1, `example.com/m: p_test.go:3:7: undefined: undefined`)
	operatorvet(t, dir, "-test=false").want(t, 3, "p.go:3")
}

func TestEmptyPackage(t *testing.T) {
	t.Parallel()
	dir := tree(t, "-- p.go --\npackage p\n")
	operatorvet(t, dir).want(t, 0, "")
}

// Without its test files, a package of nothing but tests is empty. That is no
// failure.
func TestPackageOfTestsOnly(t *testing.T) {
	t.Parallel()
	dir := tree(t, "-- p_test.go --\npackage p\n\n"+bad+"\n")
	operatorvet(t, dir).want(t, 3, "p_test.go:3")
	operatorvet(t, dir, "-test=false").want(t, 0, "")
}

func TestCgo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	dir := tree(t, `
-- p.go --
package p

// static int f() { return 1; }
import "C"

`+bad+`
func F() int { return int(C.f()) }
-- q.go --
package p

`+bad+`
var X = F()
-- p_test.go --
package p

`+bad+`
var Y = F()
`)
	for _, deps := range []string{"-deps=export", "-deps=source"} {
		operatorvet(t, dir, deps).want(t, 3, "p.go:6 p_test.go:3 q.go:3")
	}
}

func TestCgoWithoutCompiler(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- cgo/p.go --
package cgo

import "C"
-- fine/p.go --
package fine

`+bad+`
`)
	cmd := command(dir, binary(t), "-deps=source")
	cmd.Env = append(cmd.Env, "CGO_ENABLED=1", "CC=no-such-compiler")
	res := execute(t, cmd)
	res.want(t, 1, "fine/p.go:3")
	res.wantLine(t, 1, `example.com/m/cgo: .*no-such-compiler.*`)
}

func TestUnreadableDirectory(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- fine/p.go --
package fine

`+bad+`
-- closed/p.go --
package closed
`)
	closed := filepath.Join(dir, "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	cmd := command(dir, binary(t), "./...")
	if os.Getuid() == 0 {
		runAsNobody(t, cmd, dir)
	}
	execute(t, cmd).wantLine(t, 1, `.*closed: permission denied`)
}

// runAsNobody runs the command without root's right to read every file.
func runAsNobody(t *testing.T, cmd *exec.Cmd, dir string) {
	t.Helper()
	const nobody = 65534
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	cache := t.TempDir()
	if err := os.Chown(cache, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Env, "HOME="+cache, "GOCACHE="+cache, "GOMODCACHE="+cache)
	for d := range parents(dir, cache) {
		if os.Chmod(d, 0o755) != nil {
			t.Skipf("cannot open %s for others", d)
		}
	}
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(goroot(t), home) {
		t.Skip("the go command is in the home of a user that others cannot enter")
	}
}

// parents yields the temporary directories above each of dirs.
func parents(dirs ...string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, dir := range dirs {
			for d := dir; d != filepath.Clean(os.TempDir()) && d != filepath.Dir(d); d = filepath.Dir(d) {
				if !yield(d) {
					return
				}
			}
		}
	}
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
