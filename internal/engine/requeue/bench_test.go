package requeue_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/requeue"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, requeue.Analyzer, benchmark.LargeOperator(b, 100))
}
