package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/debug"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/run/output"
)

// debugOptions is the parsed command line of debug.
type debugOptions struct {
	load      load.Config
	query     debug.Query
	overrides config.Overrides
}

// runDebug prints what the engines know. It returns the exit code.
func runDebug(ctx context.Context, args []string, suite []*analysis.Analyzer, stdout, stderr *os.File) int {
	complain := func(err error) { fmt.Fprintf(stderr, "operatorvet: %v\n", err) }
	opts, err := parseDebug(args, suite)
	switch {
	case errors.Is(err, flag.ErrHelp):
		debugUsage(stdout)
		return exitClean
	case err != nil:
		complain(fmt.Errorf("%w; see operatorvet debug -h", err))
		return exitUsage
	}
	progress := newProgress(stderr)
	opts.load.Context, opts.load.Progress = ctx, progress.show
	found := new(debug.Text)
	rules := rule.With(&opts.overrides, rule.Mode{Traced: true}, []*analysis.Analyzer{debug.Analyzer(opts.query, found)})
	rep, err := driver.Run(opts.load, rules, nil) // a former run has kept no traces
	progress.clear()
	if err != nil {
		complain(err)
		return exitFailure
	}
	output.Failures(stderr, rep, opts.load.Dir)
	err = found.Write(stdout, opts.query, rep.Packages)
	switch {
	case len(rep.Failures) > 0: // which may be why the function is not found
		return exitFailure
	case err != nil:
		complain(err)
		return exitUsage
	}
	return exitClean
}

// parseDebug parses the command line of debug.
func parseDebug(args []string, suite []*analysis.Analyzer) (*debugOptions, error) {
	opts := new(debugOptions)
	fs, raw := debugFlags(opts)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if raw.at != "" {
		file, number, ok := strings.Cut(raw.at, ":")
		line, err := strconv.Atoi(number)
		if !ok || err != nil || line < 1 || filepath.Ext(file) != ".go" {
			return nil, fmt.Errorf("-at=%s: want a place like apply.go:41", raw.at)
		}
		opts.query.At = &debug.Place{File: filepath.Clean(file), Line: line}
	}
	if raw.rule != "" {
		opts.query.Rule = byName(suite, raw.rule)
		if opts.query.Rule == nil {
			return nil, unknownRule(suite, raw.rule)
		}
	}
	if opts.query.Func != "" && opts.query.At != nil {
		return nil, errors.New("-func and -at exclude each other")
	}
	var err error
	if opts.load, err = raw.config(fs.Args()); err != nil {
		return nil, err
	}
	return opts, nil
}

type rawDebugOptions struct {
	loading
	at, rule string
}

// debugFlags returns the flags of debug and the variables that they set.
func debugFlags(opts *debugOptions) (*flag.FlagSet, *rawDebugOptions) {
	raw := new(rawDebugOptions)
	fs := flag.NewFlagSet("operatorvet debug", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	raw.flags(fs)
	fs.StringVar(&opts.query.Func, "func", "", "print only what is known of the function of this `name`:\nReconcile, Reconciler.Reconcile")
	fs.StringVar(&raw.at, "at", "", "print only what is known of the function at this `place`: apply.go:41;\nwith -rule, only what the rule has decided about that line")
	fs.StringVar(&raw.rule, "rule", "", "print instead what this `rule` has decided: its findings, and for each\ncandidate without one the first obligation that is not established")
	opts.overrides.Flags(fs)
	return fs, raw
}

// debugUsage writes the usage of debug.
func debugUsage(w io.Writer) {
	fmt.Fprint(w, `operatorvet debug prints what the engines know, for people who work on rules.

Usage:
	operatorvet debug [flags] [packages]
	operatorvet debug -rule unstablewrite -at apply.go:41 [packages]

For a function it prints the calls that matter with their arguments, conditions
and owners, the loops that wait, when a reconciler asks to be called again, and
which updates a predicate lets through. For a controller it prints its watches and
writes, and what is unknown about each and why. The text is for reading: it may
change from version to version.

With -rule it prints the rule's findings, and why it reports nothing elsewhere.

Flags:
`)
	fs, _ := debugFlags(new(debugOptions))
	fs.VisitAll(func(f *flag.Flag) {
		if strings.Contains(f.Name, ".") {
			return // an option of a rule, as operatorvet -h lists them
		}
		writeFlag(w, f)
	})
}
