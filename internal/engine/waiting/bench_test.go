package waiting_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, waiting.Analyzer, benchmark.Operator(b))
}
