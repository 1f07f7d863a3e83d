package controller_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/benchmark"
	"github.com/operatorvet/operatorvet/internal/controller"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, controller.Analyzer, benchmark.Operator(b))
}
