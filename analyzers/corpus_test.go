package analyzers_test

import (
	"sync"
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/fixture"
)

const testdata = "../testdata"

// loadCorpus loads the fixtures once for all tests of this package.
var loadCorpus = sync.OnceValues(func() (*fixture.Corpus, error) {
	return fixture.Load(testdata)
})

func corpus(t *testing.T) *fixture.Corpus {
	t.Helper()
	c, err := loadCorpus()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Fixtures) == 0 {
		t.Fatal("testdata has no fixtures")
	}
	return c
}

// analyzeAll runs the whole suite over all fixtures, once for all tests of this
// package.
var analyzeAll = sync.OnceValues(func() ([]fixture.Finding, error) {
	c, err := loadCorpus()
	if err != nil {
		return nil, err
	}
	return c.Analyze(analyzers.All())
})

func findingsOf(all []fixture.Finding, keep func(fixture.Finding) bool) []fixture.Finding {
	var kept []fixture.Finding
	for _, f := range all {
		if keep(f) {
			kept = append(kept, f)
		}
	}
	return kept
}
