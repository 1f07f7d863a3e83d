package main_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	t.Parallel()
	res := operatorvet(t, tree(t, mixed))
	res.want(t, 3, "p.go:9 p.go:14")
	lines := strings.Split(res.stdout, "\n")
	if len(lines) != 8 || lines[6] != "2 findings in 1 file: ctxloop 1, directive 1; operatorvet help RULE explains a rule" || !strings.HasPrefix(lines[0], "p.go:9:2: ctxloop: ") ||
		lines[1] != "\tfor !ready() {" || !strings.HasPrefix(lines[2], "\t^~~") {
		t.Errorf("got\n%s", res.stdout)
	}
	// No colour and no progress where there is no terminal.
	if strings.Contains(res.stdout+res.stderr, "\x1b") || res.stderr != "" {
		t.Errorf("stdout %q\nstderr %q", res.stdout, res.stderr)
	}
}

func TestOutputDoesNotVary(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed+`
-- a/a.go --
package a

import _ "example.com/m"

`+bad+`
-- b/b.go --
package b

import _ "example.com/m"

`+bad+`
-- b/b_test.go --
package b

`+bad+`
-- c/broken.go --
package c

var X undefined
`)
	for _, format := range []string{"-json=false", "-json", "-sarif", "-codeclimate"} {
		first := operatorvet(t, dir, format)
		for _, deps := range []string{"-deps=export", "-deps=source", "-deps=export"} {
			if again := operatorvet(t, dir, format, deps); again != first {
				t.Errorf("%s %s:\n%+v\nthen\n%+v", format, deps, first, again)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed)
	res := operatorvet(t, dir, "-json")
	if res.code != 3 {
		t.Errorf("exit code %d", res.code)
	}
	var found map[string]map[string][]struct{ Category, Posn, End, Message string }
	if err := json.Unmarshal([]byte(res.stdout), &found); err != nil {
		t.Fatalf("%v in\n%s", err, res.stdout)
	}
	rules := found["example.com/m"]
	if len(found) != 1 || len(rules) != 2 || len(rules["ctxloop"]) != 1 || len(rules["directive"]) != 1 {
		t.Fatalf("got\n%s", res.stdout)
	}
	d := rules["directive"][0]
	if file := filepath.Join(dir, "p.go"); d.Category != "directive" || d.Posn != file+":14:1" || d.End != file+":14:21" || d.Message == "" {
		t.Errorf("got %+v", d)
	}

	none := operatorvet(t, dir, "-json", "-rules=missingwatch")
	if none.code != 0 || none.stdout != "{}\n" {
		t.Errorf("without findings: exit code %d, %q", none.code, none.stdout)
	}
}

// TestSARIF checks what the schema of SARIF 2.1.0 requires of the objects in the
// output, and what consumers need beyond it.
func TestSARIF(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed+"-- broken/p.go --\npackage broken\n\nvar X undefined\n")
	res := operatorvet(t, dir, "-sarif")
	if res.code != 1 {
		t.Errorf("exit code %d", res.code)
	}
	type text struct{ Text string }
	type location struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
		}
		Message text
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID                     string
						ShortDescription, Help text
						HelpURI                string
					}
				}
			}
			Invocations []struct {
				ExecutionSuccessful        *bool
				ToolExecutionNotifications []struct{ Message text }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Message   text
				Locations []location
				CodeFlows []struct {
					ThreadFlows []struct {
						Locations []struct{ Location *location }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(res.stdout), &log); err != nil {
		t.Fatalf("%v in\n%s", err, res.stdout)
	}
	if log.Version != "2.1.0" || !strings.Contains(log.Schema, "sarif") || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	run := log.Runs[0]
	rules := run.Tool.Driver.Rules
	if run.Tool.Driver.Name != "operatorvet" || len(rules) < 4 {
		t.Fatalf("driver %+v", run.Tool.Driver)
	}
	for _, rule := range rules {
		if rule.ID == "" || rule.ShortDescription.Text == "" || rule.Help.Text == "" || !strings.HasPrefix(rule.HelpURI, "https://") {
			t.Errorf("rule %+v", rule)
		}
	}
	inv := run.Invocations[0]
	if inv.ExecutionSuccessful == nil || *inv.ExecutionSuccessful || len(inv.ToolExecutionNotifications) != 1 ||
		inv.ToolExecutionNotifications[0].Message.Text != "example.com/m/broken: broken/p.go:3:7: undefined: undefined" {
		t.Errorf("invocation %+v", inv)
	}
	if len(run.Results) != 2 {
		t.Fatalf("%d results", len(run.Results))
	}
	for i, line := range []int{9, 14} {
		r := run.Results[i]
		where := r.Locations[0].PhysicalLocation
		if r.RuleID != rules[r.RuleIndex].ID || r.Message.Text == "" || len(r.Locations) != 1 ||
			where.ArtifactLocation.URI != "p.go" || where.ArtifactLocation.URIBaseID != "%SRCROOT%" ||
			where.Region.StartLine != line || where.Region.StartColumn < 1 || where.Region.EndLine < line {
			t.Errorf("result %+v", r)
		}
	}
	flows := run.Results[0].CodeFlows
	if len(flows) != 1 || len(flows[0].ThreadFlows) != 1 || len(flows[0].ThreadFlows[0].Locations) != 2 {
		t.Fatalf("code flows %+v", flows)
	}
	for i, line := range []int{9, 10} {
		step := flows[0].ThreadFlows[0].Locations[i].Location
		if step == nil || step.Message.Text == "" || step.PhysicalLocation.ArtifactLocation.URI != "p.go" || step.PhysicalLocation.Region.StartLine != line {
			t.Errorf("step %+v", step)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, arg := range []string{"-h", "-help", "help"} {
		res := operatorvet(t, dir, arg)
		if res.code != 0 || res.stderr != "" {
			t.Errorf("%s: exit code %d, %s", arg, res.code, res.stderr)
		}
		for _, want := range []string{"ctxloop ", "missingwatch ", "-sarif", "-codeclimate", "-deps", "Exit codes", "//operatorvet:ignore", "go vet -vettool"} {
			if !strings.Contains(res.stdout, want) {
				t.Errorf("%s does not say %q", arg, want)
			}
		}
	}
	res := operatorvet(t, dir, "help", "directive")
	if res.code != 0 || !strings.HasPrefix(res.stdout, "directive: ") || !strings.Contains(res.stdout, "It is silent") || !strings.Contains(res.stdout, "docs/rules/directive.md") {
		t.Errorf("exit code %d\n%s", res.code, res.stdout)
	}
	if res := operatorvet(t, dir, "-version"); res.code != 0 || !versionOutput.MatchString(res.stdout) {
		t.Errorf("-version: exit code %d, %q", res.code, res.stdout)
	}
}

// versionOutput matches what -version prints.
var versionOutput = regexp.MustCompile(`^operatorvet \S+ built with go1\.\S+
golang\.org/x/tools v\S+
rules: blindpredicate, ctxloop, deadcleanup, directive, missingwatch, unstablewrite
$`)

// With a part of the dependencies compiled, findings are the same as with all or none.
func TestPartlyCompiled(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- go.mod --
module example.com/m

go 1.25.0

require example.com/deps v0.0.0

replace example.com/deps => ./deps
-- p.go --
package p

import (
	"context"
	"time"

	"example.com/deps/high"
	"example.com/deps/low"
)

func wait(ctx context.Context, c *low.Clock) {
	for !high.Done(c) {
		time.Sleep(time.Minute)
	}
}
-- deps/go.mod --
module example.com/deps

go 1.25.0
-- deps/low/low.go --
package low

type Clock struct{ Now int }
-- deps/high/high.go --
package high

import (
	"time"

	"example.com/deps/low"
)

func Done(c *low.Clock) bool { return time.Now().Unix() > int64(c.Now) }
`)
	want := operatorvet(t, dir, "-deps=export")
	if want.code != 3 {
		t.Fatalf("%+v", want)
	}
	partly := []string{"GOCACHE=" + t.TempDir()}
	list := command(dir, "go", "list", "-export", "example.com/deps/low", "unicode/utf8")
	list.Env = append(list.Env, partly...)
	if res := execute(t, list); res.code != 0 {
		t.Fatalf("%+v", res)
	}
	for _, deps := range []string{"-deps=auto", "-deps=source"} {
		cmd := command(dir, binary(t), deps)
		cmd.Env = append(cmd.Env, partly...)
		if got := execute(t, cmd); got != want {
			t.Errorf("%s: %+v, want %+v", deps, got, want)
		}
	}
}
