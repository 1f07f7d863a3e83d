package analyzers_test

import (
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// TestFixtures holds each rule to the want comments of all fixtures: those of
// its own group as Fixtures/RULE/MECHANISM/BEHAVIOUR, and those of the other
// groups, where a rule is mostly expected to be silent, with the group before
// that. A rule runs only if its subtest is selected, so one can be worked on
// while another is broken.
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
		if w.Rule == rule {
			ofRule = append(ofRule, w)
		}
	}
	here := slices.DeleteFunc(slices.Clone(findings), func(found fixture.Finding) bool { return !f.Contains(found) })
	for _, problem := range fixture.Compare(here, ofRule) {
		t.Error(problem)
	}
}

// TestEnoughFixtures holds each rule to a number of bad and good behaviours; see
// countBehaviours. Twins share a package, so the number of folders says little.
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

// TestWantsNameRules fails for an expectation of a rule that the suite has not,
// which no other test would look at, and for one outside all fixtures.
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
