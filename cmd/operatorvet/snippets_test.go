package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/operatorvet/operatorvet/internal/rules/config"
)

// TestSnippets reads each configuration in YAML that the README and the pages in docs
// show, as a new file. It knows what the programs demand of such a file, and which keys
// they take. TestPageOnCI looks at those of docs/ci.md.
func TestSnippets(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]int)
	for _, page := range append(pages, filepath.Join(repository, "README.md")) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(page) == "ci.md" {
			continue
		}
		for _, text := range snippets(string(data)) {
			kind, err := checkSnippet(text)
			if err != nil {
				t.Errorf("%s: %v in\n%s", filepath.Base(page), err, text)
			}
			seen[kind]++
		}
	}
	if seen[".golangci.yml"] != 3 || seen[".custom-gcl.yml"] != 2 || seen[".operatorvet.yaml"] != 1 {
		t.Errorf("snippets: %v", seen)
	}
}

// snippet matches a block of code that is fenced as YAML, or indented and begins with a
// key and nothing or a plain value behind it.
var snippet = regexp.MustCompile("(?m)^( *)```yaml\n((?:.*\n)*?) *```$|(?:^\n|\\A)((?:    [a-z-]+:(?: [\"\\w.]+)?\n)(?:(?:    .*)?\n)+)")

// snippets returns the blocks of YAML of a page, without their indentation.
func snippets(page string) []string {
	var all []string
	for _, m := range snippet.FindAllStringSubmatch(page, -1) {
		text, indent := m[2], m[1]
		if text == "" {
			text, indent = m[3], "    "
		}
		all = append(all, strings.ReplaceAll("\n"+text, "\n"+indent, "\n")[1:])
	}
	return all
}

// checkSnippet reads a snippet, and returns the name of the file that it is for.
func checkSnippet(text string) (string, error) {
	var keys map[string]any
	if err := yaml.Unmarshal([]byte(text), &keys); err != nil {
		return "", err
	}
	strictly := func(into any) error {
		dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
		dec.KnownFields(true)
		return dec.Decode(into)
	}
	switch {
	case keys["linters"] != nil:
		return ".golangci.yml", checkGolangci(strictly)
	case keys["plugins"] != nil:
		return ".custom-gcl.yml", checkCustom(strictly)
	}
	_, err := config.FromSettings(keys)
	return ".operatorvet.yaml", err
}

func checkGolangci(decode func(any) error) error {
	var file struct {
		Version string
		Linters struct {
			Enable   []string
			Settings struct {
				Custom map[string]struct {
					Type, Description string
					Settings          any
				}
			}
		}
	}
	if err := decode(&file); err != nil {
		return err
	}
	ours, ok := file.Linters.Settings.Custom["operatorvet"]
	switch {
	case file.Version != "2":
		return fmt.Errorf("version %q, want 2", file.Version)
	case !ok || ours.Type != "module":
		return fmt.Errorf("no linter operatorvet that is a module")
	}
	_, err := config.FromSettings(ours.Settings)
	return err
}

func checkCustom(decode func(any) error) error {
	var file struct {
		Version string
		Plugins []struct{ Module, Import, Version string }
	}
	if err := decode(&file); err != nil {
		return err
	}
	const module = "github.com/operatorvet/operatorvet"
	if !strings.HasPrefix(file.Version, "v2.") || len(file.Plugins) != 1 ||
		file.Plugins[0].Module != module || file.Plugins[0].Import != module+"/plugin" || file.Plugins[0].Version == "" {
		return fmt.Errorf("no version, or not our plugin")
	}
	return nil
}

// TestSnippetsAreFound: a page with the forms of blocks that there are.
func TestSnippetsAreFound(t *testing.T) {
	t.Parallel()
	page := "Text:\n\n    a: 1\n    b:\n      - c\n\n    d: 2\n\n  ```yaml\n  e: 3\n  ```\n\n    operatorvet: Reconcile in x\n\n    go run .\n"
	if got, want := snippets(page), []string{"a: 1\nb:\n  - c\n\nd: 2\n\n", "e: 3\n"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
