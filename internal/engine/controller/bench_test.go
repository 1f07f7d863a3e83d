package controller_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkAnalyzer(b *testing.B) {
	benchmark.Analyzer(b, controller.Analyzer, benchmark.Operator(b))
}
