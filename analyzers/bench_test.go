package analyzers_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

// BenchmarkRule measures the rules themselves, without the engines.
func BenchmarkRule(b *testing.B) {
	for _, rule := range analyzers.All() {
		b.Run(rule.Name, func(b *testing.B) { benchmark.Rule(b, rule) })
	}
}
