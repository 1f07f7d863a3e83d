package cleanup_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/cleanup"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, cleanup.Analyzer, benchmark.Operator(b))
}
