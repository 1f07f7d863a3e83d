package load_test

import (
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

// BenchmarkLoad includes what the go command does.
func BenchmarkLoad(b *testing.B) {
	for _, deps := range []load.Deps{load.Export, load.Source} {
		b.Run(string(deps), func(b *testing.B) {
			cfg := load.Config{
				Dir:      benchmark.Operator(b),
				Patterns: []string{"./..."},
				Deps:     deps,
				Relevant: func(*packages.Package) bool { return false },
			}
			benchmark.Func(b, func() {
				prog, err := load.Load(cfg)
				if err != nil {
					b.Fatal(err)
				}
				if len(prog.Packages) != 2 || len(prog.Failures) != 0 {
					b.Fatalf("%d packages, failures %v", len(prog.Packages), prog.Failures)
				}
			})
		})
	}
}
