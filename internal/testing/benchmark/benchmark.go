// Package benchmark measures parts of operatorvet in a way that can be compared
// from day to day and from machine to machine.
//
// Wall time depends on what else a machine does, and processor time on how fast
// it is. So after each time that the part runs, a fixed piece of work of the same
// sort does, and what counts is how many of these the part is worth. The garbage
// collector is off meanwhile, because its work falls upon whoever comes next; what
// it will cost shows in the bytes that are allocated.
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

// Unit is that of the processor time that a part takes.
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

// Loop runs round as often as the benchmark is to, and reports the median of what
// was measured in each. What round does outside of Start and Stop is free.
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

// Findings is how many each rule has in the operator that is measured: one in
// each controller.
const Findings = 10

// Operator returns the directory of an operator to measure on.
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

// Program returns the directory of a program of a shape that synthetic has.
func Program(b *testing.B, shape string, n int) string {
	b.Helper()
	dir := b.TempDir()
	if err := synthetic.Write(dir, synthetic.Shapes[shape](n)); err != nil {
		b.Fatal(err)
	}
	return dir
}

// Rule measures a rule on the operator, without the analyzers that it requires,
// and makes sure that it finds what there is to find.
func Rule(b *testing.B, rule *analysis.Analyzer) {
	if found := analyzer(b, rule, Operator(b)); found != Findings {
		b.Errorf("%d findings, want %d", found, Findings)
	}
}

// Analyzer measures an analyzer on the module in a directory, without those that
// it requires.
func Analyzer(b *testing.B, a *analysis.Analyzer, dir string) { analyzer(b, a, dir) }

// analyzer returns how many diagnostics there are.
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
