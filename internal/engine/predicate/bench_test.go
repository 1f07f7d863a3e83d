package predicate_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/predicate"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, predicate.Analyzer, benchmark.Operator(b))
}
