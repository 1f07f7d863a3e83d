package analyzers_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
	"github.com/operatorvet/operatorvet/internal/testing/golangci"
)

// TestDriversAgree holds all drivers to the same findings on all fixtures: the
// go/analysis checker in this process; the command; go vet with the command as
// its tool, which sees one package at a time and facts only in their encoded
// form; golangci-lint, which stores and reloads facts; gopls, as an editor hears it.
// The command also finds what the wiring of the module shows, and nothing else.
// golangci-lint reports a cause once. The command and go vet tell their fixes, too,
// which are the same.
//
// Small programs stand for all fixtures where these take minutes: with go vet that
// reports a cause once, in the tests of the command, and with an older golangci-lint,
// in those of the plugin.
func TestDriversAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("builds golangci-lint and gopls, which look at all dependencies")
	}
	t.Parallel()
	c := corpus(t)
	want, err := c.Findings(analyzeGraph(t))
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "operatorvet")
	run(t, root, "go", "build", "-o", binary, "./cmd/operatorvet")

	t.Run("command", func(t *testing.T) {
		alone := run(t, testdata, binary, "-json", "./...")
		sameOutput(t, c, alone, want, inTheModule(t, c, alone)...)
		if again := run(t, testdata, binary, "-json", "./..."); !bytes.Equal(alone, again) {
			t.Error("the output differs from run to run")
		}
	})
	t.Run("go vet", func(t *testing.T) {
		vet := run(t, testdata, "go", "vet", "-each", "-json", "-vettool="+binary, "./...")
		sameOutput(t, c, vet, want)
		// Now nothing runs; the go command shows what it has stored.
		cached := run(t, testdata, "go", "vet", "-each", "-json", "-vettool="+binary, "./...")
		sameOutput(t, c, cached, want)
	})
	once, err := c.Analyze(rule.With(new(config.Overrides), rule.Mode{Once: true}, analyzers.All()))
	if err != nil {
		t.Fatal(err)
	}
	if len(once) >= len(want) {
		t.Errorf("%d causes of %d findings", len(once), len(want))
	}
	t.Run("golangci-lint", func(t *testing.T) { golangciAgrees(t, c, once) })
	t.Run("gopls", func(t *testing.T) { goplsAgrees(t, c, want) })
}

// inTheModule returns the findings that only a driver is expected to have that
// sees the whole module. Others in its output are compared elsewhere.
func inTheModule(t *testing.T, c *fixture.Corpus, out []byte) []fixture.Finding {
	t.Helper()
	wants, err := c.Wants(c.Packages)
	if err != nil {
		t.Fatal(err)
	}
	findings, _ := decode(t, c, out)
	var found []fixture.Finding
	for _, w := range wants {
		if !w.Module {
			continue
		}
		i := slices.IndexFunc(findings, func(f fixture.Finding) bool {
			return f.File == w.File && f.Line == w.Line && w.Re.MatchString(f.Rule+": "+f.Message)
		})
		if i < 0 {
			t.Errorf("%s: not found in the module", w)
			continue
		}
		found = append(found, findings[i])
	}
	return found
}

// golangciConfig makes golangci-lint report all issues.
const golangciConfig = `version: "2"
linters:
  default: none
  enable: [operatorvet]
  settings:
    custom:
      operatorvet:
        type: module
issues:
  max-issues-per-linter: 0
  max-same-issues: 0
  uniq-by-line: false
`

func golangciAgrees(t *testing.T, c *fixture.Corpus, want []fixture.Finding) {
	executable, err := golangci.Build(root, golangci.Latest, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "golangci.yml")
	if err := os.WriteFile(config, []byte(golangciConfig), 0o666); err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	for _, state := range []string{"cold", "warm"} {
		res, err := golangci.Run(executable, c.Dir, cache, "--config="+config, "--path-mode=abs", "./...")
		if err != nil {
			t.Fatal(err)
		}
		if res.Code != 1 {
			t.Errorf("%s: exit code %d, %s", state, res.Code, res.Stderr)
		}
		var got []fixture.Finding
		for _, issue := range res.Issues {
			rule, message, _ := strings.Cut(issue.Text, ": ")
			got = append(got, fixture.Finding{
				File: c.Rel(issue.Pos.Filename), Line: issue.Pos.Line, Col: issue.Pos.Column,
				Rule: rule, Message: message,
			})
		}
		slices.SortFunc(got, fixture.CompareFindings)
		t.Log(state)
		sameFindings(t, got, want)
	}
}

func goplsAgrees(t *testing.T, c *fixture.Corpus, want []fixture.Finding) {
	executable := filepath.Join(t.TempDir(), "gopls")
	run(t, root, "go", "run", "./plugin/gopls", "-o", executable)
	server := exec.Command(executable)
	server.Env = append(os.Environ(), "GOPLSCACHE="+t.TempDir())
	got, err := c.Gopls(server, analyzers.All(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sameFindings(t, got, want)
	if t.Failed() {
		return
	}
	for i := range got { // the others do not say where a finding ends
		if got[i] != want[i] {
			t.Errorf("%s: ends at %d:%d, not %d:%d", got[i], got[i].EndLine, got[i].EndCol, want[i].EndLine, want[i].EndCol)
		}
	}
}

// run returns what the command prints on standard output and standard error. An
// exit code that means findings is no error.
func run(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "OPERATORVET_CACHE=off")
	return combinedOutput(t, cmd)
}

func combinedOutput(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 3) {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return out
}

// TestCacheAgrees checks that the command prints the same with and without a
// cache while a copy of the fixtures changes: packages with many importers,
// packages with few, and tests.
func TestCacheAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses all fixtures many times")
	}
	t.Parallel()
	dir, cache := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(testdata)); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "operatorvet")
	run(t, root, "go", "build", "-o", binary, "./cmd/operatorvet")
	step := func(what string) {
		t.Helper()
		want := run(t, dir, binary, "-json", "./...")
		for range 2 {
			cmd := exec.Command(binary, "-json", "./...")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "OPERATORVET_CACHE="+cache)
			if got := combinedOutput(t, cmd); !bytes.Equal(got, want) {
				t.Errorf("%s: with the cache\n%s\nwithout\n%s", what, got, want)
			}
		}
	}
	step("first run")

	// Every sixth file gets longer, so that what is found there, and what is said
	// of it in other packages, is elsewhere. Importers see the facts of packages
	// that were analysed again and of such that were not.
	var files []string
	filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".go" {
			files = append(files, name)
		}
		return err
	})
	for i := 0; i < len(files); i += 6 {
		data, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[i], append([]byte("// One line more.\n\n"), data...), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	step("files changed")

	for i := 3; i < len(files); i += 10 {
		if strings.HasSuffix(files[i], "_test.go") {
			continue
		}
		if err := os.Rename(files[i], filepath.Join(filepath.Dir(files[i]), "renamed.go")); err != nil {
			t.Fatal(err)
		}
	}
	step("files renamed")
}

// decode reads the output of -json: objects with findings by package and rule,
// between lines that begin with # and name packages. It returns the findings and
// the edits that fix them.
func decode(t *testing.T, c *fixture.Corpus, out []byte) ([]fixture.Finding, []string) {
	t.Helper()
	var objects bytes.Buffer
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("#")) {
			objects.Write(line)
		}
	}
	var findings []fixture.Finding
	var edits []string
	for dec := json.NewDecoder(&objects); ; {
		var byPackage map[string]map[string][]struct {
			Posn, Message string
			Fixes         []struct {
				Edits []struct {
					Filename   string
					Start, End int
					New        string
				}
			} `json:"suggested_fixes"`
		}
		if err := dec.Decode(&byPackage); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in:\n%s", err, out)
		}
		for _, byRule := range byPackage {
			for rule, diags := range byRule {
				for _, d := range diags {
					f := fixture.Finding{Rule: rule, Message: strings.TrimPrefix(d.Message, rule+": ")}
					f.File, f.Line, f.Col = position(t, c, d.Posn)
					findings = append(findings, f)
					for _, fix := range d.Fixes {
						for _, e := range fix.Edits {
							edits = append(edits, showEdit(c, rule, e.Filename, e.Start, e.End, e.New))
						}
					}
				}
			}
		}
	}
	slices.SortFunc(findings, fixture.CompareFindings)
	slices.Sort(edits)
	return findings, edits
}

// editsHere returns the edits that the analyzers suggest in this process.
func editsHere(t *testing.T, c *fixture.Corpus) []string {
	t.Helper()
	var edits []string
	for _, f := range fixable(t) {
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				edits = append(edits, showEdit(c, f.Rule, e.Pos.Filename, e.Pos.Offset, e.End.Offset, e.New))
			}
		}
	}
	slices.Sort(edits)
	return edits
}

func showEdit(c *fixture.Corpus, rule, file string, start, end int, text string) string {
	return fmt.Sprintf("%s: %s: %d-%d becomes %q", c.Rel(file), rule, start, end, text)
}

// sameOutput compares the output of -json with the findings and edits wanted. More findings
// are wanted, with their edits, of those that see the whole module.
func sameOutput(t *testing.T, c *fixture.Corpus, out []byte, want []fixture.Finding, inModule ...fixture.Finding) {
	t.Helper()
	findings, edits := decode(t, c, out)
	all := append(slices.Clip(want), inModule...)
	slices.SortFunc(all, fixture.CompareFindings)
	sameFindings(t, findings, all)
	here := editsHere(t, c)
	edits = slices.DeleteFunc(edits, func(edit string) bool {
		return !slices.Contains(here, edit) && slices.ContainsFunc(inModule, func(f fixture.Finding) bool {
			return strings.HasPrefix(edit, f.File+": "+f.Rule+": ")
		})
	})
	t.Logf("%d edits", len(edits))
	for i := range max(len(edits), len(here)) {
		switch {
		case i >= len(edits):
			t.Fatalf("does not suggest %s", here[i])
		case i >= len(here):
			t.Fatalf("nobody else suggests %s", edits[i])
		case edits[i] != here[i]:
			t.Fatalf("suggests %s\nothers %s", edits[i], here[i])
		}
	}
}

// position splits "file:line:col".
func position(t *testing.T, c *fixture.Corpus, posn string) (file string, line, col int) {
	t.Helper()
	i := strings.LastIndexByte(posn[:strings.LastIndexByte(posn, ':')], ':')
	if _, err := fmt.Sscanf(posn[i:], ":%d:%d", &line, &col); err != nil {
		t.Fatalf("%s: %v", posn, err)
	}
	return c.Rel(posn[:i]), line, col
}

func sameFindings(t *testing.T, got, want []fixture.Finding) {
	t.Helper()
	t.Logf("%d findings", len(got))
	for len(got) > 0 || len(want) > 0 {
		order := 0
		switch {
		case len(got) == 0:
			order = 1
		case len(want) == 0:
			order = -1
		default:
			order = cmp.Compare(fixture.CompareFindings(got[0], want[0]), 0)
		}
		switch order {
		case -1:
			t.Errorf("nobody else reports %s", got[0])
			got = got[1:]
		case 1:
			t.Errorf("does not report %s", want[0])
			want = want[1:]
		default:
			got, want = got[1:], want[1:]
		}
	}
}
