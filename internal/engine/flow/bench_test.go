package flow_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkAnalyzer(b *testing.B) {
	b.Run("operator", func(b *testing.B) { benchmark.Analyzer(b, flow.Analyzer, benchmark.Operator(b)) })
	for _, program := range []struct {
		shape string
		n     int
	}{{"chains", 400}, {"recursion", 50}, {"implementations", 200}, {"lines", 200}} {
		b.Run(program.shape, func(b *testing.B) {
			benchmark.Analyzer(b, flow.Analyzer, benchmark.Program(b, program.shape, program.n))
		})
	}
}
