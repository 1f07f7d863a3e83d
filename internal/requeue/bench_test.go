package requeue_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/benchmark"
	"github.com/operatorvet/operatorvet/internal/requeue"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, requeue.Analyzer, benchmark.LargeOperator(b, 100))
}
