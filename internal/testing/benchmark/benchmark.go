// Package benchmark measures parts of operatorvet so that the results of
// different days and machines can be compared.
//
// Wall time depends on what else the machine does, and processor time on its
// speed. So after each run of the part, the benchmark runs a fixed piece of
// similar work. The result is the ratio of the two. The garbage collector is off
// meanwhile, because its work would be charged to whatever runs next; the
// allocated bytes show what it will cost.
package benchmark

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/operatorvet/operatorvet/internal/testing/fixture"
	"github.com/operatorvet/operatorvet/internal/testing/synthetic"
)

// Unit is the unit of the processor time of a part.
const Unit = "calibrations/op"

// A Meter measures what happens from Start to Stop.
type Meter struct {
	b     *testing.B
	began time.Duration
	spent time.Duration
}

// Start begins to measure.
func (m *Meter) Start() {
	runtime.GC()
	m.b.StartTimer()
	m.began = processorTime()
}

// Stop ends what Start began.
func (m *Meter) Stop() {
	m.spent += processorTime() - m.began
	m.b.StopTimer()
}

// Loop runs round as often as the benchmark asks for, and reports the median of
// the measurements. Work of round outside Start and Stop is not measured.
func Loop(b *testing.B, round func(*Meter)) {
	b.ReportAllocs()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the heap so keeps its pages, too
	m := &Meter{b: b}
	round(m) // once more, for the caches
	var all []float64
	b.StartTimer()
	for b.Loop() {
		b.StopTimer()
		m.spent = 0
		round(m)
		all = append(all, m.spent.Seconds()/calibrate().Seconds())
		b.StartTimer()
	}
	slices.Sort(all)
	b.ReportMetric(all[len(all)/2], Unit)
}

// Func measures a function.
func Func(b *testing.B, f func()) {
	Loop(b, func(m *Meter) {
		m.Start()
		f()
		m.Stop()
	})
}

// Findings is the number of findings of each rule in the measured operator: one
// in each controller.
const Findings = 10

// Operator returns the directory of an operator to measure.
func Operator(b *testing.B) string { return LargeOperator(b, Findings) }

// LargeOperator returns the directory of an operator of n controllers.
func LargeOperator(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	if err := synthetic.WriteOperator(dir, n); err != nil {
		b.Fatal(err)
	}
	return dir
}

// Program returns the directory of a program with a shape of package synthetic.
func Program(b *testing.B, shape string, n int) string {
	b.Helper()
	dir := b.TempDir()
	if err := synthetic.Write(dir, synthetic.Shapes[shape](n)); err != nil {
		b.Fatal(err)
	}
	return dir
}

// Rule measures a rule on the operator, without the analyzers that it requires,
// and checks the number of its findings.
func Rule(b *testing.B, rule *analysis.Analyzer) {
	if found := analyzer(b, rule, Operator(b)); found != Findings {
		b.Errorf("%d findings, want %d", found, Findings)
	}
}

// Analyzer measures an analyzer on the module in a directory, without the
// analyzers that it requires.
func Analyzer(b *testing.B, a *analysis.Analyzer, dir string) { analyzer(b, a, dir) }

// analyzer returns the number of diagnostics.
func analyzer(b *testing.B, a *analysis.Analyzer, dir string) int {
	b.Helper()
	prog, err := fixture.LoadPackages(dir, "./...")
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range prog.Failures {
		b.Fatalf("%s: %s: %s", f.Package, f.Pos, f.Message)
	}
	found := 0
	Loop(b, func(m *Meter) {
		timed := *a
		timed.Run = func(pass *analysis.Pass) (any, error) {
			m.Start()
			defer m.Stop()
			return a.Run(pass)
		}
		graph, err := checker.Analyze([]*analysis.Analyzer{&timed}, prog.Packages, &checker.Options{Sequential: true})
		if err != nil {
			b.Fatal(err)
		}
		found = 0
		for act := range graph.All() {
			if act.Err != nil {
				b.Fatal(act.Err)
			}
			if act.IsRoot {
				found += len(act.Diagnostics)
			}
		}
	})
	return found
}
