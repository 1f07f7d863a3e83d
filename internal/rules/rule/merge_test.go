package rule_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// TestMergedFindTheSame checks that merged facts reach the packages that import
// a package.
func TestMergedFindTheSame(t *testing.T) {
	t.Parallel()
	corpus, err := fixture.Load("../../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	want, err := corpus.Analyze(analyzers.All())
	if err != nil {
		t.Fatal(err)
	}
	got, err := corpus.Analyze(rule.Merged(analyzers.All()))
	if err != nil {
		t.Fatal(err)
	}
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("found %d, want %d:\n%v\nwant:\n%v", len(got), len(want), got, want)
	}
}

func TestMerged(t *testing.T) {
	t.Parallel()
	rules := analyzers.All()
	merged := rule.Merged(rules)
	if err := analysis.Validate(merged); err != nil {
		t.Fatal(err)
	}
	if before, after := len(withFacts(rules)), withFacts(merged); before < 2 || len(after) != 1 {
		t.Errorf("%d analyzers with facts become %d, want 1", before, len(after))
	}
	for i, r := range merged {
		if r.Name != rules[i].Name || r.Doc != rules[i].Doc || r.URL != rules[i].URL {
			t.Errorf("%s became %s", rules[i].Name, r.Name)
		}
	}
	for _, r := range rules {
		if r.Name == "ctxloop" && slices.Contains(merged, r) {
			t.Error("ctxloop still requires what it did")
		}
	}
	none := []*analysis.Analyzer{rule.Options}
	if got := rule.Merged(none); !slices.Equal(got, none) {
		t.Errorf("an analyzer that requires no facts became another")
	}
}

// withFacts returns the analyzers with facts among all and those that they
// require.
func withFacts(all []*analysis.Analyzer) []*analysis.Analyzer {
	var found []*analysis.Analyzer
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(all []*analysis.Analyzer)
	visit = func(all []*analysis.Analyzer) {
		for _, a := range all {
			if seen[a] {
				continue
			}
			seen[a] = true
			if len(a.FactTypes) > 0 {
				found = append(found, a)
			}
			visit(a.Requires)
		}
	}
	visit(all)
	return found
}
