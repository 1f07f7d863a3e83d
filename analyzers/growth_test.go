package analyzers_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/testing/synthetic"
)

// TestGrowth runs the suite over programs of growing size. The allocated bytes
// measure the work; unlike time they do not depend on the machine. They may grow
// in proportion to the size, but not with a power of it.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for name, shape := range synthetic.Shapes {
		t.Run(name, func(t *testing.T) {
			var sizes, allocated []float64
			least := float64(allocatedFor(t, ""))
			for _, n := range []int{10, 100, 1000, 5000} {
				sizes = append(sizes, float64(n))
				allocated = append(allocated, float64(allocatedFor(t, shape(n)))-least)
			}
			last := len(sizes) - 1
			exponent := math.Log(allocated[last]/allocated[last-2]) / math.Log(sizes[last]/sizes[last-2])
			t.Logf("%.0f functions or lines: %.0f bytes; exponent %.2f", sizes, allocated, exponent)
			if exponent > 1.15 {
				t.Errorf("from %.0f to %.0f, what is allocated grows with the power of %.2f", sizes[last-2], sizes[last], exponent)
			}
		})
	}
}

// allocatedFor returns the number of bytes that the analysis of a program
// allocates.
func allocatedFor(t *testing.T, program string) uint64 {
	t.Helper()
	dir := t.TempDir()
	if err := synthetic.Write(dir, program); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rep, err := driver.Run(load.Config{Dir: dir, Patterns: []string{"."}, Deps: load.Export}, analyzers.All(), nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	for _, failure := range rep.Failures {
		t.Errorf("%s: %s", failure.Package, failure.Message)
	}
	return after.TotalAlloc - before.TotalAlloc
}
