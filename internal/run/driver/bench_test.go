package driver_test

import (
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

// BenchmarkRun measures whole runs of all rules, except the start of a process.
func BenchmarkRun(b *testing.B) {
	run := func(b *testing.B, dir string, c *cache.Cache) {
		rep, err := driver.Run(load.Config{Dir: dir, Patterns: []string{"./..."}, Deps: load.Export}, analyzers.All(), c)
		if err != nil {
			b.Fatal(err)
		}
		if len(rep.Failures) != 0 || len(rep.Findings) != benchmark.Findings*len(analyzers.All()) {
			b.Fatalf("%d findings, failures %v", len(rep.Findings), rep.Failures)
		}
	}
	b.Run("cold", func(b *testing.B) {
		dir := benchmark.Operator(b)
		benchmark.Loop(b, func(m *benchmark.Meter) {
			c := cache.In(b.TempDir())
			m.Start()
			run(b, dir, c)
			m.Stop()
		})
	})
	b.Run("kept", func(b *testing.B) {
		dir, c := benchmark.Operator(b), cache.In(b.TempDir())
		benchmark.Func(b, func() { run(b, dir, c) })
	})
}
