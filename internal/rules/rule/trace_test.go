package rule_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

const mustBeBad rule.Obligation = "the package is bad"

// choosy reports a package whose name is bad.
var choosy = rule.New("choosy", strings.ReplaceAll(docGo, "bad", "choosy"), func(pass *rule.Pass) error {
	name := pass.Files[0].Name
	if name.Name != "bad" {
		pass.Silent(name.Pos(), mustBeBad, "%s is called otherwise", name)
		return nil
	}
	pass.Reportf(name, "bad")
	return nil
})

// TestDecisions checks that a traced rule records what it reports, and why it
// does not report the rest.
func TestDecisions(t *testing.T) {
	t.Parallel()
	const directive = "//operatorvet:ignore choosy it is meant to be\n"
	for _, test := range []struct {
		src  string
		want rule.Decision
	}{
		{src: "package bad\n", want: rule.Decision{Failed: "", Why: "bad"}},
		{src: "package good\n", want: rule.Decision{Failed: mustBeBad, Why: "good is called otherwise"}},
		{src: directive + "package bad\n", want: rule.Decision{Failed: rule.Unsuppressed, Why: "bad"}},
	} {
		traced := rule.With(new(config.Overrides), rule.Mode{Traced: true}, []*analysis.Analyzer{choosy})
		lines, _, result, err := run(t, traced[0], test.src)
		if err != nil {
			t.Fatal(err)
		}
		got := result.(*rule.Suppressions).Decisions()
		for i := range got {
			got[i].Pos = 0
		}
		if !slices.Equal(got, []rule.Decision{test.want}) {
			t.Errorf("%q: %+v, want %+v", test.src, got, test.want)
		}
		plain, _, result, err := run(t, choosy, test.src)
		if err != nil {
			t.Fatal(err)
		}
		if got := result.(*rule.Suppressions).Decisions(); got != nil {
			t.Errorf("%q: %+v without being asked", test.src, got)
		}
		if !slices.Equal(lines, plain) {
			t.Errorf("%q: reported %q, without being asked %q", test.src, lines, plain)
		}
	}
}
