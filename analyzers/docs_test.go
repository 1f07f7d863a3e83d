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
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
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
		t.Errorf("%s is not what doc.go says; run go test ./analyzers -run TestDocsAreGenerated -update", path)
	}
}
