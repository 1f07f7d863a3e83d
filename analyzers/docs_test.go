package analyzers_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/doc/comment"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/analyzers/directive"
	"github.com/operatorvet/operatorvet/analyzers/missingwatch"
	"github.com/operatorvet/operatorvet/analyzers/unstablewrite"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/rules/config"
)

var update = flag.Bool("update", false, "write the generated docs")

// TestDocsAreGenerated holds docs/rules/NAME.md, where the URL of a finding
// points, to the rule's doc.go. After a change of doc.go:
//
//	go test ./analyzers -run TestDocsAreGenerated -update
func TestDocsAreGenerated(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(root, "docs", "rules")
	pages := make(map[string]bool)
	for _, rule := range analyzers.All() {
		name := rule.Name + ".md"
		pages[name] = true
		sameFile(t, filepath.Join(dir, name), markdown(rule))
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !pages[e.Name()] {
			t.Errorf("docs/rules/%s is about no rule", e.Name())
		}
	}
}

// TestBoundsAreConstants checks that the bounds that docs/performance.md names are
// constants of the engine's packages.
func TestBoundsAreConstants(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| (\\w+) \\| (`[mM]ax[^|]*) \\|").FindAllSubmatch(page, -1)
	if len(rows) == 0 {
		t.Fatal("no bounds in docs/performance.md")
	}
	for _, row := range rows {
		files, err := filepath.Glob(filepath.Join(root, "internal", "*", string(row[1]), "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("no package %s: %v", row[1], err)
			continue
		}
		var code []byte
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code = append(code, data...)
		}
		for _, quoted := range regexp.MustCompile("`(\\w+)`").FindAllSubmatch(row[2], -1) {
			if !regexp.MustCompile(`(?m)^\s*(const )?` + string(quoted[1]) + `\s+=`).Match(code) {
				t.Errorf("%s has no constant %s", row[1], quoted[1])
			}
		}
	}
}

// TestOptionsAreDocumented checks that the table in docs/options.md has all
// options, and that the pages of the rules name theirs.
func TestOptionsAreDocumented(t *testing.T) {
	t.Parallel()
	path := filepath.Join(root, "docs", "options.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), "|---|---|---|---|\n")
	_, after, end := strings.Cut(rest, "<!-- End")
	if !found || !end {
		t.Fatal("docs/options.md has no table, or no comment that ends it")
	}
	var table strings.Builder
	inTable := make(map[string]bool)
	for _, option := range config.All() {
		def := option.Default()
		if def == "" {
			def = "none"
		}
		name, rules := option.Name, strings.Join(option.Rules, ", ")
		if section, _, _ := strings.Cut(name, "."); option.Switch {
			name, rules = section+".RULE", "RULE" // the same for each
		}
		if !inTable[name] {
			inTable[name] = true
			fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", name, def, strings.ReplaceAll(option.Usage, "`", ""), rules)
		}
		for _, rule := range analyzers.All() {
			if !strings.HasPrefix(option.Name, rule.Name+".") {
				continue
			}
			text := strings.Join(strings.Fields(rule.Doc), " ")
			if i := strings.Index(text, option.Name); i < 0 || option.Default() != "" && !strings.HasPrefix(text[i:], option.Name+" (default "+def+")") {
				t.Errorf("the page of %s does not say %s, or not its default %s", rule.Name, option.Name, def)
			}
		}
	}
	sameFile(t, path, []byte(before+"|---|---|---|---|\n"+table.String()+"<!-- End"+after))
}

// TestOptionsNameTheirRules: the rules that an option can change are those that
// require the engine that reads it.
func TestOptionsNameTheirRules(t *testing.T) {
	t.Parallel()
	reads := map[string]*analysis.Analyzer{
		"ctxloop.max-wait":            waiting.Analyzer,
		"functions.waits":             waiting.Analyzer,
		"functions.writes":            flow.Analyzer,
		"functions.owners":            flow.Analyzer,
		"missingwatch.ignore-kinds":   missingwatch.Analyzer,
		"unstablewrite.ignore-fields": unstablewrite.Analyzer,
	}
	for _, option := range config.All() {
		if option.Switch {
			continue
		}
		var want []string
		for _, rule := range analyzers.All() {
			if rule != directive.Analyzer && requires(rule, reads[option.Name]) {
				want = append(want, rule.Name)
			}
		}
		if !slices.Equal(option.Rules, want) {
			t.Errorf("%s: rules %q, want %q", option.Name, option.Rules, want)
		}
	}
}

// requires reports whether one analyzer is another or requires it.
func requires(a, other *analysis.Analyzer) bool {
	return a == other || slices.ContainsFunc(a.Requires, func(req *analysis.Analyzer) bool { return requires(req, other) })
}

// markdown returns the rule's page.
func markdown(rule *analysis.Analyzer) []byte {
	title, text, _ := strings.Cut(rule.Doc, "\n")
	var page bytes.Buffer
	fmt.Fprintf(&page, "<!-- Generated from analyzers/%s/doc.go. -->\n\n# %s\n\n", rule.Name, rule.Name)
	fmt.Fprintf(&page, "`%s`: %s\n\n", rule.Name, title)
	printer := comment.Printer{HeadingLevel: 2, HeadingID: func(*comment.Heading) string { return "" }}
	page.Write(printer.Markdown(new(comment.Parser).Parse(text)))
	return page.Bytes()
}

// sameFile compares the file with what it should be, or updates it.
func sameFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it is generated from; run go test ./analyzers -run %s -update", path, t.Name())
	}
}
