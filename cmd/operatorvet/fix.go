package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/operatorvet/operatorvet/internal/run/apply"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/output"
)

// mend applies the fixes of the findings and leaves the other findings in the
// report. With -diff it only shows the changes.
func mend(stdout, stderr io.Writer, rep *driver.Report, opts *options) error {
	plan, err := apply.New(rep.Findings)
	if err != nil {
		return err
	}
	say := func(format string, args ...any) { fmt.Fprintf(stderr, "operatorvet: "+format+"\n", args...) }
	if opts.diff {
		err = plan.Diff(stdout, opts.load.Dir)
	} else {
		rep.Findings = slices.Concat(plan.Left, plan.Without)
		var written int
		written, err = plan.Write()
		if written > 0 {
			say("fixed %s in %s", count(len(plan.Fixed), "finding"), count(written, "file"))
		}
	}
	if n := len(plan.Left); n > 0 {
		say("%s overlapping with another left out; run again to apply more", count(n, "fix"))
	}
	if n := len(plan.Without); n > 0 {
		say("no fix for %s", count(n, "finding"))
		output.NoFixes(stderr, plan.Without, opts.load.Dir)
	}
	return err
}

// count returns "1 file" or "2 files".
func count(n int, noun string) string {
	switch {
	case n == 1:
	case noun[len(noun)-1] == 'x':
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}
