// Newrule writes the files of a rule to begin with: its analyzer, its page, a
// fixture with a finding and one without, and the lines by which the suite, the
// options and the README know of it. What it writes passes all tests that do not
// count fixtures. In the root of the module:
//
//	go run ./internal/rules/newrule NAME
//
// docs/adding-a-rule.md says how to go on.
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
	fmt.Printf("wrote analyzers/%s and testdata/%[1]s; docs/adding-a-rule.md says how to go on\n", name)
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "newrule: %v\n", err)
	os.Exit(2)
}

//go:embed template
var templates embed.FS

// files are the templates and where they go, NAME standing for the rule's name.
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

// scaffold writes the rule to the module in dir. It writes nothing if the name
// cannot be that of a new rule.
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

// check reports why the name cannot be that of a new rule: it is the name of a
// package, of folders, and of a fixture group.
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
// the name, where the list's order has it.
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
