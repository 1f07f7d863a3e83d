package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/rights"
)

// runRights writes which rights the programs need. It returns the exit code.
func runRights(opts *mapOptions, stdout, stderr *os.File) int {
	var roles []*rights.Role
	for _, name := range opts.roles {
		role, err := rights.ReadRole(opts.load.Dir, name)
		if err != nil {
			fmt.Fprintf(stderr, "operatorvet: -role: %v\n", err)
			return exitUsage
		}
		roles = append(roles, role)
	}
	found := new(rights.Collector)
	asking := rule.With(&opts.overrides, rule.Mode{Asks: true}, []*analysis.Analyzer{found.Analyzer()})
	return opts.show(asking, func(*driver.Report) func(io.Writer) error {
		r := found.Report(roles)
		if len(r.Rules) == 0 {
			fmt.Fprintln(stderr, "operatorvet: the packages ask the API server for nothing")
		}
		switch {
		case opts.json:
			return r.JSON
		case opts.yaml:
			return r.YAML
		}
		return r.Table
	}, stdout, stderr)
}
