package analyzers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
)

// TestReadmeListsRules compares the table in the README with the titles in the
// doc.go files.
func TestReadmeListsRules(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, rule := range analyzers.All() {
		title, _, _ := strings.Cut(rule.Doc, "\n")
		what := strings.TrimPrefix(strings.TrimPrefix(title, "report "), "find ")
		want = append(want, fmt.Sprintf("| [%s](docs/rules/%[1]s.md) | %s |\n", rule.Name, what))
	}
	if table := strings.Join(want, ""); !strings.Contains(string(readme), table) {
		t.Errorf("README.md has not this table:\n%s", table)
	}
}
