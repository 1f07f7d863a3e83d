package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/run/baseline"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

// readBaseline returns the content of the baseline file, if there should be one.
// The file may be missing if the run writes it.
func readBaseline(opts *options) (baseline.Baseline, error) {
	if opts.baseline == "" {
		return nil, nil
	}
	known, err := baseline.Read(opts.baselineFile())
	if errors.Is(err, fs.ErrNotExist) {
		if opts.writeBaseline {
			return nil, nil
		}
		return nil, fmt.Errorf("-baseline: %w; -write-baseline makes it", err)
	}
	if err != nil {
		return nil, fmt.Errorf("-baseline: %w", err)
	}
	return known, nil
}

// accept removes the known findings from the report. It returns the entries of
// the baseline that the run should have found but did not.
func accept(rep *driver.Report, known baseline.Baseline, view baseline.View) (stale baseline.Baseline) {
	rep.Findings, stale = known.Split(rep.Findings)
	if len(rep.Failures) > 0 {
		return nil // what was not analysed may be why
	}
	stale, _ = stale.Inside(view)
	return stale
}

// complainStale writes a line for each entry that the baseline no longer needs.
func complainStale(w io.Writer, stale baseline.Baseline, opts *options) {
	for _, k := range stale.Keys() {
		times := ""
		if stale[k] > 1 {
			times = fmt.Sprintf(" (%d times)", stale[k])
		}
		fmt.Fprintf(w, "operatorvet: %s: no longer found%s: %s\n", opts.baseline, times, k)
	}
}

// updateBaseline writes the findings to the baseline file. It keeps entries
// about code that the run did not look at.
func updateBaseline(w io.Writer, rep *driver.Report, known baseline.Baseline, view baseline.View, opts *options) error {
	if len(rep.Failures) > 0 {
		return fmt.Errorf("%s not written: not everything could be analysed", opts.baseline)
	}
	_, unseen := known.Inside(view)
	if err := baseline.Of(rep.Findings).Merge(unseen).Write(opts.baselineFile()); err != nil {
		return fmt.Errorf("-write-baseline: %w", err)
	}
	fresh, left := known.Split(rep.Findings)
	gone, _ := left.Inside(view)
	fmt.Fprintf(w, "%s: findings: %d, new: %d, gone: %d\n", opts.baseline, len(rep.Findings), len(fresh), gone.Total())
	return nil
}

// viewOf returns the part of the baseline that the run covers. A rule that no
// longer exists counts as run: it has no findings.
func viewOf(rep *driver.Report, suite []*analysis.Analyzer, opts *options) baseline.View {
	return baseline.View{
		Report: rep,
		Tests:  opts.load.Tests,
		Rules: func(name string) bool {
			return byName(suite, name) == nil || byName(opts.rules, name) != nil
		},
	}
}
