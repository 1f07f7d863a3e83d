package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/run/output"
)

// explainOptions is the parsed command line of explain.
type explainOptions struct {
	load      load.Config
	rule      *analysis.Analyzer
	file      string // the end of a path
	line      int
	overrides config.Overrides
}

// runExplain shows the steps of the findings of a rule in a line. It returns the exit
// code.
func runExplain(ctx context.Context, args []string, suite []*analysis.Analyzer, stdout, stderr *os.File) int {
	complain := func(err error) { fmt.Fprintf(stderr, "operatorvet: %v\n", err) }
	opts, err := parseExplain(args, suite)
	switch {
	case errors.Is(err, flag.ErrHelp):
		explainUsage(stdout)
		return exitClean
	case err != nil:
		complain(fmt.Errorf("%w; see operatorvet explain -h", err))
		return exitUsage
	}
	progress := newProgress(stderr)
	opts.load.Context, opts.load.Progress = ctx, progress.show
	rules := rule.With(&opts.overrides, rule.Mode{Traced: true}, []*analysis.Analyzer{opts.rule})
	rep, err := driver.Run(opts.load, rules, nil) // a former run has kept no conditions
	progress.clear()
	if err != nil {
		complain(err)
		return exitFailure
	}
	output.Failures(stderr, rep, opts.load.Dir)
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f driver.Finding) bool { return !opts.isAt(f) })
	if len(rep.Findings) == 0 {
		complain(fmt.Errorf("%s reports nothing at %s:%d; operatorvet debug -rule %s -at %s:%d says why",
			opts.rule.Name, opts.file, opts.line, opts.rule.Name, opts.file, opts.line))
		return exitUsage
	}
	style := styleOf(stdout, true, len(rep.Findings))
	if err := output.Text(stdout, rep, opts.load.Dir, style); err != nil {
		complain(err)
		return exitFailure
	}
	fmt.Fprintf(stdout, "\noperatorvet help %s says what the rule reports, and when it is silent.\n", opts.rule.Name)
	return exitFindings
}

// isAt reports whether the finding is in the line asked for.
func (o *explainOptions) isAt(f driver.Finding) bool {
	file := filepath.ToSlash(f.Pos.Filename)
	return f.Pos.Line == o.line && (file == o.file || strings.HasSuffix(file, "/"+o.file))
}

// parseExplain parses the command line of explain.
func parseExplain(args []string, suite []*analysis.Analyzer) (*explainOptions, error) {
	opts := new(explainOptions)
	fs, raw := explainFlags(opts)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if fs.NArg() < 2 {
		return nil, errors.New("explain wants a rule and a place: explain ctxloop pool.go:41")
	}
	opts.rule = byName(suite, fs.Arg(0))
	if opts.rule == nil {
		return nil, unknownRule(suite, fs.Arg(0))
	}
	parts := strings.Split(fs.Arg(1), ":") // with a column, as a finding has it
	if len(parts) < 2 || filepath.Ext(parts[0]) != ".go" {
		return nil, fmt.Errorf("%s: want a place like pool.go:41", fs.Arg(1))
	}
	line, err := strconv.Atoi(parts[1])
	if err != nil || line < 1 {
		return nil, fmt.Errorf("%s: want a place like pool.go:41", fs.Arg(1))
	}
	opts.file, opts.line = filepath.ToSlash(filepath.Clean(parts[0])), line
	if opts.load, err = raw.config(fs.Args()[2:]); err != nil {
		return nil, err
	}
	return opts, nil
}

// explainFlags returns the flags of explain and the variables that they set.
func explainFlags(opts *explainOptions) (*flag.FlagSet, *loading) {
	fs := flag.NewFlagSet("operatorvet explain", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	raw := new(loading)
	raw.flags(fs)
	opts.overrides.Flags(fs)
	return fs, raw
}

// explainUsage writes the usage of explain.
func explainUsage(w io.Writer) {
	fmt.Fprint(w, `operatorvet explain shows how a rule comes to a finding.

Usage:
	operatorvet explain [flags] RULE FILE.go:LINE [packages]

It writes the finding with its steps, in the order in which a reader follows them:
where the reconcile begins, each call, the source of the value or the loop, the
conditions that do not stop the write, the write, and what the controller watches.
Then it says what to do about it. The default of the packages is ./... .

Flags:
`)
	fs, _ := explainFlags(new(explainOptions))
	fs.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(f.Name, ".") {
			writeFlag(w, f)
		}
	})
}
