package predicate_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/benchmark"
	"github.com/operatorvet/operatorvet/internal/predicate"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, predicate.Analyzer, benchmark.Operator(b))
}
