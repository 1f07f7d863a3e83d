package analyzers_test

import (
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis/checker"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
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

// analyzeCorpus runs the whole suite over all fixtures, once for all tests of
// this package.
var analyzeCorpus = sync.OnceValues(func() (*checker.Graph, error) {
	c, err := loadCorpus()
	if err != nil {
		return nil, err
	}
	return fixture.Analyze(analyzers.All(), c.Packages)
})

func analyzeGraph(t *testing.T) *checker.Graph {
	t.Helper()
	graph, err := analyzeCorpus()
	if err != nil {
		t.Fatal(err)
	}
	return graph
}
