package analyzers_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// TestFixtures compares the findings of each rule with the want comments of all
// fixtures. The subtest Fixtures/RULE/MECHANISM/BEHAVIOUR is for a fixture of
// the rule's own group. Fixtures of other groups, where a rule is mostly silent,
// have the group before the mechanism. A rule runs only if its subtest is
// selected, so one rule can be tested while another is broken.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for _, rule := range analyzers.All() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			c := corpus(t)
			findings, err := c.Analyze([]*analysis.Analyzer{rule})
			if err != nil {
				t.Error(err)
			}
			for _, f := range c.Fixtures {
				name := f.Name
				if f.Group != rule.Name {
					name = f.Group + "/" + f.Name
				}
				t.Run(name, func(t *testing.T) {
					checkFixture(t, c, f, rule.Name, findings)
				})
			}
		})
	}
}

func checkFixture(t *testing.T, c *fixture.Corpus, f *fixture.Fixture, rule string, findings []fixture.Finding) {
	t.Helper()
	for _, err := range f.Errors {
		t.Errorf("does not compile: %s", err)
	}
	wants, err := c.Wants(f.Packages)
	if err != nil {
		t.Fatal(err)
	}
	var ofRule []fixture.Want
	for _, w := range wants {
		if w.Rule == rule && !w.Module {
			ofRule = append(ofRule, w)
		}
	}
	here := slices.DeleteFunc(slices.Clone(findings), func(found fixture.Finding) bool { return !f.Contains(found) })
	for _, problem := range fixture.Compare(here, ofRule) {
		t.Error(problem)
	}
}

// TestEnoughFixtures checks that each rule has enough bad and good behaviours;
// see countBehaviours. A fixture package has several of them, so the number of
// folders says little.
func TestEnoughFixtures(t *testing.T) {
	t.Parallel()
	for rule, enough := range map[string]struct{ bad, good int }{
		"blindpredicate": {49, 48},
		"ctxloop":        {120, 111},
		"deadcleanup":    {45, 48},
		"missingwatch":   {96, 134},
		"unstablewrite":  {148, 176},
	} {
		t.Run(rule, func(t *testing.T) {
			bad, good := countBehaviours(t, rule)
			t.Logf("%d bad, %d good", bad, good)
			if bad < enough.bad || good < enough.good {
				t.Errorf("%d bad and %d good behaviours, want %d and %d", bad, good, enough.bad, enough.good)
			}
		})
	}
}

// TestWantsNameRules fails for an expectation that names no rule of the suite,
// which no other test would check, and for an expectation outside all fixtures.
func TestWantsNameRules(t *testing.T) {
	t.Parallel()
	c := corpus(t)
	known := make(map[string]bool)
	for _, rule := range analyzers.All() {
		known[rule.Name] = true
	}
	wants, err := c.Wants(c.Packages)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wants {
		if !known[w.Rule] {
			t.Errorf("%s: the suite has no rule %q", w, w.Rule)
		}
		if c.FixtureOf(w.File) == nil {
			t.Errorf("%s: not in a fixture", w)
		}
	}
}
