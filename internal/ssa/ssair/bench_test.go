package ssair_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkBuild(b *testing.B) { benchmark.Analyzer(b, ssair.Analyzer, benchmark.Operator(b)) }
