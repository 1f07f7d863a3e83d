package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/output"
	"github.com/operatorvet/operatorvet/internal/run/rights"
)

// runRights writes which rights the programs need. It returns the exit code.
func runRights(opts *mapOptions, stdout, stderr *os.File) int {
	complain := func(err error) { fmt.Fprintf(stderr, "operatorvet: %v\n", err) }
	var roles []*rights.Role
	for _, name := range opts.roles {
		role, err := rights.ReadRole(opts.load.Dir, name)
		if err != nil {
			complain(fmt.Errorf("-role: %w", err))
			return exitUsage
		}
		roles = append(roles, role)
	}
	progress := newProgress(stderr)
	opts.load.Progress = progress.show
	found := new(rights.Collector)
	asking := rule.With(&opts.overrides, rule.Mode{Asks: true}, []*analysis.Analyzer{found.Analyzer()})
	rep, err := driver.Run(opts.load, asking, nil) // a former run has not kept what was asked
	progress.clear()
	if err != nil {
		complain(err)
		return exitFailure
	}
	output.Failures(stderr, rep, opts.load.Dir)
	r := found.Report(roles)
	if len(r.Rules) == 0 {
		fmt.Fprintln(stderr, "operatorvet: the packages ask the API server for nothing")
	}
	write := r.Table
	switch {
	case opts.json:
		write = r.JSON
	case opts.yaml:
		write = r.YAML
	}
	if err := write(stdout); err != nil {
		complain(err)
		return exitFailure
	}
	if len(rep.Failures) > 0 {
		return exitFailure
	}
	return exitClean
}
