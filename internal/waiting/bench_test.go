package waiting_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/benchmark"
	"github.com/operatorvet/operatorvet/internal/waiting"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, waiting.Analyzer, benchmark.Operator(b))
}
