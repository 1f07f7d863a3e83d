package contexts_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, contexts.Analyzer, benchmark.Operator(b))
}
