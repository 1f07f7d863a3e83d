package output_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/output"
)

type climateIssue struct {
	Description, Fingerprint, Severity string
	CheckName                          string `json:"check_name"`
	Location                           struct {
		Path  string
		Lines struct{ Begin, End int }
	}
}

func codeClimate(t *testing.T, rep *driver.Report, dir string) (issues []climateIssue) {
	t.Helper()
	var out bytes.Buffer
	if err := output.CodeClimate(&out, rep, dir); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(&out)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&issues); err != nil {
		t.Fatal(err)
	}
	return issues
}

func TestCodeClimate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rep := oneFinding(t, dir, "bad bad", "bad")
	rep.Findings = append(rep.Findings, rep.Findings[0]) // the same again
	issues := codeClimate(t, rep, dir)
	if len(issues) != 2 {
		t.Fatalf("got %+v", issues)
	}
	got := issues[0]
	if got.Description != `bad: it is <bad> & "ugly"` || got.CheckName != "bad" || got.Severity != "major" ||
		got.Location.Path != "pkg/a b.go" || got.Location.Lines.Begin != 2 || got.Location.Lines.End != 2 {
		t.Errorf("got %+v", got)
	}
	// GitLab shows one issue of each fingerprint.
	if got.Fingerprint == "" || got.Fingerprint == issues[1].Fingerprint {
		t.Errorf("fingerprints %q and %q", got.Fingerprint, issues[1].Fingerprint)
	}
	rep.Findings[0].Pos.Line = 20
	if moved := codeClimate(t, rep, dir)[0]; moved.Fingerprint != got.Fingerprint {
		t.Errorf("moving changes the fingerprint from %s to %s", got.Fingerprint, moved.Fingerprint)
	}
}

func TestPathsStartAtTheRepository(t *testing.T) {
	t.Parallel()
	repo := t.TempDir()
	if err := os.Mkdir(filepath.Join(repo, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(repo, "operators", "one")
	rep := oneFinding(t, module, "bad", "bad")
	if got := codeClimate(t, rep, module)[0].Location.Path; got != "operators/one/pkg/a b.go" {
		t.Errorf("code quality report: %s", got)
	}
	var sarif bytes.Buffer
	if err := output.SARIF(&sarif, rep, rules, module, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"uri": "operators/one/pkg/a%20b.go"`, `"uri": "file://` + filepath.ToSlash(repo) + `/"`} {
		if !bytes.Contains(sarif.Bytes(), []byte(want)) {
			t.Errorf("no %s in\n%s", want, sarif.String())
		}
	}
}

func TestCodeClimateOfNothingIsAnEmptyList(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := output.CodeClimate(&out, new(driver.Report), t.TempDir()); err != nil || out.String() != "[]\n" {
		t.Errorf("%v, %q", err, out.String())
	}
}
