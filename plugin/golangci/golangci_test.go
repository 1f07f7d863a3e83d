package main_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/operatorvet/operatorvet/internal/testing/golangci"
)

// root is the root of the repository.
const root = "../.."

// TestLinter runs golangci-lint as users do, in each supported version.
func TestLinter(t *testing.T) {
	t.Parallel()
	for _, version := range golangci.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			executable, err := golangci.Build(root, version, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			lint := &tool{version, executable, t.TempDir()}
			for name, test := range map[string]func(*testing.T, *tool){
				"build":       testBuild,
				"messages":    testMessages,
				"rules":       testRules,
				"settings":    testSettings,
				"suppression": testSuppression,
				"facts":       testFacts,
				"causes":      testCauses,
				"fix":         testFix,
				"company":     testCompany,
			} {
				t.Run(name, func(t *testing.T) { test(t, lint) })
			}
		})
	}
}

// poll has a finding of ctxloop in line 9, and one of directive in line 14.
const poll = `
-- p.go --
package p

import (
	"context"
	"time"
)

func Poll(ctx context.Context, ready func() bool) {
	for !ready() {
		time.Sleep(time.Minute)
	}
}

//operatorvet:ignore
`

func testMessages(t *testing.T, tool *tool) {
	res := newProject(t, tool, poll, "").lint("p.go:9 ctxloop", "p.go:14 directive")
	for _, issue := range res.Issues {
		rule, message, _ := strings.Cut(issue.Text, ": ")
		if issue.FromLinter != "operatorvet" || message == "" || strings.Contains(message, rule+":") {
			t.Errorf("%s: %s", issue.FromLinter, issue.Text)
		}
	}
}

// testBuild changes the executable where that does no harm. A build must not
// show issues that another build has cached.
func testBuild(t *testing.T, tool *tool) {
	version := func(executable string) string {
		out, err := exec.Command(executable, "version", "--short").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	code, err := os.ReadFile(tool.executable)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, append(code, '\n'), 0o777); err != nil {
		t.Fatal(err)
	}
	v1, v2 := version(tool.executable), version(other)
	prefix := strings.TrimPrefix(tool.version, "v") + "+operatorvet."
	if v1 == v2 || !strings.HasPrefix(v1, prefix) || !strings.HasPrefix(v2, prefix) {
		t.Errorf("two builds have versions %s and %s", v1, v2)
	}
}

func testRules(t *testing.T, tool *tool) {
	p := newProject(t, tool, poll, "rules: {ctxloop: false}")
	p.lint("p.go:14 directive")
	// The issues of other settings are not those of these.
	p.configure("rules: {ctxloop: true}")
	p.lint("p.go:9 ctxloop", "p.go:14 directive")
	// Nor are those under other files.
	p.write(".operatorvet.yaml", "rules: {directive: false}")
	p.lint("p.go:9 ctxloop")
}

func testSettings(t *testing.T, tool *tool) {
	for settings, want := range map[string]string{
		"rules: {ctxlop: false}":   "rules.ctxlop: unknown rule; there are ",
		"rules: {ctxloop: maybe}":  "rules.ctxloop: want true or false, not ",
		"rules: [ctxloop]":         "rules: want keys with values, not ",
		"rule: {ctxloop: false}":   "rule: unknown option; ",
		"ctxloop: {max-wait: [1]}": "ctxloop.max-wait: want a value, not a list",
	} {
		p := newProject(t, tool, poll, settings)
		res := p.run()
		// golangci-lint says it twice.
		line, _, _ := strings.Cut(res.Stderr, "\n")
		if want = "linters.settings.custom.operatorvet.settings." + want; res.Code != 3 || !strings.Contains(line, want) {
			t.Errorf("%s: exit code %d, want 3 and %q in\n%s", settings, res.Code, want, res.Stderr)
		}
	}
}

func testSuppression(t *testing.T, tool *tool) {
	const file = `
-- NAME.go --
package p

import (
	"context"
	"time"
)

func NAME(ctx context.Context, ready func() bool) {
	COMMENT
	for !ready() {
		time.Sleep(time.Minute)
	}
}
`
	files := ""
	for name, comment := range map[string]string{
		"plain":     "",
		"nolint":    "//nolint:operatorvet // short enough here",
		"other":     "//nolint:govet // not ours",
		"directive": "//operatorvet:ignore ctxloop short enough here",
		"both":      "//operatorvet:ignore ctxloop short enough here\n//nolint:operatorvet // too",
		"useless":   "//operatorvet:ignore missingwatch there is none",
	} {
		files += strings.NewReplacer("NAME", name, "COMMENT", comment).Replace(file)
	}
	p := newProject(t, tool, files, "")
	p.lint("plain.go:10 ctxloop", "other.go:10 ctxloop", "useless.go:9 directive", "useless.go:10 ctxloop")
	// A directive for a rule that is off is not useless.
	p.configure("rules: {ctxloop: false}")
	p.lint("useless.go:9 directive")
}

// testFacts has packages of which one waits, and the next one passes that fact
// on to the package with the context.
func testFacts(t *testing.T, tool *tool) {
	p := newProject(t, tool, `
-- p.go --
package p

import (
	"context"

	"example.com/m/steps"
)

func Empty(ctx context.Context, node string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return steps.ScaleIn(node)
}
-- steps/steps.go --
package steps

import "example.com/m/drain"

func ScaleIn(node string) error { return drain.Empty(node) }
-- drain/drain.go --
package drain

import "time"

func Empty(node string) error {
	for Shards(node) > 0 {
		time.Sleep(time.Minute)
	}
	return nil
}

var Shards func(node string) int
`, "")
	const found = "p.go:13 ctxloop"
	p.lint(found)
	p.lint(found) // from the cache

	// Now facts come from the cache, of one package or two.
	p.edit("p.go", "package p", "package p // changed")
	p.lint(found)
	p.edit("steps/steps.go", "package steps", "package steps // changed")
	p.lint(found)

	// And now they are others.
	p.edit("drain/drain.go", "time.Minute", "time.Nanosecond")
	p.edit("drain/drain.go", "for Shards(node) > 0", "for range 3")
	p.lint()
}

// testCauses has a loop that a package calls twice. One of its calls can be silenced.
func testCauses(t *testing.T, tool *tool) {
	p := newProject(t, tool, `
-- p.go --
package p

import (
	"context"

	"example.com/m/drain"
)

func First(ctx context.Context, node string) error {
	return drain.Empty(node)
}

func Second(ctx context.Context, node string) error {
	return drain.Empty(node)
}
-- drain/drain.go --
package drain

import "time"

func Empty(node string) error {
	for Shards(node) > 0 {
		time.Sleep(time.Minute)
	}
	return nil
}

var Shards func(node string) int
`, "")
	res := p.lint("p.go:10 ctxloop")
	if text := res.Issues[0].Text; !strings.HasSuffix(text, "; and 1 more call: p.go:14") {
		t.Error(text)
	}
	p.edit("p.go", "\treturn", "\t//operatorvet:ignore ctxloop few shards\n\treturn")
	res = p.lint("p.go:15 ctxloop")
	if text := res.Issues[0].Text; strings.Contains(text, "more") {
		t.Error(text)
	}
}

func testFix(t *testing.T, tool *tool) {
	p := newProject(t, tool, `
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
`, "")
	p.lint("p.go:9 ctxloop")
	// The fix is in the cache, too.
	if res := p.run("--fix"); res.Code != 0 {
		t.Errorf("exit code %d, issues %v\n%s", res.Code, res.Issues, res.Stderr)
	}
	fixed, err := os.ReadFile(filepath.Join(p.dir, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(fixed), "<-ctx.Done()") {
		t.Errorf("the fix makes\n%s", fixed)
	}
	p.lint()
}

// testCompany runs operatorvet beside all other linters: golangci-lint has one
// table for the types of all their facts.
func testCompany(t *testing.T, tool *tool) {
	p := newProject(t, tool, poll, "")
	p.edit(".golangci.yml", "default: none", "default: all")
	res := p.run()
	if !slices.ContainsFunc(res.Issues, func(i golangci.Issue) bool { return i.FromLinter == "operatorvet" }) || res.Code != 1 {
		t.Errorf("exit code %d, %d issues\n%s", res.Code, len(res.Issues), res.Stderr)
	}
}

// tool is a golangci-lint with a cache that the tests share. Filling it for the
// standard library takes seconds.
type tool struct{ version, executable, cache string }

// project is a module.
type project struct {
	t    *testing.T
	tool *tool
	dir  string
}

// newProject writes the files of a txtar archive, and a .golangci.yml with the
// settings.
func newProject(t *testing.T, tool *tool, files, settings string) *project {
	t.Helper()
	p := &project{t, tool, t.TempDir()}
	for _, f := range txtar.Parse([]byte(files)).Files {
		p.write(f.Name, string(f.Data))
	}
	p.write("go.mod", "module example.com/m\n\ngo 1.25.0\n")
	p.configure(settings)
	return p
}

func (p *project) configure(settings string) {
	p.t.Helper()
	p.write(".golangci.yml", fmt.Sprintf(`version: "2"
linters:
  default: none
  enable: [operatorvet]
  settings:
    custom:
      operatorvet:
        type: module
        settings: {%s}
`, settings))
}

func (p *project) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) edit(name, from, to string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	if err != nil {
		p.t.Fatal(err)
	}
	if !strings.Contains(string(text), from) {
		p.t.Fatalf("%s does not contain %q", name, from)
	}
	p.write(name, strings.Replace(string(text), from, to, 1))
}

func (p *project) run(args ...string) *golangci.Result {
	p.t.Helper()
	res, err := golangci.Run(p.tool.executable, p.dir, p.tool.cache, args...)
	if err != nil {
		p.t.Fatal(err)
	}
	return res
}

// lint runs the linters and compares the issues, each as "file:line rule".
func (p *project) lint(want ...string) *golangci.Result {
	p.t.Helper()
	res := p.run()
	var got []string
	for _, issue := range res.Issues {
		rule, _, _ := strings.Cut(issue.Text, ":")
		got = append(got, fmt.Sprintf("%s:%d %s", filepath.ToSlash(issue.Pos.Filename), issue.Pos.Line, rule))
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if code := cmp.Compare(len(want), 0); res.Code != code || !slices.Equal(got, want) {
		p.t.Errorf("exit code %d, issues %q; want %d, %q\n%s", res.Code, got, code, want, res.Stderr)
	}
	return res
}
