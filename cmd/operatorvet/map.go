package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/run/operatormap"
	"github.com/operatorvet/operatorvet/internal/run/output"
)

// mapOptions is the parsed command line of map.
type mapOptions struct {
	load          load.Config
	json, mermaid bool
	html          bool
	sources       string
	rbac, yaml    bool
	roles         []string
	overrides     config.Overrides
}

// runMap writes what is known of the controllers. It returns the exit code.
func runMap(ctx context.Context, args []string, suite []*analysis.Analyzer, stdout, stderr *os.File) int {
	complain := func(err error) { fmt.Fprintf(stderr, "operatorvet: %v\n", err) }
	opts, err := parseMap(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		mapUsage(stdout)
		return exitClean
	case err != nil:
		complain(fmt.Errorf("%w; see operatorvet map -h", err))
		return exitUsage
	}
	opts.load.Context = ctx
	if opts.rbac {
		return runRights(opts, stdout, stderr)
	}
	found := new(operatormap.Collector)
	rules := rule.With(&opts.overrides, rule.Mode{}, append(slices.Clip(suite), found.Analyzer()))
	return opts.show(rules, func(rep *driver.Report) func(io.Writer) error {
		m := found.Map(rep)
		if len(m.Controllers) == 0 {
			fmt.Fprintln(stderr, "operatorvet: no controllers in the packages")
		}
		switch {
		case opts.json:
			return m.JSON
		case opts.mermaid:
			return m.Mermaid
		case opts.html:
			return func(w io.Writer) error { return m.HTML(w, titleOf(rep), opts.sources) }
		}
		return m.Table
	}, stdout, stderr)
}

// show runs the analyzers, and writes what they find in the form that was asked for. It
// returns the exit code.
func (opts *mapOptions) show(analyzers []*analysis.Analyzer, form func(*driver.Report) func(io.Writer) error, stdout, stderr *os.File) int {
	progress := newProgress(stderr)
	opts.load.Progress = progress.show
	rep, err := driver.Run(opts.load, analyzers, nil) // a former run has kept nothing of this
	progress.clear()
	if err == nil {
		output.Failures(stderr, rep, opts.load.Dir)
		err = form(rep)(stdout)
	}
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "operatorvet: %v\n", err)
		return exitFailure
	case len(rep.Failures) > 0:
		return exitFailure
	}
	return exitClean
}

// parseMap parses the command line of map.
func parseMap(args []string) (*mapOptions, error) {
	opts := new(mapOptions)
	fs, raw := mapFlags(opts)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if opts.json && opts.mermaid || opts.json && opts.html || opts.mermaid && opts.html {
		return nil, errors.New("-json, -mermaid and -html exclude each other")
	}
	if opts.sources != "" && !opts.html {
		return nil, errors.New("-sources is for -html")
	}
	if opts.rbac && (opts.mermaid || opts.html) {
		return nil, errors.New("-rbac is a table, or -json, or -yaml")
	}
	if !opts.rbac && (opts.yaml || len(opts.roles) > 0) {
		return nil, errors.New("-role and -yaml are for -rbac")
	}
	if opts.json && opts.yaml {
		return nil, errors.New("-json and -yaml exclude each other")
	}
	if opts.sources != "" && !strings.HasSuffix(opts.sources, "/") {
		opts.sources += "/"
	}
	var err error
	if opts.load, err = raw.config(fs.Args()); err != nil {
		return nil, err
	}
	return opts, nil
}

// mapFlags returns the flags of map and the variables that they set.
func mapFlags(opts *mapOptions) (*flag.FlagSet, *loading) {
	fs := flag.NewFlagSet("operatorvet map", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	raw := new(loading)
	raw.flags(fs)
	fs.BoolVar(&opts.json, "json", false, "write JSON; docs/map.md describes it")
	fs.BoolVar(&opts.mermaid, "mermaid", false, "write a Mermaid flowchart, which GitHub renders in Markdown")
	fs.BoolVar(&opts.html, "html", false, "write a page with a graph, to open in a browser")
	fs.StringVar(&opts.sources, "sources", "", "link sources below this `prefix`, a directory or an address like\nhttps://github.com/me/my-operator/blob/main; the default is where the page is")
	fs.BoolVar(&opts.rbac, "rbac", false, "write instead which rights the programs need from the API server, and how\nthe markers for kubebuilder, or the roles of -role, differ from that")
	fs.Func("role", "with -rbac, compare with the roles in a `file` instead of with markers;\nrepeat it for each file", func(name string) error {
		opts.roles = append(opts.roles, name)
		return nil
	})
	fs.BoolVar(&opts.yaml, "yaml", false, "with -rbac, write a ClusterRole with what is certainly needed")
	opts.overrides.Flags(fs)
	return fs, raw
}

// titleOf returns the title of the page: the path of the module.
func titleOf(rep *driver.Report) string {
	return strings.Join(slices.Sorted(maps.Keys(rep.Modules)), ", ")
}

// mapUsage writes the usage of map.
func mapUsage(w io.Writer) {
	fmt.Fprint(w, `operatorvet map writes what it knows of each controller: what it watches, and
which changes its predicates hide; what it writes, by which verb, with which owner
reference, and when it looks again; what it reads; its finalizers; and what is
unknown.

Usage:
	operatorvet map [flags] [packages]
	operatorvet map -rbac [-role config/rbac/role.yaml] [packages]

The default of the packages is ./... .

Flags:
`)
	fs, _ := mapFlags(new(mapOptions))
	fs.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(f.Name, ".") {
			writeFlag(w, f)
		}
	})
}
