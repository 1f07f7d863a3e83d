package rule_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// shared reports the identifiers that begin with "bad". Those of one name have one
// cause. The fix renames them.
var shared = rule.New("shared", strings.ReplaceAll(docGo, "bad", "shared"), func(pass *rule.Pass) error {
	for n := range ast.Preorder(pass.Files[0]) {
		if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, "bad") {
			fix := &analysis.SuggestedFix{
				Message:   "rename it",
				TextEdits: []analysis.TextEdit{{Pos: id.Pos(), End: id.End(), NewText: []byte("good")}},
			}
			pass.ReportFinding(rule.Finding{Range: id, Message: id.Name + " is bad", Fix: edit.Proposal{Fix: fix}, Cause: cause.Cause{Key: id.Name, Place: "use"}})
		}
	}
	return nil
})

// TestOnce checks that a cause is reported once, with the places that a directive
// does not silence and the fixes of all of them.
func TestOnce(t *testing.T) {
	t.Parallel()
	const ignored = " //operatorvet:ignore shared it is meant to be"
	for _, test := range []struct {
		src   string
		want  []string
		edits []int // of the findings
	}{
		{"var bad1, bad2 int\n", []string{"3:5: bad1 is bad", "3:11: bad2 is bad"}, []int{1, 1}},
		{
			"var bad1 int\nvar bad2 = bad1\nvar _ = bad1\n",
			[]string{"3:5: bad1 is bad; and 2 more uses: p.go:4, p.go:5", "4:5: bad2 is bad"},
			[]int{3, 1},
		},
		{"var bad1 int\nvar x = bad1" + ignored + "\nvar _ = bad1\n", []string{"3:5: bad1 is bad; and 1 more use: p.go:5"}, []int{2}},
		{"var bad1 int" + ignored + "\nvar x = bad1\nvar _ = bad1\n", []string{"4:9: bad1 is bad; and 1 more use: p.go:5"}, []int{2}},
	} {
		src := "package p\n\n" + test.src
		once := rule.With(new(config.Overrides), rule.Mode{Once: true}, []*analysis.Analyzer{shared})
		lines, found, _, err := run(t, once[0], src)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lines, test.want) {
			t.Errorf("%q: got %q, want %q", src, lines, test.want)
		}
		for i, d := range found {
			if len(d.SuggestedFixes) != 1 || i < len(test.edits) && len(d.SuggestedFixes[0].TextEdits) != test.edits[i] {
				t.Errorf("%q: fixes %+v of %q", src, d.SuggestedFixes, d.Message)
			}
		}
		_, each, result, err := run(t, shared, src)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, n := range test.edits {
			sum += n
		}
		if len(each) != sum {
			t.Errorf("%q: otherwise %d findings, want %d", src, len(each), sum)
		}
		if got := result.(*rule.Suppressions).About(each[0]).Cause; got.Key != "bad1" {
			t.Errorf("%q: cause %+v", src, got)
		}
	}
}
