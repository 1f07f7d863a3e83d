// Newrule writes the first files of a rule: its analyzer, its page, and a fixture
// with a finding. It adds the rule to the lists of the suite, of the options and
// of the README. What it writes passes all tests that do not count fixtures. In
// the root of the module:
//
//	go run ./internal/rules/newrule NAME
//
// docs/adding-a-rule.md tells the next steps.
package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fail(errors.New("usage: go run ./internal/rules/newrule NAME"))
	}
	name := os.Args[1]
	if err := scaffold(".", name); err != nil {
		fail(err)
	}
	// The page in docs/rules.
	if out, err := exec.Command("go", "test", "./analyzers", "-run", "TestDocsAreGenerated", "-update").CombinedOutput(); err != nil {
		fail(fmt.Errorf("the rule is written, but not its page in docs/rules: %v\n%s", err, out))
	}
	fmt.Printf("wrote analyzers/%s and testdata/%[1]s; docs/adding-a-rule.md tells the next steps\n", name)
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "newrule: %v\n", err)
	os.Exit(2)
}

//go:embed template
var templates embed.FS

// files are the templates and the files that are made of them. NAME stands for
// the name of the rule.
var files = map[string]string{
	"doc.txt":     "analyzers/NAME/doc.go",
	"rule.txt":    "analyzers/NAME/NAME.go",
	"fixture.txt": "testdata/NAME/calls/environment/fixture.go",
}

// An entry is a line about the rule in a sorted list of such lines.
type entry struct{ file, line string }

var entries = []entry{
	{"analyzers/analyzers.go", "\t\"github.com/operatorvet/operatorvet/analyzers/NAME\""},
	{"analyzers/analyzers.go", "\t\tNAME.Analyzer,"},
	{"analyzers/directive/directive.go", "\t\"github.com/operatorvet/operatorvet/analyzers/NAME\""},
	{"analyzers/directive/directive.go", "\tNAME.Analyzer,"},
	{"internal/rules/config/options.go", "\t\"NAME\","},
	{"README.md", "| [NAME](docs/rules/NAME.md) | calls of os.Clearenv |"},
}

// scaffold writes the rule to the module in dir. It writes nothing if a new rule
// cannot have the name.
func scaffold(dir, name string) error {
	if err := check(dir, name); err != nil {
		return err
	}
	contents := make(map[string][]byte)
	for template, file := range files {
		text, err := templates.ReadFile(path.Join("template", template))
		if err != nil {
			return err
		}
		contents[named(file, name)] = []byte(named(string(text), name))
	}
	for _, e := range entries {
		text, ok := contents[e.file]
		if !ok {
			var err error
			if text, err = os.ReadFile(filepath.Join(dir, e.file)); err != nil {
				return err
			}
		}
		var err error
		if contents[e.file], err = insert(text, e, name); err != nil {
			return err
		}
	}
	for file, text := range contents {
		file = filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func named(text, name string) string { return strings.ReplaceAll(text, "NAME", name) }

var syntax = regexp.MustCompile(`^[a-z]+$`)

// check reports why the name cannot be that of a new rule. It becomes the name of
// a package, of its folder, and of the folder of its fixtures.
func check(dir, name string) error {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !bytes.HasPrefix(mod, []byte("module github.com/operatorvet/operatorvet\n")) {
		return errors.New("not in the root of the module github.com/operatorvet/operatorvet")
	}
	switch {
	case !syntax.MatchString(name):
		return fmt.Errorf("%q: want a name of lower-case letters", name)
	case token.IsKeyword(name) || slices.Contains([]string{"internal", "main", "rule", "testdata", "vendor"}, name):
		return fmt.Errorf("%q: that name has a meaning of its own", name)
	}
	for _, folder := range []string{"analyzers", "testdata"} {
		if _, err := os.Stat(filepath.Join(dir, folder, name)); err == nil {
			return fmt.Errorf("%q: there is a folder %s/%[1]s", name, folder)
		}
	}
	return nil
}

// insert adds the line to the first list of lines that differ from it only in
// the name. It keeps the list sorted.
func insert(text []byte, e entry, name string) ([]byte, error) {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(e.line), "NAME", "([a-z]+)")
	if i := strings.Index(pattern, " calls of"); i >= 0 {
		pattern = pattern[:i] + " .*" // the README says what each rule reports
	}
	like := regexp.MustCompile("^" + pattern + "$")
	lines := strings.SplitAfter(string(text), "\n")
	at := -1
	for i, line := range lines {
		m := like.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil && at >= 0 {
			break
		}
		if m != nil && (at < 0 || m[1] < name) {
			at = i
			if m[1] < name {
				at++
			}
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("%s: no list of lines like %q", e.file, strings.TrimSpace(e.line))
	}
	return []byte(strings.Join(slices.Insert(lines, at, named(e.line, name)+"\n"), "")), nil
}
