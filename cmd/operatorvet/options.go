package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	buildinfo "runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/debug"
	"github.com/operatorvet/operatorvet/internal/run/load"
)

// options is the parsed command line.
type options struct {
	load    load.Config
	rules   []*analysis.Analyzer
	limits  []*analysis.Analyzer // tell what the rules saw in part
	verbose bool
	explain bool
	json    bool
	sarif   bool
	climate bool
	fix     bool
	diff    bool
	version bool

	overrides     string // the options of rules among the flags; the rules have them
	baseline      string // file, as the user calls it, or ""
	writeBaseline bool
	since         string // git revision, or ""
}

// baselineFile returns the path of the baseline. Like all other paths it is
// relative to the directory to run in.
func (o *options) baselineFile() string {
	if filepath.IsAbs(o.baseline) {
		return o.baseline
	}
	return filepath.Join(o.load.Dir, o.baseline)
}

// flags returns the command's flags and the variables that they set.
func flags() (*flag.FlagSet, *rawOptions) {
	raw := new(rawOptions)
	fs := flag.NewFlagSet("operatorvet", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.StringVar(&raw.dir, "C", ".", "change to `dir` first; shown paths are relative to it")
	fs.StringVar(&raw.tags, "tags", "", "build `tags`, separated by commas")
	fs.BoolVar(&raw.tests, "test", true, "type-check test files too; of the rules, only directive looks at them")
	fs.StringVar(&raw.rules, "rules", "", "run only these `rules`, or all but these: a,b or -a,-b")
	fs.BoolVar(&raw.json, "json", false, "write findings as go vet -json does")
	fs.BoolVar(&raw.sarif, "sarif", false, "write findings as SARIF 2.1.0")
	fs.BoolVar(&raw.climate, "codeclimate", false, "write findings as a code quality report for GitLab")
	fs.StringVar(&raw.baseline, "baseline", "", "report findings that are not in this `file` of known findings, and\nentries of the file that are no longer found")
	fs.BoolVar(&raw.writeBaseline, "write-baseline", false, "write findings to the baseline file instead of reporting them")
	fs.StringVar(&raw.since, "since", "", "report findings on lines that were added or changed since this git\n`revision`, committed or not; all lines of a new file count")
	fs.BoolVar(&raw.fix, "fix", false, "apply the fixes of findings that have one, instead of writing findings")
	fs.BoolVar(&raw.diff, "diff", false, "write the changes of -fix as a patch, and change no file")
	fs.StringVar(&raw.deps, "deps", string(load.Auto), "take types of dependencies `from` export data, and compile what is not\ncompiled; from source, and compile nothing; or auto: from export data of\nwhat is compiled, else from source, and compile nothing")
	fs.BoolVar(&raw.explain, "explain", false, "write below each finding the steps that lead to it, and what to do about\nit; a terminal shows them if there are few findings")
	fs.BoolVar(&raw.verbose, "v", false, "name the reconcilers that are analysed only in part, because they are too\nlarge, and count such functions")
	fs.BoolVar(&raw.version, "version", false, "print the versions of operatorvet, of the Go that built it and of\ngolang.org/x/tools, and the rules")
	raw.overrides.Flags(fs)
	return fs, raw
}

type rawOptions struct {
	dir, tags, rules, deps, baseline, since    string
	tests, json, sarif, version, writeBaseline bool
	fix, diff, climate, verbose, explain       bool

	overrides config.Overrides
}

// parse parses the command line.
func parse(args []string, suite []*analysis.Analyzer) (*options, error) {
	fs, raw := flags()
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	rules, err := choose(suite, raw.rules, &raw.overrides)
	if err != nil {
		return nil, err
	}
	formats := 0
	for _, chosen := range []bool{raw.json, raw.sarif, raw.climate} {
		if chosen {
			formats++
		}
	}
	if formats > 1 {
		return nil, errors.New("-json, -sarif and -codeclimate exclude each other")
	}
	if (raw.fix || raw.diff) && formats > 0 {
		return nil, errors.New("-fix and -diff write no findings: leave out -json, -sarif and -codeclimate")
	}
	deps := load.Deps(raw.deps)
	if deps != load.Auto && deps != load.Export && deps != load.Source {
		return nil, fmt.Errorf("-deps=%s: want auto, export or source", raw.deps)
	}
	switch {
	case raw.writeBaseline && raw.baseline == "":
		return nil, errors.New("-write-baseline needs -baseline, the file to write")
	case raw.writeBaseline && formats > 0:
		return nil, errors.New("-write-baseline reports nothing; leave out -json, -sarif and -codeclimate")
	case raw.writeBaseline && (raw.fix || raw.diff):
		return nil, errors.New("-write-baseline accepts findings as they are; leave out -fix and -diff")
	case raw.writeBaseline && raw.since != "":
		return nil, errors.New("-write-baseline accepts all findings; leave out -since")
	}
	for _, pattern := range fs.Args() {
		if strings.HasPrefix(pattern, "-") {
			return nil, fmt.Errorf("flag %s after a package; flags come first", pattern)
		}
		if raw.baseline != "" && strings.HasSuffix(pattern, ".go") {
			return nil, fmt.Errorf("-baseline knows findings by package; %s is a file", pattern)
		}
	}
	dir, err := directory(raw.dir)
	if err != nil {
		return nil, err
	}
	all := rule.With(&raw.overrides, rule.Mode{Checked: true}, append(slices.Clip(rules), debug.Limits(rules), debug.Partial(rules)))
	opts := &options{
		load:    load.Config{Dir: dir, Patterns: fs.Args(), Tests: raw.tests, Deps: deps},
		rules:   all[:len(rules)],
		limits:  all[len(rules):],
		verbose: raw.verbose,
		explain: raw.explain,
		json:    raw.json,
		sarif:   raw.sarif,
		climate: raw.climate,
		fix:     raw.fix,
		diff:    raw.diff,
		version: raw.version,

		overrides:     raw.overrides.String(),
		baseline:      raw.baseline,
		writeBaseline: raw.writeBaseline,
		since:         raw.since,
	}
	if len(opts.load.Patterns) == 0 {
		opts.load.Patterns = []string{"./..."}
	}
	if raw.tags != "" {
		opts.load.BuildFlags = []string{"-tags=" + raw.tags}
	}
	return opts, nil
}

// directory returns the absolute path of the directory to run in.
func directory(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("-C: %w", err)
	}
	info, err := os.Stat(abs)
	switch {
	case err != nil:
		return "", fmt.Errorf("-C: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("-C: %s is not a directory", dir)
	}
	return abs, nil
}

// choose returns the rules in the -rules flag. A rule named there runs even if
// an options file switches it off.
func choose(suite []*analysis.Analyzer, list string, overrides *config.Overrides) ([]*analysis.Analyzer, error) {
	if list == "" {
		return suite, nil
	}
	var with, without []string
	for name := range strings.SplitSeq(list, ",") {
		name, negated := strings.CutPrefix(strings.TrimSpace(name), "-")
		if byName(suite, name) == nil {
			return nil, unknownRule(suite, name)
		}
		if negated {
			without = append(without, name)
		} else {
			with = append(with, name)
			overrides.Switch(name, true)
		}
	}
	if len(with) > 0 && len(without) > 0 {
		return nil, errors.New("-rules: name rules to run or rules to leave out, not both")
	}
	var chosen []*analysis.Analyzer
	for _, a := range suite {
		if slices.Contains(with, a.Name) || len(with) == 0 && !slices.Contains(without, a.Name) {
			chosen = append(chosen, a)
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("-rules leaves no rule to run")
	}
	return chosen, nil
}

func byName(suite []*analysis.Analyzer, name string) *analysis.Analyzer {
	for _, a := range suite {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func unknownRule(suite []*analysis.Analyzer, name string) error {
	return fmt.Errorf("unknown rule %q; the rules are %s", name, names(suite))
}

// version returns the version of the module that the command was built from.
func version() string {
	if info, ok := buildinfo.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}

// versions returns the output of -version: what a report about a finding should say.
func versions(suite []*analysis.Analyzer) string {
	const tools = "golang.org/x/tools"
	lines := []string{"operatorvet " + version() + " built with " + runtime.Version()}
	if info, ok := buildinfo.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == tools {
				lines = append(lines, tools+" "+dep.Version)
			}
		}
	}
	return strings.Join(append(lines, "rules: "+names(suite)), "\n")
}

// names returns the names of the rules.
func names(suite []*analysis.Analyzer) string {
	var all []string
	for _, a := range suite {
		all = append(all, a.Name)
	}
	return strings.Join(all, ", ")
}
