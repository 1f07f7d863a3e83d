package analyzers_test

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/run/apply"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// golden is the suffix of a file that holds another file with all fixes applied.
const golden = ".golden"

// fixable returns the findings on the fixtures in the form that the command has.
func fixable(t *testing.T) []driver.Finding {
	t.Helper()
	var findings []driver.Finding
	for _, act := range analyzeGraph(t).Roots {
		for _, d := range act.Diagnostics {
			findings = append(findings, driver.NewFinding(act.Package, act.Analyzer, d))
		}
	}
	slices.SortFunc(findings, driver.CompareFindings)
	return findings
}

// TestFixturesHaveGoldenFiles compares the fixtures, with all fixes applied,
// with their golden files. A fixture has a golden file if and only if a fix is
// offered.
func TestFixturesHaveGoldenFiles(t *testing.T) {
	t.Parallel()
	const hint = " (go test ./analyzers -run TestFixturesHaveGoldenFiles -update)"
	plan, err := apply.New(fixable(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range plan.Left {
		t.Errorf("%s: the fix overlaps with another", f.Pos)
	}
	want := make(map[string][]byte)
	for _, f := range plan.Files {
		want[f.Name+golden] = f.New
	}
	err = filepath.WalkDir(corpus(t).Dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, golden) {
			return err
		}
		rel := corpus(t).Rel(path)
		text, fixed := want[path]
		delete(want, path)
		have, err := os.ReadFile(path)
		switch {
		case err != nil:
			return err
		case !fixed && *update:
			return os.Remove(path)
		case !fixed:
			t.Errorf("%s: no fix is offered%s", rel, hint)
		case !bytes.Equal(have, text) && *update:
			return os.WriteFile(path, text, 0o644)
		case !bytes.Equal(have, text):
			t.Errorf("%s: the fixes make%s\n%s", rel, hint, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range want {
		if !*update {
			t.Errorf("%s is missing; the fixes make%s\n%s", corpus(t).Rel(path), hint, text)
		} else if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEachFixIsFormatted applies every fix alone, as an editor does.
func TestEachFixIsFormatted(t *testing.T) {
	t.Parallel()
	for _, f := range fixable(t) {
		if len(f.Fixes) == 0 {
			continue
		}
		edits := slices.Clone(f.Fixes[0].Edits)
		slices.Reverse(edits)
		text, err := os.ReadFile(f.Pos.Filename)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			if e.Pos.Filename != f.Pos.Filename {
				t.Errorf("%s: fix edits %s", f.Pos, e.Pos.Filename)
			}
			text = slices.Concat(text[:e.Pos.Offset], []byte(e.New), text[e.End.Offset:])
		}
		formatted, err := format.Source(text)
		if err != nil {
			t.Errorf("%s: %v", f.Pos, err)
		} else if !bytes.Equal(text, formatted) {
			t.Errorf("%s: gofmt would change the fix to\n%s", f.Pos, formatted)
		}
	}
}

// TestFixesMend applies all fixes to a copy of the fixtures. The copy still
// compiles and go vet reports nothing. Findings with a fix are gone, and all
// others are still reported, except where the fix of a comment suppresses them.
func TestFixesMend(t *testing.T) {
	t.Parallel()
	c := corpus(t)
	before := fixable(t)
	plan, err := apply.New(before)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "testdata")
	if err := os.CopyFS(dir, os.DirFS(c.Dir)); err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, f := range plan.Files {
		file := filepath.FromSlash(c.Rel(f.Name))
		if err := os.WriteFile(filepath.Join(dir, file), f.New, 0o644); err != nil {
			t.Fatal(err)
		}
		changed = append(changed, "./"+filepath.ToSlash(filepath.Dir(file)))
	}
	fixed, err := fixture.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fixed.Fixtures {
		for _, err := range f.Errors {
			t.Errorf("does not compile after its fix: %s", err)
		}
	}
	graph, err := fixture.Analyze(analyzers.All(), fixed.Packages)
	if err != nil {
		t.Fatal(err)
	}
	// Lines move, and are part of messages.
	left := make(map[string]int)
	suppressed := make(map[string]bool) // files with findings that a comment now suppresses
	key := func(file string, rule *analysis.Analyzer, message string) string {
		return file + ": " + rule.Name + ": " + digits.ReplaceAllString(message, "N")
	}
	for _, act := range analyzeGraph(t).Roots {
		for _, d := range act.Diagnostics {
			file := c.Rel(act.Package.Fset.Position(d.Pos).Filename)
			switch {
			case len(d.SuggestedFixes) == 0:
				left[key(file, act.Analyzer, d.Message)]++
			case strings.HasPrefix(d.SuggestedFixes[0].Message, "Write //operatorvet:"):
				suppressed[file] = true
			}
		}
	}
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			at := act.Package.Fset.Position(d.Pos)
			if len(d.SuggestedFixes) > 0 {
				t.Errorf("%s: a second run offers a fix: %s", at, d.Message)
			}
			k := key(fixed.Rel(at.Filename), act.Analyzer, d.Message)
			if left[k]--; left[k] < 0 {
				t.Errorf("%s: still there, or new, after all fixes: %s", at, d.Message)
			}
		}
	}
	for k, n := range left {
		file, _, _ := strings.Cut(k, ": ")
		if n > 0 && !suppressed[file] {
			t.Errorf("the fixes made a finding without fix go away: %s", k)
		}
	}
	if testing.Short() {
		return
	}
	slices.Sort(changed)
	vet := exec.Command("go", append([]string{"vet"}, slices.Compact(changed)...)...)
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("go vet after the fixes: %v\n%s", err, out)
	}
}

var digits = regexp.MustCompile(`[0-9]+`)
