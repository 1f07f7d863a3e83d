package ssair_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/internal/benchmark"
	"github.com/operatorvet/operatorvet/internal/ssair"
)

func BenchmarkBuild(b *testing.B) { benchmark.Analyzer(b, ssair.Analyzer, benchmark.Operator(b)) }
