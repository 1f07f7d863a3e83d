package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

// module copies the parts of the module that know of rules, without the fixtures
// of those that there are.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range []string{"go.mod", "go.sum", "README.md", "analyzers", "internal", "docs", "testdata/go.mod", "testdata/go.sum"} {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(part)), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			to := filepath.Join(dir, rel)
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				return err
			}
			return os.WriteFile(to, text, 0o666)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, problems bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	// With -trimpath, what is compiled does not depend on the folder, and is there the next time.
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	cmd.Stdout, cmd.Stderr = &out, &problems
	err = cmd.Run()
	return out.String(), problems.String(), err
}

// TestNewRule makes a rule and holds it to the tests that a rule has to pass.
func TestNewRule(t *testing.T) {
	t.Parallel()
	dir := module(t)
	if stdout, stderr, err := run(t, dir, "run", "./internal/rules/newrule", "middle"); err != nil || !strings.HasPrefix(stdout, "wrote analyzers/middle and testdata/middle;") {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	if stdout, stderr, err := run(t, dir, "vet", "./analyzers/..."); err != nil {
		t.Errorf("go vet: %v\n%s%s", err, stdout, stderr)
	}
	const suite = "TestSuiteIsValid|TestReadmeListsRules|TestKnowsAllOtherRules"
	const rule = "TestDocsAreGenerated|TestOptionsAreDocumented|TestNoInit|TestRootModuleIsLight|TestAnalyzersAreGuarded|" +
		"TestWantsNameRules|TestFindingsAreWellFormed|TestRuleIsWhereItBelongs|TestFixtures"
	passes(t, dir, "^("+suite+"|"+rule+")$/^middle$",
		"TestFixtures/middle/calls/environment", "TestRuleIsWhereItBelongs/middle", "TestReadmeListsRules", "TestKnowsAllOtherRules")

	// At the beginning and at the end of the lists.
	for _, name := range []string{"aaa", "zzz"} {
		if err := scaffold(dir, name); err != nil {
			t.Fatal(err)
		}
	}
	passes(t, dir, "^("+suite+")$", "TestSuiteIsValid")
	if out, err := exec.Command("gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("gofmt: %v\n%s", err, out)
	}
}

// passes runs tests of the analyzers that match a pattern, among them certain
// ones.
func passes(t *testing.T, dir, pattern string, certain ...string) {
	t.Helper()
	stdout, stderr, err := run(t, dir, "test", "-v", "-run", pattern, "./analyzers", "./analyzers/directive")
	if err != nil {
		t.Errorf("go test: %v\n%s%s", err, stdout, stderr)
	}
	for _, name := range certain {
		if !strings.Contains(stdout, "--- PASS: "+name+" ") {
			t.Errorf("%s has not passed:\n%s", name, stdout)
		}
	}
}

func TestWrongName(t *testing.T) {
	t.Parallel()
	dir := module(t)
	before := list(t, dir)
	for name, want := range map[string]string{
		"":         `"": want a name of lower-case letters`,
		"BadName":  `"BadName": want a name of lower-case letters`,
		"rule2":    `"rule2": want a name of lower-case letters`,
		"my_rule":  `"my_rule": want a name of lower-case letters`,
		"../x":     `"../x": want a name of lower-case letters`,
		"range":    `"range": that name has a meaning of its own`,
		"internal": `"internal": that name has a meaning of its own`,
		"ctxloop":  `"ctxloop": there is a folder analyzers/ctxloop`,
	} {
		if err := scaffold(dir, name); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", name, err, want)
		}
	}
	if err := scaffold(t.TempDir(), "fine"); err == nil || !strings.HasPrefix(err.Error(), "not in the root of the module") {
		t.Errorf("elsewhere: got %v", err)
	}
	// A list that is not there.
	if err := os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := scaffold(dir, "fine"); err == nil || !strings.HasPrefix(err.Error(), "README.md: no list of lines like") {
		t.Errorf("without a table: got %v", err)
	}
	if after := list(t, dir); after != before {
		t.Errorf("files were\n%s\nand are\n%s", before, after)
	}
}

// list returns the names of all files in dir.
func list(t *testing.T, dir string) string {
	t.Helper()
	var names strings.Builder
	err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		names.WriteString(file + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names.String()
}
