// Operatorvet finds bugs in Kubernetes operators that appear only in a cluster.
//
// It runs by itself, as operatorvet ./..., or within go vet, as
// go vet -vettool=$(which operatorvet) ./...; the findings are the same. See
// operatorvet -h.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	gc "runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/run/changes"
	"github.com/operatorvet/operatorvet/internal/run/debug"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/run/output"
)

// Exit codes. Those of the go/analysis checkers, and flag's own for a command
// line that is wrong.
const (
	exitClean    = 0
	exitFailure  = 1 // something could not be analysed; there may be findings too
	exitUsage    = 2
	exitFindings = 3
)

func main() {
	suite := analyzers.All()
	if calledByGoVet(os.Args[1:]) {
		vetTool(os.Args[1:], suite) // does not return
	}
	collectLess()
	ctx := untilSignal()
	code := run(ctx, os.Args[1:], suite, os.Stdout, os.Stderr)
	if ended, ok := context.Cause(ctx).(endedBy); ok {
		code = ended.code()
	}
	os.Exit(code)
}

// collectLess trades memory, up to somewhat under 1 GiB, for time.
func collectLess() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		gc.SetGCPercent(200)
		gc.SetMemoryLimit(900 << 20)
	}
}

// commands are what the first argument may ask for instead of findings. Each returns the
// exit code.
var commands = map[string]func(ctx context.Context, args []string, suite []*analysis.Analyzer, stdout, stderr *os.File) int{
	"cache":   runCache,
	"debug":   runDebug,
	"explain": runExplain,
	"help":    runHelp,
	"map":     runMap,
}

// run is the standalone command. It returns the exit code.
func run(ctx context.Context, args []string, suite []*analysis.Analyzer, stdout, stderr *os.File) int {
	complain := func(err error) { fmt.Fprintf(stderr, "operatorvet: %v\n", err) }

	if len(args) > 0 {
		if command, ok := commands[args[0]]; ok {
			return command(ctx, args[1:], suite, stdout, stderr)
		}
	}
	opts, err := parse(args, suite)
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(stdout, suite)
		return exitClean
	case err != nil:
		complain(fmt.Errorf("%w; see operatorvet -h", err))
		return exitUsage
	case opts.version:
		fmt.Fprintln(stdout, versions(suite))
		return exitClean
	}

	known, err := readBaseline(opts)
	if err != nil {
		complain(err)
		return exitUsage
	}
	changed, err := changedLines(opts)
	if err != nil {
		complain(err)
		return exitUsage
	}

	progress := newProgress(stderr)
	opts.load.Context, opts.load.Progress = ctx, progress.show
	rep, err := driver.Run(opts.load, append(slices.Clip(opts.rules), opts.limits...), cache.Open().For(opts.overrides))
	progress.clear()
	if err != nil {
		complain(err)
		return exitFailure
	}
	explain(rep.Failures, suite, opts)
	output.Failures(stderr, rep, opts.load.Dir)
	partial := take(rep, debug.PartialName)
	if parts := take(rep, debug.LimitsName); opts.verbose {
		for _, p := range partial {
			fmt.Fprintf(stderr, "operatorvet: %s\n", p.Message)
		}
		sayParts(stderr, parts)
	}
	view := viewOf(rep, suite, opts)
	if opts.writeBaseline {
		if err := updateBaseline(stdout, rep, known, view, opts); err != nil {
			complain(err)
			return exitFailure
		}
		return exitClean
	}
	stale := accept(rep, known, view)
	complainStale(stderr, stale, opts)
	rep.Findings = onLines(rep.Findings, changed)
	if opts.fix || opts.diff {
		err = mend(stdout, stderr, rep, opts)
	} else {
		err = write(stdout, rep, partial, opts)
	}
	if err != nil {
		complain(err)
		return exitFailure
	}
	switch {
	case len(rep.Failures) > 0:
		return exitFailure
	case len(rep.Findings) > 0, len(stale) > 0:
		return exitFindings
	}
	return exitClean
}

// explain replaces the message about a package that does not exist, if the name is that
// of a flag or a rule.
func explain(failures []load.Failure, suite []*analysis.Analyzer, opts *options) {
	fs, _ := flags()
	for i := range failures {
		f := &failures[i]
		if !slices.Contains(opts.load.Patterns, f.Package) || !strings.HasSuffix(f.Message, ")") || !strings.Contains(f.Message, " is not in std (") {
			continue
		}
		switch {
		case byName(suite, f.Package) != nil:
			f.Message = "no such package; the flag for a rule is -rules=" + f.Package
		case fs.Lookup(f.Package) != nil:
			f.Message = "no such package; the flag is -" + f.Package
		}
	}
}

// changedLines returns the lines that -since asks for, or nil for all.
func changedLines(opts *options) (*changes.Lines, error) {
	if opts.since == "" {
		return nil, nil
	}
	lines, err := changes.Since(opts.load.Dir, opts.since)
	if err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	return lines, nil
}

// onLines returns the findings on some lines, or all if lines is nil. Each place of a
// cause is a finding of its own.
func onLines(findings []driver.Finding, lines *changes.Lines) []driver.Finding {
	if lines == nil {
		return findings
	}
	return slices.DeleteFunc(findings, func(f driver.Finding) bool {
		return !lines.Touch(f.Pos.Filename, f.Pos.Line, f.End.Line)
	})
}

// take removes the findings about functions that were analysed only in part: those
// of the analyzer with this name. They are about the analysis, not about the code.
func take(rep *driver.Report, name string) (taken []driver.Finding) {
	rep.Findings = slices.DeleteFunc(rep.Findings, func(f driver.Finding) bool {
		if f.Rule == name {
			taken = append(taken, f)
		}
		return f.Rule == name
	})
	return taken
}

// sayParts writes a line with the number of functions that were analysed only in
// part.
func sayParts(w io.Writer, parts []driver.Finding) {
	const most = 5
	if len(parts) == 0 {
		return
	}
	var places []string
	for _, p := range parts[:min(len(parts), most)] {
		places = append(places, fmt.Sprintf("%s:%d", filepath.Base(p.Pos.Filename), p.Pos.Line))
	}
	if len(parts) > most {
		places = append(places, "...")
	}
	verb := "are"
	if len(parts) == 1 {
		verb = "is"
	}
	fmt.Fprintf(w, "operatorvet: %s %s analysed in part: %s; operatorvet debug -at shows why\n",
		count(len(parts), "function"), verb, strings.Join(places, ", "))
}

// write writes the findings in the format that the user chose. JSON has the
// reconcilers that are analysed in part, too.
func write(stdout *os.File, rep *driver.Report, partial []driver.Finding, opts *options) error {
	switch {
	case opts.json:
		return output.JSON(stdout, rep, partial)
	case opts.sarif:
		return output.SARIF(stdout, rep, opts.rules, opts.load.Dir, version())
	case opts.climate:
		return output.CodeClimate(stdout, rep, opts.load.Dir)
	}
	return output.Text(stdout, rep, opts.load.Dir, styleOf(stdout, opts.explain, len(rep.Findings)))
}

// fewFindings is how many findings a terminal shows with their steps.
const fewFindings = 3

// styleOf returns how findings are written to a file.
func styleOf(f *os.File, explain bool, findings int) output.Style {
	terminal := isTerminal(f)
	return output.Style{
		Colour: terminal && os.Getenv("NO_COLOR") == "",
		Steps:  explain || terminal && findings <= fewFindings,
	}
}
